package lint

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// behaviorBraces finds ttl and cad in braces. They describe behavior and belong in brackets.
func behaviorBraces(p *pass) {
	for n := range ast.All(p.Query) {
		f, ok := n.(*ast.Filter)
		if !ok || f.Form != ast.Braces {
			continue
		}
		var out, in []string // in brackets, in braces
		var first *ast.Prop
		for i := range f.Props {
			t := &f.Props[i]
			if text := p.text(t.Bounds()); t.Name == "ttl" || t.Name == "cad" {
				out = append(out, text)
				if first == nil {
					first = t
				}
			} else {
				in = append(in, text)
			}
		}
		if first == nil {
			continue
		}
		text := "[" + strings.Join(out, ", ") + "]"
		if len(in) > 0 {
			text = "{" + strings.Join(in, ", ") + "}" + text
		}
		p.report(first.Bounds(), "`"+first.Name+"` is behavior, so it belongs in brackets", "write `"+text+"`", diag.Fix{
			Title: "write `" + text + "`", Safe: true, Edits: []diag.Edit{{Span: f.Bounds(), Text: text}},
		})
	}
}
