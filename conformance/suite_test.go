package conformance_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/pactkit/pactkit/conformance"
)

// TestSchema compares each file of cases, and each request in them, with its schema.
func TestSchema(t *testing.T) {
	compiler := jsonschema.NewCompiler()
	group, err := compiler.Compile("schema.json")
	if err != nil {
		t.Fatal(err)
	}
	request, err := compiler.Compile("protocol.json#/$defs/request")
	if err != nil {
		t.Fatal(err)
	}
	names, err := filepath.Glob("cases/*.json")
	if err != nil || len(names) == 0 {
		t.Fatal(names, err)
	}
	for _, name := range names {
		f, err := os.Open(name)
		if err != nil {
			t.Fatal(err)
		}
		v, err := jsonschema.UnmarshalJSON(f)
		_ = f.Close()
		if err == nil {
			err = group.Validate(v)
		}
		if err != nil {
			t.Errorf("%s: %v", name, err)
		}
	}
	for _, g := range load(t).Groups {
		for _, c := range g.Cases {
			for _, step := range c.Steps {
				if _, named := step.Request["history"]; named {
					step.Request["history"] = map[string]any{}
				}
				if err := request.Validate(step.Request); err != nil {
					t.Errorf("%s/%s: %v", g.Name, c.ID, err)
				}
			}
		}
	}
}

// TestReferences: names are unique, each history and ruling is there and used, and the rulings are
// those of the reference.
func TestReferences(t *testing.T) {
	suite := load(t)
	unused := map[string]bool{}
	for name := range suite.Histories {
		unused["histories/"+name] = true
	}
	for number := range suite.Rulings {
		unused[number] = true
	}
	use := func(where, what string) {
		if _, there := unused[what]; !there {
			t.Errorf("%s: there is no %s", where, what)
		}
		unused[what] = false
	}
	for _, g := range suite.Groups {
		seen := map[string]bool{}
		for _, c := range g.Cases {
			where := g.Name + "/" + c.ID
			if seen[c.ID] {
				t.Errorf("%s is there twice", where)
			}
			seen[c.ID] = true
			if c.Ruling != "" {
				use(where, c.Ruling)
			}
			if c.History != "" {
				use(where, "histories/"+c.History)
			}
			for _, step := range c.Steps {
				if name, ok := step.Request["history"].(string); ok {
					use(where, "histories/"+name)
				}
			}
		}
	}
	for name, isUnused := range unused {
		if isUnused {
			t.Errorf("no case uses %s", name)
		}
	}
	page, err := os.ReadFile("../docs/reference/decisions.md")
	if err != nil {
		t.Fatal(err)
	}
	for number, ruling := range suite.Rulings {
		row := regexp.MustCompile(`(?m)^\| \[` + number + `\]\([^)]*\) \| (.*?) \| `).FindStringSubmatch(string(page))
		if row == nil || row[1] != ruling {
			t.Errorf("rulings.json has %s: %s\nthe reference has %q", number, ruling, row)
		}
	}
}

// TestProtocolWords: README.md describes every request.
func TestProtocolWords(t *testing.T) {
	readme, err := os.ReadFile("README.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, g := range load(t).Groups {
		if !strings.Contains(string(readme), "`"+g.Name+"`") {
			t.Errorf("README.md does not name the group %s", g.Name)
		}
		for _, c := range g.Cases {
			for _, step := range c.Steps {
				if do := step.Request["do"].(string); !strings.Contains(string(readme), "| `"+do+"` |") {
					t.Fatalf("README.md does not describe the request %s", do)
				}
			}
		}
	}
}

func load(t *testing.T) *conformance.Suite {
	t.Helper()
	suite, err := conformance.Load()
	if err != nil {
		t.Fatal(err)
	}
	return suite
}
