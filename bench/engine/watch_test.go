package engine

import (
	"fmt"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// BenchmarkWatch measures how a selector's result changed with a turn: by a watcher, and as the
// difference of two Selects. The turns themselves are not measured.
func BenchmarkWatch(b *testing.B) {
	for _, selector := range []string{"^seq .block+tool", ".block", ".seg > .cont > .block[priority>5]"} {
		q, _ := parser.ParseSelector(selector, parser.Options{})
		plan, _ := eval.Compile(q)
		for _, n := range []int{1_000, 10_000, 100_000} {
			ctx := grown(b, n)
			next := func(b *testing.B) *engine.Timeline {
				b.StopTimer()
				defer b.StartTimer()
				turn(b, ctx, 100)
				if _, err := ctx.Commit(); err != nil {
					b.Fatal(err)
				}
				return ctx.Timeline().Recorded()
			}
			b.Run(fmt.Sprintf("%s/watch/nodes=%d", selector, n), func(b *testing.B) {
				w, err := plan.Watch()
				if err == nil {
					_, err = w.Next(b.Context(), next(b))
				}
				for range b.N {
					if err != nil {
						b.Fatal(err)
					}
					_, err = w.Next(b.Context(), next(b))
				}
			})
			b.Run(fmt.Sprintf("%s/selects/nodes=%d", selector, n), func(b *testing.B) {
				var old []engine.Node
				for range b.N {
					nodes, err := plan.Nodes(b.Context(), next(b).At(0))
					if err != nil {
						b.Fatal(err)
					}
					engine.DiffNodes(old, nodes)
					old = nodes
				}
			})
		}
	}
}
