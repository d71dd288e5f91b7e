package slab

import "testing"

type node struct {
	next *node
	n    int
}

// TestValuesAreApart checks that no two values share memory, and that all of them are zero.
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
			t.Fatalf("a list of length %d has capacity %d", len(list), cap(list))
		}
		for j := range list {
			take(&list[j])
		}
	}
}

// TestRoom checks that lists of any length, even if they are extended after Keep, share no memory
// with each other or with values allocated between them.
func TestRoom(t *testing.T) {
	var s Of[node]
	var kept [][]node
	for i := range 400 {
		list := s.Room()
		extend := func() {
			list = s.Extend(list)
			last := &list[len(list)-1]
			if *last != (node{}) {
				t.Fatal("a value is not new")
			}
			last.n = i
		}
		for range i % 97 {
			extend()
		}
		list = s.Keep(list)
		if n := s.New(); *n != (node{}) {
			t.Fatal("a value is not new")
		} else {
			n.n = -1
		}
		if i%7 == 0 && len(list) > 0 {
			for range 3 {
				extend()
				list = s.Keep(list)
			}
		}
		kept = append(kept, list)
	}
	for _, list := range kept {
		for _, n := range list {
			if n.n != list[0].n || n.n < 0 {
				t.Fatal("two lists share memory")
			}
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
