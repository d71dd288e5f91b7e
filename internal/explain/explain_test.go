package explain

import (
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/parser"
)

// TestCases reads testdata/*.txtar: the names of the files in an archive are selectors, and their
// contents the explanations. PACTKIT_UPDATE=1 rewrites them, PACTKIT_UPDATE=diff only shows what it would.
func TestCases(t *testing.T) {
	for path, archive := range testkit.Cases(t, "testdata/*.txtar") {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			files := slices.Clone(archive.Files)
			for i, f := range files {
				q, ds := parser.ParseSelector(f.Name, parser.Options{})
				if diag.HasErrors(ds) {
					t.Errorf("%s: %v", f.Name, ds[0].Message)
					continue
				}
				files[i].Data = []byte(strings.Join(Query(q), "\n") + "\n")
			}
			testkit.Golden(t, path, archive, files)
		})
	}
}

// Every control of the language, and every order, is explained in words of its own.
func TestControlsAreExplained(t *testing.T) {
	for term := range vocab.All(vocab.Control) {
		for _, value := range append(term.Params, "1") {
			c := &ast.Control{Name: term.Name, HasValue: true, Value: value}
			if line := controlSentence(&ast.Query{}, c); strings.Contains(line, "no word of the language") {
				t.Errorf("@%s=%s: %s", c.Name, c.Value, line)
			}
		}
	}
	for _, v := range vocab.Lookup(vocab.Control, "order").Params {
		if orders[v] == "" {
			t.Errorf("@order=%s has no words", v)
		}
	}
}

func FuzzQuery(f *testing.F) {
	files, err := filepath.Glob("testdata/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, c := range archive.Files {
			f.Add(c.Name)
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		q, ds := parser.ParseSelector(src, parser.Options{})
		if diag.HasErrors(ds) {
			return
		}
		for _, line := range Query(q) {
			if strings.Contains(line, "could not be read") || strings.TrimSpace(line) == "" {
				t.Errorf("%q: bad line %q", src, line)
			}
		}
	})
}
