package thread

import "github.com/pactkit/pactkit/engine"

// renderPydanticAI writes requests and responses of Pydantic AI. What is between two answers of the
// model is one request.
func renderPydanticAI(r *renderer) {
	msgs := r.dialog()
	r.w.open('[')
	for len(msgs) > 0 {
		n := 0
		kind := "response"
		for n < len(msgs) && msgs[n].role != "assistant" {
			kind = "request"
			n++
		}
		n = max(n, 1)
		r.w.open('{')
		r.w.key("parts")
		r.w.open('[')
		for _, m := range msgs[:n] {
			if kind == "request" {
				r.pydanticParts(m)
				continue
			}
			for _, u := range m.units {
				end := r.mark(u)
				r.pydanticAnswer(u)
				end()
			}
		}
		r.w.close(']')
		if instructions, ok := r.instructions(); ok && kind == "request" {
			r.w.memberValue("instructions", instructions)
		}
		r.w.member("kind", kind)
		r.w.close('}')
		msgs = msgs[n:]
	}
	r.w.close(']')
}

// instructions returns the instructions of Pydantic AI that are around the messages.
func (r *renderer) instructions() (engine.Value, bool) {
	if r.log == nil {
		return engine.Value{}, false
	}
	v := r.log.node.Header("instructions")
	_, ok := v.Text()
	return v, ok
}

// pydanticParts writes the parts of a message that is not the model's.
func (r *renderer) pydanticParts(m *msg) {
	if m.role == "user" {
		defer r.markSingle(m)()
		r.w.open('{')
		r.content("content", m, m.units, func(u *unit) { r.w.text(u.text()) })
		r.w.member("part_kind", "user-prompt")
		r.w.close('}')
		return
	}
	for _, u := range m.units {
		end := r.mark(u)
		r.w.open('{')
		if isResult(u) {
			r.w.member("tool_name", u.name)
			r.w.member("content", u.output())
			r.w.member("tool_call_id", u.call)
			r.w.member("part_kind", "tool-return")
		} else {
			r.pydanticText(u, "system-prompt")
		}
		r.w.close('}')
		end()
	}
}

// pydanticAnswer writes a part of an answer of the model.
func (r *renderer) pydanticAnswer(u *unit) {
	if v, ok := r.raw(u); ok {
		r.w.value(v)
		return
	}
	r.w.open('{')
	if isCall(u) {
		r.w.member("tool_name", u.name)
		r.input("args", u)
		r.w.member("tool_call_id", u.call)
		r.w.member("part_kind", "tool-call")
	} else {
		r.pydanticText(u, "text")
	}
	r.w.close('}')
}

// pydanticText writes the members of a part with a text.
func (r *renderer) pydanticText(u *unit, kind string) {
	r.plainText(u)
	r.w.member("content", u.text())
	r.w.member("part_kind", kind)
}
