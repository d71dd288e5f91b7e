package series_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/series"
)

// causeOf returns why an answer left at a step: for the same reason as everything else.
func causeOf(x expect) series.Cause {
	return map[string]series.Cause{"compacted": series.Compacted, "rewound": series.Rewound, "prompt changed": series.Rewound}[x.What]
}

// track returns the steps of requests, in order.
func track(t testing.TB, list []*series.Request) []*series.Step {
	t.Helper()
	var tr series.Tracker
	var out []*series.Step
	for _, r := range list {
		calls, err := tr.Add(r)
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, calls...)
	}
	return append(out, tr.Flush()...)
}

// replay restores the list of each step, and checks that calls and cycles are in order.
func replay(t testing.TB, steps []*series.Step) [][]series.Item {
	t.Helper()
	latest := map[int][]series.Item{}
	out := make([][]series.Item, len(steps))
	call := 0
	for i, c := range steps {
		if c.Cycle != int64(i+1) || c.Event == nil && c.Origin.Call != call {
			t.Fatalf("call %d, @c%d, comes at position %d", c.Origin.Call, c.Cycle, i)
		}
		if c.Event == nil {
			call++
		}
		list := series.Apply(latest[c.Conversation][:len(latest[c.Conversation]):len(latest[c.Conversation])], c)
		if tail := series.Tail(latest[c.Conversation], c); !slices.Equal(tail, list[c.Same:]) {
			t.Fatalf("@c%d: the tail is %v, not %v", c.Cycle, tail, list[c.Same:])
		}
		if len(list) != c.Length {
			t.Fatalf("@c%d: %d messages of %d", c.Cycle, len(list), c.Length)
		}
		if c.Side == nil {
			latest[c.Conversation] = list
		}
		out[i] = list
	}
	return out
}

// expect is a step that a test expects: that of a request, or the state after its answer.
type expect struct {
	seriestest.Truth
	isAnswer bool
}

// expected returns the steps of requests. An answer state is before the step that shows it.
func expected(list []seriestest.Truth) []expect {
	var out []expect
	var state *expect
	for i, tr := range list {
		if !tr.Side {
			if state != nil {
				out = append(out, *state)
			}
			state = nil
		}
		if all, lost := seriestest.Answered(list, i); lost != nil {
			state = &expect{seriestest.Truth{Request: tr.Request, List: all, What: "answer"}, true}
		}
		out = append(out, expect{Truth: tr})
	}
	if state != nil {
		out = append(out, *state)
	}
	return out
}

// TestRandom checks for random conversations that each request and the state after each answer that
// was lost is restored exactly, that nodes keep their identity, and that causes are right.
// PACTKIT_SEEDS is the number of conversations.
func TestRandom(t *testing.T) {
	var total, right [2]int // numbers of causes: those that the source states, and inferred ones
	wrong, kinds := map[string]int{}, map[string]int{}
	for seed := range seriestest.Seeds(t, 400) {
		w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, 7)), IDs: seed%2 == 0, Replies: seed%4 < 2, Says: seed%8 < 4, Events: seed%16 < 8}
		truths := w.Series(60)
		list := make([]*series.Request, len(truths))
		for i, tr := range truths {
			list[i] = tr.Request
		}
		steps, want := track(t, list), expected(truths)
		if len(steps) != len(want) {
			t.Fatalf("seed %d: %d steps of %d", seed, len(steps), len(want))
		}
		said := 0
		if !w.Says {
			said = 1
		}
		nodes := map[*series.Message]*series.Node{}
		var before []series.Item
		for i, items := range replay(t, steps) {
			c, tr := steps[i], want[i]
			at := fmt.Sprintf("seed %d @c%d (%s)", seed, c.Cycle, tr.What)
			kinds[tr.What]++
			same := map[string]int{}
			for _, m := range tr.List {
				same[m.Value]++
			}
			for n, m := range messages(items) {
				if m.Value != tr.List[n].Value {
					t.Fatalf("%s: message %d is %s, sent was %s", at, n, m.Value, tr.List[n].Value)
				}
			}
			for _, item := range items {
				m := item.Message()
				if is := nodes[m]; is != nil && is != item.Node && same[m.Value] == 1 && !tr.Side {
					t.Fatalf("%s: %s is another node, %s", at, is.ID, item.ID)
				}
				nodes[m] = item.Node
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
			if (c.Event != nil) != (tr.isAnswer || tr.Event != nil) || tr.isAnswer && c.Event.Kind != "answer" {
				t.Fatalf("%s: event %v", at, c.Event)
			}
			left := map[*series.Message]series.Cause{}
			stays := map[*series.Message]bool{}
			for _, m := range tr.List {
				stays[m] = true
			}
			for _, item := range before { // what the answer before it left
				if cause := causeOf(tr); i > 0 && want[i-1].isAnswer && cause != "" && !stays[item.Message()] {
					left[item.Message()] = cause
				}
			}
			maps.Copy(left, tr.Left)
			check(len(c.Left) == len(left), "%d left, not %d", len(c.Left), len(left))
			for _, d := range c.Left {
				want := left[d.Message()]
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
			before = items
		}
	}
	for _, what := range [...]string{"answer", "compacted", "rewound", "after an event", "title"} {
		if kinds[what] == 0 {
			t.Errorf("no step with %s", what)
		}
	}
	for n, name := range [...]string{"said", "inferred"} {
		t.Logf("%s: %d of %d", name, right[n], total[n])
		if right[n]*1000 < total[n]*990 {
			t.Errorf("%s causes: only %d of %d are right: %v", name, right[n], total[n], wrong)
		}
	}
}
