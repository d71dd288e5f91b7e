package ast_test

import (
	"fmt"
	"testing"

	"github.com/pactkit/pactkit/ast"
)

// words returns the texts of an enumeration, up to its last constant.
func words[E interface {
	~uint8
	fmt.Stringer
}](last E) []string {
	var list []string
	for e := range last + 1 {
		list = append(list, e.String())
	}
	return list
}

// TestNames checks that the words of an enumeration distinguish its constants.
func TestNames(t *testing.T) {
	for name, list := range map[string][]string{
		"LegacyForm":     words(ast.LegacyRole),
		"RegionName":     words(ast.Head),
		"ZoneName":       words(ast.Post),
		"PositionalName": words(ast.NthOf),
		"Combinator":     words(ast.Child),
		"Op":             words(ast.OpPresent),
		"FilterForm":     words(ast.Parens),
		"ValueKind":      words(ast.String),
		"TimeKind":       words(ast.TimeHistory),
		"InstantKind":    words(ast.Oldest),
		"Slot":           words(ast.Before),
		"Edition":        words(ast.Edition01),
	} {
		seen := map[string]bool{}
		for _, w := range list {
			if seen[w] {
				t.Errorf("%s has %q twice", name, w)
			}
			seen[w] = true
		}
	}
}

func TestEdition(t *testing.T) {
	for _, e := range []ast.Edition{ast.Edition10, ast.Edition01} {
		if got, ok := ast.ParseEdition(e.String()); !ok || got != e {
			t.Errorf("%v is read as %v, %v", e, got, ok)
		}
	}
	for _, s := range []string{"", "1", "1.0.0", "v1.0", "0.2", " 1.0"} {
		if _, ok := ast.ParseEdition(s); ok {
			t.Errorf("%q is an edition", s)
		}
	}
}
