package eval

import (
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// history returns a timeline that grows to about n nodes and ends with 1,000 snapshots of one
// change each.
func history(b testing.TB, n int) *engine.Timeline {
	b.Helper()
	now, made := int64(0), 0
	ctx, err := engine.New(engine.Options{
		Clock: func() time.Time { now += 1000; return time.Unix(1_700_000_000, now) },
		NewID: func(typ string) string { made++; return fmt.Sprintf("%s:%d", typ, made) },
	})
	if err != nil {
		b.Fatal(err)
	}
	turn := func(blocks int) {
		for i := range blocks {
			d := engine.Draft{Content: engine.Text("a block"), Priority: int64(i), Tags: []string{"user"}}
			if _, err := ctx.Insert(engine.AtDepth(0, 0), d); err != nil {
				b.Fatal(err)
			}
		}
		if _, err := ctx.Commit(); err != nil {
			b.Fatal(err)
		}
	}
	for made < n {
		turn(12)
	}
	for range 1000 {
		turn(1)
	}
	return ctx.Timeline()
}

// BenchmarkRange queries what changed over the last 1,000 snapshots.
func BenchmarkRange(b *testing.B) {
	for _, n := range sizes {
		t := history(b, n)
		for _, text := range []string{"@t-1..@t-1000 .block", "@t-1..@t-1000 ^seq .block+user[priority>=0]", "@t-1..@t-1000 d1 .block", "@t-1..@t-1000 .block @mode=union"} {
			plan := compile(b, text)
			b.Run(fmt.Sprintf("query=%s/nodes=%d", text[len("@t-1..@t-1000 "):], n), func(b *testing.B) {
				for b.Loop() {
					r, err := plan.Select(context.Background(), t, eval.Options{})
					if err != nil {
						b.Fatal(err)
					}
					if found = len(r.Nodes); r.Range != nil {
						found = len(r.Range.Diffs)
					}
				}
			})
		}
	}
}
