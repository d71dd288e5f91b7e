package thread

// renderOpenAI writes the messages of the chat API: a list, or the body of a
// request if the log was one.
func renderOpenAI(r *renderer) {
	joins := func(prev, u *unit) bool {
		return oneForeign(prev, u) && u.role != "tool" && u.role != "system" ||
			u.kind == "call" && prev.role == "assistant" && !r.same(u) && !r.same(prev)
	}
	r.plain()
	r.overlays()
	r.fit()
	r.pair(true, joins)
	msgs := r.group(func(prev, u *unit) bool { return u.role != "tool" && prev.role != "tool" && joins(prev, u) })
	r.body("messages", false, nil, func() {
		r.w.open('[')
		for _, m := range msgs {
			r.openAIMessage(m)
		}
		r.w.close(']')
	})
}

func (r *renderer) openAIMessage(m *msg) {
	end := r.whole(m)
	r.w.open('{')
	r.role(m, m.role)
	var parts, calls []*unit
	var legacy *unit
	for _, u := range m.units {
		switch {
		case r.same(u) && u.from.Type == typeLegacy && isCall(u) && legacy == nil:
			legacy = u
		case isCall(u), u.from != nil && u.from.Raw && u.from.Type == typeToolCall:
			calls = append(calls, u)
		default:
			parts = append(parts, u)
		}
	}
	if u := m.units[0]; isResult(u) {
		if !u.noID {
			r.w.member("tool_call_id", u.call)
		}
		if r.same(u) && u.intact() {
			r.w.memberValue("content", u.content)
		} else {
			r.returned("content", u)
		}
	} else {
		r.content("content", m, parts, func(u *unit) {
			r.w.open('{')
			r.w.member("type", "text")
			r.w.member("text", u.text())
			if r.same(u) {
				r.keep(u, u.from.Part)
			}
			r.w.close('}')
		})
	}
	if len(calls) > 0 {
		r.w.key("tool_calls")
		r.w.open('[')
		for _, u := range calls {
			endCall := func() {}
			if len(m.units) > 1 {
				endCall = r.mark(u)
			}
			r.openAICall(u)
			endCall()
		}
		r.w.close(']')
	}
	if legacy != nil {
		r.w.key("function_call")
		r.w.open('{')
		r.function(legacy, "arguments")
		r.w.close('}')
	}
	r.keepMessage(m)
	r.w.close('}')
	end()
}

const (
	typeLegacy   = "function_call" // a call in the member function_call of a message
	typeToolCall = "tool_calls"    // an element of tool_calls of an unknown shape
)

func (r *renderer) openAICall(u *unit) {
	if v, ok := r.raw(u); ok {
		r.w.value(v)
		return
	}
	r.w.open('{')
	if !u.noID {
		r.w.member("id", u.call)
	}
	kind, arguments := "function", "arguments"
	if r.same(u) && u.from.Type == "custom" {
		kind, arguments = "custom", "input"
	}
	if !r.same(u) || u.from.Type != "" {
		r.w.member("type", kind)
	}
	r.w.key(kind)
	r.w.open('{')
	r.function(u, arguments)
	r.w.close('}')
	if r.same(u) {
		r.keep(u, u.from.Part)
	}
	r.w.close('}')
}

// function writes the name and the arguments of a call.
func (r *renderer) function(u *unit, arguments string) {
	own := r.same(u) && u.intact()
	if u.name != "" || !own {
		r.w.member("name", u.name)
	}
	if own {
		r.w.memberValue(arguments, u.content)
	} else {
		r.w.member(arguments, r.argumentText(u))
	}
	if r.same(u) {
		r.keep(u, u.from.Call)
	}
}

var openAIRoles = map[string]string{"system": "system", "user": "user", "assistant": "assistant", "tool": "tool"}

// openAI reads a message of the chat API.
func (b *builder) openAI(v *value) error {
	m, err := b.open(v, "role", openAIRoles, "content", "tool_calls", "tool_call_id", "function_call")
	if err != nil {
		return err
	}
	content, hasContent := v.get("content")
	if m.role == "tool" {
		p := &part{kind: "result"}
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
// list stays a member of the message.
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

// nameOnce drops the member name of a message if the node has the same name.
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
		b.note(Kept, "", v, "a call of an unknown form; it is kept unchanged")
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
