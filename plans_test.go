package pactkit

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

func sample(t testing.TB) *engine.Timeline {
	t.Helper()
	tl, err := engine.Read("f.json", strings.NewReader(`{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah","children":[
		{"id":"core","nodeType":"cont","children":[{"id":"k3","tag":"t1"},{"id":"b","key":"k3"},{"id":"c","key":"k4","n":7}]}]}]}}`), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return tl
}

// What a selector selects does not depend on whether its plan was kept, nor on what was kept before.
func TestPlansKept(t *testing.T) {
	var c cache[*query]
	tl := sample(t)
	random := rand.New(rand.NewPCG(1, 2))
	forms := []string{"#k%d", "+t%d", ".block[n=%d]", "d%d", "{id='k%d'}", ".block{key='k%d'}?", "#k%d >"}
	kept := 0
	for range 4000 {
		n := int(random.ExpFloat64() * 80) // some often, most seldom
		s := source{fmt.Sprintf(forms[n%len(forms)], n/len(forms)), ast.Edition(random.IntN(2))}
		if _, ok := c.entries[s]; ok {
			kept++
		}
		a, wrong := c.get(s, newTarget)
		b, want := newTarget(s)
		if (wrong == nil) != (want == nil) || wrong != nil && wrong.Error() != want.Error() {
			t.Fatalf("%v: %v, want %v", s, wrong, want)
		}
		if wrong != nil {
			continue
		}
		if a.now != b.now || a.compares != b.compares || a.key != b.key || a.optional != b.optional || len(a.warnings) != len(b.warnings) {
			t.Fatalf("%v: %+v, want %+v", s, a, b)
		}
		got, err := a.plan.Select(t.Context(), tl, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := b.plan.Select(t.Context(), tl, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got.Nodes, fresh.Nodes) {
			t.Fatalf("%v selects %v, want %v", s, got.IDs(), fresh.IDs())
		}
		if len(c.entries) > cacheEntries || len(c.clock) != len(c.entries) {
			t.Fatalf("%d entries, %d in the ring", len(c.entries), len(c.clock))
		}
	}
	if len(c.entries) != cacheEntries || kept < 1000 {
		t.Errorf("%d entries in the end, used %d times", len(c.entries), kept)
	}
}

func TestPlansNotKept(t *testing.T) {
	var c cache[*query]
	for _, text := range []string{".a >", "{key='" + strings.Repeat("x", cacheText) + "'}"} {
		_, first := c.get(source{text: text}, newTarget)
		_, second := c.get(source{text: text}, newTarget)
		if len(c.entries) != 0 || (first == nil) != (second == nil) {
			t.Errorf("%.20s: %d entries, %v, %v", text, len(c.entries), first, second)
		}
	}
}

// A plan in use outlives those that are not.
func TestPlansInUseStay(t *testing.T) {
	var c cache[*query]
	often := source{text: "#often"}
	first, err := c.get(often, newTarget)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 * cacheEntries {
		if _, err := c.get(source{text: fmt.Sprint("#k", i)}, newTarget); err != nil {
			t.Fatal(err)
		}
		if again, err := c.get(often, newTarget); again != first || err != nil {
			t.Fatalf("gone after %d others: %v", i, err)
		}
	}
}

func TestPlansTogether(t *testing.T) {
	var c cache[*query]
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 2000 {
				text := fmt.Sprint("#k", (i*7+worker)%(2*cacheEntries))
				if q, err := c.get(source{text: text}, newTarget); err != nil || q.key == "" {
					t.Errorf("%s: %v", text, err)
					return
				}
			}
		})
	}
	all.Wait()
	if len(c.entries) != cacheEntries {
		t.Errorf("%d entries", len(c.entries))
	}
}

// Finding a plan again costs no memory.
func TestPlansCost(t *testing.T) {
	const text = "@t-1 ^seq .block+tool"
	if _, err := read(text, ast.Edition10); err != nil {
		t.Fatal(err)
	}
	if _, err := readPosition("(d0,0, end)", ast.Edition10); err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() {
		if _, err := read(text, ast.Edition10); err != nil {
			t.Fatal(err)
		}
		if _, err := readPosition("(d0,0, end)", ast.Edition10); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}
