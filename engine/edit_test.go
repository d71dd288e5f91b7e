package engine

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
)

// maker makes nodes that no two are alike of. Blocks and containers take
// turns.
type maker int

func (m *maker) subtree(levels ...int32) forest {
	f := forest{levels: levels}
	for range levels {
		*m++
		n := int64(*m)
		r := &record{id: fmt.Sprint(n), typ: []string{"block", "cont", fmt.Sprint("t", n), fmt.Sprint("cont:t", n)}[n%4], offset: n, expiry: never}
		if n%3 == 0 {
			r.expiry = n
		}
		r.seal()
		f.recs = append(f.recs, r)
	}
	return f
}

// checkEdited compares an edited chunk with one made anew of the same nodes.
func checkEdited(t *testing.T, c *Chunk) {
	t.Helper()
	anew := newChunk(c.forest())
	if c.sum != anew.sum {
		t.Fatalf("the summary is %+v, anew %+v", c.sum, anew.sum)
	}
	for i := range c.nav {
		if c.nav[i] != anew.nav[i] {
			t.Fatalf("node %d of %d is at %+v, anew %+v", i, len(c.nav), c.nav[i], anew.nav[i])
		}
		end := i + 1
		for end < len(c.nav) && c.nav[end].level > c.nav[i].level {
			end++
		}
		if c.End(i) != end {
			t.Fatalf("node %d ends at %d, not %d", i, c.End(i), end)
		}
	}
}

func TestChunkEdits(t *testing.T) {
	var m maker
	for range 2 { // a block first, then a container
		start := newChunk(m.subtree(0, 1, 2, 2, 1, 0, 0, 1, 2, 3))
		m++
		checkEdited(t, start)
		for i := range start.recs {
			checkEdited(t, start.without(i))
			like := *start.recs[i]
			checkEdited(t, start.with(i, &like))
			parent := start.Parent(i)
			for _, at := range []int{i, start.End(i)} { // before and behind a child
				c := start.insert(parent, at, m.subtree(0, 1, 1, 2), 4)
				checkEdited(t, c)
				if got := c.Parent(at); got != parent {
					t.Fatalf("inserted below %d, not %d", got, parent)
				}
				if end := c.End(at); end < c.Len() {
					continue
				}
				for p := at; p >= 0; p = c.Parent(p) { // behind it, at every level
					checkEdited(t, c.insert(c.Parent(p), c.Len(), m.subtree(0, 1), 4))
				}
			}
			checkEdited(t, start.insert(i, i+1, m.subtree(0, 1), 0)) // as the first child
		}
		checkEdited(t, start)
	}
}

// TestSpareRoom grows two chunks out of one whose lists have room left: each
// has its own nodes, and those before them stay as they are.
func TestSpareRoom(t *testing.T) {
	m := maker(1)
	first := newChunk(m.subtree(0, 1)).insert(1, 2, m.subtree(0), 4) // a container below a block cannot grow in place
	checkEdited(t, first)
	m = 2
	first = newChunk(m.subtree(0)).insert(0, 1, m.subtree(0), 4)
	ids := func(c *Chunk) (out []string) {
		for i := range c.Len() {
			out = append(out, c.ID(i))
		}
		return out
	}
	want := ids(first)
	grown := first
	for range 4 {
		m++ // blocks only
		grown = grown.insert(0, grown.Len(), m.subtree(0), 4)
	}
	if &grown.recs[0] != &first.recs[0] {
		t.Error("the room was not used")
	}
	after := ids(grown)
	other := first.insert(0, first.Len(), m.subtree(0), 4)
	for _, c := range []*Chunk{first, grown, other} {
		checkEdited(t, c)
	}
	if !slices.Equal(ids(first), want) || !slices.Equal(ids(grown), after) || slices.Contains(after, other.ID(2)) {
		t.Errorf("%v, %v and %v", ids(first), ids(grown), ids(other))
	}
}

