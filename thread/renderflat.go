package thread

import (
	"slices"
)

// renderFlat writes the flat log of PACT 0.1, 07 §4.1. Entries other than texts have the members
// kind, name and call_id.
func renderFlat(r *renderer) {
	r.conversationOnly()
	r.body("flat_log", true, nil, func() {
		r.w.open('[')
		for _, u := range r.units {
			end := r.mark(u)
			r.w.open('{')
			r.role(&msg{units: []*unit{u}}, u.role)
			if !r.same(u) && u.kind != "" && u.kind != "text" {
				r.w.member("kind", u.kind)
				for _, m := range [...][2]string{{"name", u.name}, {"call_id", u.call}} {
					if m[1] != "" {
						r.w.member(m[0], m[1])
					}
				}
			}
			switch {
			case r.same(u) && !u.redacted:
				r.w.memberValue("content", u.content)
			case u.content.IsZero():
				r.w.member("content", "")
			default:
				r.w.memberValue("content", u.content)
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

// conversationOnly removes side conversations and records, for formats that contain only the
// conversation.
func (r *renderer) conversationOnly() {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if u.side {
			r.note(LeftOut, u, "a side conversation is not part of the thread")
		}
		return u.side || u.inert
	})
	r.convertRaw()
}
