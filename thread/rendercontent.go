package thread

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// convertRaw converts units that were kept as whole parts of another format, or leaves them out
// with a note.
func (r *renderer) convertRaw() {
	kept := r.units[:0]
	for _, u := range r.units {
		if u.from != nil && u.from.Raw {
			_, whole := r.raw(u)
			if !whole && u.role == "tool" {
				u.role = "user" // it is not a result
			}
			switch {
			case whole:
			case u.redacted:
				u.kind = "text"
				u.from = &origin{From: u.from.From, Message: u.from.Message, Role: u.from.Role, Shape: u.from.Shape}
			case r.convert(u):
			default:
				kind := Lost
				if reasoning[u.kind] {
					kind = LeftOut
				}
				r.note(kind, u, "a part of type %s of %s cannot be represented in %s", u.kind, u.from.From, r.name)
				continue
			}
		}
		kept = append(kept, u)
	}
	r.units = kept
}

// reasoning has the kinds of parts that only the model that wrote them accepts.
var reasoning = map[string]bool{"thinking": true, "redacted_thinking": true, "reasoning": true}

// convert converts an image, a document, or another part that a framework has a form for, to a part
// of the format.
func (r *renderer) convert(u *unit) bool {
	v, ok := partOf(r.format, u)
	if p, isImage := imageIn(valueOf(u.content)); !ok && isImage {
		v, ok = r.fileOf(u, p.part, p.data)
	}
	if p, isAttached := attachedIn(valueOf(u.content)); !ok && isAttached {
		v, ok = r.fileOf(u, p.part, p.data)
	}
	if ok {
		u.content, u.converted = v, true
	}
	return ok
}

// fileOf returns an image or a document as a part of the format. data has its bytes.
func (r *renderer) fileOf(u *unit, part func(Format) (engine.Value, bool), data string) (engine.Value, bool) {
	v, ok := part(r.format)
	if ok && r.format == PydanticAI && u.role == "assistant" { // an answer can have a file, but no address of one
		return constant(`{"content":` + v.String() + `,"part_kind":"file"}`), data != ""
	}
	return v, ok
}

// texts returns the texts of a list of text blocks, or false for any other value.
func texts(v engine.Value) ([]string, bool) {
	if !strings.HasPrefix(v.String(), "[") {
		return nil, false
	}
	var out []string
	for b := range valueOf(v).elements() {
		block, _ := b.get("text")
		text, ok := block.text()
		if !ok || !textTypes[textOf(b, "type")] {
			return nil, false
		}
		out = append(out, text)
	}
	return out, true
}

// toolResult writes the result of a tool that comes from another format: a list of text blocks if
// it was one, otherwise a text.
func (r *renderer) toolResult(name string, u *unit) {
	list, ok := texts(u.content)
	if !ok {
		r.w.member(name, u.output())
		return
	}
	r.w.key(name)
	r.w.open('[')
	for _, text := range list {
		r.w.open('{')
		r.w.member("type", "text")
		r.w.member("text", text)
		r.w.close('}')
	}
	r.w.close(']')
}

var textTypes = map[string]bool{"text": true, "input_text": true, "output_text": true}

// body writes the list of messages: inside an object if the log had one or, without a log, if
// object is set.
func (r *renderer) body(list string, object bool, before func(), write func()) {
	if r.log != nil && r.same(r.log) {
		object = r.log.from.Shape != shapeList
	} else {
		r.log = nil
	}
	if object {
		r.w.open('{')
		if before != nil {
			before()
		}
		r.w.key(list)
	}
	write()
	if object {
		if r.log != nil {
			r.writeKept(r.log, r.log.from.Msg)
		}
		r.w.close('}')
	}
}

// role writes the role that a message had in its log, otherwise the given one.
func (r *renderer) role(m *msg, role string) {
	if u := m.units[0]; r.same(u) {
		if u.from.NoRole {
			return
		}
		if u.from.Role != "" {
			role = u.from.Role
		}
	}
	r.w.member("role", role)
}

