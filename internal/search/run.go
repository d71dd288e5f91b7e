package search

import (
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// runner runs plans on tapes. It reuses its memory.
type runner struct {
	view                 view
	found, before, below []bool
	out                  []int32
	seen                 []bool
	counts               []int64 // of remaining children, by parent
}

// cycleOf returns the cycle of the snapshot that a plan looks at; ok is false if the tape has no
// such snapshot.
func (p *plan) cycleOf(t *tape) (cycle int32, ok bool) {
	n := p.at.N - int64(t.before)
	if p.at.Kind == ast.Relative {
		n = p.at.N
		if n > 0 || n <= -int64(t.cycles) {
			return 0, false
		}
		n += int64(t.cycles)
	}
	if n < 1 || n > int64(t.cycles) {
		return 0, false
	}
	return int32(n), true
}

// lacks reports whether a plan needs something that the log has and the tape does not: a snapshot
// before the first one, or containers, where some keep what no call was sent.
func (p *plan) lacks(t *tape) bool {
	cycle, ok := p.cycleOf(t)
	return ok && (cycle < t.first || t.unsent && p.containers)
}

// find returns the positions of the nodes that a plan finds on a tape, in order, and the cycle of
// the snapshot in the history.
func (r *runner) find(p *plan, t *tape) (found []int32, cycle int32) {
	cycle, ok := p.cycleOf(t)
	if !ok {
		return nil, 0
	}
	r.view, r.out = t.at(cycle), r.out[:0]
	switch {
	case p.single != nil:
		r.single(p.single.parts[0].tests)
	case len(p.fragments) == 1:
		r.chain(p.fragments[0])
		r.collect(nil)
	default:
		r.seen = room(r.seen, len(t.nodes))
		for _, f := range p.fragments {
			r.chain(f)
			r.collect(r.seen)
		}
	}
	out := r.out[min(p.skip, int64(len(r.out))):]
	if p.limit >= 0 {
		out = out[:min(p.limit, int64(len(out)))]
	}
	return out, t.before + cycle
}

// single finds the nodes of a chain of one step.
func (r *runner) single(tests []test) {
nodes:
	for i := range r.view.nodes {
		n := &r.view.nodes[i]
		if n.base.isRegion() || !r.view.has(n) {
			continue
		}
		for k := range tests {
			if !tests[k].passes(&r.view, n) {
				continue nodes
			}
		}
		r.out = append(r.out, int32(i))
	}
}

// collect appends the nodes found that are not in seen to the result. ^ah comes before the
// unfinished turn.
func (r *runner) collect(seen []bool) {
	head := r.view.head
	add := func(i int32) {
		if r.found[i] && (seen == nil || !seen[i]) {
			r.out = append(r.out, i)
			if seen != nil {
				seen[i] = true
			}
		}
	}
	isPast := false
	for i := range int32(len(r.found)) {
		if !isPast && r.view.nodes[i].turn > r.view.finished {
			add(head)
			isPast = true
		}
		if i != head {
			add(i)
		}
	}
	if !isPast {
		add(head)
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
func (r *runner) chain(steps []step) {
	v := &r.view
	r.found = room(r.found, len(v.nodes))
	for k := range steps {
		s := &steps[k]
		r.before, r.found = r.found, room(r.before, len(v.nodes))
		if s.combinator == ast.Descendant {
			r.below = room(r.below, len(v.nodes))
			for i := range v.nodes {
				if up := v.up(&v.nodes[i]); up >= 0 {
					r.below[i] = r.before[up] || r.below[up]
				}
			}
		}
		for i := range v.nodes {
			n := &v.nodes[i]
			if !v.has(n) || !s.anchors(v, n) {
				continue
			}
			switch s.combinator {
			case ast.Descendant:
				r.found[i] = r.below[i]
			case ast.Child:
				up := v.up(n)
				r.found[i] = up >= 0 && r.before[up]
			default:
				r.found[i] = true
			}
		}
		for f := range s.parts {
			r.narrow(&s.parts[f])
		}
	}
}

// anchors reports whether a node matches the anchor of the step.
func (s *step) anchors(v *view, n *node) bool {
	if s.isRegion {
		return n.base == s.region
	}
	if len(s.depths) == 0 {
		return !n.base.isRegion()
	}
	depth, ok := v.depth(n)
	if !ok {
		return false
	}
	return slices.ContainsFunc(s.depths, func(c ast.Coordinate) bool {
		return c.From <= depth && depth <= c.To && len(c.Offsets) == v.level(n) && !slices.ContainsFunc(c.Offsets, func(o int64) bool { return o != 0 })
	})
}

// narrow removes from the nodes found those that fail a test, and then those that the positional
// pseudo does not select.
func (r *runner) narrow(f *filter) {
	v := &r.view
	for i, ok := range r.found {
		for k := 0; ok && k < len(f.tests); k++ {
			ok = f.tests[k].passes(v, &v.nodes[i])
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
	r.counts = room(r.counts, len(v.nodes)+1)
	n := len(v.nodes)
	for k := range n {
		i := k
		if f.position.Name == ast.LastOf {
			i = n - 1 - k
		}
		if r.found[i] {
			up := v.up(&v.nodes[i]) + 1
			r.counts[up]++
			r.found[i] = r.counts[up] == want
		}
	}
}
