package lint_test

import (
	"context"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// TestCases runs the cases of testdata/lint, archives in the form of package testkit, with the
// settings
//
//	#edition: 0.1
//	#entry: selector | mutation   the source is a selector, or the target of a mutation, not a file
//	#facts: words | fixtures      what is known about the trees
//	#dialect: egregore            the implementation that must read the selectors, too
//	#crlf: true                   the lines of the source end in \r\n
//
// want.diag has the findings, want.fixed the source after safe fixes, and want.unsafe the source
// after all fixes, if it differs from that.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, filepath.Join("..", "testdata", "lint", "*.txtar")) {
		t.Run(c.Name, func(t *testing.T) {
			o, entry, crlf := caseOptions(t, c)
			src := c.Source()
			if crlf {
				src = strings.ReplaceAll(src, "\n", "\r\n")
			}
			shown := func(text string) string { // a golden file has the line endings of its archive
				if crlf && strings.Count(text, "\n") != strings.Count(text, "\r\n") {
					t.Errorf("line endings are mixed in %q", text)
				}
				return strings.ReplaceAll(text, "\r\n", "\n")
			}
			want := []txtar.File{testkit.Want("diag", report(src, entry.check(t.Context(), src, o)))}
			safe := laws(t, src, o, entry, false)
			if safe != src {
				want = append(want, testkit.Want("fixed", shown(safe)))
			}
			if unsafe := laws(t, src, o, entry, true); unsafe != safe {
				want = append(want, testkit.Want("unsafe", shown(unsafe)))
			}
			c.Golden(t, want...)
		})
	}
}

// entry is a pair of entry points of the linter.
type entry struct {
	check func(context.Context, string, lint.Options) lint.Result
	fix   func(context.Context, string, lint.Options, bool) lint.Fixed
	one   bool // they take one selector
}

var (
	fileEntry     = entry{check: lint.Check, fix: lint.Fix}
	selectorEntry = entry{check: lint.CheckSelector, fix: lint.FixSelector, one: true}
)

func caseOptions(t *testing.T, c *testkit.Case) (o lint.Options, e entry, crlf bool) {
	e = fileEntry
	c.Settings(t, map[string]func(string) bool{
		"edition": func(v string) (ok bool) { o.Edition, ok = ast.ParseEdition(v); return ok },
		"crlf":    func(v string) bool { crlf = true; return v == "true" },
		"entry": func(v string) bool {
			if v == "selector" {
				e = selectorEntry
			}
			o.Mutation = v == "mutation"
			return e.one || o.Mutation
		},
		"dialect": func(v string) bool {
			dialect := lint.Lookup("dialect/" + v)
			o.Level = func(r *lint.Rule) lint.Level {
				if r == dialect {
					return lint.Info
				}
				return r.Level
			}
			return dialect != nil
		},
		"facts": func(v string) bool {
			switch v {
			case "words":
				o.Facts = knownWords{}
			case "fixtures":
				o.Facts = treeFacts(t)
			}
			return o.Facts != nil
		},
	})
	return o, e, crlf
}

// tree is the history that the option fixtures stands for, under edition 1.0.
const tree = `{"spec_version":"PACT/1.0.0","root":{"nodeType":"^root","children":[
  {"nodeType":"^sys","children":[{"id":"rules","nodeType":"block","key":"policy","tag":["system"]}]},
  {"nodeType":"^seq","children":[{"id":"s1","nodeType":"seg","children":[{"id":"c1","nodeType":"cont","children":[
    {"id":"b1","nodeType":"block","tag":["user"],"status":"open"},
    {"id":"b2","nodeType":"summary","tag":["assistant"],"offset":1}]}]}]},
  {"nodeType":"^ah"}]}}`

// treeFacts returns the facts of the tree.
func treeFacts(t *testing.T) *fixtures.Facts {
	t.Helper()
	tl, err := engine.Read("tree.json", strings.NewReader(tree), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	return fixtures.New([]fixtures.Fixture{{Path: "tree.json", Timeline: tl}}, nil)
}

// TestEveryRule checks that there is a case for every rule that a source can break.
func TestEveryRule(t *testing.T) {
	found := map[string]bool{}
	rule := regexp.MustCompile(`(?m)^[0-9:-]+ [a-z]+ ([a-z]+/[a-z-]+)`)
	for _, folder := range []string{".", "document"} {
		for c := range testkit.Load(t, filepath.Join("..", "testdata", "lint", folder, "*.txtar")) {
			want, _ := c.Section("want.diag")
			for _, m := range rule.FindAllStringSubmatch(want, -1) {
				found[m[1]] = true
			}
		}
	}
	for r := range lint.Rules() {
		if r.Category() != "embed" && r.ID != "style/format" && !found[r.ID] { // those are cases of testdata/host and testdata/cli
			t.Errorf("no case of testdata/lint has a finding of %s: add %s.txtar", r.ID, strings.ReplaceAll(r.Name(), "-", "_"))
		}
	}
}

// laws applies fixes, and checks that a second run changes nothing, that no selector or comment was
// broken or lost, and that the result can be formatted.
func laws(t *testing.T, src string, o lint.Options, e entry, unsafe bool) string {
	t.Helper()
	fixed := e.fix(t.Context(), src, o, unsafe)
	if again := e.fix(t.Context(), fixed.Text, o, unsafe); again.Text != fixed.Text {
		t.Errorf("a second fix changes\n%s to\n%s", fixed.Text, again.Text)
	}
	before, after := e.check(t.Context(), src, o), fixed.Left
	if len(after.Selectors) != len(before.Selectors) {
		t.Errorf("%d selectors became %d", len(before.Selectors), len(after.Selectors))
	}
	for i := range min(len(before.Selectors), len(after.Selectors)) {
		if after.Selectors[i].Bad && !before.Selectors[i].Bad {
			t.Errorf("a fix broke %q", after.Selectors[i].Text(fixed.Text))
		}
	}
	if !e.one {
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

// report writes the findings, and then the silenced ones.
func report(src string, r lint.Result) string {
	var found []diag.Diagnostic
	add := func(f lint.Finding, silenced string) {
		found = append(found, diag.Diagnostic{Code: diag.Code(f.Rule.ID + silenced), Severity: f.Severity, Span: f.Span, Message: f.Message, Hint: f.Hint, Fixes: f.Fixes})
	}
	for _, f := range r.Findings {
		add(f, "")
	}
	for _, f := range r.Silenced {
		add(f.Finding, " (silenced)")
	}
	return testkit.Diagnostics(src, found)
}
