// Package diag declares diagnostics, the findings that all packages of pactkit report: a code, a
// severity, a byte range, a message in plain words and, if there are any, fixes.
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
	Span     ast.Span // if empty, the finding is between two bytes
	Message  string   // one sentence without a final full stop
	Hint     string   // what to do about it, or ""
	Fixes    []Fix    // alternatives, best first
}

// Severity is the weight of a finding.
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

// Edit replaces the bytes of a span with a text.
type Edit struct {
	Span ast.Span
	Text string
}

// Compare orders diagnostics of one source by start, end, code and message.
func Compare(a, b Diagnostic) int {
	return cmp.Or(
		cmp.Compare(a.Span.Start, b.Span.Start),
		cmp.Compare(a.Span.End, b.Span.End),
		cmp.Compare(a.Code, b.Code),
		cmp.Compare(a.Message, b.Message),
	)
}

// Sort sorts diagnostics of one source as [Compare] does. Equal ones keep their order.
func Sort(ds []Diagnostic) { slices.SortStableFunc(ds, Compare) }

// HasErrors reports whether any of the diagnostics is an error.
func HasErrors(ds []Diagnostic) bool {
	return slices.ContainsFunc(ds, func(d Diagnostic) bool { return d.Severity == Error })
}

// Apply returns src with the edits made. Edits must lie within src, be sorted and not overlap;
// otherwise Apply returns src and false.
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
