package engine_test

import (
	"slices"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/gentest"
)

var searched = []string{"summary", "note", "plan", "user", "tool", "draft", "k1", "k2", "nowhere"}

// TestSearch proves that what is made for fast searches says the same as the plain methods.
func TestSearch(t *testing.T) {
	small, found := 0, 0
	for seed := range uint64(60) {
		tl := gentest.Timeline(t, gentest.Rand(seed), 10+int(seed)*4)
		for _, s := range tl.All() {
			for r := engine.RegionSys; r <= engine.RegionRest; r++ {
				for _, w := range searched {
					for _, f := range []engine.Filter{{}, engine.Filter{}.Type(w), engine.Filter{}.Tag(w), engine.Filter{}.Key(w), engine.Filter{}.Tag(w).Mortal()} {
						compareStretches(t, s, r, f)
					}
				}
				for at, c := range s.Chunks(r, 0, s.NumChunks(r), engine.Filter{}) {
					if c.Small() {
						small++
						found += compareSets(t, c)
					}
					nodes := s.AppendSet(nil, r, at, c, 0, ^uint64(0)>>(64-min(c.Len(), 64)))
					for i, n := range nodes {
						if n != s.Node(r, at, c, i) {
							t.Fatalf("node %d of a set is %s", i, n.ID())
						}
					}
				}
			}
		}
	}
	if small < 1000 || found < 100 {
		t.Errorf("%d small chunks with %d nodes found say little", small, found)
	}
}

func compareStretches(t *testing.T, s *engine.Snapshot, r engine.Region, f engine.Filter) {
	t.Helper()
	n := s.NumChunks(r)
	for _, part := range [][2]int{{0, n}, {1, n}, {0, n - 1}, {n / 2, n/2 + 1}, {-3, n + 3}} {
		var got, want []int
		for at, c := range s.Chunks(r, part[0], part[1], f) {
			if want = append(want, at); c != s.Chunk(r, at) {
				t.Fatal("a chunk is not where it is said to be")
			}
		}
		for at, stretch := range s.Stretches(r, part[0], part[1], f) {
			for i, c := range stretch.Chunks {
				if c != s.Chunk(r, at+i) {
					t.Fatal("a stretch is not where it is said to be")
				}
				if stretch.Which>>i&1 != 0 {
					got = append(got, at+i)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the stretches in %v of %d chunks have %v, want %v", part, n, got, want)
		}
	}
}

func compareSets(t *testing.T, c *engine.Chunk) (found int) {
	t.Helper()
	one := func(b engine.Bits) uint64 {
		if len(b) == 0 {
			return 0
		}
		return b[0]
	}
	sets := c.Sets()
	check := func(what string, got uint64, want engine.Bits) {
		if found += want.Len(); got != one(want) {
			t.Fatalf("%s are %b, want %b", what, got, one(want))
		}
	}
	for b := range engine.BaseRegion {
		check("nodes of a base", sets.OfBase(b), c.OfBase(b))
	}
	check("segments without a core", sets.Coreless(), c.Coreless())
	for _, w := range searched {
		check("nodes of type "+w, sets.OfType(engine.NewWord(w)), c.OfType(w))
		check("nodes tagged "+w, sets.Tagged(engine.NewWord(w)), c.Tagged(w))
		check("nodes with key "+w, sets.Keyed(engine.NewWord(w)), c.Keyed(w))
	}
	for col := engine.ColumnOffset; col <= engine.ColumnCad; col++ {
		got, gotOK := sets.Ints(col)
		want, wantOK := c.Ints(col)
		if gotOK != wantOK || !slices.Equal(got, want) {
			t.Fatalf("column %d is %v, want %v", col, got, want)
		}
	}
	return found
}
