package lint

import (
	"regexp/syntax"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// plainRegex finds regular expressions that are plain text, whose author may have meant equality.
func plainRegex(p *pass) {
	for t := range p.props() {
		if t.Op != ast.OpMatch || t.Values[0].Text == "" || numeric(t.Name) {
			continue
		}
		re, err := syntax.Parse(t.Values[0].Text, syntax.Perl)
		if err != nil || re.Op != syntax.OpLiteral || re.Flags&syntax.FoldCase != 0 {
			continue
		}
		at := t.Start() + strings.IndexByte(p.text(t.Bounds()), '~')
		p.report(t.Bounds(), "`"+p.text(t.Values[0].Bounds())+"` is plain text, which `~` finds anywhere in the value",
			"`=` compares the whole value",
			diag.Fix{Title: "write `=`", Edits: []diag.Edit{{Span: ast.Span{Start: at, End: at + 1}, Text: "="}}})
	}
}
