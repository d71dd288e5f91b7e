package normal

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Key is the normal form of a part. Equal keys are of parts that are equal to the provider, if the
// roles are equal, too.
type Key struct {
	Kind  string
	Name  string // of a call or a result: its id; of a call also the name of the tool
	Value string
	More  string // the other members that the model is shown
}

// Part is one part of a message, as it is written.
type Part struct {
	Raw  string // an element of the content, or all of it; of a result, call or item the whole value
	Kind string // text, call or result, otherwise the type in the source; empty for no content
	ID   string // of a call or a result: that of the call
	// message says that Raw is the message itself, not a part of it.
	message bool
	more    string // members of the message that the model is shown, only in its first part
}

// rank is the order of the parts of a message in most APIs: results, texts, calls.
func (p *Part) rank() int {
	switch p.Kind {
	case result:
		return 0
	case call:
		return 2
	}
	return 1
}

// Call reports whether a part is a tool call.
func (p *Part) Call() bool { return p.Kind == call }

// Result reports whether a part is the result of a tool call.
func (p *Part) Result() bool { return p.Kind == result }

const (
	text   = "text"
	call   = "call"
	result = "result"
	// direction is an element that only directs the API, as one between the parts does in Bedrock.
	direction = "direction"
)

// Split returns the parts of a message in canonical JSON, in the order in which package thread
// makes blocks of them. Every message has at least one. isResult says that the message consists of
// results of tools. The cost is linear in the size of the message.
func Split(format, message string, isResult bool) []Part {
	sp := splitter{form: formOf(format), s: canonjson.Borrow(message)}
	defer sp.s.Return()
	if !strings.HasPrefix(message, "{") {
		p := Part{Raw: message}
		if strings.HasPrefix(message, `"`) {
			p.Kind = text
		}
		return []Part{p}
	}
	sp.message()
	typed := slices.ContainsFunc(sp.parts, func(p Part) bool { return p.Kind == result })
	if sp.item != "" || isResult && !typed {
		p := Part{Raw: message, Kind: sp.item, ID: sp.id, message: true}
		if isResult {
			p.Kind = result
		}
		return []Part{p}
	}
	sp.parts = slices.Concat(sp.parts, sp.calls, sp.legacy)
	if len(sp.parts) == 0 {
		sp.parts = append(sp.parts, Part{Raw: sp.content})
	}
	if format == "otel" { // which has no order of its own
		slices.SortStableFunc(sp.parts, func(a, b Part) int { return a.rank() - b.rank() })
	}
	sp.parts[0].more = sp.more
	return sp.parts
}

// Element returns the part of an element of the content of a message.
func Element(format, raw string) Part {
	sp := splitter{form: formOf(format), s: canonjson.Borrow(raw)}
	defer sp.s.Return()
	return sp.element()
}

// splitter reads one message. The text is valid, so errors cannot occur.
type splitter struct {
	form         form
	s            *canonjson.Scanner
	parts, calls []Part
	legacy       []Part // a call in function_call
	content      string
	more         string
	item         string // kind of an item that is no message
	id           string // of the call of a result or an item
}

func (sp *splitter) message() {
	role, kind := false, ""
	_ = sp.s.Object(func(name string, at int) error {
		switch name {
		case "role":
			role = true
		case "type":
			if sp.s.Peek() == '"' {
				kind, _ = sp.s.Text()
				return nil
			}
		case "source": // the role of an ATIF step
			role = true
		case "call_id", "tool_call_id":
			if sp.s.Peek() == '"' {
				sp.id, _ = sp.s.Text()
				return nil
			}
		case "content", "parts", "message":
			return sp.list()
		case "tool_calls":
			if sp.s.Peek() == '[' {
				return sp.s.Array(func(int) error {
					p := sp.element()
					p.Kind = call
					sp.calls = append(sp.calls, p)
					return nil
				})
			}
		case "function_call":
			if sp.s.Peek() == '{' {
				p := sp.element()
				p.Kind = call
				sp.legacy = append(sp.legacy, p)
				return nil
			}
		}
		raw, err := sp.s.Raw()
		if name != "role" && !sp.form.message[name] && !everywhere[name] && !saysNothing("", name, raw) && name != "type" {
			sp.more += name + "\x00" + raw + "\x00"
		}
		return err
	})
	if !role && kind != "" && kind != "message" {
		switch {
		case strings.HasSuffix(kind, "_output"):
			sp.item = result
		case strings.HasSuffix(kind, "_call"):
			sp.item = call
		default:
			sp.item = kind
		}
	}
	if len(sp.calls)+len(sp.legacy) > 0 && len(sp.parts) == 1 && sp.parts[0].Raw == `""` {
		sp.parts = nil // content that is empty because the message consists of calls
	}
}

