package thread

import (
	"encoding/json"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// talk drops what is no part of the conversation, for the logs that know only
// that.
func (r *renderer) talk() {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if u.side {
			r.note(LeftOut, u, "a side conversation is no part of the thread")
		}
		return u.side || u.inert
	})
	r.fit()
}

// renderFlat writes the flat log of PACT 0.1, 07 §4.1. What is no text says so
// by the members kind, name and call_id.
func renderFlat(r *renderer) {
	r.talk()
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
			case r.same(u) && !u.blank:
				r.w.memberValue("content", u.content)
			case u.content.IsZero():
				r.w.member("content", "")
			default:
				r.w.memberValue("content", u.content)
			}
			if r.same(u) {
				r.keep(u, u.from.Msg)
			}
			r.w.close('}')
			end()
		}
		r.w.close(']')
	})
}

// renderShareGPT writes one conversation of a ShareGPT data set.
func renderShareGPT(r *renderer) {
	r.talk()
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
			case r.same(u) && !u.blank:
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
				r.keep(u, u.from.Msg)
			}
			r.w.close('}')
			end()
		}
		r.w.close(']')
	})
}

// shareGPTCall returns the name and the arguments in the value of a
// function_call.
func shareGPTCall(v engine.Value) (name string, arguments engine.Value, ok bool) {
	s, ok := v.Text()
	if !ok {
		return "", v, false
	}
	var call struct {
		Name      string          `json:"name"`
		Arguments json.RawMessage `json:"arguments"`
	}
	if json.Unmarshal([]byte(s), &call) != nil || call.Arguments == nil {
		return "", v, false
	}
	arguments, err := engine.JSON(call.Arguments)
	return call.Name, arguments, err == nil
}

// renderClaudeCode writes a session file of Claude Code, a record a line.
func renderClaudeCode(r *renderer) {
	r.units = slices.DeleteFunc(r.units, func(u *unit) bool {
		if !u.inert && !r.same(u) && known[u.role] == "system" {
			r.note(Lost, u, "a session file has no system prompt")
			return true
		}
		return u.inert && !r.same(u)
	})
	for _, u := range r.units {
		if role, ok := known[u.role]; ok && !r.same(u) {
			u.role = role
		}
		if u.kind == "call" {
			u.role = "assistant"
		} else if u.role == "tool" {
			u.kind = "result"
		}
	}
	r.fit()
	r.number()
	msgs := r.group(oneForeign)
	parent := ""
	for _, m := range msgs {
		parent = r.record(m, parent)
		r.w.buf = append(r.w.buf, '\n')
	}
}

// record writes one line and returns the id that the next one follows.
func (r *renderer) record(m *msg, parent string) string {
	u := m.units[0]
	end := r.whole(m)
	defer end()
	if u.inert {
		switch text, _ := u.content.Text(); u.from.Shape {
		case shapeRaw:
			r.w.buf = append(r.w.buf, text...)
		case shapeOther:
			r.w.value(u.content)
		default:
			r.w.open('{')
			r.keep(u, u.from.Record)
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
			r.keep(u, u.from.Record)
		}
	}
	r.w.close('}')
	if r.same(u) {
		id, _ := u.node.Header("uuid").Text()
		return id
	}
	return u.id
}
