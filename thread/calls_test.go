package thread_test

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// counted matches members that count cycles, and numbered ids. These may differ, because an id that
// the importer makes may also be that of a later message.
var counted = regexp.MustCompile(`"(cycle|creation_index)":[0-9]+|"(parent_)?id":"(block|cont|cb|mc|mt|seg):[0-9]+"`)

// checkByCall checks that a log imported call by call ends in the same tree as an import turn by
// turn, which gave turns, and that the snapshots are those of its calls.
func checkByCall(t *testing.T, name string, data []byte, turns []thread.Log, f thread.Format, others []thread.Format, o thread.ImportOptions) []thread.Log {
	t.Helper()
	o.ByCall = true
	logs, err := thread.Import(t.Context(), name, data, f, o)
	if err != nil {
		t.Fatal(err)
	}
	if len(logs) != len(turns) {
		t.Fatalf("%d logs, and %d turn by turn", len(logs), len(turns))
	}
	for i, l := range logs {
		checkLog(t, l, f, others)
		tree := func(l thread.Log) string {
			return counted.ReplaceAllString(string(l.Timeline().At(0).AppendJSON(nil)), "")
		}
		if diff := cmp.Diff(tree(turns[i]), tree(l)); diff != "" {
			t.Errorf("%s %s: another tree at the end: %s", name, l.Name, diff)
		}
		if diff := cmp.Diff(turns[i].Notes, l.Notes); diff != "" {
			t.Errorf("%s %s: other notes: %s", name, l.Name, diff)
		}
		n := 0
		for s := range l.Timeline().Sealed() {
			if n++; s.Cycle() != int64(n) {
				t.Fatalf("snapshot %d is of cycle %d", n, s.Cycle())
			}
			if bad := s.Validate(); len(bad) > 0 {
				t.Errorf("cycle %d: %v", n, bad[0])
			}
			last := n == l.Timeline().Len()
			if info := s.Info(); last != (info == nil) || !last && (!info.Step || info.Call == nil || info.Call.Number != n-1 || info.Call.Sample != l.Name) {
				t.Errorf("cycle %d of %d is described as %+v", n, l.Timeline().Len(), info)
			}
		}
	}
	return logs
}

// TestCallsOfRealLogs checks that the snapshot of a call is rendered as the messages before its
// answer.
func TestCallsOfRealLogs(t *testing.T) {
	for _, real := range realLogs {
		if real.format == thread.ClaudeCode {
			continue
		}
		paths, err := filepath.Glob("../testdata/logs/" + real.pattern)
		if err != nil {
			t.Fatal(err)
		}
		for _, path := range paths {
			data := readFile(t, path)
			want := real.records(t, data)
			for _, real.opts.Edition = range []engine.Edition{engine.Edition10, engine.Edition01} {
				turns, err := thread.Import(t.Context(), filepath.Base(path), data, real.format, real.opts)
				if err != nil {
					t.Fatal(err)
				}
				for i, l := range checkByCall(t, filepath.Base(path), data, turns, real.format, thread.Formats(), real.opts) {
					if real.format == thread.OpenAI {
						checkSent(t, l, want[i])
					}
				}
			}
		}
	}
}

// checkSent compares what the calls of a log of OpenAI's chat API were sent with the messages
// before their answers.
func checkSent(t *testing.T, l thread.Log, log json.RawMessage) {
	t.Helper()
	var messages []json.RawMessage
	unmarshal(t, log, &messages)
	n := 0
	for i, m := range messages {
		var role struct{ Role string }
		unmarshal(t, m, &role)
		if role.Role != "assistant" {
			continue
		}
		n++
		s, _ := l.Timeline().OfCycle(int64(n))
		if s == nil {
			t.Fatalf("%s: no snapshot of call %d", l.Name, n)
		}
		want, err := json.Marshal(messages[:i])
		if err != nil {
			t.Fatal(err)
		}
		if got := renderOf(t, s, thread.OpenAI); !sameLog(t, thread.OpenAI, got, want) {
			t.Errorf("%s: call %d was sent\n%s\nnot\n%s", l.Name, n, got, want)
		}
	}
	if l.Timeline().Len() != n+1 {
		t.Errorf("%s: %d snapshots of %d calls", l.Name, l.Timeline().Len(), n)
	}
}
