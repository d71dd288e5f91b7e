package tree

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// maker makes different nodes, alternately blocks and containers.
type maker int

func (m *maker) subtree(levels ...int32) Forest {
	f := Forest{Levels: levels}
	for range levels {
		*m++
		n := int64(*m)
		r := &Record{ID: fmt.Sprint(n), Type: []string{"block", "cont", fmt.Sprint("t", n), fmt.Sprint("cont:t", n)}[n%4], Offset: n, Expiry: Never}
		if n%3 == 0 {
			r.Expiry = n
		}
		r.Freeze()
		f.Recs = append(f.Recs, r)
	}
	return f
}

// checkEdited compares an edited chunk with a new one of the same nodes.
func checkEdited(t *testing.T, c *Chunk) {
	t.Helper()
	anew := NewChunk(c.Forest())
	if c.sum != anew.sum {
		t.Fatalf("the summary is %+v, anew %+v", c.sum, anew.sum)
	}
	for i := range c.Nav {
		if c.Nav[i] != anew.Nav[i] {
			t.Fatalf("node %d of %d is at %+v, anew %+v", i, len(c.Nav), c.Nav[i], anew.Nav[i])
		}
		end := i + 1
		for end < len(c.Nav) && c.Nav[end].Level > c.Nav[i].Level {
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
		start := NewChunk(m.subtree(0, 1, 2, 2, 1, 0, 0, 1, 2, 3))
		m++
		checkEdited(t, start)
		for i := range start.Len() {
			checkEdited(t, start.Without(i))
			like := *start.Rec(i)
			checkEdited(t, start.WithRecord(i, &like))
			parent := start.Parent(i)
			for _, at := range []int{i, start.End(i)} { // before and after a child
				c := start.Insert(parent, at, m.subtree(0, 1, 1, 2), 4)
				checkEdited(t, c)
				if got := c.Parent(at); got != parent {
					t.Fatalf("inserted below %d, not %d", got, parent)
				}
				if end := c.End(at); end < c.Len() {
					continue
				}
				for p := at; p >= 0; p = c.Parent(p) { // after it, at every level
					checkEdited(t, c.Insert(c.Parent(p), c.Len(), m.subtree(0, 1), 4))
				}
			}
			checkEdited(t, start.Insert(i, i+1, m.subtree(0, 1), 0)) // as the first child
		}
		checkEdited(t, start)
	}
}

// TestSpareRoom grows two chunks from one whose lists have spare capacity. Each has its own nodes,
// and the nodes before them do not change.
func TestSpareRoom(t *testing.T) {
	m := maker(1)
	first := NewChunk(m.subtree(0, 1)).Insert(1, 2, m.subtree(0), 4) // a container below a block cannot grow in place
	checkEdited(t, first)
	m = 2
	first = NewChunk(m.subtree(0)).Insert(0, 1, m.subtree(0), 4)
	ids := func(c *Chunk) (out []string) {
		for i := range c.Len() {
			out = append(out, c.Rec(i).ID)
		}
		return out
	}
	want := ids(first)
	grown := first
	for range 4 {
		m++ // blocks only
		grown = grown.Insert(0, grown.Len(), m.subtree(0), 4)
	}
	if first.sameFrom(grown, 0) != first.Len() {
		t.Error("the room was not used")
	}
	after := ids(grown)
	other := first.Insert(0, first.Len(), m.subtree(0), 4)
	for _, c := range []*Chunk{first, grown, other} {
		checkEdited(t, c)
	}
	if !cmp.Equal(ids(first), want) || !cmp.Equal(ids(grown), after) || slices.Contains(after, other.Rec(2).ID) {
		t.Errorf("%v, %v and %v", ids(first), ids(grown), ids(other))
	}
}

// TestSpareRoomOfEdited grows a chunk, one in which a record of it was replaced, and one of that
// again, which share lists. Each has its own nodes and positions.
func TestSpareRoomOfEdited(t *testing.T) {
	m := maker(2)
	first := NewChunk(m.subtree(0)).Insert(0, 1, m.subtree(0), 8)
	for range 2 { // blocks only
		m++
		first = first.Insert(0, first.Len(), m.subtree(0), 8)
	}
	edited := first.WithRecord(1, m.subtree(0).Recs[0])
	again := edited.Insert(0, edited.Len(), m.subtree(0), 8)
	if edited.sameFrom(again, 0) != edited.Len() || &again.Nav[0] != &first.Nav[0] {
		t.Error("the room was not used")
	}
	deeper := first.Insert(first.Len()-1, first.Len(), m.subtree(0, 1), 8) // other levels at the same numbers
	edited2 := again.WithRecord(0, again.Rec(0))
	more := edited2.Insert(0, edited2.Len(), m.subtree(0, 1), 8)
	for _, c := range []*Chunk{first, edited, again, deeper, edited2, more} {
		checkEdited(t, c)
	}
	if deeper.Level(deeper.Len()-1) == more.Level(more.Len()-1) || again.Rec(again.Len()-1) == deeper.Rec(again.Len()-1) {
		t.Error("chunks share what they do not have in common")
	}
}

// TestSequence edits a sequence at random positions and compares it with a slice. Every summary
// must be that of its parts.
func TestSequence(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	var m maker
	chunk := func(ns int64) *Chunk {
		f := m.subtree(0, 1)
		f.Recs[0].Offset, f.Recs[0].NS = 0, ns
		f.Recs[1].Key = fmt.Sprint("k", r.IntN(200))
		if r.IntN(4) > 0 {
			f.Recs[1].Expiry = Never
		}
		f.Recs[1].Freeze()
		return NewChunk(f)
	}
	s, list := NewSequence(nil), []*Chunk(nil)
	between := func(i int) int64 {
		low, high := int64(0), int64(1)<<60
		if i > 0 {
			low = list[i-1].Rec(0).NS
		}
		if i < len(list) {
			high = list[i].Rec(0).NS
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
			s, list = s.Append(c), append(list, c)
		case i == len(list):
		case op < 5:
			c := chunk(between(i))
			s, list = s.Insert(i, c), slices.Insert(slices.Clone(list), i, c)
		case op < 7:
			c := chunk(list[i].Rec(0).NS)
			s, list = s.Set(i, c), slices.Clone(list)
			list[i] = c
		default:
			s, list = s.Set(i, NewChunk(Forest{})), slices.Delete(slices.Clone(list), i, i+1)
		}
		if step%50 == 0 || len(list) < 3 {
			checkSequence(t, s, list)
		}
	}
}

func checkSequence(t *testing.T, s Sequence, list []*Chunk) {
	t.Helper()
	var got []*Chunk
	for at, c := range s.All() {
		if at != len(got) || s.At(at) != c || s.Find(c.Rec(0)) != at {
			t.Fatalf("chunk %d is at %d", len(got), at)
		}
		got = append(got, c)
	}
	if !slices.Equal(got, list) || s.Len() != len(list) {
		t.Fatalf("%d chunks, not the %d of the list", len(got), len(list))
	}
	var check func(n *seqNode, height int)
	check = func(n *seqNode, height int) {
		anew := seqNode{chunks: n.chunks}
		var kids []*seqNode
		if n.inner != nil {
			kids, anew.inner = n.kids, &inner{kids: n.kids}
		}
		if sum := anew.total().sum; n.sum != sum {
			t.Fatalf("the summary is %+v, anew %+v", n.sum, sum)
		}
		if n.inner != nil && n.starts != anew.starts {
			t.Fatalf("the entries start at %v, anew %v", n.starts, anew.starts)
		}
		if (height == 0) != (len(kids) == 0) || max(len(kids), len(n.chunks)) > fanout {
			t.Fatalf("%d and %d entries at height %d", len(kids), len(n.chunks), height)
		}
		for i, k := range kids {
			check(k, height-1)
			if i == 0 && k.low != n.low {
				t.Fatal("low is not the first node")
			}
		}
		if len(n.chunks) > 0 && n.low != n.chunks[0].Rec(0) {
			t.Fatal("low is not the first node")
		}
	}
	check(s.root, s.height())
}
