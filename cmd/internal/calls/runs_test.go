package calls_test

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/seriestest"
)

// TestCompareRuns compares series with themselves, with their beginnings, and with others.
func TestCompareRuns(t *testing.T) {
	log := func(seed uint64, lines int) *engine.Timeline {
		w := &seriestest.Writer{Rand: rand.New(rand.NewPCG(seed, 16)), Form: seriestest.OpenAI}
		var log bytes.Buffer
		for i, x := range w.Series(20) {
			if i < lines {
				body, _ := w.Body(x)
				fmt.Fprintf(&log, "%s\n", body)
			}
		}
		return read(t, "run.jsonl", log.Bytes())[0]
	}
	compare := func(a, b *engine.Timeline) *calls.Runs {
		runs, err := calls.CompareRuns(t.Context(), a, b, "a", "b")
		if err != nil {
			t.Fatal(err)
		}
		onlyA, onlyB, lastA, lastB := 0, 0, int64(0), int64(0)
		for _, s := range runs.Nodes {
			if s.A != nil && s.A.Entered < lastA || s.B != nil && s.B.Entered < lastB {
				t.Fatal("the nodes are out of order")
			}
			switch {
			case s.B == nil:
				onlyA++
			case s.A == nil:
				onlyB++
			default:
				if x, y := s.A.Node.Content().String(), s.B.Node.Content().String(); x != y {
					t.Fatalf("%s and %s do not say the same: %s %s", s.A.ID, s.B.ID, x, y)
				}
			}
			if s.A != nil {
				lastA = s.A.Entered
			}
			if s.B != nil {
				lastB = s.B.Entered
			}
		}
		if runs.SameNodes+onlyA != runs.A.Nodes || runs.SameNodes+onlyB != runs.B.Nodes {
			t.Fatalf("%d in both, %d and %d alone, of %d and %d", runs.SameNodes, onlyA, onlyB, runs.A.Nodes, runs.B.Nodes)
		}
		return runs
	}
	for seed := range uint64(20) {
		whole := log(seed, 100)
		if runs := compare(whole, log(seed, 100)); runs.Parted != nil || runs.SameNodes != runs.A.Nodes || runs.SameCalls != runs.A.Calls {
			t.Fatalf("seed %d: a run differs from itself: %+v", seed, runs.Parted)
		}
		if runs := compare(whole, log(seed, 5)); runs.B.Calls < runs.A.Calls && (runs.Parted == nil || runs.SameCalls > runs.B.Calls) {
			t.Fatalf("seed %d: a beginning does not end: %+v", seed, runs.Parted)
		}
		if runs := compare(whole, log(seed+1000, 100)); runs.Parted == nil {
			t.Fatalf("seed %d: another run is the same", seed)
		}
	}
}
