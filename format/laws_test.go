package format

import (
	"fmt"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// checkLaws checks what must hold for every source, in one edition.
func checkLaws(src string, o Options) error {
	in := func(s Style) Options { return Options{Style: s, Edition: o.Edition, Limits: o.Limits} }
	text := map[Style]string{}
	for _, s := range []Style{Canonical, Compact} {
		text[s] = Source(src, in(s)).Text
		if err := Verify(src, text[s], in(s)); err != nil {
			return fmt.Errorf("%v: %w", s, err)
		}
	}
	for from, before := range text {
		for to, want := range text {
			if got := Source(before, in(to)).Text; got != want {
				return fmt.Errorf("%v of %v differs from %v of the source:\n%s-- want --\n%s", to, from, to, got, want)
			}
		}
	}
	file, _ := parser.Parse(src, o.parser())
	for _, s := range file.Selectors {
		if s.Bad {
			Node(s.Query, o) // the result is useless, but there must be no panic
			continue
		}
		for _, style := range []Style{Canonical, Compact} {
			if err := checkPrint(s.Query, in(style)); err != nil {
				return fmt.Errorf("%q, %v: %w", s.Span.Text(src), style, err)
			}
		}
	}
	return nil
}

// checkPrint checks the laws of printing one query.
func checkPrint(q *ast.Query, o Options) error {
	before := ast.Dump(q)
	tree := rewrite(q, o.Style)
	text := Node(q, o)
	if ast.Dump(q) != before {
		return fmt.Errorf("formatting changed the tree it was given")
	}
	parsed, ds := parser.ParseSelector(text, o.parser())
	if diag.HasErrors(ds) {
		return fmt.Errorf("printed as %q: %v", text, ds[0])
	}
	for _, l := range parsed.Legacy() {
		if l.Form != ast.LegacyRole { // whose replacement needs other data
			return fmt.Errorf("printed as %q, which holds the legacy form %v", text, l.Form)
		}
	}
	if !ast.Equal(parsed, tree) {
		return fmt.Errorf("printed as %q, which reads as\n%s-- want --\n%s", text, ast.Dump(parsed), ast.Dump(tree))
	}
	last := text
	traced := o
	traced.Trace = func(_ Pass, text string) { last = text }
	if got := Node(q, traced); got != text || last != text {
		return fmt.Errorf("the trace ends with %q, not with %q", last, text)
	}
	// Neither style may mean something else in the other edition, except that a bare #key of
	// edition 1.0 is an id in 0.1.
	if o.Style == Canonical || o.Edition == ast.Edition01 {
		other := parser.Options{Edition: ast.Edition10 + ast.Edition01 - o.Edition, Limits: o.Limits}
		parsed, ds := parser.ParseSelector(text, other)
		if diag.HasErrors(ds) || !ast.Equal(Canonicalize(parsed), Canonicalize(q)) {
			return fmt.Errorf("%q means something else in edition %v", text, other.Edition)
		}
	}
	return nil
}
