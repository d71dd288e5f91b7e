package source

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isCopilot recognizes an export of one prompt of Copilot Chat, or of all.
func isCopilot(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool { return promptsOf(v).raw != "" })
}

// promptsOf returns the prompts in an export, or a missing value.
func promptsOf(v value) value {
	list := v.get("prompts")
	if list.raw == "" && v.get("logs").is('[') {
		list = value{raw: "[" + v.raw + "]", off: v.off - 1, doc: v.doc}
	}
	for _, p := range list.elements() {
		for _, log := range p.get("logs").elements() {
			if got := log.pick("kind", "id"); copilotKinds[got[0].text()] != unknownKind && got[1].is('"') {
				return list
			}
			break
		}
	}
	return value{}
}

// eachEntry calls each with the entries of the prompts in an export.
func eachEntry(doc value, each func(value)) {
	for _, prompt := range promptsOf(doc).elements() {
		eachOf(prompt.get("logs"), each)
	}
}

// copilotKinds has the fates of the entries in an export of Copilot Chat.
var copilotKinds = map[string]fate{"request": recordedCall, "toolCall": ofCall, "element": bookkeeping, "error": bookkeeping}

// replay is the state of reading an export.
type replay struct {
	*reader
	last latest
	open *series.Request // the latest request
	made []value         // the tool calls in its answer
}

func openCopilot(*group) parser { return &replay{} }

func (p *replay) end(context.Context) error { return nil }

func (p *replay) file(ctx context.Context, rd *reader) error {
	*p = replay{reader: rd}
	err := rd.documents(ctx, func(d *document) error {
		list := promptsOf(d.root())
		if list.raw == "" {
			return rd.fail(d.root(), engine.ErrFileShape, "the export has no prompts with entries")
		}
		for i, prompt := range list.elements() {
			for j, log := range prompt.get("logs").elements() {
				if err := ctx.Err(); err != nil {
					return err
				}
				if err := p.entry(log, "$.prompts["+strconv.Itoa(i)+"].logs["+strconv.Itoa(j)+"]"); err != nil {
					return err
				}
			}
		}
		return nil
	})
	return cmp.Or(err, p.flush())
}

// entry reads an entry of a prompt.
func (p *replay) entry(v value, at string) error {
	switch copilotKinds[v.get("kind").text()] {
	case recordedCall:
		return p.request(v, at)
	case ofCall:
		p.toolCall(v, at)
	case bookkeeping:
	default:
		p.malformed(v, "an entry of an unknown kind; it is kept unchanged")
	}
	return nil
}

// request reads a request and its answer.
func (p *replay) request(v value, at string) error {
	got := v.pick("metadata", "requestMessages", "response", "thinking", "type")
	list := got[1]
	if list.is('{') {
		list = list.get("messages")
	}
	if !list.is('[') {
		p.noteOnce(thread.Kept, "", v, "requests without messages, such as texts that the client shows, are not model calls; they are left out")
		return nil
	}
	if err := p.flush(); err != nil {
		return err
	}
	meta := got[0].pick("model", "startTime", "usage", "postOptions", "tools")
	r := &series.Request{
		Model: strings.Clone(meta[0].text()), Time: meta[1].instant(), Usage: meta[2].canonical(), Format: thread.OpenAI.String(), List: "messages",
		Origin: series.Origin{File: p.name, Call: p.calls, Line: v.line(), Path: at},
	}
	for name, w := range meta[3].members() {
		r.Settings = append(r.Settings, series.Setting{Name: name, Value: w.canonical()})
	}
	for name, w := range map[string]value{"model": meta[0], "tools": meta[4]} {
		if !w.missing() {
			kind := map[bool]series.SettingKind{true: series.Tools}[name == "tools"]
			r.Settings = append(slices.DeleteFunc(r.Settings, func(s series.Setting) bool { return s.Name == name }), series.Setting{Name: name, Kind: kind, Value: w.canonical()})
		}
	}
	slices.SortFunc(r.Settings, func(x, y series.Setting) int { return cmp.Compare(x.Name, y.Name) })
	var sent []*series.Message
	for i, m := range list.elements() {
		w, marks := fromCopilot(m)
		message := p.message(value{raw: w.raw, doc: m.doc, off: m.off}, at+".requestMessages.messages["+strconv.Itoa(i)+"]")
		if marks.raw != "" && message.About == "" {
			message.About = written{"cache_breakpoint": marks}.value().canonical()
		}
		sent = append(sent, message)
	}
	p.last.place(r, sent)
	answer := got[2].pick("type", "message", "reason")
	if kind := answer[0].text(); kind != "success" && kind != "" {
		r.Failed = strings.Clone(cmp.Or(answer[2].text(), kind))
	}
	texts := asList(answer[1])
	for i, text := range texts.elements() {
		if !text.is('"') {
			p.malformed(text, "a part of an answer is not a text; it is kept unchanged")
		}
		if !text.is('"') || text.text() == "" && i > 0 {
			continue
		}
		m := newMessage(value{raw: written{"role": quoted("assistant"), "content": text}.value().raw, doc: v.doc, off: v.off}, at+".response")
		if thought := got[3].first("text"); !thought.missing() && i == 0 {
			m.About = written{"reasoning_content": thought}.value().canonical()
		}
		if len(r.Reply) > 0 {
			r.Choices = append(r.Choices, []*series.Message{m})
			continue
		}
		r.Reply = []*series.Message{m}
	}
	p.open = r
	p.calls++
	return nil
}

