package slab

import "testing"

type node struct {
	next *node
	n    int
}

// TestValuesAreApart: nothing that is made shares memory with anything else, and all of it is zero.
func TestValuesAreApart(t *testing.T) {
	var s Of[node]
	seen := map[*node]bool{}
	take := func(n *node) {
		t.Helper()
		if *n != (node{}) || seen[n] {
			t.Fatal("a value is not new")
		}
		seen[n] = true
		n.next, n.n = n, 1
	}
	for i := range 200 {
		take(s.New())
		list := s.List(i % 70)
		if len(list) != i%70 || cap(list) != len(list) {
			t.Fatalf("a list of %d and room for %d", len(list), cap(list))
		}
		for j := range list {
			take(&list[j])
		}
	}
}

func TestCopy(t *testing.T) {
	var s Of[int]
	from := []int{1, 2, 3}
	list := s.Copy(from)
	from[0] = 9
	if len(list) != 3 || list[0] != 1 || s.Copy(nil) != nil {
		t.Errorf("got %v", list)
	}
}

// TestReset: a round as large as the one before takes no memory and begins with zero values.
func TestReset(t *testing.T) {
	var s Of[node]
	round := func() {
		for range 100 {
			n := s.New()
			if n.next != nil || n.n != 0 {
				t.Fatal("a value is not zero")
			}
			n.next, n.n = n, 1
		}
		s.Reset()
	}
	round()
	if n := testing.AllocsPerRun(10, round); n > 0 {
		t.Errorf("%v allocations", n)
	}
}
