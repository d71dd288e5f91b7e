package corpus

import (
	"github.com/pactkit/pactkit/ast"
)

// runner answers plans on tapes. It keeps its memory.
type runner struct {
	found, before, below []bool
	out                  []int32
	seen                 []bool
	counts               []int64 // of children in play, by parent
}

// lastTurn returns the last turn of the snapshot that a plan looks at; ok is false if the tape has no such snapshot.
func (p *plan) lastTurn(t *tape) (last int32, ok bool) {
	n := p.at.N
	if p.at.Kind == ast.Relative {
		if n > 0 || n <= -int64(t.turns) {
			return 0, false
		}
		n += int64(t.turns)
	}
	if n < 1 || n > int64(t.turns) {
		return 0, false
	}
	return int32(n), true
}

// find returns the positions of the nodes that a plan finds on a tape, in order, and the cycle of the snapshot.
func (r *runner) find(p *plan, t *tape) (found []int32, cycle int32) {
	last, ok := p.lastTurn(t)
	if !ok {
		return nil, 0
	}
	r.out = r.out[:0]
	switch {
	case p.single != nil:
		r.single(p.single.parts[0].tests, t, last)
	case len(p.fragments) == 1:
		r.chain(p.fragments[0], t, last)
		r.collect(nil)
	default:
		r.seen = room(r.seen, len(t.nodes))
		for _, f := range p.fragments {
			r.chain(f, t, last)
			r.collect(r.seen)
		}
	}
	out := r.out[min(p.skip, int64(len(r.out))):]
	if p.limit >= 0 {
		out = out[:min(p.limit, int64(len(out)))]
	}
	return out, last
}

// single finds the nodes of a chain of one step.
func (r *runner) single(tests []test, t *tape, last int32) {
nodes:
	for i := range t.nodes {
		n := &t.nodes[i]
		if n.base.isRegion() || n.turn > last {
			continue
		}
		for k := range tests {
			if !tests[k].passes(t, n, last) {
				continue nodes
			}
		}
		r.out = append(r.out, int32(i))
	}
}

// collect appends what was found, and that is not in seen, to the result.
func (r *runner) collect(seen []bool) {
	for i, ok := range r.found {
		if ok && (seen == nil || !seen[i]) {
			r.out = append(r.out, int32(i))
			if seen != nil {
				seen[i] = true
			}
		}
	}
}

// room returns n cleared elements.
func room[T any](list []T, n int) []T {
	if cap(list) < n {
		return make([]T, n)
	}
	list = list[:n]
	clear(list)
	return list
}

// chain finds the nodes of a chain.
func (r *runner) chain(steps []step, t *tape, last int32) {
	r.found = room(r.found, len(t.nodes))
	for k := range steps {
		s := &steps[k]
		r.before, r.found = r.found, room(r.before, len(t.nodes))
		if s.combinator == ast.Descendant {
			r.below = room(r.below, len(t.nodes))
			for i := range t.nodes {
				if up := t.nodes[i].parent; up >= 0 {
					r.below[i] = r.before[up] || r.below[up]
				}
			}
		}
		for i := range t.nodes {
			n := &t.nodes[i]
			if n.turn > last || !s.anchors(n, t, last) {
				continue
			}
			switch s.combinator {
			case ast.Descendant:
				r.found[i] = r.below[i]
			case ast.Child:
				r.found[i] = n.parent >= 0 && r.before[n.parent]
			default:
				r.found[i] = true
			}
		}
		for f := range s.parts {
			r.narrow(&s.parts[f], t, last)
		}
	}
}

// anchors reports whether a node is one of those that the step looks for.
func (s *step) anchors(n *node, t *tape, last int32) bool {
	if s.isRegion {
		return n.base == s.region
	}
	if len(s.depths) == 0 {
		return !n.base.isRegion()
	}
	depth, ok := n.depthOf(last, t)
	if !ok {
		return false
	}
	for i := range s.depths {
		d := &s.depths[i]
		if d.From <= depth && depth <= d.To && len(d.Offsets) == t.levelOf(n) && allZero(d.Offsets) {
			return true
		}
	}
	return false
}

// levelOf counts from the region, or from the segment.
func (t *tape) levelOf(n *node) int {
	level := 0
	for n.base != baseSeg && !n.base.isRegion() {
		level++
		n = &t.nodes[n.parent]
	}
	return level
}

func allZero(list []int64) bool {
	for _, o := range list {
		if o != 0 {
			return false
		}
	}
	return true
}

// narrow takes out of what was found what fails a test, and then what the positional pseudo does not name.
func (r *runner) narrow(f *filter, t *tape, last int32) {
	for i, ok := range r.found {
		for k := 0; ok && k < len(f.tests); k++ {
			ok = f.tests[k].passes(t, &t.nodes[i], last)
		}
		r.found[i] = ok
	}
	if f.position == nil {
		return
	}
	want := int64(1)
	if f.position.Name == ast.NthOf {
		want = f.position.N
	}
	r.counts = room(r.counts, len(t.nodes)+1)
	n := len(t.nodes)
	for k := range n {
		i := k
		if f.position.Name == ast.LastOf {
			i = n - 1 - k
		}
		if r.found[i] {
			up := t.nodes[i].parent + 1
			r.counts[up]++
			r.found[i] = r.counts[up] == want
		}
	}
}
