package config

import (
	"encoding/json"
	"strings"

	"github.com/google/jsonschema-go/jsonschema"

	"github.com/pactkit/pactkit/internal/custom"
	"github.com/pactkit/pactkit/policy"
)

// SchemaID is the address of the schema of configuration files.
const SchemaID = "https://json.schemastore.org/pactkit.json"

// Schema returns the JSON Schema of configuration files, made from the keys that the reader knows.
func Schema() *jsonschema.Schema {
	root := object("Configuration of pactkit")
	root.Schema, root.ID = "http://json-schema.org/draft-07/schema#", SchemaID
	overrides := object(OverridesDoc)
	setProperty(overrides, pathsName, &jsonschema.Schema{
		Type: "array", Items: (&Key{Type: Patterns}).text(), Description: "Patterns as in an ignore file, relative to the folder of the configuration file.",
	})
	overrides.Required = []string{pathsName}
	for i := range keys {
		addKey(root, &keys[i])
		if keys[i].PerPath {
			addKey(overrides, &keys[i])
		}
	}
	setProperty(root, overridesName, &jsonschema.Schema{Type: "array", Items: overrides, Description: OverridesDoc})
	return root
}

// VocabularySchema returns the JSON Schema of vocabularies.
func VocabularySchema() *jsonschema.Schema {
	root := tableOf(vocabularyKeys, "Vocabulary of pactkit")
	root.Schema = "http://json-schema.org/draft-07/schema#"
	return root
}

func object(about string) *jsonschema.Schema {
	return &jsonschema.Schema{Type: "object", Description: about, AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}}
}

func text() *jsonschema.Schema { return &jsonschema.Schema{Type: "string"} }

func setProperty(s *jsonschema.Schema, name string, p *jsonschema.Schema) {
	if s.Properties == nil {
		s.Properties = map[string]*jsonschema.Schema{}
	}
	s.Properties[name] = p
	s.PropertyOrder = append(s.PropertyOrder, name)
}

// tableOf returns the schema of a table with keys.
func tableOf(list []Key, about string) *jsonschema.Schema {
	s := object(about)
	for i := range list {
		addKey(s, &list[i])
	}
	return s
}

// addKey adds a key to a table, and the table that its name has.
func addKey(s *jsonschema.Schema, k *Key) {
	name := k.Name
	if t, rest, ok := strings.Cut(name, "."); ok {
		if s.Properties[t] == nil {
			setProperty(s, t, object(""))
		}
		s, name = s.Properties[t], rest
	}
	setProperty(s, name, k.schema())
}

// text returns the schema of a text of a key.
func (k *Key) text() *jsonschema.Schema {
	s := text()
	s.Pattern = k.Pattern
	if k.Type == Paths || k.Type == Patterns {
		s.Pattern = pathPattern
	}
	if k.Words == nil {
		return s
	}
	words := text()
	for word := range k.Words {
		words.Enum = append(words.Enum, word)
	}
	if k.Pattern == "" {
		return words
	}
	return &jsonschema.Schema{OneOf: []*jsonschema.Schema{words, s}}
}

// schema returns the schema of the value of a key.
func (k *Key) schema() *jsonschema.Schema {
	s := &jsonschema.Schema{}
	list := func(of *jsonschema.Schema) { s.Type, s.Items = "array", of }
	byName := func(of *jsonschema.Schema) { s.Type, s.AdditionalProperties = "object", of }
	count := &jsonschema.Schema{Type: "integer", Minimum: new(0.0)}
	switch k.Type {
	case Bool:
		s.Type = "boolean"
	case Enum:
		s.Type = "string"
		for _, v := range k.Values {
			s.Enum = append(s.Enum, v)
		}
	case Paths, TextOrTexts:
		s.OneOf = []*jsonschema.Schema{k.text(), {Type: "array", Items: k.text()}}
	case Patterns, Texts:
		list(k.text())
	case Text:
		s = k.text()
	case Count:
		s = count
	case CountOrText:
		s.OneOf = []*jsonschema.Schema{count, text()}
	case Amount:
		s.Type, s.Minimum = "number", new(0.0)
	case Prices:
		byName(tableOf(k.Members, ""))
	case Windows:
		byName(&jsonschema.Schema{Type: "integer", Minimum: new(1.0)})
	case Policy:
		s = tableOf(k.Members, "")
	case Rules:
		rule := tableOf(k.Members, "")
		for _, name := range []string{"forbid", "require"} {
			rule.OneOf = append(rule.OneOf, &jsonschema.Schema{Required: []string{name}})
			rule.Properties[name].OneOf[1].MinItems = new(1)
		}
		byName(rule)
		s.PropertyNames = &jsonschema.Schema{Pattern: custom.NamePattern}
	case Tables:
		step := tableOf(k.Members, "")
		for _, name := range policy.Actions() {
			required := []string{name}
			if name == "truncate" {
				required = append(required, "over", "to")
			}
			step.OneOf = append(step.OneOf, &jsonschema.Schema{Required: required})
		}
		list(step)
	case Examples:
		example := tableOf(k.Members, "")
		example.Required = []string{"selector"}
		list(&jsonschema.Schema{OneOf: []*jsonschema.Schema{text(), example}})
	}
	s.Description = k.Doc
	switch d := k.Default.(type) {
	case bool, string:
		s.Default, _ = json.Marshal(d)
	}
	return s
}
