package format

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
)

// TestCases runs testdata/format. A case holds one source, in.pactsel, and what becomes of it:
//
//	canonical, compact          in edition 1.0
//	canonical.0.1, compact.0.1  in edition 0.1, when that differs
//	diagnostics                 where edition 1.0 reports what, when it does
//
// PACTKIT_UPDATE=1 rewrites the expectations, PACTKIT_UPDATE=diff shows what that would change. The laws
// hold in either mode.
func TestCases(t *testing.T) {
	for name, a := range cases(t) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			src := section(a, "in.pactsel")
			for _, e := range []ast.Edition{ast.Edition10, ast.Edition01} {
				if err := checkLaws(src, Options{Edition: e}); err != nil {
					t.Errorf("edition %v: %v", e, err)
				}
			}
			want := &txtar.Archive{Comment: a.Comment, Files: expected(src)}
			got, formatted := string(txtar.Format(a)), string(txtar.Format(want))
			switch {
			case got == formatted:
			case os.Getenv("PACTKIT_UPDATE") == "1":
				if err := os.WriteFile(name, []byte(formatted), 0o666); err != nil {
					t.Fatal(err)
				}
			default:
				t.Errorf("the case holds\n%s\nbut the result is\n%s", got, formatted)
			}
		})
	}
}

// expected computes the sections of a case.
func expected(src string) []txtar.File {
	files := []txtar.File{{Name: "in.pactsel", Data: []byte(src)}}
	add := func(name, text string) { files = append(files, txtar.File{Name: name, Data: []byte(text)}) }
	for _, s := range []Style{Canonical, Compact} {
		first := Source(src, Options{Style: s})
		add(s.String(), first.Text)
		if old := Source(src, Options{Style: s, Edition: ast.Edition01}); old.Text != first.Text {
			add(s.String()+".0.1", old.Text)
		}
	}
	var b strings.Builder
	lines := ast.NewLines(src)
	for _, d := range Source(src, Options{}).Diagnostics {
		line, start := lines.Line(d.Span.Start)
		fmt.Fprintf(&b, "%d:%d: %v: %s\n", line+1, d.Span.Start-start+1, d.Severity, d.Code)
	}
	if b.Len() > 0 {
		add("diagnostics", b.String())
	}
	return files
}

// cases yields the archives of testdata/format by file name.
func cases(t testing.TB) iter.Seq2[string, *txtar.Archive] {
	names, err := filepath.Glob(filepath.Join("..", "testdata", "format", "*.txtar"))
	if err != nil || len(names) == 0 {
		t.Fatalf("no cases: %v", err)
	}
	return func(yield func(string, *txtar.Archive) bool) {
		for _, name := range names {
			a, err := txtar.ParseFile(name)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(name, a) {
				return
			}
		}
	}
}

// section returns the text of a file of an archive, or "".
func section(a *txtar.Archive, name string) string {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data)
		}
	}
	return ""
}
