package lint

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// egregoreTests are the tests that egregore reads in square brackets.
var egregoreTests = []string{"ttl", "cad", "ephemeral", "sticky"}

// egregore finds what egregore 0.1.5a0 does not read, or reads in another way. What it says is what
// the conformance suite shows (conformance/RESULTS.md).
func egregore(p *pass) {
	if t := p.Query.Time; t != nil && !(t.Kind == ast.TimeAt && t.From.Kind == ast.Relative) {
		p.report(t.Bounds(), "egregore reads `@t0` and `@t-1` only", "ask for each snapshot by itself")
	}
	for _, f := range p.Query.Union {
		for i := range f.Chains[1:] {
			p.report(f.Chains[i+1].Bounds(), "egregore reads `??` as a search below the left side", "ask for each side by itself")
		}
	}
	for n := range ast.All(p.Query) {
		if g, ok := n.(*ast.Group); ok {
			p.report(g.Bounds(), "egregore reads only coordinates in parentheses", "leave the parentheses out")
		}
	}
	for s := range p.steps() {
		p.egregoreAnchor(s)
		for _, q := range s.qualifiers {
			p.egregoreQualifier(s, q)
		}
	}
	for _, c := range p.Query.Controls() {
		p.report(c.Bounds(), "egregore does not read controls at the end", "cut the result in the program")
	}
}

func (p *pass) egregoreAnchor(s step) {
	switch a := s.Anchor.(type) {
	case *ast.Region:
		if a.Name == ast.Root {
			p.report(a.Bounds(), "egregore does not read `^root`", "leave it out")
		}
	case *ast.Depth:
		p.report(a.Bounds(), "egregore reads depths only in parentheses", "write `(d1)` or `(d1..d3)`")
	case *ast.Type:
		if strings.Contains(a.Name, ".") {
			p.report(a.Bounds(), "egregore does not read types with dots", "")
		}
	case *ast.Zone:
		p.report(a.Bounds(), "egregore ignores pseudo-classes", "")
	case *ast.Any:
		if !a.Implied && len(s.qualifiers) > 0 {
			p.report(s.Bounds(), "egregore does not read qualifiers of `*`", "leave the star out where a step must begin")
		}
	}
}

// isIndexed reports whether egregore looks a first step up in its indexes of types, tags and keys.
func (s step) isIndexed() bool {
	switch s.Anchor.(type) {
	case *ast.Type, *ast.Key:
		return true
	}
	return slices.ContainsFunc(s.qualifiers, func(q ast.Qualifier) bool {
		switch q.(type) {
		case *ast.Tag, *ast.Key:
			return true
		}
		return false
	})
}

func (p *pass) egregoreQualifier(s step, q ast.Qualifier) {
	switch q := q.(type) {
	case *ast.Zone, *ast.Positional:
		p.report(q.Bounds(), "egregore ignores pseudo-classes", "")
	case *ast.Filter:
		if s.Combinator == ast.First && s.isIndexed() {
			p.report(q.Bounds(), "egregore ignores the tests of a first step with a type, a tag or a key",
				"begin with the step above it, such as `^ah .block{…}`")
		}
		if q.Form == ast.Parens {
			p.report(q.Bounds(), "egregore does not read tests in parentheses", "write `[…]` or `{…}`")
			return
		}
		for i := range q.Props {
			p.egregoreTest(q, &q.Props[i])
		}
	}
}

func (p *pass) egregoreTest(f *ast.Filter, t *ast.Prop) {
	switch {
	case f.Form == ast.Brackets && !slices.Contains(egregoreTests, t.Name):
		p.report(t.Bounds(), "egregore reads only `ttl`, `cad`, `ephemeral` and `sticky` in square brackets", "write `{…}`")
	case t.Op == ast.OpIn || t.Op == ast.OpMatch || t.Op == ast.OpPresent && !t.Flag && f.Form == ast.Braces:
		p.report(t.Bounds(), "egregore reads only comparisons with one value", "")
	case len(t.Values) == 1 && t.Values[0].Kind == ast.Null:
		p.report(t.Bounds(), "egregore finds no node that lacks an attribute", "")
	}
}
