package tree_test

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// regions returns a snapshot with content in ^seq and ^ah.
func regions(seq, head string) string {
	return `{"root":{"id":"root","nodeType":"^root","children":[{"id":"^sys","nodeType":"^sys"},{"id":"^seq","nodeType":"^seq","children":[` + seq +
		`]},{"id":"^ah","nodeType":"^ah","children":[` + head + `]}]}}`
}

// treeOf returns the tree of a snapshot.
func treeOf(s *engine.Snapshot) *tree.Snapshot { return (*tree.Snapshot)(s) }

// TestChunks compares what chunks return to searches with their nodes, in a tree with small and
// large chunks.
func TestChunks(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	ids := 0
	node := func() string {
		ids++
		typ := []string{"block", "cb:summary", "note", "custom:note", "cont"}[r.IntN(5)]
		s := fmt.Sprintf(`{"id":"n%d","nodeType":"%s","priority":%d,"offset":%s`, ids, typ, r.IntN(9), []string{"0", "-1", "2", "1.5"}[r.IntN(4)])
		if r.IntN(3) == 0 {
			s += fmt.Sprintf(`,"key":"k%d","tag":["t%d","t%d"]`, r.IntN(5)*r.IntN(30), r.IntN(3), 3+r.IntN(3))
		}
		if r.IntN(4) == 0 {
			s += fmt.Sprintf(`,"ttl":%d,"cad":%d`, r.IntN(4), r.IntN(3)+1)
		}
		return s + "}"
	}
	list := func(n int) string {
		out := make([]string, n)
		for i := range out {
			out[i] = node()
		}
		return strings.Join(out, ",")
	}
	var segments []string
	for i := range 40 {
		size := 5
		if i == 7 {
			size = 300
		}
		segments = append(segments, fmt.Sprintf(`{"id":"s%d","nodeType":"seg","key":"k9","created_at_ns":%d,"children":[%s]}`, i, i, list(size)))
	}
	tl, err := engine.Read("x.json", strings.NewReader(regions(strings.Join(segments, ","), list(200))), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := tl.At(0)
	if s.Segments() != 40 || treeOf(s).NumChunks(engine.RegionHead) < 3 {
		t.Fatalf("%d segments, %d chunks in the head", s.Segments(), treeOf(s).NumChunks(engine.RegionHead))
	}
	byKey := map[string][]string{}
	seen := 4 // ^root and the regions
	for region := range engine.RegionRest {
		for at, c := range treeOf(s).Chunks(region, 0, treeOf(s).NumChunks(region), tree.Filter{}) {
			if treeOf(s).Chunk(region, at) != c {
				t.Fatalf("chunk %d of region %d is another one", at, region)
			}
			seen += c.Len()
			checkChunk(t, s, region, at, c)
			for i := range c.Len() {
				if k, ok := engine.Node(treeOf(s).Node(region, at, c, i)).Key(); ok {
					byKey[k] = append(byKey[k], c.Rec(i).ID)
				}
			}
		}
	}
	if seen != s.Len() {
		t.Errorf("%d nodes in chunks, Len says %d", seen, s.Len())
	}
	for n := range s.All() {
		if found, ok := s.Find(n.ID()); !ok || found != n {
			t.Errorf("%s is not found in its place", n.ID())
		}
	}
	for key, want := range byKey {
		var got, filtered []string
		for _, n := range s.Keyed(key) {
			got = append(got, n.ID())
		}
		for region := range engine.RegionRest {
			for _, c := range treeOf(s).Chunks(region, 0, treeOf(s).NumChunks(region), tree.Filter{}.Key(key)) {
				for i := range c.Run().Keyed(tree.NewWord(key)).All() {
					filtered = append(filtered, c.Rec(i).ID)
				}
			}
		}
		if diff := cmp.Diff([][]string{want, want}, [][]string{got, filtered}); diff != "" {
			t.Errorf("key %s, straight and filtered (-want +got):\n%s", key, diff)
		}
	}
	var part []string
	for at := range treeOf(s).Chunks(engine.RegionSeq, 38, 99, tree.Filter{}) {
		part = append(part, treeOf(s).Chunk(engine.RegionSeq, at).Rec(0).ID)
	}
	if fmt.Sprint(part) != "[s38 s39]" {
		t.Errorf("the newest two segments are %v", part)
	}
}

func checkChunk(t *testing.T, s *engine.Snapshot, region engine.Region, at int, c *tree.Chunk) {
	t.Helper()
	run := c.Run()
	if !run.Exact(tree.ColumnPriority) {
		t.Error("priorities are integers")
	}
	exact := true
	for i := range c.Len() {
		n := engine.Node(treeOf(s).Node(region, at, c, i))
		if _, ok := n.Offset().Int64(); !ok {
			exact = false
		}
		user := n.UserType()
		tags, _ := n.Tags()
		priority, _ := n.Priority().Int64()
		same := run.AppendNodes(nil, 0, 1)
		run.KeepInts(same, tree.ColumnPriority, []tree.IntRange{{From: priority, To: priority}}, false)
		if !tree.Bits(same).Has(i) || !run.OfBase(n.Base()).Has(i) || user != "" && !run.OfType(tree.NewWord(user)).Has(i) {
			t.Errorf("sets of %s", n.ID())
		}
		if key, ok := n.Key(); ok && !run.Keyed(tree.NewWord(key)).Has(i) {
			t.Errorf("%s and its key", n.ID())
		}
		for _, tag := range []string{"t0", "t1", "t2", "t3", "t4", "t5"} {
			if run.Tagged(tree.NewWord(tag)).Has(i) != slices.Contains(tags, tag) {
				t.Errorf("%s and the tag %s", n.ID(), tag)
			}
		}
		below := 0
		core := false
		for kid := range n.Children() {
			if p, ok := kid.Parent(); !ok || p != n {
				t.Errorf("the parent of %s", kid.ID())
			}
			k := int(tree.Node(kid).I())
			if c.Parent(k) != i || c.Level(k) != c.Level(i)+1 {
				t.Errorf("the place of %s", kid.ID())
			}
			below += c.End(k) - k
			core = core || kid.Base() == engine.BaseCont
		}
		if c.End(i) != i+1+below {
			t.Errorf("the end of %s", n.ID())
		}
		if want := n.Base() == engine.BaseSeg && !core; run.ImplicitCore().Has(i) != want {
			t.Errorf("coreless of %s, want %v", n.ID(), want)
		}
		if depth, ok := n.Depth(); region == engine.RegionSeq && (!ok || depth != s.Segments()-at) {
			t.Errorf("the depth of %s is %d", n.ID(), depth)
		}
	}
	if run.Exact(tree.ColumnOffset) != exact {
		t.Errorf("offsets of chunk %d are said to be exact: %t", at, !exact)
	}
}

func TestAddressing(t *testing.T) {
	for _, edition := range []engine.Edition{engine.Edition10, engine.Edition01} {
		ctx, err := engine.New(engine.Options{Edition: edition})
		if err != nil {
			t.Fatal(err)
		}
		for range 3 {
			if _, err := ctx.Commit(); err != nil {
				t.Fatal(err)
			}
		}
		var cycles []string
		tl := ctx.Timeline()
		for back, s := range tl.All() {
			cycles = append(cycles, fmt.Sprint(s.Cycle(), s.Working()))
			if got, err := tl.Address(back); err != nil || got != s {
				t.Errorf("@t-%d: %v", back, err)
			}
		}
		want := "[4 true 3 false 2 false 1 false]"
		if edition == engine.Edition01 {
			want = "[3 false 2 false 1 false]"
		}
		if got := fmt.Sprint(cycles); got != want {
			t.Errorf("edition %s: %s, want %s", edition, got, want)
		}
		if s, _ := tl.OfCycle(4); s != nil {
			t.Error("@c4 is the working state")
		}
		if s, back := tl.OfCycle(2); s == nil || s.Cycle() != 2 || tl.At(back) != s {
			t.Error("@c2 is not found")
		}
		if d := engine.Diff(newest(tl), ctx.Working()); len(d.Added)+len(d.Removed)+len(d.Changed) > 0 {
			t.Error("nothing was written, but the working state differs")
		}
		if _, err := tl.Address(9); err == nil {
			t.Error("@t-9 is there")
		}
	}
}

// newest returns the newest sealed snapshot.
func newest(tl *engine.Timeline) *engine.Snapshot {
	s, _ := tl.OfCycle(3)
	return s
}

// TestDiffChunks compares the positions of changed chunks with a simple search.
func TestDiffChunks(t *testing.T) {
	now := int64(0)
	ctx, err := engine.New(engine.Options{Clock: func() time.Time { now += 1_000_000_000; return time.Unix(0, now) }})
	if err != nil {
		t.Fatal(err)
	}
	r := rand.New(rand.NewPCG(8, 9))
	for range 400 {
		older := ctx.Working()
		for range r.IntN(4) {
			depth := r.IntN(older.Segments() + 1)
			if _, err := ctx.Insert(engine.AtDepth(depth, int64(r.IntN(3)-1)), engine.Draft{}); err != nil && !errors.Is(err, engine.ErrNoRoom) {
				t.Fatal(err)
			}
		}
		if _, err := ctx.Commit(); err != nil {
			t.Fatal(err)
		}
		newer := ctx.Working()
		missing := func(a, b *engine.Snapshot) []int {
			there := map[*tree.Chunk]bool{}
			for _, c := range treeOf(b).Chunks(engine.RegionSeq, 0, b.Segments(), tree.Filter{}) {
				there[c] = true
			}
			var out []int
			for at, c := range treeOf(a).Chunks(engine.RegionSeq, 0, a.Segments(), tree.Filter{}) {
				if !there[c] {
					out = append(out, at)
				}
			}
			return out
		}
		want := tree.ChunkChanges{Older: missing(older, newer), Newer: missing(newer, older)}
		got := tree.DiffChunks(treeOf(older), treeOf(newer), engine.RegionSeq)
		if diff := cmp.Diff(want, got, cmpopts.EquateEmpty()); diff != "" {
			t.Fatalf("-want +got:\n%s", diff)
		}
	}
}
