package stats_test

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/stats"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// rows sums up each session of a log.
func rows(t *testing.T, text string) []stats.Session {
	t.Helper()
	var out []stats.Session
	for s, err := range sessions.Read(t.Context(), "in.jsonl", strings.NewReader(text), int64(len(text)), sessions.Options{}) {
		if err != nil {
			t.Fatal(err)
		}
		row, err := stats.Of(t.Context(), s, stats.Options{})
		if err != nil {
			t.Fatal(err)
		}
		out = append(out, row)
	}
	return out
}

// TestCases: the rows of the sessions of a log, and their sum as the last one.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../../../testdata/stats/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			var sum stats.Sum
			var out bytes.Buffer
			print := func(row stats.Session) {
				line, err := json.Marshal(row)
				if err != nil {
					t.Fatal(err)
				}
				out.Write(append(line, '\n'))
			}
			for _, row := range rows(t, c.Source()) {
				sum.Add(row)
				print(row)
			}
			print(sum.Total())
			c.Golden(t, testkit.Want("jsonl", out.String()))
		})
	}
}

// TestEmpty checks that the sum of nothing has lists that are empty, and not null.
func TestEmpty(t *testing.T) {
	var sum stats.Sum
	got, err := json.Marshal(sum.Total())
	if err != nil {
		t.Fatal(err)
	}
	want := `{"models":[],"calls":0,"side_calls":0,"turns":0,"nodes":0,"recorded":0,"tokens":{"in":0,"out":0,"cached":0,"label":"exact","out_label":"unknown"},"tools":[],"left":[],"cache":{"breaks":0,"resent":0}}`
	if diff := cmp.Diff(want, string(got)); diff != "" {
		t.Error(diff)
	}
}

// TestLogs checks that blocks, turns and what left are what a look at every snapshot of real
// sessions finds.
func TestLogs(t *testing.T) {
	logs := []string{
		"../../../testdata/logs/support", "../../../testdata/logs/claude-code-log", "../../../testdata/logs/tau-bench/gpt-4o-airline.json",
		"../../../thread/source/testdata/inspect",
	}
	count, left := 0, 0
	for s, err := range sessions.All(t.Context(), logs, sessions.Options{}) {
		if err != nil {
			continue // a folder has files of other kinds, too
		}
		row, err := stats.Of(t.Context(), s, stats.Options{NoTokens: true})
		if err != nil {
			t.Fatal(err)
		}
		nodes, turns, gone := look(s.Timeline)
		if row.Nodes != nodes || row.Turns != turns || leftIn(row) != gone {
			t.Errorf("%s: %d blocks, %d turns, and %d left; a look finds %d, %d, and %d", s.Address(), row.Nodes, row.Turns, leftIn(row), nodes, turns, gone)
		}
		count++
		left += gone
	}
	if count < 9 || left == 0 {
		t.Errorf("%d sessions, from which %d blocks left", count, left)
	}
}

func leftIn(row stats.Session) (n int) {
	for _, l := range row.Left {
		n += l.Nodes
	}
	return n
}

// look counts the blocks that any snapshot has, those of side calls included, the turns, and the
// blocks that are missing in the snapshot after one that has them.
func look(t *engine.Timeline) (blocks, turns, left int) {
	ever, cores := map[string]bool{}, map[string]bool{}
	for s := range t.Sealed() {
		for n := range s.All() {
			if n.Base() == engine.BaseBlock {
				ever[n.ID()] = true
			}
		}
	}
	var before []string
	for back := t.Len() - 1; back >= 0; back-- {
		now := t.At(back)
		for _, id := range before {
			if _, ok := now.Find(id); !ok {
				left++
			}
		}
		before = before[:0]
		for n := range now.All() {
			depth, ok := n.Depth()
			switch {
			case n.Base() == engine.BaseBlock:
				before = append(before, n.ID())
			case n.Base() == engine.BaseCont && ok && depth >= 0:
				cores[n.ID()] = true
			}
		}
	}
	return len(ever), len(cores), left
}
