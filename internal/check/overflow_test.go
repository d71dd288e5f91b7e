package check_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/parser"
)

// TestOverflow checks that a selector whose formatted text would exceed a limit of the parser stays
// as it is and is reported at its position, and that the rest of the file is corrected and
// formatted.
func TestOverflow(t *testing.T) {
	steps := strings.Repeat(".a ", 3999) + ".a" // of 8,000 tokens
	few := parser.Limits{Bytes: 1000}
	for _, c := range []struct {
		name, file, src, want string
		at                    string // the finding is before this
		limits                parser.Limits
	}{
		{"tokens", "x.pactsel", ".mt\n" + steps + "\n.b\n",
			"@t0 (*[nodeType='seg'])\n" + steps + "\n@t0 (*[nodeType='b'])\n", steps, parser.Limits{}},
		{"tokens corrected", "x.pactsel", ".mt " + steps + "\n.b\n",
			".seg " + steps + "\n@t0 (*[nodeType='b'])\n", ".seg", parser.Limits{}},
		{"bytes", "x.pactsel", ".mt\n" + steps[:300] + "\n",
			"@t0 (*[nodeType='seg'])\n" + steps[:300] + "\n", ".a", few},
		{"bytes of the file", "x.pactsel", strings.Repeat(".seg\n", 45), strings.Repeat(".seg\n", 45), "", few},
		{"string", "x.go", "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n\nvar _, _ = x.Select(c, \"" + steps + "\"), x.Select(c, \".mt\")\n",
			"package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar x *pactkit.Tree\n\nvar _, _ = x.Select(c, \"" + steps + "\"), x.Select(c, \"@t0 (*[nodeType='seg'])\")\n", steps, parser.Limits{}},
		{"position", "x.go", "package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar ctx *pactkit.Tree\n\nvar _ = ctx.Insert(x, \"(" + steps + ", end)\")\n",
			"package a\n\nimport \"github.com/pactkit/pactkit\"\n\nvar ctx *pactkit.Tree\n\nvar _ = ctx.Insert(x, \"(" + steps + ", end)\")\n", steps, parser.Limits{}},
	} {
		t.Run(c.name, func(t *testing.T) {
			h := host.For(c.file)
			o := check.Options{Format: format.Options{Limits: c.limits}}
			limits := func(what string, r check.Result, want int) {
				t.Helper()
				var found []check.Finding
				for _, f := range r.Findings {
					if f.Rule.ID == "syntax/selector-limit" {
						found = append(found, f)
					}
				}
				if len(found) != want {
					t.Fatalf("%s: %d findings, want %d", what, len(found), want)
				}
				if want == 0 {
					return
				}
				f := found[0]
				if f.Code != diag.SelectorLimit || f.Severity != diag.Error || (f.Selector == "") != (c.at == "") {
					t.Errorf("%s: %v about %.40q", what, f.Diagnostic, f.Selector)
				}
			}
			fixed, err := check.Fix(t.Context(), h, c.src, o, false)
			if err != nil || fixed.Text != c.want {
				t.Errorf("fixed: %.200q, %.200v", fixed.Text, err)
			}
			limits("fix", fixed.Left, 1)
			for _, f := range fixed.Left.Findings {
				if !strings.HasPrefix(fixed.Text[f.Span.Start:], c.at) {
					t.Errorf("%v is before %.40q", f.Diagnostic, fixed.Text[f.Span.Start:])
				}
			}
			again, err := check.Fix(t.Context(), h, fixed.Text, o, false)
			if err != nil || again.Text != fixed.Text {
				t.Errorf("fixed again: %.200q, %.200v", again.Text, err)
			}
			limits("fix again", again.Left, 1)
			if text, err := check.FormatFile(h, fixed.Text, o); err != nil || text.Text != fixed.Text {
				t.Errorf("formatted: %.200q, %.200v", text.Text, err)
			}
			limits("lint", check.File(t.Context(), h, c.src, o), 0)
			o.Unformatted = true
			limits("check", check.File(t.Context(), h, c.src, o), 1)
			fixed, _ = check.Fix(t.Context(), h, c.src, o, false)
			limits("fix of what check finds", fixed.Left, 1)
		})
	}
}
