package lsp

import (
	"github.com/aymanbagabas/go-udiff"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// lineEdits are the edits that turn one text into another, whole lines at a time, so that a client keeps its cursor
// and its marks where nothing changes.
func lineEdits(before, after string) []diag.Edit {
	var out []diag.Edit
	for _, e := range udiff.Lines(before, after) {
		out = append(out, diag.Edit{Span: ast.Span{Start: e.Start, End: e.End}, Text: e.New})
	}
	return out
}
