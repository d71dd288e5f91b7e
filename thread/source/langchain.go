package source

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/normal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// langChain are the messages of LangChain and the states of LangGraph.
var langChain = &framework{
	what: "messages of LangChain", format: thread.OpenAI.String(), list: "messages",
	paths: []string{
		"messages", "values.messages", "channel_values.messages", "checkpoint.channel_values.messages", "state.messages", "state.values.messages",
		"output.messages", "chat_history", "history",
	},
	ids:   []string{"config.configurable.thread_id", "checkpoint.thread_id", "thread_id", "session_id", "sessionId"},
	times: []string{"checkpoint.ts", "created_at", "createdAt", "ts"},
	row:   "message",
	is:    isLangChainMessage, key: langChainKey, says: langChainSays, read: readLangChain,
}

// langChainRoles maps types of messages, without the suffixes Message and Chunk, to the roles of
// OpenAI's chat API.
var langChainRoles = map[string]string{
	"human": "user", "ai": "assistant", "system": "system", "tool": "tool", "function": "function", "chat": "user", "developer": "developer",
	"remove": "",
}

// langChainOf returns the type and the members of a message. It accepts the members themselves,
// {type, data}, a serialized constructor with its arguments, and a row of a table with a message.
func langChainOf(v value) (kind string, data value) {
	got := v.pick("type", "data", "id", "kwargs", "message")
	kind, data = got[0].text(), v
	switch {
	case kind == "constructor":
		for _, w := range got[2].elements() {
			kind = w.text()
		}
		data = got[3]
	case got[0].missing() && got[4].is('{'):
		return langChainOf(got[4])
	case got[1].is('{'):
		data = got[1]
	}
	return strings.ToLower(strings.TrimSuffix(strings.TrimSuffix(kind, "Chunk"), "Message")), data
}

func isLangChainMessage(v value) bool {
	kind, data := langChainOf(v)
	if _, ok := langChainRoles[kind]; !ok {
		return false
	}
	got := data.pick("content", "additional_kwargs", "response_metadata", "id")
	if kind == "human" || kind == "ai" {
		return got[0].raw != "" || got[1].is('{')
	}
	return got[1].is('{') || got[2].is('{') || data.off != v.off && (got[0].raw != "" || kind == "remove" && got[3].is('"'))
}

// langChainKey returns the id of a message, or a missing value for a remove message, whose id is
// that of the message it removes.
func langChainKey(v value) value {
	kind, data := langChainOf(v)
	if kind == "remove" {
		return value{}
	}
	return data.get("id")
}

// langChainSays returns the content and the calls of a message.
func langChainSays(v value) string {
	_, data := langChainOf(v)
	got := data.pick("content", "tool_calls")
	return normal.Value(got[0].canonical()) + got[1].canonical()
}

// langChainSent are the members of a message that are sent, or say what it is.
var langChainSent = set("type", "content", "id", "tool_calls", "invalid_tool_calls", "tool_call_id", "usage_metadata", "role", "tool_call_chunks")

// readLangChain reads a message. An answer of the model is a call.
func readLangChain(c *dialog, v value, at string) []mapped {
	kind, data := langChainOf(v)
	role, ok := langChainRoles[kind]
	got := data.pick("content", "id", "name", "additional_kwargs", "response_metadata", "usage_metadata", "tool_call_id", "role")
	if kind == "remove" && got[1].is('"') {
		return []mapped{{removes: strings.Clone(got[1].text())}}
	}
	if !ok || role == "" {
		c.malformed(v, "a message of the unknown type %q; it is kept unchanged", kind)
		return nil
	}
	about := aboutAll(data, langChainSent)
	members := written{"role": quoted(role)}
	if kind == "chat" && got[7].is('"') {
		members["role"] = got[7]
	}
	if as := got[3].get("__openai_role__"); role == "system" && as.text() == "developer" { // LangChain has no type for it
		members["role"] = quoted("developer")
	}
	if got[2].is('"') && role != "tool" && got[2].raw != `""` {
		members["name"] = got[2]
		delete(about, "name")
	}
	if role == "tool" {
		members["tool_call_id"] = got[6]
	}
	calls, ids := langChainCalls(data, got[3], about)
	if len(calls) > 0 {
		members["tool_calls"] = listOfValues(calls)
	}
	if legacy := got[3].get("function_call"); len(calls) == 0 && legacy.is('{') {
		members["function_call"] = value{raw: legacy.canonical()}
	}
	members["content"] = langChainContent(got[0], ids, about)
	m := sentAs(v, at, members, about)
	m.ID = strings.Clone(got[1].text())
	m.Summary = got[3].get("lc_source").text() == "summarization"
	out := mapped{message: m}
	if role == "assistant" {
		meta := got[4]
		out.call = &series.Request{
			Model: strings.Clone(meta.first("model_name", "model", "model_id", "modelId").text()),
			Time:  meta.first("created_at", "created").instant(),
			Usage: cmp.Or(objectText(got[5]), usageBeside(meta)),
		}
	}
	return []mapped{out}
}

// objectText returns an object in canonical JSON, or "" if the value is not an object.
func objectText(v value) string {
	if !v.is('{') {
		return ""
	}
	return v.canonical()
}

// langChainCalls returns the calls of a message and their ids, including calls with invalid
// arguments. The errors of those go to about.
func langChainCalls(data, more value, about map[string]value) (calls []value, ids []string) {
	got := data.pick("tool_calls", "invalid_tool_calls")
	var errs []value
	for i, list := range got {
		for _, w := range list.elements() {
			call := w.pick("id", "name", "args", "error", "function")
			name := call[1]
			if call[4].is('{') { // in the form of the provider
				name = call[4]
			}
			calls = append(calls, chatCall(call[0], name, call[2]))
			add(&ids, strings.Clone(call[0].text()))
			if i == 1 {
				errs = append(errs, value{raw: w.canonical()})
			}
		}
	}
	if len(errs) > 0 {
		about["invalid_tool_calls"] = listOfValues(errs)
	}
	if len(calls) == 0 {
		for _, w := range more.get("tool_calls").elements() {
			calls = append(calls, chatCall(w.get("id"), w.get("function"), value{}))
			add(&ids, strings.Clone(w.get("id").text()))
		}
	}
	return calls, ids
}

// langChainContent returns the content of a message without the parts that repeat a call. If there
// are such parts, the original content goes to about.
func langChainContent(v value, calls []string, about map[string]value) value {
	if !v.is('[') {
		return value{raw: v.canonical()}
	}
	var parts []value
	left := false
	for _, w := range v.elements() {
		got := w.pick("type", "id", "call_id")
		isCall := slices.Contains([]string{"tool_use", "tool_call", "function_call", "tool_call_chunk", "input_json_delta"}, got[0].text())
		switch {
		case w.is('"'):
			parts = append(parts, chatText(w))
		case isCall && (slices.Contains(calls, got[1].text()) || slices.Contains(calls, got[2].text()) || got[0].text() == "input_json_delta"):
			left = true
		default:
			parts = append(parts, value{raw: w.canonical()})
		}
	}
	if left {
		about["content"] = value{raw: v.canonical()}
	}
	return contentOf(parts)
}
