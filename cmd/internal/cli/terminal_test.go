package cli

import (
	"bufio"
	"bytes"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

const smallHistory = `{"snapshots": [
  {"cycle": 1, "root": {"children": [{"nodeType": "^sys"}, {"nodeType": "^seq"}, {"nodeType": "^ah"}]}},
  {"cycle": 2, "root": {"cycle": 1, "children": [{"nodeType": "^sys", "cycle": 1}, {"nodeType": "^seq", "cycle": 1}, {"nodeType": "^ah", "cycle": 1, "children": [
    {"id": "a\u001b[2J", "content": "words enough to fill a line of any terminal that is not very wide, and then some more"}]}]}}
]}`

// run runs pactkit in a folder with a history, as if its output were a terminal of a width, or none
// when that is 0.
func run(t *testing.T, ctx context.Context, width int, args ...string) (stdout, stderr string, code int) {
	t.Helper()
	dir := t.TempDir()
	for name, text := range map[string]string{
		"h.json": smallHistory, "ops.jsonl": `{"commit": true}`, "batch.jsonl": `{"selector": ".block"}`,
		"log.json":      `{"flat_log":[{"role":"user","content":"a block"}]}`,
		".pactkit.toml": "root = true\n", "a.suite.txtar": "-- cases --\n%files h.json\n.block\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	var out, err bytes.Buffer
	r := &verb.Run{Program: verb.Pactkit, Args: args, Folder: dir, In: strings.NewReader(""), Out: bufio.NewWriter(&out), Err: &err}
	r.OutTerm, r.OutWidth = width > 0, width
	code = execute(ctx, r)
	return out.String(), err.String(), code
}

// On a terminal answers are tables and lines, cut to its width, and a node cannot control the
// terminal.
func TestTerminal(t *testing.T) {
	for _, c := range []struct {
		args            []string
		terminal, piped string
	}{
		{
			[]string{"eval", "-f", "h.json", ".block"},
			"ID        TYPE   PLACE  CONTENT\na\\x1b[2J  block  d0,0   words enough to fill a line o…\n1 node\n",
			"a\x1b[2J\n",
		},
		{
			[]string{"eval", "-f", "h.json", "--format", "ids", ".block"},
			"a\\x1b[2J\n",
			"a\x1b[2J\n",
		},
		{
			[]string{"diff", "h.json", "@t-1", "@t0"},
			"+ a\\x1b[2J  block  d0,0  words enough to fill a line of any term…\n1 added, 0 removed, 0 changed\n",
			`{"added":["a\u001b[2J"],"removed":[],"changed":[]}` + "\n",
		},
		{
			[]string{"eval", "-f", "h.json", "@t0..@t-1 .block @limit=0"},
			"@t-1 → @t0  no change\n",
			`{"query":"@t0..@t-1 .block @limit=0","snapshots":[{"kind":"t","value":0,"label":"@t0","cycle":2},{"kind":"t","value":-1,"label":"@t-1","cycle":1}],` +
				`"diffs":[{"from":{"kind":"t","value":0,"label":"@t0","cycle":2},"to":{"kind":"t","value":-1,"label":"@t-1","cycle":1},` +
				`"added_ids":[],"removed_ids":[],"changed":[],"stats":{"added":0,"removed":0,"changed":0}}],"mode":"pairwise"}` + "\n",
		},
	} {
		for width, want := range map[int]string{54: c.terminal, 0: c.piped} {
			got, _, code := run(t, t.Context(), width, c.args...)
			if diff := cmp.Diff(want, got); diff != "" || code != 0 {
				t.Errorf("%v, width %d: exit code %d (-want +got):\n%s", c.args, width, code, diff)
			}
		}
	}
}

// An interrupt ends a verb with an exit code of its own, and nothing is written.
func TestInterrupted(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for _, args := range [][]string{
		{"eval", "-f", "h.json", ".block"},
		{"eval", "-f", "h.json", "--batch", "batch.jsonl"},
		{"commit", "--script", "ops.jsonl", "-o", "out.json"},
		{"import", "--from", "flat", "log.json", "-o", "out.json"},
		{"validate", "h.json"},
		{"migrate", "-w", "h.json"},
		{"test", "a.suite.txtar", "--update"},
		{"diff", "h.json", "@t-1", "@t0", "--select", ".block"},
	} {
		if stdout, stderr, code := run(t, ctx, 0, args...); code != verb.ExitInterrupted || stderr == "" || strings.Contains(stdout, "block") {
			t.Errorf("%v: exit code %d, %q, %q", args, code, stdout, stderr)
		}
	}
}
