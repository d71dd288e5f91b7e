package lint

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/suppress"
	"github.com/pactkit/pactkit/parser"
)

// Options say how to check. The zero value is edition 1.0 with default limits and every rule at its
// own level.
type Options struct {
	Edition  ast.Edition
	Limits   parser.Limits
	Mutation bool                // a selector names the target of a mutation: a '?' may follow it
	Level    func(r *Rule) Level // nil: the level of the rule
	Facts    Facts               // nil: nothing is known about the trees
	Rules    []*Rule             // the rules of the project, which [Define] made
	Open     bool                // an unknown word is reported only if it is close to a known one
	Holds    func(string) bool   // whether a fix may make this of the source; nil: anything
}

func (o *Options) parser() parser.Options {
	return parser.Options{Edition: o.Edition, Mutation: o.Mutation, Limits: o.Limits}
}

// Finding is what a rule found. The span of the diagnostic lies in the source that was checked.
type Finding struct {
	diag.Diagnostic
	Rule *Rule
}

// Found makes a finding of a rule that the caller applied, at the level of the rule. It returns
// false if the rule is off.
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

// Result is the result of checking a source.
type Result struct {
	Findings  []Finding  // sorted by position
	Silenced  []Silenced // those that a comment suppresses
	Selectors []Selector // all selectors of the source, in order
}

// Selector is one selector of a source.
type Selector struct {
	ast.Span
	Query *ast.Query
	Bad   bool // an error was reported
	Kept  bool // a comment asks to leave it as it is: pactkit:fmt-skip
	// AsWritten says that a comment silences the rule style/format for the selector.
	AsWritten bool
}

// Check reports what the rules find in a selector file. It never fails: whatever cannot be read is
// a finding. Apart from sorting and from [Facts.Match], time and memory are linear in the size of
// the source, for selectors within the default limits. Once ctx is done, the rules that compare
// selectors with fixtures report nothing more; the other rules ignore ctx.
func Check(ctx context.Context, src string, o Options) Result { return check(ctx, src, o, false) }

// CheckSelector reports what the rules find in one selector, such as a string of a program, as
// Check does. Its result holds one selector.
func CheckSelector(ctx context.Context, src string, o Options) Result {
	return check(ctx, src, o, true)
}

func check(ctx context.Context, src string, o Options, one bool) Result {
	c := checker{src: src, opts: o, one: one}
	c.read()
	for i := range c.selectors {
		if s := &c.selectors[i]; !s.Bad {
			c.selector(s)
		}
	}
	for _, r := range rules {
		if r.source != nil && c.level(r) != Off {
			r.source(ctx, &filePass{checker: &c, rule: r})
		}
	}
	res := Result{Selectors: c.selectors}
	sortFindings(c.found)
	if len(c.comments) == 0 {
		res.Findings = c.found
		return res
	}
	sup := suppress.Read(c.comments)
	for _, f := range c.found {
		if reason, ok := sup.Silences(f.Rule.ID, f.Span); ok {
			res.Silenced = append(res.Silenced, Silenced{f, reason})
		} else {
			res.Findings = append(res.Findings, f)
		}
	}
	for i := range res.Selectors {
		s := &res.Selectors[i]
		s.AsWritten = sup.Covers(formatRule, s.Span)
	}
	res.Findings = append(res.Findings, directiveProblems(sup, &o)...)
	sortFindings(res.Findings)
	return res
}

// formatRule is the rule that reports unformatted selectors.
const formatRule = "style/format"

// directiveProblems reports the mistakes in the directives of a source. It runs after all findings
// have been compared with them.
func directiveProblems(sup *suppress.Suppressions, o *Options) []Finding {
	var out []Finding
	for _, p := range sup.Judge(o.Directives()) {
		if f, ok := Found(byID[p.Rule], diag.Diagnostic{Span: p.Span, Message: p.Message, Hint: p.Hint}, o.Level); ok {
			out = append(out, f)
		}
	}
	return out
}

