package engine_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/pactkit/pactkit/engine"
)

// TestAssumedEdition: a file without a spec_version is of edition 0.1 if some node has a type of
// 0.1 and none has one of 1.0 (decision D42).
func TestAssumedEdition(t *testing.T) {
	snapshot := func(types ...string) string {
		var nodes []string
		for _, nodeType := range types {
			nodes = append(nodes, `{"id":"n`+nodeType+`","nodeType":"`+nodeType+`"}`)
		}
		return `{"root":{"children":[{"nodeType":"^ah","children":[` + strings.Join(nodes, ",") + `]}]}}`
	}
	versioned := func(version, text string) string { return `{"spec_version":"` + version + `",` + text[1:] }
	cycle := func(n, text string) string { return `{"cycle":` + n + `,` + text[1:] }
	history := func(rest string, snapshots ...string) string {
		return `{"snapshots":[` + strings.Join(snapshots, ",") + `]` + rest + `}`
	}
	old, modern := snapshot("cb"), snapshot("block")
	for _, tt := range []struct {
		about, name, text string
		want              string // the edition, and the line and path of the note
	}{
		{"block of 0.1", "a.json", old, `0.1 1 $.root.children[0].children[0]`},
		{"turn of 0.1", "a.json", snapshot("mt"), `0.1 1 $.root.children[0].children[0]`},
		{"user type with a base of 0.1", "a.json", snapshot("note", "cb:summary"), `0.1 1 $.root.children[0].children[1]`},
		{"block of 1.0", "a.json", modern, `1.0`},
		{"both", "a.json", snapshot("mc", "seg"), `1.0`},
		{"user type with a base of 1.0", "a.json", snapshot("cb", "block:x"), `1.0`},
		{"user types alone", "a.json", snapshot("note", "custom:note"), `1.0`},
		{"no types", "a.json", `{"root":{"children":[{"nodeType":"^ah","children":[{"id":"a"}]}]}}`, `1.0`},
		{"named 1.0", "a.json", versioned("PACT/1.0.0", old), `1.0`},
		{"named 1.0 at the end", "a.json", strings.TrimSuffix(old, "}") + `,"spec_version":"PACT/1.0.0"}`, `1.0`},
		{"named 0.1", "a.json", versioned("PACT/0.1.0", old), `0.1`},
		{"unknown", "a.json", versioned("PACT/9", old), `1.0 1 $.spec_version`},
		{"history", "a.json", history("", old, old), `0.1 1 $.snapshots[0].root.children[0].children[0]`},
		{"history, later both", "a.json", history("", old, modern), `1.0`},
		{"history, named at the end", "a.json", history(`,"spec_version":"PACT/1.0.0"`, old), `1.0`},
		{"history, working state", "a.json", history(`,"working":`+old, `{"root":{}}`), `0.1 1 $.working.root.children[0].children[0]`},
		{"history, working state of 1.0", "a.json", history(`,"working":`+modern, old), `1.0`},
		{"lines", "a.jsonl", "\n" + old + "\n" + old + "\n", `0.1 2 $[0].root.children[0].children[0]`},
		{"lines of both", "a.jsonl", old + "\n" + modern + "\n", `1.0`},
		{"lines, one named", "a.jsonl", old + "\n" + versioned("PACT/1.0.0", old) + "\n", `1.0`},
	} {
		t.Run(tt.about, func(t *testing.T) {
			got, err := engine.ReadText(tt.name, tt.text, engine.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(got); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
			for _, e := range []engine.Edition{engine.Edition10, engine.Edition01} {
				named, err := engine.ReadText(tt.name, tt.text, engine.ReadOptions{Edition: &e})
				if err != nil || named.Edition() != e || hasNote(named) {
					t.Errorf("read as %s: %v %v %v", e, named.Edition(), named.Warnings(), err)
				}
			}
		})
	}
	for _, tt := range []struct {
		about string
		files []string
		want  string
	}{
		{"folder", []string{cycle("1", old), cycle("2", old)}, `0.1 1 $.root.children[0].children[0]`},
		{"folder, later both", []string{cycle("1", old), cycle("2", modern)}, `1.0`},
		{"folder, earlier both", []string{cycle("1", modern), cycle("2", old)}, `1.0`},
		{"folder, one named", []string{cycle("1", old), versioned("PACT/1.0.0", cycle("2", old))}, `1.0`},
	} {
		t.Run(tt.about, func(t *testing.T) {
			dir := fstest.MapFS{}
			for i, f := range tt.files {
				dir[string(rune('a'+i))+".json"] = &fstest.MapFile{Data: []byte(f)}
			}
			got, err := engine.LoadDir(dir, "dir", engine.ReadOptions{})
			if err != nil {
				t.Fatal(err)
			}
			if got := describe(got); got != tt.want {
				t.Errorf("got %s, want %s", got, tt.want)
			}
		})
	}
	// The note is not a violation: strict reading accepts the file, which lacks a core container.
	whole := `{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah","children":[{"id":"a","nodeType":"cb"}]}]}}`
	strict, err := engine.ReadText("a.json", whole, engine.ReadOptions{Strict: true})
	if err != nil || describe(strict) != `0.1 1 $.root.children[2].children[0]` {
		t.Errorf("strict: %v", err)
	}
	// What is missing in the file is filled in for the edition.
	filled, err := engine.ReadText("a.json", history("", `{"root":{"children":[{"nodeType":"^seq","children":[{"id":"m","children":[{"id":"b"},{"id":"c","nodeType":"cb"}]}]}]}}`),
		engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	for id, want := range map[string]string{"m": "mt", "b": "cb"} {
		if n, _ := filled.At(0).Find(id); n.Header("nodeType").String() != `"`+want+`"` {
			t.Errorf("the missing type of %s is read as %s, want %s", id, n.Header("nodeType"), want)
		}
	}
}

// TestFilledTypes: a missing type is one of the edition of the snapshot, or of the history if the
// snapshot names none, wherever the file says so.
func TestFilledTypes(t *testing.T) {
	const (
		root   = `"root":{"children":[{"nodeType":"^seq","children":[{"id":"a"}]}]}`
		old    = `"spec_version":"PACT/0.1.0"`
		modern = `"spec_version":"PACT/1.0.0"`
	)
	for _, tt := range []struct{ text, want string }{
		{`{"snapshots":[{` + root + `}]}`, "seg"},
		{`{"snapshots":[{` + root + `}],` + modern + `}`, "seg"},
		{`{"snapshots":[{` + root + `}],` + old + `}`, "mt"},
		{`{` + old + `,"snapshots":[{` + root + `}]}`, "mt"},
		{`{"snapshots":[{` + modern + `,` + root + `}],` + old + `}`, "seg"},
		{`{"snapshots":[{` + root + `,` + modern + `}],` + old + `}`, "seg"},
		{`{"snapshots":[{` + old + `,` + root + `}],` + modern + `}`, "mt"},
		{`{"snapshots":[{"cycle":0,"root":{}},{"cycle":1,` + old + `,` + root + `}],` + modern + `}`, "mt"},
		{`{"snapshots":[{"cycle":0,` + modern + `,` + root + `},{"cycle":1,` + root + `}],` + old + `}`, "mt"},
	} {
		got, err := engine.ReadText("a.json", tt.text, engine.ReadOptions{})
		if err != nil {
			t.Errorf("%s: %v", tt.text, err)
			continue
		}
		if n, _ := got.At(0).Find("a"); n.Type() != tt.want {
			t.Errorf("%s: the type is %q, want %q", tt.text, n.Type(), tt.want)
		}
	}
}

func hasNote(t *engine.Timeline) bool {
	return len(t.Warnings()) > 0 && t.Warnings()[0].Code == engine.ErrFileEdition
}

// describe returns the edition of a timeline, and the location of a warning about that.
func describe(t *engine.Timeline) string {
	var out strings.Builder
	out.WriteString(t.Edition().String())
	for _, w := range t.Warnings() {
		if w.Code == engine.ErrFileEdition || w.Code == engine.ErrFileVersion {
			fmt.Fprintf(&out, " %d %s", w.Line, w.Path)
		}
	}
	return out.String()
}
