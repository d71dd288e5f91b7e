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
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/policy"
)

// Policy returns the table [policy], or nil if the configuration lacks it.
func (c *Config) Policy() *policy.Policy {
	p, _ := c.settings["policy"].data.(*policy.Policy)
	return p
}

// policyKeys and stepKeys are the keys of a policy and of a step, with a value of their type.
var (
	policyKeys = map[string]any{"window": nil, "reserve": number(0), "nodes": number(0), "keep-first": []value{}, "keep-last": number(0), "min-gain": number(0), "step": []value{}}
	stepKeys   = map[string]any{"truncate": "", "clear": "", "dedupe": "", "summarise": "", "drop": "", "over": number(0), "to": number(0), "except": "", "with": ""}
)

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
func (c *checker) plainTable(path string, t *table, known map[string]any, spans map[string]ast.Span) map[string]any {
	out := map[string]any{}
	for _, m := range t.members {
		usual, isKnown := known[m.name]
		field := path + m.name
		spans[field] = m.value.span
		if !isKnown {
			c.report(m.key, didYouMean(names.Nearest(m.name, maps.Keys(known))), "unknown key %q", "policy."+field)
			continue
		}
		switch got := m.value.data.(type) {
		case number:
			if _, isNumber := usual.(number); !isNumber && usual != nil || float64(got) != math.Trunc(float64(got)) || got < 0 || got > math.MaxInt32 {
				c.report(m.value.span, "", "policy.%s is %s", field, typeName(usual))
				continue
			}
			out[m.name] = int64(got)
		case string:
			if _, isText := usual.(string); !isText && usual != nil {
				c.report(m.value.span, "", "policy.%s is %s", field, typeName(usual))
				continue
			}
			out[m.name] = got
		case []value:
			if _, isList := usual.([]value); !isList {
				c.report(m.value.span, "", "policy.%s is %s", field, typeName(usual))
				continue
			}
			out[m.name] = c.plainList(field, m.name, got, spans)
		default:
			c.report(m.value.span, "", "policy.%s is %s", field, typeName(usual))
		}
	}
	return out
}

// plainList returns the selectors of keep-first, or the steps.
func (c *checker) plainList(field, name string, list []value, spans map[string]ast.Span) []any {
	out := []any{}
	for i, v := range list {
		at := field + "[" + strconv.Itoa(i) + "]"
		spans[at] = v.span
		switch got := v.data.(type) {
		case *table:
			if name == "step" {
				if got.header.Len() > 0 {
					spans[at] = got.header
				}
				out = append(out, c.plainTable(at+".", got, stepKeys, spans))
				continue
			}
		case string:
			if name != "step" {
				out = append(out, got)
				continue
			}
		}
		what := "a list of selectors"
		if name == "step" {
			what = "a list of tables: write [[policy.step]]"
		}
		c.report(v.span, "", "policy.%s is %s", field, what)
	}
	return out
}

// typeName says in words what a key holds.
func typeName(usual any) string {
	switch usual.(type) {
	case number:
		return "a whole number that is not negative"
	case string:
		return "a text"
	case []value:
		return "a list"
	}
	return "a number of tokens, or the name of a model"
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
