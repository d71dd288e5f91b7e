package thread_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// realLogs are the logs in testdata/logs. records returns the log in each record of a file.
var realLogs = []struct {
	pattern string
	format  thread.Format
	opts    thread.ImportOptions
	records func(t *testing.T, data []byte) []json.RawMessage
}{
	{"tau-bench/*.json", thread.OpenAI, thread.ImportOptions{Messages: "traj"}, func(t *testing.T, data []byte) []json.RawMessage {
		var records []struct{ Traj json.RawMessage }
		unmarshal(t, data, &records)
		var out []json.RawMessage
		for _, r := range records {
			out = append(out, r.Traj)
		}
		return out
	}},
	{"sharegpt/*.json", thread.ShareGPT, thread.ImportOptions{}, func(t *testing.T, data []byte) []json.RawMessage {
		var records []json.RawMessage
		unmarshal(t, data, &records)
		return records
	}},
	{"swe-agent/*.traj", thread.OpenAI, thread.ImportOptions{Messages: "history"}, func(t *testing.T, data []byte) []json.RawMessage {
		var record struct{ History json.RawMessage }
		unmarshal(t, data, &record)
		return []json.RawMessage{record.History}
	}},
	{"claude-code-log/*.jsonl", thread.ClaudeCode, thread.ImportOptions{}, func(_ *testing.T, data []byte) []json.RawMessage {
		return []json.RawMessage{data}
	}},
}

func unmarshal(t *testing.T, data []byte, to any) {
	t.Helper()
	if err := json.Unmarshal(data, to); err != nil {
		t.Fatal(err)
	}
}

// eachLog imports every log in testdata/logs, in both editions.
func eachLog(t *testing.T, do func(t *testing.T, f thread.Format, l thread.Log, want json.RawMessage)) {
	for _, real := range realLogs {
		paths, err := filepath.Glob("../testdata/logs/" + real.pattern)
		if err != nil || len(paths) == 0 {
			t.Fatalf("no logs in %s: %v", real.pattern, err)
		}
		for _, path := range paths {
			data := readFile(t, path)
			want := real.records(t, data)
			for _, real.opts.Edition = range []engine.Edition{engine.Edition10, engine.Edition01} {
				logs, err := thread.Import(t.Context(), filepath.Base(path), data, real.format, real.opts)
				if err != nil || len(logs) != len(want) {
					t.Fatalf("%s: %d logs of %d, %v", path, len(logs), len(want), err)
				}
				again, err := thread.Import(t.Context(), filepath.Base(path), data, real.format, real.opts)
				if err != nil {
					t.Fatal(err)
				}
				for i, l := range logs {
					if !bytes.Equal(l.Context.AppendJSON(nil), again[i].Context.AppendJSON(nil)) {
						t.Errorf("%s: a second import gives another history", path)
					}
					t.Run(fmt.Sprintf("%s/%s/%s", filepath.Base(path), l.Name, real.opts.Edition), func(t *testing.T) { do(t, real.format, l, want[i]) })
				}
			}
		}
	}
}

// TestRealLogs checks that importing and rendering a log reproduces it, that every turn has one
// message of the user, and the invariants of all logs.
func TestRealLogs(t *testing.T) {
	eachLog(t, func(t *testing.T, f thread.Format, l thread.Log, want json.RawMessage) {
		checkLog(t, l, f, thread.Formats())
		s := l.Timeline().At(0)
		if got := renderOf(t, s, f); !sameLog(t, f, got, want) {
			t.Errorf("another log:\n%s", got)
		}
		if l.Timeline().Len() != s.Segments() {
			t.Errorf("%d snapshots, %d turns", l.Timeline().Len(), s.Segments())
		}
		for depth := s.Segments(); depth > 0; depth-- {
			users := 0
			seg, _ := s.Segment(depth)
			for n := range below(seg) {
				role, _ := n.Role()
				tags, _ := n.Tags()
				if n.Base() == engine.BaseBlock && role == "user" {
					users++
				}
				if n.Base() == engine.BaseBlock && !slices.Contains(tags, role) {
					t.Errorf("%s has the role %s and the tags %v", n.ID(), role, tags)
				}
			}
			if users != 1 {
				t.Errorf("the turn at depth %d has %d messages of the user's", depth, users)
			}
		}
	})
}

