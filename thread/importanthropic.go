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
	var p *part
	id, payload := "", ""
	switch kind {
	case "text":
		return b.textPart(v)
	case "tool_use":
		p, id, payload = &part{kind: "call", role: "assistant"}, "id", "input"
	case "tool_result":
		p, id, payload = b.newPart("result"), "tool_use_id", "content"
		p.role = "tool"
	default:
		return rawPart(v)
	}
	p.from.Type = kind
	for f := range v.fields() {
		isText := f.is('"') && f.raw != `""`
		switch {
		case f.name == "type":
		case f.name == id && isText:
			p.call, _ = f.text()
			if p.kind == "call" {
				p.id = p.call
			}
		case f.name == "name" && isText && p.kind == "call":
			p.name, _ = f.text()
		case f.name == payload:
			p.content = f.json()
		default:
			p.extra = append(p.extra, extra{ofPart, f.name, f})
		}
	}
	return p
}
