package search

import (
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestEver checks that a node that was ever in the context is found once, in the newest snapshot
// that has it, with the cycles of the first and the last one.
func TestEver(t *testing.T) {
	q, found := Compile("*", parser.Options{Edition: ast.Edition10})
	if q == nil {
		t.Fatal(found)
	}
	q, err := q.Ever()
	if err != nil {
		t.Fatal(err)
	}
	r := gentest.Rand(1)
	returned := 0
	for range 60 {
		timeline := gentest.Timeline(t, r, 40)
		list, err := q.Timeline(t.Context(), timeline)
		if err != nil {
			t.Fatal(err)
		}
		seen := map[string]bool{}
		for _, m := range list {
			if seen[m.ID] {
				t.Errorf("%s comes twice", m.ID)
			}
			seen[m.ID] = true
			first, last, count := int64(0), int64(0), 0
			for _, s := range timeline.All() {
				if _, ok := s.Find(m.ID); ok {
					first = s.Cycle()
					last = max(last, first)
					count++
				}
			}
			if m.First != first || m.Last != last || m.Cycle != last {
				t.Errorf("%s is in %d..%d, and comes as %+v", m.ID, first, last, m)
			}
			if int64(count) < last-first+1 {
				returned++
			}
		}
	}
	if returned == 0 {
		t.Error("no node came back")
	}
}
