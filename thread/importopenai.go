package thread

const (
	typeLegacy   = "function_call" // a call in the member function_call of a message
	typeToolCall = "tool_calls"    // an element of tool_calls of an unknown form
)

var openAIRoles = map[string]string{"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}

// openAI reads a message of the chat API.
func (b *builder) openAI(v *value) error {
	m, err := b.open(v, "role", openAIRoles, "content", "tool_calls", "tool_call_id", "function_call")
	if err != nil {
		return err
	}
	content, hasContent := v.get("content")
	if m.role == "tool" {
		p := b.newPart("result")
		if hasContent {
			p.content = content.json()
		}
		if id, ok := v.get("tool_call_id"); ok {
			if p.call, ok = id.text(); p.call == "" {
				m.extra = append(m.extra, extra{ofMessage, "tool_call_id", id})
			}
			if !ok {
				b.note(Kept, "", id, "the id of a call is not a string; it is kept unchanged")
			}
		}
		if p.call == "" {
			p.calls = callIDs(v)
		}
		if name, ok := v.get("name"); ok {
			p.name, _ = name.text()
		}
		for _, name := range [...]string{"tool_calls", "function_call"} {
			if x, ok := v.get(name); ok {
				m.extra = append(m.extra, extra{ofMessage, name, x})
			}
		}
		m.parts = []*part{p}
		nameOnce(m)
		return b.add(m)
	}
	if id, ok := v.get("tool_call_id"); ok {
		m.extra = append(m.extra, extra{ofMessage, "tool_call_id", id})
	}
	var calls []*part
	if list, ok := v.get("tool_calls"); ok {
		for e := range list.elements() {
			calls = append(calls, b.openAICall(e))
		}
		if len(calls) == 0 {
			m.extra = append(m.extra, extra{ofMessage, "tool_calls", list})
		}
	}
	if call, ok := v.get("function_call"); ok {
		if p := functionOf(call, "arguments"); call.is('{') {
			p.from.Type = typeLegacy
			calls = append(calls, p)
		} else {
			m.extra = append(m.extra, extra{ofMessage, "function_call", call})
		}
	}
	b.contentOf(m, content, hasContent, len(calls) > 0, b.openAIPart)
	m.parts = append(m.parts, calls...)
	return b.add(m)
}

// callIDs returns the ids in tool_call_ids, in which SWE-agent lists the calls of a result. The
// list is also kept as a member of the message.
func callIDs(v *value) []string {
	var ids []string
	list, _ := v.get("tool_call_ids")
	for e := range list.elements() {
		if id, ok := e.text(); ok && id != "" {
			ids = append(ids, id)
		}
	}
	return ids
}

// nameOnce drops the member name of a message if it is also the name of the node.
func nameOnce(m *message) {
	for i, x := range m.extra {
		if x.as == "name" && m.parts[0].name != "" {
			m.from.Msg = append(m.from.Msg, kept{"name", "name"})
			m.extra = append(m.extra[:i:i], m.extra[i+1:]...)
			return
		}
	}
}

func (b *builder) openAIPart(v *value) *part {
	p := b.textPart(v)
	if p.from.Raw || p.from.Type != "text" {
		return rawPart(v)
	}
	return p
}

// openAICall reads an element of tool_calls.
func (b *builder) openAICall(v *value) *part {
	kind, payload := "function", "arguments"
	t, hasType := v.get("type")
	wire, _ := t.text()
	if wire == "custom" {
		kind, payload = "custom", "input"
	}
	f, ok := v.get(kind)
	if !ok || !f.is('{') || hasType && wire != kind {
		b.note(Kept, "", v, "the form of the call is unknown; it is kept unchanged")
		p := rawPart(v)
		p.from.Type = typeToolCall
		return p
	}
	p := functionOf(f, payload)
	if hasType {
		p.from.Type = kind
	}
	known := []string{"type", kind}
	if id, ok := v.get("id"); ok {
		if text, ok := id.text(); ok && text != "" {
			p.call, p.id = text, text
			known = append(known, "id")
		}
	}
	p.keep(v, ofPart, known...)
	return p
}
