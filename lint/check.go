package lint

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// Options say how to check. The zero value checks a selector file of edition 1.0 with every rule at its own
// level.
type Options struct {
	Edition  ast.Edition
	Limits   parser.Limits
	One      bool                // the source is a single selector, such as a string of a program
	Mutation bool                // it names the target of a mutation
	Level    func(r *Rule) Level // nil: the level of the rule
	Facts    Facts               // nil: nothing is known of the trees
}

func (o *Options) parser() parser.Options {
	return parser.Options{Edition: o.Edition, Mutation: o.Mutation, Limits: o.Limits}
}

// Finding is what a rule found. The span of the diagnostic lies in the source that was checked.
type Finding struct {
	diag.Diagnostic
	Rule *Rule
}

// Found makes a finding of a rule that someone else applied, at the level the rule has; false when it is off.
func Found(r *Rule, d diag.Diagnostic, level func(*Rule) Level) (Finding, bool) {
	l := levelOf(r, level)
	d.Severity = l.Severity()
	return Finding{d, r}, l != Off
}

// Silenced is a finding that a comment suppresses.
type Silenced struct {
	Finding
	Reason string
}

// Result is what checking a source gave.
type Result struct {
	Findings  []Finding  // sorted by place
	Silenced  []Silenced // those that a comment suppresses
	Selectors []Selector // all that the source holds, in order
}

// Selector is one selector of a source.
type Selector struct {
	ast.Span
	Query *ast.Query
	Bad   bool // an error was reported
	Kept  bool // a comment asks to leave it as it is
}

// Check reports what the rules find in a source. It never fails: what cannot be read is a finding. It costs
// time and memory linear in the size of the source.
func Check(src string, o Options) Result {
	c := checker{src: src, opts: o}
	c.read()
	for i := range c.selectors {
		if s := &c.selectors[i]; !s.Bad {
			c.selector(s)
		}
	}
	for _, r := range rules {
		if r.source != nil && c.level(r) != Off {
			r.source(&filePass{checker: &c, rule: r})
		}
	}
	sup := NewSuppressions(c.comments)
	res := Result{Selectors: c.selectors}
	sortFindings(c.found)
	for _, f := range c.found {
		if reason, ok := sup.Silences(f); ok {
			res.Silenced = append(res.Silenced, Silenced{f, reason})
		} else {
			res.Findings = append(res.Findings, f)
		}
	}
	res.Findings = append(res.Findings, sup.Judge(o.Level)...)
	sortFindings(res.Findings)
	return res
}

func sortFindings(fs []Finding) {
	slices.SortStableFunc(fs, func(a, b Finding) int {
		return cmp.Or(diag.Compare(a.Diagnostic, b.Diagnostic), strings.Compare(a.Rule.ID, b.Rule.ID))
	})
}

// checker holds one run of Check.
type checker struct {
	src       string
	opts      Options
	selectors []Selector
	comments  []Comment
	found     []Finding
}

func (c *checker) level(r *Rule) Level { return levelOf(r, c.opts.Level) }

func levelOf(r *Rule, level func(*Rule) Level) Level {
	if level == nil {
		return r.Level
	}
	return level(r)
}

// read parses the source and files what the parser reports under its rules.
func (c *checker) read() {
	po := c.opts.parser()
	var ds []diag.Diagnostic
	if c.opts.One {
		var q *ast.Query
		q, ds = parser.ParseSelector(c.src, po)
		c.selectors = []Selector{{Span: q.Bounds(), Query: q, Bad: diag.HasErrors(ds)}}
	} else {
		var f *ast.File
		f, ds = parser.Parse(c.src, po)
		for _, s := range f.Selectors {
			c.selectors = append(c.selectors, Selector{Span: s.Span, Query: s.Query, Bad: s.Bad})
		}
		c.comments = fileComments(f)
		c.keep()
	}
	next := 0 // of c.selectors: diagnostics are sorted
	for _, d := range ds {
		for next+1 < len(c.selectors) && c.selectors[next+1].Start <= d.Span.Start {
			next++
		}
		r := byCode[d.Code]
		if d.Code == diag.SelectorLegacy {
			r = legacyRule(c.selectors[next].Query, d.Span)
		}
		c.report(r, d)
	}
}

// report files a finding of a rule at the level of the rule. Fixes that would cost a comment are left out.
func (c *checker) report(r *Rule, d diag.Diagnostic) {
	d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool {
		return slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return mayHoldComment(e.Span.Text(c.src)) })
	})
	if f, ok := Found(r, d, c.opts.Level); ok {
		c.found = append(c.found, f)
	}
}

// keep marks the selectors that a comment asks to leave as they are.
func (c *checker) keep() {
	next := 0
	for _, comment := range c.comments {
		if !SkipsFormat(comment.Text) {
			continue
		}
		for next < len(c.selectors) && c.selectors[next].Start < comment.Covers.Start {
			next++
		}
		if next < len(c.selectors) && c.selectors[next].Span == comment.Covers {
			c.selectors[next].Kept = true
		}
	}
}

// mayHoldComment tells whether there may be a comment in a part of a source; a string may look like one.
func mayHoldComment(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && (i == 0 || strings.IndexByte(" \t\r\n", text[i-1]) >= 0) &&
			(i+1 == len(text) || strings.IndexByte(" \t\r\n#", text[i+1]) >= 0) {
			return true
		}
	}
	return false
}

// Position reports what is wrong with an insertion position.
func Position(src string, o Options) []Finding {
	c := checker{src: src, opts: o}
	_, ds := parser.ParsePosition(src, o.parser())
	for _, d := range ds {
		r := byCode[d.Code]
		if r == nil { // legacy forms in a position are refused by name
			r = byCode[diag.SelectorInvalid]
		}
		c.report(r, d)
	}
	return c.found
}

// legacyRule is the rule of the legacy form at a place.
func legacyRule(q *ast.Query, at ast.Span) *Rule {
	for _, l := range q.Legacy() {
		if l.Span == at {
			return byID["legacy/"+l.Form.String()]
		}
	}
	return byCode[diag.SelectorInvalid] // not reached: the parser marks every form it reports
}

func (c *checker) selector(s *Selector) {
	p := pass{checker: c, Selector: s}
	for _, r := range rules {
		if r.selector != nil && c.level(r) != Off {
			p.rule = r
			r.selector(&p)
		}
	}
}

// pass is one rule looking at one selector.
type pass struct {
	*checker
	*Selector
	rule *Rule
}

// report files a finding; message and hint are as in [diag.Diagnostic].
func (p *pass) report(at ast.Span, message, hint string, fixes ...diag.Fix) {
	p.checker.report(p.rule, diag.Diagnostic{Span: at, Message: message, Hint: hint, Fixes: fixes})
}

// text is what was written at a place.
func (p *pass) text(at ast.Span) string { return at.Text(p.src) }

// filePass is one rule looking at all selectors of a source.
type filePass struct {
	*checker
	rule *Rule
}

func (p *filePass) report(at ast.Span, message, hint string) {
	p.checker.report(p.rule, diag.Diagnostic{Span: at, Message: message, Hint: hint})
}