// TestSequence edits a sequence at random places and compares it with a plain
// list; every summary must be what its parts say.
func TestSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m maker
	chunk := func(ns int64) *Chunk {
		f := m.subtree(0, 1)
		f.recs[0].offset, f.recs[0].ns = 0, ns
		f.recs[1].key = fmt.Sprint("k", r.IntN(200))
		if r.IntN(4) > 0 {
			f.recs[1].expiry = never
		}
		f.recs[1].seal()
		return newChunk(f)
	}
	s, list := newSequence(nil), []*Chunk(nil)
	between := func(i int) int64 {
		low, high := int64(0), int64(1)<<60
		if i > 0 {
			low = list[i-1].recs[0].ns
		}
		if i < len(list) {
			high = list[i].recs[0].ns
		}
		if i == len(list) {
			return low + 1<<30
		}
		return low + (high-low)/2
	}
	for step := range 6000 {
		i, ops := r.IntN(len(list)+1), 8
		if step > 4000 {
			ops = 20 // shrink
		}
		switch op := r.IntN(ops); {
		case op < 3:
			i = len(list)
			c := chunk(between(i))
			s, list = s.append(c), append(list, c)
		case i == len(list):
		case op < 5:
			c := chunk(between(i))
			s, list = s.insert(i, c), slices.Insert(slices.Clone(list), i, c)
		case op < 7:
			c := chunk(list[i].recs[0].ns)
			s, list = s.set(i, c), slices.Clone(list)
			list[i] = c
		default:
			s, list = s.set(i, newChunk(forest{})), slices.Delete(slices.Clone(list), i, i+1)
		}
		if step%50 == 0 || len(list) < 3 {
			checkSequence(t, s, list)
		}
	}
}

func checkSequence(t *testing.T, s sequence, list []*Chunk) {
	t.Helper()
	var got []*Chunk
	for at, c := range s.all() {
		if at != len(got) || s.at(at) != c || s.find(c.recs[0]) != at {
			t.Fatalf("chunk %d is at %d", len(got), at)
		}
		got = append(got, c)
	}
	if !slices.Equal(got, list) || s.len() != len(list) {
		t.Fatalf("%d chunks, not the %d of the list", len(got), len(list))
	}
	var check func(n *seqNode, height int)
	check = func(n *seqNode, height int) {
		anew := seqNode{kids: n.kids, chunks: n.chunks}
		if sum := anew.total().sum; n.sum != sum {
			t.Fatalf("the summary is %+v, anew %+v", n.sum, sum)
		}
		if (height == 0) != (len(n.kids) == 0) || max(len(n.kids), len(n.chunks)) > fanout {
			t.Fatalf("%d and %d entries at height %d", len(n.kids), len(n.chunks), height)
		}
		for i, k := range n.kids {
			check(k, height-1)
			if i == 0 && k.low != n.low {
				t.Fatal("low is not the first node")
			}
		}
		if len(n.chunks) > 0 && n.low != n.chunks[0].recs[0] {
			t.Fatal("low is not the first node")
		}
	}
	check(s.root, s.height())
}

// TestFindMoved finds nodes of a large head and segment by their ids while the
// numbers they have change.
func TestFindMoved(t *testing.T) {
	ctx, err := New(Options{})
	if err != nil {
		t.Fatal(err)
	}
	check := func() {
		t.Helper()
		for _, s := range []*Snapshot{ctx.Working(), ctx.Timeline().At(min(1, ctx.Timeline().Len()-1))} {
			for n := range s.All() {
				if found, ok := s.Find(n.ID()); !ok || found != n {
					t.Fatalf("%s of cycle %d is not found in its place", n.ID(), s.Cycle())
				}
			}
		}
	}
	insert := func(pos Position, ttl *int64) string {
		n, err := ctx.Insert(pos, Draft{TTL: ttl})
		if err != nil {
			t.Fatal(err)
		}
		return n.ID()
	}
	first := insert(AtDepth(0, 0), nil)
	node, _ := ctx.Working().Find(first)
	core, _ := node.ParentID()
	for i := range 300 {
		insert(Under(core, int64(i*7%10)), new(int64(i%3+1)))
		insert(AtDepth(0, int64(i%5-2)), nil)
		if i%30 == 0 {
			check()
		}
	}
	for range 4 {
		if _, err := ctx.Commit(); err != nil {
			t.Fatal(err)
		}
		check()
		insert(AtDepth(1, -1), nil)
		insert(AtDepth(1, 1), nil)
		check()
	}
}
