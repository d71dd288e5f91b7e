package compiled

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

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

// What a selector selects does not depend on whether its plan was cached, nor on the cache before.
func TestPlansKept(t *testing.T) {
	var c cache[*Query]
	tl := sample(t)
	random := rand.New(rand.NewPCG(1, 2))
	forms := []string{"#k%d", "+t%d", ".block[n=%d]", "d%d", "{id='k%d'}", ".block{key='k%d'}?", "#k%d >"}
	kept := 0
	for range 4000 {
		n := int(random.ExpFloat64() * 80) // some often, most seldom
		s := source{fmt.Sprintf(forms[n%len(forms)], n/len(forms)), ast.Edition(random.IntN(2)), true}
		if c.has(s) {
			kept++
		}
		a, wrong := c.get(s, newQuery)
		b, _, want := newQuery(s)
		if d := gocmp.Diff(want, wrong); d != "" {
			t.Fatalf("%v (-want +got)\n%s", s, d)
		}
		if wrong != nil {
			continue
		}
		if d := gocmp.Diff(b, a, cmpopts.IgnoreFields(Query{}, "Plan")); d != "" {
			t.Fatalf("%v (-want +got)\n%s", s, d)
		}
		got, err := a.Plan.Select(t.Context(), tl, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		fresh, err := b.Plan.Select(t.Context(), tl, eval.Options{})
		if err != nil {
			t.Fatal(err)
		}
		if d := gocmp.Diff(fresh.IDs(), got.IDs()); d != "" {
			t.Fatalf("%v (-want +got):\n%s", s, d)
		}
		if c.len() > cacheEntries {
			t.Fatalf("%d entries", c.len())
		}
	}
	if c.len() <= cacheEntries/2 || kept < 1000 {
		t.Errorf("%d entries in the end, used %d times", c.len(), kept)
	}
}

func (c *cache[V]) len() int { return len(c.recent) + len(c.older) }

func (c *cache[V]) has(s source) bool {
	_, recent := c.recent[s]
	_, older := c.older[s]
	return recent || older
}

func TestPlansNotKept(t *testing.T) {
	var c cache[*Query]
	for _, text := range []string{
		".a >", "{key='" + strings.Repeat("x", cacheText) + "'}",
		"[content~'" + strings.Repeat("x{1000}", 9) + "']", "[content~'(xyz){1000}', kind~'(abcdef){1000}']",
	} {
		_, first := c.get(source{text: text, mutation: true}, newQuery)
		_, second := c.get(source{text: text, mutation: true}, newQuery)
		if c.len() != 0 || (first == nil) != (second == nil) {
			t.Errorf("%.20s: %d entries, %v, %v", text, c.len(), first, second)
		}
	}
	var positions cache[*Position]
	if _, wrong := positions.get(source{text: "(#k[content~'(abcdefghi){1000}'], end)"}, newPosition); wrong != nil || positions.len() != 0 {
		t.Errorf("%d positions, %v", positions.len(), wrong)
	}
	if c.get(source{text: "[content~'x{9}']"}, newQuery); c.len() != 1 {
		t.Errorf("%d entries", c.len())
	}
}

// A plan in use outlives those that are not.
func TestPlansInUseStay(t *testing.T) {
	var c cache[*Query]
	often := source{text: "#often", mutation: true}
	first, err := c.get(often, newQuery)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 10 * cacheEntries {
		if _, err := c.get(source{text: fmt.Sprint("#k", i), mutation: true}, newQuery); err != nil {
			t.Fatal(err)
		}
		if again, err := c.get(often, newQuery); again != first || err != nil {
			t.Fatalf("gone after %d others: %v", i, err)
		}
	}
}

func TestPlansTogether(t *testing.T) {
	var c cache[*Query]
	var all sync.WaitGroup
	for worker := range 4 {
		all.Go(func() {
			for i := range 2000 {
				text := fmt.Sprint("#k", (i*7+worker)%(2*cacheEntries))
				if q, err := c.get(source{text: text, mutation: true}, newQuery); err != nil || q.Key == "" {
					t.Errorf("%s: %v", text, err)
					return
				}
			}
		})
	}
	all.Wait()
	if n := c.len(); n <= cacheEntries/2 || n > cacheEntries {
		t.Errorf("%d entries", n)
	}
}

// A cache hit does not allocate.
func TestPlansCost(t *testing.T) {
	const text = "@t-1 ^seq .block+tool"
	if _, err := Select(text, ast.Edition10); err != nil {
		t.Fatal(err)
	}
	if _, err := Insertion("(d0,0, end)", ast.Edition10); err != nil {
		t.Fatal(err)
	}
	if got := testing.AllocsPerRun(100, func() {
		if _, err := Select(text, ast.Edition10); err != nil {
			t.Fatal(err)
		}
		if _, err := Insertion("(d0,0, end)", ast.Edition10); err != nil {
			t.Fatal(err)
		}
	}); got != 0 {
		t.Errorf("%v allocations", got)
	}
}

func TestInstant(t *testing.T) {
	tl, err := engine.Read("f.json", strings.NewReader(`{"snapshots":[
		{"cycle":3,"root":{"children":[{"nodeType":"^seq"},{"nodeType":"^ah"}]}},
		{"cycle":7,"root":{"children":[{"nodeType":"^seq"},{"nodeType":"^ah"}]}}]}`), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		address ast.Instant
		want    string
	}{
		{ast.Instant{}, "7"}, {ast.Instant{N: -1}, "3"}, {ast.Instant{Kind: ast.Cycle, N: 3}, "3"},
		{ast.Instant{N: -2}, "there is no snapshot @t-2: the timeline has 2 [E_SNAPSHOT_UNKNOWN]"},
		{ast.Instant{Kind: ast.Cycle, N: 5}, "there is no snapshot @c5: the timeline has those of cycles 3 to 7 [E_SNAPSHOT_UNKNOWN]"},
	} {
		s, err := Instant(tl, test.address)
		got := fmt.Sprint(err)
		if err == nil {
			got = fmt.Sprint(s.Cycle())
		}
		if got != test.want {
			t.Errorf("%v: %s, want %s", test.address, got, test.want)
		}
	}
}
