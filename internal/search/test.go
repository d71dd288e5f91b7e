package search

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// attr is an attribute that a tape has.
type attr uint8

const (
	attrNone attr = iota // any other: every node may pass
	attrType
	attrZone
	attrZero // a number that is 0 for every node: offset, priority
	attrNull // null for every node: ttl, cad
	attrDepth
	attrTag
	attrRole
	attrKind
	attrKey
	attrID
	attrName
	attrCall
	attrContent
)

// attrs has the attributes that tests on a tape can decide, by name.
var attrs = map[string]attr{
	"nodeType": attrType, "offset": attrZero, "priority": attrZero, "ttl": attrNull, "cad": attrNull, "depth": attrDepth,
	"tag": attrTag, "role": attrRole, "kind": attrKind, "key": attrKey, "id": attrID, "name": attrName, "call_id": attrCall,
	"content": attrContent,
}

// test is one condition on a node.
type test struct {
	attr   attr
	op     ast.Op
	values []ast.Value
	not    bool // of attrType
	types  types
	isCore bool // of attrZone
	custom bool // compared by type, not as text
	re     *pattern
	exact  bool // exact; otherwise a node that passes may still fail the test
}

// cost orders tests: the cheap ones first.
func (t *test) cost() int { return int(t.attr) }

// newTest makes the test of an attribute. It returns false for a pattern that does not compile.
func newTest(p *ast.Prop) (test, bool) {
	t := test{op: p.Op, values: p.Values}
	if p.Flag {
		return t, true // attrNone
	}
	name := p.Name
	if term := vocab.Lookup(vocab.Attribute, name); term != nil {
		name = term.Name
	}
	t.attr = attrs[name]
	t.custom = t.attr == attrName || t.attr == attrCall
	t.exact = t.attr != attrNone
	switch t.op {
	case ast.OpMatch:
		re, err := newPattern(p.Values[0].Text)
		if err != nil {
			return t, false
		}
		t.re = re
		if t.attr == attrType || t.attr == attrZero || t.attr == attrDepth {
			t.attr, t.exact = attrNone, false
		}
	case ast.OpLt, ast.OpLe, ast.OpGt, ast.OpGe:
		t.attr, t.exact = attrNone, false
	}
	switch t.attr {
	case attrType:
		return t, t.typed()
	case attrZero, attrDepth:
		if !t.areSmall() {
			t.attr, t.exact = attrNone, false
		}
	}
	return t, true
}

// typed sets the types that pass a test of the type. It returns false for a name with several
// meanings.
func (t *test) typed() bool {
	if t.op == ast.OpPresent {
		t.types, t.not = types{}, true
		return true
	}
	t.not = t.op == ast.OpNe
	for _, v := range t.values {
		if v.Kind == ast.Null {
			continue
		}
		of, ok := typesOf(v.Text)
		if !ok {
			return false
		}
		t.types = types{t.types.seg || of.seg, t.types.cont || of.cont, t.types.block || of.block, t.types.log || of.log, t.types.record || of.record}
	}
	return true
}

// areSmall reports whether all operands are whole numbers of 32 bits.
func (t *test) areSmall() bool {
	return !slices.ContainsFunc(t.values, func(v ast.Value) bool {
		_, err := strconv.ParseInt(v.Text, 10, 32)
		return err != nil || v.Kind == ast.Null || v.Kind == ast.Bool
	})
}

// passes reports whether a node passes the test.
func (t *test) passes(v *view, n *node) bool {
	switch t.attr {
	case attrType:
		return t.types.has(n) != t.not
	case attrZone:
		return t.isCore && !n.base.isRegion() && n.base != baseSeg
	case attrZero:
		return t.number(0, true)
	case attrNull:
		return t.missing()
	case attrDepth:
		return t.number(v.depth(n))
	case attrTag, attrRole:
		return t.word(n.role)
	case attrKind:
		return t.word(n.kind)
	case attrKey:
		return t.word(n.key)
	case attrID:
		if n.number > 0 && t.op == ast.OpEq && t.values[0].Kind != ast.Null {
			return t.isID(n)
		}
		return t.word(n.idOf())
	case attrName:
		return t.value(n.name)
	case attrCall:
		return t.word(n.call)
	case attrContent:
		return t.value(n.contentAt(v.cycle))
	}
	return true
}

