package thread

// renderShareGPT writes one conversation of a ShareGPT data set.
func renderShareGPT(r *renderer) {
	r.conversationOnly()
	from := map[string]string{"user": "human", "assistant": "gpt", "tool": "observation"}
	r.body("conversations", true, nil, func() {
		r.w.open('[')
		for _, u := range r.units {
			end := r.mark(u)
			r.w.open('{')
			speaker := u.role
			if name, ok := from[u.role]; ok {
				speaker = name
			}
			if u.kind == "call" {
				speaker = "function_call"
			}
			if r.same(u) && u.from.Role != "" {
				speaker = u.from.Role
			}
			r.w.member("from", speaker)
			switch {
			case r.same(u) && !u.redacted:
				r.w.memberValue("value", u.content)
			case u.kind == "call":
				var call writer
				call.open('{')
				call.member("name", u.name)
				call.memberValue("arguments", r.arguments(u))
				call.close('}')
				r.w.member("value", string(call.buf))
			default:
				r.plainText(u)
				r.w.member("value", u.text())
			}
			if r.same(u) {
				r.writeKept(u, u.from.Msg)
			}
			r.w.close('}')
			end()
		}
		r.w.close(']')
	})
}
