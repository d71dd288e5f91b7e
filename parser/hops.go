package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// hopList reads the elements of a position in parentheses one by one. A withdrawn draft of the
// language called them hops: each leads from the nodes found so far to some of those below, as in
// `(d1, seg, 0:note)`.
type hopList struct {
	b          *builder
	steps      []ast.Step
	coordinate *ast.Coordinate // being read, so further offsets extend it; nil after another hop
	modern     strings.Builder
	noModern   bool         // there is no modern text
	whole      bool         // the repair skipped nothing in the parentheses
	legacy     bool         // the list is more than a coordinate
	offsets    []ast.Legacy // hops written cont[offset=N]; each in a coordinate has its own fix
	types      []ast.Span   // the types; their old spelling is a part of the hops
	bad        bool
}

// hops reads a coordinate such as '(d1,0,2)', or the hops of the withdrawn draft, which become a
// chain. If insert is set, the last item is the slot of an insertion position.
func (b *builder) hops(items []item, at ast.Span, whole, insert bool) *hopList {
	h := &hopList{b: b, whole: whole}
	h.begin(items[0].single())
	rest, last := items[1:], len(items)-1
	if insert {
		rest = items[1:last]
	}
	for i, it := range rest {
		if h.coordinate != nil && len(h.last().Qualifiers) > 0 { // of this hop only
			h.finishCoordinate()
		}
		h.hop(it, i == 0)
	}
	b.unrecord(h.types...)
	h.finishCoordinate()
	if insert {
		b.slot(items[last], h, at)
	}
	if !h.bad && !h.legacy {
		for _, l := range h.offsets {
			b.legacy(l.Form, l.Span, l.Modern)
		}
	}
	if h.noModern {
		h.modern.Reset()
	}
	return h
}

// begin reads the depth that every list of hops begins with.
func (h *hopList) begin(c *ast.Chain) {
	first := &c.Steps[0]
	d := first.Anchor.(*ast.Depth)
	first.Anchor, h.coordinate = h.b.nodes.coordinate(d.Bounds(), d.Bounds(), d.From, d.To)
	h.steps = append(h.steps, *first)
	if len(c.Steps) > 1 {
		h.refuse(ast.Span{Start: c.Steps[1].Start(), End: c.End()},
			"a position in parentheses with commas holds a depth and offsets",
			"write a chain without commas: `(d1 .block)`")
	}
}

func (h *hopList) refuse(at ast.Span, message, hint string) {
	h.bad = true
	h.b.refuse(at, message, hint)
}

func (h *hopList) last() *ast.Step { return &h.steps[len(h.steps)-1] }

// finishCoordinate ends the coordinate that is being read, and writes its modern text.
func (h *hopList) finishCoordinate() {
	if h.coordinate == nil {
		return
	}
	h.last().Anchor.(*ast.Coordinates).Extent = h.coordinate.Extent
	h.modern.WriteString("(" + depthText(ast.Depth{From: h.coordinate.From, To: h.coordinate.To}))
	for _, n := range h.coordinate.Offsets {
		h.modern.WriteString("," + strconv.FormatInt(n, 10))
	}
	h.modern.WriteString(")")
	h.writeQualifiers(h.last().Qualifiers)
	h.coordinate = nil
}

func (h *hopList) writeQualifiers(qs []ast.Qualifier) {
	for _, q := range qs {
		text := q.Bounds().Text(h.b.src)
		// A filter of testsApart has no brackets in the source.
		if f, ok := q.(*ast.Filter); ok && strings.IndexByte("[{(", text[0]) < 0 {
			brackets := f.Form.String()
			text = brackets[:1] + text + brackets[1:]
		}
		h.modern.WriteString(text)
	}
}

// hop reads one element after the depth. It is direct if it is the first.
func (h *hopList) hop(it item, direct bool) {
	c := it.single()
	if c == nil {
		message := "an empty element marks where a node is inserted; a selector cannot have one"
		switch {
		case len(it.chains) > 0:
			message = "`??` is not allowed in a position with commas"
		case h.b.insertion:
			message = "only the last element of a position may be empty"
		}
		if h.bad = true; h.whole || len(it.chains) > 0 {
			h.b.refuse(it.Span, message, "")
		}
		return
	}
	s := &c.Steps[0]
	switch a := s.Anchor.(type) {
	case *word:
		h.wordHop(it, a, s, direct)
		if len(c.Steps) > 1 && !h.bad {
			h.refuse(ast.Span{Start: c.Steps[1].Start(), End: c.End()},
				"in a position with commas, only a type may be followed by further steps", "")
		}
	case *ast.Type:
		h.legacy = true
		h.types = append(h.types, a.Bounds())
		rest := c.Steps
		h.b.resolvePlaceholders(c)
		isDepth := func(q ast.Qualifier) bool { // ':depth(>0)'
			return h.b.text[q.Bounds().Start] == ':' && is[*ast.Filter](q)
		}
		if slices.ContainsFunc(s.Qualifiers, isDepth) {
			h.secondDepth(it.Span)
			return
		}
		if direct && a.Name == "seg" {
			h.stay(s)
			if rest = rest[1:]; len(rest) > 0 {
				h.finishCoordinate()
				h.modern.WriteString(h.b.src[s.End():c.End()])
			}
		} else {
			h.finishCoordinate()
			text, tail := typeText(a.Name), h.b.src[a.End():c.End()]
			h.modern.WriteString(" " + text + tail)
			if text[0] == '*' && strings.HasPrefix(tail, "(") { // only a type token takes a group
				h.noModern = true
			}
			s.Combinator = ast.Descendant
		}
		h.steps = append(h.steps, rest...)
	case *ast.Depth:
		h.secondDepth(it.Span)
	case *ast.Bad:
		h.bad = true
	default:
		h.b.resolvePlaceholders(c)
		h.refuse(it.Span, "a position with commas holds a depth and offsets", "")
	}
}

