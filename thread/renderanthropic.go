package thread

import (
	"slices"
	"strings"
)

// renderAnthropic writes an object with the members system and messages of the Messages API.
func renderAnthropic(r *renderer) {
	r.normalize()
	r.overlays()
	r.convertRaw()
	r.dropEmpty()
	system := r.takeSystem()
	r.pair(true, alternate)
	msgs := r.group(alternate)
	if len(msgs) > 0 && speaker(msgs[0].units[0]) != "user" {
		r.note(Refused, msgs[0].units[0], "the first message is not from the user; the provider refuses the thread")
	}
	r.body("messages", true, func() {
		if len(system) > 0 {
			r.systemBlocks("system", system)
		}
	}, func() {
		r.systemLost(system, "a bare list of messages cannot contain a system prompt")
		r.w.open('[')
		for _, m := range msgs {
			r.anthropicMessage(m)
		}
		r.w.close(']')
	})
}

// alternate joins units with the same speaker. A text after a call begins a new message, because
// the result of the call goes between them.
func alternate(prev, u *unit) bool {
	return speaker(prev) == speaker(u) && (!isCall(prev) || isCall(u) || inOneForeignMessage(prev, u))
}

// systemLost notes the system prompt if the log is a bare list, which cannot contain one.
func (r *renderer) systemLost(system []*unit, msg string) {
	if r.log == nil || r.log.from.Shape != shapeList {
		return
	}
	for _, u := range system {
		r.note(Lost, u, "%s", msg)
	}
}

// dropEmpty removes empty texts that the log did not have.
func (r *renderer) dropEmpty() {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if isText(u) && strings.TrimSpace(u.text()) == "" && (u.redacted || !r.same(u)) {
			r.note(LeftOut, u, "the provider refuses empty text")
			return true
		}
		return false
	})
}

// takeSystem removes the leading system units and returns them. Later system units get the role
// user, because the format cannot represent them otherwise.
func (r *renderer) takeSystem() []*unit {
	n := 0
	for n < len(r.units) && r.units[n].role == "system" && isText(r.units[n]) && !r.hadSystemRole(r.units[n]) {
		n++
	}
	system := r.units[:n]
	r.units = r.units[n:]
	for _, u := range r.units {
		if u.role == "system" {
			if !r.hadSystemRole(u) {
				r.note(Changed, u, "a system message after other messages gets the role user")
			}
			u.role = "user"
		}
	}
	return system
}

// hadSystemRole reports whether the log had a system message among the other messages.
func (r *renderer) hadSystemRole(u *unit) bool {
	return r.same(u) && standardRoles[u.from.Role] == "system"
}

// systemBlocks writes a system prompt: a text if there is a single unit that was not in a list of
// blocks, otherwise a list of blocks.
func (r *renderer) systemBlocks(name string, units []*unit) {
	if u := units[0]; len(units) == 1 && !(r.same(u) && u.from.Shape == shapeParts) {
		r.plainText(u)
		r.w.key(name)
		end := r.mark(u)
		if r.same(u) && u.from.Shape == shapeOther && !u.redacted {
			r.w.value(u.content)
		} else {
			r.w.text(u.text())
		}
		end()
		return
	}
	r.w.key(name)
	r.w.open('[')
	for _, u := range units {
		end := r.mark(u)
		r.anthropicPart(u)
		end()
	}
	r.w.close(']')
}

func (r *renderer) anthropicMessage(m *msg) {
	end := r.markSingle(m)
	r.w.open('{')
	r.role(m, speaker(m.units[0]))
	r.anthropicContent(m)
	r.keepMessage(m)
	r.w.close('}')
	end()
}

// anthropicContent writes the blocks of a message. The provider requires results first and calls
// last, but a message from a log in the format is not changed.
func (r *renderer) anthropicContent(m *msg) {
	if !r.same(m.units[0]) {
		rank := func(u *unit) int {
			switch {
			case isResult(u):
				return 0
			case isCall(u):
				return 2
			}
			return 1
		}
		slices.SortStableFunc(m.units, func(a, b *unit) int { return rank(a) - rank(b) })
	}
	if len(m.units) == 1 && isText(m.units[0]) {
		r.content("content", m, m.units, r.anthropicPart)
		return
	}
	r.partList("content", m, m.units, r.anthropicPart)
}

// anthropicPart writes one content block.
func (r *renderer) anthropicPart(u *unit) {
	if v, ok := r.raw(u); ok {
		r.w.value(v)
		return
	}
	own := r.related(u) && u.intact()
	r.w.open('{')
	switch {
	case isCall(u):
		r.w.member("type", "tool_use")
		if !u.noID {
			r.w.member("id", u.call)
		}
		if u.name != "" || !own {
			r.w.member("name", u.name)
		}
		if own {
			r.w.memberValue("input", u.content)
		} else {
			r.w.memberValue("input", r.arguments(u))
		}
	case isResult(u):
		r.w.member("type", "tool_result")
		if !u.noID {
			r.w.member("tool_use_id", u.call)
		}
		if own {
			r.w.memberValue("content", u.content)
		} else {
			r.toolResult("content", u)
			if u.failed() {
				r.w.memberValue("is_error", constant("true"))
			}
		}
	default:
		r.w.member("type", "text")
		r.w.member("text", u.text())
	}
	if r.related(u) {
		r.writeKept(u, u.from.Part)
	}
	r.w.close('}')
}
