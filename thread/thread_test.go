package thread_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
)

// TestCases runs testdata/thread/*.txtar, archives in the form of package testkit, with the
// settings
//
//	#from: FORMAT       of the source, a log
//	#name: NAME         of its file, log.json unless given
//	#messages: PATH     as in ImportOptions
//	#edition: 0.1
//	#to: FORMAT,FORMAT  renderings to show
//	#repaired: true     rendering back changes the log, and is shown as want.back
//
// want.tree is the newest snapshot, one node per line, want.notes the notes, and want.FORMAT a
// rendering with its notes. If there are several logs, the name of the log comes first, as in
// want.LOG/tree.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../testdata/thread/*.txtar") {
		t.Run(c.Name, func(t *testing.T) { c.Golden(t, runCase(t, c)...) })
	}
}

type caseOptions struct {
	from     thread.Format
	to       []thread.Format
	name     string
	repaired bool
	opts     thread.ImportOptions
}

func optionsOf(t *testing.T, c *testkit.Case) caseOptions {
	o := caseOptions{name: "log.json"}
	c.Settings(t, map[string]func(string) bool{
		"from":     func(v string) bool { o.from = formatOf(t, v); return true },
		"name":     func(v string) bool { o.name = v; return true },
		"messages": func(v string) bool { o.opts.Messages = v; return true },
		"edition":  func(v string) bool { o.opts.Edition = engine.Edition01; return v == "0.1" },
		"repaired": func(v string) bool { o.repaired = true; return v == "true" },
		"to": func(v string) bool {
			for name := range strings.SplitSeq(v, ",") {
				o.to = append(o.to, formatOf(t, name))
			}
			return true
		},
	})
	return o
}

func formatOf(t *testing.T, name string) thread.Format {
	f, err := thread.ParseFormat(name)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func runCase(t *testing.T, c *testkit.Case) []txtar.File {
	o := optionsOf(t, c)
	data := c.In.Data
	logs, err := thread.Import(t.Context(), o.name, data, o.from, o.opts)
	var out []txtar.File
	show := func(name, text string) {
		if text != "" {
			out = append(out, testkit.Want(name, strings.TrimSuffix(text, "\n")+"\n"))
		}
	}
	for _, l := range logs {
		prefix := ""
		if l.Name != "" {
			prefix = l.Name + "/"
		}
		checkLog(t, l, o.from, thread.Formats())
		s := l.Timeline().At(0)
		show(prefix+"tree", tree(s))
		show(prefix+"notes", lines(l.Notes))
		back, notes := layout(t, s, o.from)
		switch {
		case o.repaired:
			show(prefix+"back", back+notes)
		case len(logs) == 1 && o.opts.Messages == "" && !sameLog(t, o.from, data, []byte(back)):
			t.Errorf("rendering back gives another log:\n%s", back)
		}
		for _, f := range o.to {
			text, notes := layout(t, s, f)
			show(prefix+f.String(), text+notes)
		}
	}
	if err != nil {
		show("error", err.Error())
	}
	return out
}

// sameLog reports whether two logs have the same value. Sessions are compared line by line.
func sameLog(t *testing.T, f thread.Format, a, b []byte) bool {
	t.Helper()
	if f != thread.ClaudeCode {
		return jsonEqual(t, a, b)
	}
	x, y := recordsOf(a), recordsOf(b)
	return slices.EqualFunc(x, y, func(v, w string) bool {
		if _, err := engine.JSON([]byte(v)); err != nil {
			return v == w
		}
		return jsonEqual(t, []byte(v), []byte(w))
	})
}

func recordsOf(data []byte) []string {
	var out []string
	for line := range strings.Lines(string(data)) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func layout(t *testing.T, s *engine.Snapshot, f thread.Format) (text, notes string) {
	out, err := thread.Render(s, f, thread.RenderOptions{Pretty: true})
	if err != nil {
		t.Fatal(err)
	}
	if notes = lines(out.Notes); notes != "" {
		notes = "\nnotes:\n" + notes
	}
	return strings.TrimSuffix(string(out.JSON), "\n") + "\n", notes
}

func lines(notes []thread.Note) string {
	var b strings.Builder
	for _, n := range notes {
		fmt.Fprintf(&b, "%s: %s\n", n.Kind, n)
	}
	return b.String()
}

// tree prints the nodes of a snapshot below the regions, one per line: type, id,
// headers and custom members, content.
func tree(s *engine.Snapshot) string {
	var b strings.Builder
	level := func(n engine.Node) int {
		l := 0
		for up, ok := n.Parent(); ok; up, ok = up.Parent() {
			l++
		}
		return l
	}
	for n := range s.All() {
		if l := level(n); l > 0 {
			fmt.Fprintf(&b, "%s%s %s", strings.Repeat("  ", l-1), n.Type(), n.ID())
			for _, name := range [...]string{"key", "role", "kind", "tag"} {
				if v := n.Header(name); !v.IsZero() {
					fmt.Fprintf(&b, " %s=%s", name, v)
				}
			}
			for name, v := range n.Members() {
				fmt.Fprintf(&b, " %s=%s", name, v)
			}
			if v := n.Content(); !v.IsZero() {
				fmt.Fprintf(&b, " content=%s", v)
			}
			if v := n.Header("provenance"); !v.IsZero() {
				fmt.Fprintf(&b, " provenance=%s", v)
			}
			b.WriteByte('\n')
		}
	}
	return b.String()
}

// TestNormativeThreads compares the renderings of the examples of PACT 0.1, 02 §12.8 and §12.9,
// byte by byte.
func TestNormativeThreads(t *testing.T) {
	edition := engine.Edition01
	for _, name := range []string{"thread_basic", "thread_pre_post"} {
		tl, err := engine.Load("../testdata/fixtures/"+name+".json", engine.ReadOptions{Edition: &edition})
		if err != nil {
			t.Fatal(err)
		}
		want := readFile(t, "../testdata/fixtures/"+name+".want.json")
		out, err := thread.Render(tl.At(0), thread.Pact, thread.RenderOptions{})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(out.JSON); got != compact(t, want) {
			t.Errorf("%s:\n%s", name, got)
		}
		newer := engine.Edition10
		out, err = thread.Render(tl.At(0), thread.Pact, thread.RenderOptions{Edition: &newer})
		if err != nil {
			t.Fatal(err)
		}
		if got := string(out.JSON); got != compact(t, want) { // every node has a role
			t.Errorf("%s in edition 1.0:\n%s", name, got)
		}
	}
}

func readFile(t *testing.T, path string) []byte {
	t.Helper()
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return data
}

// compact returns a JSON document without white space.
func compact(t *testing.T, data []byte) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Compact(&b, data); err != nil {
		t.Fatal(err)
	}
	return b.String()
}
