package engine_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// exchange inserts a tool call and its result.
func exchange(t testing.TB, c *engine.Context, id, result string, priority int64) {
	t.Helper()
	for _, d := range []engine.Draft{{Kind: "call", Content: engine.Text("look up")}, {Kind: "result", Content: engine.Text(result), Priority: priority}} {
		d.Members = map[string]engine.Value{"call_id": engine.Text(id)}
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			t.Fatal(err)
		}
	}
}

// TestPairs checks that pruning never separates a tool call and its result, and that the budget is
// exceeded only if no node may be removed.
func TestPairs(t *testing.T) {
	const budget = 60
	pruned := 0
	for seed := range uint64(30) {
		r := rand.New(rand.NewPCG(seed, 5))
		words := func(n engine.Node) int { text, _ := n.Content().Text(); return len(strings.Fields(text)) }
		c, err := engine.New(engine.Options{
			Clock:  func() time.Time { return time.Unix(0, modelStart) },
			Policy: &engine.Policy{Limits: []engine.Limit{{Tokens: budget}}, Tokens: words, KeepSegments: r.IntN(2)},
		})
		if err != nil {
			t.Fatal(err)
		}
		for turn := range 30 {
			for i := range 1 + r.IntN(3) { // ids repeat in every turn
				exchange(t, c, fmt.Sprint("call", i), strings.Repeat("word ", r.IntN(9)), int64(r.IntN(3)))
			}
			end := c.Commit
			if turn%3 == 1 {
				end = c.Step
			}
			s, err := end()
			if err != nil {
				t.Fatal(err)
			}
			open, tokens, blocks := map[string]bool{}, 0, 0
			for n := range s.All() {
				kind, ok := n.Kind()
				if !ok {
					continue
				}
				blocks++
				tokens += words(n)
				id, _ := n.Header("call_id").Text()
				if (kind == "result") != open[id] {
					t.Fatalf("seed %d, turn %d: half a pair, %s of %s", seed, turn, kind, id)
				}
				open[id] = kind == "call"
			}
			for id, is := range open {
				if is {
					t.Fatalf("seed %d, turn %d: the call %s has no result", seed, turn, id)
				}
			}
			if tokens > budget && blocks > 12 { // more than two turns can have
				t.Fatalf("seed %d, turn %d: %d tokens", seed, turn, tokens)
			}
			if info := s.Info(); info != nil {
				pruned += len(info.Causes)
			}
		}
	}
	if pruned < 1000 {
		t.Errorf("%d nodes pruned are too few", pruned)
	}
}

// A budget of tokens removes the oldest exchange with a tool as a whole.
func ExamplePolicy() {
	c, err := engine.New(engine.Options{Policy: &engine.Policy{
		Limits: []engine.Limit{{Tokens: 6}},
		Tokens: func(n engine.Node) int { text, _ := n.Content().Text(); return len(strings.Fields(text)) },
	}})
	if err != nil {
		panic(err)
	}
	for _, x := range [][3]string{
		{"1", "call", "weather Oslo"}, {"1", "result", "sunny and warm today"},
		{"2", "call", "weather Bergen"}, {"2", "result", "rain"},
	} {
		d := engine.Draft{Kind: x[1], Content: engine.Text(x[2]), Members: map[string]engine.Value{"call_id": engine.Text(x[0])}}
		if _, err := c.Insert(engine.AtDepth(0, 0), d); err != nil {
			panic(err)
		}
	}
	s, err := c.Commit()
	if err != nil {
		panic(err)
	}
	for n := range s.All() {
		if text, ok := n.Content().Text(); ok {
			fmt.Println(text)
		}
	}
	// Output:
	// weather Bergen
	// rain
}
