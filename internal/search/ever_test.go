package search

import (
	"slices"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// TestEver checks that a node that was ever in the context is found once with each content, in the
// newest snapshot that has it, with the cycles of the first and the last one.
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
	returned, changed := 0, 0
	for range 60 {
		timeline := gentest.Timeline(t, r, 40)
		list, err := q.Timeline(t.Context(), timeline)
		if err != nil {
			t.Fatal(err)
		}
		versions := map[string][]Match{}
		for _, m := range list {
			versions[m.ID] = append(versions[m.ID], m)
		}
		for id, got := range versions {
			var want []Match
			content, count := "none", int64(0)
			for _, s := range timeline.All() {
				n, ok := s.Find(id)
				if !ok {
					continue
				}
				count++
				if now := n.Content().String(); now != content {
					m := matchOf(n)
					m.Last = s.Cycle()
					want, content = append(want, m), now
				}
				want[len(want)-1].First = s.Cycle()
			}
			if !slices.Equal(got, want) {
				t.Errorf("%s comes as\n%+v, want\n%+v", id, got, want)
			}
			changed += len(want) - 1
			if count < want[0].Last-want[len(want)-1].First+1 {
				returned++
			}
		}
	}
	if returned == 0 || changed == 0 {
		t.Errorf("%d nodes came back, %d changed", returned, changed)
	}
}
