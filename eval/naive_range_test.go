package eval_test

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// An answer is what a selector gives: an error, or a list of ids, a list of ids with snapshots, or
// a range result.
type answer struct {
	err      diag.Code
	value    any // as encoding/json decodes it, numbers as json.Number
	clipped  bool
	controls []ast.Control // that are passed on, without their places
}

// A state is one addressable state of a timeline.
type state struct {
	*tree
	label  string
	kind   string
	value  int64
	sealed bool
	side   bool // of a side call, which only `@cN` and a pair of these reach (D39)
}

// A naiveTimeline holds the trees of a timeline, newest first.
type naiveTimeline []state

func newTimeline(t *engine.Timeline) naiveTimeline {
	var out naiveTimeline
	for s := range t.Sealed() {
		info := s.Info()
		out = append(out, state{tree: newTree(s), sealed: true, side: info != nil && info.Side != nil})
	}
	if !slices.ContainsFunc(out, func(s state) bool { return !s.side }) { // there is nothing else
		for i := range out {
			out[i].side = false
		}
	}
	if t.Working() != nil {
		out = append(out, state{tree: newTree(t.Working())})
	}
	slices.Reverse(out)
	for _, s := range out {
		s.all = out
	}
	return out
}

// counted returns the states that `@t` counts.
func (tl naiveTimeline) counted() naiveTimeline {
	return slices.DeleteFunc(slices.Clone(tl), func(s state) bool { return s.side })
}

// called names a state as the time of a query counts.
func (tl naiveTimeline) called(i int, kind ast.InstantKind) state {
	s := tl[i]
	if kind == ast.Cycle {
		s.kind, s.value = "c", s.snap.Cycle()
		s.label = fmt.Sprintf("@c%d", s.value)
		return s
	}
	i = slices.IndexFunc(tl.counted(), func(c state) bool { return c.tree == s.tree })
	s.kind, s.value = "t", int64(-i)
	s.label = fmt.Sprintf("@t%d", -i)
	return s
}

// at returns the index of an instant in the timeline, or -1.
func (tl naiveTimeline) at(i ast.Instant) int {
	switch i.Kind {
	case ast.Cycle: // the sealed snapshot of the cycle, never the working state
		return slices.IndexFunc(tl, func(s state) bool { return s.sealed && s.snap.Cycle() == i.N })
	}
	counted := tl.counted()
	back := -i.N
	if i.Kind == ast.Oldest {
		back = int64(len(counted)) - 1
	}
	if i.N > 0 || back < 0 || back >= int64(len(counted)) { // `@t+N` names nothing
		return -1
	}
	return slices.IndexFunc(tl, func(s state) bool { return s.tree == counted[back].tree })
}

// selects answers a query (Time, Results) and passes on the controls that the page does not know
// (D21).
func (tl naiveTimeline) selects(q *ast.Query, o eval.Options) answer {
	a := tl.answers(q, o)
	if a.err != "" {
		return a
	}
	for _, c := range q.Controls() {
		if !slices.Contains([]string{"mode", "order", "unique", "skip", "p", "limit", "first"}, c.Name) {
			c = ast.Control{Name: c.Name, Value: c.Value, HasValue: c.HasValue}
			if !slices.Contains(a.controls, c) { // exact repetitions are dropped
				a.controls = append(a.controls, c)
			}
		}
	}
	return a
}

func (tl naiveTimeline) answers(q *ast.Query, o eval.Options) answer {
	now := ast.Time{Kind: ast.TimeAt, From: ast.Instant{Kind: ast.Relative}} // an omitted time is @t0
	if q.Time != nil {
		now = *q.Time
	}
	switch now.Kind {
	case ast.TimeAt:
		i := tl.at(now.From)
		if i < 0 {
			return answer{err: diag.SnapshotUnknown}
		}
		return idList(q, ordered(q, tl[i].union(q)))
	case ast.TimeEvery:
		return idList(q, tl.merged(q, tl.counted()))
	case ast.TimePair:
		i, j := tl.at(now.From), tl.at(now.To)
		if i < 0 || j < 0 {
			return answer{err: diag.SnapshotUnknown}
		}
		states := naiveTimeline{tl.called(min(i, j), now.From.Kind)} // newer first; equal instants are one snapshot
		if i != j {
			states = append(states, tl.called(max(i, j), now.From.Kind))
		}
		return tl.ranged(q, o, states, false)
	case ast.TimeHistory:
		now.From, now.To = ast.Instant{Kind: ast.Relative}, ast.Instant{Kind: ast.Oldest}
	}
	states, clipped := tl.within(now.From, now.To)
	return tl.ranged(q, o, states, clipped)
}

