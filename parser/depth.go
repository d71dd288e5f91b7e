package parser

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// depth reads 'd1', 'd1..d3', 'd1..3'.
func (b *builder) depth(s *ast.Step) {
	b.positions = true
	span := b.span(b.at)
	from, ok := b.depthBound()
	to := from
	if b.kind() == ll1.TokRange {
		b.at++
		if b.expect(1<<ll1.TokDepth | 1<<ll1.TokDepthDecimal | 1<<ll1.TokInt | 1<<ll1.TokDecimal) {
			span.End = b.span(b.at).End
			end, valid := b.depthBound()
			to, ok = end, ok && valid
		}
	}
	s.Extent = span.Extent()
	if !ok || !b.depthRange(from, to, span) {
		s.Anchor = &ast.Bad{Extent: s.Extent}
		return
	}
	d := b.nodes.depths.New()
	d.Extent, d.From, d.To = s.Extent, from, to
	s.Anchor = d
}

// depthBound reads one end of a range of depths.
func (b *builder) depthBound() (int64, bool) {
	at := b.span(b.at)
	b.at++
	return b.depthNumber(strings.TrimPrefix(at.Text(b.text), "d"), at)
}

// depthNumber parses the number of a depth.
func (b *builder) depthNumber(text string, at ast.Span) (int64, bool) {
	if strings.IndexByte(text, '.') >= 0 {
		b.refuseAs(diag.DepthNotInt, at, "a depth is a whole number", "")
		return 0, false
	}
	n, ok := b.integer(text, at)
	if ok && n < -1 {
		b.refuseAs(diag.DepthNegative, at, "a depth is -1 or more",
			"-1 is the system header, 0 the active head, 1 the newest segment")
		return 0, false
	}
	return n, ok
}

func (b *builder) depthRange(from, to int64, at ast.Span) bool {
	if from > to {
		b.refuseAs(diag.DepthRangeInvalid, at, "the range runs backwards",
			"write `"+depthText(ast.Depth{From: to, To: from})+"`")
	}
	return from <= to
}

// depthCall reads 'depth(1)'.
func (b *builder) depthCall(s *ast.Step) {
	b.positions = true
	c := b.call()
	cover(s, c.at.End)
	s.Anchor = &ast.Bad{Extent: c.at.Extent()}
	switch {
	case !c.closed: // reported
	case len(c.args) != 1 || b.tokens[c.args[0]].Kind != ll1.TokInt && b.tokens[c.args[0]].Kind != ll1.TokDecimal:
		b.refuse(c.at, "`depth(…)` takes one whole number", "a range of depths is written `d1..d3`")
	default:
		if n, ok := b.depthNumber(b.word(c.args[0])); ok {
			s.Anchor = &ast.Depth{Extent: c.at.Extent(), From: n, To: n}
		}
	}
}

// depthPseudo reads ':depth(…)' of edition 0.1. It replaces the anchor of a step that means
// segments, and a bare `^seq` before it. After a positional pseudo, a depth or a coordinate, and
// with a lower bound, it is a test of the depth instead.
func (b *builder) depthPseudo(s, before *ast.Step, c call) {
	ranges := b.depthArguments(c.args, c.at)
	if ranges == nil {
		return
	}
	tested := slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool { return is[*ast.Positional](q) })
	segments := false
	switch a := s.Anchor.(type) {
	case *ast.Any:
		segments = true
	case *ast.Type:
		segments = a.Name == "seg"
	case *ast.Depth, *ast.Coordinates:
		segments, tested = true, true // a second :depth() narrows the first
	case *ast.Bad:
		return
	}
	switch {
	case !segments:
		b.refuse(c.at, "`:depth(…)` only qualifies segments", "put the depth first, as in `d1 .block`")
	case tested || ranges[0].To == noEnd:
		b.depthTest(s, c, ranges, tested)
	default:
		b.depthAnchor(s, before, c.at, ranges)
	}
}

// depthTest adds ':depth(…)' to the qualifiers. If tested is false, a star becomes the type of
// segments.
func (b *builder) depthTest(s *ast.Step, c call, ranges []ast.Depth, tested bool) {
	limit := maxDepths * len(c.args)
	f, modern, ok := depthFilter(ranges, c.at, limit)
	if !ok {
		b.errorf(c.at, "a range in a list of depths is too long here; the list may have at most %d depths", limit)
		return
	}
	b.add(s, f)
	at, old := c.at, b.oldDepth(ranges)
	if star, ok := s.Anchor.(*ast.Any); ok && !tested {
		at.Start, modern = star.Start(), ".seg"+b.src[star.End():at.Start]+modern
		t := b.nodes.types.New()
		t.Extent, t.Name = star.Extent, "seg"
		s.Anchor = t
	}
	if old {
		b.legacy(ast.LegacyDepthPseudo, at, modern)
	}
}

// oldDepth reports whether a ':depth(…)' is legacy. In edition 0.1 it is if it names the active
// head or the system header, which have no depth there (decision D41).
func (b *builder) oldDepth(ranges []ast.Depth) bool { return !b.edition01() || ranges[0].From < 1 }

