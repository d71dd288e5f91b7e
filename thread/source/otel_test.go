package source_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/test/seriestest"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// TestOTelTruth compares exports of real instrumentations with what the server received, see
// testdata/otel/generate.py.
func TestOTelTruth(t *testing.T) {
	data, err := os.ReadFile("testdata/otel/truth.json")
	if err != nil {
		t.Fatal(err)
	}
	var truth map[string][]struct{ Messages, Input []json.RawMessage }
	if err := json.Unmarshal(data, &truth); err != nil {
		t.Fatal(err)
	}
	for kind, bodies := range truth {
		t.Run(kind, func(t *testing.T) {
			names, err := filepath.Glob("testdata/otel/" + kind + ".*.jsonl")
			if err != nil || len(names) == 0 {
				t.Fatalf("no files, %v", err)
			}
			var files []source.File
			for _, name := range names {
				files = append(files, source.Path(name))
			}
			groups, err := source.Group(t.Context(), files, source.Options{})
			if err != nil || len(groups) != 1 {
				t.Fatalf("%d groups, %v", len(groups), err)
			}
			steps, err := trackFiles(t, groups[0], source.Options{})
			if err != nil {
				t.Fatal(err)
			}
			calls, lists := callsOf(t, steps)
			if len(calls) != len(bodies) {
				t.Fatalf("%d calls of %d", len(calls), len(bodies))
			}
			for i, items := range lists {
				var want, got strings.Builder
				for _, m := range append(bodies[i].Messages, bodies[i].Input...) {
					want.WriteString(seriestest.Spoken(t, string(m)))
				}
				for _, m := range messages(items) {
					got.WriteString(seriestest.Spoken(t, m.Value))
				}
				if diff := cmp.Diff(want.String(), got.String()); diff != "" {
					t.Errorf("call %d: %s", i, diff)
				}
				if c := calls[i]; c.Conversation != 0 || c.Model == "" || c.Time.IsZero() || c.Usage == "" || len(c.Reply) == 0 {
					t.Errorf("call %d: conversation %d, model %q, time %v, usage %s, %d replies", i, c.Conversation, c.Model, c.Time, c.Usage, len(c.Reply))
				}
			}
			last := calls[len(calls)-1]
			switch kind {
			case "genai-anthropic":
				if n := len(last.Left); n != 3 || last.Left[0].Reason != series.Trimmed { // two messages, one with two calls
					t.Errorf("what was trimmed: %v", last.Left)
				}
			case "genai-responses":
			default:
				if len(last.Changed) != 1 || last.Changed[0].Reason != series.Cleared {
					t.Errorf("what was cleared: %v", last.Changed)
				}
			}
		})
	}
}
