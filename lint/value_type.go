package lint

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// valueType finds tests of an attribute with values it never has.
func valueType(p *pass) {
	for t := range p.props() {
		term := vocab.Lookup(vocab.Attribute, t.Name)
		if term == nil || t.Flag {
			continue
		}
		if t.Op == ast.OpMatch {
			if numeric(t.Name) {
				p.report(t.Bounds(), "`~` searches text, but `"+t.Name+"` is a number", "compare it with `=`, `<` or `>`")
			}
			continue
		}
		for _, v := range t.Values {
			_, isNumber := number(v)
			never := "the test never holds"
			if len(t.Values) > 1 {
				never = "no value equals it"
			}
			switch {
			case v.Kind == ast.Null:
			case numeric(t.Name) && !isNumber:
				p.report(v.Bounds(), "`"+t.Name+"` is a number, but `"+p.text(v.Bounds())+"` is not: "+never, "")
			case term.ValueType == vocab.BoolType && v.Text != "true" && v.Text != "false":
				p.report(v.Bounds(), "`"+t.Name+"` is true or false, but `"+p.text(v.Bounds())+"` is neither", "")
			}
		}
	}
}
