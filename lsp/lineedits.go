package lsp

import (
	"strings"
	"unicode/utf8"

	"github.com/aymanbagabas/go-udiff"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// lineEdits returns the edits that turn one text into another, whole lines at a time: one edit for
// each line if every line stays one line.
func lineEdits(before, after string) []diag.Edit {
	var out []diag.Edit
	for _, e := range udiff.Lines(before, after) {
		out = append(out, byLine(before, diag.Edit{Span: ast.Span{Start: e.Start, End: e.End}, Text: e.New})...)
	}
	return out
}

// minimalEdits returns the edits that turn one text into another. Each replaces only what differs
// in a line, so the client's cursor and marks stay in place.
func minimalEdits(before, after string) []diag.Edit {
	edits := lineEdits(before, after)
	for i := range edits {
		edits[i] = trimmed(before, edits[i])
	}
	return edits
}

// byLine splits an edit of several lines into one for each line, if every line stays one line.
func byLine(src string, e diag.Edit) []diag.Edit {
	before, after := strings.SplitAfter(e.Span.Text(src), "\n"), strings.SplitAfter(e.Text, "\n")
	if len(before) != len(after) || len(before) < 2 {
		return []diag.Edit{e}
	}
	var out []diag.Edit
	at := e.Span.Start
	for i := range before {
		if before[i] != after[i] {
			out = append(out, diag.Edit{Span: ast.Span{Start: at, End: at + len(before[i])}, Text: after[i]})
		}
		at += len(before[i])
	}
	return out
}

// trimmed returns an edit without the unchanged characters at both ends. It does not split a
// character or a CRLF.
func trimmed(src string, e diag.Edit) diag.Edit {
	before, after := e.Span.Text(src), e.Text
	head := 0
	for head < min(len(before), len(after)) && before[head] == after[head] {
		head++
	}
	for head > 0 && !(boundary(before, head) && boundary(after, head)) {
		head--
	}
	tail := 0
	for tail < min(len(before), len(after))-head && before[len(before)-1-tail] == after[len(after)-1-tail] {
		tail++
	}
	for tail > 0 && !(boundary(before, len(before)-tail) && boundary(after, len(after)-tail)) {
		tail--
	}
	return diag.Edit{Span: ast.Span{Start: e.Span.Start + head, End: e.Span.End - tail}, Text: after[head : len(after)-tail]}
}

// boundary reports whether a text can be cut at an offset.
func boundary(s string, at int) bool {
	if at == 0 || at == len(s) {
		return true
	}
	return utf8.RuneStart(s[at]) && !(s[at-1] == '\r' && s[at] == '\n')
}
