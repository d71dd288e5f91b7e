package series

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/normal"
)

// answer returns the parts of the answer to the latest call.
func (c *conversation) answer() []Item {
	if len(c.reply) == 0 {
		return nil
	}
	return flatten(nil, c.reply, c.request.Format)
}

// afterwards returns the parts of what was recorded after the answer to the latest call.
func (c *conversation) afterwards() []Item {
	if len(c.after) == 0 {
		return nil
	}
	return flatten(nil, c.after, c.request.Format)
}

// loses reports whether items, which follow those of the latest call, lack a text, a call or a
// result of its answer, or of what was recorded after that.
func (c *conversation) loses(rest []Item) bool {
	if c.answered || c.request == nil {
		return false
	}
	in := repeated{list: rest}
	for n, i := range slices.Concat(c.answer(), c.afterwards()) {
		if !i.Part.isOpaque() && !in.has(n, i) {
			return true
		}
	}
	return len(c.request.Choices) > 0
}

// isReplied reports whether items contain the answer to the latest call.
func (c *conversation) isReplied(rest []Item) bool {
	in := repeated{list: rest}
	for n, i := range c.answer() {
		if in.has(n, i) {
			return true
		}
	}
	return false
}

// isFresh reports whether a part without an id is of the latest answer, or of what was recorded
// after it.
func (c *conversation) isFresh(p *Part) bool {
	if c.fresh == nil {
		c.fresh = map[partKey]bool{}
		for _, i := range slices.Concat(c.answer(), c.afterwards()) {
			c.fresh[partKey{i.Part.Role, "", i.Part.key().form}] = true
		}
	}
	return c.fresh[p.key()]
}

// repeated finds the parts of an answer in a list of items. A client may write them differently
// than the provider did, so the same id, tool call or text is enough, of the part or of its
// message.
type repeated struct {
	list  []Item
	next  int                  // index in list after the latest part that follows found; -1 if it found none
	index map[repeatedKey]bool // made on demand

	message *Message // the latest one of which the text was read
	text    string
}

// repeatedKey is what two parts have in common if one repeats the other.
type repeatedKey struct {
	role Role
	what byte // of the constants below
	text string
	form normal.Key
}

const (
	sameForm = iota
	sameID
	sameCall
	sameText
	sameMessage
)

// has reports whether the list has a part, first looking where it is if the list begins with the
// answer.
func (r *repeated) has(n int, i Item) bool {
	if n < len(r.list) && isEqual(i.Part, r.list[n].Part) {
		return true
	}
	if r.index == nil && r.follows(i.Part) {
		return true
	}
	if r.index == nil {
		r.index = map[repeatedKey]bool{}
		for _, i := range r.list {
			r.each(i, func(k repeatedKey) bool {
				r.index[k] = true
				return false
			})
		}
		r.index[repeatedKey{role: Assistant, what: sameText, text: leadingText(r.list)}] = true
	}
	return r.each(i, func(k repeatedKey) bool { return r.index[k] })
}

// follows reports whether the list has a part itself, after those that were found before.
func (r *repeated) follows(p *Part) bool {
	if r.next == 0 {
		r.next = slices.IndexFunc(r.list, func(i Item) bool { return i.Part == p })
	}
	if r.next < 0 || r.next == len(r.list) || r.list[r.next].Part != p {
		return false
	}
	r.next++
	return true
}

// leadingText returns the text with which the assistant begins a list: a client may have made a
// message of each chunk of a stream.
func leadingText(list []Item) string {
	var b strings.Builder
	for _, i := range list {
		if i.Part.Role != Assistant {
			break
		}
		if i.Part.form.Kind == "text" {
			b.WriteString(i.Part.text())
		}
	}
	return b.String()
}

// each calls found with the keys of a part, until it returns true.
func (r *repeated) each(i Item, found func(repeatedKey) bool) bool {
	p := i.Part
	if p.ID != "" && found(repeatedKey{role: p.Role, what: sameID, text: p.ID}) {
		return true
	}
	if found(repeatedKey{role: p.Role, what: sameForm, form: p.key().form}) {
		return true
	}
	if call := p.callKey(); call != "" {
		return found(repeatedKey{role: p.Role, what: sameCall, text: call})
	}
	if text := p.text(); text != "" && found(repeatedKey{role: p.Role, what: sameText, text: text}) {
		return true
	}
	if m := i.Message(); r.message != m {
		r.message, r.text = m, m.text()
	}
	return r.text != "" && found(repeatedKey{role: p.Role, what: sameMessage, text: r.text})
}
