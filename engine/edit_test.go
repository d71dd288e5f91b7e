package engine

import (
	"fmt"
	"testing"
)

// TestChunkEdits compares edited chunks with ones made anew of the same nodes.
func TestChunkEdits(t *testing.T) {
	number := 0
	subtree := func(levels ...int32) forest {
		f := forest{levels: levels}
		for range levels {
			number++
			r := &record{id: fmt.Sprint(number), typ: fmt.Sprint("t", number), offset: int64(number), expiry: never}
			if number%3 == 0 {
				r.expiry = int64(number)
			}
			r.seal()
			f.recs = append(f.recs, r)
		}
		return f
	}
	check := func(c *Chunk) {
		t.Helper()
		anew := newChunk(c.forest())
		if c.sum != anew.sum {
			t.Fatalf("the summary is %+v, anew %+v", c.sum, anew.sum)
		}
		for i := range c.nav {
			if c.nav[i] != anew.nav[i] {
				t.Fatalf("node %d of %d is at %+v, anew %+v", i, len(c.nav), c.nav[i], anew.nav[i])
			}
		}
	}
	start := newChunk(subtree(0, 1, 2, 2, 1, 0, 0, 1, 2, 3))
	check(start)
	for i := range start.recs {
		check(start.without(i))
		check(start.with(i, subtree(0).recs[0]))
		parent := int(start.nav[i].parent)
		for _, at := range []int{i, int(start.nav[i].end)} { // before and behind a child
			c := start.insert(parent, at, subtree(0, 1, 1, 2))
			check(c)
			if got := int(c.nav[at].parent); got != parent {
				t.Fatalf("inserted below %d, not %d", got, parent)
			}
		}
		check(start.insert(i, i+1, subtree(0, 1))) // as the first child
	}
}
