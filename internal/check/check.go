// Package check applies the linter and the formatter to files of every kind, for the command line
// and for editors: it finds the selectors of a file, checks each, and translates findings and
// corrections to the bytes of the file.
package check

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
)

// Options say how to check a file. The zero value checks with every rule at its own level, and with
// the default markers.
type Options struct {
	Markers *host.Markers
	Format  format.Options              // the linter uses the edition too
	Level   func(*lint.Rule) lint.Level // nil: the level of the rule
	Facts   lint.Facts                  // nil: nothing is known about the trees
	Rules   []*lint.Rule                // the rules of the project
	Open    bool                        // as in [lint.Options]
	// Unformatted reports selectors that the formatter would change.
	Unformatted bool
	// Memo, if not nil, remembers what the rules find in each region. All uses of one Memo must
	// have the same options.
	Memo *Memo
}

// Finding is what a rule found. Its span is in the file.
type Finding struct {
	lint.Finding
	Selector string // canonical text of the selector it is about, or the original text if it has an error; "" for the file itself
	Reason   string // why the finding is silenced, if it is
	Outside  bool   // it is silenced by a comment of the file, not by one in the text of the selectors
}

// Selector is one selector of a file.
type Selector struct {
	ast.Span            // in the file
	Text     string     // decoded
	Query    *ast.Query // its spans lie in the text of the region
	Region   int        // index in [host.File.Regions]
	Bad      bool       // an error was reported
}

// Canonical is the canonical text, or the original text if there is an error.
func (s *Selector) Canonical() string {
	if s.Bad {
		return s.Text
	}
	return format.Node(s.Query, format.Options{})
}

// Result is the result of checking a file.
type Result struct {
	File      host.File
	Findings  []Finding // sorted by position
	Silenced  []Finding
	Selectors []Selector
}

// File checks a source. It never fails: whatever cannot be read is a finding. Once ctx is done, the
// remaining selectors are not checked, and the rules that compare selectors with fixtures report
// nothing.
func File(ctx context.Context, h host.Host, src string, o Options) Result {
	return file(ctx, h, src, o, nil, nil)
}

// file is File, and also reports the regions that cannot be written, with their errors, and the
// regions whose formatted selectors would exceed a limit.
func file(ctx context.Context, h host.Host, src string, o Options, refused map[int]error, overflowing map[int]bool) Result {
	c := checker{opts: o, host: h, src: src}
	o.Memo.grow(&c.Result)
	c.File = o.Find(h, src)
	for _, d := range c.File.Diagnostics {
		level := o.Level
		if d.Code == host.Unreadable && d.Severity != diag.Error {
			level = o.atMostInfo
		}
		if f, ok := lint.Found(lint.Lookup(string(d.Code)), d, level); ok {
			c.Findings = append(c.Findings, Finding{Finding: f})
		}
	}
	c.formatter = newFormatter(src, &c.File, o)
	for i := range c.File.Regions {
		if ctx.Err() != nil {
			break
		}
		c.region(ctx, i)
		if overflowing[i] && !c.opts.Unformatted {
			c.overflow(i, c.formatter.format(i, c.File.Regions[i].Text).Overflow)
		}
	}
	for i, err := range refused {
		if i < len(c.File.Regions) {
			r := &c.File.Regions[i]
			c.add(lint.Lookup(string(host.Unwritable)), unwritable(r, err), strings.TrimSpace(r.Text))
		}
	}
	c.sameSelection(ctx)
	c.suppress()
	if p, ok := h.(proseHost); ok && p.HasProse(src) {
		for _, f := range o.Memo.document(src, c.File.Parts, o.Level) {
			c.Findings = append(c.Findings, Finding{Finding: f})
		}
	}
	sortFindings(c.Findings)
	sortFindings(c.Silenced)
	return c.Result
}

