package thread

import (
	"slices"
)

// renderClaudeCode writes a session file of Claude Code, one record per line.
func renderClaudeCode(r *renderer) {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if !u.inert && !r.same(u) && standardRoles[u.role] == "system" {
			r.note(Lost, u, "a session file cannot contain a system prompt")
			return true
		}
		return u.inert && !r.same(u)
	})
	for _, u := range r.units {
		if role, ok := standardRoles[u.role]; ok && !r.same(u) {
			u.role = role
		}
		if u.kind == "call" {
			u.role = "assistant"
		} else if u.role == "tool" {
			u.kind = "result"
		}
	}
	r.convertRaw()
	r.assignIDs()
	msgs := r.group(inOneForeignMessage)
	parent := ""
	for _, m := range msgs {
		parent = r.record(m, parent)
		r.w.buf = append(r.w.buf, '\n')
	}
}

// record writes one line and returns its id, which the next line has as its parent.
func (r *renderer) record(m *msg, parent string) string {
	u := m.units[0]
	end := r.markSingle(m)
	defer end()
	if u.inert {
		switch text, _ := u.content.Text(); u.from.Shape {
		case shapeRaw:
			r.w.buf = append(r.w.buf, text...)
		case shapeOther:
			r.w.value(u.content)
		default:
			r.w.open('{')
			r.writeKept(u, u.from.Record)
			r.w.close('}')
		}
		return parent
	}
	role := "user"
	if u.role == "assistant" {
		role = "assistant"
	}
	r.w.open('{')
	if !r.same(u) {
		r.w.member("type", role)
		r.w.member("uuid", u.id)
		if parent == "" {
			r.w.memberValue("parentUuid", null())
		} else {
			r.w.member("parentUuid", parent)
		}
		r.w.memberValue("isSidechain", constant("false"))
		if iso, ok := u.node.CreatedISO(); ok {
			r.w.member("timestamp", iso)
		}
	}
	r.w.key("message")
	r.w.open('{')
	r.role(m, role)
	if len(m.units) == 1 && isText(u) {
		r.content("content", m, m.units, r.anthropicPart)
	} else {
		r.partList("content", m, m.units, r.anthropicPart)
	}
	r.keepMessage(m)
	r.w.close('}')
	for _, u := range m.units {
		if r.same(u) {
			r.writeKept(u, u.from.Record)
		}
	}
	r.w.close('}')
	if r.same(u) {
		id, _ := u.node.Header("uuid").Text()
		return id
	}
	return u.id
}
