// Package check applies the linter and the formatter to files of every kind, for the command line and for
// editors: it finds the selectors of a file, checks each, and brings what was found, and what can be corrected,
// to the bytes of the file.
package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// Options say how to check a file. The zero value checks with every rule at its own level, and looks for the
// markers that hold without a configuration.
type Options struct {
	Markers *host.Markers
	Format  format.Options              // the edition holds for the linter too
	Level   func(*lint.Rule) lint.Level // nil: the level of the rule
	Facts   lint.Facts                  // nil: nothing is known of the trees
	// Unformatted reports selectors that the formatter would change.
	Unformatted bool
}

// Finding is what a rule found. The span lies in the file.
type Finding struct {
	lint.Finding
	Selector string // canonical text of the selector it is about, else what was written; "" for the file itself
	Reason   string // of a silenced finding, why
	Outside  bool   // of a silenced finding: by a comment of the file, rather than one in the text of the selectors
}

// Selector is one selector of a file.
type Selector struct {
	ast.Span            // in the file
	Text     string     // decoded
	Query    *ast.Query // its spans lie in the text of the region
	Region   int        // of [host.File.Regions]
	Bad      bool       // an error was reported
}

// Canonical is the canonical text, or what was written where there is an error.
func (s *Selector) Canonical() string {
	if s.Bad {
		return s.Text
	}
	return format.Query(s.Query, format.Options{})
}

// Result is what checking a file gave.
type Result struct {
	File      host.File
	Findings  []Finding // sorted by place
	Silenced  []Finding
	Selectors []Selector
}

// File checks a source. It never fails: what cannot be read is a finding.
func File(h host.Host, src string, o Options) Result { return file(h, src, o, nil, nil) }

// file is File, with what is known of regions that cannot be written, and which regions hold selectors whose formatted
// text would be over a limit.
func file(h host.Host, src string, o Options, unwritable map[int]error, overflowing map[int]bool) Result {
	c := checker{opts: o, host: h, src: src}
	c.File = h.Find(src, o.Markers)
	for _, d := range c.File.Diagnostics {
		c.add(lint.Lookup(string(d.Code)), d, "")
	}
	c.kept = Kept(src, &c.File)
	for i := range c.File.Regions {
		c.region(i)
		if overflowing[i] && !c.opts.Unformatted {
			c.overflow(i, Format(c.File.Regions[i].Form, c.File.Regions[i].Text, c.opts.Format).Overflow)
		}
	}
	for i, err := range unwritable {
		if i < len(c.File.Regions) {
			r := &c.File.Regions[i]
			c.add(lint.Lookup(string(host.Unwritable)), Unwritable(r, err), strings.TrimSpace(r.Text))
		}
	}
	c.suppress()
	if h.Name() == markdown && !host.TooDeep(src) {
		for _, f := range lint.Document(src, o.Level) {
			c.Findings = append(c.Findings, Finding{Finding: f})
		}
	}
	sortFindings(c.Findings)
	sortFindings(c.Silenced)
	return c.Result
}

// markdown is the name of the host of documents.
const markdown = "Markdown document"

type checker struct {
	Result
	opts Options
	host host.Host
	src  string
	kept func(region int) bool
}

func sortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(diag.Compare(a.Diagnostic, b.Diagnostic), strings.Compare(a.Rule.ID, b.Rule.ID))
	})
}

// add files a finding about the file at the level of its rule.
func (c *checker) add(r *lint.Rule, d diag.Diagnostic, selector string) {
	if f, ok := lint.Found(r, d, c.opts.Level); ok {
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: selector})
	}
}

func (o *Options) lint(f host.Form) lint.Options {
	return lint.Options{
		Edition: o.Format.Edition, Limits: o.Format.Limits, One: f != host.Selectors,
		Mutation: f == host.Target, Level: o.Level, Facts: o.Facts,
	}
}

func (c *checker) region(i int) {
	r := &c.File.Regions[i]
	if r.Kind == host.Holed {
		return
	}
	lo := c.opts.lint(r.Form)
	if r.Form == host.Position {
		for _, f := range lint.Position(r.Text, lo) {
			f.Diagnostic = r.Diagnostic(f.Diagnostic)
			c.Findings = append(c.Findings, Finding{Finding: f, Selector: r.Text})
		}
	} else {
		c.found(i, lint.Check(r.Text, lo))
	}
	if c.opts.Unformatted && r.Kind == host.Editable && !c.kept(i) {
		c.unformatted(i)
	}
}

