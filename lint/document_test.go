package lint_test

import (
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/lint"
)

// TestDocuments runs the cases of testdata/lint/document: a document in.md and what is found in it.
func TestDocuments(t *testing.T) {
	for path, a := range testkit.Cases(t, filepath.Join("..", "testdata", "lint", "document", "*.txtar")) {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			src, ok := testkit.Section(a, "in.md")
			if !ok {
				t.Fatal("no in.md")
			}
			want := report(src, lint.Result{Findings: lint.Document(src, nil)})
			testkit.Golden(t, path, a, []txtar.File{{Name: "in.md", Data: []byte(src)}, {Name: "want", Data: []byte(want)}})
		})
	}
}
