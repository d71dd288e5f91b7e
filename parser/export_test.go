package parser

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// ParseEvents is ParseSelector without the short way for plain selectors, and reports whether that would be taken.
func ParseEvents(src string, o Options) (q *ast.Query, ds []diag.Diagnostic, plain bool) {
	b := newBuilder(src, &o)
	defer b.release()
	if !b.admit() {
		return emptyQuery(ast.Span{}), b.finish(), false
	}
	body, fits, ok := b.lex(ast.Span{Start: b.start, End: len(src)})
	if !ok {
		return emptyQuery(body), b.finish(), false
	}
	reported := len(b.diags)
	plain = fits && b.readPlain(body) != nil
	b.diags = b.diags[:reported]
	b.errors, b.full = reported, false // all of them are errors of the encoding
	q = b.readEvents(body, false)
	return q, b.finish(), plain
}