// list reads the content of a message.
func (sp *splitter) list() error {
	switch sp.s.Peek() {
	case '[':
		return sp.s.Array(func(int) error {
			if p := sp.element(); p.Kind != direction {
				sp.parts = append(sp.parts, p)
			}
			return nil
		})
	case '"':
		raw, err := sp.s.Raw()
		sp.content = raw
		sp.parts = append(sp.parts, Part{Raw: raw, Kind: text})
		return err
	}
	raw, err := sp.s.Raw()
	if sp.content = raw; raw != "null" {
		sp.parts = append(sp.parts, Part{Raw: raw, Kind: "other"})
	}
	return err
}

// element reads one part.
func (sp *splitter) element() Part {
	p := Part{Kind: "other"}
	c := sp.s.Peek()
	start := sp.s.Offset()
	if c != '{' {
		if c == '"' {
			p.Kind = text
		}
		p.Raw, _ = sp.s.Raw()
		return p
	}
	id, resultID, hasText, thought := "", "", false, false
	typ, directs, others := "", false, false
	_ = sp.s.Object(func(name string, _ int) error {
		c := sp.s.Peek()
		directs, others = directs || name == "cachePoint", others || name != "cachePoint"
		switch name {
		case "type":
			if c == '"' {
				typ, _ = sp.s.Text()
				return nil
			}
		case "text", "content":
			hasText = hasText || c == '"'
		case "thought":
			thought = c == 't'
		case "reasoningContent": // of Bedrock
			thought = c == '{'
		case "id", "tool_call_id":
			if c == '"' {
				id, _ = sp.s.Text()
				return nil
			}
		case "tool_use_id":
			if c == '"' {
				resultID, _ = sp.s.Text()
				return nil
			}
		case "functionCall", "function_call", "functionResponse", "function_response", "toolUse", "toolResult":
			if c == '{' {
				p.Kind = call
				if lower := strings.ToLower(name); strings.HasSuffix(lower, "response") || strings.HasSuffix(lower, "result") {
					p.Kind = result
				}
				return sp.s.Object(func(name string, _ int) error {
					if (name == "id" || name == "toolUseId") && sp.s.Peek() == '"' {
						id, _ = sp.s.Text()
						return nil
					}
					return sp.s.Skip()
				})
			}
		}
		return sp.s.Skip()
	})
	p.Raw = sp.s.Since(start)
	switch {
	case directs && !others:
		p.Kind = direction
	case p.Kind != "other":
		p.ID = id
	case typ == "tool_use", typ == "tool_call", typ == "function":
		p.Kind, p.ID = call, id
	case typ == "tool_result", typ == "tool_call_response":
		if p.Kind, p.ID = result, resultID; resultID == "" {
			p.ID = id
		}
	case thought:
		p.Kind = "thinking"
	case hasText && (typ == "" || isText[typ]):
		p.Kind = text
	case typ != "":
		p.Kind = typ
	}
	if p.ID == "" && p.Kind != text { // a call by any other name, such as of a server
		p.ID = id
	}
	return p
}

var isText = set("text", "input_text", "output_text")

// Key returns the normal form of a part in a format.
func (p *Part) Key(format string) Key { return p.key(formOf(format)) }

// Value returns the normal form of a value.
func Value(raw string) string { return form{}.value(raw) }

// Content returns the normal form of the content of a node of a kind, which an importer made of a
// format.
func Content(format, kind, raw string) string {
	f := formOf(format)
	switch {
	case kind == call:
		return arguments(raw)
	case kind == result && isEmpty(raw):
		return ""
	case kind == result:
		return f.value(raw)
	case kind == text:
		return textValue(raw)
	case strings.HasPrefix(raw, "{"):
		p := Part{Raw: raw, Kind: kind, message: format == "openai-responses"}
		k := p.key(f)
		return k.Value + k.More
	}
	return raw
}

