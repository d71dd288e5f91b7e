package thread

var anthropicRoles = map[string]string{"system": "user", "user": "user", "assistant": "assistant", "tool": "user"}

// anthropic reads a message of the Messages API.
func (b *builder) anthropic(v *value) error {
	m, err := b.open(v, "role", anthropicRoles, "content")
	if err != nil {
		return err
	}
	b.blocks(m, v)
	b.itemID(v, m)
	return b.add(m)
}

// blocks reads the content of a message.
func (b *builder) blocks(m *message, v *value) {
	content, has := v.get("content")
	b.contentOf(m, content, has, false, b.block)
	for _, p := range m.parts {
		if p.kind == "result" && !p.from.Raw {
			m.starts = false
		}
	}
}

// block reads a content block.
func (b *builder) block(v *value) *part {
	t, _ := v.get("type")
	kind, _ := t.text()
	p := &part{from: origin{Type: kind}}
	id, payload := "", ""
	switch kind {
	case "text":
		return b.textPart(v)
	case "tool_use":
		p.kind, p.role, id, payload = "call", "assistant", "id", "input"
	case "tool_result":
		p.kind, p.role, id, payload = "result", "tool", "tool_use_id", "content"
	default:
		return rawPart(v)
	}
	for f := range v.fields() {
		text, ok := f.text()
		switch {
		case f.name == "type":
		case f.name == id && ok && text != "":
			p.call = text
			if p.kind == "call" {
				p.id = text
			}
		case f.name == "name" && ok && text != "" && p.kind == "call":
			p.name = text
		case f.name == payload:
			p.content = f.json()
		default:
			p.extra = append(p.extra, extra{ofPart, f.name, f})
		}
	}
	return p
}