// proseHost is a host whose files contain prose in Markdown, which has rules of its own.
type proseHost interface {
	// HasProse reports whether a source contains prose that can be read.
	HasProse(src string) bool
}

// sameSelection compares the selectors of a selector file that has a region for each.
func (c *checker) sameSelection(ctx context.Context) {
	if len(c.File.Regions) < 2 || c.opts.Facts == nil || c.File.Regions[0].Form != host.Selectors {
		return
	}
	selectors := make([]lint.Selector, len(c.Selectors))
	for i, s := range c.Selectors {
		selectors[i] = lint.Selector{Span: s.Span, Query: s.Query, Bad: s.Bad}
	}
	for _, f := range lint.SameSelection(ctx, c.src, selectors, c.opts.lint(host.Selectors)) {
		i, _ := slices.BinarySearchFunc(c.Selectors, f.Span.Start, func(s Selector, start int) int { return s.Start - start })
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: c.Selectors[i].Canonical()})
	}
}

// checkText checks a text of the given form.
func checkText(ctx context.Context, form host.Form, text string, o lint.Options) lint.Result {
	switch form {
	case host.Selectors:
		return lint.Check(ctx, text, o)
	case host.Position:
		return lint.CheckPosition(text, o)
	}
	return lint.CheckSelector(ctx, text, o)
}

type checker struct {
	Result
	opts      Options
	host      host.Host
	src       string
	formatter *formatter
}

func sortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		if a.Span.Start != b.Span.Start { // the usual case
			return cmp.Compare(a.Span.Start, b.Span.Start)
		}
		return cmp.Or(diag.Compare(a.Diagnostic, b.Diagnostic), strings.Compare(a.Rule.ID, b.Rule.ID))
	})
}

// add adds a finding about the file, at the level of its rule.
func (c *checker) add(r *lint.Rule, d diag.Diagnostic, selector string) {
	if f, ok := lint.Found(r, d, c.opts.Level); ok {
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: selector})
	}
}

// level returns the level of a rule.
func (o *Options) level(r *lint.Rule) lint.Level {
	if o.Level == nil {
		return r.Level
	}
	return o.Level(r)
}

// atMostInfo returns the level of a rule, lowered to info.
func (o *Options) atMostInfo(r *lint.Rule) lint.Level { return min(o.level(r), lint.Info) }

func (o *Options) lint(f host.Form) lint.Options {
	return lint.Options{
		Edition: o.Format.Edition, Limits: o.Format.Limits,
		Mutation: f == host.Target, Level: o.Level, Facts: o.Facts, Rules: o.Rules, Open: o.Open,
	}
}

// region checks the text of a region.
func (o *Options) region(ctx context.Context, r *host.Region) *checkedText {
	return o.Memo.get(ctx, r, func(text string) *checkedText {
		lo := o.lint(r.Form)
		res := checkText(ctx, r.Form, text, lo)
		out := &checkedText{Result: res}
		for i := range res.Selectors {
			out.texts = append(out.texts, res.Selectors[i].Text(text))
		}
		about := canonicals(out)
		for i := range res.Findings {
			out.about = append(out.about, about(res.Findings[i].Span))
		}
		for i := range res.Silenced {
			out.aboutSilenced = append(out.aboutSilenced, about(res.Silenced[i].Span))
		}
		return out
	})
}

// Selectors returns the selectors of one region of a file. The cost depends only on that region.
func (o *Options) Selectors(ctx context.Context, f *host.File, region int) []Selector {
	r := &f.Regions[region]
	if r.Kind == host.Holed || r.Form == host.Position {
		return nil
	}
	return o.region(ctx, r).in(r, region)
}

// checkedText is the result of checking the text of a region. All spans are in that text.
type checkedText struct {
	lint.Result
	texts         []string // of the selectors
	about         []string // for each finding, the canonical text of the selector it is about
	aboutSilenced []string
	round         int // round of the memo in which it was last used
}