// within returns what there is of a range, both ends included, and whether it was clipped.
func (tl naiveTimeline) within(a, b ast.Instant) (states naiveTimeline, clipped bool) {
	position := func(i ast.Instant) int64 { // greater is older
		switch i.Kind {
		case ast.Cycle:
			return -i.N
		case ast.Oldest:
			return int64(len(tl.counted())) - 1
		}
		return -max(i.N, -math.MaxInt64)
	}
	from, to := min(position(a), position(b)), max(position(a), position(b))
	newest, oldest := int64(0), int64(len(tl.counted()))-1
	if far := ast.Oldest; (a.Kind == far) != (b.Kind == far) { // @t-* is the far end: nothing lies between it and what is older
		if from = position(a); a.Kind == far {
			from = position(b)
		}
		to = max(from, oldest)
	}
	kind := ast.Relative
	if a.Kind == ast.Cycle {
		kind = ast.Cycle
	}
	passed := 0 // side calls
	for i, s := range tl {
		if s.side {
			passed++
		}
		p := int64(i - passed)
		if kind == ast.Cycle {
			if !s.sealed {
				continue
			}
			p = -s.snap.Cycle()
			if newest == 0 { // cycles that are not there lie between others, or beyond them
				newest = p
			}
			oldest = p
		}
		if !s.side && from <= p && p <= to {
			states = append(states, tl.called(i, kind))
		}
	}
	return states, from < newest || to > oldest
}

// control returns the value of a control; `@first` is `@limit=1`.
func control(q *ast.Query, name string) (string, bool) {
	for _, c := range q.Controls() {
		if c.Name == name {
			return c.Value, true
		}
		if c.Name == "first" && name == "limit" {
			return "1", true
		}
	}
	return "", false
}

// ordered applies `@order` to what one snapshot gives.
func ordered(q *ast.Query, nodes []*node) []*node {
	out := slices.Clone(nodes)
	value, _ := control(q, "order")
	by := map[string]func(a, b *node) int{
		"post": func(a, b *node) int { // a node after what is below it, else document order
			switch {
			case a.below(b):
				return -1
			case b.below(a):
				return 1
			}
			return cmp.Compare(a.at, b.at)
		},
		"bfs":           func(a, b *node) int { return cmp.Or(cmp.Compare(a.level, b.level), cmp.Compare(a.at, b.at)) },
		"path":          byPath,
		"turn:asc,pre":  func(a, b *node) int { return cmp.Compare(a.at, b.at) },
		"turn:desc,pre": func(a, b *node) int { return cmp.Or(cmp.Compare(a.turn(), b.turn()), cmp.Compare(a.at, b.at)) },
	}[value]
	if by != nil {
		slices.SortFunc(out, by)
	}
	return out
}

// byPath puts nodes without depth first, then sorts by depth, then by the offsets below it, a
// prefix first.
func byPath(a, b *node) int {
	switch {
	case a.depth == nil && b.depth == nil:
		return cmp.Compare(a.at, b.at)
	case a.depth == nil:
		return -1
	case b.depth == nil:
		return 1
	case *a.depth != *b.depth:
		return cmp.Compare(*a.depth, *b.depth)
	}
	p, q := a.path(), b.path()
	for i := range min(len(p), len(q)) {
		if c := p[i].num("offset").Cmp(q[i].num("offset")); c != 0 {
			return c
		}
	}
	return cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(a.at, b.at))
}

// path are the nodes from below the region or segment of a depth to n.
func (n *node) path() []*node {
	if n == n.tree.place[*n.depth] {
		return nil
	}
	return append(n.parent.path(), n)
}

