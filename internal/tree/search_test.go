package tree_test

import (
	"math"
	"math/bits"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/gentest"
	"github.com/pactkit/pactkit/internal/tree"
)

var searched = []string{"summary", "note", "plan", "user", "tool", "draft", "k1", "k2", "nowhere"}

// TestSearch proves that what is made for fast searches says the same as the plain methods.
func TestSearch(t *testing.T) {
	small, found, packs := 0, 0, 0
	for seed := range uint64(60) {
		tl := gentest.Timeline(t, gentest.Rand(seed), 10+int(seed)*4)
		for _, s := range tl.All() {
			for r := engine.RegionSys; r <= engine.RegionRest; r++ {
				for _, w := range searched {
					for _, f := range []tree.Filter{{}, tree.Filter{}.Type(w), tree.Filter{}.Tag(w), tree.Filter{}.Key(w), tree.Filter{}.Tag(w).HasTTL()} {
						compareStretches(t, s, r, f)
					}
				}
				for at, run := range treeOf(s).ChunkRuns(r, 0, treeOf(s).NumChunks(r), tree.Filter{}) {
					if run.Batch != nil {
						packs++
						comparePack(t, s, r, at, run.Batch)
					}
				}
				for at, c := range treeOf(s).Chunks(r, 0, treeOf(s).NumChunks(r), tree.Filter{}) {
					if c.Small() {
						small++
						found += compareSets(t, c)
					}
					nodes := tree.AppendSet[engine.Node](nil, treeOf(s), r, at, c, 0, ^uint64(0)>>(64-min(c.Len(), 64)))
					for i, n := range nodes {
						if n != engine.Node(treeOf(s).Node(r, at, c, i)) {
							t.Fatalf("node %d of a set is %s", i, n.ID())
						}
					}
				}
			}
		}
	}
	if small < 1000 || found < 100 || packs < 100 {
		t.Errorf("%d small chunks with %d nodes found, and %d packs, say little", small, found, packs)
	}
}

// TestRare proves the same of the lists of rare words, on histories whose snapshots share what they can.
func TestRare(t *testing.T) {
	lists := 0
	for seed := range uint64(8) {
		for _, s := range gentest.Grow(t, gentest.Rand(seed), 40, 400).Timeline().All() {
			n := treeOf(s).NumChunks(engine.RegionSeq)
			for _, w := range searched {
				for _, tag := range []bool{false, true} {
					word := tree.NewWord(w)
					for range 2 {
						compareStretches(t, s, engine.RegionSeq, tree.Filter{})
						treeOf(s).PostingList(engine.RegionSeq, word, tag)
					}
					list := treeOf(s).PostingList(engine.RegionSeq, word, tag)
					if list == nil {
						continue
					}
					lists++
					var want, in []engine.Node
					for at, c := range treeOf(s).Chunks(engine.RegionSeq, 0, n, tree.Filter{}) {
						set := c.OfType(tree.NewWord(w))
						if tag {
							set = c.Tagged(tree.NewWord(w))
						}
						for i := range set.All() {
							want = append(want, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, i)))
						}
						if set.Len() > 0 {
							in = append(in, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, 0)))
						}
					}
					if got := tree.AppendPostings[engine.Node](nil, treeOf(s), list); !slices.Equal(got, want) || list.Len() != len(want) {
						t.Fatalf("%d nodes with %s, want %d", len(got), w, len(want))
					}
					var chunks []engine.Node
					for at, c := range list.Chunks() {
						chunks = append(chunks, engine.Node(treeOf(s).Node(engine.RegionSeq, at, c, 0)))
					}
					if !slices.Equal(chunks, in) {
						t.Fatalf("%d chunks with %s, want %d", len(chunks), w, len(in))
					}
				}
			}
		}
	}
	if lists < 1000 {
		t.Errorf("%d lists say little", lists)
	}
}

func compareStretches(t *testing.T, s *engine.Snapshot, r engine.Region, f tree.Filter) {
	t.Helper()
	n := treeOf(s).NumChunks(r)
	for _, part := range [][2]int{{0, n}, {1, n}, {0, n - 1}, {n / 2, n/2 + 1}, {-3, n + 3}} {
		var got, want []int
		for at, c := range treeOf(s).Chunks(r, part[0], part[1], f) {
			if want = append(want, at); c != treeOf(s).Chunk(r, at) {
				t.Fatal("a chunk is not where it is said to be")
			}
		}
		for at, run := range treeOf(s).ChunkRuns(r, part[0], part[1], f) {
			for i, c := range run.Chunks {
				if c != treeOf(s).Chunk(r, at+i) {
					t.Fatal("a run is not where it is said to be")
				}
				if run.Which>>i&1 != 0 {
					got = append(got, at+i)
				}
			}
		}
		if !slices.Equal(got, want) {
			t.Fatalf("the stretches in %v of %d chunks have %v, want %v", part, n, got, want)
		}
	}
}

