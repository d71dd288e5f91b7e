package source

import (
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// message returns the message of a value. Values with the same JSON share one message. It reads
// what the formats of all providers have in common: role, calls and results. path is the JSON path
// of the value.
func (rd *reader) message(v value, path string) *series.Message {
	if m := rd.messages[v.raw]; m != nil {
		return m
	}
	if rd.messages == nil {
		rd.messages = map[string]*series.Message{}
	}
	m := newMessage(v, path)
	rd.messages[strings.Clone(v.raw)] = m
	return m
}

func newMessage(v value, path string) *series.Message {
	m := &series.Message{Value: v.canonical(), Line: v.line(), Path: path}
	var got [2]value
	v.pickTo(got[:], "role", "parts")
	m.Role = roles[got[0].text()]
	if got[1].is('[') {
		kept := map[string]value{}
		keep(kept, v, otelMessage)
		setAbout(m, kept)
	}
	results, others := false, false
	for name, w := range v.members() {
		switch name {
		case "id":
			m.ID = strings.Clone(w.text())
		case "type":
			kind := w.text()
			switch {
			case strings.HasSuffix(kind, "_output"):
				m.Role = series.Tool
			case m.Role == series.Other && kind != "":
				m.Role = series.Assistant // calls, reasoning and other items of Responses
			}
		case "call_id", "tool_call_id":
			add(&m.Answers, w)
		case "tool_calls":
			for _, call := range w.elements() {
				add(&m.Calls, call.get("id"))
			}
		case "content", "parts":
			for _, part := range w.elements() {
				var got [len(partNames)]value // in one pass: the text of a part may be long
				part.pickTo(got[:], partNames[:]...)
				switch kind := got[0].text(); {
				case kind == "tool_use", kind == "tool_call":
					add(&m.Calls, got[1])
					others = true
				case kind == "tool_result", kind == "tool_call_response":
					add(&m.Answers, firstOf(got[2], got[1]))
					results = true
				case firstOf(got[3:6]...).is('{'):
					add(&m.Calls, firstOf(got[3:6]...).first("id", "toolUseId"))
					others = true
				case firstOf(got[6:9]...).is('{'):
					add(&m.Answers, firstOf(got[6:9]...).first("id", "toolUseId"))
					results = true
				case got[9].raw != "": // no part
				default:
					others = true
				}
			}
		}
	}
	if m.Role == series.Assistant && len(m.Answers) > 0 { // call_id of a call
		m.Calls, m.Answers = append(m.Calls, m.Answers...), nil
	}
	if results && !others {
		m.Role = series.Tool
	}
	return m
}

// partNames are the members of a part that say whether it is a call or a result, by provider.
var partNames = [...]string{
	"type", "id", "tool_use_id", "functionCall", "function_call", "toolUse", "functionResponse", "function_response", "toolResult", "cachePoint",
}

func add(ids *[]string, v value) {
	if id := v.text(); id != "" {
		*ids = append(*ids, strings.Clone(id))
	}
}

var roles = map[string]series.Role{
	"system": series.System, "developer": series.System, "user": series.User, "human": series.User,
	"assistant": series.Assistant, "model": series.Assistant, "tool": series.Tool, "function": series.Tool,
}
