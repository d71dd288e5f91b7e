package parser

import (
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// In place of a step, parentheses hold a chain, a coordinate, a set of coordinates, an insertion
// position, or the hops of a withdrawn draft (see hopList). The grammar reads a list of chains; its
// items decide which of these it is.

// item is one element of a list in parentheses.
type item struct {
	ast.Span
	chains []ast.Chain // none if the element is empty, more than one for `L ?? R`
}

// single returns the chain of an element that is one chain, or nil.
func (it item) single() *ast.Chain {
	if len(it.chains) != 1 {
		return nil
	}
	return &it.chains[0]
}

// element reads one element of a list.
func (b *builder) element() item {
	if !ll1.FirstStep.Has(b.kind()) {
		at := b.core(b.at).Start
		return item{Span: ast.Span{Start: at, End: at}}
	}
	chains := b.chains()
	return item{ast.Span{Start: chains[0].Start(), End: chains[len(chains)-1].End()}, chains}
}

// paren reads a list in parentheses, or the legacy `within(…)`.
func (b *builder) paren(kind ll1.Kind) (at ast.Span, anchor ast.Anchor) {
	if kind == ll1.TokLparen && !b.insertion {
		if c, end := b.coordinate(b.at); c != nil {
			b.at = end + 1
			return c.Bounds(), c
		}
	}
	open, first := b.at, len(b.items)
	at = b.core(open)
	b.parens++
	for {
		// Read past the parenthesis or a comma.
		b.at++
		if t := &b.tokens[b.at]; t.Kind == ll1.TokRparen && t.Start == t.End { // never closed
			at.End = b.core(b.at - 1).End
			break
		}
		it := b.element()
		b.items = append(b.items, it)
		at.End = max(at.End, it.End)
		if b.kind() != ll1.TokComma {
			break
		}
	}
	closed := b.closes(ll1.TokRparen, &at)
	items := b.items[first:]
	if kind == ll1.TokLparen {
		anchor = b.parenthesized(items, at, closed && !b.skipped(open, b.at-1))
	} else if anchor = (&ast.Bad{Extent: at.Extent()}); closed {
		anchor = b.withinList(items, at)
	}
	b.items = b.items[:first]
	b.parens--
	return at, anchor
}

// coordinate reads a plain coordinate such as '(d1,0,-1)' without making chains of its parts, and
// returns the token that ends it. If the parentheses hold anything else, it returns nil.
func (b *builder) coordinate(open int) (c *ast.Coordinates, end int) {
	if b.tokens[open+1].Kind != ll1.TokDepth {
		return nil, 0
	}
	end = open + 2
	for b.tokens[end].Kind == ll1.TokComma && b.tokens[end+1].Kind == ll1.TokInt {
		end += 2
	}
	if b.tokens[end].Kind != ll1.TokRparen || b.tokens[end].Start == b.tokens[end].End || b.skipped(open, end) {
		return nil, 0
	}
	depth := b.span(open + 1)
	from, err := strconv.ParseInt(depth.Text(b.text)[1:], 10, 64)
	if err != nil || from < -1 {
		return nil, 0
	}
	offsets := b.nodes.offsets.List((end - open - 2) / 2)
	for i := range offsets {
		offset := b.span(open + 3 + 2*i)
		if offsets[i], err = strconv.ParseInt(offset.Text(b.text), 10, 64); err != nil {
			return nil, 0
		}
	}
	at := ast.Span{Start: b.core(open).Start, End: b.core(end).End}
	coordinates, only := b.nodes.coordinate(at, ast.Span{Start: depth.Start, End: b.span(end - 1).End}, from, from)
	only.Offsets = offsets
	b.positions = true
	return coordinates, end
}

// parenthesized makes the anchor for a list in parentheses. If whole is false, an error in the list
// has been reported.
func (b *builder) parenthesized(items []item, at ast.Span, whole bool) ast.Anchor {
	var first *ast.Chain
	if len(items) > 0 {
		first = items[0].single()
	}
	switch {
	case len(items) == 0, len(items) == 1 && len(items[0].chains) == 0:
		if whole {
			b.errorf(at, "the parentheses are empty")
		}
		return &ast.Bad{Extent: at.Extent()}
	case len(items) == 1 && first == nil:
		b.placeholders = true
		return &fallback{Bad: ast.Bad{Extent: at.Extent()}, chains: items[0].chains}
	case len(items) == 1:
		return b.grouped(first, at)
	case b.insertion && b.parens == 1 && len(items) == 2 && isContainer(first):
		b.resolvePlaceholders(first)
		b.slot(items[1], &hopList{b: b, steps: first.Steps}, at)
		return &ast.Bad{Extent: at.Extent()}
	case beginsWithDepth(first):
		h := b.hops(items, at, whole, b.insertion && b.parens == 1)
		switch {
		case h.bad:
			b.unrecord(at)
			return &ast.Bad{Extent: at.Extent()}
		case h.legacy && b.position != nil:
			b.legacy(ast.LegacyHops, at, modernPosition(b.position, h.modern.String()))
		case h.legacy:
			b.legacyPosition(ast.LegacyHops, at, h.modern.String())
		}
		if b.position != nil { // which contains the steps
			return &ast.Bad{Extent: at.Extent()}
		}
		return b.grouped(&ast.Chain{Extent: extent(h.steps), Steps: h.steps}, at)
	}
	if set := b.coordinateSet(items, at); set != nil {
		return set
	}
	b.unrecord(at)
	b.notAList(items, at)
	return &ast.Bad{Extent: at.Extent()}
}

// grouped makes the anchor for parentheses around one chain. Around a depth or a coordinate they
// are a coordinate.
func (b *builder) grouped(c *ast.Chain, at ast.Span) ast.Anchor {
	if b.insertion && b.parens == 1 && beginsWithDepth(c) {
		b.refuse(at, "the position does not say where among the children to insert", slotHint)
	}
	switch a := lone(c).(type) {
	case *ast.Depth:
		coordinates, _ := b.nodes.coordinate(at, a.Bounds(), a.From, a.To)
		if b.pseudoDepths[a] {
			b.pseudoDepths[coordinates] = true
		}
		return coordinates
	case *ast.Coordinates:
		a.Extent = at.Extent()
		return a
	case *fallback:
		return a
	}
	b.resolvePlaceholders(c)
	return &ast.Group{Extent: at.Extent(), Chain: c}
}

func beginsWithDepth(c *ast.Chain) bool { return c != nil && is[*ast.Depth](c.Steps[0].Anchor) }

// coordinateSet reads '((d1,0), (d2,0))'.
func (b *builder) coordinateSet(items []item, at ast.Span) ast.Anchor {
	list := b.nodes.coordinateLists.List(len(items))
	for i, it := range items {
		c, ok := lone(it.single()).(*ast.Coordinates)
		if !ok || len(c.List) != 1 {
			return nil
		}
		list[i] = c.List[0]
		list[i].Extent = it.Extent()
	}
	set := b.nodes.coordinates.New()
	set.Extent, set.List = at.Extent(), list
	return set
}

// notAList reports a list in parentheses that is neither a coordinate nor a set of coordinates.
func (b *builder) notAList(items []item, at ast.Span) {
	hint := ""
	c := items[0].single()
	if c != nil && len(c.Steps) == 1 {
		switch a := c.Steps[0].Anchor.(type) {
		case *ast.Bad:
			return // reported
		case *ast.Group, *ast.Coordinates:
			if !slices.ContainsFunc(items, func(it item) bool { return !isMember(it.single()) }) {
				return // a member was reported
			}
		case *word:
			if a.number {
				hint = "write `(d1,0)` for the child at offset 0 of the newest segment"
			}
		case *ast.Region:
			if depth := map[ast.RegionName]string{ast.Sys: "d-1", ast.Head: "d0"}[a.Name]; depth != "" {
				hint = "write `" + depth + "` for `" + a.Name.String() + "`"
			}
		}
	}
	if hint != "" {
		b.refuse(c.Steps[0].Anchor.Bounds(), "a coordinate begins with a depth", hint)
		return
	}
	b.refuse(at, "parentheses hold one chain, a coordinate such as `(d1,0)`, or a set of coordinates",
		"write the fragments of a union side by side: `.a, .b`")
}

// isMember reports whether a chain can be in a set: it is a coordinate, or it was reported inside
// its parentheses.
func isMember(c *ast.Chain) bool {
	switch a := lone(c).(type) {
	case *ast.Coordinates:
		return len(a.List) == 1
	case *ast.Group:
		return len(a.Chain.Steps) == 1 && is[*ast.Bad](a.Chain.Steps[0].Anchor)
	}
	return false
}

// withinList makes the placeholder for `within(…)`, which holds a chain or a list of hops.
func (b *builder) withinList(items []item, at ast.Span) ast.Anchor {
	w := &within{Bad: ast.Bad{Extent: at.Extent()}}
	switch c := items[0].single(); {
	case beginsWithDepth(c):
		h := b.hops(items, at, true, false)
		if h.bad {
			return &w.Bad
		}
		w.chain, w.modern = &ast.Chain{Extent: w.Extent, Steps: h.steps}, h.modern.String()
	case len(items) == 1 && c != nil:
		b.resolvePlaceholders(c)
		w.chain, w.modern = c, c.Text(b.src)
	default:
		b.errorf(at, "`within(…)` takes a chain, or a position that begins with a depth")
		return &w.Bad
	}
	b.placeholders = true
	return w
}
