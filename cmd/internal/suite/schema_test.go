package suite

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/rogpeppe/go-internal/txtar"
	"go.yaml.in/yaml/v3"
)

// TestSchema checks that the schema accepts every suite in YAML of the repository that the reader
// accepts, and that it has an explanation for every member.
func TestSchema(t *testing.T) {
	resolved, err := Schema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	for name := range about {
		if about[name] == "" {
			t.Errorf("%s has no explanation", name)
		}
	}
	accepts := func(text string) error {
		var v any
		if err := yaml.Unmarshal([]byte(text), &v); err != nil {
			return err
		}
		plain, err := json.Marshal(v)
		if err != nil {
			return err
		}
		var instance any
		if err := json.Unmarshal(plain, &instance); err != nil {
			return err
		}
		return resolved.Validate(instance)
	}
	n := 0
	check := func(name, text string) {
		if ext := filepath.Ext(name); ext != ".yaml" && ext != ".yml" || !Is(name) {
			return
		}
		if _, err := Parse(name, text); err == nil {
			n++
			if err := accepts(text); err != nil {
				t.Errorf("%s: the schema refuses what the reader takes: %v\n%s", name, err, text)
			}
		}
	}
	err = filepath.WalkDir("../../../testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		if filepath.Ext(path) == ".txtar" {
			for _, f := range txtar.Parse(data).Files {
				check(f.Name, string(f.Data))
			}
		}
		check(path, string(data))
		return nil
	})
	if err != nil || n < 3 {
		t.Errorf("%d suites: %v", n, err)
	}
	for _, text := range []string{"cases: [{selectr: .block}]", "case: []", "cases: [{left: {causes: x}}]", "cases: [{tokens: {max: many}}]"} {
		if accepts(text) == nil {
			t.Errorf("the schema takes %s", text)
		}
	}
}

// TestSchemaMembers checks that the schema has the members that the reader knows, and no others.
func TestSchemaMembers(t *testing.T) {
	var walk func(s *jsonschema.Schema)
	walk = func(s *jsonschema.Schema) {
		for name, p := range s.Properties {
			if p.Description == "" && about[name] != "" {
				t.Errorf("%s has no description", name)
			}
			walk(p)
		}
		for _, o := range s.OneOf {
			walk(o)
		}
		if s.Items != nil {
			walk(s.Items)
		}
	}
	walk(Schema())
	one := Schema().Properties["cases"].Items
	for _, name := range caseMembers {
		if one.Properties[name] == nil || one.Properties[name].Description == "" {
			t.Errorf("the schema of a case lacks %s", name)
		}
	}
	if len(one.Properties) != len(caseMembers) {
		t.Errorf("the schema of a case has %d members, the reader %d", len(one.Properties), len(caseMembers))
	}
}
