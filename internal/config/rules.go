package config

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/custom"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/lint"
)

const rulesName = "rules"

// blankPattern matches texts that are not blank.
const blankPattern = `\S`

// ruleKeys are the keys of a rule of the project.
var ruleKeys = []Key{
	{Name: "message", Type: Text, Doc: "The message of a finding, in one sentence. By default, it names the patterns."},
	{Name: "explanation", Type: Text, Doc: "Why, in Markdown. `pactkit explain project/NAME` prints it."},
	{Name: "level", Type: Enum, Values: []string{"error", "warning", "info", "off"}, Default: "warning", Doc: "How serious a finding is."},
	{Name: "forbid", Type: TextOrTexts, Pattern: blankPattern, Doc: "Patterns that no selector may have. Each place where one occurs is a finding."},
	{Name: "require", Type: TextOrTexts, Pattern: blankPattern, Doc: "Every selector must have one of these patterns."},
	{Name: "when", Type: TextOrTexts, Pattern: blankPattern, Doc: "The rule applies only to selectors that have one of these patterns."},
	{Name: "unless", Type: TextOrTexts, Pattern: blankPattern, Doc: "The rule does not apply to selectors that have one of these patterns."},
	{Name: "use", Type: Text, Doc: "The text that a fix writes instead of a forbidden pattern. It has as many steps as the pattern; `\"\"` removes the pattern. With `require`, it is the time or the controls that a fix adds."},
	{Name: "safe", Type: Bool, Default: false, Doc: "The fix does not change what the project selects: `pactkit fix` makes it without `--unsafe-fixes`."},
	{Name: "bad", Type: Examples, Members: exampleKeys, Doc: "Selectors in which the rule finds something. `pactkit test` checks them."},
	{Name: "good", Type: Texts, Doc: "Selectors in which the rule finds nothing."},
}

// exampleKeys are the keys of an example that is a table.
var exampleKeys = []Key{
	{Name: "selector", Type: Text, Doc: "The selector."},
	{Name: "found", Type: Texts, Doc: "The parts of the selector that are found, in order."},
	{Name: "fixed", Type: Text, Doc: "The selector after the fix."},
}

// projectRule is a declaration and the rule that it makes.
type projectRule struct {
	custom.Rule
	made *lint.Rule
}

// namedRule is a reference to a rule of the project in a list of rules.
type namedRule struct {
	id   string
	span ast.Span
}

func isProjectRule(name string) bool {
	return name == custom.Category || strings.HasPrefix(name, custom.Category+"/")
}

// members checks the members of a table against their keys. It returns the values by name. Messages
// name the table by path.
func (c *checker) members(path string, known []Key, t *table) map[string]any {
	out := map[string]any{}
	for _, m := range t.members {
		i := slices.IndexFunc(known, func(k Key) bool { return k.Name == m.name })
		if i < 0 {
			c.report(m.key, didYouMean(nearestKey(m.name, known)), "unknown key %q", path+m.name)
			continue
		}
		k := known[i]
		k.Name = path + k.Name
		if v, ok := c.value(&k, m.value); ok {
			out[m.name] = v
		}
	}
	return out
}

// rules checks the rules of the project.
func (c *checker) rules(k *Key, v value) ([]projectRule, bool) {
	before := len(c.found)
	t, ok := v.data.(*table)
	if !ok {
		c.report(v.span, "write [rules.NAME] and its keys below", "%s is %s", k.Name, k.Type)
		return nil, false
	}
	var out []projectRule
	for _, m := range t.members {
		below, ok := m.value.data.(*table)
		if !ok {
			c.report(m.value.span, "write [rules.NAME] and its keys below", "%s.%s is a table", k.Name, m.name)
			continue
		}
		wrong := len(c.found)
		r := c.rule(m, below)
		if len(c.found) > wrong {
			continue
		}
		made, err := custom.Compile(r)
		if err != nil {
			e, _ := errors.AsType[*custom.Error](err)
			c.report(below.spanOf(e.Key, e.At, m.key), "", "%s.%s: %s", k.Name, m.name, err)
		}
		out = append(out, projectRule{r, made})
	}
	return out, len(c.found) == before
}

// spanOf returns the span of a value in a list, of the whole value, or of the table if it has no
// such member.
func (t *table) spanOf(name string, i int, key ast.Span) ast.Span {
	m := t.find(name)
	if m == nil {
		return cmp.Or(t.header, key)
	}
	if list, ok := m.value.data.([]value); ok && i < len(list) {
		return list[i].span
	}
	return m.value.span
}

func (c *checker) rule(m *member, t *table) custom.Rule {
	v := c.members(rulesName+"."+m.name+".", ruleKeys, t)
	text := func(name string) string {
		s, _ := v[name].(string)
		return s
	}
	list := func(name string) []string {
		l, _ := v[name].([]string)
		return l
	}
	line, _ := c.lines.Line(cmp.Or(t.header, m.key).Start)
	r := custom.Rule{
		Name: m.name, Level: text("level"), Message: text("message"), Explanation: text("explanation"),
		Forbid: list("forbid"), Require: list("require"), When: list("when"), Unless: list("unless"),
		File: c.path, Line: line + 1,
	}
	for i, s := range list("good") {
		line, _ := c.lines.Line(t.spanOf("good", i, m.key).Start)
		r.Good = append(r.Good, custom.Example{Selector: s, Line: line + 1})
	}
	if use, ok := v["use"].(string); ok {
		r.Use = &use
	}
	r.Safe, _ = v["safe"].(bool)
	r.Bad, _ = v["bad"].([]custom.Example)
	return r
}

