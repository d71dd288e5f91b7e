package lint_test

import (
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/internal/testkit"
	"github.com/pactkit/pactkit/lint"
)

// TestDocuments runs the cases of testdata/lint/document: a document and what is found in it.
func TestDocuments(t *testing.T) {
	for c := range testkit.Load(t, filepath.Join("..", "testdata", "lint", "document", "*.txtar")) {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			src := c.Source()
			c.Golden(t, testkit.Want("diag", report(src, lint.Result{Findings: lint.Document(src, nil)})))
		})
	}
}
