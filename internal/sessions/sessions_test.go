package sessions_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/sessions"
)

// list reads arguments and says what is in them, a line each.
func list(t *testing.T, o sessions.Options, args ...string) []string {
	t.Helper()
	var out []string
	for s, err := range sessions.All(t.Context(), args, o) {
		if err != nil {
			out = append(out, fmt.Sprintf("%s: error: %s", s.Path, strings.ReplaceAll(err.Error(), "stat "+o.Folder+string(filepath.Separator), "open ")))
			continue
		}
		out = append(out, fmt.Sprintf("%s: %s: %d", s.Address(), s.Kind, s.Timeline.Len()))
	}
	return out
}

func write(t *testing.T, dir string, files map[string]string) {
	t.Helper()
	for name, text := range files {
		path := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

const (
	chat    = `[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]`
	body    = `{"messages":[{"role":"user","content":"a"}]}` + "\n" + `{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"c"}]}` + "\n"
	share   = `[{"id":"x","conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}]},{"id":"y","conversations":[{"from":"human","value":"a"}]}]`
	blank   = `{"root":{"id":"root","nodeType":"^root","children":[{"id":"^sys","nodeType":"^sys"},{"id":"^seq","nodeType":"^seq"},{"id":"^ah","nodeType":"^ah"}]},"cycle":%d}`
	session = `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","timestamp":"2026-01-01T00:00:00Z","message":{"role":"user","content":"Hello"}}
{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m1","role":"assistant","content":[{"type":"text","text":"Hi"}]}}
`
)

// TestAll checks what a folder gives: every kind of file, in order, without what is ignored, and an
// error in its place.
func TestAll(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"a.json":          chat,
		"b.jsonl":         body,
		"c.json":          share,
		"d/1.json":        fmt.Sprintf(blank, 1),
		"d/2.json":        fmt.Sprintf(blank, 2),
		"e.jsonl":         session,
		"f.json":          `{"name":"not a log"}`,
		"g.json":          `[{"role":"us`,
		"h.json":          chat,
		"notes.md":        "no",
		".gitignore":      "h.json\n",
		".git/x.json":     chat,
		"sub/i.jsonl":     "{\"role\":\"user\",\"content\":\"a\"}\n{\"role\":\"assistant\",\"content\":\"b\"}\n",
		"sub/.ignore":     "j*\n",
		"sub/j.json":      chat,
		"sub/gemini.json": `{"contents":[{"role":"user","parts":[{"text":"a"}]},{"role":"model","parts":[{"text":"b"}]}]}`,
	})
	got := list(t, sessions.Options{Folder: dir}, ".", "c.json#y", "c.json#z", "none.json", "a.json#x", "d")
	want := []string{
		"a.json: openai: 2",
		"b.jsonl: requests: 2",
		"c.json#x: sharegpt: 2",
		"c.json#y: sharegpt: 1",
		"d: history: 2",
		"e.jsonl: claude-code: 2",
		"g.json: error: g.json:1: $[0].role: a string without an end [E_FILE_SYNTAX]",
		"sub/gemini.json: gemini: 2",
		"sub/i.jsonl: openai: 2",
		"c.json#y: sharegpt: 1",
		"c.json: error: c.json: there is no history #z in it; there is #x #y [E_NOT_FOUND]",
		"none.json: error: open none.json: no such file or directory",
		"a.json: error: a.json: there is no history #x in it: the only one has no name, and that of the file is enough [E_NOT_FOUND]",
		"d: history: 2",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestOtherKinds checks that a folder's files of other kinds are skipped, whatever they hold,
// and that one that begins like a log is not.
func TestOtherKinds(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"other/comments.json":    "// a configuration\n{\"a\": 1, // with comments\n}",
		"other/empty.json":       "",
		"other/.eslintrc.json":   `{"root": true, "working": 1, "snapshots": {}}`,
		"other/half.json":        `{"name": "half`,
		"other/list.json":        "[1, 2, }",
		"other/messages.json":    `{"language": "de", "messages": [{"id": "Hello", "message": "Hello", "translation": "Hallo"}]}`,
		"other/not.json.gz":      "not compressed",
		"other/output.json":      `{"input": "a text", "output": "another"}`,
		"other/redirects.json":   `[{"from": "/a", "to": "/b"}]`,
		"other/latin.json":       "{\"name\": \"\xe4\"}",
		"other/deep.json":        strings.Repeat("[", 2000),
		"other/top/package.json": `{"root": true}`,
		"logs/cut.json":          `{"messages": [{"role": "user", "con`,
		"logs/a.json":            chat,
	})
	got := list(t, sessions.Options{Folder: dir}, "other", "logs", "other/half.json")
	want := []string{
		"other: error: other: the folder holds no history and no log of a known kind [E_FILE_SHAPE]",
		"logs/a.json: openai: 2",
		"logs/cut.json: error: logs/cut.json:1: $.messages[0]: a string without an end [E_FILE_SYNTAX]",
		"other/half.json: error: other/half.json:1: $.name: a string without an end [E_FILE_SYNTAX]",
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

// TestTogether checks that files of one session are one log, and that the names that are given them
// are arguments.
func TestTogether(t *testing.T) {
	dir := t.TempDir()
	write(t, dir, map[string]string{
		"p/a.jsonl":           session,
		"p/sub/agent-x.jsonl": strings.NewReplacer(`"id":"`, `"id":"x-`, `"uuid":"`, `"isSidechain":true,"agentId":"x","uuid":"x-`, `"parentUuid":"`, `"parentUuid":"x-`).Replace(session),
		"p/z.jsonl":           strings.ReplaceAll(strings.ReplaceAll(session, `"s"`, `"other"`), `"u`, `"v`),
		"q/a.json":            chat,
	})
	together := []string{"p/a.jsonl+#session s: claude-code: 2", "p/a.jsonl+#agent x: claude-code: 2"}
	for _, test := range []struct {
		args []string
		want []string
	}{
		{[]string{"p"}, append(slices.Clone(together), "p/z.jsonl: claude-code: 2")},
		{[]string{"q", "p/sub/agent-x.jsonl", "p/a.jsonl"}, append([]string{"q/a.json: openai: 2"}, together...)},
		{[]string{"p/sub", "p/a.jsonl", "p/a.jsonl"}, append(slices.Clone(together), "p/a.jsonl: claude-code: 2")},
		{[]string{"p/a.jsonl+"}, together},
		{[]string{"p/a.jsonl+#agent x"}, together[1:]},
		{[]string{"p/a.jsonl"}, []string{"p/a.jsonl: claude-code: 2"}},
		{[]string{"p/z.jsonl+", "q/a.json+"}, []string{"p/z.jsonl: claude-code: 2", "q/a.json: openai: 2"}},
		{[]string{"p/a.jsonl+#y"}, []string{"p/a.jsonl+: error: p/a.jsonl+: there is no history #y in it; there is #session s #agent x [E_NOT_FOUND]"}},
	} {
		if diff := cmp.Diff(test.want, list(t, sessions.Options{Folder: dir}, test.args...)); diff != "" {
			t.Errorf("%q: %s", test.args, diff)
		}
	}
	turns := list(t, sessions.Options{Folder: dir, ByTurn: true}, "p")
	if len(turns) != 3 {
		t.Errorf("by turns, each file is a history: %q", turns)
	}
}
