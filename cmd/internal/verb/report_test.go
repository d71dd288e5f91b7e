package verb

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"
	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

func reportText(src string, ds ...diag.Diagnostic) string {
	var b strings.Builder
	NewReporter(&b, "f", src, false).ReportAll(ds)
	return b.String()
}

func at(start, end int) diag.Diagnostic {
	return diag.Diagnostic{Span: ast.Span{Start: start, End: end}, Message: "m"}
}

func TestReport(t *testing.T) {
	for _, c := range []struct {
		name, src string
		d         diag.Diagnostic
		want      string
	}{
		{"a range", "ab\ncde\n", at(4, 6), "f:2:2: error: m\n  cde\n   ^^\n"},
		{"a point", "abc", at(1, 1), "f:1:2: error: m\n  abc\n   ^\n"},
		{"the end", "abc", at(3, 3), "f:1:4: error: m\n  abc\n     ^\n"},
		{"after the last line ending", "abc\n", at(4, 4), "f:2:1: error: m\n"},
		{"beyond a line", "ab\ncd", at(1, 5), "f:1:2: error: m\n  ab\n   ^\n"},
		{"an empty source", "", at(0, 0), "f:1:1: error: m\n"},
		{"carriage returns", "ab\rcd\r", at(3, 4), "f:2:1: error: m\n  cd\n  ^\n"},
		{"characters, not bytes", "äöü", at(4, 6), "f:1:3: error: m\n  äöü\n    ^\n"},
		{"wide characters", "日本x", at(6, 7), "f:1:3: error: m\n  日本x\n      ^\n"},
		{"a wide range", "日本x", at(0, 6), "f:1:1: error: m\n  日本x\n  ^^^^\n"},
		{"emoji by a variation selector", "❤\ufe0f☺x", at(6, 9), "f:1:3: error: m\n  ❤\ufe0f☺x\n    ^\n"},
		{"flags and keycaps", "🇩🇪1\ufe0f\u20e3x", at(15, 16), "f:1:6: error: m\n  🇩🇪1\ufe0f\u20e3x\n      ^\n"},
		{"combining marks", "e\u0301x", at(3, 4), "f:1:3: error: m\n  e\u0301x\n   ^\n"},
		{"tabs", "\ta\tb", at(3, 4), "f:1:4: error: m\n   a b\n     ^\n"},
		{"no UTF-8", "a\xffb", at(1, 2), "f:1:2: error: m\n  a\\xffb\n   ^^^^\n"},
		{"controls", "\x1b[1mb\x7f\u202e", at(4, 5), "f:1:5: error: m\n  \\x1b[1mb\\x7f\\u202e\n         ^\n"},
		{"a byte order mark", "\uFEFFab", at(4, 5), "f:1:2: error: m\n  ab\n   ^\n"},
		{"code and hint", "ab", diag.Diagnostic{Code: "E_X", Severity: diag.Warning, Message: "m", Hint: "h"}, "f:1:1: warning: m [E_X]\n  ab\n  ^\n  hint: h\n"},
	} {
		if diff := cmp.Diff(c.want, reportText(c.src, c.d)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
	}
}

// The caret stands below the right column wherever a long line is cut.
func TestSnippetOfLongLines(t *testing.T) {
	for _, unit := range []string{"ab", "日本", "äö"} {
		line := strings.Repeat(unit, 1000)
		for at := 0; at < len(line); at += 7 * len(unit) {
			text, caret := snippet(line, at, at+len(unit))
			if w := displaywidth.String(text); w > 2*maxSnippet {
				t.Fatalf("%s at %d: %d columns", unit, at, w)
			}
			before, _, _ := strings.Cut(caret, "^")
			rest := text
			for displaywidth.String(rest) > displaywidth.String(text)-len(before) {
				_, n := utf8.DecodeRuneInString(rest)
				rest = rest[n:]
			}
			if !strings.HasPrefix(rest, unit) {
				t.Fatalf("%s at %d: the caret is below %.8q", unit, at, rest)
			}
		}
	}
}

// A report of many findings is cut off.
func TestReportAllStops(t *testing.T) {
	ds := make([]diag.Diagnostic, MaxReported+7)
	got := reportText("", ds...)
	if n := strings.Count(got, "error"); n != MaxReported || !strings.HasSuffix(got, "f: and 7 more\n") {
		t.Errorf("%d shown, at the end %q", n, got[len(got)-20:])
	}
}

func FuzzReport(f *testing.F) {
	f.Add("a\tb\r\n日\xff\u202e", 2, 3)
	f.Fuzz(func(t *testing.T, src string, start, end int) {
		if start < 0 || end < start || end > len(src) {
			return
		}
		out := reportText(src, at(start, end))
		for line := range strings.Lines(out) {
			if !utf8.ValidString(line) || strings.ContainsAny(strings.TrimSuffix(line, "\n"), "\r\t\x1b\x00\x7f") {
				t.Errorf("unsafe line %q", line)
			}
		}
	})
}
