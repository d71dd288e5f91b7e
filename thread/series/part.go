package series

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/normal"
)

// parts has the parts of a message, once they are known.
type parts struct {
	of     *Message // whose parts they are: a copy of a message must not have them
	format string
	list   []*Part
}

// split returns the parts of a message. The cost is linear in the size of the message the first
// time.
func (m *Message) split(format string) []*Part {
	if m.parts.of == m && m.parts.format == format {
		return m.parts.list
	}
	var made []Part
	if m.Parts != nil {
		made = make([]Part, len(m.Parts))
		for i, p := range m.Parts {
			made[i] = *p
			made[i].form = normal.Element(format, p.Value)
		}
	} else {
		forms := normal.Split(format, m.Value, m.Role == Tool)
		made = make([]Part, len(forms))
		for i, f := range forms {
			made[i] = Part{Value: f.Raw, ID: m.ID, Summary: m.Summary, Line: m.Line, Path: m.Path, form: f}
		}
	}
	list := make([]*Part, len(made))
	for i := range made {
		p := &made[i]
		list[i], p.format, p.message, p.index = p, format, m, i
		p.Summary = p.Summary || p.form.Kind == "compaction" // made by the provider
		switch f := &p.form; {
		case f.Result():
			p.Role, p.Answer = Tool, f.ID
		case f.Call():
			p.Role, p.Call = m.Role, f.ID
		case m.Role == Tool: // beside results
			p.Role = User
		default:
			p.Role = m.Role
		}
		if p.alone = len(made) == 1 && m.Parts == nil; len(made) == 1 { // the source may know more than the form says
			if p.Answer == "" && len(m.Answers) > 0 {
				p.Answer = m.Answers[0]
			}
			if p.Call == "" && len(m.Calls) > 0 {
				p.Call = m.Calls[0]
			}
		}
	}
	m.parts = parts{m, format, list}
	return list
}

// Items returns the parts of messages in a format as items without nodes.
func Items(list []*Message, format string) []Item { return flatten(nil, list, format) }

// flatten appends the parts of messages as items without nodes.
func flatten(dst []Item, list []*Message, format string) []Item {
	for _, m := range list {
		for _, p := range m.split(format) {
			dst = append(dst, Item{nil, p})
		}
	}
	return dst
}

// partKey is equal for two parts that are equal to the provider, and, if the source has ids, have
// the same id.
type partKey struct {
	role Role
	id   string
	form normal.Key
}

// key returns what two parts must have in common to be matched regardless of position.
func (p *Part) key() partKey {
	if !p.keyed {
		p.keyed, p.normal = true, partKey{p.Role, p.ID, p.form.Key(p.format)}
	}
	return p.normal
}

// isEqual reports whether two parts are equal to the provider.
func isEqual(a, b *Part) bool {
	if a == b || a.Role == b.Role && a.form == b.form {
		return true
	}
	x, y := a.key(), b.key()
	return x.role == y.role && x.form == y.form
}

// isSame reports whether two parts are the same one. If both have an id, the ids must be equal,
// too.
func isSame(a, b *Part) bool {
	return (a.ID == b.ID || a.ID == "" || b.ID == "") && isEqual(a, b)
}

// isIdentical reports whether two items are written in the same way, in messages that are.
func isIdentical(a, b Item) bool {
	if a.Index() != b.Index() {
		return false
	}
	return a.Part == b.Part || a.Message().Value == b.Message().Value && isSame(a.Part, b.Part)
}

// record identifies a part of a record of the source: its id, and what distinguishes the parts of
// the record.
type record struct {
	id   string
	form normal.Key
}

func (p *Part) record() record {
	r := record{id: p.ID}
	if !p.alone {
		r.form = p.key().form
	}
	return r
}

// isOpaque reports whether a part is neither text nor a call or result: formats may leave it out
// when an answer is sent again.
func (p *Part) isOpaque() bool { return p.form.Kind != "text" && !p.form.Call() && !p.form.Result() }

// callKey identifies the call that a part makes or answers. It returns "" if there is none.
func (p *Part) callKey() string {
	switch {
	case p.Answer != "":
		return "answer " + p.Answer
	case p.Call != "":
		return "call " + p.Call
	}
	return ""
}

// text returns the text of a part, without the names and arguments of tool calls.
func (p *Part) text() string {
	var b strings.Builder
	s := canonjson.Borrow(p.Value)
	defer s.Return()
	_ = appendText(&b, s, true, textNames) // the value is canonical JSON
	return b.String()
}