func (h *hopList) secondDepth(at ast.Span) {
	h.bad = true
	h.b.refuseAs(diag.SelectorAmbiguous, at, "a coordinate has one depth, and then offsets",
		"a range is `d1..d3`, a set `((d1), (d2))`")
}

// stay reads a hop that leads no further than the last step, so only its qualifiers count.
func (h *hopList) stay(s *ast.Step) {
	h.last().Qualifiers = append(h.last().Qualifiers, s.Qualifiers...)
	cover(h.last(), s.End())
}

// wordHop reads an offset, 'seg', 'cont[offset=N]' or 'N:T'.
func (h *hopList) wordHop(it item, w *word, s *ast.Step, direct bool) {
	if w.number {
		if n, ok := h.b.integer(w.text, w.Bounds()); ok {
			h.offset(n, w.Bounds(), w.typed, s)
		} else {
			h.bad = true
		}
		return
	}
	switch vocab.CanonicalType(w.text) {
	case "seg":
		if direct {
			h.legacy = true
			h.stay(s)
			return
		}
	case "cont":
		if n, end, ok := takeOffset(s); ok {
			at := ast.Span{Start: s.Start(), End: end}
			modern := strconv.FormatInt(n, 10)
			h.offsets = append(h.offsets, ast.Legacy{Span: at, Form: ast.LegacyOffsetHop, Modern: modern})
			h.offset(n, at, nil, s)
			return
		}
	}
	if w.text == "end" {
		h.refuse(it.Span, "`end` marks where a node is inserted; a selector cannot have it", "")
		return
	}
	h.refuse(it.Span, "`"+excerpt(it.Text(h.b.src))+"` is not an element of a position",
		"name a child by its offset, as in `(d1,0)`, or use a chain, as in `(d1 .block)`")
}

// takeOffset removes the test offset=N from the filters of a hop such as 'cont[offset=N, ttl=1]'
// and returns N and the end of that filter. It ignores filters after a positional pseudo, which do
// not identify the hop.
func takeOffset(s *ast.Step) (n int64, end int, ok bool) {
	for i, q := range s.Qualifiers {
		switch f := q.(type) {
		case *ast.Positional:
			return 0, 0, false
		case *ast.Filter:
			for k, p := range f.Props {
				if p.Name != "offset" || p.Op != ast.OpEq || p.Values[0].Kind != ast.Number {
					continue
				}
				if n, err := strconv.ParseInt(p.Values[0].Text, 10, 64); err == nil {
					s.Qualifiers = slices.Concat(s.Qualifiers[:i], testsApart(f, k), s.Qualifiers[i+1:])
					return n, f.End(), true
				}
			}
		}
	}
	return 0, 0, false
}

// testsApart returns a filter for each test of f except one. It has the span of the test.
func testsApart(f *ast.Filter, without int) []ast.Qualifier {
	var apart []ast.Qualifier
	for i := range f.Props {
		if i != without {
			p := f.Props[i]
			apart = append(apart, &ast.Filter{Extent: p.Extent, Form: f.Form, Props: []ast.Prop{p}})
		}
	}
	return apart
}

// offset adds a hop to the children at an offset; with a type, as in '0:note', only to those of
// that type.
func (h *hopList) offset(n int64, at ast.Span, typed *ast.Type, s *ast.Step) {
	if len(s.Qualifiers) > 0 { // it ends before the other test of 'cont[offset=0, ttl=1]'
		at.End = min(at.End, s.Qualifiers[0].Bounds().Start)
	}
	if typed == nil && h.coordinate != nil {
		h.coordinate.Offsets = append(h.coordinate.Offsets, n)
		h.coordinate.Extent = upTo(h.coordinate.Extent, at.End)
		h.stay(s)
		h.legacy = h.legacy || len(s.Qualifiers) > 0
		return
	}
	h.legacy = true
	h.finishCoordinate()
	step, name := ast.Step{Extent: s.Extent, Combinator: ast.Child, Anchor: &ast.Any{Extent: at.Extent()}}, "*"
	if typed != nil {
		at.End = typed.End()
		typed.Extent = at.Extent()
		step.Anchor, name = typed, typeText(typed.Name)
	}
	step.Qualifiers = append([]ast.Qualifier{offsetFilter(ast.OpEq, n, at)}, s.Qualifiers...)
	h.modern.WriteString(" > " + name + "[offset=" + strconv.FormatInt(n, 10) + "]")
	h.writeQualifiers(s.Qualifiers)
	h.steps = append(h.steps, step)
}
