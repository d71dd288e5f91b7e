package host

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// base returns the last part of the path of a module, without a version.
func base(path string) string {
	parts := strings.FieldsFunc(path, func(c rune) bool { return c == '/' || c == '.' || c == '@' })
	for len(parts) > 1 && len(parts[len(parts)-1]) > 1 && parts[len(parts)-1][0] == 'v' && countDigits(parts[len(parts)-1][1:]) == len(parts[len(parts)-1])-1 {
		parts = parts[:len(parts)-1]
	}
	if len(parts) == 0 {
		return ""
	}
	return parts[len(parts)-1]
}

// module returns the value of a module, which is unknown unless it is of PACT.
func (o *origins) module(path string, at int) value {
	ours, custom := o.isOurs(path)
	if !ours {
		return value{at: o.tokens[at].Span}
	}
	return value{kind: moduleValue, name: base(path), at: o.tokens[at].Span, custom: custom}
}

// member returns a member of a value.
func (o *origins) member(v value, name string) value {
	switch {
	case v.kind == moduleValue:
		return value{kind: memberValue, name: v.name + "." + name, at: v.at, custom: v.custom}
	case v.kind == objectValue && slices.Contains(o.api.again, name):
		return value{kind: memberValue, name: v.name, at: v.at, custom: true}
	case v.kind == localValue:
		return o.structField(v.name, name)
	}
	return value{at: v.at}
}

// result returns what a call of a value returns.
func (o *origins) result(v value) value {
	switch {
	case v.kind == memberValue && (v.custom || slices.Contains(o.api.objects, v.name)):
		v.kind = objectValue
	case v.kind == memberValue && slices.Contains(o.api.lists, v.name):
		v.kind = listValue
	default:
		v.kind = unknownValue
	}
	return v
}

// bindImports finds the names that imports bind.
func (o *origins) bindImports() {
	for i := range o.tokens {
		switch {
		case o.tokens[i].kind != wordToken:
		case o.api == pythonAPI && o.isWord(i, "import", "from") && o.beginsLine(i):
			o.pythonImport(i)
		case o.api == goAPI && o.isWord(i, "import") && o.beginsLine(i):
			for m := range o.imported(i) {
				o.goImport(m)
			}
		case o.api == goAPI && o.isWord(i, "struct") && o.is(i+1, '{') && o.isName(i-1) && (o.isWord(i-2, "type") || o.beginsLine(i-1)):
			if _, twice := o.structs[o.text(i-1)]; twice {
				o.structs[o.text(i-1)] = -1
			} else {
				o.structs[o.text(i-1)] = i + 1
			}
		case o.api == scriptAPI && o.isWord(i, "import") && !o.is(i+1, '(') && !o.is(i+1, '.') && o.selects(i-1) == i-1:
			o.scriptImport(i)
		case o.api == scriptAPI && o.isWord(i, "require", "import") && o.is(i+1, '('):
			o.scriptRequire(i)
		}
	}
}

// pythonImport binds the names of one statement.
func (o *origins) pythonImport(i int) {
	end := o.lineEnds(i)
	path := func(k int) (string, int) {
		at := k
		for k < end && !o.isWord(k, "import", "as") && (o.isName(k) || o.is(k, '.')) && (k == at || o.is(k, '.') || o.is(k-1, '.')) {
			k++
		}
		if k == at {
			return "", k
		}
		return o.src[o.tokens[at].Start:o.tokens[k-1].End], k
	}
	name, k := path(i + 1)
	if o.isWord(i, "import") {
		for at := i + 1; name != ""; {
			v := o.module(name, at)
			if o.isWord(k, "as") && o.isName(k+1) {
				o.neutral[at] = true
				o.bind(k+1, v)
				k += 2
			} else if root, _, dotted := strings.Cut(name, "."); dotted {
				o.bind(at, o.module(root, at))
			} else {
				o.bind(at, v)
			}
			if !o.is(k, ',') {
				return
			}
			at = k + 1
			name, k = path(at)
		}
		return
	}
	for at := i + 1; at < k; at++ {
		o.neutral[at] = true
	}
	if !o.isWord(k, "import") {
		return
	}
	v := o.module(name, i+1)
	for k++; k < end; k++ {
		if !o.isName(k) {
			continue
		}
		m := o.member(v, o.text(k))
		m.at = o.tokens[k].Span
		if o.isWord(k+1, "as") && o.isName(k+2) {
			o.neutral[k], o.neutral[k+1] = true, true
			k += 2
		}
		o.bind(k, m)
	}
}

