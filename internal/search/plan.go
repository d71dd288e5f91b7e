package search

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// plan is a query that a tape can answer.
type plan struct {
	at        ast.Instant
	fragments [][]step // only the first match of a node counts
	// exact reports whether the tape has the answer. Otherwise the answer is among the nodes that
	// the plan finds, so a session in which it finds nothing has no match.
	exact       bool
	skip, limit int64 // limit is -1 for all
	containers  bool  // a step may find containers
	single      *step // the only step
}

// step is a step of a chain.
type step struct {
	combinator ast.Combinator
	region     base // a root or region as the anchor
	isRegion   bool
	depths     []ast.Coordinate // as anchors
	parts      []filter         // at least one
}

// filter is a run of tests and the positional pseudo after it, if there is one.
type filter struct {
	tests    []test
	position *ast.Positional
}

// newPlan makes a plan for tapes of a query that parses and compiles. It returns nil for one that
// needs a history.
func newPlan(q *ast.Query) *plan {
	p := &plan{exact: true, limit: -1}
	if q.Time != nil {
		if q.Time.Kind != ast.TimeAt || q.Time.From.Kind == ast.Oldest {
			return nil
		}
		p.at = q.Time.From
	}
	if !p.controls(q.Controls()) {
		return nil
	}
	for i := range q.Union {
		if len(q.Union[i].Chains) != 1 {
			return nil // whether the first side finds something may depend on what a tape does not hold
		}
		steps, ok := p.chain(nil, &q.Union[i].Chains[0], ast.First)
		if !ok {
			return nil
		}
		p.fragments = append(p.fragments, steps)
		p.containers = p.containers || slices.ContainsFunc(steps, step.mayBeContainer)
	}
	if !p.exact && p.counts() {
		return nil
	}
	if len(p.fragments) == 1 && len(p.fragments[0]) == 1 {
		if s := &p.fragments[0][0]; !s.isRegion && len(s.depths) == 0 && len(s.parts) == 1 && s.parts[0].position == nil {
			p.single = s
		}
	}
	return p
}

// mayBeContainer reports whether the step may find containers.
func (s step) mayBeContainer() bool {
	return !s.isRegion && !slices.ContainsFunc(s.parts[0].tests, func(t test) bool {
		return t.attr == attrType && !t.not && !t.types.cont && !t.types.log && !t.types.record
	})
}

// counts reports whether the answer depends on how many nodes there are, so more candidates give
// another answer.
func (p *plan) counts() bool {
	return p.skip > 0 || p.limit >= 0 || slices.ContainsFunc(p.fragments, func(steps []step) bool {
		return slices.ContainsFunc(steps, func(s step) bool {
			return slices.ContainsFunc(s.parts, func(f filter) bool { return f.position != nil })
		})
	})
}

// controls reads the controls. It returns false for one that a tape does not follow.
func (p *plan) controls(list []ast.Control) bool {
	page := int64(0)
	for _, c := range list {
		n, _ := strconv.ParseInt(c.Value, 10, 64)
		switch term := vocab.Lookup(vocab.Control, c.Name); {
		case term == nil: // for the caller of a library
		case term.ID == "control.skip":
			p.skip = n
		case term.ID == "control.limit":
			p.limit = n
		case term.ID == "control.first":
			p.limit = 1
		case term.ID == "control.p":
			page = n
		case term.ID == "control.order" && c.Value == "pre":
		default:
			return false
		}
	}
	return page <= 1
}

// chain appends the steps of a chain.
func (p *plan) chain(dst []step, c *ast.Chain, first ast.Combinator) ([]step, bool) {
	for i := range c.Steps {
		s := &c.Steps[i]
		combinator := s.Combinator
		if i == 0 {
			combinator = first
		}
		if group, ok := s.Anchor.(*ast.Group); ok {
			if dst, ok = p.chain(dst, group.Chain, combinator); !ok {
				return nil, false
			}
		} else {
			out, ok := p.anchor(s, combinator)
			if !ok {
				return nil, false
			}
			dst = append(dst, out)
		}
		last := &dst[len(dst)-1]
		if len(s.Qualifiers) > 0 && (last.isRegion || last.hasRegion()) {
			return nil, false
		}
		if !p.qualify(last, s.Qualifiers) {
			return nil, false
		}
	}
	return dst, true
}

