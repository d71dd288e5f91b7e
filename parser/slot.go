package parser

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// slotHint tells how an insertion position ends.
const slotHint = "end it with `, end`, with `, +1` (after child 1), `, -1` (before child 1), or with a comma (first)"

// modernPosition is the text of an insertion position whose container was written as hops.
func modernPosition(p *ast.Position, container string) string {
	if container == "" {
		return ""
	}
	if len(p.Container.Steps) == 1 && len(p.Container.Steps[0].Qualifiers) == 0 {
		container = strings.Trim(container, "()") // the slot continues a coordinate
	}
	slot := ""
	switch p.Slot {
	case ast.AtEnd:
		slot = "end"
	case ast.After:
		slot = "+" + strconv.FormatInt(p.N, 10)
	case ast.Before:
		slot = "-" + strconv.FormatInt(p.N, 10)
	}
	return "(" + container + ", " + slot + ")"
}

// isContainer reports whether the first of the two elements of an insertion position is a chain that names the
// container, rather than the depth that begins a coordinate.
func isContainer(c *ast.Chain) bool {
	if c == nil {
		return false
	}
	_, isWord := c.Steps[0].Anchor.(*word)
	return len(c.Steps) > 1 || !isWord && !beginsWithDepth(c)
}

// slot reads the last element of an insertion position.
func (b *builder) slot(it item, h *hopList, at ast.Span) {
	p := &ast.Position{Span: at}
	refuse := func(message string) {
		h.refuse(it.Span, message, slotHint)
	}
	if it.chain == nil {
		p.Slot = ast.AtStart
	} else {
		s := it.chain.Steps[0]
		w, ok := s.Anchor.(*word)
		switch {
		case !ok || it.single() == nil || len(it.chain.Steps) > 1 || len(s.Qualifiers) > 0:
			refuse("the position does not say where among the children")
			return
		case w.text == "end":
			p.Slot = ast.AtEnd
		case !w.number:
			refuse("`" + w.text + "` is not a slot among children")
			return
		case w.text[0] != '+' && w.text[0] != '-':
			refuse("a number without a sign is an offset, not a slot among children")
			return
		default:
			n, ok := b.integer(w.text[1:], it.Span)
			if !ok {
				h.bad = true
				return
			}
			if n == 0 {
				refuse("children are counted from 1")
				return
			}
			p.N, p.Slot = n, ast.After
			if w.text[0] == '-' {
				p.Slot = ast.Before
			}
		}
	}
	if !h.bad {
		p.Container = &ast.Chain{Extent: extent(h.steps), Steps: h.steps}
		b.position = p
	}
}
