package thread

import (
	"slices"
)

// renderResponses writes the input items of the Responses API: a list, or the body of a request if
// the log was one.
func renderResponses(r *renderer) {
	joins := func(prev, u *unit) bool {
		return inOneForeignMessage(prev, u) && !isItem(prev) && !isItem(u) && u.role != "system"
	}
	r.normalize()
	r.overlays()
	r.convertRaw()
	r.pair(false, joins)
	var instructions *unit
	if r.log != nil && r.same(r.log) && r.log.from.Shape != shapeList && len(r.units) > 0 {
		if u := r.units[0]; r.same(u) && u.from.Type == typeInstructions {
			instructions, r.units = u, r.units[1:]
		}
	}
	msgs := r.group(joins)
	before := func() {
		if instructions != nil {
			r.w.key("instructions")
			end := r.mark(instructions)
			r.w.text(instructions.text())
			end()
		}
	}
	r.body(r.listName("input"), false, before, func() {
		if r.log != nil && r.log.from.Role == oneInput && len(msgs) == 1 && len(msgs[0].units) == 1 && isText(msgs[0].units[0]) {
			u := msgs[0].units[0]
			end := r.mark(u)
			r.w.text(u.text())
			end()
			return
		}
		r.w.open('[')
		for _, m := range msgs {
			r.item(m)
		}
		r.w.close(']')
	})
}

// listName returns the name of the member with the messages in the body of a log.
func (r *renderer) listName(name string) string {
	if r.log != nil && r.same(r.log) && slices.Contains(lists[r.format], r.log.from.Type) {
		return r.log.from.Type
	}
	return name
}

func isText(u *unit) bool {
	return u.kind != "call" && u.kind != "result" && (u.from == nil || !u.from.Raw)
}

// isItem reports whether a unit is an item of its own and not part of a message.
func isItem(u *unit) bool {
	return isCall(u) || isResult(u) || u.from != nil && u.from.Type == typeItem
}

func (r *renderer) item(m *msg) {
	end := r.markSingle(m)
	defer end()
	u := m.units[0]
	if v, ok := r.raw(u); ok && u.from.Type == typeItem {
		r.w.value(v)
		return
	}
	own := r.same(u) && u.intact()
	id := func() {
		if !u.noID {
			r.w.member("call_id", u.call)
		}
	}
	custom := r.same(u) && (u.from.Type == "custom_tool_call" || u.from.Type == "custom_tool_call_output")
	r.w.open('{')
	switch {
	case isCall(u):
		kind, arguments := "function_call", "arguments"
		if custom {
			kind, arguments = "custom_tool_call", "input"
		}
		r.w.member("type", kind)
		id()
		if u.name != "" || !own {
			r.w.member("name", u.name)
		}
		if own {
			r.w.memberValue(arguments, u.content)
		} else {
			r.w.member(arguments, r.argumentText(u))
		}
	case isResult(u):
		kind := "function_call_output"
		if custom {
			kind = "custom_tool_call_output"
		}
		r.w.member("type", kind)
		id()
		if own {
			r.w.memberValue("output", u.content)
		} else {
			r.w.member("output", u.output())
		}
	default:
		if r.same(u) && u.from.Type == "message" {
			r.w.member("type", "message")
		}
		r.role(m, m.role)
		kind := "input_text"
		if m.role == "assistant" {
			kind = "output_text"
		}
		r.content("content", m, m.units, func(u *unit) {
			r.w.open('{')
			if r.same(u) && textTypes[u.from.Type] {
				kind = u.from.Type
			}
			r.w.member("type", kind)
			r.w.member("text", u.text())
			if r.same(u) {
				r.writeKept(u, u.from.Part)
			}
			r.w.close('}')
		})
	}
	r.keepMessage(m)
	r.w.close('}')
}