// isID compares an id without building its text.
func (t *test) isID(n *node) bool {
	want := t.values[0].Text
	of := baseNames[n.base]
	if len(want) <= len(of) || want[len(of)] != ':' || want[:len(of)] != of {
		return false
	}
	var digits [12]byte
	return string(strconv.AppendInt(digits[:0], int64(n.number), 10)) == want[len(of)+1:]
}

// number tests a number, or null for a missing one.
func (t *test) number(n int64, ok bool) bool {
	switch t.op {
	case ast.OpPresent:
		return ok
	case ast.OpEq, ast.OpIn, ast.OpNe:
		if !ok {
			return t.op == ast.OpNe
		}
		for _, v := range t.values {
			if i, _ := strconv.ParseInt(v.Text, 10, 64); i == n {
				return t.op != ast.OpNe
			}
		}
		return t.op == ast.OpNe
	}
	return true
}

// missing tests an attribute that the node does not have.
func (t *test) missing() bool {
	switch t.op {
	case ast.OpEq, ast.OpIn:
		return t.hasNull()
	case ast.OpNe:
		if t.attr == attrNull && !t.isComparable() {
			return false
		}
		return !t.hasNull()
	}
	return false
}

func (t *test) hasNull() bool {
	return slices.ContainsFunc(t.values, func(v ast.Value) bool { return v.Kind == ast.Null })
}

// isComparable reports whether an attribute of numbers can compare with the operand.
func (t *test) isComparable() bool {
	v := t.values[0]
	if v.Kind == ast.Null {
		return true
	}
	_, err := strconv.ParseFloat(v.Text, 64)
	return err == nil && v.Kind != ast.Bool && !strings.ContainsAny(v.Text, "eExXpPiInN_")
}

// word tests a text that is empty only if it is missing.
func (t *test) word(s string) bool {
	if s == "" {
		return t.missing()
	}
	return t.text(text{Raw: s, Form: plain})
}

// value tests a value of the log.
func (t *test) value(v text) bool {
	switch v.Form {
	case absent, null:
		return t.missing()
	case plain, escaped, coded:
		return t.text(v)
	}
	switch t.op { // a list, an object; or a number or a boolean
	case ast.OpPresent:
		return true
	}
	return t.structured(v)
}

// structured tests a value that is not a text.
func (t *test) structured(v text) bool {
	isScalar := v.Raw != "" && v.Raw[0] != '[' && v.Raw[0] != '{'
	s := ""
	if isScalar {
		s = v.Raw
	}
	switch t.op {
	case ast.OpEq, ast.OpIn, ast.OpNe:
		equal := isScalar && slices.ContainsFunc(t.values, func(l ast.Value) bool { return l.Kind != ast.Null && t.equalScalar(s, l) })
		return equal == (t.op != ast.OpNe)
	case ast.OpMatch:
		return (s == "true" || s == "false") && t.re.re.MatchString(s)
	}
	return false
}

func (t *test) equalScalar(s string, l ast.Value) bool {
	isBool := s == "true" || s == "false"
	if t.custom {
		return isBool && l.Kind != ast.Number && s == l.Text || !isBool && l.Kind == ast.Number && s == l.Text
	}
	return s == l.Text
}

// text tests a string.
func (t *test) text(v text) bool {
	switch t.op {
	case ast.OpPresent:
		return true
	case ast.OpMatch:
		return t.re.match(v)
	}
	equal := false
	for i := range t.values {
		l := &t.values[i]
		if l.Kind == ast.Null || t.custom && l.Kind == ast.Number {
			continue
		}
		if v.Form == plain {
			equal = equal || v.Raw == l.Text
		} else if len(l.Text) <= len(v.Raw) {
			s, _ := v.Text()
			equal = equal || s == l.Text
		}
	}
	return equal == (t.op != ast.OpNe)
}