// toolCall adds a tool call to the latest answer, and its result after the answer. The entry of a
// request has only the text of its answer. The client adds a number to the id of a call.
func (p *replay) toolCall(v value, at string) {
	r := p.open
	if r == nil {
		p.keepValue("unsent", v)
		return
	}
	got := v.pick("id", "tool", "args", "response")
	id, _, _ := strings.Cut(got[0].text(), "__vscode-")
	p.made = append(p.made, chatCall(quoted(id), got[1], got[2]))
	var text strings.Builder
	var parts []value
	isText := true
	for _, w := range asList(got[3]).elements() {
		if text.WriteString(w.text()); w.is('"') {
			w = chatText(w)
		} else {
			isText = false
		}
		parts = append(parts, value{raw: w.canonical()})
	}
	content := listOfValues(parts)
	if isText {
		content = quoted(text.String())
	}
	result := written{"role": quoted("tool"), "tool_call_id": quoted(id), "content": content}
	m := newMessage(value{raw: result.value().canonical(), doc: v.doc, off: v.off}, at+".response")
	setAbout(m, aboutAll(v, copilotToolSent))
	r.After = append(r.After, m)
}

// copilotToolSent has the members of the entry of a tool call that are sent or identify it.
var copilotToolSent = set("kind", "id", "tool", "args", "response")

// flush sends the latest request, with the calls in its answer.
func (p *replay) flush() error {
	r := p.open
	if p.open = nil; r == nil {
		return nil
	}
	if len(p.made) > 0 {
		m := written{"role": quoted("assistant"), "content": quoted("")}
		answer := &series.Message{Line: r.Origin.Line, Path: r.Origin.Path + ".response"}
		if len(r.Reply) > 0 {
			answer = r.Reply[0]
		}
		maps.Insert(m, (value{raw: answer.Value}).members())
		m["tool_calls"] = listOfValues(p.made)
		about, line := answer.About, answer.Line
		answer = newMessage(value{raw: m.value().canonical()}, answer.Path)
		answer.About, answer.Line = about, line
		r.Reply, p.made = []*series.Message{answer}, nil
	}
	return p.send(r)
}

// The roles of messages and the kinds of their parts in Copilot Chat are numbers.
var copilotRoles = map[string]string{"0": "system", "1": "user", "2": "assistant", "3": "tool"}

const (
	copilotImage  = "0"
	copilotText   = "1"
	copilotOpaque = "2"
	copilotBreak  = "3"
)

// fromCopilot returns a message in the form of chat APIs, and its cache markers.
func fromCopilot(v value) (message, marks value) {
	out := written{}
	for name, w := range v.members() {
		switch name {
		case "role":
			if role := copilotRoles[w.raw]; role != "" {
				w = quoted(role)
			}
			out[name] = w
		case "content":
			out[name] = w
			if w.is('[') {
				out[name], marks = copilotParts(w)
			}
		case "toolCalls":
			out["tool_calls"] = w
		case "toolCallId":
			out["tool_call_id"] = w
		default:
			out[name] = w
		}
	}
	return value{raw: out.value().canonical()}, marks
}

func copilotParts(list value) (parts, marks value) {
	var sent, breaks []value
	for _, part := range list.elements() {
		switch part.get("type").raw {
		case copilotText:
			part = written{"type": quoted("text"), "text": part.get("text")}.value()
		case copilotImage:
			part = written{"type": quoted("image_url"), "image_url": part.get("imageUrl")}.value()
		case copilotOpaque:
			part = written{"type": quoted("opaque"), "value": part.get("value")}.value()
		case copilotBreak:
			breaks = append(breaks, written{"part": value{raw: strconv.Itoa(len(sent))}, "type": part.get("cacheType")}.value())
			continue
		}
		sent = append(sent, part)
	}
	if breaks != nil {
		marks = listOfValues(breaks)
	}
	return listOfValues(sent), marks
}
