package tree

import (
	"fmt"
	"testing"
)

// TestPostingMap fills an index far beyond the first size of its tables.
func TestPostingMap(t *testing.T) {
	m := &NewIndex(0).ids
	read, first, second := new(Location), new(Location), new(Location)
	const n = 20_000
	word := func(i int) string { return fmt.Sprint("block:", i) }
	for i := range n / 2 {
		m.add(word(i), read, int32(i))
	}
	for i := range n {
		m.add(word(i), first, int32(i))
		m.add(word(i), first, 0) // known already
		if i%3 == 0 {
			m.add(word(i), second, 0)
		}
	}
	for i := range n {
		var want []*Location
		if i%3 == 0 {
			want = append(want, second)
		}
		want = append(want, first)
		if i < n/2 {
			want = append(want, read)
		}
		p := m.lookup(word(i))
		for k, h := range want {
			if p == nil || p.location != h {
				t.Fatalf("%s: location %d of %d is not the one that was added", word(i), k, len(want))
			}
			p = p.next
		}
		if p != nil {
			t.Fatalf("%s: more than %d locations", word(i), len(want))
		}
	}
	if m.lookup("block") != nil {
		t.Error("a word that was never added is found")
	}
}
