package source

import (
	"cmp"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

func textElement(text value) string {
	return object(map[string]value{"text": text, "type": {raw: `"text"`}})
}

// user makes the messages that are sent for a message of the user.
func (s *opencodeSession) user(m *opencodeMessage) {
	var parts []*series.Part
	for _, p := range m.parts {
		got := p.pick("type", "text", "ignored", "synthetic", "mime", "tail_start_id")
		part := &series.Part{ID: m.id, By: "person", Line: p.line(), Path: m.at}
		switch got[0].text() {
		case "text":
			if got[1].text() == "" || got[2].is('t') {
				continue
			}
			part.Value = textElement(value{raw: got[1].canonical()})
			if got[3].is('t') {
				part.By = "client"
			}
		case "file":
			if part.Value = s.file(p); part.Value == "" {
				continue
			}
		case "compaction":
			part.Value, part.By = textElement(quoted(opencodeQuestion)), "client"
			m.isRequest, m.tail = true, strings.Clone(got[5].text())
		case "subtask":
			part.Value, part.By = textElement(quoted(opencodeSubtask)), "client"
		default:
			s.unknownPart(p, got[0].text())
			continue
		}
		parts = append(parts, part)
	}
	if len(parts) == 0 {
		return
	}
	var values []string
	for _, p := range parts {
		values = append(values, p.Value)
	}
	content := "[" + strings.Join(values, ",") + "]"
	if text := (value{raw: values[0]}).get("text"); len(parts) == 1 && text.is('"') && s.format == thread.OpenAI.String() {
		content, parts[0].Value = text.raw, text.raw
	}
	x := newMessage(value{raw: `{"content":` + content + `,"role":"user"}`}, m.at)
	x.Parts, x.Line = parts, m.info.line()
	m.own, m.other = []*series.Message{x}, []*series.Message{x}
}

// file makes the part of a file. Texts and folders are sent as the texts that the program adds.
func (s *opencodeSession) file(v value) string {
	got := v.pick("mime", "url", "filename")
	mime, url := got[0].text(), value{raw: got[1].canonical()}
	if mime == "text/plain" || mime == "application/x-directory" || url.raw == "" {
		return ""
	}
	_, data, isData := strings.Cut(got[1].text(), ";base64,")
	isImage := strings.HasPrefix(mime, "image/")
	switch {
	case s.format == thread.Anthropic.String():
		source := map[string]value{"type": quoted("url"), "url": url}
		if isData {
			source = map[string]value{"type": quoted("base64"), "media_type": quoted(mime), "data": quoted(data)}
		}
		kind := "document"
		if isImage {
			kind = "image"
		}
		return object(map[string]value{"type": quoted(kind), "source": {raw: object(source)}})
	case isImage:
		return object(map[string]value{"type": quoted("image_url"), "image_url": {raw: object(map[string]value{"url": url})}})
	}
	file := map[string]value{"file_data": url}
	if got[2].is('"') {
		file["filename"] = value{raw: got[2].canonical()}
	}
	return object(map[string]value{"type": quoted("file"), "file": {raw: object(file)}})
}

func (s *opencodeSession) unknownPart(v value, kind string) {
	if opencodeParts[kind] == unknownKind {
		s.malformed(v, "a part has the unknown type %q; it is kept unchanged", kind)
	}
}

// assistant makes the messages that are sent for a message of the model at a time: the answer, and
// the results of its calls.
func (s *opencodeSession) assistant(m *opencodeMessage, now time.Time) {
	m.prunedAt, m.starts = nil, nil
	var own, other, calls []string // parts
	var text, reasoning, both strings.Builder
	var results []opencodeResult
	for _, p := range m.parts {
		got := p.pick("type", "text", "metadata", "tool", "callID", "state", "id")
		switch got[0].text() {
		case "text":
			text.WriteString(got[1].text())
			both.WriteString(got[1].text())
			if got[1].text() != "" {
				own, other = append(own, textElement(value{raw: got[1].canonical()})), append(other, textElement(value{raw: got[1].canonical()}))
			}
		case "reasoning":
			reasoning.WriteString(got[1].text())
			if strings.TrimSpace(got[1].text()) != "" {
				both.WriteString(got[1].text())
				other = append(other, textElement(value{raw: got[1].canonical()}))
			}
			if thought := thinking(got[1], got[2].get("anthropic")); thought != "" {
				own = append(own, thought)
			}
		case "tool":
			input := value{raw: cmp.Or(got[5].get("input").canonical(), "{}")}
			id, name := value{raw: cmp.Or(got[4].canonical(), `""`)}, value{raw: cmp.Or(got[3].canonical(), `""`)}
			use := object(map[string]value{"id": id, "input": input, "name": name, "type": quoted("tool_use")})
			own, other = append(own, use), append(other, use)
			function := object(map[string]value{"arguments": quoted(input.raw), "name": name})
			calls = append(calls, object(map[string]value{"function": {raw: function}, "id": id, "type": quoted("function")}))
			results = append(results, s.result(m, id, got[6].text(), got[5], now))
		default:
			s.unknownPart(p, got[0].text())
		}
	}
	if len(own)+len(other)+reasoning.Len() == 0 {
		m.own, m.other = nil, nil
		return
	}
	var first, second value // the answer
	if s.format == thread.Anthropic.String() {
		first, second = assistantOf(value{raw: "[" + strings.Join(own, ",") + "]"}), assistantOf(value{raw: "[" + strings.Join(other, ",") + "]"})
	} else {
		members := func(text, reasoning string) value {
			in := map[string]value{"role": quoted("assistant"), "content": quoted(text)}
			if reasoning != "" {
				in["reasoning_content"] = quoted(reasoning)
			}
			if len(calls) > 0 {
				in["tool_calls"] = value{raw: "[" + strings.Join(calls, ",") + "]"}
			}
			return value{raw: object(in)}
		}
		first, second = members(text.String(), reasoning.String()), members(both.String(), "")
	}
	rest := s.results(m, results)
	m.own = append([]*series.Message{s.made(m, first)}, rest...)
	if m.other = m.own; first.raw != second.raw {
		m.other = append([]*series.Message{s.made(m, second)}, rest...)
	}
}

func assistantOf(content value) value {
	return value{raw: object(map[string]value{"role": quoted("assistant"), "content": content})}
}

// made returns the message of an answer.
func (s *opencodeSession) made(m *opencodeMessage, v value) *series.Message {
	x := newMessage(v, m.at)
	x.ID, x.Line = m.id, m.info.line()
	about := map[string]value{}
	keep(about, m.info, opencodeAbout)
	setAbout(x, about)
	return x
}

// thinking returns the part for a thought. Anthropic's API accepts it only with its signature.
func thinking(text, signed value) string {
	got := signed.pick("signature", "redactedData")
	switch {
	case got[0].is('"'):
		return object(map[string]value{"type": quoted("thinking"), "thinking": {raw: text.canonical()}, "signature": {raw: got[0].canonical()}})
	case got[1].is('"'):
		return object(map[string]value{"type": quoted("redacted_thinking"), "data": {raw: got[1].canonical()}})
	}
	return ""
}

// opencodeResult is the result of a call.
type opencodeResult struct {
	call   value  // its id
	part   string // the id of the part
	text   string
	failed bool
	media  []string // parts
	about  map[string]value
	line   int
}

// result reads the result of a call as it is sent at a time.
func (s *opencodeSession) result(m *opencodeMessage, call value, part string, state value, now time.Time) opencodeResult {
	got := state.pick("status", "output", "error", "metadata", "attachments", "time")
	r := opencodeResult{call: call, part: strings.Clone(part), text: got[1].text(), about: map[string]value{}, line: state.line()}
	keep(r.about, state, opencodeResultAbout)
	if id := got[3].get("sessionId").text(); id != "" {
		m.starts = append(m.starts, series.Start{Call: strings.Clone(call.text()), ConversationID: "session " + id})
	}
	switch got[0].text() {
	case "completed":
		at := got[5].get("compacted").instant()
		if cleared := !at.IsZero() && !at.After(now); cleared {
			r.text = opencodeCleared
			return r
		}
		if !at.IsZero() {
			m.prunedAt = append(m.prunedAt, at)
			slices.SortFunc(m.prunedAt, time.Time.Compare)
		}
		for _, file := range got[4].elements() {
			if media := s.file(file); media != "" {
				r.media = append(r.media, media)
			}
		}
	case "error":
		if output := got[3].get("output"); got[3].get("interrupted").is('t') && output.is('"') {
			r.text = output.text()
			break
		}
		r.text, r.failed = got[2].text(), true
	case "pending", "running":
		r.text, r.failed = opencodeCut, true
	default:
		r.text, r.failed = cmp.Or(r.text, opencodeCut), true
		s.malformed(state, "a call has the unknown status %q; its state is kept unchanged", got[0].text())
	}
	return r
}

// results returns the messages with the results of the calls of an answer.
func (s *opencodeSession) results(m *opencodeMessage, list []opencodeResult) (out []*series.Message) {
	var blocks, media []string
	var parts []*series.Part
	for _, r := range list {
		if s.format != thread.Anthropic.String() {
			x := newMessage(value{raw: object(map[string]value{"role": quoted("tool"), "tool_call_id": r.call, "content": quoted(r.text)})}, m.at)
			x.ID, x.Line = r.part, r.line
			setAbout(x, r.about)
			out, media = append(out, x), append(media, r.media...)
			continue
		}
		block := map[string]value{"type": quoted("tool_result"), "tool_use_id": r.call, "content": quoted(r.text)}
		if r.failed {
			block["is_error"] = value{raw: "true"}
		}
		if len(r.media) > 0 {
			block["content"] = value{raw: "[" + textElement(quoted(r.text)) + "," + strings.Join(r.media, ",") + "]"}
		}
		p := &series.Part{Value: object(block), ID: r.part, Line: r.line, Path: m.at}
		if len(r.about) > 0 {
			p.About = object(r.about)
		}
		blocks, parts = append(blocks, p.Value), append(parts, p)
	}
	if len(media) > 0 {
		blocks = append([]string{textElement(quoted("Attached media from tool result:"))}, media...)
	}
	if len(blocks) > 0 {
		x := newMessage(value{raw: object(map[string]value{"role": quoted("user"), "content": {raw: "[" + strings.Join(blocks, ",") + "]"}})}, m.at)
		x.Parts, x.Line = parts, m.info.line()
		out = append(out, x)
	}
	return out
}
