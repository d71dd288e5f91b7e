package config

import (
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/pelletier/go-toml/v2"
	"github.com/rogpeppe/go-internal/txtar"
)

// schemaKeys returns the paths of the properties of a schema, with * for any name.
func schemaKeys(s *jsonschema.Schema, path string) []string {
	var out []string
	for name, p := range s.Properties {
		out = append(out, path+name)
		out = append(out, schemaKeys(p, path+name+".")...)
	}
	if a := s.AdditionalProperties; a != nil && a.Not == nil {
		out = append(out, schemaKeys(a, path+"*.")...)
	}
	if s.Items != nil {
		out = append(out, schemaKeys(s.Items, path)...)
	}
	for _, one := range s.OneOf {
		out = append(out, schemaKeys(one, path)...)
	}
	return out
}

// TestSchemaKeys checks a law: the reader takes a key if and only if the schema has it.
func TestSchemaKeys(t *testing.T) {
	schema := Schema()
	paths := schemaKeys(schema, "")
	if len(paths) < 70 {
		t.Fatalf("only %d keys", len(paths))
	}
	unknown := func(path string) bool {
		parts := strings.Split(strings.ReplaceAll(path, "*", "some-name"), ".")
		_, problems := readDocument("x.toml", "", documentWith(parts))
		return slices.ContainsFunc(problems, func(p Problem) bool { return strings.HasPrefix(p.Diagnostic.Message, "unknown key") })
	}
	for _, path := range paths {
		if unknown(path) {
			t.Errorf("the schema has %s, which the reader does not know", path)
		}
		if !strings.HasSuffix(path, "*") && !unknown(path+"x") && !slices.Contains(paths, path+"x") {
			t.Errorf("the reader takes %sx, which the schema lacks", path)
		}
	}
	for _, k := range keys {
		if !slices.Contains(paths, k.Name) {
			t.Errorf("the schema lacks %s", k.Name)
		}
		if k.PerPath != slices.Contains(paths, overridesName+"."+k.Name) {
			t.Errorf("%s in [[overrides]]: the schema and the reader differ", k.Name)
		}
	}
}

// documentWith returns a document with a key. Lists of tables hold one table.
func documentWith(parts []string) string {
	text := parts[len(parts)-1] + " = 1"
	for i := len(parts) - 2; i >= 0; i-- {
		name := parts[i]
		inner := "{" + text + "}"
		if name == overridesName || name == "step" || name == "bad" {
			inner = "[" + inner + "]"
		}
		text = name + " = " + inner
	}
	return text
}

// validator returns a function that validates a TOML document against the schema.
func validator(t *testing.T) func(text string) error {
	resolved, err := Schema().Resolve(nil)
	if err != nil {
		t.Fatal(err)
	}
	return func(text string) error {
		var v map[string]any
		if err := toml.Unmarshal([]byte(text), &v); err != nil {
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
}

// probes are values of all types, among them some that each key takes.
var probes = []string{
	"true", "1", "0", "-1", "1.0", "1.5", "-0.5", "nan", "inf", "20000000000000000000", `""`, `"x"`, `" "`, `"x\n"`, `"1h"`, `"1.5d"`, `"5GB"`, `"-1"`, `".5d"`,
	`"1e3d"`, `"0x1p4h"`, `"0"`, `"+x"`, `"@limit"`, `"legacy"`, `"project"`, `"project/x"`, `"projects"`, `"canonical"`, `"1.0"`, `"a.b(0)"`, `"["`, `"gpt-4o"`,
	`[]`, `[""]`, `["x"]`, `["x", "x"]`, `["+x"]`, `["legacy"]`, `["project/x"]`, `["email", "jwt"]`, `[1]`, `["x", 1]`, `[[]]`, `{}`, `{x = 1}`, `{x = "y"}`, `{x = {}}`,
	`[{}]`, `[{x = 1}]`, `{gpt-4 = 5}`, `{gpt-4 = {input = 1, output = 2}}`, `{gpt-4 = {input = 1}}`, `{x = {forbid = "+a"}}`, `{X = {forbid = "+a"}}`,
	`[{selector = ".a"}]`, `[{drop = ".a"}]`, `[{truncate = ".a"}]`, `[{drop = ".a", clear = ".a"}]`,
}

// syntactic are the keys whose texts have a syntax that a schema cannot say.
var syntactic = regexp.MustCompile(`^(overrides\.)?(policy\.(keep-first|step\..*)|rules\..*|extract\..*|redact\.(patterns|allow))$`)

// TestSchemaValues checks a law: the schema takes what the reader takes and, but for the syntax of
// texts, refuses what the reader refuses.
func TestSchemaValues(t *testing.T) {
	validate := validator(t)
	taken := 0
	for _, path := range schemaKeys(Schema(), "") {
		parts := strings.Split(strings.ReplaceAll(path, "*", "some-name"), ".")
		for _, probe := range probes {
			doc := strings.Replace(documentWith(parts), " = 1", " = "+probe, 1)
			switch {
			case strings.HasPrefix(path, "overrides.") && path != "overrides.paths":
				doc = strings.Replace(doc, "[{", "[{paths = ['x'], ", 1)
			case strings.HasPrefix(path, "rules.*.") && parts[2] != "forbid" && parts[2] != "require":
				doc = strings.Replace(doc, "some-name = {", "some-name = {forbid = '+a', ", 1)
			}
			_, problems := readDocument("x.toml", "", doc)
			err := validate(doc)
			switch {
			case len(problems) == 0 && err != nil:
				t.Errorf("%s: the schema refuses what the reader takes: %v", doc, err)
			case len(problems) > 0 && err == nil && !(syntactic.MatchString(path) && strings.Contains(probe, `"`)):
				t.Errorf("%s: the reader refuses what the schema takes: %s", doc, problems[0].Diagnostic.Message)
			case len(problems) == 0:
				taken++
			}
		}
	}
	if taken < 300 {
		t.Errorf("only %d values were taken", taken)
	}
}

// TestSchemaCorpus checks that the schema accepts every configuration of the test data that the
// reader accepts, and refuses some that it does not.
func TestSchemaCorpus(t *testing.T) {
	validate := validator(t)
	for _, wrong := range []string{"rules.x = {}", "rules.x = {forbid = '+a', require = '@limit'}", "rules.X = {forbid = '+a'}",
		"rules.x = {forbid = '+a', bad = [{found = ['+a']}]}", "windows.x = 0"} {
		if _, problems := readDocument("x.toml", "", wrong); len(problems) == 0 || validate(wrong) == nil {
			t.Errorf("%s is accepted", wrong)
		}
	}
	n := 0
	err := filepath.WalkDir("../../testdata", func(path string, e fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".txtar" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		for _, f := range txtar.Parse(data).Files {
			if filepath.Base(f.Name) != FileName {
				continue
			}
			if _, problems := readDocument(f.Name, "", string(f.Data)); len(problems) > 0 {
				continue
			}
			n++
			if err := validate(string(f.Data)); err != nil {
				t.Errorf("%s: %s: the schema refuses what the reader takes: %v", path, f.Name, err)
			}
		}
		return nil
	})
	if err != nil || n < 30 {
		t.Errorf("%d configurations: %v", n, err)
	}
}
