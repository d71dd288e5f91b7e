package sessions

import (
	"bytes"
	"encoding/json"
	"io"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// log returns the format of a file with conversations: lists of messages with the answers in them,
// in contrast to request bodies. It examines the first two values of the file.
func (o *opener) log(f *file, beginning string) (Kind, bool) {
	isList := strings.HasPrefix(strings.TrimSpace(beginning), "[")
	if !isList && o.Messages == "" && !slices.ContainsFunc(topMembers(beginning), func(m member) bool { return listNames[m.name] || m.name == "role" || m.name == "from" }) {
		return "", false
	}
	in, err := f.text()
	if err != nil {
		return "", false
	}
	defer in.Close()
	first, ok := o.firstLogs(&io.LimitedReader{R: in, N: o.limit(maxLog)}, isList)
	if !ok || slices.ContainsFunc(first, shape.isOfFramework) {
		return "", false
	}
	if len(first) == 1 && first[0].bare {
		return first[0].format(), true
	}
	for _, l := range first {
		if !l.isAnswered() {
			return "", false
		}
	}
	if len(first) == 2 && first[1].continues(first[0]) {
		return "", false
	}
	return first[0].format(), true
}

// listNames are the members that hold the messages of a log.
var listNames = map[string]bool{"messages": true, "input": true, "contents": true, "conversations": true, "flat_log": true}

// shape is what is known about a log: some of its messages, and the members beside them.
type shape struct {
	list     string // the member with the messages
	beside   map[string]json.RawMessage
	messages []message
	bare     bool // the messages are not in a record
}

type message struct {
	Role      string          `json:"role"`
	From      string          `json:"from"`
	Value     json.RawMessage `json:"value"`
	Type      string          `json:"type"`
	Parts     json.RawMessage `json:"parts"`
	Content   json.RawMessage `json:"content"`
	ToolCalls json.RawMessage `json:"tool_calls"`
	Usage     json.RawMessage `json:"usage"`
	raw       string
}

func (m *message) UnmarshalJSON(data []byte) error {
	type plain message
	m.raw = string(data)
	_ = json.Unmarshal(data, (*plain)(m)) // a member of another type stays empty
	return nil
}

// secondLog is how much of a file is read for its second log.
const secondLog = 16 << 20

// fewMessages is how many messages of a bare list are examined.
const fewMessages = 50

// firstLogs reads the first two logs of a file, the second one unless it is large, or the first
// messages of one.
func (o *opener) firstLogs(in *io.LimitedReader, isList bool) ([]shape, bool) {
	dec := json.NewDecoder(in)
	if isList {
		if _, err := dec.Token(); err != nil {
			return nil, false
		}
	}
	var out []shape
	var bare shape
	for n := 0; n < fewMessages && dec.More(); n++ {
		var raw json.RawMessage
		if dec.Decode(&raw) != nil {
			break
		}
		l, ok := o.shapeOf(raw)
		switch {
		case ok:
			if out = append(out, l); len(out) == 2 {
				return out, true
			}
			in.N = min(in.N, secondLog)
			continue
		case len(out) > 0:
			return nil, false
		}
		var m message
		if json.Unmarshal(raw, &m) != nil || m.Role == "" && m.From == "" && m.Type == "" {
			return nil, false
		}
		if m.Type == "message" && m.Usage != nil { // the response of a call, not a message of a log
			return nil, false
		}
		bare.bare = true
		bare.messages = append(bare.messages, m)
	}
	if bare.bare {
		known := slices.ContainsFunc(bare.messages, func(m message) bool { return m.From != "" && m.Value != nil || roles[m.Role] })
		return []shape{bare}, known && o.Messages == ""
	}
	return out, len(out) > 0
}

// roles are the roles of messages.
var roles = map[string]bool{"user": true, "assistant": true, "system": true, "developer": true, "tool": true, "function": true, "model": true}

// shapeOf looks for the messages of a record.
func (o *opener) shapeOf(raw json.RawMessage) (shape, bool) {
	var path []string
	if o.Messages != "" {
		path = strings.Split(o.Messages, ".")
	}
	for len(path) > 0 {
		var list []json.RawMessage
		if json.Unmarshal(raw, &list) == nil && len(list) > 0 {
			raw = list[0]
			continue
		}
		in := membersOf(raw, func(name string) bool { return name == path[0] })
		if in[path[0]] == nil {
			return shape{}, false
		}
		raw, path = in[path[0]], path[1:]
	}
	in := membersOf(raw, func(name string) bool { return listNames[name] || besideNames[name] })
	if in == nil {
		in = map[string]json.RawMessage{"messages": raw}
	}
	l := shape{beside: in}
	for name := range in {
		if listNames[name] && json.Unmarshal(in[name], &l.messages) == nil && (l.list == "" || name < l.list) {
			l.list = name
		}
	}
	if l.list == "" {
		return shape{}, false
	}
	l.messages = nil
	_ = json.Unmarshal(in[l.list], &l.messages) // was read before
	// A trajectory of mini-swe-agent has calls of its own.
	isRun := in["trajectory_format"] != nil || strings.Contains(string(in["info"]), `"mini_version"`)
	return l, in["request"] == nil && in["response"] == nil && !isRun
}

// besideNames are the members of a record that matter in addition to its messages.
var besideNames = map[string]bool{"request": true, "response": true, "trajectory_format": true, "info": true, "system": true}

// membersOf returns the wanted members of an object, and nil for another value. An object may have
// millions of members.
func membersOf(raw json.RawMessage, wanted func(name string) bool) map[string]json.RawMessage {
	dec := json.NewDecoder(bytes.NewReader(raw))
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil
	}
	in := map[string]json.RawMessage{}
	for dec.More() {
		name, err := dec.Token()
		var value json.RawMessage
		if err == nil {
			err = dec.Decode(&value)
		}
		if err != nil {
			return nil
		}
		if text, ok := name.(string); ok && wanted(text) {
			in[text] = value
		}
	}
	return in
}