// Member returns a member of a node of a kind as it is to the provider, or "" if it says nothing.
func Member(kind, name, raw string) string {
	for _, prefix := range prefixes {
		if in, ok := strings.CutPrefix(name, prefix); ok && saysNothing(kind, in, raw) {
			return ""
		}
	}
	return Value(raw)
}

// prefixes are the beginnings that importers give to the names of members.
var prefixes = [...]string{"", "part_", "message_", "function_"}

// FormatOf returns the format that a node is from, by its provenance, or "" if it was not read from
// a log.
func FormatOf(provenance string) string {
	_, rest, _ := strings.Cut(provenance, `"from":"`)
	format, _, _ := strings.Cut(rest, `"`)
	return format
}

// IsDirection reports whether a member, of a node that an importer made of a format, directs the
// API and does not belong to the prompt.
func IsDirection(format, name string) bool {
	f := formOf(format)
	for _, prefix := range prefixes {
		if in, ok := strings.CutPrefix(name, prefix); ok && (everywhere[in] || f.message[in] || f.part[in] || f.nameless && (in == "call_id" || in == "id")) {
			return true
		}
	}
	return false
}

func (p *Part) key(f form) Key {
	k := Key{Kind: p.Kind, More: p.more}
	if !strings.HasPrefix(p.Raw, "{") {
		k.Value = textValue(p.Raw)
		if p.Kind == text || p.Raw == `""` || p.Raw == "null" {
			return k
		}
		k.Value = f.value(p.Raw)
		return k
	}
	drop := f.part
	if p.message {
		drop = f.message
	}
	if (p.Kind == call || p.Kind == result) && !f.nameless {
		k.Name = p.ID
	}
	var rest []byte
	s := canonjson.Borrow(p.Raw)
	defer s.Return()
	f.members(s, p, drop, &k, &rest)
	if p.Kind != text && p.Kind != call && p.Kind != result {
		k.Value, rest = string(rest), nil
	}
	if len(rest) > 0 {
		k.More += string(rest)
	}
	return k
}

// members reads an object into a key. rest gets the members that have no place of their own.
func (f form) members(s *canonjson.Scanner, p *Part, drop map[string]bool, k *Key, rest *[]byte) {
	id, signature, thought := "", "", false
	_ = s.Object(func(name string, _ int) error {
		c := s.Peek()
		if inner := c == '{' && p.Kind != text; inner {
			switch name {
			case "function", "functionCall", "function_call", "functionResponse", "function_response", "custom", "toolUse", "toolResult":
				f.members(s, p, drop, k, rest)
				return nil
			}
		}
		raw, err := s.Raw()
		if name == "id" {
			id = raw
		}
		switch {
		case drop[name], everywhere[name], saysNothing(p.Kind, name, raw):
		case name == "type" && (p.Kind == text || p.Kind == call || p.Kind == result), name == "role" && p.message:
		case p.Kind == text && (name == "text" || name == "content"):
			k.Value = textValue(raw)
		case p.Kind == call && (name == "name" || name == "function" || name == "function_name"):
			k.Name += "\x00" + raw
		case p.Kind == call && (name == "input" || name == "arguments" || name == "args"):
			k.Value = arguments(raw)
		case p.Kind == result && (contents[name] || name == "response"):
			if k.Value = raw; !opaque[name] {
				k.Value = f.value(raw)
			}
		case name == "id", name == "call_id", name == "tool_call_id", name == "tool_use_id", name == "toolUseId":
			if p.Kind != call && p.Kind != result {
				*rest = member(*rest, name, raw)
			}
		case name == "signature":
			signature = raw
		default:
			thought = thought || name == "thinking" || name == "reasoning"
			*rest = member(*rest, name, f.nested(name, raw))
		}
		return err
	})
	if p.Kind == call && k.Value == "" {
		k.Value = arguments("")
	}
	if p.message && p.Kind != call && p.Kind != result && len(*rest) == 0 { // it is what its id names
		*rest = member(*rest, "id", id)
	}
	// A client may show the signature of a thought instead of the thought.
	if signature != "" && !thought {
		*rest = member(*rest, "signature", signature)
	}
}

func member(dst []byte, name, raw string) []byte {
	return append(append(append(append(dst, name...), 0), raw...), 0)
}
