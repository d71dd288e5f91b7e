package lint

import (
	"slices"
	"testing"

	"github.com/pactkit/pactkit/ast"
)

// TestKeys: two literals have a key in common if and only if they are the same value.
func TestKeys(t *testing.T) {
	values := []ast.Value{{Kind: ast.Null, Text: "null"}, {Kind: ast.Bool, Text: "true"}, {Kind: ast.Bool, Text: "false"}}
	for _, text := range []string{"null", "true", "", "x", "5", "5.0", "0.5", "-5", "05", "1e3", "5."} {
		values = append(values, ast.Value{Kind: ast.String, Text: text})
	}
	for _, text := range []string{"5", "5.0", "0.5", "-5", "7"} {
		values = append(values, ast.Value{Kind: ast.Number, Text: text})
	}
	for _, attribute := range []string{"ttl", "status", "content", "id", "custom"} {
		for _, v := range values {
			for _, w := range values {
				common := slices.ContainsFunc(keys(attribute, v), func(k string) bool { return slices.Contains(keys(attribute, w), k) })
				if want := same(attribute, v, w); common != want {
					t.Errorf("%s: %s %q and %s %q have a key in common: %v, are the same: %v", attribute, v.Kind, v.Text, w.Kind, w.Text, common, want)
				}
			}
		}
	}
}
