package host

import (
	"fmt"
	"slices"
	"sort"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// field returns the value of a field of self or this. All that is assigned to fields of that name
// in the file must come from PACT.
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
