package config

import (
	"cmp"
	"encoding/json"
	"errors"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/policy"
)

// Policy returns the table [policy], or nil if the configuration lacks it.
func (c *Config) Policy() *policy.Policy {
	p, _ := c.settings["policy"].data.(*policy.Policy)
	return p
}

// policyKeys are the keys of a policy.
var policyKeys = []Key{
	{Name: "window", Type: CountOrText, Doc: "How many tokens fit: a number, or the name of a model."},
	{Name: "reserve", Type: Count, Doc: "Tokens of the window that are kept free for the answer."},
	{Name: "nodes", Type: Count, Doc: "How many nodes a snapshot may have; 0 for any number."},
	{Name: "keep-first", Type: Texts, Pattern: blankPattern, Doc: "Selectors of nodes that the policy leaves alone."},
	{Name: "keep-last", Type: Count, Doc: "How many of the newest turns the policy leaves alone."},
	{Name: "min-gain", Type: Count, Doc: "Change nothing to save fewer tokens than this."},
	{Name: "step", Type: Tables, Members: stepKeys, Doc: "The steps, in this order, until the budget is met."},
}

// stepKeys are the keys of a step.
var stepKeys = []Key{
	{Name: "truncate", Type: Text, Pattern: blankPattern, Doc: "A selector. Texts of more than `over` tokens are cut to at most `to`."},
	{Name: "clear", Type: Text, Pattern: blankPattern, Doc: "A selector. The text `with` is shown in place of the content."},
	{Name: "dedupe", Type: Text, Pattern: blankPattern, Doc: "A selector. The text `with` is shown in place of what a later node repeats."},
	{Name: "summarise", Type: Text, Pattern: blankPattern, Doc: "A selector. The program writes a summary of the nodes."},
	{Name: "drop", Type: Text, Pattern: blankPattern, Doc: "A selector. Nodes are removed."},
	{Name: "over", Type: Count, Doc: "With `truncate`: texts of more tokens than this are cut."},
	{Name: "to", Type: Count, Doc: "With `truncate`: the number of tokens that are kept."},
	{Name: "except", Type: Text, Doc: "A selector of nodes that the step leaves alone."},
	{Name: "with", Type: Text, Doc: "The text that is shown instead; {name}, {tokens}, {id} and {kind} are replaced."},
}

// ReadPolicy reads a policy from a TOML document: its keys, or a table [policy].
func ReadPolicy(src string) (*policy.Policy, []diag.Diagnostic) {
	root, wrong := parseTOML(src)
	if wrong != nil {
		return nil, []diag.Diagnostic{*wrong}
	}
	c := &checker{src: src}
	v := value{data: root}
	if m := root.find("policy"); m != nil {
		v = m.value
	}
	p, _ := c.policy(v)
	return p, c.found
}

// policy checks a policy.
func (c *checker) policy(v value) (*policy.Policy, bool) {
	before := len(c.found)
	t, ok := v.data.(*table)
	if !ok {
		c.report(v.span, "write [policy] and below it window = 200_000", "policy is a table")
		return nil, false
	}
	spans := map[string]ast.Span{}
	plain := c.plainTable("", t, policyKeys, spans)
	if len(c.found) > before {
		return nil, false
	}
	data, _ := json.Marshal(plain) // of maps, lists, texts and numbers
	p, err := policy.Parse(data)
	if err != nil {
		at, hint, msg := v.span, "", err.Error()
		if e, ok := errors.AsType[*policy.Error](err); ok {
			at, hint, msg = cmp.Or(spans[e.Field], spans[strings.TrimSuffix(e.Field, "."+e.Field[strings.LastIndexByte(e.Field, '.')+1:])], at), e.Hint, e.Msg
		}
		c.report(at, hint, "policy: %s", msg)
		return nil, false
	}
	return p, true
}

// plainTable returns a table as JSON has it, and adds the positions of its values. It reports
// unknown keys and values of a wrong type.
func (c *checker) plainTable(path string, t *table, known []Key, spans map[string]ast.Span) map[string]any {
	out := map[string]any{}
	for _, m := range t.members {
		field := path + m.name
		spans[field] = m.value.span
		i := slices.IndexFunc(known, func(k Key) bool { return k.Name == m.name })
		if i < 0 {
			c.report(m.key, didYouMean(nearestKey(m.name, known)), "unknown key %q", "policy."+field)
			continue
		}
		k := known[i]
		wrong := func() { c.report(m.value.span, "", "policy.%s is %s", field, k.Type) }
		switch got := m.value.data.(type) {
		case number:
			if k.Type != Count && k.Type != CountOrText || float64(got) != math.Trunc(float64(got)) || got < 0 || got > math.MaxInt32 {
				wrong()
				continue
			}
			out[m.name] = int64(got)
		case string:
			if k.Type != Text && k.Type != CountOrText {
				wrong()
				continue
			}
			out[m.name] = got
		case []value:
			if k.Type != Texts && k.Type != Tables {
				wrong()
				continue
			}
			out[m.name] = c.plainList(field, k, got, spans)
		default:
			wrong()
		}
	}
	return out
}

// plainList returns the selectors of keep-first, or the steps.
func (c *checker) plainList(field string, k Key, list []value, spans map[string]ast.Span) []any {
	out := []any{}
	for i, v := range list {
		at := field + "[" + strconv.Itoa(i) + "]"
		spans[at] = v.span
		switch got := v.data.(type) {
		case *table:
			if k.Type == Tables {
				if got.header.Len() > 0 {
					spans[at] = got.header
				}
				out = append(out, c.plainTable(at+".", got, k.Members, spans))
				continue
			}
		case string:
			if k.Type == Texts {
				out = append(out, got)
				continue
			}
		}
		what := "a list of selectors"
		if k.Type == Tables {
			what = "a list of tables: write [[policy." + k.Name + "]]"
		}
		c.report(v.span, "", "policy.%s is %s", field, what)
	}
	return out
}

// literalPolicy writes a policy as an inline table.
func literalPolicy(p *policy.Policy) string {
	if p == nil {
		return "{}"
	}
	data, _ := json.Marshal(p)
	var v map[string]any
	_ = json.Unmarshal(data, &v)
	return literalTOML(v)
}

// literalTOML writes what JSON has as TOML.
func literalTOML(v any) string {
	var list []string
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			list = append(list, name+" = "+literalTOML(v[name]))
		}
		return inlineTable(list)
	case []any:
		for _, x := range v {
			list = append(list, literalTOML(x))
		}
		return "[" + strings.Join(list, ", ") + "]"
	case string:
		return quoteTOML(v)
	case bool:
		return strconv.FormatBool(v)
	case float64:
		return strconv.FormatFloat(v, 'f', -1, 64)
	}
	return ""
}
