package explain

import (
	"fmt"
	"iter"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/parser"
)

// TestCases runs testdata/*.txtar: selectors, one per line, each followed by its explanation in
// lines that begin with "> ".
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "testdata/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			var out strings.Builder
			for selector := range selectors(c) {
				q, ds := parser.ParseSelector(selector, parser.Options{})
				if diag.HasErrors(ds) {
					t.Errorf("%s: %v", selector, ds[0].Message)
				}
				fmt.Fprintf(&out, "%s\n> %s\n", selector, strings.Join(Query(q), "\n> "))
			}
			c.GoldenSource(t, out.String())
		})
	}
}

// selectors yields the selectors of a case.
func selectors(c *testkit.Case) iter.Seq[string] {
	return func(yield func(string) bool) {
		for line := range strings.Lines(c.Source()) {
			if line = strings.TrimSuffix(line, "\n"); !strings.HasPrefix(line, "> ") && !yield(line) {
				return
			}
		}
	}
}

// TestControlsAreExplained checks that every control of the language, and every order, has an
// explanation.
func TestControlsAreExplained(t *testing.T) {
	for term := range vocab.All(vocab.Control) {
		for _, value := range append(term.Params, "1") {
			c := &ast.Control{Name: term.Name, HasValue: true, Value: value}
			if line := controlSentence(&ast.Query{}, c); strings.Contains(line, "not a word of the language") {
				t.Errorf("@%s=%s: %s", c.Name, c.Value, line)
			}
		}
	}
	for _, v := range vocab.Lookup(vocab.Control, "order").Params {
		if orders[v] == "" {
			t.Errorf("@order=%s has no explanation", v)
		}
	}
}

func FuzzQuery(f *testing.F) {
	for c := range testkit.Load(f, "testdata/*.txtar") {
		for selector := range selectors(c) {
			f.Add(selector)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		q, ds := parser.ParseSelector(src, parser.Options{})
		if diag.HasErrors(ds) {
			return
		}
		for _, line := range Query(q) {
			if strings.Contains(line, "could not be read") || strings.TrimSpace(line) == "" {
				t.Errorf("%q: bad line %q", src, line)
			}
		}
	})
}
