package eval

import (
	"strings"

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

// parseNumber reads [+-]digits[.digits], the numbers of the language, with leading zeros.
func parseNumber(s string) (engine.Number, bool) {
	sign := ""
	if s != "" && (s[0] == '+' || s[0] == '-') {
		sign, s = strings.TrimPrefix(s[:1], "+"), s[1:]
	}
	whole, fraction, point := strings.Cut(s, ".")
	if !digits(whole) || point && !digits(fraction) {
		return engine.Number{}, false
	}
	whole = strings.TrimLeft(whole, "0")
	if whole == "" {
		whole = "0"
	}
	if point {
		whole += "." + fraction
	}
	return engine.ParseNumber(sign + whole)
}

func digits(s string) bool {
	for i := range len(s) {
		if s[i]-'0' > 9 {
			return false
		}
	}
	return s != ""
}