// bind records what an import binds to the name at a token, if that is of PACT.
func (o *origins) bind(i int, v value) {
	if v.kind != unknownValue {
		o.bound[i] = v
	}
}

// goImport binds the name of a package.
func (o *origins) goImport(m imported) {
	v := o.module(m.path, m.at)
	if before := m.at - 1; o.sameLine(before, m.at) && !o.isWord(before, "import") && !o.is(before, '(') && !o.is(before, ';') {
		if o.isName(before) && o.text(before) != "_" {
			o.bind(before, v)
		}
	} else if _, twice := o.packages[base(m.path)]; twice {
		o.packages[base(m.path)] = value{at: v.at}
	} else {
		o.packages[base(m.path)] = v
	}
}

// scriptImport binds the names of one declaration.
func (o *origins) scriptImport(i int) {
	end := i + 1
	for end < min(len(o.tokens), i+maxImports) && o.tokens[end].kind != textToken && !o.is(end, ';') && !o.is(end, '=') {
		end++
	}
	if end == len(o.tokens) || o.tokens[end].kind != textToken {
		return
	}
	v := o.module(o.literal(end), end)
	for k := i + 1; k < end; k++ {
		named := k
		o.unknown[k] = true
		switch {
		case !o.isName(k) || o.isWord(k, "from") && k == end-1, o.isWord(k, "type") && (o.isName(k+1) && k+2 < end || o.is(k+1, '{') || o.is(k+1, '*')), o.isWord(k, "as"):
			o.neutral[k] = true
			continue
		case o.isWord(k+1, "as") && o.isName(k+2):
			o.neutral[k], o.neutral[k+1] = true, true
			k += 2
			o.unknown[k] = true
		}
		if o.is(int(o.enclosing[named]), '{') {
			o.bind(k, o.member(v, o.text(named)))
		} else {
			o.bind(k, v)
		}
	}
}

// scriptRequire binds the names that a declaration takes from a module that is loaded by a call.
func (o *origins) scriptRequire(i int) {
	v := o.loaded(i)
	k := i - 1
	if o.isWord(k, "await") {
		k--
	}
	if v.kind == unknownValue || !o.is(k, '=') || !o.is(k-1, '}') || !o.endsExpression(o.closing[i+1]+1) {
		return
	}
	open := int(o.opening[k-1])
	if open < 1 || !o.isWord(open-1, "const", "let", "var") {
		return
	}
	for at := open + 1; at < k-1; at++ {
		name := at
		if !o.isName(at) || int(o.enclosing[at]) != open {
			return
		}
		if o.is(at+1, ':') && o.isName(at+2) {
			o.neutral[at] = true
			at += 2
		}
		if at++; at < k-1 && !o.is(at, ',') {
			return
		}
		o.bind(at-1, o.member(v, o.text(name)))
	}
}

// loaded returns the module that a call of require or import loads.
func (o *origins) loaded(i int) value {
	if c := o.closing[i+1]; c == i+3 && o.tokens[i+2].kind == textToken {
		return o.module(o.literal(i+2), i+2)
	}
	return value{at: o.tokens[i].Span}
}

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

