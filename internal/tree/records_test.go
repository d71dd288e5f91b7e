package tree

import (
	"math/rand/v2"
	"slices"
	"testing"
)

// TestPages grows, edits and cuts chunks at random, each time one of those made so far. Each must
// keep its own nodes, and what two chunks seem to share must be the same.
func TestPages(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	m := maker(2)
	type version struct {
		c    *Chunk
		recs []*Record
	}
	block := func() *Record {
		for m++; m%2 == 0; m++ { // blocks only
		}
		return m.subtree(0).Recs[0]
	}
	top := NewChunk(m.subtree(0))
	all := []version{{top, []*Record{top.Rec(0)}}}
	add := func(c *Chunk, recs []*Record) { all = append(all, version{c, recs}) }
	for range 4000 {
		v := all[len(all)-1-r.IntN(min(len(all), 3))]
		n := len(v.recs)
		switch k := r.IntN(20); {
		case k < 10 || n < 200:
			f := Forest{}
			for range 1 + r.IntN(3)*r.IntN(40) {
				f.Add(block(), 0)
			}
			add(v.c.Insert(0, n, f, v.c.Room(RegionHead)), slices.Concat(v.recs, f.Recs))
		case k < 19:
			i := r.IntN(n)
			if r.IntN(2) == 0 {
				i = n - 1
			}
			like := *v.c.Rec(i)
			recs := slices.Clone(v.recs)
			recs[i] = &like
			add(v.c.WithRecord(i, &like), recs)
		default:
			i := 1 + r.IntN(n-1)
			add(v.c.Without(i), slices.Concat(v.recs[:i], v.recs[i+1:]))
		}
		if len(all[len(all)-1].recs) > 2000 {
			all = append(all, all[0])
		}
	}
	paged := 0
	for k, v := range all {
		if v.c.pages != nil {
			paged++
		}
		if !slices.Equal(v.c.list(0, v.c.Len()), v.recs) {
			t.Fatalf("version %d has other nodes", k)
		}
		for i, rec := range v.c.Recs() {
			if rec != v.recs[i] {
				t.Fatalf("node %d of version %d is another", i, k)
			}
		}
		if k%40 == 0 {
			checkEdited(t, v.c)
		}
		o := all[max(0, k-1-r.IntN(4))]
		from := r.IntN(v.c.Len())
		if end := v.c.sameFrom(o.c, from); end > from && !slices.Equal(v.recs[from:end], o.recs[from:end]) {
			t.Fatalf("version %d seems to share nodes %d to %d that differ", k, from, end)
		}
	}
	if paged < len(all)/4 {
		t.Errorf("%d of %d chunks have pages", paged, len(all))
	}
}
