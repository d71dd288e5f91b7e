package check

import (
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestDocuments runs the cases of testdata/lint/document: a document and what is found in it.
func TestDocuments(t *testing.T) {
	for c := range testkit.Load(t, filepath.Join("..", "..", "testdata", "lint", "document", "*.txtar")) {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			src := c.Source()
			var found []diag.Diagnostic
			for _, f := range document(src, nil) {
				d := f.Diagnostic
				d.Code = diag.Code(f.Rule.ID)
				found = append(found, d)
			}
			c.Golden(t, testkit.Want("diag", testkit.Diagnostics(src, found)))
		})
	}
}
