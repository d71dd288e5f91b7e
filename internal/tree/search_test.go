package tree_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/internal/tree"
)

var searched = []string{"summary", "note", "plan", "user", "tool", "draft", "k1", "k2", "nowhere"}

var sameNode = cmp.Comparer(func(a, b engine.Node) bool { return a == b })

// TestSearch checks that runs agree with the records of their nodes.
func TestSearch(t *testing.T) {
	chunks, joined := 0, 0
	for seed := range uint64(60) {
		tl := gentest.Timeline(t, gentest.Rand(seed), 10+int(seed)*4)
		for _, s := range tl.All() {
			for r := engine.RegionSys; r <= engine.RegionRest; r++ {
				for _, w := range searched {
					for _, f := range []tree.Filter{{}, tree.Filter{}.Type(w), tree.Filter{}.Tag(w), tree.Filter{}.Key(w), tree.Filter{}.Tag(w).HasTTL()} {
						compareRuns(t, s, r, f)
					}
				}
				for at, run := range treeOf(s).Runs(r, 0, treeOf(s).NumChunks(r), tree.Filter{}) {
					if run.To > 1 {
						joined++
						compareRun(t, s, r, at, run.To, run.Run)
					}
				}
				for at, c := range treeOf(s).Chunks(r, 0, treeOf(s).NumChunks(r), tree.Filter{}) {
					chunks++
					compareRun(t, s, r, at, 1, c.Run())
				}
			}
		}
	}
	if chunks < 1000 || joined < 100 {
		t.Errorf("%d chunks and %d runs of several say little", chunks, joined)
	}
}

// TestRare checks the same for posting lists, with histories whose snapshots share as much as
// possible.
func TestRare(t *testing.T) {
	lists := 0
	for seed := range uint64(8) {
		for _, s := range gentest.Grow(t, gentest.Rand(seed), 40, 400).Timeline().All() {
			n := treeOf(s).NumChunks(engine.RegionSeq)
			for _, w := range searched {
				for _, tag := range []bool{false, true} {
					word := tree.NewWord(w)
					for range 2 {
						compareRuns(t, s, engine.RegionSeq, tree.Filter{})
						treeOf(s).PostingList(engine.RegionSeq, word, tag)
					}
					list := treeOf(s).PostingList(engine.RegionSeq, word, tag)
					if list == nil {
						continue
					}
					lists++
					var want, in []engine.Node
					for at, c := range treeOf(s).Chunks(engine.RegionSeq, 0, n, tree.Filter{}) {
						set := c.Run().OfType(tree.NewWord(w))
						if tag {
							set = c.Run().Tagged(tree.NewWord(w))
						}
						for i := range set.All() {
							want = append(want, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, i)))
						}
						if set.Len() > 0 {
							in = append(in, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, 0)))
						}
					}
					if d := cmp.Diff(want, tree.AppendPostings[engine.Node](nil, treeOf(s), list), sameNode); d != "" || list.Len() != len(want) {
						t.Fatalf("%d nodes with %s, of %d (-want +got):\n%s", list.Len(), w, len(want), d)
					}
					var chunks []engine.Node
					for at, c := range list.Chunks() {
						chunks = append(chunks, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, 0)))
					}
					if d := cmp.Diff(in, chunks, sameNode); d != "" {
						t.Fatalf("chunks with %s (-want +got):\n%s", w, d)
					}
				}
			}
		}
	}
	if lists < 1000 {
		t.Errorf("%d lists say little", lists)
	}
}

func compareRuns(t *testing.T, s *engine.Snapshot, r engine.Region, f tree.Filter) {
	t.Helper()
	n := treeOf(s).NumChunks(r)
	for _, part := range [][2]int{{0, n}, {1, n}, {0, n - 1}, {n / 2, n/2 + 1}, {-3, n + 3}} {
		var got, want []int
		for at, c := range treeOf(s).Chunks(r, part[0], part[1], f) {
			if want = append(want, at); c != treeOf(s).Chunk(r, at) {
				t.Fatal("a chunk is not where it is said to be")
			}
		}
		last := -1
		for at, run := range treeOf(s).Runs(r, part[0], part[1], f) {
			for i := range tree.Bits(run.AppendNodes(nil, run.From, run.To)).All() {
				k, c, in := run.Find(i)
				if c != treeOf(s).Chunk(r, at+k) || at+k < max(part[0], last) || at+k >= part[1] {
					t.Fatal("a run is not where it is said to be")
				}
				last = at + k
				switch {
				case in > 0:
				case c.MayHold(f):
					got = append(got, at+k)
				case run.Run == c.Run():
					t.Fatal("a chunk that cannot satisfy the filter is alone")
				}
			}
		}
		if !slices.Equal(got, want) { // it runs a hundred thousand times, so cmp.Diff would be too slow
			t.Fatalf("the runs in %v of %d chunks have %v, want %v", part, n, got, want)
		}
	}
}

