package lint

import (
	"fmt"
	"iter"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// step is a step with all its qualifiers. Parentheses around a chain only group: qualifiers after
// them apply to the last step inside.
type step struct {
	*ast.Step
	qualifiers []ast.Qualifier
}

// steps yields every step of the selector in source order.
func (p *pass) steps() iter.Seq[step] {
	return func(yield func(step) bool) {
		for _, f := range p.Query.Union {
			for i := range f.Chains {
				if !chainSteps(&f.Chains[i], nil, yield) {
					return
				}
			}
		}
	}
}

// chainSteps yields the steps of a chain; more are further qualifiers of its last step.
func chainSteps(c *ast.Chain, more []ast.Qualifier, yield func(step) bool) bool {
	for i := range c.Steps {
		s := &c.Steps[i]
		q := s.Qualifiers
		if i == len(c.Steps)-1 && len(more) > 0 {
			q = slices.Concat(q, more)
		}
		if g, ok := s.Anchor.(*ast.Group); ok {
			if !chainSteps(g.Chain, q, yield) {
				return false
			}
		} else if !yield(step{s, q}) {
			return false
		}
	}
	return true
}

// props yields every test of an attribute.
func (p *pass) props() iter.Seq[*ast.Prop] {
	return func(yield func(*ast.Prop) bool) {
		for n := range ast.All(p.Query) {
			if t, ok := n.(*ast.Prop); ok && !yield(t) {
				return
			}
		}
	}
}

// test is one test of a step: a member of a filter, or a qualifier that is a test by itself.
type test struct {
	prop   *ast.Prop     // nil for a tag, a key or a zone
	filter *ast.Filter   // that prop is in
	node   ast.Qualifier // the qualifier; nil for an anchor that is a test of an attribute
	at     ast.Span      // of such an anchor
}

func (t test) span() ast.Span {
	switch {
	case t.node == nil:
		return t.at
	case t.prop != nil:
		return t.prop.Bounds()
	}
	return t.node.Bounds()
}

func (t test) positional() bool {
	_, ok := t.node.(*ast.Positional)
	return ok
}

// key identifies a test: two tests have the same key if and only if they are equal.
func (t test) key() string {
	if t.prop != nil {
		b := fmt.Appendf(nil, "%s %d %t", t.prop.Name, t.prop.Op, t.prop.Flag)
		for _, v := range t.prop.Values {
			b = fmt.Appendf(b, " %d %t %q", v.Kind, v.Quoted, v.Text)
		}
		return string(b)
	}
	switch n := t.node.(type) {
	case *ast.Tag:
		return "+" + n.Name
	case *ast.Key:
		return fmt.Sprintf("#%t %s", n.ID, n.Name)
	case *ast.Zone:
		return fmt.Sprintf(":%d", n.Name)
	case *ast.Positional:
		return fmt.Sprintf("::%d %d", n.Name, n.N)
	}
	return "" // not reached: a filter is split into its tests
}

// runs yields the runs of tests of a step within which order does not matter: those before the
// first positional pseudo, those between it and the next, and so on (decision D3).
func runs(s step) iter.Seq[[]test] {
	return func(yield func([]test) bool) {
		var run []test
		for _, q := range s.qualifiers {
			switch q := q.(type) {
			case *ast.Positional:
				if len(run) > 0 && !yield(run) {
					return
				}
				run = nil
			case *ast.Filter:
				for i := range q.Props {
					run = append(run, test{prop: &q.Props[i], filter: q, node: q})
				}
			default:
				run = append(run, test{node: q})
			}
		}
		if len(run) > 0 {
			yield(run)
		}
	}
}

// remove returns the edit that removes a test from its step, with the comma or the brackets around
// it.
func (p *pass) remove(t test) diag.Edit {
	at := t.span()
	if t.prop == nil {
		return diag.Edit{Span: p.withBlank(at)}
	}
	props := t.filter.Props
	if len(props) == 1 {
		return diag.Edit{Span: p.withBlank(t.filter.Bounds())}
	}
	for i := range props {
		switch {
		case &props[i] != t.prop:
		case i > 0:
			return diag.Edit{Span: ast.Span{Start: props[i-1].End(), End: at.End}}
		default:
			return diag.Edit{Span: ast.Span{Start: at.Start, End: props[1].Start()}}
		}
	}
	return diag.Edit{Span: at}
}

// withBlank extends a span to include the blanks before it.
func (p *pass) withBlank(at ast.Span) ast.Span {
	for at.Start > p.Start && (p.src[at.Start-1] == ' ' || p.src[at.Start-1] == '\t') {
		at.Start--
	}
	return at
}