func compareSets(t *testing.T, c *tree.Chunk) (found int) {
	t.Helper()
	one := func(b tree.Bits) uint64 {
		if len(b) == 0 {
			return 0
		}
		return b[0]
	}
	sets := c.Sets()
	check := func(what string, got uint64, want tree.Bits) {
		if found += want.Len(); got != one(want) {
			t.Fatalf("%s are %b, want %b", what, got, one(want))
		}
	}
	for b := range engine.BaseRegion {
		check("nodes of a base", sets.OfBase(b), c.OfBase(b))
	}
	check("segments without a core", sets.ImplicitCore(), c.ImplicitCore())
	for _, w := range searched {
		check("nodes of type "+w, sets.OfType(tree.NewWord(w)), c.OfType(tree.NewWord(w)))
		check("nodes tagged "+w, sets.Tagged(tree.NewWord(w)), c.Tagged(tree.NewWord(w)))
		check("nodes with key "+w, sets.Keyed(tree.NewWord(w)), c.Keyed(w))
	}
	for col := tree.ColumnOffset; col <= tree.ColumnCad; col++ {
		got, gotOK := sets.Ints(col)
		want, wantOK := c.Ints(col)
		if gotOK != wantOK || !slices.Equal(got, want) {
			t.Fatalf("column %d is %v, want %v", col, got, want)
		}
	}
	return found
}

// comparePack compares a batch with its chunks, the first of which is chunk at.
func comparePack(t *testing.T, s *engine.Snapshot, r engine.Region, at int, p *tree.ChunkBatch) {
	t.Helper()
	all := p.Nodes(nil, 0, p.Len())
	// A set of a batch must be the sets of its chunks.
	check := func(what string, got []uint64, want func(c *tree.Chunk) tree.Bits) {
		t.Helper()
		var found, expected []engine.Node
		for w := range got {
			found = tree.AppendBatch(found, treeOf(s), r, at, p, w, got[w]&all[w])
		}
		for k := range p.Len() {
			c := treeOf(s).Chunk(r, at+k)
			for i := range want(c).All() {
				expected = append(expected, engine.Node(treeOf(s).Node(r, at+k, c, i)))
			}
		}
		if !slices.Equal(found, expected) {
			t.Fatalf("%s: the pack has %d nodes, its chunks %d", what, len(found), len(expected))
		}
	}
	where := func(c *tree.Chunk, has func(i int) bool) tree.Bits {
		b := make(tree.Bits, 1)
		for i := range c.Len() {
			if has(i) {
				b[0] |= 1 << i
			}
		}
		return b
	}
	first, coreless := make([]uint64, p.Words()), false
	for k := range p.Len() {
		set, word := p.First(k)
		first[word] |= set
		coreless = coreless || treeOf(s).Chunk(r, at+k).ImplicitCore().Len() > 0
	}
	check("first nodes", first, func(*tree.Chunk) tree.Bits { return tree.Bits{1} })
	if p.ImplicitCore() != coreless {
		t.Fatal("segments without a core are not where they are said to be")
	}
	for b := range engine.BaseRegion {
		check("nodes of a base", p.OfBase(b), func(c *tree.Chunk) tree.Bits { return c.OfBase(b) })
	}
	below, children := make([]uint64, p.Words()), make([]uint64, p.Words())
	for w, conts := range p.OfBase(engine.BaseCont) {
		below[w], children[w] = p.Below(w, conts), p.Children(w, all[w], conts, true)
	}
	isCont := func(c *tree.Chunk, i int) bool { return i >= 0 && c.Base(i) == engine.BaseCont }
	check("what is below containers", below, func(c *tree.Chunk) tree.Bits {
		return where(c, func(i int) bool {
			for i = c.Parent(i); i >= 0 && !isCont(c, i); i = c.Parent(i) {
			}
			return i >= 0
		})
	})
	check("children", children, func(c *tree.Chunk) tree.Bits {
		return where(c, func(i int) bool { return c.Parent(i) < 0 || isCont(c, c.Parent(i)) })
	})
	for _, w := range searched {
		check("nodes of type "+w, p.OfType(tree.NewWord(w)), func(c *tree.Chunk) tree.Bits { return c.OfType(tree.NewWord(w)) })
		check("nodes tagged "+w, p.Tagged(tree.NewWord(w)), func(c *tree.Chunk) tree.Bits { return c.Tagged(tree.NewWord(w)) })
	}
	for w, set := range all {
		for ; set != 0; set &= set - 1 {
			bit := bits.TrailingZeros64(set)
			k, c, i := p.Find(w, bit)
			if got := tree.AppendBatch[engine.Node](nil, treeOf(s), r, at, p, w, 1<<bit); c != treeOf(s).Chunk(r, at+k) || got[0] != engine.Node(treeOf(s).Node(r, at+k, c, i)) {
				t.Fatal("a node is not where it is said to be")
			}
			at := w<<6 + bit
			if up := c.Parent(i); up < 0 && p.Parent(at) >= 0 || up >= 0 && p.Parent(at) != at-i+up || p.End(at) != at-i+c.End(i) {
				t.Fatal("the tree of a node is not what its chunk has")
			}
		}
	}
	for col := tree.ColumnOffset; col <= tree.ColumnCad; col++ {
		exact := true
		for k := range p.Len() {
			_, ok := treeOf(s).Chunk(r, at+k).Ints(col)
			exact = exact && ok
		}
		if p.Exact(col) != exact {
			t.Fatalf("column %d is said to be exact: %t", col, p.Exact(col))
		}
		for _, span := range [][2]int64{{math.MinInt64, math.MaxInt64}, {math.MinInt64, 0}, {0, 0}, {1, 3}, {3, math.MaxInt64}, {2e9, math.MaxInt64}} {
			if !exact {
				break
			}
			got := make([]uint64, p.Words())
			p.AddBetween(got, col, span[0], span[1])
			check("values", got, func(c *tree.Chunk) tree.Bits {
				ints, _ := c.Ints(col)
				return where(c, func(i int) bool { return span[0] <= ints[i] && ints[i] <= span[1] })
			})
		}
	}
}