// Directives returns the rules that comments may silence. Callers use them to check the comments of
// a file.
func (o *Options) Directives() suppress.Rules {
	return suppress.Rules{
		Names: func() iter.Seq[string] { return Names(o.Rules...) },
		Applied: func(name string) bool {
			return !slices.ContainsFunc(Named(name, o.Rules...), func(r *Rule) bool { return r.OnDemand || levelOf(r, o.Level) == Off })
		},
	}
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
	one       bool // the source is one selector
	selectors []Selector
	comments  []suppress.Comment
	found     []Finding
}

func (c *checker) level(r *Rule) Level { return levelOf(r, c.opts.Level) }

func levelOf(r *Rule, level func(*Rule) Level) Level {
	if level == nil {
		return r.Level
	}
	return level(r)
}

// read parses the source and assigns the diagnostics of the parser to their rules.
func (c *checker) read() {
	po := c.opts.parser()
	var ds []diag.Diagnostic
	if c.one {
		var q *ast.Query
		q, ds = parser.ParseSelector(c.src, po)
		c.selectors = []Selector{{Span: q.Bounds(), Query: q, Bad: diag.HasErrors(ds)}}
	} else {
		var f *ast.File
		f, ds = parser.Parse(c.src, po)
		for _, s := range f.Selectors {
			c.selectors = append(c.selectors, Selector{Span: s.Span, Query: s.Query, Bad: s.Bad})
		}
		c.comments = suppress.InFile(f)
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

// report adds a finding of a rule at the level of the rule. It drops fixes that would lose a
// comment.
func (c *checker) report(r *Rule, d diag.Diagnostic) {
	d.Fixes = slices.DeleteFunc(d.Fixes, func(f diag.Fix) bool {
		return slices.ContainsFunc(f.Edits, func(e diag.Edit) bool { return mayHoldComment(e.Span.Text(c.src)) })
	})
	if f, ok := Found(r, d, c.opts.Level); ok {
		c.found = append(c.found, f)
	}
}

// keep marks the selectors that a comment excludes from formatting.
func (c *checker) keep() {
	next := 0
	for _, comment := range c.comments {
		if !suppress.SkipsFormat(comment.Text) {
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

// mayHoldComment reports whether a part of a source may hold a comment; a string may look like one.
func mayHoldComment(text string) bool {
	for i := 0; i < len(text); i++ {
		if text[i] == '#' && (i == 0 || strings.IndexByte(" \t\r\n", text[i-1]) >= 0) &&
			(i+1 == len(text) || strings.IndexByte(" \t\r\n#", text[i+1]) >= 0) {
			return true
		}
	}
	return false
}

// CheckPosition reports what is wrong with an insertion position, such as the second argument of a
// call of Insert. It is for programs that check positions along with selectors:
// [parser.ParsePosition] reports the same without rules and levels. The result holds no selector.
func CheckPosition(src string, o Options) Result {
	c := checker{src: src, opts: o}
	_, ds := parser.ParsePosition(src, o.parser())
	for _, d := range ds {
		r := byCode[d.Code]
		if r == nil { // a legacy form in a position has its own code, and no rule
			r = byCode[diag.SelectorInvalid]
		}
		c.report(r, d)
	}
	return Result{Findings: c.found}
}

// legacyRule is the rule of the legacy form at a span.
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
	for _, list := range [...][]*Rule{rules, c.opts.Rules} {
		for _, r := range list {
			if r.selector != nil && c.level(r) != Off {
				p.rule = r
				r.selector(&p)
			}
		}
	}
}

// pass is the run of one rule on one selector.
type pass struct {
	*checker
	*Selector
	rule *Rule
}

// report adds a finding; message and hint are as in [diag.Diagnostic].
func (p *pass) report(at ast.Span, message, hint string, fixes ...diag.Fix) {
	p.checker.report(p.rule, diag.Diagnostic{Span: at, Message: message, Hint: hint, Fixes: fixes})
}

// text is the source at a span.
func (p *pass) text(at ast.Span) string { return at.Text(p.src) }

// filePass is the run of one rule on all selectors of a source.
type filePass struct {
	*checker
	rule *Rule
}

func (p *filePass) report(at ast.Span, message, hint string) {
	p.checker.report(p.rule, diag.Diagnostic{Span: at, Message: message, Hint: hint})
}
