package verb

import (
	"fmt"
	"io"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/output"
)

const (
	// MaxReported is the number of findings shown for one file.
	MaxReported = 100
	// maxSnippet is the width in columns of a source line that is shown.
	maxSnippet = 100
	// ByteOrderMark may begin a source. It is not part of the first line.
	ByteOrderMark = "\uFEFF"
)

// Reporter prints the findings about one source: position, message, the line and a caret below the
// span.
type Reporter struct {
	w       io.Writer
	name    string
	src     string
	Columns *output.Columns
	lines   *ast.Lines
	color   bool
	named   func(hint string) string // names the program that was called; nil for pactkit
}

// Reporter returns a reporter whose hints call the program by its name.
func (run *Run) Reporter(w io.Writer, name, src string, color bool) *Reporter {
	r := NewReporter(w, name, src, color)
	r.named = run.Named
	return r
}

func NewReporter(w io.Writer, name, src string, color bool) *Reporter {
	index := output.NewColumns(src)
	return &Reporter{w: w, name: Shown(name), src: src, Columns: index, lines: index.Lines(), color: color}
}

// ReportAll prints findings in order, up to a limit, and the number of the others.
func (r *Reporter) ReportAll(ds []diag.Diagnostic) {
	for _, d := range ds[:min(len(ds), MaxReported)] {
		r.Report(d)
	}
	if left := len(ds) - MaxReported; left > 0 {
		fmt.Fprintf(r.w, "%s: and %d more\n", r.name, left)
	}
}

func (r *Reporter) Report(d diag.Diagnostic) {
	line, start := r.lines.Line(d.Span.Start)
	fmt.Fprintf(r.w, "%s: %s: %s", r.Paint(Bold, fmt.Sprintf("%s:%d:%d", r.name, line+1, r.columnOf(d.Span.Start))),
		r.Paint(SeverityStyle[d.Severity], d.Severity.String()), Sanitize(d.Message))
	if d.Code != "" {
		fmt.Fprintf(r.w, " [%s]", d.Code)
	}
	fmt.Fprintln(r.w)
	text := strings.TrimRight(r.src[start:r.lines.Start(line+1)], "\r\n")
	if text, caret := snippet(text, d.Span.Start-start, d.Span.End-start); text != "" {
		fmt.Fprintf(r.w, "  %s\n  %s\n", text, r.Paint(SeverityStyle[d.Severity], caret))
	}
	if d.Hint != "" {
		hint := d.Hint
		if r.named != nil {
			hint = r.named(hint)
		}
		fmt.Fprintf(r.w, "  hint: %s\n", Sanitize(hint))
	}
}

// columnOf counts characters from 1.
func (r *Reporter) columnOf(offset int) int {
	_, column := r.Columns.Position(offset)
	return column
}

// snippet cuts the part of a line around the bytes from start to end, and returns it with a line of
// carets (decision V4).
func snippet(line string, start, end int) (text, caret string) {
	start = min(start, len(line))
	end = min(max(end, start), len(line))
	// Enough bytes on both sides to fill the width, and never the whole of a huge line.
	from, to := max(0, start-maxSnippet*2/3), min(len(line), max(end, start)+maxSnippet)
	to = min(to, start+maxSnippet)
	for from > 0 && from < start && !utf8.RuneStart(line[from]) {
		from++
	}
	for to < len(line) && to > start && !utf8.RuneStart(line[to]) {
		to--
	}
	end = min(end, to)
	before, marked, after := Visible(line[from:start]), Visible(line[start:end]), Visible(line[end:to])
	left, right := "", ""
	if from > 0 {
		left = "…"
	}
	if to < len(line) {
		right = "…"
	}
	text = left + before + marked + after + right
	if strings.TrimSpace(text) == "" {
		return "", ""
	}
	blank := strings.Repeat(" ", displaywidth.String(left+before))
	return text, blank + strings.Repeat("^", max(1, displaywidth.String(marked)))
}

// Visible escapes characters that a terminal would interpret or hide: a hostile source cannot
// control the terminal, and each character has a known width. A tab becomes a space.
func Visible(s string) string {
	if printable(s) == len(s) {
		return s
	}
	return string(AppendVisible(make([]byte, 0, len(s)), s))
}

// AppendVisible appends what Visible returns of s.
func AppendVisible(b []byte, s string) []byte {
	for i := 0; i < len(s); {
		if n := printable(s[i:]); n > 0 {
			b, i = append(b, s[i:i+n]...), i+n
			continue
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			b = fmt.Appendf(b, `\x%02x`, s[i])
		case r == '\t':
			b = append(b, ' ')
		case s[i:i+n] == ByteOrderMark && i == 0:
		case r < 0x20 || r == 0x7f:
			b = fmt.Appendf(b, `\x%02x`, r)
		case unicode.IsGraphic(r), r == joiner && joinsEmoji(s[:i], s[i+n:]):
			b = append(b, s[i:i+n]...)
		default:
			b = fmt.Appendf(b, `\u%04x`, r)
		}
		i += n
	}
	return b
}

// printable returns the number of bytes at the start of s that are visible ASCII characters or
// blanks.
func printable(s string) int {
	for i := range len(s) {
		if s[i] < ' ' || s[i] > '~' {
			return i
		}
	}
	return len(s)
}

// joiner combines two emoji into one.
const joiner = '\u200d'

// joinsEmoji reports whether a joiner is between two emoji; elsewhere it could hide something.
func joinsEmoji(before, after string) bool {
	a, _ := utf8.DecodeLastRuneInString(before)
	b, _ := utf8.DecodeRuneInString(after)
	return unicode.In(a, unicode.So, unicode.Sk, unicode.Variation_Selector) && unicode.Is(unicode.So, b)
}

// Sanitize applies [Visible] to each line of a text.
func Sanitize(s string) string {
	lines := strings.Split(s, "\n")
	for i := range lines {
		lines[i] = Visible(lines[i])
	}
	return strings.Join(lines, "\n")
}

// The styles of a terminal, as parameters of the escape sequence.
const Bold = "1"

var SeverityStyle = [...]string{diag.Error: "1;31", diag.Warning: "1;33", diag.Info: "1;36", diag.Hint: "1;36"}

// SeverityOf returns the style of a severity by its name.
func SeverityOf(name string) string {
	for s, style := range SeverityStyle {
		if diag.Severity(s).String() == name {
			return style
		}
	}
	return Bold
}

func (r *Reporter) Paint(style, text string) string {
	if !r.color {
		return text
	}
	return "\x1b[" + style + "m" + text + "\x1b[0m"
}