// compareRun compares a run of n chunks, which begins with chunk at, with their nodes.
func compareRun(t *testing.T, s *engine.Snapshot, r engine.Region, at, n int, run *tree.Run) {
	t.Helper()
	all := run.AppendNodes(nil, 0, n)
	nodes := func(set []uint64) []engine.Node { return tree.AppendRun[engine.Node](nil, treeOf(s), r, at, run, set) }
	where := func(has func(c *tree.Chunk, i int) bool) (found []engine.Node) {
		for k := range n {
			c := treeOf(s).Chunk(r, at+k)
			for i := range c.Len() {
				if has(c, i) {
					found = append(found, engine.Node(treeOf(s).Node(r, at+k, c, i)))
				}
			}
		}
		return found
	}
	check := func(what string, got []uint64, has func(c *tree.Chunk, i int) bool) {
		t.Helper()
		if found, want := nodes(got), where(has); !slices.Equal(found, want) { // as above
			t.Fatalf("%s (-chunks +run):\n%s", what, cmp.Diff(want, found, sameNode))
		}
	}
	kept := func(keep func(set []uint64)) []uint64 {
		set := slices.Clone(all)
		keep(set)
		return set
	}
	check("nodes", all, func(*tree.Chunk, int) bool { return true })
	last := treeOf(s).Chunk(r, at+n-1)
	check("nodes of the last chunk", run.AppendNodes(nil, n-1, n), func(c *tree.Chunk, _ int) bool { return c == last })
	first := make([]uint64, len(all))
	run.AddFirst(first, 0, n+1)
	check("first nodes", first, func(_ *tree.Chunk, i int) bool { return i == 0 })
	check("all but the first", kept(run.DropFirst), func(_ *tree.Chunk, i int) bool { return i > 0 })
	check("segments with an implied core", run.ImplicitCore(), func(c *tree.Chunk, i int) bool {
		for k := range c.Len() {
			if c.Parent(k) == i && c.Rec(k).Base == engine.BaseCont {
				return false
			}
		}
		return c.Rec(i).Base == engine.BaseSeg
	})
	for b := range engine.BaseRegion {
		check("nodes of a base", run.OfBase(b), func(c *tree.Chunk, i int) bool { return c.Rec(i).Base == b })
	}
	conts := run.OfBase(engine.BaseCont)
	isCont := func(c *tree.Chunk, i int) bool { return i >= 0 && c.Rec(i).Base == engine.BaseCont }
	below := make([]uint64, len(all))
	run.AddBelow(below, conts)
	check("what is below containers", below, func(c *tree.Chunk, i int) bool {
		for i = c.Parent(i); i >= 0 && !isCont(c, i); i = c.Parent(i) {
		}
		return i >= 0
	})
	for _, region := range []bool{false, true} {
		check("children", kept(func(set []uint64) { run.KeepChildren(set, conts, region) }), func(c *tree.Chunk, i int) bool {
			return c.Parent(i) < 0 && region || isCont(c, c.Parent(i))
		})
	}
	for _, w := range searched {
		word := tree.NewWord(w)
		check("nodes of type "+w, run.OfType(word), func(c *tree.Chunk, i int) bool { return c.Rec(i).UserType() == w })
		check("nodes tagged "+w, run.Tagged(word), func(c *tree.Chunk, i int) bool { return slices.Contains(c.Rec(i).TagList().Words, w) })
		check("nodes with key "+w, run.Keyed(tree.NewWord(w)), func(c *tree.Chunk, i int) bool {
			key, ok := c.Rec(i).Text(tree.HeaderKey)
			return ok && key == w
		})
	}
	for k, set := range all {
		for ; set != 0; set &= set - 1 {
			i := k<<6 + bits.TrailingZeros64(set)
			chunk, c, in := run.Find(i)
			if c != treeOf(s).Chunk(r, at+chunk) || nodes(append(make([]uint64, k), set&-set))[0] != engine.Node(treeOf(s).Node(r, at+chunk, c, in)) {
				t.Fatal("a node is not where it is said to be")
			}
			if up := c.Parent(in); up < 0 && run.Parent(i) >= 0 || up >= 0 && run.Parent(i) != i-in+up {
				t.Fatal("the parent of a node is not what its chunk has")
			}
		}
	}
	for col, h := range map[tree.Column]tree.Header{
		tree.ColumnOffset: tree.HeaderOffset, tree.ColumnPriority: tree.HeaderPriority, tree.ColumnCycle: tree.HeaderCycle,
		tree.ColumnCreatedNS: tree.HeaderCreatedNS, tree.ColumnCreationIndex: tree.HeaderCreationIndex,
	} {
		exact := len(where(func(c *tree.Chunk, i int) bool { return c.Rec(i).Exact(h) })) == 0
		if run.Exact(col) != exact {
			t.Fatalf("column %d is said to be exact: %t", col, run.Exact(col))
		}
		for _, ranges := range [][]tree.IntRange{
			nil, {{math.MinInt64, math.MaxInt64}}, {{math.MinInt64, 0}}, {{0, 0}}, {{1, 3}}, {{3, math.MaxInt64}}, {{2e9, math.MaxInt64}}, {{0, 0}, {2, 4}},
		} {
			for _, not := range []bool{false, true} {
				if !exact {
					continue
				}
				check("values", kept(func(set []uint64) { run.KeepInts(set, col, ranges, not) }), func(c *tree.Chunk, i int) bool {
					return slices.ContainsFunc(ranges, func(r tree.IntRange) bool { return r.Has(*c.Rec(i).Integer(h)) }) != not
				})
			}
		}
	}
}
