package eval_test

import (
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
)

// TestCompileRefuses shows that an invalid query that no parser has checked is refused, with its
// position, and never mistaken for another one.
func TestCompileRefuses(t *testing.T) {
	for text, code := range map[string]diag.Code{
		".a[age<2]":               diag.TimeRequired,
		".a > (.b ?? .c)":         diag.SelectorInvalid,
		"{x~'('}":                 diag.SelectorInvalid,
		".a @limit=x":             diag.ControlInvalid,
		".a @limit=-1":            diag.ControlInvalid,
		".a @order=sideways":      diag.ControlInvalid,
		".a @p=2":                 diag.ControlInvalid,
		".a @mode=union":          diag.TimeRequired,
		"@t0 .a @mode=union":      diag.TimeRequired,
		"@t0..@t-1 .a @mode=many": diag.ControlInvalid,
	} {
		q, _ := parser.ParseSelector(text, parser.Options{})
		p, ds := eval.Compile(q)
		if p != nil || len(ds) == 0 || ds[0].Code != code || ds[0].Severity != diag.Error || ds[0].Span.End > len(text) {
			t.Errorf("%s: %v, want %s", text, ds, code)
		}
	}
	for name, q := range map[string]*ast.Query{
		"nothing":        {},
		"no chain":       {Union: []ast.Fragment{{}}},
		"no step":        {Union: []ast.Fragment{{Chains: []ast.Chain{{}}}}},
		"an empty group": {Union: []ast.Fragment{{Chains: []ast.Chain{{Steps: []ast.Step{{Anchor: &ast.Group{Chain: &ast.Chain{}}}}}}}}},
	} {
		if p, ds := eval.Compile(q); p != nil || len(ds) == 0 || ds[0].Code != diag.SelectorInvalid {
			t.Errorf("%s: %v", name, ds)
		}
	}
}
