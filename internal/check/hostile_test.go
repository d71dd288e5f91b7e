package check_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/parser"
)

// TestHostile checks files with many selectors, and selectors with many findings. If the time is
// linear, the test takes a few seconds; if it were quadratic, minutes.
func TestHostile(t *testing.T) {
	n := 60_000 // selectors in a file
	if testing.Short() {
		n = 2_000
	}
	limits := parser.Limits{Bytes: 1 << 28, Tokens: 1 << 20, Fragments: 1 << 16, Selectors: 1 << 20, Errors: 1 << 20}
	ignore := "pactkit:ignore legacy/type-name -- old"
	for _, c := range []struct {
		name, file          string
		before, each, after string
		n                   int
	}{
		{"selector file", "x.pactsel", "", ".mt # x\n", "", n},
		{"comments of a selector file", "x.pactsel", "", ".mt # " + ignore + "\n", "", n},
		{"comments about the file", "x.pactsel", "", "# pactkit:ignore-file legacy/type-name -- old\n.mt\n", "", n},
		{"strings", "x.go", "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n", "var _ = x.Select(c, \".mt\")\n", "", n},
		{"comments of strings", "x.go", "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n", "var _ = x.Select(c, \".mt\") // " + ignore + "\n", "", n},
		{"comments of one line", "x.go", "package a; import \"github.com/pactkit/pactkit\"; var x *pactkit.Tree; func f() { ", "x.Select(c, \".mt\") /* " + ignore + " */; ", "}", n},
		{"kept strings", "x.go", "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n", "var _ = x.Select(c, \".mt\") // pactkit:fmt-skip\n", "", n},
		{"values of one line", "x.yaml", "# pact\nselectors: [", `".mt", `, "]\n", n},
		{"block of code", "x.md", "PACT\n\n```pact\n", ".mt\n", "```\n", n},
		{"indented block of code", "x.md", "- PACT\n\n  ```pact\n", "  .mt\n", "  ```\n", n},
		{"strings of a block of code", "x.md", "PACT\n\n```go\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n", "x.Select(c, \".mt\")\n", "```\n", n},
		{"old types of one selector", "x.pactsel", ".mt", " > .mt", "\n", n / 10},
		{"tests made twice", "x.pactsel", ".a[x=1", ",x=1", "]\n", n / 10},
		{"tests of one attribute", "x.pactsel", ".a[ttl=x", ",ttl=%d", "]\n", n / 10},
		{"fragments", "x.pactsel", ".a+x", " | .a+x+t%d", "\n", n / 20},
	} {
		t.Run(c.name, func(t *testing.T) {
			var b strings.Builder
			b.WriteString(c.before)
			for i := range c.n {
				b.WriteString(strings.Replace(c.each, "%d", strconv.Itoa(i), 1))
			}
			b.WriteString(c.after)
			o := check.Options{Format: format.Options{Edition: ast.Edition10, Limits: limits}}
			r := check.File(t.Context(), host.For(c.file), b.String(), o)
			if len(r.Findings)+len(r.Silenced) == 0 {
				t.Error("nothing was found")
			}
		})
	}
}
