package format

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/suppress"
	"github.com/pactkit/pactkit/parser"
)

// Options say how to format. The zero value stands for the canonical style, edition 1.0 and, for a
// source, a selector file with default limits.
type Options struct {
	Style   Style
	Edition ast.Edition // read in and, in compact style, printed for
	// Trace, unless nil, is called for every pass that changes the text of a query, with the new
	// text. Only the last text is guaranteed to parse; the others are for people to read.
	Trace func(p Pass, text string)

	// For sources:
	Form   Form
	Limits parser.Limits
	Keep   func(ast.Span) bool // reports whether the selector at a span keeps its bytes; nil keeps none
}

// Form says what a source holds.
type Form uint8

// The forms of a source.
const (
	File     Form = iota // a selector file: one selector per line, comments, blank lines
	Selector             // one selector, such as a string in a program
	Target               // one selector that names the target of a mutation and may end in '?'
	Position             // one insertion position
)

// keeps reports whether a query that can be read keeps its bytes: because the caller asked for
// that, or because it has a suspected typo, which formatting would hide.
func (o Options) keeps(q *ast.Query, at ast.Span) bool {
	return q.Doubtful() || o.Keep != nil && o.Keep(at)
}

func (o Options) parser() parser.Options {
	return parser.Options{Edition: o.Edition, Mutation: o.Form == Target, Limits: o.Limits}
}

// Result is a formatted source.
type Result struct {
	Text        string            // the source with every selector formatted that could be
	Diagnostics []diag.Diagnostic // found while reading the source; offsets are those of the source
	Unformatted []ast.Span        // selectors of the source that have an error and kept their bytes
	// Overflow has an error for each selector that can be read but kept its bytes, because its
	// formatted text would be over a limit. If the formatted text of the whole source is over a
	// limit even so, it has just one error for that.
	Overflow []diag.Diagnostic
}

// Source formats a source. The result has one selector per line, with its comments above it or
// after it, and at most one blank line between two entries. A byte order mark and the line endings
// stay.
//
// What cannot be formatted keeps its bytes: a selector or position with an error or a suspected
// typo, one that Keep names, one whose formatted text would be over a limit, and a single selector
// with a comment, which does not fit on one line. The same holds for a whole source that is over a
// limit, or whose formatted text would be.
func Source(src string, o Options) Result {
	switch o.Form {
	case Selector, Target:
		return selectorSource(src, o)
	case Position:
		return positionSource(src, o)
	}
	return fileSource(src, o)
}

// fileSource formats a selector file.
func fileSource(src string, o Options) Result {
	file, ds := parser.Parse(src, o.parser())
	r := Result{Text: src, Diagnostics: ds}
	if unread(file, ds) {
		return r
	}
	w := newSourceWriter(src, file)
	for _, s := range file.Selectors {
		w.comments(s.Before)
		first, last := w.lineOf(s.Lines.Start), w.lineOf(s.Lines.End)
		if s.BlankBefore {
			w.blankAbove(first)
		}
		keep := s.Bad || skipped(s) || o.keeps(s.Query, s.Span)
		var text string
		if !keep {
			text = query(s.Query, o)
			if d, over := o.overflow(text, s.Start); over {
				r.Overflow = append(r.Overflow, d)
				keep = true
			}
		}
		if keep {
			w.line(s.Lines.Text(src), last)
			if s.Bad {
				r.Unformatted = append(r.Unformatted, s.Span)
			}
			continue
		}
		for _, c := range s.Inside {
			w.line(c.Span.Text(src), last)
		}
		if s.Suffix != nil {
			text += " " + s.Suffix.Span.Text(src)
		}
		w.line(text, last)
	}
	w.comments(file.After)
	if limit := cmp.Or(o.Limits.Bytes, parser.DefaultLimits().Bytes); len(w.out) > limit && len(w.out) > len(src) {
		r.Unformatted = nil
		r.Overflow = []diag.Diagnostic{{
			Code: diag.SelectorLimit, Span: ast.Span{Start: len(src), End: len(src)},
			Message: fmt.Sprintf("formatted, the source would have %d bytes; the limit is %d", len(w.out), limit),
			Hint:    "distribute the selectors over several files",
		}}
		return r
	}
	r.Text = string(w.out)
	return r
}

// skipped reports whether a comment excludes a selector from formatting.
func skipped(s *ast.Selector) bool {
	skips := func(c *ast.Comment) bool { return suppress.SkipsFormat(c.Text) }
	return s.Suffix != nil && skips(s.Suffix) || slices.ContainsFunc(s.Before, skips) || slices.ContainsFunc(s.Inside, skips)
}

// unread reports whether the parser read nothing, because the source as a whole is over a limit.
func unread(file *ast.File, ds []diag.Diagnostic) bool {
	return len(file.Selectors) == 0 && len(file.After) == 0 && diag.HasErrors(ds)
}

// sourceWriter writes a file line by line and gives each line the ending it had.
type sourceWriter struct {
	src   string
	lines *ast.Lines
	out   []byte
	empty int // the length of out before the first line
}

