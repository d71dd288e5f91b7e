package thread

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
)

const (
	typeInstructions = "instructions" // a system prompt outside the input
	typeItem         = "item"         // a whole item, not a part of a message
	oneInput         = "user"         // origin.Role of an input that is a string
)

var responsesRoles = openAIRoles

// payloads are the members with the arguments of calls, and with what they returned.
var payloads = map[string]string{
	"function_call": "arguments", "custom_tool_call": "input", "function_call_output": "output", "custom_tool_call_output": "output",
}

// item reads an input item of the Responses API.
func (b *builder) item(v *value) error {
	if !v.is('{') {
		return b.rd.fail(v, engine.ErrFileShape, "an item must be an object")
	}
	t, hasType := v.get("type")
	kind, isText := t.text()
	_, hasRole := v.get("role")
	if hasRole && (!hasType || kind == "message") {
		m, err := b.open(v, "role", responsesRoles, "content", "type")
		if err != nil {
			return err
		}
		content, has := v.get("content")
		b.contentOf(m, content, has, false, b.textPart)
		if hasType && len(m.parts) > 0 {
			if m.parts[0].from.Type == "" && !m.parts[0].from.Raw {
				m.parts[0].from.Type = "message"
			} else {
				m.extra = append(m.extra, extra{ofMessage, "type", t})
			}
		}
		b.itemID(v, m)
		return b.add(m)
	}
	if !isText {
		return b.rd.fail(v, engine.ErrFileShape, "an item needs a role or a type")
	}
	m := &message{at: v, role: "assistant"}
	p := &part{}
	payload := payloads[kind]
	switch {
	case payload == "":
		p = rawPart(v)
		p.from.Type = typeItem
		if strings.HasSuffix(kind, "_output") {
			m.role = "tool"
		}
	default:
		p.kind = "call"
		if payload == "output" {
			p.kind, m.role = "result", "tool"
		}
		p.from.Type = kind
		for f := range v.fields() {
			isText := f.is('"') && f.raw != `""`
			switch {
			case f.name == "type":
			case f.name == "call_id" && isText:
				p.call, _ = f.text()
			case f.name == "name" && isText && p.kind == "call":
				p.name, _ = f.text()
			case f.name == payload:
				p.content = f.json()
			default:
				m.extra = append(m.extra, extra{ofMessage, f.name, f})
			}
		}
	}
	m.parts = []*part{p}
	b.itemID(v, m)
	if p.id == "" && p.kind == "call" {
		p.id = p.call
	}
	return b.add(m)
}

// itemID gives the first node of an item its id.
func (b *builder) itemID(v *value, m *message) {
	if id, ok := v.get("id"); ok && len(m.parts) > 0 {
		m.parts[0].id, _ = id.text()
	}
}
