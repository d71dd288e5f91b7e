package lint_test

import (
	"fmt"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// TestCases runs the cases of testdata/lint. A case has a source in.pactsel, options in the file options (edition=0.1,
// one, mutation, words, fixtures, crlf for line endings), and holds what is found in want, the source after safe fixes in fixed, and after
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
			given := src
			if slices.Contains(strings.Fields(text), "crlf") {
				src = strings.ReplaceAll(src, "\n", "\r\n")
			}
			var files []txtar.File
			if said {
				files = append(files, txtar.File{Name: "options", Data: []byte(text)})
			}
			files = append(files, txtar.File{Name: "in.pactsel", Data: []byte(given)})
			files = append(files, txtar.File{Name: "want", Data: []byte(report(src, lint.Check(src, o)))})
			shown := func(text string) []byte { // a golden file has the line endings of its archive
				if src != given && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
					t.Errorf("line endings are mixed in %q", text)
				}
				return []byte(strings.ReplaceAll(text, "\r\n", "\n"))
			}
			safe := laws(t, src, o, false)
			if safe != src {
				files = append(files, txtar.File{Name: "fixed", Data: shown(safe)})
			}
			if unsafe := laws(t, src, o, true); unsafe != safe {
				files = append(files, txtar.File{Name: "unsafe", Data: shown(unsafe)})
			}
			testkit.Golden(t, path, a, files)
		})
	}
}

func caseOptions(t *testing.T, text string) lint.Options {
	var o lint.Options
	for f := range strings.FieldsSeq(text) {
		switch f {
		case "edition=0.1":
			o.Edition = ast.Edition01
		case "one":
			o.One = true
		case "mutation":
			o.Mutation = true
		case "crlf":
		case "words":
			o.Facts = knownWords{}
		case "fixtures":
			o.Facts = fixtures(t)
		default:
			t.Fatalf("unknown option %q", f)
		}
	}
	return o
}

// tree is the history that the option fixtures stands for, under edition 1.0.
const tree = `{"spec_version":"PACT/1.0.0","root":{"nodeType":"^root","children":[
  {"nodeType":"^sys","children":[{"id":"rules","nodeType":"block","key":"policy","tag":["system"]}]},
  {"nodeType":"^seq","children":[{"id":"s1","nodeType":"seg","children":[{"id":"c1","nodeType":"cont","children":[
    {"id":"b1","nodeType":"block","tag":["user"],"status":"open"},
    {"id":"b2","nodeType":"summary","tag":["assistant"],"offset":1}]}]}]},
  {"nodeType":"^ah"}]}}`

// fixtures knows the tree.
func fixtures(t *testing.T) *facts.Facts {
	t.Helper()
	tl, err := engine.Read("tree.json", strings.NewReader(tree), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return facts.New(t.Context(), []facts.Fixture{{Path: "tree.json", Timeline: tl}}, nil)
}

// TestEveryRule: there is a case for every rule that a source can break.
func TestEveryRule(t *testing.T) {
	found := map[string]bool{}
	rule := regexp.MustCompile(`(?m)^[0-9:-]+ [a-z]+ ([a-z]+/[a-z-]+)`)
	for _, folder := range []string{".", "document"} {
		for _, a := range testkit.Cases(t, filepath.Join("..", "testdata", "lint", folder, "*.txtar")) {
			want, _ := testkit.Section(a, "want")
			for _, m := range rule.FindAllStringSubmatch(want, -1) {
				found[m[1]] = true
			}
		}
	}
	for r := range lint.Rules() {
		if r.Category() != "embed" && r.ID != "style/format" && !found[r.ID] { // those are cases of testdata/host and testdata/cli
			t.Errorf("no case of testdata/lint has a finding of %s", r.ID)
		}
	}
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
		if was, is := comments(src, o), comments(fixed.Text, o); is < was {
			t.Errorf("%d comments became %d in %q, from %q", was, is, fixed.Text, src)
		}
		fo := format.Options{Edition: o.Edition}
		once := format.Source(fixed.Text, fo).Text
		if twice := format.Source(once, fo).Text; twice != once {
			t.Errorf("formatting the fixed text is not idempotent")
		}
	}
	return fixed.Text
}

// comments counts the comments of a selector file.
func comments(src string, o lint.Options) int {
	n := 0
	f, _ := parser.Parse(src, parser.Options{Edition: o.Edition})
	for _, s := range f.Selectors {
		n += len(s.Before) + len(s.Inside)
		if s.Suffix != nil {
			n++
		}
	}
	return n + len(f.After)
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
