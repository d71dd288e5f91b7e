package parser

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// depth reads 'd1', 'd1..d3', 'd1..3'.
func (b *builder) depth(s *ast.Step) {
	b.places = true
	if b.tokens[b.nearest()].Kind == ll1.TokDepthCall {
		b.depthCall(s)
		return
	}
	var bounds [2]int64
	n := 0
	var span ast.Span
	ok := true
	for e, more := b.next(); more; e, more = b.next() {
		if e.Kind() == ll1.TokRange {
			continue
		}
		text, at := b.word(e)
		if span.End == 0 {
			span = at
		}
		span.End = at.End
		number, valid := b.depthNumber(strings.TrimPrefix(text, "d"), at)
		ok = ok && valid
		bounds[min(n, 1)] = number
		n++
	}
	cover(s, span.End)
	if n == 0 {
		s.Anchor = &ast.Bad{Extent: s.Extent}
		return
	}
	from, to := bounds[0], bounds[min(n-1, 1)]
	if !ok || !b.depthRange(from, to, span) {
		s.Anchor = &ast.Bad{Extent: span.Extent()}
		return
	}
	d := b.nodes.depths.New()
	d.Extent, d.From, d.To = span.Extent(), from, to
	s.Anchor = d
}

// depthNumber reads the number of a depth.
func (b *builder) depthNumber(text string, at ast.Span) (int64, bool) {
	if strings.Contains(text, ".") {
		b.report(diag.Diagnostic{Code: diag.DepthNotInt, Span: at, Message: "a depth is a whole number"})
		return 0, false
	}
	n, ok := b.integer(text, at)
	if ok && n < -1 {
		b.report(diag.Diagnostic{
			Code: diag.DepthNegative, Span: at, Message: "a depth is -1 or more",
			Hint: "-1 is the system header, 0 the active head, 1 the newest segment",
		})
		return 0, false
	}
	return n, ok
}

func (b *builder) depthRange(from, to int64, at ast.Span) bool {
	if from <= to {
		return true
	}
	b.report(diag.Diagnostic{
		Code: diag.DepthRangeInvalid, Span: at, Message: "the range runs backwards",
		Hint: "write `" + depthText(ast.Depth{From: to, To: from}) + "`",
	})
	return false
}

// depthCall reads 'depth(1)'.
func (b *builder) depthCall(s *ast.Step) {
	c := b.arguments()
	cover(s, c.at.End)
	s.Anchor = &ast.Bad{Extent: c.at.Extent()}
	switch {
	case !c.closed: // reported
	case len(c.args) != 1 || b.tokens[c.args[0]].Kind != ll1.TokInt && b.tokens[c.args[0]].Kind != ll1.TokDecimal:
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: c.at, Message: "`depth(…)` takes one whole number",
			Hint: "a range of depths is written `d1..d3`",
		})
	default:
		arg := b.core(c.args[0])
		if n, ok := b.depthNumber(arg.Text(b.text), arg); ok {
			s.Anchor = &ast.Depth{Extent: c.at.Extent(), From: n, To: n}
		}
	}
}

// depthPseudo reads the 0.1 form ':depth(…)'. It takes the place of a segment anchor, together with a bare
// `^seq` before it; behind a positional pseudo it is a test of the depth.
func (b *builder) depthPseudo(s *ast.Step, c call) {
	at := c.at
	ranges, ok := b.depthArguments(c.args, at)
	if !ok {
		return
	}
	tested := slices.ContainsFunc(s.Qualifiers, func(q ast.Qualifier) bool {
		_, positional := q.(*ast.Positional)
		return positional
	})
	anchorEnd := s.Start()
	switch a := s.Anchor.(type) {
	case *ast.Any:
		anchorEnd = a.End()
	case *ast.Type:
		anchorEnd = a.End()
		if a.Name != "seg" {
			b.depthMisplaced(at)
			return
		}
	case *ast.Depth, *ast.Coordinates:
		tested = true // a second :depth() narrows the first
	case *ast.Bad:
		return
	default:
		b.depthMisplaced(at)
		return
	}
	if tested {
		f, ok := depthFilter(ranges, at, maxDepths*len(c.args))
		if !ok {
			b.errorf(at, "a range in a list of depths is too long here; the whole list may have %d depths for each written", maxDepths)
			return
		}
		s.Qualifiers = append(s.Qualifiers, f)
		if !b.edition01() {
			b.legacy(ast.LegacyDepthPseudo, at, depthFilterText(f))
		}
		return
	}
	start := s.Start()
	if seq := b.previous(); seq != nil && s.Combinator == ast.Descendant && bareSeq(seq) {
		s.Combinator, start = seq.Combinator, seq.Start()
		s.Extent = ast.Span{Start: start, End: s.End()}.Extent()
		b.steps = b.steps[:len(b.steps)-1]
	}
	replaced := ast.Span{Start: start, End: at.End}
	anchor := replaced
	if len(s.Qualifiers) > 0 {
		anchor.End = anchorEnd // the qualifiers between are nodes of their own
	}
	place := strings.Builder{}
	if len(ranges) == 1 {
		s.Anchor = &ast.Depth{Extent: anchor.Extent(), From: ranges[0].From, To: ranges[0].To}
		place.WriteString(depthText(ranges[0]))
	} else {
		set := &ast.Coordinates{Extent: anchor.Extent()}
		for i, r := range ranges {
			set.Places = append(set.Places, ast.Coordinate{Extent: anchor.Extent(), From: r.From, To: r.To})
			place.WriteString([...]string{"((", ", ("}[min(i, 1)] + depthText(r) + ")")
		}
		place.WriteString(")")
		s.Anchor = set
	}
	b.places = true
	b.depthless = append(b.depthless, s.Anchor)
	if !b.edition01() {
		b.legacyPlace(ast.LegacyDepthPseudo, replaced, place.String()+b.src[anchorEnd:at.Start])
	}
}

