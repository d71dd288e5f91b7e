package eval

import "github.com/pactkit/pactkit/ast/diag"

// Error is why a query has no answer. Spans are those of the query's source.
type Error struct {
	Diagnostics []diag.Diagnostic // at least one
}

// Error prints the first finding: its message and code.
func (e *Error) Error() string {
	d := e.Diagnostics[0]
	return d.Message + " [" + string(d.Code) + "]"
}

// fail makes an error of one finding.
func fail(d diag.Diagnostic) error { return &Error{[]diag.Diagnostic{d}} }
