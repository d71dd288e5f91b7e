package check

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// styleFormat is the rule that reports what the formatter would change.
var styleFormat = lint.Lookup("style/format")

// Formatted is the result of formatting a file.
type Formatted struct {
	Text string
	File host.File // of the source
	// Found lists what the host and the parser report, selectors whose formatted text would exceed
	// a limit, and those whose string cannot hold it. The spans are in the source.
	Found []diag.Diagnostic
}

// Style returns the style that a configuration or a flag names. "auto" or "" means canonical in
// selector files, and compact in all others, in which people write selectors by hand.
func Style(name string, h host.Host) format.Style {
	if s, ok := format.ParseStyle(name); ok {
		return s
	}
	if h != nil && !h.Embeds() {
		return format.Canonical
	}
	return format.Compact
}

// FormatFile formats the selectors of a file, which are the strings that are proven to be some. A
// selector keeps its bytes when it has an error, when
// a typo is suspected in it, when a comment asks for it, or when its string cannot hold the
// formatted text. A broken file keeps all of its bytes. An error means that the result cannot be
// trusted; the text is then that of the file.
func FormatFile(h host.Host, src string, o Options) (Formatted, error) {
	out := Formatted{Text: src, File: h.Find(src, o.Markers)}
	out.Found = slices.Clone(out.File.Diagnostics)
	if out.File.Broken() {
		return out, nil
	}
	f := newFormatter(src, &out.File, o)
	var changes []host.Change
	for i := range out.File.Regions {
		r := &out.File.Regions[i]
		if r.Kind == host.Holed || r.Grade() != host.Proven {
			continue
		}
		after := f.format(i, r.Text)
		for _, d := range after.Diagnostics {
			out.Found = append(out.Found, r.Diagnostic(d))
		}
		if r.Kind != host.Editable {
			continue
		}
		for _, d := range after.Overflow {
			out.Found = append(out.Found, r.Diagnostic(d))
		}
		if after.Text == r.Text {
			continue
		}
		c, err := out.File.Replace(i, after.Text)
		switch {
		case err != nil:
			out.Found = append(out.Found, unwritable(r, err))
		case len(c.Edits) > 0:
			if err := f.verify(i, r.Text, c.Text); err != nil {
				return out, err
			}
			changes = append(changes, c)
		}
	}
	diag.Sort(out.Found)
	text, err := host.Apply(h, src, o.Markers, out.File, changes)
	if err == nil {
		out.Text = text
	}
	return out, err
}

// formatter formats the regions of one file, except those that its comments exclude.
type formatter struct {
	directives
	file *host.File
	opts Options
}

func newFormatter(src string, f *host.File, o Options) *formatter {
	return &formatter{directives: readDirectives(src, f), file: f, opts: o}
}

// keeps reports whether a comment of the file excludes a region from formatting.
func (f *formatter) keeps(region int) bool {
	at := f.file.Regions[region].Span
	silenced := f.silenced(at)
	return f.skips(at) || silenced != nil && silenced(styleFormat)
}

// format formats a text that replaces the text of a region.
func (f *formatter) format(region int, text string) format.Result {
	out := format.Source(text, f.options(region, text))
	if f.keeps(region) {
		out.Text, out.Overflow = text, nil
	}
	return out
}

// options returns the options for a text that replaces the text of a region.
func (f *formatter) options(region int, text string) format.Options {
	o := f.opts.Format
	r := &f.file.Regions[region]
	o.Form = forms[r.Form]
	if r.Form != host.Position {
		o.Keep = keeps(r.Form, text, f.opts.lint(r.Form), o, f.silenced(r.Span))
	}
	return o
}

// forms maps the forms of regions to those of the formatter.
var forms = map[host.Form]format.Form{
	host.Selector: format.Selector, host.Selectors: format.File, host.Position: format.Position, host.Target: format.Target,
}

// verify checks that the formatted text of a region means the same as the original, and that
// formatting it again changes nothing. Only the quotes of its strings may have changed.
func (f *formatter) verify(region int, before, after string) error {
	form := f.file.Regions[region].Form
	if form == host.Selectors {
		return format.Verify(before, after, f.options(region, after))
	}
	was := format.Source(before, f.options(region, before)).Text
	is := format.Source(after, f.options(region, after))
	switch {
	case diag.HasErrors(is.Diagnostics):
		return fmt.Errorf("%q has an error", after)
	case is.Text != was:
		return fmt.Errorf("%q formats to %q rather than %q", after, is.Text, was)
	case form == host.Position:
		return nil
	}
	o := f.opts.Format
	po := parser.Options{Edition: o.Edition, Mutation: form == host.Target, Limits: o.Limits}
	x, _ := parser.ParseSelector(before, po)
	y, _ := parser.ParseSelector(after, po)
	if !ast.Equal(format.Canonicalize(x), format.Canonicalize(y)) {
		return fmt.Errorf("%q became %q", before, after)
	}
	return nil
}