func (b *builder) depthMisplaced(at ast.Span) {
	b.report(diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "`:depth(…)` only qualifies segments",
		Hint:    "put the depth in front, as in `d1 .block`",
	})
}

func bareSeq(s *ast.Step) bool {
	r, ok := s.Anchor.(*ast.Region)
	return ok && r.Name == ast.Seq && len(s.Qualifiers) == 0
}

// depthArguments reads '1', '1,2', '1-3' and mixtures into ascending, disjoint ranges.
func (b *builder) depthArguments(args []int, at ast.Span) ([]ast.Depth, bool) {
	refuse := func(hint string) ([]ast.Depth, bool) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "`:depth(…)` takes depths, as in `:depth(1)`, `:depth(1,3)` or `:depth(1-3)`", Hint: hint,
		})
		return nil, false
	}
	if len(args) == 0 {
		return refuse("")
	}
	var ranges []ast.Depth
	for i := 0; i < len(args); i++ {
		t := b.core(args[i])
		text := t.Text(b.text)
		switch kind := b.tokens[args[i]].Kind; {
		case kind == ll1.TokDecimal:
			b.depthNumber(text, t)
			return nil, false
		case kind != ll1.TokInt:
			return refuse("every sealed segment is `^seq .seg`")
		}
		from, ok := b.integer(text, t)
		if !ok {
			return nil, false
		}
		if from < 0 {
			b.report(diag.Diagnostic{Code: diag.DepthNegative, Span: t, Message: "`:depth(…)` counts from 0"})
			return nil, false
		}
		to := from
		if i+1 < len(args) && b.tokens[args[i+1]].Kind == ll1.TokInt {
			i++
			end := b.core(args[i])
			text := end.Text(b.text)
			if text[0] != '-' {
				return refuse("")
			}
			if to, ok = b.integer(text[1:], end); !ok || !b.depthRange(from, to, ast.Span{Start: t.Start, End: end.End}) {
				return nil, false
			}
		}
		ranges = append(ranges, ast.Depth{From: from, To: to})
		if i++; i < len(args) && (b.tokens[args[i]].Kind != ll1.TokComma || i == len(args)-1) {
			return refuse("")
		}
	}
	slices.SortFunc(ranges, func(x, y ast.Depth) int { return int(min(max(x.From-y.From, -1), 1)) })
	joined := ranges[:1]
	for _, r := range ranges[1:] {
		if last := &joined[len(joined)-1]; r.From <= last.To || r.From == last.To+1 {
			last.To = max(last.To, r.To)
		} else {
			joined = append(joined, r)
		}
	}
	return joined, true
}

func depthText(d ast.Depth) string {
	text := "d" + strconv.FormatInt(d.From, 10)
	if d.To != d.From {
		text += "..d" + strconv.FormatInt(d.To, 10)
	}
	return text
}

// maxDepths bounds the list that ':depth(…)' with gaps becomes behind a positional pseudo, in relation to what was
// written.
const maxDepths = 10

// depthFilter tests the derived attribute depth. A list with gaps is written out and has most depths.
func depthFilter(ranges []ast.Depth, at ast.Span, most int) (*ast.Filter, bool) {
	value := func(n int64) ast.Value {
		return ast.Value{Extent: at.Extent(), Kind: ast.Number, Text: strconv.FormatInt(n, 10)}
	}
	prop := func(op ast.Op, values ...ast.Value) ast.Prop {
		return ast.Prop{Extent: at.Extent(), Name: "depth", Op: op, Values: values}
	}
	f := &ast.Filter{Extent: at.Extent(), Form: ast.Brackets}
	switch first := ranges[0]; {
	case len(ranges) == 1 && first.From == first.To:
		f.Props = []ast.Prop{prop(ast.OpEq, value(first.From))}
	case len(ranges) == 1:
		f.Props = []ast.Prop{prop(ast.OpGe, value(first.From)), prop(ast.OpLe, value(first.To))}
	default:
		in := prop(ast.OpIn)
		for _, r := range ranges {
			if r.To-r.From >= int64(most-len(in.Values)) {
				return nil, false
			}
			for n := r.From; n <= r.To; n++ {
				in.Values = append(in.Values, value(n))
			}
		}
		f.Props = []ast.Prop{in}
	}
	return f, true
}

// depthFilterText is the modern text of a test of the depth.
func depthFilterText(f *ast.Filter) string {
	var tests []string
	for _, p := range f.Props {
		var values []string
		for _, v := range p.Values {
			values = append(values, v.Text)
		}
		if p.Op == ast.OpIn {
			tests = append(tests, "depth in ["+strings.Join(values, ", ")+"]")
		} else {
			tests = append(tests, "depth"+p.Op.String()+values[0])
		}
	}
	return "[" + strings.Join(tests, ", ") + "]"
}
