package slab

import "testing"

// TestReset checks that a round of values as large as the one before does not allocate memory, and
// that new values are zero.
func TestReset(t *testing.T) {
	var s Scratch[node]
	round := func() {
		for range 100 {
			list, n := append(s.Room(2), node{n: 5}), s.New()
			if n.next != nil || n.n != 0 {
				t.Fatal("a value is not zero")
			}
			n.next, n.n = n, 1
			copy(s.Copy(list), []node{*n})
			if list[0].n != 5 {
				t.Fatal("two values share memory")
			}
		}
		s.Reset()
	}
	round()
	if n := testing.AllocsPerRun(10, round); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
