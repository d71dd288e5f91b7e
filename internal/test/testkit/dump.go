package testkit

import (
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// Location returns an offset of a source as line:column, in characters from 1. A byte order mark at
// the start does not count.
func Location(src string, offset int) string {
	const byteOrderMark = "\uFEFF"
	line, start := ast.NewLines(src).Line(offset)
	if start == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(src, byteOrderMark) {
		start = len(byteOrderMark)
	}
	return fmt.Sprintf("%d:%d", line+1, utf8.RuneCountInString(src[start:offset])+1)
}

// Range returns a span of a source as line:column-line:column.
func Range(src string, s ast.Span) string { return Location(src, s.Start) + "-" + Location(src, s.End) }

// Diagnostics writes one finding per line: its range, severity, code and message. Below it come its
// hint and its fixes, each with the lines that it changes, quoted if they are not plain text.
func Diagnostics(src string, ds []diag.Diagnostic) string {
	var b strings.Builder
	for _, d := range ds {
		fmt.Fprintf(&b, "%s %s %s %s\n", Range(src, d.Span), d.Severity, d.Code, d.Message)
		if d.Hint != "" {
			fmt.Fprintf(&b, "  hint: %s\n", d.Hint)
		}
		for _, f := range d.Fixes {
			safe := ""
			if f.Safe {
				safe = "safe "
			}
			fmt.Fprintf(&b, "  %sfix: %s -> %s\n", safe, f.Title, fixed(src, f))
		}
	}
	return b.String()
}

// fixed returns the lines that a fix changes, after the fix.
func fixed(src string, f diag.Fix) string {
	out, ok := diag.Apply(src, f.Edits)
	if !ok {
		return "(edits that cannot be applied)"
	}
	if len(f.Edits) > 0 {
		start := strings.LastIndexByte(src[:f.Edits[0].Span.Start], '\n') + 1
		end := f.Edits[len(f.Edits)-1].Span.End
		after := len(src) - end
		if n := strings.IndexByte(src[end:], '\n'); n >= 0 {
			after -= n
		} else {
			after = 0
		}
		out = out[start : len(out)-after]
	}
	out = strings.TrimSuffix(out, "\r")
	if strings.ContainsFunc(out, func(r rune) bool { return r < ' ' || r == utf8.RuneError || r == '\ufeff' }) {
		return strconv.Quote(out)
	}
	return out
}
