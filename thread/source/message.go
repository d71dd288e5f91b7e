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

// newMessage reads the canonical text of a value.
func newMessage(v value, path string) *series.Message {
	return readMessage(&series.Message{Value: v.canonical(), Line: v.line(), Path: path})
}

// readMessage reads the value of a message, which is canonical. Ids share memory with it.
func readMessage(m *series.Message) *series.Message {
	var got [len(commonNames)]value
	(value{raw: m.Value}).pickTo(got[:], commonNames[:]...)
	m.Role = roles[got[0].text()]
	if got[0].text() == "" && got[1].is('[') {
		m.Role = series.User // what a Content of Gemini without a role is
	}
	if got[1].is('[') {
		kept := map[string]value{}
		keep(kept, value{raw: m.Value}, otelMessage)
		setAbout(m, kept)
	}
	m.ID = strings.Clone(got[2].text())
	switch kind := got[3].text(); {
	case strings.HasSuffix(kind, "_output"):
		m.Role = series.Tool
	case m.Role == series.Other && kind != "":
		m.Role = series.Assistant // calls, reasoning and other items of Responses
	}
	add(&m.Answers, got[4].text())
	results, others := false, false
	for _, list := range [...]value{got[7], got[1]} {
		for _, part := range list.elements() {
			var got [len(partNames)]value // in one pass: the text of a part may be long
			part.pickTo(got[:], partNames[:]...)
			switch kind := got[0].text(); {
			case kind == "tool_use", kind == "tool_call":
				add(&m.Calls, got[1].text())
				others = true
			case kind == "tool_result", kind == "tool_call_response":
				add(&m.Answers, firstOf(got[2], got[1]).text())
				results = true
			case firstOf(got[3:6]...).is('{'):
				add(&m.Calls, firstOf(got[3:6]...).first("id", "toolUseId").text())
				others = true
			case firstOf(got[6:9]...).is('{'):
				add(&m.Answers, firstOf(got[6:9]...).first("id", "toolUseId").text())
				results = true
			case got[9].raw != "": // no part
			default:
				others = true
			}
		}
	}
	add(&m.Answers, got[5].text())
	for _, call := range got[6].elements() {
		add(&m.Calls, call.get("id").text())
	}
	if m.Role == series.Assistant && len(m.Answers) > 0 { // call_id of a call
		m.Calls, m.Answers = append(m.Calls, m.Answers...), nil
	}
	if results && !others {
		m.Role = series.Tool
	}
	return m
}

// commonNames are the members of a message that say what it is.
var commonNames = [...]string{"role", "parts", "id", "type", "call_id", "tool_call_id", "tool_calls", "content"}

// partNames are the members of a part that say whether it is a call or a result, by provider.
var partNames = [...]string{
	"type", "id", "tool_use_id", "functionCall", "function_call", "toolUse", "functionResponse", "function_response", "toolResult", "cachePoint",
}

func add(ids *[]string, id string) {
	if id != "" {
		*ids = append(*ids, id)
	}
}

var roles = map[string]series.Role{
	"system": series.System, "developer": series.System, "user": series.User, "human": series.User,
	"assistant": series.Assistant, "model": series.Assistant, "tool": series.Tool, "function": series.Tool,
}