// below yields the nodes below n.
func below(n engine.Node) iter.Seq[engine.Node] {
	return func(yield func(engine.Node) bool) {
		for k := range n.Children() {
			if !yield(k) {
				return
			}
			for m := range below(k) {
				if !yield(m) {
					return
				}
			}
		}
	}
}

// TestCrossFormats checks that a log that is rendered in another format and imported again keeps
// its roles, texts, and pairs of calls and results.
func TestCrossFormats(t *testing.T) {
	eachLog(t, func(t *testing.T, f thread.Format, l thread.Log, _ json.RawMessage) {
		if f != thread.OpenAI {
			return
		}
		want := facts(t, renderOf(t, l.Timeline().At(0), thread.OpenAI))
		for _, through := range []thread.Format{thread.Anthropic, thread.Gemini, thread.OpenAIResponses, thread.Flat, thread.ShareGPT} {
			between := renderOf(t, l.Timeline().At(0), through)
			logs, err := thread.Import(t.Context(), "between.json", between, through, thread.ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			got := facts(t, renderOf(t, logs[0].Timeline().At(0), thread.OpenAI))
			if through == thread.ShareGPT { // which has no ids
				want := slices.Clone(want)
				for _, list := range [][]string{got, want} {
					for i := range list {
						list[i], _, _ = strings.Cut(list[i], " id=")
					}
				}
				if d := cmp.Diff(want, got); d != "" {
					t.Errorf("%s: (-want +got)\n%s", through, d)
				}
				continue
			}
			if d := cmp.Diff(want, got); d != "" {
				t.Errorf("%s: (-want +got)\n%s", through, d)
			}
		}
	})
}

// facts lists the texts, calls and results in OpenAI messages.
func facts(t *testing.T, data []byte) []string {
	t.Helper()
	var messages []struct {
		Role    string
		Content any
		Calls   []struct {
			ID       string
			Function struct{ Name, Arguments string }
		} `json:"tool_calls"`
		Call   string   `json:"tool_call_id"`
		Listed []string `json:"tool_call_ids"` // as SWE-agent has it
	}
	unmarshal(t, data, &messages)
	var out []string
	for _, m := range messages {
		if m.Role == "tool" {
			id := m.Call
			if len(m.Listed) > 0 {
				id = m.Listed[0]
			}
			out = append(out, fmt.Sprintf("result %v id=%s", plain(m.Content), id))
		} else if m.Content != nil && m.Content != "" {
			out = append(out, fmt.Sprintf("%s: %v", m.Role, plain(m.Content)))
		}
		for _, c := range m.Calls {
			arguments, err := engine.JSON([]byte(c.Function.Arguments))
			if err != nil {
				t.Fatal(err)
			}
			out = append(out, fmt.Sprintf("call %s(%s) id=%s", c.Function.Name, arguments, c.ID))
		}
	}
	return out
}

// plain joins the texts of a list of parts.
func plain(content any) any {
	list, ok := content.([]any)
	if !ok {
		return content
	}
	var texts []string
	for _, e := range list {
		part, _ := e.(map[string]any)
		texts = append(texts, fmt.Sprint(part["text"]))
	}
	return strings.Join(texts, "\n")
}

// TestLicenses checks that every directory of logs has a license.
func TestLicenses(t *testing.T) {
	entries, err := os.ReadDir("../testdata/logs")
	if err != nil {
		t.Fatal(err)
	}
	for _, e := range entries {
		if e.IsDir() {
			if _, err := os.Stat(filepath.Join("../testdata/logs", e.Name(), "LICENSE")); err != nil {
				t.Error(err)
			}
		}
	}
}
