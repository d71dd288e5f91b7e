package host

import (
	"slices"
	"sort"
	"strings"
)

// resolve returns what a name stands for at a token.
func (o *origins) resolve(name string, i int) value {
	o.depth++
	defer func() { o.depth-- }()
	if o.depth > maxExpression {
		return value{}
	}
	for f := int(o.owner[i]); f >= 0; f = o.functions[f].outer {
		if o.functions[f].class && f != int(o.owner[i]) {
			continue // functions do not see the names of the class around them
		}
		if v, found := o.inFunction(name, f); found {
			return v
		}
	}
	return o.packages[name]
}

// inFunction returns what a name stands for in a function that binds it.
func (o *origins) inFunction(name string, f int) (value, bool) {
	key := nameIn{name, f}
	if m, ok := o.memo[key]; ok {
		return m.value, m.found
	}
	o.memo[key] = known{found: true} // a name that depends on itself is unknown
	v, found := o.binding(name, f)
	o.memo[key] = known{v, found}
	return v, found
}

// binding does the work of inFunction.
func (o *origins) binding(name string, f int) (v value, found bool) {
	list := o.words[name]
	first := sort.Search(len(list), func(k int) bool { return int(list[k]) >= o.functions[f].start })
	for _, at := range list[first:] {
		i := int(at)
		if i >= o.functions[f].end {
			break
		}
		if o.budget--; o.budget < 0 {
			return value{at: o.tokens[i].Span}, true
		}
		own := int(o.owner[i]) == f
		if o.neutral[i] || o.selects(i-1) != i-1 {
			continue
		}
		bound, ok := o.bound[i]
		if !ok {
			bound, ok = o.bindingAt(i, i)
			bound.at = o.tokens[i].Span
		}
		switch {
		case ok && own:
			if found && (bound.kind != v.kind || bound.name != v.name && v.kind != objectValue) {
				return value{at: o.tokens[i].Span}, true
			}
			v, found = bound, true
		case ok:
		case o.isRead(i, i):
		case own || !o.declares(i):
			return value{at: o.tokens[i].Span}, true
		}
	}
	return v, found
}

// bindingAt returns the value of PACT that a name, or a field of an object, is given between two
// tokens. It returns false if they give it none.
func (o *origins) bindingAt(first, last int) (value, bool) {
	var v value
	p, q := first-1, last+1
	switch o.api {
	case pythonAPI:
		switch {
		case o.isEqual(q) && o.beginsLine(first) && o.enclosing[first] < 0:
			var next int
			if v, next = o.expression(q + 1); !o.endsExpression(next) || o.is(next, ',') || o.is(next, ':') {
				v = value{}
			}
		case o.is(q, ':') && !o.is(q+1, '=') && (o.beginsLine(first) && o.enclosing[first] < 0 || o.inParams(first) && (o.is(p, '(') || o.is(p, ','))):
			var next int
			if v, next = o.typed(q + 1); next < len(o.tokens) && o.sameLine(next-1, next) && !o.isEqual(next) && !o.is(next, ',') && !o.is(next, ')') && !o.is(next, ';') {
				v = value{}
			}
		case o.isWord(p, "for") && o.isWord(q, "in"):
			v = o.element(q + 1)
		}
	case goAPI:
		v = o.goBinding(first, last)
	case scriptAPI:
		v = o.scriptBinding(first, last)
	}
	return v, v.kind != unknownValue
}

// element returns the value of the elements of a list.
func (o *origins) element(i int) value {
	v, next := o.expression(i)
	if v.kind != listValue || !o.endsExpression(next) && !o.isWord(next, "if", "for", "async") {
		return value{}
	}
	v.kind = objectValue
	return v
}

func (o *origins) goBinding(first, last int) value {
	p, q := first-1, last+1
	if o.inParams(first) && (o.is(p, '(') || o.is(p, ',')) || o.isWord(p, "var") {
		for o.is(q, ',') && o.isName(q+1) {
			q += 2 // a, b T
		}
		if v, next := o.typed(q); v.kind != unknownValue && (o.is(next, ',') || o.is(next, ')') || o.endsExpression(next) || o.isEqual(next)) {
			return v
		}
	}
	if !o.beginsLine(first) && !o.isWord(p, "var", "if", "for", "switch") && !o.is(p, '{') && !o.is(p, ':') {
		return value{}
	}
	for o.is(q, ',') && o.isName(q+1) {
		q += 2
	}
	if q >= len(o.tokens) || !o.isEqual(q) && o.text(q) != ":=" {
		return value{}
	}
	if v, next := o.expression(q + 1); o.endsExpression(next) && !o.is(next, ',') {
		return v
	}
	return value{}
}

func (o *origins) scriptBinding(first, last int) value {
	p, q := first-1, last+1
	declared := o.isWord(p, "const", "let", "var")
	switch {
	case o.isEqual(q) && (declared || o.beginsLine(first) || o.is(p, ';') || o.is(p, '{') || o.is(p, '}') || o.isModifier(p)):
		if v, next := o.expression(q + 1); o.endsExpression(next) {
			return v
		}
	case declared && o.isWord(q, "of"):
		return o.element(q + 1)
	case declared || o.inParams(first) && (o.is(p, '(') || o.is(p, ',') || o.isModifier(p)) || o.isField(first):
		if o.is(q, '?') || o.is(q, '!') {
			q++
		}
		if !o.is(q, ':') {
			break
		}
		if v, next := o.typed(q + 1); o.is(next, ',') || o.is(next, ')') || o.isEqual(next) || o.is(next, ';') || o.endsExpression(next) {
			return v
		}
	}
	return value{}
}

// isModifier reports whether a token is a modifier of a field in TypeScript.
func (o *origins) isModifier(i int) bool {
	return o.isWord(i, "private", "public", "protected", "readonly", "static", "declare", "override")
}

// isField reports whether a token is the name of a field in the body of a class.
func (o *origins) isField(i int) bool {
	brace := int(o.enclosing[i])
	if !o.is(brace, '{') || !o.beginsLine(i) && !o.is(i-1, '{') && !o.isModifier(i-1) && !o.is(i-1, '#') {
		return false
	}
	for k := brace - 1; k > max(0, brace-32) && !o.is(k, '{') && !o.is(k, ';') && !o.is(k, '}'); k-- {
		if o.isWord(k, "class") {
			return true
		}
	}
	return false
}

func (o *origins) inParams(i int) bool { return o.enclosing[i] >= 0 && o.params[int(o.enclosing[i])] }

// isEqual reports whether a token is the sign of an assignment that is nothing else too.
func (o *origins) isEqual(i int) bool {
	return i < len(o.tokens) && o.is(i, '=') && o.assigns(i)
}

// assignments are the operators that change the value of a name, besides =.
var assignments = []string{
	":=", "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "@=", "**=", "//=", "<<=", ">>=", ">>>=", "&&=", "||=", "??=", "&^=", "++", "--",
}

// assigns reports whether an assignment begins at a token.
func (o *origins) assigns(i int) bool {
	if i >= len(o.tokens) || o.tokens[i].kind != punctToken {
		return false
	}
	rest := o.src[o.tokens[i].Start:]
	n := 0
	for n < min(len(rest), 8) && strings.IndexByte("=:+-*/%&|^<>!?@~", rest[n]) >= 0 {
		n++
	}
	if run := rest[:n]; strings.HasPrefix(run, "=") {
		return !strings.HasPrefix(run, "==") && !strings.HasPrefix(run, "=>")
	} else {
		return slices.ContainsFunc(assignments, func(op string) bool { return strings.HasPrefix(run, op) })
	}
}
