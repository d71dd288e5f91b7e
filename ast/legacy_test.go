package ast_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/parser"
)

// TestLegacyForms checks the examples of the legacy forms. The old selector contains the form and
// is read like the new one, which contains none; the fix of the parser is as safe as the table
// says.
func TestLegacyForms(t *testing.T) {
	n := ast.LegacyForm(0)
	for i := range ast.LegacyForms() {
		if i.Form != n || i.Form.Info().Name != i.Name || i.Form.String() != i.Name || strings.ToLower(i.Name) != i.Name {
			t.Errorf("%s is at the wrong index", i.Name)
		}
		n++
		if len(i.Changes) == 0 || !strings.HasSuffix(i.Summary, ".") {
			t.Errorf("%s is not documented", i.Name)
		}
		for _, c := range i.Changes {
			before, ds := parser.ParseSelector(c.Old, parser.Options{})
			if diag.HasErrors(ds) || !slices.ContainsFunc(before.Legacy(), func(l ast.Legacy) bool { return l.Form == i.Form }) {
				t.Errorf("%s: %q is read without the form: %v", i.Name, c.Old, ds)
			}
			for _, d := range ds {
				for _, f := range d.Fixes {
					if f.Safe != i.Safe {
						t.Errorf("%s: the fix of %q is %v safe", i.Name, c.Old, f.Safe)
					}
				}
			}
			after, ds := parser.ParseSelector(c.New, parser.Options{NoLegacy: true})
			if len(ds) > 0 {
				t.Errorf("%s: %q: %v", i.Name, c.New, ds)
			}
			same := ast.Equal(format.Canonicalize(before), format.Canonicalize(after))
			if same != i.Safe {
				t.Errorf("%s: %q and %q: same %v, safe %v", i.Name, c.Old, c.New, same, i.Safe)
			}
			old, _ := parser.ParseSelector(c.Old, parser.Options{Edition: ast.Edition01})
			atHome := !slices.ContainsFunc(old.Legacy(), func(l ast.Legacy) bool { return l.Form == i.Form })
			want := i.Edition && c.New != "d-1"                 // depths below 1 are legacy there too (D41)
			if atHome != want && i.Form != ast.LegacyTypeBase { // edition 0.1 has some
				t.Errorf("%s: %q is at home in edition 0.1: %v", i.Name, c.Old, atHome)
			}
		}
	}
}
