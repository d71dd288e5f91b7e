package eval

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
)

// Compile compiles a query that was parsed without an error. For any other query it returns nil and
// what is wrong.
func Compile(q *ast.Query) (*Plan, []diag.Diagnostic) {
	c := &compiler{query: q}
	p := &Plan{}
	if q.Time != nil {
		p.time = new(*q.Time)
	}
	for i := range q.Union {
		p.union = append(p.union, c.fragment(&q.Union[i]))
	}
	if len(p.union) == 0 {
		c.report(diag.SelectorInvalid, q, "the query is empty")
	}
	c.controls(p)
	if len(c.diags) > 0 {
		diag.Sort(c.diags)
		return nil, c.diags
	}
	for _, chains := range p.union {
		for _, side := range chains {
			side.prepare()
			p.life = p.life || side.life
		}
	}
	p.local = p.isLocal()
	if len(p.union) == 1 && len(p.union[0]) == 1 && p.union[0][0].direct != nil {
		p.direct = p.union[0][0]
	}
	return p, nil
}

// compiler resolves the names of a query. It reports what cannot run, also in queries that no
// parser made.
type compiler struct {
	query *ast.Query
	diags []diag.Diagnostic
}

func (c *compiler) report(code diag.Code, at ast.Node, format string, args ...any) {
	c.diags = append(c.diags, diag.Diagnostic{Code: code, Span: at.Bounds(), Message: fmt.Sprintf(format, args...)})
}

// fragment compiles the sides of ??.
func (c *compiler) fragment(f *ast.Fragment) (out []*chain) {
	for i := range f.Chains {
		side := &f.Chains[i]
		steps := c.steps(nil, side, ast.First)
		if len(steps) == 0 {
			c.report(diag.SelectorInvalid, side, "the chain has no step")
		}
		out = append(out, &chain{steps: steps})
	}
	if len(out) == 0 {
		c.report(diag.SelectorInvalid, f, "the query is empty")
	}
	return out
}

// steps appends the steps of a chain. Parentheses only group (D15), so a group is replaced by its
// steps: the first one gets the combinator of the group, and the last one its qualifiers.
func (c *compiler) steps(dst []*step, chain *ast.Chain, first ast.Combinator) []*step {
	for i := range chain.Steps {
		s := &chain.Steps[i]
		combinator := s.Combinator
		if i == 0 {
			combinator = first
		}
		if group, ok := s.Anchor.(*ast.Group); ok {
			dst = c.steps(dst, group.Chain, combinator)
		} else {
			dst = append(dst, c.anchor(s, combinator))
		}
		if len(dst) > 0 {
			c.qualify(dst[len(dst)-1], s.Qualifiers)
		}
	}
	return dst
}

func (c *compiler) anchor(s *ast.Step, combinator ast.Combinator) *step {
	out := &step{span: s.Bounds(), combinator: combinator, parts: make([]part, 1)}
	add := func(t *test) { out.any, out.parts[0].tests = true, append(out.parts[0].tests, t) }
	switch a := s.Anchor.(type) {
	case *ast.Any:
		out.any = true
	case *ast.Region:
		switch a.Name {
		case ast.Sys:
			out.coordinates = []coordinate{newCoordinate(-1, -1, nil)}
		case ast.Head:
			out.coordinates = []coordinate{newCoordinate(0, 0, nil)}
		case ast.Root:
			out.roots = rootNode
		case ast.Seq:
			out.roots = seqNode
		}
	case *ast.Depth:
		out.coordinates = []coordinate{newCoordinate(a.From, a.To, nil)}
	case *ast.Coordinates:
		for _, p := range a.List {
			out.coordinates = append(out.coordinates, newCoordinate(p.From, p.To, p.Offsets))
		}
	case *ast.Type:
		add(newTypeTest(a.Name))
	case *ast.Key:
		add(keyTest(a))
	case *ast.Zone:
		out.zone = true
		add(newZoneTest(a.Name))
	default:
		c.report(diag.SelectorInvalid, s, "the step has no anchor")
	}
	return out
}

func keyTest(k *ast.Key) *test {
	if k.ID {
		return newWordTest("id", k.Name)
	}
	return newWordTest("key", k.Name)
}

