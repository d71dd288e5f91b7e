package corpus

import "slices"

// anthropicMember reads a member of an Anthropic message.
func (c *chatTape) anthropicMember(name string, _ int) (err error) {
	m, s := &c.msg, &c.scanner
	switch name {
	case "role":
		m.role, err = s.Text()
	case "content":
		err = c.anthropicContent()
	case "id", "name", "timestamp", "created_at", "create_time", "createTime":
		m.irregular = true
		err = s.Skip()
	default:
		err = s.Skip()
	}
	return err
}

// anthropicContent reads the content of an Anthropic message.
func (c *chatTape) anthropicContent() (err error) {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '[' {
		m.content, err = c.value()
		return err
	}
	m.isList = true
	start := s.Offset()
	err = c.array(c.anthropicPart)
	m.content = text{s.Since(start), other}
	return err
}

// anthropicPart reads an Anthropic content block.
func (c *chatTape) anthropicPart(int) error {
	m, s := &c.msg, &c.scanner
	if s.Peek() != '{' {
		v, err := c.value()
		m.parts = append(m.parts, part{kind: "other", content: v})
		return err
	}
	var kind, body, id, name, input, of, content text
	start := s.Offset()
	err := c.object(func(member string, _ int) (err error) {
		switch member {
		case "type":
			kind, err = c.value()
		case "text":
			body, err = c.value()
		case "id":
			id, err = c.value()
		case "name":
			name, err = c.value()
		case "input":
			input, err = c.value()
		case "tool_use_id":
			of, err = c.value()
		case "content":
			content, err = c.value()
		case "functionCall", "function_call", "functionResponse", "function_response":
			m.irregular = true
			err = s.Skip()
		default:
			err = s.Skip()
		}
		return err
	})
	if err != nil {
		return err
	}
	k, _ := kind.string()
	if len(m.parts) == 0 {
		m.first = body
	}
	p := part{kind: k}
	m.irregular = m.irregular || k == "tool_call" || k == "tool_call_response"
	switch {
	case k == "tool_use":
		p = part{kind: "call", content: input, role: "assistant", call: id.raw}
		if name.form.isString() && name.raw != "" {
			p.name = name
		}
		m.irregular = m.irregular || id.form != plain || !isPlainID(id.raw)
	case k == "tool_result":
		p = part{kind: "result", content: content, role: "tool", call: of.raw}
		m.irregular = m.irregular || of.form != plain || of.raw == ""
	case k == "text" && body.form.isString():
		p.content = body
		m.irregular = m.irregular || name.form != absent
	default:
		p = keepWhole(k, s.Since(start))
	}
	m.parts = append(m.parts, p)
	return nil
}

// system reads the system prompt beside the messages, which comes before them in the tree.
func (c *chatTape) system(isLate bool) error {
	m := &c.msg
	*m = message{parts: m.parts[:0], calls: m.calls[:0]}
	if err := c.anthropicContent(); err != nil {
		return err
	}
	isText := m.content.form.isString()
	if m.irregular || !isText && len(m.parts) == 0 || slices.ContainsFunc(m.parts, func(p part) bool { return p.kind == "call" }) {
		return errIrregular
	}
	if isText {
		m.parts = append(m.parts, part{kind: "text", content: m.content})
	}
	at := len(c.flat)
	if isLate {
		at = 0
	}
	for i := range m.parts {
		n := c.partNode(&m.parts[i], "system")
		n.from = 1
		c.flat = slices.Insert(c.flat, at+i, n)
	}
	return nil
}