// depthAnchor replaces the anchor with the depths of ':depth(…)'.
func (b *builder) depthAnchor(s, before *ast.Step, at ast.Span, ranges []ast.Depth) {
	start, anchorEnd := s.Start(), s.Anchor.Bounds().End
	if before != nil && s.Combinator == ast.Descendant && bareSeq(before) {
		start = before.Start() // joinSeq joins them
	}
	replaced := ast.Span{Start: start, End: at.End}
	anchor := replaced
	if len(s.Qualifiers) > 0 {
		anchor.End = anchorEnd // the qualifiers between are separate nodes
	}
	modern := depthText(ranges[0])
	if len(ranges) == 1 {
		s.Anchor = &ast.Depth{Extent: anchor.Extent(), From: ranges[0].From, To: ranges[0].To}
	} else {
		set := &ast.Coordinates{Extent: anchor.Extent()}
		var texts []string
		for _, r := range ranges {
			set.List = append(set.List, ast.Coordinate{Extent: anchor.Extent(), From: r.From, To: r.To})
			texts = append(texts, "("+depthText(r)+")")
		}
		s.Anchor, modern = set, "("+strings.Join(texts, ", ")+")"
	}
	b.positions = true
	if b.pseudoDepths == nil {
		b.pseudoDepths = map[ast.Anchor]bool{}
	}
	b.pseudoDepths[s.Anchor] = true
	between := b.src[anchorEnd:at.Start]
	switch {
	case !b.oldDepth(ranges):
	case b.edition01() && len(ranges) == 1 && ranges[0].From == 0 && ranges[0].To == 0:
		b.legacy(ast.LegacyDepthPseudo, replaced, "^ah"+between) // needs no parentheses in a union
	case b.edition01() && len(ranges) == 1 && ranges[0].To == -1:
		b.legacy(ast.LegacyDepthPseudo, replaced, "^sys"+between)
	default:
		b.legacyPosition(ast.LegacyDepthPseudo, replaced, modern+between)
	}
}

// joinSeq joins a bare `^seq` with the step after it if that is ':depth(…)', or a group that begins
// with it.
func (b *builder) joinSeq(steps []ast.Step) []ast.Step {
	s, seq := &steps[len(steps)-1], before(steps)
	if seq == nil || s.Combinator != ast.Descendant || !bareSeq(seq) {
		return steps
	}
	if hasSeq := s.Anchor.Bounds().Start == seq.Start(); !hasSeq && !b.joinParens(s, seq) { // see depthAnchor
		return steps
	}
	s.Combinator, s.Extent = seq.Combinator, upTo(seq.Extent, s.End())
	*seq, *s = *s, ast.Step{}
	return steps[:len(steps)-1]
}

// joinParens extends the record of a ':depth(…)' at the start of parentheses to the `^seq` before
// them, and reports whether the parentheses begin with one.
func (b *builder) joinParens(s, seq *ast.Step) bool {
	first, at := s.Anchor, s.Anchor.Bounds()
	for g, ok := first.(*ast.Group); ok; g, ok = first.(*ast.Group) {
		first = g.Chain.Steps[0].Anchor
	}
	if !b.pseudoDepths[first] {
		return false
	}
	for i := b.recordsFrom(at.Start); i < len(b.legacies); i++ {
		if l := &b.legacies[i]; l.Form == ast.LegacyDepthPseudo && l.position && at.Contains(l.Span) {
			l.Modern = b.src[at.Start:l.Start] + l.Modern
			l.Start = seq.Start()
			break // the record of the first step
		}
	}
	return true
}

func bareSeq(s *ast.Step) bool {
	r, ok := s.Anchor.(*ast.Region)
	return ok && r.Name == ast.Seq && len(s.Qualifiers) == 0
}

// noEnd is the end of a range that has only a lower bound.
const noEnd = math.MinInt64

// depthArguments reads the arguments of ':depth(…)': depths and ranges as in '1', '1,3', '1-3',
// '1..3' and '{1,2}', or one comparison. It returns ranges, ascending and disjoint, or nil if it
// has reported an error.
func (b *builder) depthArguments(args []int, at ast.Span) []ast.Depth {
	kind := func(i int) ll1.Kind {
		if i < len(args) {
			return b.tokens[args[i]].Kind
		}
		return ll1.TokEOF
	}
	if n := len(args); n > 1 && kind(0) == ll1.TokLbrace && kind(n-1) == ll1.TokRbrace {
		args = args[1 : n-1]
	}
	const signs ll1.Set = 1<<ll1.TokLt | 1<<ll1.TokLe | 1<<ll1.TokGt | 1<<ll1.TokGe
	if len(args) == 2 && signs.Has(kind(0)) {
		return b.depthComparison(operators[kind(0)], args[1], at)
	}
	var ranges []ast.Depth
	for next := 0; ; next++ { // after the comma
		first, last, sign := next, next, ""
		switch k := kind(first + 1); {
		case kind(first) != ll1.TokInt:
		case k == ll1.TokInt && b.text[b.tokens[args[first+1]].Start] == '-': // as in "1-3"
			last, sign = first+1, "-"
		case (k == ll1.TokMinus || k == ll1.TokRange) && kind(first+2) == ll1.TokInt:
			last = first + 2
		}
		next = last + 1
		decimal := kind(first) == ll1.TokDecimal // which is reported as one
		if k := kind(next); !decimal && (kind(first) != ll1.TokInt || k != ll1.TokEOF && k != ll1.TokComma) {
			return b.depthsExpected(at)
		}
		d, ok := b.depthArgument(args[first], args[last], sign)
		if !ok {
			return nil
		}
		if ranges = append(ranges, d); next == len(args) {
			return joinDepths(ranges)
		}
	}
}

