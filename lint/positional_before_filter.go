package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// positionalBeforeFilter finds tests after a positional pseudo: `.block:first{x=1}` takes the first
// block and then tests it, but usually the first block that passes is meant (decision D3).
func positionalBeforeFilter(p *pass) {
	for s := range p.steps() {
		for i, q := range s.qualifiers[:max(len(s.qualifiers)-1, 0)] {
			pos, ok := q.(*ast.Positional)
			if !ok {
				continue
			}
			next := s.qualifiers[i+1]
			switch next.(type) {
			case *ast.Filter, *ast.Tag, *ast.Key:
			default:
				continue
			}
			last := next
			for _, after := range s.qualifiers[i+2:] {
				if _, ok := after.(*ast.Positional); ok {
					break
				}
				last = after
			}
			end := last.Bounds().End
			p.report(ast.Span{Start: pos.Start(), End: end}, "`"+p.text(pos.Bounds())+"` is applied before `"+p.text(next.Bounds())+"`",
				"to choose among the nodes that pass the test, write the pseudo last",
				diag.Fix{Title: "move `" + p.text(pos.Bounds()) + "` after the filter", Edits: []diag.Edit{
					{Span: pos.Bounds()}, {Span: ast.Span{Start: end, End: end}, Text: p.text(pos.Bounds())},
				}})
			break // one finding per step
		}
	}
}
