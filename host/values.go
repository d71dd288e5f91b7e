package host

import (
	"slices"
	"strings"
)

// maxExpression is how deep expressions refer to others.
const maxExpression = 16

// expression returns the value of the expression at a token, and the token after it.
func (o *origins) expression(i int) (value, int) { return o.expressionTo(i, len(o.tokens)) }

// expressionTo does the same for an expression that ends before a token.
func (o *origins) expressionTo(i, end int) (value, int) {
	o.depth++
	defer func() { o.depth-- }()
	for o.isWord(i, "await", "new") || o.api == goAPI && o.is(i, '&') {
		i++
	}
	var v value
	switch {
	case i >= len(o.tokens) || o.depth > maxExpression:
		return v, i
	case o.is(i, '('):
		inner, next := o.expression(i + 1)
		if next != o.closing[i] {
			return value{}, i
		}
		v, i = inner, next+1
	case o.api == scriptAPI && o.isWord(i, "require", "import") && o.is(i+1, '('):
		v, i = o.loaded(i), min(o.closing[i+1]+1, len(o.tokens))
	case o.isName(i):
		v = o.resolve(o.text(i), i)
		if brace, ok := o.structs[o.text(i)]; ok && brace >= 0 && o.is(i+1, '{') && v.kind == unknownValue {
			v, i = value{kind: localValue, name: o.text(i), at: o.tokens[i].Span}, o.closing[i+1]
		}
		i++
	default:
		return v, i
	}
	for v.kind != unknownValue && i < end {
		switch {
		case o.is(i, '.') && o.isName(i+1):
			v, i = o.member(v, o.text(i+1)), i+2
		case o.is(i, '<') && o.api == scriptAPI && o.is(o.afterTypes(i), '('):
			i = o.afterTypes(i)
		case o.is(i, '(') && (o.api == goAPI || o.sameLine(i-1, i)):
			v, i = o.result(v), min(o.closing[i]+1, len(o.tokens))
		default:
			return v, i
		}
	}
	return v, i
}

// endsExpression reports whether an expression ends before a token.
func (o *origins) endsExpression(i int) bool {
	switch {
	case i >= len(o.tokens):
		return true
	case o.tokens[i].kind == punctToken && o.tokens[i].Len() == 1 && strings.IndexByte(";)}],:", o.src[o.tokens[i].Start]) >= 0:
		return !o.is(i, ':') || o.api == pythonAPI
	case o.sameLine(i-1, i):
		return o.is(i, '{') && o.api == goAPI
	case o.api == pythonAPI:
		return o.enclosing[i] < 0 && !o.is(i-1, '\\')
	}
	return o.tokens[i].kind == wordToken && !o.isWord(i, "as", "in", "instanceof", "satisfies", "of") || o.is(i, '@') || o.is(i, '#')
}

// typed returns the value of a variable of the type at a token, and the token after it.
func (o *origins) typed(i int) (value, int) {
	if i >= len(o.tokens) {
		return value{}, i
	}
	at := i
	var v value
	switch {
	case o.api == pythonAPI && o.tokens[i].kind == textToken:
		for part := range strings.SplitSeq(o.literal(i), "|") {
			root, rest, dotted := strings.Cut(strings.TrimSpace(part), ".")
			if root == "None" && !dotted {
				continue
			}
			one := o.resolve(root, i)
			if dotted {
				one = o.member(one, rest)
			}
			if v.kind != unknownValue && v.name != one.name || !o.isType(one) {
				return value{at: o.tokens[at].Span}, i + 1
			}
			v = one
		}
		return o.ofType(v, at), i + 1
	case o.api == pythonAPI && o.isWord(i, "Optional") && o.is(i+1, '['):
		v, next := o.typed(i + 2)
		if next != o.closing[i+1] {
			return value{}, i
		}
		return v, next + 1
	case o.api == goAPI && o.is(i, '*'):
		i++
	}
	if !o.isName(i) {
		return value{at: o.tokens[at].Span}, i
	}
	if brace, ok := o.structs[o.text(i)]; ok && brace >= 0 && !o.is(i+1, '.') {
		return value{kind: localValue, name: o.text(i), at: o.tokens[i].Span}, i + 1
	}
	v = o.resolve(o.text(i), i)
	for i++; o.is(i, '.') && o.isName(i+1); i += 2 {
		v = o.member(v, o.text(i+1))
	}
	for o.api != goAPI && o.is(i, '|') && o.isWord(i+1, "None", "undefined", "null") {
		i += 2
	}
	return o.ofType(v, at), i
}

func (o *origins) isType(v value) bool {
	return v.kind == memberValue && (v.custom || slices.Contains(o.api.types, v.name))
}

// ofType returns the value of a variable of a type.
func (o *origins) ofType(v value, at int) value {
	if !o.isType(v) {
		return value{at: o.tokens[min(at, len(o.tokens)-1)].Span}
	}
	v.kind, v.at = objectValue, o.tokens[at].Span
	return v
}

// structField returns the value of a field of a struct of a Go program.
func (o *origins) structField(name, field string) value {
	brace := o.structs[name]
	for _, at := range o.words[field] {
		if i := int(at); int(o.enclosing[i]) == brace && o.beginsLine(i) {
			v, next := o.typed(i + 1)
			if next == len(o.tokens) || !o.sameLine(next-1, next) || o.is(next, ';') || o.tokens[next].kind == textToken || o.is(next, '}') {
				return v
			}
		}
	}
	return value{}
}