// resolve returns what a name stands for at a token.
func (o *origins) resolve(name string, i int) value {
	o.depth++
	defer func() { o.depth-- }()
	if o.depth > maxExpression {
		return value{}
	}
	for f := int(o.owner[i]); f >= 0; f = o.functions[f].outer {
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
		case o.is(q, ':') && !o.is(q+1, '=') && (o.beginsLine(first) && o.enclosing[first] < 0 || o.inParams(first) && (o.is(p, '(') || o.is(p, ',') || o.is(p, '*'))):
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

// binders are the words before a name that is bound.
var binders = []string{
	"let", "const", "var", "def", "class", "function", "func", "for", "lambda", "import", "global", "nonlocal", "del", "type",
	"interface", "enum", "namespace", "module", "package", "catch", "goto", "async", "get", "set", "struct", "trait",
}

// readers are the words before an expression.
var readers = []string{
	"return", "await", "yield", "in", "not", "and", "or", "is", "if", "elif", "while", "assert", "typeof", "instanceof", "new",
	"throw", "raise", "range", "of", "void", "extends", "implements", "go", "defer",
}

// isRead reports whether a name, or a field, between two tokens is only read there.
func (o *origins) isRead(first, last int) bool {
	p, q := first-1, last+1
	switch {
	case o.unknown[first] || o.isWord(p, binders...) || o.assigns(q) && !o.isKeyword(first, last) && !o.isAnnotation(first):
		return false
	case q >= len(o.tokens):
		return true
	case o.is(q, '(') || o.is(q, '[') && o.sameLine(last, q) || o.selects(q) != q && !o.is(q, '>') || o.is(q, '.') || o.is(q, '<') && o.api == scriptAPI:
		return true
	case o.is(q, '?') && o.is(q+1, '.'), o.is(q, '!') && o.is(q+1, '.'), o.text(q) == "?.":
		return true
	case o.isKeyword(first, last), o.isAnnotation(first):
		return true
	case o.isArgument(first, q):
		return true
	case o.isWord(p, readers...), o.isWord(p, "as") && o.api == scriptAPI, o.is(p, '='), o.isOperator(p):
		return !o.isTarget(q)
	case o.is(p, ':'):
		return o.api != scriptAPI && !o.isTarget(q)
	case o.is(p, '[') && o.isName(p-1) && o.tokens[p-1].End == o.tokens[p].Start:
		return true // list[History]
	}
	return false
}

// isKeyword reports whether a name in Python is that of an argument of a call.
func (o *origins) isKeyword(first, last int) bool {
	return o.api == pythonAPI && o.isCall(int(o.enclosing[first])) && (o.is(first-1, '(') || o.is(first-1, ',')) && o.isEqual(last+1)
}

// isAnnotation reports whether a name is a type after a colon: x: T, also before a default value.
func (o *origins) isAnnotation(i int) bool {
	if !o.is(i-1, ':') || !o.isName(i-2) && !o.is(i-2, ')') && !o.is(i-2, '?') {
		return false
	}
	if o.is(i-2, ')') {
		return o.api == scriptAPI // a result
	}
	name := i - 2
	if o.is(name, '?') {
		name--
	}
	switch {
	case o.inParams(i):
		return true
	case o.api == pythonAPI:
		return o.enclosing[i] < 0 && o.beginsLine(name) && !o.isWord(name, "else", "try", "finally")
	case o.api == scriptAPI:
		return o.isWord(name-1, "const", "let", "var") || o.isField(name)
	}
	return false
}

// isCall reports whether a bracket is that of the arguments of a call.
func (o *origins) isCall(open int) bool {
	if open < 1 || !o.is(open, '(') || o.params[open] {
		return false
	}
	return o.isName(open-1) && !o.isWord(open-1, binders...) && !o.isWord(open-1, "in", "not", "and", "or", "is", "return", "if", "elif", "while", "yield", "assert", "with", "import", "else") ||
		o.is(open-1, ')') || o.is(open-1, ']') || o.is(open-1, '>')
}

// isArgument reports whether what is between two tokens is a whole argument of a call.
func (o *origins) isArgument(first, next int) bool {
	if !o.isCall(int(o.enclosing[first])) || !o.is(next, ',') && !o.is(next, ')') {
		return false
	}
	p := first - 1
	return o.is(p, '(') || o.is(p, ',') || o.is(p, '*') || o.is(p, '.') || o.is(p, '&') || o.is(p, '=') && o.isName(p-1)
}

// isOperator reports whether a token is an operator before an operand.
func (o *origins) isOperator(i int) bool {
	if i < 0 || o.tokens[i].kind != punctToken {
		return false
	}
	switch o.text(i) {
	case "==", "!=", "&&", "||", "!", "&", "|", "<", ">", "<=", ">=", "+", "?":
		return true
	}
	return false
}

// isTarget reports whether the token after a name makes the name a target of an assignment: a, b = f().
func (o *origins) isTarget(q int) bool {
	if o.assigns(q) || o.is(q, ':') && o.api == scriptAPI {
		return true
	}
	if q < len(o.tokens) && o.is(q, '=') && o.is(q+1, '>') {
		return true
	}
	if !o.is(q, ',') {
		return false
	}
	for i := q; i < min(len(o.tokens), q+maxLine) && (i == q || o.sameLine(i-1, i)); i++ {
		if o.enclosing[i] == o.enclosing[q] && o.assigns(i) {
			return true
		}
	}
	return false
}

// declares reports whether the place where a name is bound makes it a name of the function there.
func (o *origins) declares(i int) bool {
	p := i - 1
	switch {
	case o.inParams(i), o.is(p, '(') && o.isWord(p-1, "catch"), o.isWord(p, "let", "const", "var", "def", "class", "function", "func"):
		return true
	case o.api == pythonAPI:
		return !o.isOuter(i)
	case o.api == goAPI:
		q := i + 1
		for o.is(q, ',') && o.isName(q+1) {
			q += 2
		}
		return q < len(o.tokens) && o.text(q) == ":="
	}
	return false
}

// isOuter reports whether a name is in a statement of Python that takes names from outside.
func (o *origins) isOuter(i int) bool {
	for k := i - 1; k >= max(0, i-maxLine) && o.sameLine(k, k+1); k-- {
		if o.isWord(k, "global", "nonlocal") {
			return true
		}
	}
	return false
}

// field returns the value of a field of self or this. All that is assigned to fields of that name in
// the file must come from PACT.
func (o *origins) field(name string) value {
	if v, ok := o.fields[name]; ok {
		return v
	}
	o.fields[name] = value{}
	var v value
	for _, at := range o.words[name] {
		i := int(at)
		if o.budget--; o.budget < 0 {
			return value{}
		}
		first := i
		if before := o.selects(i - 1); before != i-1 {
			if first = before; !o.isWord(before, "self", "this") || o.selects(before-1) != before-1 {
				if o.assigns(i + 1) {
					v = value{at: o.tokens[i].Span}
					break
				}
				continue
			}
		} else if o.api == pythonAPI && (int(o.owner[i]) != 0 || o.enclosing[i] >= 0 || !o.beginsLine(i) || o.column(i) == 0) ||
			o.api == scriptAPI && !o.isField(i) && !(o.inParams(i) && o.isModifier(i-1)) {
			continue
		}
		if bound, ok := o.bindingAt(first, i); ok && bound.kind == objectValue {
			v = bound
		} else if !o.isRead(first, i) {
			v = value{at: o.tokens[i].Span}
			break
		}
	}
	o.fields[name] = v
	return v
}

// call proves the string of a call by its receiver or its function, given the offset of the name of
// what is called.
func (o *origins) call(callee int, functions bool) (Proof, ast.Span, string) {
	i := sort.Search(len(o.tokens), func(k int) bool { return o.tokens[k].Start >= callee })
	if i == len(o.tokens) || o.tokens[i].Start != callee || o.tokens[i].kind != wordToken {
		return NoImport, ast.Span{}, ""
	}
	last := o.selects(i - 1)
	var v value
	what := o.text(i)
	if last == i-1 {
		v = o.resolve(what, i)
	} else {
		var receiver value
		receiver, what = o.receiver(last)
		if v = receiver; v.kind == moduleValue {
			v = o.member(v, o.text(i))
		}
	}
	switch {
	case v.kind == memberValue && (v.custom || slices.ContainsFunc(o.api.functions, func(f string) bool { return strings.HasPrefix(f, v.name+"(") })):
		return ByFunction, v.at, fmt.Sprintf("`%s` is %s", o.text(i), v.name)
	case v.kind == objectValue && last != i-1:
		return ByReceiver, v.at, fmt.Sprintf("`%s` comes from %s", what, v.name)
	case v.at.Len() > 0 && last != i-1:
		return NoImport, v.at, fmt.Sprintf("`%s` gets a value that does not come from PACT", what)
	case last != i-1:
		return NoImport, ast.Span{}, fmt.Sprintf("nothing in the file says what `%s` is", what)
	}
	return NoImport, ast.Span{}, ""
}

// receiver returns the value of the expression that ends with a token, and its text.
func (o *origins) receiver(last int) (value, string) {
	if last < 0 {
		return value{}, ""
	}
	start := last
	for range maxExpression {
		if o.is(start, ')') {
			open := int(o.opening[start])
			if open < 0 {
				return value{}, ""
			}
			start = open
			if !o.isName(open-1) || o.isWord(open-1, readers...) {
				break
			}
			start--
		}
		before := o.selects(start - 1)
		if before == start-1 {
			break
		}
		start = before
		if start < 0 || !o.isName(start) && !o.is(start, ')') {
			return value{}, ""
		}
	}
	text := o.src[o.tokens[start].Start:o.tokens[last].End]
	if len(text) > 40 {
		text = text[:strings.LastIndexFunc(text[:40], func(r rune) bool { return r < 0x80 })] + "…"
	}
	if o.isWord(start, "self", "this") && o.selects(last-1) == start && o.api != goAPI {
		return o.field(o.text(last)), text
	}
	if o.isWord(start-1, "new") {
		start--
	}
	v, next := o.expressionTo(start, last+1)
	if next != last+1 {
		return value{at: v.at}, text
	}
	return v, text
}