// shapeOf returns the shape of the content of a message.
func (r *renderer) shapeOf(m *msg) shape {
	if u := m.units[0]; r.same(u) {
		return u.from.Shape
	}
	return shapeText
}

// content writes the member with the content of a message: texts and other parts.
func (r *renderer) content(name string, m *msg, parts []*unit, part func(*unit)) {
	shape := r.shapeOf(m)
	if len(parts) == 0 {
		switch shape {
		case shapeBlank:
			r.w.member(name, "")
		case shapeEmpty:
			r.w.memberValue(name, list())
		case shapeNone:
		default:
			r.w.memberValue(name, null())
		}
		return
	}
	if u := parts[0]; len(parts) == 1 && !u.redacted {
		hollow := u.content.IsZero()
		switch {
		case hollow && shape == shapeNone:
			return
		case hollow && shape == shapeEmpty:
			r.w.memberValue(name, list())
			return
		case shape == shapeNull && u.content.IsNull(), shape == shapeOther:
			r.w.memberValue(name, u.content)
			return
		}
	}
	if _, raw := r.raw(parts[0]); len(parts) == 1 && shape != shapeParts && !raw {
		r.plainText(parts[0])
		r.w.member(name, parts[0].text())
		return
	}
	r.partList(name, m, parts, func(u *unit) {
		if v, ok := r.raw(u); ok {
			r.w.value(v)
		} else {
			r.plainText(u)
			part(u)
		}
	})
}

// partList writes a member that is a list of parts of a message. If the message has several units,
// each is marked.
func (r *renderer) partList(name string, m *msg, parts []*unit, part func(*unit)) {
	r.w.key(name)
	r.w.open('[')
	for _, u := range parts {
		end := func() {}
		if len(m.units) > 1 {
			end = r.mark(u)
		}
		part(u)
		end()
	}
	r.w.close(']')
}

// keepMessage writes the members of a message that an importer kept in its nodes.
func (r *renderer) keepMessage(m *msg) {
	for _, u := range m.units {
		if r.same(u) {
			r.writeKept(u, u.from.Msg)
		}
	}
}

// plainText notes content that is shown as JSON because it is not text.
func (r *renderer) plainText(u *unit) {
	if v := u.content; u.kind != "call" && u.kind != "result" && !v.IsZero() && !v.IsNull() {
		if _, ok := v.Text(); !ok {
			if _, ok := texts(v); !ok {
				r.note(Changed, u, "the content is not text; it is shown as JSON")
			}
		}
	}
}

func null() engine.Value { return constant("null") }
func list() engine.Value { return constant("[]") }

func constant(s string) engine.Value {
	v, _ := engine.JSON([]byte(s))
	return v
}

// arguments returns the arguments of a call as a JSON object.
func (r *renderer) arguments(u *unit) engine.Value {
	v := u.content
	if s, ok := v.Text(); ok {
		if parsed, err := engine.JSON([]byte(s)); err == nil {
			v = parsed
		} else if strings.TrimSpace(s) == "" {
			v = engine.Value{}
		}
	}
	if v.IsZero() || v.IsNull() {
		return constant("{}")
	}
	if !strings.HasPrefix(v.String(), "{") {
		r.note(Changed, u, "the arguments are not an object; they become the member input of one")
		v = constant(`{"input":` + v.String() + `}`)
	}
	return v
}

// argumentText returns the arguments of a call as a string with a JSON object. A string is returned
// unchanged.
func (r *renderer) argumentText(u *unit) string {
	if s, ok := u.content.Text(); ok && strings.TrimSpace(s) != "" {
		return s
	}
	return r.arguments(u).String()
}

// output returns the result of a tool as text.
func (u *unit) output() string {
	if v := valueOf(u.content); v.is('{') && len(v.children()) == 1 {
		if out, ok := v.get("output"); ok {
			if s, ok := out.text(); ok || out.isNull() {
				return s
			}
		}
	}
	return u.text()
}

// markSingle marks a message if it has a single unit. In other messages the parts are marked.
func (r *renderer) markSingle(m *msg) func() {
	if len(m.units) == 1 {
		return r.mark(m.units[0])
	}
	return func() {}
}
