package series_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/series"
)

// track returns the calls of requests, in order.
func track(t testing.TB, list []*series.Request) []*series.Call {
	t.Helper()
	var tr series.Tracker
	var out []*series.Call
	for _, r := range list {
		calls, err := tr.Add(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, calls...)
	}
	return append(out, tr.Flush()...)
}

// replay restores the list of each call, and checks that the calls are in order.
func replay(t testing.TB, calls []*series.Call) [][]series.Item {
	t.Helper()
	latest := map[int][]series.Item{}
	out := make([][]series.Item, len(calls))
	for i, c := range calls {
		if c.Origin.Call != i {
			t.Fatalf("call %d comes at position %d", c.Origin.Call, i)
		}
		list := series.Apply(latest[c.Conversation][:len(latest[c.Conversation]):len(latest[c.Conversation])], c)
		if len(list) != c.Length {
			t.Fatalf("call %d: %d messages of %d", i, len(list), c.Length)
		}
		if c.Side == nil {
			latest[c.Conversation] = list
		}
		out[i] = list
	}
	return out
}

// TestRandom checks for random conversations that each request is restored exactly, that nodes keep
// their identity, and that causes are right. PACTKIT_SEEDS is the number of conversations.
func TestRandom(t *testing.T) {
	var total, right [2]int // numbers of causes: those that the source states, and inferred ones
	wrong := map[string]int{}
	for seed := range seriestest.Seeds(t, 400) {
		w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, 7)), IDs: seed%2 == 0, Replies: seed%4 < 2, Says: seed%8 < 4}
		truths := w.Series(60)
		list := make([]*series.Request, len(truths))
		for i, tr := range truths {
			list[i] = tr.Request
		}
		calls := track(t, list)
		if len(calls) != len(truths) {
			t.Fatalf("seed %d: %d calls of %d", seed, len(calls), len(truths))
		}
		said := 0
		if !w.Says {
			said = 1
		}
		nodes := map[*series.Message]*series.Node{}
		for i, items := range replay(t, calls) {
			c, tr := calls[i], truths[i]
			at := fmt.Sprintf("seed %d call %d (%s)", seed, i, tr.What)
			for n, m := range messages(items) {
				if m.Value != tr.List[n].Value {
					t.Fatalf("%s: message %d is %s, sent was %s", at, n, m.Value, tr.List[n].Value)
				}
			}
			for _, item := range items {
				nodes[item.Message()] = item.Node
			}
			check := func(ok bool, what string, args ...any) {
				total[said]++
				if ok {
					right[said]++
					return
				}
				wrong[tr.What]++
				t.Logf("%s: %s", at, fmt.Sprintf(what, args...))
			}
			check((c.Side != nil) == tr.Side, "side call: %v", c.Side)
			if tr.Side {
				continue
			}
			check(len(c.Left) == len(tr.Left), "%d left, not %d", len(c.Left), len(tr.Left))
			for _, d := range c.Left {
				want := tr.Left[d.Message()]
				check(d.Reason == want && d.Inferred == !w.Says, "%s %s: %s inferred %v, not %s", d.ID, d.Message().Value, d.Reason, d.Inferred, want)
				if want == series.Compacted {
					check(d.By != nil && d.By == nodes[tr.By], "%s compacted by %v", d.ID, d.By)
				}
			}
			check(len(c.Changed) == len(tr.Changed), "%d changed, not %d", len(c.Changed), len(tr.Changed))
			for _, d := range c.Changed {
				check(d.Reason == tr.Changed[d.Message()], "%s changed: %s, not %s", d.ID, d.Reason, tr.Changed[d.Message()])
			}
			check(len(c.Moved) == 0 || tr.Moved, "%d moved", len(c.Moved))
		}
	}
	for n, name := range [...]string{"said", "inferred"} {
		t.Logf("%s: %d of %d", name, right[n], total[n])
		if right[n]*1000 < total[n]*990 {
			t.Errorf("%s causes: only %d of %d are right: %v", name, right[n], total[n], wrong)
		}
	}
}
