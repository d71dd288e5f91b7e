package thread

import (
	"github.com/pactkit/pactkit/engine"
)

// snakeInstruction is the name of systemInstruction in the Python client.
const snakeInstruction = "system_instruction"

var geminiRoles = map[string]string{"system": "user", "user": "user", "assistant": "model", "tool": "user"}

// gemini reads an element of contents.
func (b *builder) gemini(v *value) error {
	m, err := b.open(v, "role", geminiRoles, "parts")
	if err != nil {
		return err
	}
	parts, has := v.get("parts")
	switch {
	case has && !parts.is('['):
		return b.rd.fail(parts, engine.ErrFileShape, "parts is not a list")
	case !has:
		m.from.Shape = shapeNone
		b.note(Kept, "", v, "the content has no parts")
	}
	for e := range parts.elements() {
		p := b.geminiPart(e)
		if p.kind == "result" && !p.from.Raw {
			m.starts = false
		}
		m.parts = append(m.parts, p)
	}
	if len(m.parts) == 0 {
		if has {
			m.from.Shape = shapeEmpty
		}
		m.parts = []*part{{kind: "text"}}
	}
	for _, p := range m.parts {
		if m.role == "tool" && p.kind == "text" {
			p.role = "user" // a text next to responses is not the result of a call
		}
	}
	return b.add(m)
}

// geminiPart reads one part: a text, a call or a result. Any other part is kept whole.
func (b *builder) geminiPart(v *value) *part {
	if thought, ok := v.get("thought"); ok && thought.is('t') {
		p := rawPart(v)
		p.kind = "thinking"
		return p
	}
	for f := range v.fields() {
		var p *part
		switch f.name {
		case "text":
			if !f.is('"') {
				continue
			}
			p = b.newPart("text")
			p.content = f.json()
		case "functionCall", "function_call":
			if !f.is('{') {
				continue
			}
			p = functionOf(f, "args")
			p.from.Type = f.name
		case "functionResponse", "function_response":
			if !f.is('{') {
				continue
			}
			p = b.newPart("result")
			p.function(f, "response")
			p.role, p.from.Type = "tool", f.name
		default:
			continue
		}
		for i, x := range p.extra {
			text, ok := x.text()
			if x.as == "id" && ok && text != "" {
				p.call = text
				if p.kind == "call" {
					p.id = text
				}
				p.extra = append(p.extra[:i:i], p.extra[i+1:]...)
				break
			}
		}
		p.keep(v, ofPart, f.name)
		return p
	}
	p := rawPart(v)
	for f := range v.fields() {
		if k, ok := geminiKinds[f.name]; ok {
			p.kind = k
		}
	}
	return p
}

var geminiKinds = map[string]string{
	"inlineData": "media", "inline_data": "media", "fileData": "media", "file_data": "media", "executableCode": "code",
	"codeExecutionResult": "code_result",
}