// qualify adds qualifiers to a step. Tests between two positional pseudos form one part, in which
// their order has no meaning (D3).
func (c *compiler) qualify(s *step, list []ast.Qualifier) {
	last := func() *part {
		if s.parts[len(s.parts)-1].position != nil {
			s.parts = append(s.parts, part{})
		}
		return &s.parts[len(s.parts)-1]
	}
	add := func(t *test) {
		p := last()
		p.tests = append(p.tests, t)
	}
	for _, q := range list {
		switch q := q.(type) {
		case *ast.Tag:
			add(newWordTest("tag", q.Name))
		case *ast.Key:
			add(keyTest(q))
		case *ast.Zone:
			add(newZoneTest(q.Name))
		case *ast.Filter:
			for i := range q.Props {
				if t := c.test(&q.Props[i]); t != nil {
					add(t)
				}
			}
		case *ast.Positional:
			last().position = new(*q)
		}
	}
}

func (c *compiler) test(p *ast.Prop) *test {
	if p.Op != ast.OpPresent && len(p.Values) == 0 {
		c.report(diag.SelectorInvalid, p, "the test of `%s` has no value", p.Name)
		return nil
	}
	if term := vocab.Lookup(vocab.Attribute, p.Name); term != nil && term.NeedsTime && c.query.Time == nil {
		c.report(diag.TimeRequired, p, "`%s` depends on time, so the selector must begin with one", p.Name)
	}
	t := newTest(p)
	if p.Op == ast.OpMatch {
		var err error
		if t.re, err = newPattern(p.Values[0].Text); err != nil {
			c.report(diag.SelectorInvalid, &p.Values[0], "the regular expression does not compile: %v", err)
			return nil
		}
	}
	return t
}

// controls compiles the controls. Exact repetitions of an unknown control are dropped.
func (c *compiler) controls(p *Plan) {
	unknown := map[Control]bool{}
	for i := range c.query.Controls() {
		control := &c.query.Controls()[i]
		term := vocab.Lookup(vocab.Control, control.Name)
		if term == nil {
			u := Control{control.Name, control.Value, control.HasValue}
			if !unknown[u] {
				unknown[u] = true
				p.unknownControls = append(p.unknownControls, u)
			}
			continue
		}
		number := int64(0)
		if term.ValueType == vocab.IntType {
			var err error
			if number, err = strconv.ParseInt(control.Value, 10, 64); err != nil || number < 0 {
				c.report(diag.ControlInvalid, control, "`@%s` needs a whole number", control.Name)
				continue
			}
		}
		if term.ValueType == vocab.EnumType && !slices.Contains(term.Params, control.Value) {
			c.report(diag.ControlInvalid, control, "`@%s` needs one of %s", control.Name, strings.Join(term.Params, ", "))
			continue
		}
		controls[term.ID](p, control, number)
	}
	switch {
	case p.page > 0 && !p.limited:
		c.report(diag.ControlInvalid, c.query, "`@p` needs `@limit`, the size of a page")
	case p.mode != "" && (p.time == nil || p.time.Kind == ast.TimeAt || p.time.Kind == ast.TimeEvery):
		c.report(diag.TimeRequired, c.query, "`@mode` says how the snapshots of a range or pair are combined, and the time is neither")
	}
}

// controls has an entry for every control of the vocabulary.
var controls = map[string]func(p *Plan, c *ast.Control, number int64){
	"control.mode":   func(p *Plan, c *ast.Control, _ int64) { p.mode = Mode(c.Value) },
	"control.order":  func(p *Plan, c *ast.Control, _ int64) { p.order = sorters[c.Value] },
	"control.unique": func(p *Plan, c *ast.Control, _ int64) { p.unique = new(c.Bounds()) },
	"control.skip":   func(p *Plan, _ *ast.Control, n int64) { p.skip = n },
	"control.p":      func(p *Plan, _ *ast.Control, n int64) { p.page = n },
	"control.limit":  func(p *Plan, _ *ast.Control, n int64) { p.limit, p.limited = n, true },
	"control.first":  func(p *Plan, _ *ast.Control, _ int64) { p.limit, p.limited = 1, true },
}
