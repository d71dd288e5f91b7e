package host

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
	if open < 1 || !o.is(open, '(') || o.params[open] || o.api == pythonAPI && (o.beginsLine(open) || o.isWord(open-1, "as", "case")) {
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

// isTarget reports whether the token after a name makes the name a target of an assignment: a, b =
// f().
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
