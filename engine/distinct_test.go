package engine_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
)

// forms returns all forms of each node of a sequence, as text.
func forms(t *testing.T, nodes func(func(engine.Node) bool)) map[string]bool {
	t.Helper()
	out := map[string]bool{}
	for n := range nodes {
		key, _ := n.Key()
		tags, _ := n.Tags()
		var text strings.Builder
		text.WriteString(n.ID() + " " + n.UserType() + " " + key + " " + n.Content().String())
		for _, tag := range tags {
			text.WriteString(" +" + tag)
		}
		for name, v := range n.Members() {
			text.WriteString(" " + name + "=" + v.String())
		}
		out[text.String()] = true
	}
	return out
}

// TestDistinct compares the distinct nodes of random histories with all nodes of all their states.
func TestDistinct(t *testing.T) {
	for seed := range uint64(100) {
		tl := gentest.Timeline(t, gentest.Rand(seed), 60)
		all := func(yield func(engine.Node) bool) {
			for _, s := range tl.All() {
				for n := range s.All() {
					if !yield(n) {
						return
					}
				}
			}
		}
		if diff := cmp.Diff(forms(t, all), forms(t, tl.Distinct())); diff != "" {
			t.Errorf("seed %d: nodes of all states, and distinct ones (-want +got):\n%s", seed, diff)
		}
		for n := range tl.Distinct() { // newest first; the loop can end early
			if n != tl.At(0).Root() {
				t.Errorf("seed %d: the first node is %v of cycle %d", seed, n, tl.At(0).Cycle())
			}
			break
		}
	}
}

// TestDistinctCost counts the nodes of a session that grows by one turn with each commit: twice as
// many turns have about twice as many distinct nodes, although the states have four times as many.
func TestDistinctCost(t *testing.T) {
	count := func(turns int) (distinct, all int) {
		c, err := engine.New(engine.Options{System: true})
		if err != nil {
			t.Fatal(err)
		}
		for range turns {
			if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{}); err != nil {
				t.Fatal(err)
			}
			if _, err := c.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		tl := c.Timeline()
		for range tl.Distinct() {
			distinct++
		}
		for _, s := range tl.All() {
			all += s.Len()
		}
		return distinct, all
	}
	few, _ := count(200)
	many, all := count(400)
	if many > 2*few+few/4 || many*10 > all {
		t.Errorf("%d distinct nodes of 200 turns, %d of 400, whose states have %d", few, many, all)
	}
}
