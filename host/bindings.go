package host

import (
	"slices"
	"strings"
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
