package lint_test

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/lint"
)

// TestCases runs the cases of testdata/lint. A case has a source in.pactsel, options in the file options (edition=0.1,
// one, mutation, words), and holds what is found in want, the source after safe fixes in fixed, and after
// all fixes in unsafe where that differs.
func TestCases(t *testing.T) {
	for path, a := range testkit.Cases(t, filepath.Join("..", "testdata", "lint", "*.txtar")) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			src, ok := testkit.Section(a, "in.pactsel")
			if !ok {
				t.Fatal("no in.pactsel")
			}
			text, said := testkit.Section(a, "options")
			o := caseOptions(t, text)
			var files []txtar.File
			if said {
				files = append(files, txtar.File{Name: "options", Data: []byte(text)})
			}
			files = append(files, txtar.File{Name: "in.pactsel", Data: []byte(src)})
			files = append(files, txtar.File{Name: "want", Data: []byte(report(src, lint.Check(src, o)))})
			safe := laws(t, src, o, false)
			if safe != src {
				files = append(files, txtar.File{Name: "fixed", Data: []byte(safe)})
			}
			if unsafe := laws(t, src, o, true); unsafe != safe {
				files = append(files, txtar.File{Name: "unsafe", Data: []byte(unsafe)})
			}
			testkit.Golden(t, path, a, files)
		})
	}
}

func caseOptions(t *testing.T, text string) lint.Options {
	var o lint.Options
	for _, f := range strings.Fields(text) {
		switch f {
		case "edition=0.1":
			o.Edition = ast.Edition01
		case "one":
			o.One = true
		case "mutation":
			o.Mutation = true
		case "words":
			o.Facts = knownWords{}
		default:
			t.Fatalf("unknown option %q", f)
		}
	}
	return o
}

// laws applies fixes and checks that a second time changes nothing, that nothing became worse, and that the
// result formats.
func laws(t *testing.T, src string, o lint.Options, unsafe bool) string {
	t.Helper()
	fixed := lint.Fix(src, o, unsafe)
	if again := lint.Fix(fixed.Text, o, unsafe); again.Text != fixed.Text {
		t.Errorf("a second fix changes\n%s to\n%s", fixed.Text, again.Text)
	}
	before, after := lint.Check(src, o), fixed.Left
	if len(after.Selectors) != len(before.Selectors) {
		t.Errorf("%d selectors became %d", len(before.Selectors), len(after.Selectors))
	}
	for i := range min(len(before.Selectors), len(after.Selectors)) {
		if after.Selectors[i].Bad && !before.Selectors[i].Bad {
			t.Errorf("a fix broke %q", after.Selectors[i].Text(fixed.Text))
		}
	}
	if !o.One {
		fo := format.Options{Edition: o.Edition}
		once := format.Source(fixed.Text, fo).Text
		if twice := format.Source(once, fo).Text; twice != once {
			t.Errorf("formatting the fixed text is not idempotent")
		}
	}
	return fixed.Text
}

// report prints findings as a reader sees them, columns in bytes from 1.
func report(src string, r lint.Result) string {
	var b strings.Builder
	lines := ast.NewLines(src)
	place := func(at int) string {
		line, start := lines.Line(at)
		return fmt.Sprintf("%d:%d", line+1, at-start+1)
	}
	print := func(f lint.Finding, silenced string) {
		fmt.Fprintf(&b, "%s-%s %s %s%s: %s\n", place(f.Span.Start), place(f.Span.End), f.Severity, f.Rule.ID, silenced, f.Message)
		if f.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", f.Hint)
		}
		for _, fix := range f.Fixes {
			kind := "unsafe"
			if fix.Safe {
				kind = "safe"
			}
			fmt.Fprintf(&b, "  %s fix: %s\n", kind, fix.Title)
		}
	}
	for _, f := range r.Findings {
		print(f, "")
	}
	for _, f := range r.Silenced {
		print(f.Finding, " (silenced)")
	}
	return b.String()
}
