package search

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/parser"
)

// manyLines returns records that fill several blocks, one of them longer than a block.
func manyLines() string {
	var b strings.Builder
	for i := range 400 {
		size := 10_000
		if i == 17 {
			size = 3 * blockSize
		}
		fmt.Fprintf(&b, `{"id":"r%d","messages":[{"role":"user","content":"%s"},{"role":"assistant","content":"answer %d"}]}`+"\n", i/2, strings.Repeat("x", size), i)
	}
	return b.String()
}

func search(t *testing.T, text string, most int, from sessions.Kind, args ...string) []Outcome {
	q, found := Compile(text, parser.Options{})
	if q == nil {
		t.Fatal(found)
	}
	s := &Search{Query: q, Most: most, Sessions: sessions.Options{From: from}}
	var out []Outcome
	for o := range s.Run(t.Context(), args) {
		out = append(out, o)
	}
	return out
}

// TestBlocks checks that a file of many blocks gives the same as its history, in order and with the
// same names.
func TestBlocks(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	fast := search(t, ".block+assistant", 0, "openai", path)
	slow := search(t, ".block+assistant ?? .nothing", 0, "openai", path)
	if d := cmp.Diff(slow, fast); d != "" {
		t.Error(d)
	}
	if len(fast) != 401 || fast[399].Name != "r199-2" || fast[399].Matches[0].Content != `"answer 399"` {
		t.Errorf("%d outcomes, the last: %+v", len(fast), fast[len(fast)-2:])
	}
	if few := search(t, ".block+assistant", 3, "openai", path); few[2].Count != 1 || len(few) > 400 {
		t.Errorf("a limit of 3 matches gives %d outcomes", len(few))
	}
}

// TestErrorLine checks that an error in a later block has its line in the file, and ends the file.
func TestErrorLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(manyLines()+`{"messages":[}`+"\n"+manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	fast := search(t, ".block", 0, "openai", path)
	slow := search(t, ".block ?? .nothing", 0, "openai", path)
	bad := fast[len(fast)-2]
	e, ok := errors.AsType[*engine.Error](bad.Err)
	if !ok || e.Line != 401 || len(fast) != 402 {
		t.Errorf("%d outcomes and %v", len(fast), bad.Err)
	}
	if want := slow[len(slow)-2].Err.Error(); bad.Err.Error() != want {
		t.Errorf("%q, and the importer says %q", bad.Err, want)
	}
}

// TestOrder checks that files come in the order of the arguments, however long each takes.
func TestOrder(t *testing.T) {
	dir := t.TempDir()
	var want []string
	for i := range 40 {
		name := filepath.Join(dir, fmt.Sprintf("%02d.jsonl", i))
		record := `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]}` + "\n"
		if err := os.WriteFile(name, []byte(strings.Repeat(record, 1+1000*(i%2))), 0o600); err != nil {
			t.Fatal(err)
		}
		want = append(want, name)
	}
	var got []string
	for _, o := range search(t, ".seg", 0, "openai", dir) {
		if o.IsEnd {
			got = append(got, o.Path)
		}
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
}

// TestLongLine checks that a line over the limit is an error with its line number, in any block.
func TestLongLine(t *testing.T) {
	const record = `{"messages":[{"role":"user","content":"hi"},{"role":"assistant","content":"%s"}]}` + "\n"
	long := fmt.Sprintf(record, strings.Repeat("x", 2*blockSize))
	for before := range 3 {
		path := filepath.Join(t.TempDir(), "long.jsonl")
		if err := os.WriteFile(path, []byte(strings.Repeat(fmt.Sprintf(record, "ho"), before)+long+long), 0o600); err != nil {
			t.Fatal(err)
		}
		q, _ := Compile(".block", parser.Options{})
		s := &Search{Query: q, Sessions: sessions.Options{From: "openai", MaxBytes: blockSize}}
		count := 0
		var e *engine.Error
		for o := range s.Run(t.Context(), []string{path}) {
			count += o.Count
			if o.Err != nil && !errors.As(o.Err, &e) {
				t.Fatal(o.Err)
			}
		}
		if e == nil || e.Code != engine.ErrFileLimit || e.Line != before+1 || count != 2*before {
			t.Errorf("after %d lines: %d found, %v", before, count, e)
		}
	}
}