func newSourceWriter(src string, file *ast.File) *sourceWriter {
	w := &sourceWriter{src: src, lines: file.Lines, out: make([]byte, 0, len(src)+len(src)/2)}
	if strings.HasPrefix(src, "\ufeff") {
		w.out = append(w.out, "\ufeff"...)
	}
	w.empty = len(w.out)
	return w
}

func (w *sourceWriter) lineOf(offset int) int {
	line, _ := w.lines.Line(offset)
	return line
}

// comments writes comments on lines of their own.
func (w *sourceWriter) comments(list []*ast.Comment) {
	for _, c := range list {
		line := w.lineOf(c.Start)
		if c.BlankBefore {
			w.blankAbove(line)
		}
		w.line(c.Span.Text(w.src), line)
	}
}

// blankAbove writes the blank line above a line of the source, unless it would be the first.
func (w *sourceWriter) blankAbove(line int) {
	if len(w.out) > w.empty {
		w.line("", line-1)
	}
}

// line writes a line with the ending of a line of the source. A byte order mark after the start of
// the source is an error. At the start it would be valid, so the blank line above it stays.
func (w *sourceWriter) line(text string, of int) {
	if len(w.out) == 0 && of > 0 && strings.HasPrefix(text, "\ufeff") {
		w.out = append(w.out, w.ending(of-1)...)
	}
	ending := w.ending(of)
	if text == "" && ending == "\n" && bytes.HasSuffix(w.out, []byte("\r")) {
		ending = "\r" // after the line above, \n would be a part of its ending
	}
	w.out = append(append(w.out, text...), ending...)
}

// ending returns the line ending of a line. If the last line has none, it gets that of the first.
func (w *sourceWriter) ending(line int) string {
	text := w.src[w.lines.Start(line):w.lines.Start(line+1)]
	switch {
	case strings.HasSuffix(text, "\r\n"):
		return "\r\n"
	case strings.HasSuffix(text, "\n"):
		return "\n"
	case strings.HasSuffix(text, "\r"):
		return "\r"
	case line == 0:
		return "\n"
	}
	return w.ending(0)
}

// selectorSource formats a source that holds one selector.
func selectorSource(src string, o Options) Result {
	q, ds := parser.ParseSelector(src, o.parser())
	r := Result{Text: src, Diagnostics: ds}
	switch {
	case diag.HasErrors(ds):
		r.Unformatted = []ast.Span{q.Bounds()}
	case !hasComment(src) && !o.keeps(q, q.Bounds()):
		text := query(q, o)
		if d, over := o.overflow(text, q.Start()); over {
			r.Overflow = []diag.Diagnostic{d}
		} else {
			r.Text = text
		}
	}
	return r
}

// positionSource formats a source that holds one insertion position.
func positionSource(src string, o Options) Result {
	p, ds := parser.ParsePosition(src, o.parser())
	r := Result{Text: src, Diagnostics: ds}
	if p == nil {
		return r
	}
	text := position(p, o)
	_, again := parser.ParsePosition(text, o.parser())
	if d, over := overLimit(again, p.Container.Start()); over {
		r.Overflow = []diag.Diagnostic{d}
	} else {
		r.Text = text
	}
	return r
}

// overflow reads the formatted text of a selector again and reports, at an offset, that it is over
// a limit.
func (o Options) overflow(text string, at int) (diag.Diagnostic, bool) {
	preset := parser.DefaultLimits()
	size := min(cmp.Or(o.Limits.Bytes, preset.Bytes), cmp.Or(o.Limits.Tokens, preset.Tokens)) // a token has a byte or more
	nesting := min(cmp.Or(o.Limits.Nesting, preset.Nesting), preset.Nesting)
	if len(text) <= size && (len(text) <= nesting || brackets(text) <= nesting) {
		return diag.Diagnostic{}, false // almost always: reading would take longer than printing
	}
	_, ds := parser.ParseSelector(text, o.parser())
	return overLimit(ds, at)
}

func brackets(text string) int {
	return strings.Count(text, "(") + strings.Count(text, "[") + strings.Count(text, "{")
}

// overLimit turns what was found in the formatted text into a finding about the source.
func overLimit(ds []diag.Diagnostic, at int) (diag.Diagnostic, bool) {
	i := slices.IndexFunc(ds, func(d diag.Diagnostic) bool { return d.Code == diag.SelectorLimit })
	if i < 0 {
		return diag.Diagnostic{}, false
	}
	return diag.Diagnostic{
		Code: diag.SelectorLimit, Span: ast.Span{Start: at, End: at},
		Message: "this selector is not formatted, because its formatted text could not be read again: " + ds[i].Message,
		Hint:    "write it as several selectors, or keep it as it is with a comment, " + suppress.SkipFormat,
	}, true
}

// hasComment reports whether a source that is read as one selector without an error holds a
// comment: a '#' outside strings, followed by white space, another '#' or nothing.
func hasComment(src string) bool {
	for i, c := range parser.Unquoted(src) {
		if c == '#' && (i+1 == len(src) || slices.Contains([]byte(" \t\r\n#"), src[i+1])) {
			return true
		}
	}
	return false
}
