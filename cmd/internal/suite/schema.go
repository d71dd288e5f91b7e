package suite

import (
	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pactkit/pactkit/ast"
)

// about documents the members of suites in YAML, cases and expectations.
var about = map[string]string{
	"description": "What the suite is about.",
	"cases":       "Selectors with their answers, and expectations about model calls.",
	"name":        "What the case shows.",
	"selector":    "The selector.",
	"files":       "The histories to query, relative to the suite: histories, journals, logs, FILE#NAME for one session of a file, or the address of a history in a store. Several are joined into one.",
	"edition":     "The edition that selectors are read in; by default that of the configuration or of the history.",
	"strict":      "An invariant that a history breaks is an error.",
	"legacy":      "Whether selectors may have forms of an older revision.",
	"options":     "Options of ranges.",
	"policy":      "A policy, or null: expectations are about what it would have done.",
	"ids":         "The ids that are selected, in order. Of left and changed: exactly these nodes, call by call.",
	"latest":      "The answer of @mode=latest: ids, each with the newest snapshot that selects it.",
	"range":       "The answer of a range or pair, as an object or as a text of JSON.",
	"error":       "The codes of the errors of the selector.",
	"left":        "How many nodes left the conversation; at least one if neither ids nor a number is given.",
	"changed":     "How many nodes changed their content; at least one if neither ids nor a number is given.",
	"cache":       "How often a call did not begin with what the previous call was sent.",
	"tokens":      "How many tokens calls are sent.",
	"calls":       "How many calls there are.",
	"events":      "How many events the log states, such as compactions.",
	"cause":       "Why a node left: a cause, or a list of causes.",
	"cycle":       "Only one call: 9 for @c9.",
	"count":       "Exactly how many.",
	"min":         "At least how many.",
	"max":         "At most how many.",
	"by":          "What broke the cache.",
	"broken":      "At how many calls the cache broke.",
	"resent":      "About how many tokens were sent again.",
	"total":       "The tokens of all calls together.",
	"grade":       "How well figures are known.",
	"missing":     "What the log does not record of the calls, or none.",
	"kind":        "The kind of an event, or a list of kinds.",
}

// Schema returns the JSON Schema of suites in YAML, made from the members that the reader knows.
func Schema() *jsonschema.Schema {
	one := object(caseMembers, nil)
	root := object(suiteMembers, map[string]*jsonschema.Schema{"cases": {Type: "array", Items: one}})
	root.Schema, root.Required = "http://json-schema.org/draft-07/schema#", []string{"cases"}
	root.Description = "A suite of pactkit: what selectors must select, and what model calls must show"
	return root
}

// object returns the schema of an object with members. given holds the schemas of some of them.
func object(names []string, given map[string]*jsonschema.Schema) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{}, PropertyOrder: names,
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
	}
	for _, name := range names {
		p := given[name]
		if p == nil {
			p = member(name)
		}
		p.Description = about[name]
		s.Properties[name] = p
	}
	return s
}

// member returns the schema of a member.
func member(name string) *jsonschema.Schema {
	if s, ok := subjects[name]; ok {
		value := object(s.members, nil)
		if !s.exact {
			return value
		}
		return &jsonschema.Schema{OneOf: []*jsonschema.Schema{natural(), word("none"), value}}
	}
	switch name {
	case "description", "name", "selector":
		return word()
	case "files", "error", "missing":
		return wordOrList()
	case "ids":
		return &jsonschema.Schema{Type: "array", Items: word()}
	case "edition":
		return &jsonschema.Schema{Enum: []any{ast.Edition10.String(), ast.Edition01.String(), 1.0, 0.1}}
	case "strict", "legacy":
		return &jsonschema.Schema{Type: "boolean"}
	case "latest":
		return &jsonschema.Schema{Type: "array", Items: &jsonschema.Schema{
			Type: "object", Properties: map[string]*jsonschema.Schema{"id": word(), "snapshot": word()},
			Required: []string{"id", "snapshot"}, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}},
		}}
	case "options":
		return &jsonschema.Schema{Type: "object"}
	case "policy":
		return &jsonschema.Schema{Types: []string{"object", "null"}}
	case "range":
		return &jsonschema.Schema{Types: []string{"object", "string"}}
	case "cause":
		return wordOrList(causes...)
	case "by":
		return wordOrList(breakers...)
	case "grade":
		return wordOrList(gradeNames()...)
	case "kind":
		return wordOrList(eventKinds...)
	case "cycle", "min", "max":
		return natural()
	}
	bounds := object([]string{"min", "max"}, nil)
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{natural(), word("none"), bounds}}
}

func natural() *jsonschema.Schema { return &jsonschema.Schema{Type: "integer", Minimum: new(0.0)} }

func word(of ...string) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "string"}
	for _, w := range of {
		s.Enum = append(s.Enum, w)
	}
	return s
}

func wordOrList(of ...string) *jsonschema.Schema {
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{word(of...), {Type: "array", Items: word(of...)}}}
}
