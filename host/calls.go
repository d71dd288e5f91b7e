package host

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// field returns the value of a field of self or this at a token. All that is assigned to fields of
// that name in the file must come from PACT, and one of these assignments must be in the class of
// the token: what a class inherits is not known.
func (o *origins) field(name string, use int) value {
	key := nameIn{name, o.home(use)}
	if v, ok := o.fields[key]; ok {
		return v
	}
	o.fields[key] = value{}
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
		} else if o.isMethod(i) {
			v = value{at: o.tokens[i].Span}
			break
		} else if o.api == pythonAPI && (!o.functions[o.owner[i]].class || o.enclosing[i] >= 0 || !o.beginsLine(i)) ||
			o.api == scriptAPI && !o.isField(i) && !(o.inParams(i) && o.isModifier(i-1)) {
			continue
		}
		if bound, ok := o.bindingAt(first, i); ok && bound.kind == objectValue {
			if o.home(i) == key.function {
				v = bound
			}
		} else if !o.isRead(first, i) {
			v = value{at: o.tokens[i].Span}
			break
		}
	}
	o.fields[key] = v
	return v
}

// isMethod reports whether a name is that of a method or a property of a class.
func (o *origins) isMethod(i int) bool {
	if o.api == pythonAPI {
		return o.isWord(i-1, "def") && o.functions[o.owner[i]].class
	}
	return o.is(i+1, '(') && o.params[i+1] && !o.isWord(i-1, "function")
}

// home returns what is around all that has the same self or this: the body of a class or an object,
// or -1 if that is not known.
func (o *origins) home(i int) int {
	if o.api == scriptAPI && o.isField(i) {
		return int(o.enclosing[i])
	}
	for f := int(o.owner[i]); f > 0; f = o.functions[f].outer {
		start := o.functions[f].start
		switch {
		case o.api == pythonAPI && o.functions[f].class:
			return f
		case o.api == scriptAPI && !o.functions[f].arrow && !o.isWord(start-1, "function") && !o.isWord(start-2, "function"):
			return int(o.enclosing[start])
		}
	}
	return -1
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
		return NoImport, v.at, fmt.Sprintf("`%s` may have a value that does not come from PACT", what)
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
		return o.field(o.text(last), last), text
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
