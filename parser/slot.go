package parser

import (
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// slotHint says how an insertion position ends.
const slotHint = "end it with `, end`, with `, +1` (after child 1), `, -1` (before child 1), or with a comma (first)"

// modernPosition returns the modern text of an insertion position whose container was written as
// hops.
func modernPosition(p *ast.Position, container string) string {
	if container == "" {
		return ""
	}
	if lone(p.Container) != nil {
		container = strings.Trim(container, "()") // the slot continues a coordinate
	}
	slot := [...]string{ast.AtStart: "", ast.AtEnd: "end", ast.After: "+", ast.Before: "-"}[p.Slot]
	if p.N > 0 {
		slot += strconv.FormatInt(p.N, 10)
	}
	return "(" + container + ", " + slot + ")"
}

// isContainer reports whether the first of the two elements of an insertion position is a chain
// that names the container, rather than the depth that begins a coordinate.
func isContainer(c *ast.Chain) bool {
	return c != nil && (len(c.Steps) > 1 || !is[*word](c.Steps[0].Anchor) && !beginsWithDepth(c))
}

// slot reads the slot, the last element of an insertion position.
func (b *builder) slot(it item, h *hopList, at ast.Span) {
	p, errors := &ast.Position{Span: at}, b.errors
	if mistake := b.readSlot(p, it); mistake != "" {
		b.refuse(it.Span, mistake, slotHint)
	}
	if h.bad = h.bad || b.errors > errors; !h.bad {
		p.Container = &ast.Chain{Extent: extent(h.steps), Steps: h.steps}
		b.position = p
	}
}

// readSlot reads the slot into p, or returns what is wrong with it.
func (b *builder) readSlot(p *ast.Position, it item) (mistake string) {
	if len(it.chains) == 0 {
		p.Slot = ast.AtStart
		return ""
	}
	w, ok := lone(it.single()).(*word)
	switch {
	case !ok, w.typed != nil:
		return "the position does not say where among the children to insert"
	case w.text == "end":
		p.Slot = ast.AtEnd
		return ""
	case !w.number:
		return "`" + w.text + "` is not a slot among children"
	case w.text[0] == '+':
		p.Slot = ast.After
	case w.text[0] == '-':
		p.Slot = ast.Before
	default:
		return "a number without a sign is an offset, not a slot among children"
	}
	if p.N, ok = b.integer(w.text[1:], it.Span); ok && p.N == 0 {
		return "children are counted from 1"
	}
	return ""
}
