package source

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isGoose recognizes sessions of Goose: lines that begin with a header, or an export.
func isGoose(first []value) bool {
	if !isGooseHeader(first[0]) {
		return false
	}
	if list := first[0].get("conversation"); list.is('[') {
		for _, m := range list.elements() {
			return isGooseMessage(m)
		}
		return true
	}
	return len(first) == 1 || isGooseMessage(first[1])
}

func isGooseHeader(v value) bool {
	got := v.pick("working_dir", "description", "name", "role")
	return got[0].is('"') && (got[1].is('"') || got[2].is('"')) && got[3].raw == ""
}

func isGooseMessage(v value) bool {
	got := v.pick("role", "created", "content")
	_, ok := got[1].integer()
	return got[0].is('"') && ok && got[2].is('[')
}

// gooseSession is the state of reading a session.
type gooseSession struct {
	transcript
	hidden  map[*series.Message]bool // not sent any more at the end of the session
	anyLeft bool                     // some of the messages are
	inReply bool                     // the latest message is the model's
}

type goose struct{}

func openGoose(*group) parser { return goose{} }

func (goose) end(context.Context) error { return nil }

// file reads the sessions of a file: a database has several.
func (goose) file(ctx context.Context, rd *reader) error {
	var s *gooseSession
	err := rd.documents(ctx, func(d *document) error {
		root := d.root()
		list := root.get("conversation")
		if s != nil && !list.is('[') {
			return s.message(root, "$")
		}
		if s != nil {
			if err := s.finish(); err != nil {
				return err
			}
		}
		s = &gooseSession{transcript: transcript{reader: rd, format: thread.Anthropic.String(), list: "messages"}, hidden: map[*series.Message]bool{}}
		if !isGooseHeader(root) {
			return s.message(root, "$")
		}
		if id := root.get("id"); id.is('"') {
			s.conversation = "session " + strings.Clone(id.text())
		}
		for i, m := range list.elements() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.message(m, "$.conversation["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil || s == nil {
		return err
	}
	return s.finish()
}

// message reads a message. After hidden messages, the first one that only the model sees is the
// summary that replaces them: a compaction.
func (s *gooseSession) message(v value, at string) error {
	if !isGooseMessage(v) {
		s.malformed(v, "not a message; it is kept unchanged")
		return nil
	}
	got := v.pick("role", "created", "content", "metadata")
	parts, rest := gooseParts(got[2])
	if len(parts) == 0 {
		s.keepValue("unsent", v)
		return nil
	}
	m := newMessage(value{raw: written{"role": got[0], "content": listOfValues(parts)}.value().canonical(), doc: v.doc, off: v.off}, at)
	m.ID = strings.Clone(v.get("id").text())
	kept := map[string]value{}
	keep(kept, v, map[string]string{"created": "created", "metadata": "metadata"})
	if rest != nil {
		kept["unsent"] = value{raw: listOfValues(rest).canonical()}
	}
	setAbout(m, kept)
	forAgent, forUser := !got[3].get("agentVisible").is('f'), !got[3].get("userVisible").is('f')
	s.hidden[m] = !forAgent
	time := got[1].instant()
	switch {
	case forAgent && !forUser && s.anyLeft:
		m.Summary, s.anyLeft, s.inReply = true, false, false
		list := slices.DeleteFunc(slices.Clone(s.messages), func(m *series.Message) bool { return s.hidden[m] })
		return s.state(&series.Request{
			Event: &series.Event{Kind: "compaction"}, Time: time, Why: []series.Reason{{Cause: series.Compacted, Line: v.line(), Path: at}},
			Origin: series.Origin{Line: v.line(), Path: at},
		}, append(list, m))
	case m.Role != series.Assistant || !forUser:
		s.inReply = false
		s.add(m)
	case s.inReply: // the model's messages that follow each other are one answer
		s.open.Reply = append(s.open.Reply, m)
		s.messages = append(s.messages, m)
	default:
		s.inReply = true
		if err := s.call(&series.Request{Time: time, Origin: series.Origin{Line: v.line(), Path: at}}); err != nil {
			return err
		}
		s.answer(m)
	}
	s.anyLeft = s.anyLeft || !forAgent
	return nil
}

// gooseParts returns the parts of a message that are sent, as content blocks of Anthropic's API,
// and the other parts.
func gooseParts(list value) (sent, rest []value) {
	for _, part := range list.elements() {
		switch part.get("type").text() {
		case "text", "thinking":
		case "redactedThinking":
			part = written{"type": quoted("redacted_thinking"), "data": part.get("data")}.value()
		case "image":
			source := written{"type": quoted("base64"), "media_type": part.get("mimeType"), "data": part.get("data")}
			part = written{"type": quoted("image"), "source": source.value()}.value()
		case "toolRequest", "frontendToolRequest":
			call := part.get("toolCall")
			input := call.get("value", "arguments")
			if !input.is('{') {
				input = value{raw: "{}"}
			}
			name := call.get("value", "name")
			if !name.is('"') { // the model called what could not be read
				name = quoted("")
				rest = append(rest, part)
			}
			part = written{"type": quoted("tool_use"), "id": part.get("id"), "name": name, "input": input}.value()
		case "toolResponse":
			part = gooseResult(part)
		default:
			rest = append(rest, part)
			continue
		}
		sent = append(sent, part)
	}
	return sent, rest
}

// gooseResult returns a result as a content block of Anthropic's API.
func gooseResult(part value) value {
	result := part.get("toolResult")
	out := written{"type": quoted("tool_result"), "tool_use_id": part.get("id"), "content": value{raw: "[]"}}
	list := result.get("value")
	if list.is('{') {
		if list.get("isError").is('t') {
			out["is_error"] = value{raw: "true"}
		}
		list = list.get("content")
	}
	if list.is('[') {
		parts, rest := gooseParts(list)
		out["content"] = listOfValues(append(parts, rest...))
	}
	if failed := result.get("error"); !failed.missing() {
		out["is_error"], out["content"] = value{raw: "true"}, failed
	}
	return out.value()
}