// partly is why a region was corrected only in part.
type partly struct{ error }

// unwritable reports a region whose new text the file cannot hold.
func unwritable(r *host.Region, err error) diag.Diagnostic {
	d := diag.Diagnostic{Code: host.Unwritable, Severity: diag.Error, Span: r.Span, Message: "this selector is left as it is: " + err.Error()}
	if _, ok := err.(partly); ok {
		d.Message = "this selector is only partly corrected: " + err.Error()
	}
	if r.Kind == host.Editable {
		d.Hint = "write the string in another kind of quotes"
	}
	return d
}

// unformatted reports what the formatter would change in a region and, as an error, what it cannot
// change. In a selector file each selector has its own finding, so a baseline can contain it.
func (c *checker) unformatted(i int, selectors []lint.Selector) {
	r := &c.File.Regions[i]
	formatted := c.formatter.format(i, r.Text)
	c.overflow(i, formatted.Overflow)
	if formatted.Text == r.Text {
		return
	}
	change, err := c.File.Replace(i, formatted.Text)
	if err != nil || len(change.Edits) == 0 {
		return // commands that write report what the file cannot contain
	}
	if r.Form != host.Selectors {
		at := r.Host(difference(r.Text, formatted.Text))
		text := strings.TrimSpace(r.Text)
		if len(selectors) > 0 {
			text = c.Selectors[len(c.Selectors)-1].Canonical()
		}
		c.notFormatted(at, change.Edits, text)
		return
	}
	var edits []diag.Edit
	lines := ast.NewLines(r.Text)
	own := c.Selectors[len(c.Selectors)-len(selectors):]
	o := c.formatter.options(i, r.Text)
	keep := o.Keep
	o.Keep = nil
	for k, s := range selectors {
		if s.Bad || s.Kept || keep != nil && keep(s.Span) {
			continue
		}
		first, _ := lines.Line(s.Start)
		last, _ := lines.Line(s.End)
		at := ast.Span{Start: lines.Start(first), End: lines.Start(last + 1)}
		e := diag.Edit{Span: at, Text: format.Source(at.Text(r.Text), o).Text}
		where := difference(at.Text(r.Text), e.Text)
		if e.Text == at.Text(r.Text) {
			continue
		}
		if lifted, err := r.Edits([]diag.Edit{e}); err == nil {
			edits = append(edits, e)
			c.notFormatted(r.Host(ast.Span{Start: at.Start + where.Start, End: at.Start + where.Start}), lifted, own[k].Canonical())
		}
	}
	// The remaining differences concern comments and blank lines.
	if text, ok := diag.Apply(r.Text, edits); !ok || text != formatted.Text {
		c.notFormatted(r.Host(difference(r.Text, formatted.Text)), change.Edits, "")
	}
}

// notFormatted reports text that the formatter would change at a position of the file.
func (c *checker) notFormatted(at ast.Span, edits []diag.Edit, selector string) {
	c.add(styleFormat, diag.Diagnostic{
		Span: at, Message: "not formatted", Hint: "`pactkit fmt -d` shows what would change",
		Fixes: []diag.Fix{{Title: "format", Safe: true, Edits: edits}},
	}, selector)
}

// difference returns the offset of the first byte in which two texts differ, as an empty span.
func difference(a, b string) ast.Span {
	n := 0
	for n < len(a) && n < len(b) && a[n] == b[n] {
		n++
	}
	return ast.Span{Start: n, End: n}
}

// Rewriter returns a function that formats a selector of a file in a style. The function returns
// false if the selector keeps its bytes: it is in that style already, or [FormatFile] would leave
// it alone. The file is what [Options.Find] found in the source.
func Rewriter(src string, file *host.File, o Options) func(*Selector, format.Style) (string, bool) {
	f := newFormatter(src, file, o)
	return func(s *Selector, style format.Style) (string, bool) {
		region := &file.Regions[s.Region]
		if s.Bad || region.Kind != host.Editable || region.Grade() == host.Unproven || f.keeps(s.Region) {
			return "", false
		}
		f.opts.Format.Style = style
		o := f.options(s.Region, region.Text)
		if o.Keep != nil && o.Keep(s.Query.Bounds()) {
			return "", false
		}
		o.Keep, o.Form = nil, forms[region.Form]
		if region.Form == host.Selectors {
			o.Form = format.Selector
		}
		text := format.Source(s.Text, o).Text
		return text, text != s.Text
	}
}