// comments returns the comments of a file that say something to pactkit. A comment stands beside the line it is on;
// alone on its lines, beside the next line that is not blank. It covers the selectors that begin there.
func comments(src string, f *host.File) []lint.Comment {
	if len(f.Comments) == 0 {
		return nil
	}
	var out []lint.Comment
	lines := ast.NewLines(src)
	beside, covers := -1, ast.Span{} // the line that was covered last: many comments may stand beside one
	for _, at := range f.Comments {
		line, start := lines.Line(at.Start)
		last, _ := lines.Line(max(at.Start, at.End-1)) // some hosts count the end of the line in
		if alone(src[start:at.Start], src[at.End:max(at.End, lines.Start(last+1))]) {
			line = last
			for line++; line < lines.Count() && strings.TrimSpace(src[lines.Start(line):lines.Start(line+1)]) == ""; line++ {
			}
		}
		if line != beside {
			beside, covers = line, covered(src, f, lines, line)
		}
		out = append(out, lint.Comment{Span: at, Text: at.Text(src), Covers: covers})
	}
	return out
}

// alone tells by what stands on its lines before and behind a comment whether it has them for itself. It looks at the
// blanks next to the comment only, of which many comments of one line have no more than the line.
func alone(before, after string) bool {
	left := func(s string) string { return strings.TrimLeftFunc(s, unicode.IsSpace) }
	right := func(s string) string { return strings.TrimRightFunc(s, unicode.IsSpace) }
	before, after = right(before), left(after)
	if strings.HasSuffix(before, "{") && strings.HasPrefix(after, "}") { // in JSX
		before, after = right(before[:len(before)-1]), left(after[1:])
	}
	return before == "" && after == ""
}

// covered is what a comment beside a line covers.
func covered(src string, f *host.File, lines *ast.Lines, line int) ast.Span {
	if text := strings.TrimSpace(src[lines.Start(line):lines.Start(line+1)]); strings.HasPrefix(text, "```") || strings.HasPrefix(text, "~~~") {
		line++ // a comment of a document stands above the whole block of code
	}
	covers := ast.Span{Start: lines.Start(line), End: lines.Start(line + 1)}
	first, _ := slices.BinarySearchFunc(f.Regions, covers.Start, func(r host.Region, at int) int { return r.Start - at })
	for _, r := range f.Regions[first:] {
		if r.Start >= covers.End {
			break
		}
		covers.End = max(covers.End, r.End)
	}
	return covers
}

// Kept tells which regions of a file a comment, pactkit:fmt-skip, asks to leave as they are.
func Kept(src string, f *host.File) func(region int) bool {
	var covers []ast.Span
	for _, c := range comments(src, f) {
		if lint.SkipsFormat(c.Text) {
			covers = append(covers, c.Covers)
		}
	}
	slices.SortFunc(covers, func(a, b ast.Span) int { return a.Start - b.Start })
	for i := 1; i < len(covers); i++ { // how far one that begins here or before reaches
		covers[i].End = max(covers[i].End, covers[i-1].End)
	}
	return func(i int) bool {
		r := f.Regions[i].Span
		n, _ := slices.BinarySearchFunc(covers, r.Start+1, func(s ast.Span, at int) int { return s.Start - at })
		return n > 0 && r.End <= covers[n-1].End
	}
}

// suppress takes out the findings that comments of the file silence.
func (c *checker) suppress() {
	if len(c.File.Comments) == 0 {
		return
	}
	sup := lint.NewSuppressions(comments(c.src, &c.File))
	sortFindings(c.Findings)
	found := c.Findings
	c.Findings = nil
	for _, f := range found {
		if reason, ok := sup.Silences(f.Finding); ok {
			f.Reason, f.Outside = reason, true
			c.Silenced = append(c.Silenced, f)
		} else {
			c.Findings = append(c.Findings, f)
		}
	}
	for _, f := range sup.Judge(c.opts.Level) {
		c.Findings = append(c.Findings, Finding{Finding: f})
	}
}