// depthArgument reads one depth or range. The hyphen of a range may be the sign of its second
// number.
func (b *builder) depthArgument(first, last int, sign string) (d ast.Depth, ok bool) {
	from, to := b.core(first), b.core(last)
	if d.From, ok = b.depthNumber(from.Text(b.text), from); !ok || first == last {
		d.To = d.From
		return d, ok
	}
	d.To, ok = b.depthNumber(strings.TrimPrefix(to.Text(b.text), sign), to)
	return d, ok && b.depthRange(d.From, d.To, ast.Span{Start: from.Start, End: to.End})
}

// depthComparison reads '<0' and '<=-1', which mean the system header, and a lower bound of 1 or
// more.
func (b *builder) depthComparison(op ast.Op, arg int, at ast.Span) []ast.Depth {
	if b.tokens[arg].Kind != ll1.TokInt {
		return b.depthsExpected(at)
	}
	switch n, ok := b.integer(b.word(arg)); {
	case !ok:
		return nil
	case op == ast.OpLt && n == 0, op == ast.OpLe && n == -1:
		return []ast.Depth{{From: -1, To: -1}}
	case op == ast.OpGt && n >= 0 && n < math.MaxInt64:
		return []ast.Depth{{From: n + 1, To: noEnd}}
	case op == ast.OpGe && n >= 1:
		return []ast.Depth{{From: n, To: noEnd}}
	}
	return b.depthsExpected(at)
}

func (b *builder) depthsExpected(at ast.Span) []ast.Depth {
	b.refuse(at, "`:depth(…)` takes depths, as in `:depth(1)`, `:depth(1,3)` or `:depth(1-3)`",
		"the system header is `^sys`, and every sealed segment is `^seq .seg`")
	return nil
}

// joinDepths sorts ranges and joins those that touch or overlap.
func joinDepths(ranges []ast.Depth) []ast.Depth {
	slices.SortFunc(ranges, func(x, y ast.Depth) int { return cmp.Compare(x.From, y.From) })
	joined := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &joined[len(joined)-1]; r.From <= last.To || r.From == last.To+1 {
			last.To = max(last.To, r.To)
		} else {
			joined = append(joined, r)
		}
	}
	return joined
}

func depthText(d ast.Depth) string {
	text := "d" + strconv.FormatInt(d.From, 10)
	if d.To != d.From {
		text += "..d" + strconv.FormatInt(d.To, 10)
	}
	return text
}

// maxDepths bounds the list that a ':depth(…)' with gaps becomes where it is a test: it may have
// this many depths for each token of the arguments.
const maxDepths = 10

// depthFilter returns a filter on the attribute depth, and its text. Ranges with gaps become a list
// of depths; ok is false if it would have more than limit.
func depthFilter(ranges []ast.Depth, at ast.Span, limit int) (f *ast.Filter, modern string, ok bool) {
	f = &ast.Filter{Extent: at.Extent(), Form: ast.Brackets}
	var tests []string
	add := func(op ast.Op, depths ...int64) {
		f.Props = append(f.Props, numberTest("depth", op, at, depths...))
		text := "depth" + op.String() + fmt.Sprint(depths[0])
		if op == ast.OpIn {
			text = "depth in " + strings.ReplaceAll(fmt.Sprint(depths), " ", ", ")
		}
		tests = append(tests, text)
	}
	switch {
	case ranges[0].To == noEnd:
		add(ast.OpGe, ranges[0].From)
	case len(ranges) == 1 && ranges[0].From == ranges[0].To:
		add(ast.OpEq, ranges[0].From)
	case len(ranges) == 1:
		add(ast.OpGe, ranges[0].From)
		add(ast.OpLe, ranges[0].To)
	default:
		var depths []int64
		for _, r := range ranges {
			if r.To-r.From >= int64(limit-len(depths)) {
				return nil, "", false
			}
			for n := r.From; n <= r.To; n++ {
				depths = append(depths, n)
			}
		}
		add(ast.OpIn, depths...)
	}
	return f, "[" + strings.Join(tests, ", ") + "]", true
}

// numberTest returns a test that compares an attribute with numbers.
func numberTest(name string, op ast.Op, at ast.Span, operands ...int64) ast.Prop {
	values := make([]ast.Value, len(operands))
	for i, n := range operands {
		values[i] = ast.Value{Extent: at.Extent(), Kind: ast.Number, Text: strconv.FormatInt(n, 10)}
	}
	return ast.Prop{Extent: at.Extent(), Name: name, Op: op, Values: values}
}