// isOfFramework reports whether the messages are those of a framework for agents: package source
// reads them.
func (l shape) isOfFramework() bool {
	return slices.ContainsFunc(l.messages[:min(len(l.messages), fewMessages)], func(m message) bool { return source.OfFramework(m.raw) })
}

// isAnswered reports whether the last message is the model's. In a request it is not.
func (l shape) isAnswered() bool {
	if l.list == "conversations" || l.list == "flat_log" {
		return true
	}
	if len(l.messages) == 0 {
		return false
	}
	switch m := l.messages[len(l.messages)-1]; m.Role {
	case "assistant", "model":
		return true
	case "":
		return m.Type == "function_call" || m.Type == "reasoning"
	}
	return false
}

// continues reports whether one list of messages is a prefix of another, as with the requests of
// one conversation.
func (l shape) continues(before shape) bool {
	return len(l.messages) > len(before.messages) && slices.EqualFunc(l.messages[:len(before.messages)], before.messages, func(a, b message) bool { return a.raw == b.raw })
}

// format returns the format of the messages.
func (l shape) format() Kind {
	f := thread.OpenAI
	switch l.list {
	case "conversations":
		f = thread.ShareGPT
	case "flat_log":
		f = thread.Flat
	case "contents":
		f = thread.Gemini
	case "input":
		f = thread.OpenAIResponses
	default:
		if l.beside["system"] != nil {
			f = thread.Anthropic
			break
		}
		for _, m := range l.messages {
			if g, ok := m.format(); ok {
				f = g
				break
			}
		}
	}
	return Kind(f.String())
}

// format returns the format of a message that only one format has.
func (m message) format() (thread.Format, bool) {
	content := string(m.Content)
	has := func(types ...string) bool {
		return slices.ContainsFunc(types, func(t string) bool {
			return strings.Contains(content, `"`+t+`"`) && strings.HasPrefix(content, "[")
		})
	}
	switch {
	case m.From != "":
		return thread.ShareGPT, true
	case m.Parts != nil:
		return thread.Gemini, true
	case m.Type == "message" || strings.HasPrefix(m.Type, "function_call") || m.Type == "reasoning" || has("input_text", "output_text"):
		return thread.OpenAIResponses, true
	case m.ToolCalls != nil || m.Role == "tool" || m.Role == "system" || m.Role == "developer":
		return thread.OpenAI, true
	case has("tool_use", "tool_result", "thinking"):
		return thread.Anthropic, true
	}
	return 0, false
}
