package eval

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// literal is an operand of a test.
type literal struct {
	kind   ast.ValueKind
	text   string        // a number as it is written after normalising, true and false as words
	number engine.Number // when numeric is set
	// numeric tells that the operand is a number, or a string that reads as one.
	numeric bool
}

func newLiteral(v ast.Value) literal {
	l := literal{kind: v.Kind, text: v.Text}
	if v.Kind == ast.Number || v.Kind == ast.String {
		l.number, l.numeric = parseNumber(v.Text)
	}
	return l
}

// parseNumber reads a number of the language.
func parseNumber(s string) (engine.Number, bool) {
	if !ast.IsNumber(s) {
		return engine.Number{}, false
	}
	return engine.ParseNumber(ast.NormalNumber(s))
}
