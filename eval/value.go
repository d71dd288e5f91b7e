package eval

import (
	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// value is the value of an attribute.
type value struct {
	kind   valueKind
	text   string // of isText; "true" or "false" of isBool
	number engine.Number
	list   []string // of isTags
}

type valueKind uint8

const (
	isNull   valueKind = iota // missing, or null
	isNumber                  //
	isText                    //
	isBool                    //
	isTags                    // a list, one member of which must pass a test
	isOther                   // a list or an object, which is present and equals nothing
)

func numberValue(n engine.Number) value { return value{kind: isNumber, number: n} }

func intValue(n int64) value { return numberValue(engine.Int(n)) }

func optionalNumber(n engine.Number, ok bool) value {
	if !ok {
		return value{}
	}
	return numberValue(n)
}

func optionalText(s string, ok bool) value {
	if !ok {
		return value{}
	}
	return value{kind: isText, text: s}
}

// jsonValue converts a stored value.
func jsonValue(v engine.Value) value {
	if v.IsZero() || v.IsNull() {
		return value{}
	}
	if s, ok := v.Text(); ok {
		return value{kind: isText, text: s}
	}
	if n, ok := v.Number(); ok {
		return numberValue(n)
	}
	if s := v.String(); s == "true" || s == "false" {
		return value{kind: isBool, text: s}
	}
	return value{kind: isOther}
}

// string returns the text of a value that can be compared as text.
func (v value) string() (string, bool) {
	switch v.kind {
	case isText, isBool:
		return v.text, true
	case isNumber:
		return v.number.String(), true
	}
	return "", false
}

// asNumber returns the value of a number, or of a text that is written like one.
func (v value) asNumber() (engine.Number, bool) {
	switch v.kind {
	case isNumber:
		return v.number, true
	case isText:
		return parseNumber(v.text)
	}
	return engine.Number{}, false
}

// literal is an operand of a test.
type literal struct {
	kind   ast.ValueKind
	text   string        // as in [ast.Value]
	number engine.Number // when numeric is set
	// numeric is set for a number, and for a string that is written like one.
	numeric bool
}

func newLiteral(v ast.Value) literal {
	l := literal{kind: v.Kind, text: v.Text}
	if v.Kind == ast.Number || v.Kind == ast.String {
		l.number, l.numeric = parseNumber(v.Text)
	}
	return l
}

// parseNumber parses a number as it is written in a selector.
func parseNumber(s string) (engine.Number, bool) {
	if !ast.IsNumber(s) {
		return engine.Number{}, false
	}
	return engine.ParseNumber(ast.NormalNumber(s))
}
