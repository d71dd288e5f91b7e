package source_test

import (
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// sent is a message in the truth file of an Inspect AI log.
type sent struct {
	Role       string     `json:"role"`
	Text       string     `json:"text"`
	ToolCalls  []sentCall `json:"tool_calls,omitempty"`
	ToolCallID string     `json:"tool_call_id,omitempty"`
}

type sentCall struct {
	ID        string `json:"id"`
	Function  string `json:"function"`
	Arguments any    `json:"arguments"`
}

// project converts a message to the form of the truth file.
func project(t *testing.T, m *series.Message) sent {
	t.Helper()
	var in struct {
		sent
		Content any `json:"content"`
	}
	if err := json.Unmarshal([]byte(m.Value), &in); err != nil {
		t.Fatal(err)
	}
	out := in.sent
	switch content := in.Content.(type) {
	case string:
		out.Text = content
	case []any:
		var texts []string
		for _, part := range content {
			if p, _ := part.(map[string]any); p["type"] == "text" {
				texts = append(texts, p["text"].(string))
			}
		}
		out.Text = strings.Join(texts, "\n")
	}
	return out
}

// TestInspectTruth compares every request in logs of Inspect AI with what was sent according to
// Inspect's own reader. testdata has a few logs; PACTKIT_INSPECT is a directory with more, and with
// a truth.json.gz written by truth.py.
func TestInspectTruth(t *testing.T) {
	dirs := []string{"testdata/inspect"}
	if more := os.Getenv("PACTKIT_INSPECT"); more != "" {
		dirs = append(dirs, filepath.SplitList(more)...)
	}
	for _, dir := range dirs {
		f, err := os.Open(filepath.Join(dir, "truth.json.gz"))
		if err != nil {
			t.Fatal(err)
		}
		z, err := gzip.NewReader(f)
		if err != nil {
			t.Fatal(err)
		}
		var truth map[string]struct {
			Calls       [][]sent `json:"calls"`
			Compactions []string `json:"compactions"`
		}
		if err := json.NewDecoder(z).Decode(&truth); err != nil {
			t.Fatal(err)
		}
		f.Close()
		files, err := filepath.Glob(filepath.Join(dir, "*.eval"))
		if err != nil || len(files) == 0 {
			t.Fatalf("%s has no logs: %v", dir, err)
		}
		equal, total := 0, 0
		for _, name := range files {
			base := filepath.Base(name)
			calls := trackFile(t, name, source.Options{})
			bySample := map[string][]*series.Step{}
			for _, c := range calls {
				bySample[c.Origin.Sample] = append(bySample[c.Origin.Sample], c)
			}
			for sample, calls := range bySample {
				want := truth[base+"#"+sample]
				var lists [][]series.Item // of the calls
				for i, items := range replay(t, calls) {
					if calls[i].Event == nil {
						lists = append(lists, items)
					}
				}
				if len(lists) != len(want.Calls) {
					t.Fatalf("%s sample %s: %d calls of %d", base, sample, len(lists), len(want.Calls))
				}
				for i, items := range lists {
					got := []sent{}
					for _, m := range messages(items) {
						got = append(got, project(t, m))
					}
					total++
					if diff := cmp.Diff(want.Calls[i], got); diff != "" {
						t.Errorf("%s sample %s call %d: %s", base, sample, i, diff)
						continue
					}
					equal++
				}
				checkCompactions(t, base, calls, want.Compactions)
			}
		}
		t.Logf("%s: %d of %d requests", dir, equal, total)
	}
}

// checkCompactions checks that each compaction of a sample is reported as a cause.
func checkCompactions(t *testing.T, name string, calls []*series.Step, want []string) {
	t.Helper()
	causes := map[string]series.Cause{"summary": series.Compacted, "edit": series.Cleared, "trim": series.Trimmed}
	n := 0
	for _, c := range calls {
		if len(c.Why) == 0 {
			continue
		}
		cause := causes[want[n]]
		n += len(c.Why)
		summarized := slices.ContainsFunc(c.Entered, func(e series.Entry) bool { return e.Message().Summary })
		if len(c.Left)+len(c.Changed) == 0 && !summarized {
			t.Errorf("%s call %d: nothing left or changed by a compaction", name, c.Origin.Call)
		}
		for _, d := range c.Left {
			if d.Reason != cause || d.Inferred || (cause == series.Compacted) != (d.By != nil) {
				t.Errorf("%s call %d: %s left: %s by %v, inferred %v", name, c.Origin.Call, d.ID, d.Reason, d.By, d.Inferred)
			}
		}
		for _, ch := range c.Changed {
			if ch.Reason != cause {
				t.Errorf("%s call %d: %s changed: %s", name, c.Origin.Call, ch.ID, ch.Reason)
			}
		}
	}
	if n != len(want) {
		t.Errorf("%s: %d compactions of %d", name, n, len(want))
	}
}
