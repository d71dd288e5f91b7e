package format

import (
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

const casesPattern = "../testdata/format/*.txtar"

// TestCases runs testdata/format, archives in the form of package testkit. The source, in.pactsel,
// becomes:
//
//	want.canonical, want.compact          in edition 1.0
//	want.canonical.0.1, want.compact.0.1  in edition 0.1, when that differs
//	want.diag                             what edition 1.0 reports
//
// The laws are checked while cases are rewritten, too.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, casesPattern) {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			src := c.Source()
			for _, e := range []ast.Edition{ast.Edition10, ast.Edition01} {
				if err := checkLaws(src, Options{Edition: e}); err != nil {
					t.Errorf("edition %v: %v", e, err)
				}
			}
			c.Golden(t, expected(src)...)
		})
	}
}

// expected computes what a case expects.
func expected(src string) []txtar.File {
	var files []txtar.File
	for _, s := range []Style{Canonical, Compact} {
		first := Source(src, Options{Style: s})
		files = append(files, testkit.Want(s.String(), first.Text))
		if old := Source(src, Options{Style: s, Edition: ast.Edition01}); old.Text != first.Text {
			files = append(files, testkit.Want(s.String()+".0.1", old.Text))
		}
	}
	return append(files, testkit.Want("diag", testkit.Diagnostics(src, Source(src, Options{}).Diagnostics)))
}