// examples checks the examples of a rule.
func (c *checker) examples(k *Key, v value) ([]custom.Example, bool) {
	list, ok := v.data.([]value)
	if !ok {
		c.report(v.span, "", "%s is %s", k.Name, k.Type)
		return nil, false
	}
	before := len(c.found)
	var out []custom.Example
	for i, e := range list {
		line, _ := c.lines.Line(e.span.Start)
		x := custom.Example{Line: line + 1}
		switch data := e.data.(type) {
		case string:
			x.Selector = data
		case *table:
			m := c.members(k.Name+"["+strconv.Itoa(i)+"].", k.Members, data)
			x.Selector, _ = m["selector"].(string)
			x.Found, _ = m["found"].([]string)
			if fixed, ok := m["fixed"].(string); ok {
				x.Fixed = &fixed
			}
			if data.find("selector") == nil {
				c.report(e.span, "", "an example needs a selector")
			}
		default:
			c.report(e.span, "", "%s is %s", k.Name, k.Type)
		}
		out = append(out, x)
	}
	return out, len(c.found) == before
}

// mergeRules adds the rules of inner to those of outer. A rule of inner replaces the rule of outer
// with its name.
func mergeRules(outer, inner []projectRule) []projectRule {
	out := slices.DeleteFunc(slices.Clone(outer), func(r projectRule) bool {
		return slices.ContainsFunc(inner, func(o projectRule) bool { return o.Name == r.Name })
	})
	return append(out, inner...)
}

// declared lists the rules of the project, those of outer folders first.
func (c *Config) declared() []projectRule {
	list, _ := c.settings[rulesName].data.([]projectRule)
	return list
}

// Tests reports whether a file declares rules of the project with examples.
func (c *Config) Tests(path string) bool {
	return c != nil && slices.ContainsFunc(c.declared(), func(r projectRule) bool { return r.File == path && r.hasExamples() })
}

func (r *projectRule) hasExamples() bool { return len(r.Bad)+len(r.Good) > 0 }

// RunExamples checks the examples of the rules that a file declares.
func (c *Config) RunExamples(ctx context.Context, path string) []custom.Outcome {
	var out []custom.Outcome
	for _, r := range c.declared() {
		if r.File == path {
			out = append(out, custom.Test(ctx, r.Rule, r.made)...)
		}
	}
	return out
}

// Rules lists the rules of the project, in the order of their declarations.
func (c *Config) Rules() []*lint.Rule {
	var out []*lint.Rule
	for _, r := range c.declared() {
		out = append(out, r.made)
	}
	return out
}

// checkNames reports references to rules of the project that no file declares.
func (c *Config) checkNames(documents []*document) []Problem {
	var problems []Problem
	for _, d := range documents {
		for _, n := range d.named {
			if n.id == custom.Category || lint.Lookup(n.id, c.Rules()...) != nil {
				continue
			}
			p := Problem{Path: d.path, Source: d.src, Diagnostic: diag.Diagnostic{
				Severity: diag.Error, Span: n.span, Message: "no rule " + strconv.Quote(n.id) + " is declared",
				Hint: didYouMean(names.Nearest(n.id, lint.Names(c.Rules()...))),
			}}
			if d.src == "" {
				p.Diagnostic.Span = ast.Span{}
			}
			problems = append(problems, p)
		}
	}
	return problems
}

// literalRules writes rules as an inline table.
func literalRules(list []projectRule) string {
	var rules []string
	for _, r := range list {
		one := map[string]any{}
		for name, text := range map[string]string{"level": r.Level, "message": r.Message, "explanation": r.Explanation} {
			if text != "" {
				one[name] = text
			}
		}
		for name, texts := range map[string][]string{"forbid": r.Forbid, "require": r.Require, "when": r.When, "unless": r.Unless, "good": custom.Selectors(r.Good)} {
			if texts != nil {
				one[name] = anyOf(texts)
			}
		}
		if r.Use != nil {
			one["use"] = *r.Use
		}
		if r.Safe {
			one["safe"] = true
		}
		var bad []any
		for _, x := range r.Bad {
			e := map[string]any{"selector": x.Selector}
			if x.Found != nil {
				e["found"] = anyOf(x.Found)
			}
			if x.Fixed != nil {
				e["fixed"] = *x.Fixed
			}
			bad = append(bad, e)
		}
		if bad != nil {
			one["bad"] = bad
		}
		rules = append(rules, r.Name+" = "+literalTOML(one))
	}
	return inlineTable(rules)
}

func anyOf(texts []string) []any {
	out := make([]any, len(texts))
	for i, text := range texts {
		out[i] = text
	}
	return out
}
