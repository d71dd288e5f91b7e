package lsp

import (
	"context"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/check"
)

// unionActions returns the actions that split the union at a span of a selector file into separate
// selectors, or merge the selectors in the span into a union.
func (s *server) unionActions(ctx context.Context, d *document, a *analysis, at ast.Span) []action {
	if !d.selectors() {
		return nil // a string contains one selector
	}
	var touched []*check.Selector
	for sel := range a.selectors(ctx, at) {
		if sel.Bad || len(sel.Query.Controls()) > 0 || strings.Contains(sel.Text, "\n") {
			return nil // controls apply to the whole union; comments between the lines of a selector would be lost
		}
		touched = append(touched, sel)
	}
	if len(touched) == 1 && len(touched[0].Query.Union) > 1 {
		sel := touched[0]
		var lines []string
		for _, f := range sel.Query.Union {
			lines = append(lines, a.written(&ast.Query{Extent: sel.Query.Extent, Time: sel.Query.Time, Union: []ast.Fragment{f}}))
		}
		return []action{{
			Title: "split union into selectors", Kind: rewriteKind + ".split",
			Edit: s.edit(d, []diag.Edit{{Span: sel.Span, Text: strings.Join(lines, "\n")}}),
		}}
	}
	if len(touched) < 2 {
		return nil
	}
	first, last := touched[0], touched[len(touched)-1]
	merged := &ast.Query{Extent: first.Query.Extent, Time: first.Query.Time}
	for i, sel := range touched {
		if i > 0 && strings.TrimSpace(d.src[touched[i-1].End:sel.Start]) != "" || !ast.Equal(timeOf(first), timeOf(sel)) {
			return nil // a comment is between them, or they query different states
		}
		merged.Union = append(merged.Union, sel.Query.Union...)
	}
	return []action{{
		Title: "merge selectors into a union", Kind: rewriteKind + ".merge",
		Edit: s.edit(d, []diag.Edit{{Span: ast.Span{Start: first.Start, End: last.End}, Text: a.written(merged)}}),
	}}
}

// timeOf returns a selector with only the time of another one.
func timeOf(sel *check.Selector) *ast.Query { return &ast.Query{Time: sel.Query.Time} }

// written returns the text of a selector in the style of the document.
func (a *analysis) written(q *ast.Query) string { return format.Node(q, a.options.Format) }
