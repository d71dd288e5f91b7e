// Package pactkit opens and builds context trees of the PACT specification, and
// queries and changes them with selectors.
//
//	c, err := pactkit.Open("log.json", engine.ReadOptions{})
//	nodes, err := c.Select(ctx, "@t-1 ^seq .block+tool")
//
// [Open] reads a recorded history, [New] begins a live tree, and [Tree.Resume] continues where a
// history ends. [Parse] and [Format] work on selectors alone.
//
// Selectors, positions and addresses are strings in the edition of the tree. Their plans are
// cached, so a selector is not parsed again when it is used again. The language reference,
// docs/reference/language.md, defines the strings; docs/reference/library.md lists the choices of
// this package (F1, F2 …).
//
// An error is a [*SelectorError] if a string is wrong, and an [*engine.Error] if the tree is; both
// have codes. A file that cannot be read and a [context.Context] that is done give their own
// errors. A call that fails changes nothing.
package pactkit

import (
	"context"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// Parse parses one selector. An error is a [*SelectorError] with all diagnostics, each with its
// position and, if there is one, a fix. For warnings, such as legacy forms, use
// [parser.ParseSelector].
func Parse(selector string, o parser.Options) (*ast.Query, error) {
	q, found := parser.ParseSelector(selector, o)
	if diag.HasErrors(found) {
		return nil, &SelectorError{selector, found}
	}
	return q, nil
}

// Format prints a selector in the style of o, by default in canonical form. If there is an error,
// it returns the selector unchanged.
func Format(selector string, o format.Options) (string, error) {
	o.Form = format.Selector
	r := format.Source(selector, o)
	if found := append(r.Diagnostics, r.Overflow...); diag.HasErrors(found) {
		return selector, &SelectorError{selector, found}
	}
	return r.Text, nil
}

// Lint reports what the rules of package lint find in one selector, including errors, sorted by
// position. For files of selectors, and for fixes, see lint.Check and lint.Fix.
func Lint(ctx context.Context, selector string, o lint.Options) []lint.Finding {
	return lint.CheckSelector(ctx, selector, o).Findings
}
