package custom

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// Category is the category of the rules of a project.
const Category = "project"

// Rule is a rule as a configuration declares it.
type Rule struct {
	Name        string
	Level       string // "" is warning
	Message     string
	Explanation string // in Markdown
	Forbid      []string
	Require     []string
	When        []string
	Unless      []string
	Use         *string // nil: no fix
	Safe        bool    // the fix keeps what a selector selects
	Bad         []Example
	Good        []Example // without Found and Fixed

	File string // the configuration file
	Line int    // of the declaration, from 1
}

// Example is a selector in which a rule finds something, or nothing.
type Example struct {
	Selector string
	Found    []string // the texts that the rule finds; nil: any
	Fixed    *string  // the selector after the fix; nil: not compared
	Line     int
}

// Selectors returns the selectors of examples, nil for none.
func Selectors(list []Example) []string {
	var out []string
	for _, x := range list {
		out = append(out, x.Selector)
	}
	return out
}

// Error is a mistake in a declaration.
type Error struct {
	Key string // the key in the declaration
	At  int    // the index in the list of the key
	Msg string
}

func (e *Error) Error() string { return e.Msg }

// NamePattern is what the name of a rule matches.
const NamePattern = `^[a-z][a-z0-9]*(-[a-z0-9]+)*$`

var kebab = regexp.MustCompile(NamePattern)

// checker applies a rule.
type checker struct {
	Rule
	forbid, require, when, unless []*pattern
	use                           *replacement
}

// Compile returns a declared rule as a rule of the linter. Errors are of type [*Error].
func Compile(r Rule) (*lint.Rule, error) {
	c := &checker{Rule: r}
	if !kebab.MatchString(r.Name) {
		return nil, &Error{Msg: fmt.Sprintf("the name of a rule has small letters and hyphens, as in no-history; %q does not", r.Name)}
	}
	for _, list := range []struct {
		key   string
		texts []string
		to    *[]*pattern
	}{{"forbid", r.Forbid, &c.forbid}, {"require", r.Require, &c.require}, {"when", r.When, &c.when}, {"unless", r.Unless, &c.unless}} {
		for i, text := range list.texts {
			p, err := parsePattern(text, false)
			if err != nil {
				return nil, &Error{list.key, i, list.key + ": " + err.Error()}
			}
			*list.to = append(*list.to, p)
		}
	}
	if (len(r.Forbid) > 0) == (len(r.Require) > 0) {
		return nil, &Error{Msg: "a rule has either forbid or require"}
	}
	if err := c.compileUse(); err != nil {
		return nil, err
	}
	level, _ := lint.ParseLevel(cmp.Or(r.Level, lint.Warning.String()))
	kind := lint.NoFix
	if c.use != nil {
		kind = lint.UnsafeFix
		if r.Safe {
			kind = lint.SafeFix
		}
	}
	head := lint.Rule{ID: Category + "/" + r.Name, Level: level, Fix: kind, File: r.File}
	return lint.Define(head, c.page(), c.check), nil
}

func (c *checker) compileUse() error {
	if c.Use == nil {
		return nil
	}
	wrong := func(msg string) error { return &Error{Key: "use", Msg: "use: " + msg} }
	c.use = &replacement{}
	if text := strings.TrimSpace(*c.Use); text != "" {
		p, err := parsePattern(text, true)
		if err != nil {
			return wrong(err.Error())
		}
		c.use.pattern = *p
	}
	c.use.removes = c.use.text == ""
	switch {
	case len(c.Require) > 0 && (c.use.removes || len(c.use.steps) > 0):
		return wrong("with require, it must be a time or controls")
	case len(c.Forbid) > 0 && !c.use.removes:
		for i, p := range c.forbid {
			if len(p.steps) != len(c.use.steps) {
				return wrong(fmt.Sprintf("it must have as many steps as the pattern %q", c.Forbid[i]))
			}
		}
		// A fix that writes what the rule forbids would be made again and again.
		q, _ := parser.ParseSelector(c.use.src, parser.Options{})
		for i, p := range c.forbid {
			if len(p.matches(q)) > 0 && !isIn(c.unless, q) {
				return wrong(fmt.Sprintf("the rule forbids it: the pattern %q occurs in it", c.Forbid[i]))
			}
		}
	}
	return nil
}

// isIn reports whether one of the patterns occurs in a selector.
func isIn(list []*pattern, q *ast.Query) bool {
	return slices.ContainsFunc(list, func(p *pattern) bool { return len(p.matches(q)) > 0 })
}

