package thread

// flat reads an entry of the flat log.
func (b *builder) flat(v *value) error {
	m, err := b.open(v, "role", openAIRoles, "content")
	if err != nil {
		return err
	}
	p := &part{kind: "text"}
	if m.role == "tool" {
		p.kind = "result"
	}
	if content, ok := v.get("content"); ok {
		p.content = content.json()
	}
	m.parts = []*part{p}
	// Renderings write kind, call_id and name.
	for i := 0; i < len(m.extra); i++ {
		text, ok := m.extra[i].text()
		if !ok || text == "" {
			continue
		}
		switch m.extra[i].as {
		case "kind":
			p.kind = text
		case "call_id":
			p.call = text
		case "name":
			p.name = text
		default:
			continue
		}
		member := m.extra[i].as
		m.from.Msg = append(m.from.Msg, kept{member, member})
		m.extra = append(m.extra[:i:i], m.extra[i+1:]...)
		i--
	}
	if p.kind == "call" {
		p.role = "assistant"
		p.id = p.call
	}
	if p.kind == "result" {
		m.starts = false
	}
	return b.add(m)
}
