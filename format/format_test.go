package format

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/testkit"
)

const casesPattern = "../testdata/format/*.txtar"

// TestCases runs testdata/format. A case holds one source, in.pactsel, and what becomes of it:
//
//	canonical, compact          in edition 1.0
//	canonical.0.1, compact.0.1  in edition 0.1, when that differs
//	diagnostics                 where edition 1.0 reports what, when it does
//
// PACTKIT_UPDATE=1 rewrites the expectations, PACTKIT_UPDATE=diff shows what that would change. The laws
// hold in either mode.
func TestCases(t *testing.T) {
	for name, a := range testkit.Cases(t, casesPattern) {
		t.Run(strings.TrimSuffix(filepath.Base(name), ".txtar"), func(t *testing.T) {
			src, _ := testkit.Section(a, "in.pactsel")
			for _, e := range []ast.Edition{ast.Edition10, ast.Edition01} {
				if err := checkLaws(src, Options{Edition: e}); err != nil {
					t.Errorf("edition %v: %v", e, err)
				}
			}
			testkit.Golden(t, name, a, expected(src))
		})
	}
}

// expected computes the sections of a case.
func expected(src string) []txtar.File {
	files := []txtar.File{{Name: "in.pactsel", Data: []byte(src)}}
	add := func(name, text string) { files = append(files, txtar.File{Name: name, Data: []byte(text)}) }
	for _, s := range []Style{Canonical, Compact} {
		first := Source(src, Options{Style: s})
		add(s.String(), first.Text)
		if old := Source(src, Options{Style: s, Edition: ast.Edition01}); old.Text != first.Text {
			add(s.String()+".0.1", old.Text)
		}
	}
	var b strings.Builder
	lines := ast.NewLines(src)
	for _, d := range Source(src, Options{}).Diagnostics {
		line, start := lines.Line(d.Span.Start)
		fmt.Fprintf(&b, "%d:%d: %v: %s\n", line+1, d.Span.Start-start+1, d.Severity, d.Code)
	}
	if b.Len() > 0 {
		add("diagnostics", b.String())
	}
	return files
}