// turn is the rank in `turn:desc,pre`: ^root, ^ah, ^seq, newest segment … oldest, ^sys, and what
// else there is.
func (n *node) turn() int {
	const last = 1 << 40
	switch {
	case n.region == "root":
		return -3
	case n.region == "seq":
		return -1
	case n.depth == nil:
		return last
	case *n.depth == 0:
		return -2
	case *n.depth < 0:
		return last - 1
	}
	return *n.depth
}

// windowed applies `@unique`, `@skip`, `@p` and `@limit`, in this order.
func windowed[T any](q *ast.Query, list []T) ([]T, diag.Code) {
	if _, ok := control(q, "unique"); ok && len(list) > 1 {
		return nil, diag.SelectorCardinality
	}
	drop := func(n int64) { list = list[min(n, int64(len(list))):] }
	number := func(name string) (int64, bool) {
		s, ok := control(q, name)
		n, err := strconv.ParseInt(s, 10, 64)
		if ok && err != nil {
			n = 1 << 62
		}
		return n, ok
	}
	limit, limited := number("limit")
	if n, ok := number("skip"); ok {
		drop(n)
	}
	if page, ok := number("p"); ok { // D11
		for i := int64(1); i < page && len(list) > 0 && limit > 0; i++ {
			drop(limit)
		}
	}
	if limited {
		list = list[:min(limit, int64(len(list)))]
	}
	return list, ""
}

func names(nodes []*node) []string {
	out := []string{}
	for _, n := range nodes {
		out = append(out, n.id())
	}
	return out
}

func idList(q *ast.Query, nodes []*node) answer {
	nodes, err := windowed(q, nodes)
	if err != "" {
		return answer{err: err}
	}
	return answer{value: decoded(names(nodes))}
}

// merged lists the nodes of several snapshots, newest first, each id where it occurs first.
func (tl naiveTimeline) merged(q *ast.Query, states naiveTimeline) []*node {
	var out []*node
	seen := map[string]bool{}
	for _, s := range states {
		for _, n := range ordered(q, s.union(q)) {
			if !seen[n.id()] {
				seen[n.id()] = true
				out = append(out, n)
			}
		}
	}
	return out
}

// ranged answers a range or a pair.
func (tl naiveTimeline) ranged(q *ast.Query, o eval.Options, states naiveTimeline, clipped bool) answer {
	if o.MaxSnapshots > 0 && len(states) > o.MaxSnapshots {
		return answer{err: diag.RangeLimit}
	}
	mode, _ := control(q, "mode")
	switch mode {
	case "union":
		a := idList(q, tl.merged(q, states))
		a.clipped = clipped && a.err == ""
		return a
	case "latest":
		nodes, err := windowed(q, tl.merged(q, states))
		if err != "" {
			return answer{err: err}
		}
		list := []any{}
		for _, n := range nodes {
			i := slices.IndexFunc(states, func(s state) bool { return s.tree == n.tree })
			list = append(list, map[string]any{"id": n.id(), "snapshot": states[i].label})
		}
		return answer{value: decoded(list), clipped: clipped}
	}
	refs := []any{}
	for _, s := range states {
		refs = append(refs, s.ref())
	}
	if mode == "reduce" && len(states) > 1 { // newest against oldest; the others are ignored
		states = naiveTimeline{states[0], states[len(states)-1]}
	}
	sets := make([][]*node, len(states))
	for i, s := range states {
		var err diag.Code
		if sets[i], err = windowed(q, ordered(q, s.union(q))); err != "" {
			return answer{err: err}
		}
	}
	diffs := []any{}
	truncated := false
	for i := range len(states) - 1 {
		d, cut := difference(states[i], states[i+1], sets[i], sets[i+1], o)
		truncated = truncated || cut
		diffs = append(diffs, d)
	}
	result := map[string]any{
		"query": o.Text, "snapshots": refs, "diffs": diffs, "mode": cmp.Or(mode, "pairwise"),
	}
	limits := map[string]any{}
	if o.MaxSnapshots > 0 {
		limits["maxSnapshots"] = o.MaxSnapshots
	}
	if o.MaxChanges > 0 {
		limits["maxChangesPerSnapshot"] = o.MaxChanges
	}
	if truncated {
		limits["truncated"] = true
	}
	if len(limits) > 0 {
		result["limits"] = limits
	}
	return answer{value: decoded(result), clipped: clipped}
}
