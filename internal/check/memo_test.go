package check_test

import (
	"fmt"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/fixtures"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/lint"
)

// found is what a caller sees of a result.
func found(src string, r check.Result) []string {
	var out []string
	for _, s := range r.Selectors {
		region := &r.File.Regions[s.Region]
		out = append(out, fmt.Sprint("selector ", testkit.Range(src, s.Span), s.Text, s.Bad, s.Canonical(), region.Host(s.Query.Bounds())))
	}
	add := func(kind string, f check.Finding) {
		if !slices.ContainsFunc(r.Selectors, func(s check.Selector) bool { return s.Contains(f.Span) }) {
			f.Selector = "" // a comment is about the selector above it, which a part does not have
		}
		out = append(out, fmt.Sprint(kind, f.Rule.ID, testkit.Range(src, f.Span), f.Message, f.Hint, f.Severity, f.Fixes, f.Selector, f.Reason, f.Outside))
	}
	for _, f := range r.Findings {
		add("finding ", f)
	}
	for _, f := range r.Silenced {
		add("silenced ", f)
	}
	return out
}

// TestMemo edits selector files and programs at random, and compares the findings with a memo and
// without one in every version.
func TestMemo(t *testing.T) {
	var sources []string
	for c := range testkit.Load(t, filepath.Join("..", "..", "testdata", "lint", "*.txtar")) {
		sources = append(sources, c.Source())
	}
	fixture := `{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq","children":[{"id":"s","children":[` +
		`{"id":"c","nodeType":"cont","children":[{"id":"b","nodeType":"block","tag":["user"]}]}]}]},{"nodeType":"^ah"}]}}`
	timeline, err := engine.Read("f.json", strings.NewReader(fixture), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	known := fixtures.New([]fixtures.Fixture{{Path: "f.json", Timeline: timeline}}, nil)
	snippets := []string{
		"", "", "", "x", " ", "\n", "\n\n", "\n.block\n", "\n.cb+user\n", "(", ")", "[", "'", "# ", "\n  > .block", "\n# note\n", "\r\n", "\x00", "\xff",
		"\n# pactkit:ignore legacy -- x\n", "\n# pactkit:ignore-file legacy -- x\n", "\n# pactkit:ignore style/same-selection -- x\n",
		" # pactkit:ignore all\n", "\n# pactkit:fmt-skip\n", "\ufeff", "^seq", "+", ".block",
	}
	random := rand.New(rand.NewPCG(1, 2))
	for name, wrap := range map[string]string{"x.pactsel": "%s", "x.go": "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar t *pactkit.Tree\n\nvar x = t.Select(ctx, `%s`)\n\n"} {
		for range 60 {
			var b strings.Builder
			for range 1 + random.IntN(5) {
				fmt.Fprintf(&b, wrap, sources[random.IntN(len(sources))])
			}
			src := b.String()
			plain := check.Options{Facts: known}
			if random.IntN(3) == 0 {
				plain = check.Options{Level: func(r *lint.Rule) lint.Level { return lint.Warning }}
				plain.Format.Edition = ast.Edition01
			}
			remembering := plain
			remembering.Memo = &check.Memo{}
			for range 10 {
				want := found(src, check.File(t.Context(), host.For(name), src, plain))
				again := check.File(t.Context(), host.For(name), src, remembering)
				got := found(src, again)
				if d := cmp.Diff(want, got); d != "" {
					t.Fatalf("%q\n(-without +with a memo):\n%s", src, d)
				}
				if random.IntN(2) == 0 {
					remembering.Memo.Forget(&again)
				}
				from := random.IntN(len(src) + 1)
				to := min(len(src), from+random.IntN(8)*random.IntN(8))
				src = src[:from] + snippets[random.IntN(len(snippets))] + src[to:]
			}
		}
	}
}

// TestMemoDocuments does the same with documents, whose prose has rules too.
func TestMemoDocuments(t *testing.T) {
	var sources []string
	for c := range testkit.Load(t, filepath.Join("..", "..", "testdata", "lint", "document", "*.txtar")) {
		sources = append(sources, c.Source())
	}
	snippets := []string{
		"", "", "PACT", "\n\n", "\n\n## CSS\n\n", "\n\nThe active head is mutable.\n\n", "```", "\n\n```pact\n.mt\n```\n\n", "<!--", "-->", "^ah", "\n\n> ",
		"\n\n- a\n\n  ^ah is editable.\n\n", "<pre>\n", "pactsel",
	}
	random := rand.New(rand.NewPCG(3, 3))
	findings := 0
	for range 20 {
		var src string
		for range 2 + random.IntN(4) {
			src += sources[random.IntN(len(sources))] + "\n\nText.\n\n" + strings.Repeat("A line of prose.\n", random.IntN(300)) + "\n"
		}
		o := check.Options{Memo: &check.Memo{}}
		for range 8 {
			whole := check.File(t.Context(), host.For("a.md"), src, check.Options{})
			parts := check.File(t.Context(), host.For("a.md"), src, o)
			o.Memo.Forget(&parts)
			findings += len(whole.Findings)
			if d := cmp.Diff(found(src, whole), found(src, parts)); d != "" {
				t.Fatalf("%q\n(-whole +parts):\n%s", src, d)
			}
			from := random.IntN(len(src) + 1)
			to := min(len(src), from+random.IntN(30))
			src = src[:from] + snippets[random.IntN(len(snippets))] + src[to:]
		}
	}
	if findings == 0 {
		t.Error("nothing was found")
	}
}