// in returns the selectors of a text with their positions in the file.
func (t *checkedText) in(r *host.Region, region int) []Selector {
	out := make([]Selector, len(t.Selectors))
	for i, s := range t.Selectors {
		out[i] = Selector{Span: r.Host(s.Span), Text: t.texts[i], Query: s.Query, Region: region, Bad: s.Bad}
	}
	return out
}

func (c *checker) region(ctx context.Context, i int) {
	r := &c.File.Regions[i]
	if r.Kind == host.Holed {
		return
	}
	if r.Grade() == host.Unproven {
		c.unproven(r)
		return
	}
	res := c.opts.region(ctx, r)
	if r.Form == host.Position {
		for _, f := range res.Findings {
			f.Diagnostic = r.Diagnostic(f.Diagnostic)
			c.Findings = append(c.Findings, Finding{Finding: f, Selector: r.Text})
		}
	} else {
		c.found(i, res)
	}
	if c.opts.Unformatted && r.Kind == host.Editable && r.Grade() == host.Proven && !c.formatter.keeps(i) {
		c.unformatted(i, res.Selectors)
	}
}

// unproven reports a string that looks like a selector. In a file that uses another selector
// library it is most likely one of that library.
func (c *checker) unproven(r *host.Region) {
	if r.Proof == host.OtherLibrary || !r.IsWhole() {
		return
	}
	f, ok := lint.Found(lint.Lookup(string(host.UnprovenCode)), diag.Diagnostic{
		Code: host.UnprovenCode, Span: r.Span, Message: "this looks like a selector, but nothing shows that it is one of PACT",
		Hint: "mark it with a comment `pact`, or name the function in `extract` of the configuration",
	}, c.opts.atMostInfo)
	if ok {
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: strings.TrimSpace(r.Text)})
	}
}

// suppress removes the findings that comments of the file silence.
func (c *checker) suppress() {
	sup := c.formatter.suppressions
	if sup == nil {
		return
	}
	sortFindings(c.Findings)
	found := c.Findings
	c.Findings = nil
	for _, f := range found {
		if reason, ok := sup.Silences(f.Rule.ID, f.Span); ok {
			f.Reason, f.Outside = reason, true
			c.Silenced = append(c.Silenced, f)
		} else {
			c.Findings = append(c.Findings, f)
		}
	}
	for _, f := range c.directiveFindings() {
		c.Findings = append(c.Findings, Finding{Finding: f})
	}
}

// found adds the selectors and findings of a region.
func (c *checker) found(i int, res *checkedText) {
	r := &c.File.Regions[i]
	c.Selectors = append(c.Selectors, res.in(r, i)...)
	for k, f := range res.Findings {
		f.Diagnostic = r.Diagnostic(f.Diagnostic)
		c.Findings = append(c.Findings, Finding{Finding: f, Selector: res.about[k]})
	}
	for k, f := range res.Silenced {
		f.Diagnostic = r.Diagnostic(f.Diagnostic)
		c.Silenced = append(c.Silenced, Finding{Finding: f.Finding, Selector: res.aboutSilenced[k], Reason: f.Reason})
	}
}

// canonicals returns a function that returns the canonical text of the selector that a part of a
// text is about: the last one that begins before the part, or "". Called in the order of the text,
// it formats each selector once.
func canonicals(t *checkedText) func(ast.Span) string {
	last, text := -1, ""
	return func(at ast.Span) string {
		i, found := slices.BinarySearchFunc(t.Selectors, at.Start, func(s lint.Selector, start int) int { return s.Start - start })
		if !found {
			i--
		}
		if i < 0 {
			return ""
		}
		if i != last {
			s := Selector{Text: t.texts[i], Query: t.Selectors[i].Query, Bad: t.Selectors[i].Bad}
			last, text = i, s.Canonical()
		}
		return text
	}
}

// overflow reports selectors of a region whose formatted text would exceed a limit.
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
