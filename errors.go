package pactkit

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
)

// SelectorError reports why a selector, an insertion position or an address cannot be used: it does
// not parse, or it has no answer.
type SelectorError struct {
	Text        string            // the selector, as it was given
	Diagnostics []diag.Diagnostic // the findings, by position; at least one error
}

// Code returns the code of the first error.
func (e *SelectorError) Code() diag.Code { return e.first().Code }

// Error prints line:column: message (in `text`) [code], of the first error,
// and its hint. The column counts characters from 1.
func (e *SelectorError) Error() string {
	d := e.first()
	line, start := ast.NewLines(e.Text).Line(d.Span.Start)
	column := len([]rune(e.Text[start:min(d.Span.Start, len(e.Text))])) + 1
	var b strings.Builder
	fmt.Fprintf(&b, "%d:%d: %s (in `%s`) [%s]", line+1, column, d.Message, shorten(e.Text), d.Code)
	if d.Hint != "" {
		b.WriteString("; " + d.Hint)
	}
	return b.String()
}

func (e *SelectorError) first() diag.Diagnostic {
	i := slices.IndexFunc(e.Diagnostics, func(d diag.Diagnostic) bool { return d.Severity == diag.Error })
	return e.Diagnostics[max(i, 0)]
}

// shorten makes a text fit into a message.
func shorten(text string) string {
	const most = 120
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > most {
		text = strings.ToValidUTF8(text[:most], "") + " …"
	}
	return text
}

// selectorError returns an error about a whole text.
func selectorError(text string, code diag.Code, message, hint string) error {
	return &SelectorError{text, []diag.Diagnostic{{
		Code: code, Span: ast.Span{End: len(text)}, Message: message, Hint: hint,
	}}}
}

// located adds the text of the selector to an evaluation error.
func located(text string, err error) error {
	if e, ok := errors.AsType[*eval.Error](err); ok {
		return &SelectorError{text, e.Diagnostics}
	}
	return err
}

func treeError(code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, Msg: fmt.Sprintf(format, args...)}
}
