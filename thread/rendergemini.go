package thread

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// renderGemini writes an object with the members systemInstruction and contents of the Gemini API.
func renderGemini(r *renderer) {
	r.normalize()
	r.overlays()
	r.convertRaw()
	r.dropEmpty()
	system := r.takeSystem()
	r.pair(true, alternate)
	msgs := r.group(alternate)
	r.body("contents", true, func() {
		if len(system) > 0 {
			name := "systemInstruction"
			if u := system[0]; r.same(u) && u.from.Role == snakeInstruction {
				name = snakeInstruction
			}
			r.instruction(name, system)
		}
	}, func() {
		r.systemLost(system, "a bare list of contents cannot contain a system instruction")
		r.w.open('[')
		for _, m := range msgs {
			r.geminiContent(m)
		}
		r.w.close(']')
	})
}

func (r *renderer) instruction(name string, units []*unit) {
	if u := units[0]; len(units) == 1 && r.same(u) && u.from.Shape == shapeText {
		r.systemBlocks(name, units)
		return
	}
	r.w.key(name)
	r.w.open('{')
	r.w.key("parts")
	r.w.open('[')
	for _, u := range units {
		end := r.mark(u)
		r.geminiPart(u)
		end()
	}
	r.w.close(']')
	if u := units[0]; r.same(u) {
		r.writeKept(u, u.from.Msg)
	}
	r.w.close('}')
}

func (r *renderer) geminiContent(m *msg) {
	end := r.markSingle(m)
	r.w.open('{')
	role := speaker(m.units[0])
	if role == "assistant" {
		role = "model"
	}
	r.role(m, role)
	if u := m.units[0]; len(m.units) == 1 && r.same(u) && u.content.IsZero() && !u.redacted &&
		(u.from.Shape == shapeNone || u.from.Shape == shapeEmpty) {
		if u.from.Shape == shapeEmpty {
			r.w.memberValue("parts", list())
		}
	} else {
		r.partList("parts", m, m.units, r.geminiPart)
	}
	r.keepMessage(m)
	r.w.close('}')
	end()
}

func (r *renderer) geminiPart(u *unit) {
	if v, ok := r.raw(u); ok {
		r.w.value(v)
		return
	}
	own := r.same(u) && u.intact()
	r.w.open('{')
	if !isCall(u) && !isResult(u) {
		r.plainText(u)
		r.w.member("text", u.text())
	} else {
		kind, payload := "functionCall", "args"
		if isResult(u) {
			kind, payload = "functionResponse", "response"
		}
		if r.same(u) && u.from.Type != "" {
			kind = u.from.Type
		}
		r.w.key(kind)
		r.w.open('{')
		if !u.noID {
			r.w.member("id", u.call)
		}
		if u.name != "" || !own {
			r.w.member("name", u.name)
		}
		switch {
		case own:
			r.w.memberValue(payload, u.content)
		case isCall(u):
			r.w.memberValue(payload, r.arguments(u))
		case strings.HasPrefix(u.content.String(), "{"):
			r.w.memberValue(payload, u.content)
		default:
			r.w.memberValue(payload, constant(`{"output":`+engine.Text(u.text()).String()+`}`))
		}
		if r.same(u) {
			r.writeKept(u, u.from.Call)
		}
		r.w.close('}')
	}
	if r.same(u) {
		r.writeKept(u, u.from.Part)
	}
	r.w.close('}')
}
