package custom

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// replacement is the pattern that a fix writes instead of another one.
type replacement struct {
	pattern
	removes bool // the fix writes nothing
}

// editor collects the edits of one selector.
type editor struct {
	q     *ast.Query
	src   string
	edits []diag.Edit
	fails bool // no edit makes the replacement
}

// fix returns the edits that replace a match of p in a selector. It returns nil if no edits do so,
// or if they would make an error.
func (r *replacement) fix(p *pattern, m match, q *ast.Query, src string) []diag.Edit {
	e := editor{q: q, src: src}
	e.times(p, &r.pattern)
	switch {
	case len(r.steps) == len(p.steps):
		for i := range p.steps {
			if i > 0 && p.steps[i].child != r.steps[i].child {
				e.combinator(&m.steps[i-1], &m.steps[i], r.steps[i].child)
			}
			e.step(&p.steps[i], &r.steps[i], &m.steps[i], r.src)
		}
	case r.removes && len(p.steps) == 1:
		e.step(&p.steps[0], &step{}, &m.steps[0], "")
	default:
		e.fails = true
	}
	e.controls(p, &r.pattern) // after what is added to the last step, where both are at its end
	slices.SortStableFunc(e.edits, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	if e.fails || e.makesError() {
		return nil
	}
	return e.edits
}

// makesError reports whether the edits overlap, or make a wrong selector of a correct one.
func (e *editor) makesError() bool {
	within := e.q.Bounds()
	own := slices.Clone(e.edits)
	for i := range own {
		own[i].Span.Start -= within.Start
		own[i].Span.End -= within.Start
	}
	text, ok := diag.Apply(within.Text(e.src), own)
	return !ok || isWrong(text) && !isWrong(within.Text(e.src))
}

func isWrong(selector string) bool {
	_, ds := parser.ParseSelector(selector, parser.Options{})
	return diag.HasErrors(ds)
}

func (e *editor) replace(at ast.Span, text string) {
	e.edits = append(e.edits, diag.Edit{Span: at, Text: text})
}

// remove removes a part of the selector and the blanks before it. At the start of the selector, it
// removes the blanks after the part.
func (e *editor) remove(at ast.Span) {
	within := e.q.Bounds()
	for at.Start > within.Start && isBlank(e.src[at.Start-1]) {
		at.Start--
	}
	for at.Start == within.Start && at.End < within.End && isBlank(e.src[at.End]) {
		at.End++
	}
	e.replace(at, "")
}

func isBlank(c byte) bool { return c == ' ' || c == '\t' }

// times replaces, adds or removes the time.
func (e *editor) times(p, r *pattern) {
	before, after, written := p.time, r.time, e.q.Time
	switch {
	case before == nil && after == nil, before != nil && after != nil && sameTime(before, after):
	case after == nil && written == nil:
		e.fails = true
	case after == nil:
		e.remove(written.Bounds())
	case written != nil:
		e.replace(written.Bounds(), after.Bounds().Text(r.src))
	default:
		e.replace(ast.Span{Start: e.q.Start(), End: e.q.Start()}, after.Bounds().Text(r.src)+" ")
	}
}

// controls replaces the controls of a pattern by those of its replacement, name by name.
func (e *editor) controls(p, r *pattern) {
	for i := range p.controls {
		written := p.control(i, e.q)
		k := slices.IndexFunc(r.controls, func(c ast.Control) bool { return c.Name == p.controls[i].Name })
		switch {
		case k < 0:
			e.remove(written.Bounds())
		case r.controls[k].HasValue && r.controls[k].Value != written.Value:
			e.replace(written.Bounds(), r.controls[k].Text(r.src))
		}
	}
	e.addControls(r, func(c ast.Control) bool {
		return !slices.ContainsFunc(p.controls, func(o ast.Control) bool { return o.Name == c.Name })
	})
}

// addControls adds controls at the end of the selector, or replaces those of the same name.
func (e *editor) addControls(r *pattern, takes func(ast.Control) bool) {
	for _, c := range r.controls {
		if !takes(c) {
			continue
		}
		if i := slices.IndexFunc(e.q.Controls(), func(o ast.Control) bool { return o.Name == c.Name }); i >= 0 {
			e.replace(e.q.Controls()[i].Bounds(), c.Text(r.src))
		} else {
			e.replace(ast.Span{Start: e.q.End(), End: e.q.End()}, " "+c.Text(r.src))
		}
	}
}

// combinator replaces what is between two steps. Without '>', a step that begins with a tag or a
// test would belong to the one before it.
func (e *editor) combinator(before, s *step, child bool) {
	at := ast.Span{Start: before.end, End: s.node.Start}
	written := strings.TrimSpace(at.Text(e.src))
	switch {
	case written != "" && written != ">", !child && strings.ContainsRune("+{[:", rune(e.src[at.End])):
		e.fails = true
	case child:
		e.replace(at, " > ")
	default:
		e.replace(at, " ")
	}
}

// step edits one step. The parts that only the replacement has take the place of those that only
// the pattern has. All other parts stay where they are.
func (e *editor) step(p, r, found *step, text string) {
	var added []part
	for _, x := range r.parts {
		if _, common := x.findIn(p.parts); !common {
			added = append(added, x)
		}
	}
	var removed []part
	for i, x := range p.parts {
		if _, common := x.findIn(r.parts); !common {
			removed = append(removed, found.parts[i])
		}
	}
	take := func(x part, i int) {
		e.replacePart(x, added[i], text)
		added = slices.Delete(added, i, i+1)
	}
	whole := text == "" && len(removed) == len(found.all)
	if whole && found.last {
		e.fails = true // the selector would select what the step before it does
	}
	var others []part
	for _, x := range removed {
		i := slices.IndexFunc(added, func(a part) bool { return a.word != "" && a.word == x.word })
		if i < 0 {
			others = append(others, x)
			continue
		}
		take(x, i)
	}
	for _, x := range others {
		if len(added) > 0 && x.value == nil {
			take(x, 0)
		} else {
			e.removePart(x, whole)
		}
	}
	var more strings.Builder
	for _, x := range added {
		more.WriteString(partText(x, text))
	}
	if more.Len() > 0 {
		e.replace(ast.Span{Start: found.end, End: found.end}, more.String())
	}
}

// removePart removes a part of a step. Unless the whole step goes, its anchor becomes '*': without
// one, the rest would belong to the step before it.
func (e *editor) removePart(x part, whole bool) {
	if x.filter == nil {
		if x.leads && !whole {
			e.replace(x.span, "*")
		} else {
			e.remove(x.span)
		}
		return
	}
	props := x.filter.Props
	i := slices.IndexFunc(props, func(p ast.Prop) bool { return p.Bounds() == x.node.Bounds() })
	switch {
	case x.span != x.node.Bounds() && len(props[i].Values) > 1:
		e.fails = true // a list selects less without a value, and a step more without a test
	case i > 0:
		e.replace(ast.Span{Start: props[i-1].End(), End: props[i].End()}, "")
	case len(props) > 1:
		e.replace(ast.Span{Start: props[0].Start(), End: props[1].Start()}, "")
	case x.leads && !whole:
		e.replace(x.filter.Bounds(), "*")
	default:
		e.remove(x.filter.Bounds())
	}
}

// replacePart replaces part x of a step by another.
func (e *editor) replacePart(x, by part, text string) {
	switch {
	case x.value != nil && by.word == x.word: // keeps the quotes
		at := x.value.Bounds()
		if !x.value.Quoted || at.Len() != len(x.name)+2 || !ast.IsName(by.name) {
			e.fails = true
			return
		}
		e.replace(ast.Span{Start: at.Start + 1, End: at.End - 1}, by.name)
	case !x.leads && !isQualifier(by):
		e.fails = true
	case x.leads && isAnchor(x) && !isAnchor(by):
		e.replace(x.span, "*"+partText(by, text))
	case x.filter == nil:
		e.replace(x.span, partText(by, text))
	case by.filter != nil && x.span == x.node.Bounds():
		e.replace(x.span, by.span.Text(text))
	case len(x.filter.Props) == 1:
		e.replace(x.filter.Bounds(), partText(by, text))
	default:
		e.fails = true
	}
}

func isAnchor(x part) bool {
	_, ok := x.node.(ast.Anchor)
	return ok
}

func isQualifier(x part) bool {
	_, ok := x.node.(ast.Qualifier)
	return ok || x.filter != nil
}

// partText returns a part in the form in which it follows a step.
func partText(x part, text string) string {
	if x.filter != nil {
		return "{" + x.node.Bounds().Text(text) + "}"
	}
	return x.span.Text(text)
}
