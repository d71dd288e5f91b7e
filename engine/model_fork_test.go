package engine_test

import (
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// branches holds the model at each commit, from which a walk may go on.
type branches struct{ points []branchPoint }

type branchPoint struct {
	model  *model // before the next cycle begins
	newest *flat  // of the snapshot
	sealed bool
}

func branchOf(m *model, newest *flat, sealed bool) branchPoint {
	m = m.clone()
	m.cycles = map[bool][]int64{false: slices.Clone(m.cycles[false]), true: slices.Clone(m.cycles[true])}
	return branchPoint{m, newest, sealed}
}

// fork forks a context at one of its snapshots, and sets the model of the walk, which has the clock
// too. A fork has no holds, and gives ids and instants again that no snapshot has.
func (b *branches) fork(t *testing.T, w *walker, now **model, c *engine.Context) (*flat, *engine.Context) {
	t.Helper()
	at := w.pick(len(b.points))
	p := b.points[at]
	b.points = b.points[:at+1]
	m := branchOf(p.model, nil, false).model
	*now = m
	from := engine.ForkPoint{History: "base", Cycle: m.cycle}
	f, err := c.Fork(from)
	if err != nil {
		t.Fatal(err)
	}
	if forks := f.Timeline().Forks(); forks[len(forks)-1] != from {
		t.Fatalf("the fork is from %v, want %v", forks, from)
	}
	clear(m.causes)
	clear(m.holds)
	clear(m.given)
	m.nextID, m.ns = 0, 0
	for _, n := range m.root.all() {
		m.ns = max(m.ns, n.ns)
	}
	for s := range f.Timeline().Sealed() {
		for n := range s.All() {
			m.given[n.ID()] = true
			if _, digits, ok := strings.Cut(n.ID(), ":"); ok {
				number, _ := strconv.Atoi(digits)
				m.nextID = max(m.nextID, number)
			}
		}
	}
	m.startCycle(p.sealed)
	if _, err := c.Insert(engine.InCore(0), engine.Draft{Content: engine.Text("x")}); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	return p.newest, f
}
