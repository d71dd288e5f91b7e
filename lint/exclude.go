package lint

import (
	"math/big"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
)

// excludes reports whether no value of an attribute passes both of two tests. When in doubt, it
// returns false.
func excludes(x, y *ast.Prop) bool {
	switch x.Name {
	case "tag": // a node may have both
		return false
	case "nodeType":
		return x.Op == ast.OpEq && y.Op == ast.OpEq && excludesType(x.Values[0], y.Values[0])
	}
	if lists(x) {
		return noneAdmitted(x.Values, y)
	}
	if lists(y) {
		return noneAdmitted(y.Values, x)
	}
	if x.Op == ast.OpPresent {
		return false
	}
	if y.Op == ast.OpGt || y.Op == ast.OpGe {
		x, y = y, x
	}
	if (x.Op != ast.OpGt && x.Op != ast.OpGe) || (y.Op != ast.OpLt && y.Op != ast.OpLe) {
		return false
	}
	low, high, ok := numbers(x.Name, x.Values[0], y.Values[0])
	if !ok {
		return false
	}
	c := low.Cmp(high)
	return c > 0 || c == 0 && (x.Op == ast.OpGt || y.Op == ast.OpLt)
}

// lists reports whether a test lists the values that pass.
func lists(p *ast.Prop) bool { return p.Op == ast.OpEq || p.Op == ast.OpIn }

// noneAdmitted reports whether none of the values passes a test. The cost is the sum of the lengths
// of the lists, not their product.
func noneAdmitted(values []ast.Value, p *ast.Prop) bool {
	if !lists(p) {
		return !slices.ContainsFunc(values, func(v ast.Value) bool { return admits(p, v) })
	}
	passing := map[string]bool{}
	for _, v := range p.Values {
		for _, key := range keys(p.Name, v) {
			passing[key] = true
		}
	}
	return !slices.ContainsFunc(values, func(v ast.Value) bool {
		return slices.ContainsFunc(keys(p.Name, v), func(key string) bool { return passing[key] })
	})
}

// keys returns texts for a literal. Two literals share one if and only if they are the same value
// of an attribute.
func keys(name string, v ast.Value) []string {
	kind := ""
	if v.Kind == ast.Null || vocab.Lookup(vocab.Attribute, name) == nil {
		kind = kindOf(v).String()
	}
	list := []string{kind + ":" + v.Text}
	if (numeric(name) || v.Kind == ast.Number) && len(v.Text) <= maxNumber {
		if n, ok := number(v); ok {
			list = append(list, n.RatString())
		}
	}
	return list
}

// excludesType reports whether no node can be of both types. A custom type may have any base type,
// and a name with dots may stand for several types.
func excludesType(a, b ast.Value) bool {
	x, y := vocab.Lookup(vocab.Type, a.Text), vocab.Lookup(vocab.Type, b.Text)
	return x != nil && y != nil && x != y
}

// admits reports whether a node whose attribute has a value may pass a test of the attribute. The
// test does not list the values that pass.
func admits(p *ast.Prop, v ast.Value) bool {
	if v.Kind == ast.Null {
		return p.Op == ast.OpNe && p.Values[0].Kind != ast.Null
	}
	switch p.Op {
	case ast.OpPresent:
		return true
	case ast.OpNe:
		return !same(p.Name, v, p.Values[0])
	case ast.OpMatch:
		return true
	}
	a, b, ok := numbers(p.Name, v, p.Values[0])
	if !ok {
		return true
	}
	switch c := a.Cmp(b); p.Op {
	case ast.OpLt:
		return c < 0
	case ast.OpLe:
		return c <= 0
	case ast.OpGt:
		return c > 0
	default:
		return c >= 0
	}
}

// same reports whether two literals stand for the same value of an attribute.
func same(name string, v, w ast.Value) bool {
	if a, b, ok := numbers(name, v, w); ok {
		return a.Cmp(b) == 0
	}
	if vocab.Lookup(vocab.Attribute, name) == nil && kindOf(v) != kindOf(w) {
		return false // of custom attributes, = keeps the types apart
	}
	return v.Text == w.Text && (v.Kind == ast.Null) == (w.Kind == ast.Null)
}

// kindOf returns the kind of a literal in comparisons: booleans compare as strings.
func kindOf(v ast.Value) ast.ValueKind {
	if v.Kind == ast.Bool {
		return ast.String
	}
	return v.Kind
}

// maxNumber is the length of the longest number that is compared.
const maxNumber = 64

// numbers returns the values of two literals if the attribute compares them as numbers.
func numbers(name string, v, w ast.Value) (a, b *big.Rat, ok bool) {
	if !numeric(name) && (v.Kind != ast.Number || w.Kind != ast.Number) || max(len(v.Text), len(w.Text)) > maxNumber {
		return nil, nil, false
	}
	a, ok = number(v)
	if !ok {
		return nil, nil, false
	}
	b, ok = number(w)
	return a, b, ok
}

// number returns the value of a literal that is a number, quoted or not.
func number(v ast.Value) (*big.Rat, bool) {
	if v.Kind != ast.Number && v.Kind != ast.String || !ast.IsNumber(v.Text) {
		return nil, false
	}
	return new(big.Rat).SetString(v.Text)
}

// numeric reports whether values of an attribute compare as numbers.
func numeric(name string) bool {
	t := vocab.Lookup(vocab.Attribute, name)
	return t != nil && (t.ValueType == vocab.IntType || t.ValueType == vocab.NumberType)
}