// found takes what was found in a region.
func (c *checker) found(i int, res lint.Result) {
	r := &c.File.Regions[i]
	first := len(c.Selectors)
	for _, s := range res.Selectors {
		c.Selectors = append(c.Selectors, Selector{
			Span: r.Host(s.Span), Text: s.Text(r.Text), Query: s.Query, Region: i, Bad: s.Bad,
		})
	}
	about := canonicals(c.Selectors[first:], res.Selectors)
	for _, f := range res.Findings {
		text := about(f.Span)
		f.Diagnostic = r.Diagnostic(f.Diagnostic)
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: text})
	}
	for _, f := range res.Silenced {
		text := about(f.Span)
		f.Diagnostic = r.Diagnostic(f.Diagnostic)
		c.Silenced = append(c.Silenced, Finding{Finding: f.Finding, Selector: text, Reason: f.Reason})
	}
}

// canonicals returns the function from a place in the text of a region to the canonical text of the selector it is
// about: the last one that begins before it, or "". Asked in the order of the text it formats each selector once.
func canonicals(selectors []Selector, inText []lint.Selector) func(ast.Span) string {
	last, text := -1, ""
	return func(at ast.Span) string {
		i, found := slices.BinarySearchFunc(inText, at.Start, func(s lint.Selector, start int) int { return s.Start - start })
		if !found {
			i--
		}
		if i < 0 {
			return ""
		}
		if i != last {
			last, text = i, selectors[i].Canonical()
		}
		return text
	}
}

// overflow reports selectors of a region whose formatted text would be over a limit.
func (c *checker) overflow(i int, found []diag.Diagnostic) {
	r := &c.File.Regions[i]
	for _, d := range found {
		d = r.Diagnostic(d)
		text := ""
		n, own := slices.BinarySearchFunc(c.Selectors, d.Span.Start, func(s Selector, start int) int { return s.Start - start })
		switch {
		case r.Form == host.Position:
			text = r.Text
		case own:
			text = c.Selectors[n].Canonical()
		}
		c.add(lint.Lookup("syntax/selector-limit"), d, text)
	}
}

// unformatted reports a region that the formatter would change, at the first place where it would, and what in it the
// formatter cannot change.
func (c *checker) unformatted(i int) {
	r := &c.File.Regions[i]
	formatted := Format(r.Form, r.Text, c.opts.Format)
	c.overflow(i, formatted.Overflow)
	text := formatted.Text
	if text == r.Text {
		return
	}
	n := 0
	for n < len(text) && n < len(r.Text) && text[n] == r.Text[n] {
		n++
	}
	at := r.Host(ast.Span{Start: n, End: n})
	d := diag.Diagnostic{Span: at, Message: "not formatted", Hint: "`pactkit fmt -d` shows what would change"}
	change, err := c.File.Replace(i, text)
	if err != nil {
		return // reported as unwritable by those who would write
	}
	if len(change.Edits) == 0 {
		return
	}
	d.Fixes = []diag.Fix{{Title: "format", Safe: true, Edits: change.Edits}}
	c.add(lint.Lookup("style/format"), d, strings.TrimSpace(r.Text))
}

// Format formats the text of a region.
func Format(form host.Form, text string, o format.Options) format.Result {
	switch form {
	case host.Selectors:
		return format.Source(text, o)
	case host.Position:
		return format.OnePosition(text, o)
	}
	o.Mutation = form == host.Target
	return format.One(text, o)
}

// Verify proves that a formatted region means what it meant and is its own formatted text, but for the quotes
// that its strings may have got.
func Verify(form host.Form, before, after string, o format.Options) error {
	if form == host.Selectors {
		return format.Verify(before, after, o)
	}
	was, is := Format(form, before, o).Text, Format(form, after, o)
	switch {
	case diag.HasErrors(is.Diagnostics):
		return fmt.Errorf("%q has an error", after)
	case is.Text != was:
		return fmt.Errorf("%q formats to %q rather than %q", after, is.Text, was)
	case form == host.Position:
		return nil
	}
	po := parser.Options{Edition: o.Edition, Mutation: form == host.Target, Limits: o.Limits}
	x, _ := parser.ParseSelector(before, po)
	y, _ := parser.ParseSelector(after, po)
	if !ast.Equal(format.Canonicalize(x), format.Canonicalize(y)) {
		return fmt.Errorf("%q became %q", before, after)
	}
	return nil
}

// Unwritable reports a region that the file cannot hold a new text for.
func Unwritable(r *host.Region, err error) diag.Diagnostic {
	d := diag.Diagnostic{
		Code: host.Unwritable, Severity: diag.Error, Span: r.Span, Message: "this selector is left as it is: " + err.Error(),
	}
	if r.Kind == host.Editable {
		d.Hint = "write the string in another kind of quotes"
	}
	return d
}