// check reports what the rule finds in a selector.
func (c *checker) check(q *ast.Query, src string) []diag.Diagnostic {
	if len(c.when) > 0 && !isIn(c.when, q) || isIn(c.unless, q) {
		return nil
	}
	if len(c.require) > 0 {
		if isIn(c.require, q) {
			return nil
		}
		return []diag.Diagnostic{c.diagnostic(q.Bounds(), c.missing(q, src))}
	}
	var out []diag.Diagnostic
	for _, p := range c.forbid {
		for _, m := range p.matches(q) {
			if slices.ContainsFunc(out, func(d diag.Diagnostic) bool { return d.Span == m.span }) {
				continue
			}
			var edits []diag.Edit
			if c.use != nil {
				edits = c.use.fix(p, m, q, src)
			}
			out = append(out, c.diagnostic(m.span, edits))
		}
	}
	return out
}

// missing returns the edits that add what a rule requires.
func (c *checker) missing(q *ast.Query, src string) []diag.Edit {
	if c.use == nil {
		return nil
	}
	return c.use.fix(&pattern{}, match{}, q, src)
}

func (c *checker) diagnostic(at ast.Span, edits []diag.Edit) diag.Diagnostic {
	d := diag.Diagnostic{Span: at, Message: c.message()}
	if c.use != nil {
		d.Hint = c.fixTitle()
		if len(edits) > 0 {
			d.Fixes = []diag.Fix{{Title: c.fixTitle(), Safe: c.Safe, Edits: edits}}
		}
	}
	return d
}

// fixTitle says what the fix does.
func (c *checker) fixTitle() string {
	switch {
	case len(c.Require) > 0:
		return "add `" + c.use.text + "`"
	case c.use.removes:
		return "remove it"
	}
	return "write `" + c.use.text + "`"
}

func (c *checker) message() string {
	if c.Message != "" {
		return c.Message
	}
	if len(c.Require) > 0 {
		return "this project requires " + quoted(c.Require)
	}
	return "this project does not use " + quoted(c.Forbid)
}

// quoted returns patterns in backquotes, joined by "or".
func quoted(list []string) string { return "`" + strings.Join(list, "` or `") + "`" }

// page returns the documentation of the rule.
func (c *checker) page() lint.Page {
	p := lint.Page{Summary: c.message(), Bad: Selectors(c.Bad), Good: Selectors(c.Good)}
	var b strings.Builder
	fmt.Fprintf(&b, "# %s/%s\n\n%s\n", Category, c.Name, p.Summary)
	if text := strings.TrimSpace(c.Explanation); text != "" {
		fmt.Fprintf(&b, "\n%s\n", text)
	}
	for _, list := range []struct {
		name      string
		selectors []string
	}{{"Bad", p.Bad}, {"Good", p.Good}} {
		if len(list.selectors) == 0 {
			continue
		}
		fmt.Fprintf(&b, "\n## %s\n", list.name)
		for _, s := range list.selectors {
			fmt.Fprintf(&b, "\n```pactsel\n%s\n```\n", strings.TrimSpace(s))
		}
	}
	fmt.Fprintf(&b, "\nThe configuration of the project declares this rule.\n")
	p.Text = b.String()
	return p
}

// Outcome is the result of an example.
type Outcome struct {
	Name      string
	Line      int
	Selector  string
	Want, Got []string
	Passed    bool
	Err       error // the example cannot be read
}

// Test runs the examples of the declaration d on r, which [Compile] made from it.
func Test(ctx context.Context, d Rule, r *lint.Rule) []Outcome {
	only := lint.Options{Rules: []*lint.Rule{r}, Level: func(o *lint.Rule) lint.Level {
		if o == r || strings.HasPrefix(o.ID, "syntax/") {
			return lint.Error
		}
		return lint.Off
	}}
	var out []Outcome
	for _, x := range d.Bad {
		out = append(out, test(ctx, d, r, only, x, true))
	}
	for _, x := range d.Good {
		x.Found = []string{}
		out = append(out, test(ctx, d, r, only, x, false))
	}
	return out
}

func test(ctx context.Context, d Rule, r *lint.Rule, only lint.Options, x Example, bad bool) Outcome {
	kind := "good"
	if bad {
		kind = "bad"
	}
	o := Outcome{Name: fmt.Sprintf("%s: %s %s", d.Name, kind, x.Selector), Line: cmp.Or(x.Line, d.Line), Selector: x.Selector}
	o.Got = []string{}
	for _, f := range lint.CheckSelector(ctx, x.Selector, only).Findings {
		if f.Rule != r {
			o.Err = errors.New(f.Message)
			return o
		}
		o.Got = append(o.Got, "finds "+f.Span.Text(x.Selector))
	}
	switch {
	case x.Found != nil:
		o.Want = []string{}
		for _, text := range x.Found {
			o.Want = append(o.Want, "finds "+text)
		}
	case len(o.Got) > 0:
		o.Want = slices.Clone(o.Got)
	default:
		o.Want = []string{"finds something"}
	}
	if x.Fixed != nil {
		o.Want = append(o.Want, "fixed "+*x.Fixed)
		o.Got = append(o.Got, "fixed "+lint.FixSelector(ctx, x.Selector, only, true).Text)
	}
	o.Passed = slices.Equal(o.Want, o.Got)
	return o
}
