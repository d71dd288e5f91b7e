package search

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/parser"
)

// writeSession writes a session of Claude Code and the files of its two agents, which belong
// together and may repeat ids of the session.
func writeSession(t *testing.T, dir string, repeats bool) {
	record := func(id, parent, agent, message string) string {
		side, up := "false", "null"
		if parent != "" {
			up = `"` + parent + `"`
		}
		if agent != "" {
			side, agent = "true", `,"agentId":"`+agent+`"`
		}
		kind := "user"
		if strings.Contains(message, "assistant") {
			kind = "assistant"
		}
		return `{"type":"` + kind + `","uuid":"` + id + `","parentUuid":` + up + `,"isSidechain":` + side + agent + `,"sessionId":"s","message":` + message + "}\n"
	}
	write := func(name, text string) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	write("s.jsonl", record("u1", "", "", `{"role":"user","content":"look"}`)+
		record("a1", "u1", "", `{"id":"m1","role":"assistant","content":[{"type":"tool_use","id":"c1","name":"Task","input":{"prompt":"one"}},{"type":"tool_use","id":"c2","name":"Task","input":{"prompt":"two"}}]}`)+
		record("r1", "a1", "", `{"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"Error one"},{"type":"tool_result","tool_use_id":"c2","content":"two"}]}`)+
		record("a2", "r1", "", `{"id":"m2","role":"assistant","content":"done"}`))
	for _, agent := range []string{"one", "two"} {
		id := func(name string) string {
			if repeats {
				return name
			}
			return name + agent
		}
		write("agent-"+agent+".jsonl", record(id("u1"), "", agent, `{"role":"user","content":"`+agent+`"}`)+
			record(id("b1"), id("u1"), agent, `{"id":"`+id("n1")+`","role":"assistant","content":"Error"}`)+
			record(id("u2"), id("b1"), agent, `{"role":"user","content":"more"}`)+
			record(id("b2"), id("u2"), agent, `{"id":"`+id("n2")+`","role":"assistant","content":"ok"}`))
	}
}

// TestFiles checks that a search gives the same with tapes and with histories alone: over the logs
// of the repository, the folders of PACTKIT_LOGS, and sessions with agents; and how many of the
// files with messages have a tape.
func TestFiles(t *testing.T) {
	dir, repeats := t.TempDir(), t.TempDir()
	writeSession(t, dir, false)
	writeSession(t, repeats, true)
	r := gentest.Rand(7)
	for i, name := range []string{"a", "b", "c", "d"} {
		text := strings.NewReplacer(`"s"`, `"`+name+`"`, `"u-`, `"u`+name, `"a-`, `"a`+name, `"s-`, `"s`+name, `"p-`, `"p`+name, `"id":"m`, `"id":"m`+name, `"id":"err`, `"id":"err`+name, `"id":"api`, `"id":"api`+name).Replace(randomSession(r, i == 1, false, 40))
		if err := os.WriteFile(filepath.Join(dir, name+".jsonl"), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	dirs := append([]string{dir, repeats, "../../testdata/logs", "../../thread/source/testdata"}, filepath.SplitList(os.Getenv("PACTKIT_LOGS"))...)
	all, fast := 0, 0
	for _, dir := range dirs {
		for _, text := range []string{"*", ".block+tool{content~'Error'}", "@t-1 .block:last", "@c5 *", ".block{model='x'}"} {
			sameFiles(t, dir, text)
		}
		n, of := fastFiles(t, dir)
		fast, all = fast+n, all+of
	}
	t.Logf("%d of %d files have a tape", fast, all)
	if 3*fast < 2*all {
		t.Errorf("only %d of %d files have a tape", fast, all)
	}
}

// sameFiles checks that a search of a folder gives the same with tapes and without.
func sameFiles(t *testing.T, dir, text string) {
	q, found := Compile(text, parser.Options{})
	if q == nil {
		t.Fatal(found)
	}
	slow := *q
	slow.tape = nil
	gather := func(q *Query) (out []Outcome) {
		for o := range (&Search{Query: q}).Run(t.Context(), []string{dir}) {
			out = append(out, o)
		}
		return out
	}
	same := cmp.Comparer(func(a, b error) bool { return a == nil && b == nil || a != nil && b != nil && a.Error() == b.Error() })
	want := gather(&slow)
	if d := cmp.Diff(want, gather(q), same); d != "" {
		t.Errorf("%s in %s:\n%s", text, dir, d)
	}
	defer func(most int) { maxAnswers = most }(maxAnswers)
	maxAnswers = 0
	if d := cmp.Diff(want, gather(q), same); d != "" {
		t.Errorf("%s in %s, reading files again:\n%s", text, dir, d)
	}
}

// fastFiles counts the files of messages in a folder, and those that have a tape.
func fastFiles(t *testing.T, dir string) (fast, all int) {
	q, _ := Compile("@c3 .block", parser.Options{})
	s := &Search{Query: q}
	for f, err := range sessions.Files(t.Context(), []string{dir}, s.Sessions) {
		if err != nil {
			t.Fatal(err)
		}
		task := &task{run: &run{Search: s, slots: make(chan struct{}, 2)}, file: f, out: make(chan Outcome, 10_000)}
		switch kind, _ := task.kind(t.Context()); kind {
		case "openai", "anthropic", "claude-code":
			all++
			if task.fast(t.Context(), kind) {
				fast++
			} else {
				t.Logf("%s (%s) has no tape", f.Path, kind)
			}
			task.running.Wait()
		}
	}
	return fast, all
}
