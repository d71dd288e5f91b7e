// Package diag declares the type of all findings that pactkit reports: a code, a severity, a byte
// range, a message and possible fixes.
package diag

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/ast"
)

// Diagnostic is one finding about one source.
type Diagnostic struct {
	Code     Code
	Severity Severity
	Span     ast.Span // may be empty: then it points between two bytes
	Message  string   // one sentence without a final full stop
	Hint     string   // what to do about it, or ""
	Fixes    []Fix    // alternatives, best first
}

// Severity is how serious a finding is.
type Severity uint8

// The severities, most serious first.
const (
	Error Severity = iota
	Warning
	Info
	Hint
)

var severityNames = [...]string{"error", "warning", "info", "hint"}

func (s Severity) String() string { return severityNames[s] }

// Fix is a set of edits that are applied together.
type Fix struct {
	Title string // in the imperative: "insert a blank"
	Safe  bool   // cannot change what a valid selector selects
	Edits []Edit // not overlapping, in source order
}

// Edit replaces the bytes of a span.
type Edit struct {
	Span ast.Span
	Text string
}

// Compare orders diagnostics of one source: by start, end, then code and message.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort puts diagnostics of one source into their total order.
func Sort(ds []Diagnostic) { slices.SortStableFunc(ds, Compare) }

// HasErrors reports whether any of the diagnostics is an error.
func HasErrors(ds []Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Apply returns src with the edits made. Edits must lie within src and be sorted and disjoint;
// Apply reports false and returns src otherwise.
func Apply(src string, edits []Edit) (string, bool) {
	out := make([]byte, 0, len(src)+64)
	at := 0
	for _, e := range edits {
		if e.Span.Start < at || e.Span.End < e.Span.Start || e.Span.End > len(src) {
			return src, false
		}
		out = append(out, src[at:e.Span.Start]...)
		out = append(out, e.Text...)
		at = e.Span.End
	}
	return string(append(out, src[at:]...)), true
}
