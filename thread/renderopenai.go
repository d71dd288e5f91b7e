package thread

// renderOpenAI writes the messages of the chat API: a list, or the body of a request if the log was
// one.
func renderOpenAI(r *renderer) {
	msgs := r.chat()
	r.body("messages", false, nil, func() { r.messages(msgs, r.openAIMessage) })
}

// chat returns the messages of a thread as the chat API has them, with each result in one of its
// own.
func (r *renderer) chat() []*msg {
	joins := func(prev, u *unit) bool {
		return inOneForeignMessage(prev, u) && u.role != "tool" && u.role != "system" ||
			u.kind == "call" && prev.role == "assistant" && !isChat(u) && !isChat(prev)
	}
	r.normalize()
	r.overlays()
	r.convertRaw()
	r.pair(true, joins)
	return r.group(func(prev, u *unit) bool { return u.role != "tool" && prev.role != "tool" && joins(prev, u) })
}

// isChat reports whether a unit comes from a log of the chat API, whose messages stay as they are.
func isChat(u *unit) bool { return u.from != nil && u.from.From == formatNames[OpenAI] }

// messages writes a list of messages.
func (r *renderer) messages(msgs []*msg, write func(*msg)) {
	r.w.open('[')
	for _, m := range msgs {
		write(m)
	}
	r.w.close(']')
}

func (r *renderer) openAIMessage(m *msg) {
	end := r.markSingle(m)
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
			r.toolResult("content", u)
		}
	} else {
		r.content("content", m, parts, func(u *unit) {
			r.w.open('{')
			r.w.member("type", "text")
			r.w.member("text", u.text())
			if r.same(u) {
				r.writeKept(u, u.from.Part)
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
		r.writeKept(u, u.from.Part)
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
		r.writeKept(u, u.from.Call)
	}
}