// hasRegion reports whether a depth of the step is that of a region.
func (s *step) hasRegion() bool {
	return slices.ContainsFunc(s.depths, func(c ast.Coordinate) bool { return len(c.Offsets) == 0 && c.From < 1 })
}

func (p *plan) anchor(s *ast.Step, combinator ast.Combinator) (step, bool) {
	out := step{combinator: combinator, parts: make([]filter, 1)}
	switch a := s.Anchor.(type) {
	case *ast.Any:
	case *ast.Region:
		out.isRegion = true
		out.region = map[ast.RegionName]base{ast.Root: baseRoot, ast.Sys: baseSys, ast.Seq: baseSeq, ast.Head: baseHead}[a.Name]
	case *ast.Depth:
		out.depths = []ast.Coordinate{{From: a.From, To: a.To}}
	case *ast.Coordinates:
		out.depths = a.List
	case *ast.Type:
		return out, p.typeTest(&out, a.Name)
	case *ast.Key:
		p.add(&out, keyTest(a))
	default:
		return out, false
	}
	return out, true
}

// typeTest adds the test of a type. It returns false for a name that could be cut in several ways.
func (p *plan) typeTest(s *step, name string) bool {
	types, ok := typesOf(name)
	if ok {
		p.add(s, test{attr: attrType, types: types, exact: true})
	}
	return ok
}

// types has the types of nodes that a tape has, and that of the records it leaves out.
type types struct{ seg, cont, block, log, record bool }

// typesOf returns the types of nodes that a name matches.
func typesOf(name string) (types, bool) {
	name = vocab.CanonicalType(name)
	if strings.ContainsAny(name, ".:") || vocab.Lookup(vocab.Region, name) != nil {
		return types{}, false
	}
	term := vocab.Lookup(vocab.Type, name)
	switch {
	case term == nil:
		return types{log: name == "log", record: name == "record"}, true
	case term.Name == "seg":
		return types{seg: true}, true
	case term.Name == "cont":
		return types{cont: true, log: true, record: true}, true
	case term.Name == "block":
		return types{block: true}, true
	}
	return types{}, false
}

// has reports whether a node has one of the types.
func (t types) has(n *node) bool {
	switch n.base {
	case baseSeg:
		return t.seg
	case baseCont:
		return t.cont || t.log && n.isLog
	case baseBlock:
		return t.block
	}
	return false
}

func keyTest(k *ast.Key) test {
	attr := attrKey
	if k.ID {
		attr = attrID
	}
	return test{attr: attr, op: ast.OpEq, values: []ast.Value{{Kind: ast.String, Text: k.Name}}, exact: true}
}

// add adds a test to a step.
func (p *plan) add(s *step, t test) {
	p.exact = p.exact && t.exact
	if s.parts[len(s.parts)-1].position != nil {
		s.parts = append(s.parts, filter{})
	}
	last := &s.parts[len(s.parts)-1]
	if t.attr == attrNone {
		return // any node may pass
	}
	last.tests = append(last.tests, t)
	slices.SortStableFunc(last.tests, func(a, b test) int { return a.cost() - b.cost() })
}

func (p *plan) qualify(s *step, list []ast.Qualifier) bool {
	for _, q := range list {
		switch q := q.(type) {
		case *ast.Tag:
			p.add(s, test{attr: attrTag, op: ast.OpEq, values: []ast.Value{{Kind: ast.String, Text: q.Name}}, exact: true})
		case *ast.Key:
			p.add(s, keyTest(q))
		case *ast.Zone:
			p.add(s, test{attr: attrZone, isCore: q.Name == ast.Core, exact: true})
		case *ast.Filter:
			for i := range q.Props {
				t, ok := newTest(&q.Props[i])
				if !ok {
					return false
				}
				p.add(s, t)
			}
		case *ast.Positional:
			if s.parts[len(s.parts)-1].position != nil {
				s.parts = append(s.parts, filter{})
			}
			s.parts[len(s.parts)-1].position = q
		default:
			return false
		}
	}
	return true
}
