package eval

import (
	"context"
	"flag"
	"fmt"
	"os"
	"testing"

	"github.com/andybalholm/cascadia"
	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// sizes lists the numbers of nodes to measure with.
var sizes = []int{1_000, 10_000, 100_000}

func TestMain(m *testing.M) {
	flag.Parse()
	if testing.Short() {
		sizes = []int{100, 1_000}
	}
	os.Exit(m.Run())
}

// TestSame checks that all libraries give the same answers.
func TestSame(t *testing.T) {
	trees := newTrees(t, 5000)
	for _, q := range queries {
		ways := trees.ways(t, q)
		want := ways[0].ids()
		if len(want) == 0 {
			t.Errorf("%s has no results", q.name)
		}
		for _, w := range ways[1:] {
			if d := cmp.Diff(want, w.ids()); d != "" {
				t.Errorf("%s (-pactkit +%s):\n%s", q.name, w.lib, d)
			}
		}
	}
}

// found keeps results alive, so the compiler does not optimize the queries away.
var found int

func BenchmarkSelect(b *testing.B) {
	for _, n := range sizes {
		for _, lib := range libs {
			benchmarkAlone(b, lib, n)
		}
	}
}

// benchmarkAlone measures all queries with one library.
func benchmarkAlone(b *testing.B, lib string, n int) {
	t := newTrees(b, n).alone(lib)
	for _, q := range queries {
		if q.name == "depths" && n > 10_000 && (lib == "cascadia" || lib == "goquery") {
			continue // they count the siblings of every segment again, which takes minutes
		}
		for _, w := range t.ways(b, q) {
			if w.lib != lib {
				continue
			}
			b.Run(fmt.Sprintf("query=%s/nodes=%d/lib=%s", q.name, n, lib), func(b *testing.B) {
				for b.Loop() {
					found = w.run()
				}
			})
		}
	}
}

// BenchmarkCold measures one call from the text of a selector to ids, with nothing prepared. Its
// peer is cascadia with a selector compiled beforehand.
func BenchmarkCold(b *testing.B) {
	t := newTrees(b, sizes[1])
	for _, q := range queries {
		text, css := t.fill(q.pact), cascadia.MustCompile(t.fill(q.css))
		b.Run("query="+q.name+"/lib=pactkit", func(b *testing.B) {
			for b.Loop() {
				nodes, err := compile(b, text).Nodes(context.Background(), t.snap)
				if err != nil {
					b.Fatal(err)
				}
				found = len(ids(nodes))
			}
		})
		b.Run("query="+q.name+"/lib=cascadia-compiled", func(b *testing.B) {
			for b.Loop() {
				found = len(css.MatchAll(t.html))
			}
		})
	}
}

func ids(nodes []engine.Node) []string {
	out := make([]string, len(nodes))
	for i, n := range nodes {
		out[i] = n.ID()
	}
	return out
}
