package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/pactkit/pactkit/cmd/internal/suite"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/host"
)

// hook is an entry of .pre-commit-hooks.yaml.
type hook struct {
	ID, Name, Description, Entry, Language, Files, Exclude string

	PassFilenames *bool `yaml:"pass_filenames"`
}

// TestHooks: the hooks for pre-commit call existing verbs, and match exactly the files that these
// read, since a named file of an unknown kind is an error. Each hook has a twin that calls the
// program on the PATH.
func TestHooks(t *testing.T) {
	root := filepath.Join("..", "..", "..")
	data, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	var hooks []hook
	if err := yaml.Unmarshal(data, &hooks); err != nil {
		t.Fatal(err)
	}
	names := fileNames(t, filepath.Join(root, "docs", "reference", "hosts.md"))
	byID := map[string]hook{}
	for _, h := range hooks {
		byID[h.ID] = h
		program, name, _ := strings.Cut(h.Entry, " ")
		files, exclude := regexp.MustCompile(h.Files), regexp.MustCompile(h.Exclude)
		takes := func(file string) bool {
			return files.MatchString(file) && (h.Exclude == "" || !exclude.MatchString(file))
		}
		switch {
		case program == string(verb.Pactkit):
			if c, _, err := Command(verb.Pactkit).Find([]string{name}); err != nil || c.Name() != name {
				t.Errorf("hook %s: there is no verb %q", h.ID, name)
			}
		case program != string(verb.Pactfmt):
			t.Errorf("hook %s: there is no program %q", h.ID, program)
		}
		switch name {
		case "test":
			for _, end := range suite.Ends {
				if !takes("tests/a" + end) {
					t.Errorf("hook %s does not take suites that end in %s", h.ID, end)
				}
			}
			if h.PassFilenames == nil || *h.PassFilenames {
				t.Errorf("hook %s: a history that changed is not a suite to run", h.ID)
			}
		case "validate":
			if !takes("histories/a.json") || !takes("x/histories/b/a.jsonl.gz") || takes("package.json") || takes("fixtures/a.json") {
				t.Errorf("hook %s takes the wrong files", h.ID)
			}
		default:
			for _, name := range names {
				if reads := host.For(name) != nil; takes(name) != reads {
					t.Errorf("hook %s takes %s: %t, want %t; change files of the hook in .pre-commit-hooks.yaml", h.ID, name, takes(name), reads)
				}
			}
		}
	}
	for _, h := range hooks {
		if base, ok := strings.CutSuffix(h.ID, "-system"); ok {
			if twin := byID[base]; h.Language != "system" || twin.Entry != h.Entry || twin.Files != h.Files {
				t.Errorf("hook %s is not like %s", h.ID, base)
			}
		} else if byID[h.ID+"-system"].ID == "" || h.Language != "golang" {
			t.Errorf("hook %s has no twin that builds nothing", h.ID)
		}
	}
}

// fileNames are names of files of every kind of the table of hosts, and of other kinds.
func fileNames(t *testing.T, page string) []string {
	t.Helper()
	text, err := os.ReadFile(page)
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a.txt", "a.c", "Makefile", "a.sh", ".pactkit.toml", "sub/.pactkit-baseline.json", "a.pactselx", "a.gox"}
	table, _, _ := strings.Cut(string(text), "\n## ")
	for _, m := range regexp.MustCompile("`(\\.[a-z]+)`").FindAllStringSubmatch(table, -1) {
		names = append(names, "folder/a"+m[1])
	}
	known := slices.DeleteFunc(slices.Clone(names), func(name string) bool { return host.For(name) == nil })
	if len(known) < 20 {
		t.Errorf("only %d names have a host", len(known))
	}
	return names
}
