package eval

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// test is one condition on a node, with its names resolved. Its meaning is defined here; match.go
// applies it to the nodes of a view.
type test struct {
	kind   testKind
	name   string // of the attribute
	attr   *attribute
	class  vocab.ValueType
	op     ast.Op
	lits   []literal
	re     *pattern     // of OpMatch
	not    bool         // of testType
	types  typeTest     // of testType
	zone   ast.ZoneName // of testZone
	text   string       // of testKey, testID and testTag
	word   tree.Word    // text
	ints   *intTest     // of testInts and testZone
	column tree.Column  // the header that ints tests
}

// testKind tells how a test is evaluated.
type testKind uint8

const (
	testValue     testKind = iota // of a value, node by node
	testInts                      // of a numeric column
	testType                      // nodeType = != in
	testTag                       // tag = word
	testKey                       // key = word
	testID                        // id = word
	testZone                      //
	testEphemeral                 //
	testSticky                    //
)

var flags = map[string]testKind{"flag.ephemeral": testEphemeral, "flag.sticky": testSticky}

// wordTests are the tests of attributes that are looked up by a word.
var wordTests = map[string]testKind{"key": testKey, "id": testID, "tag": testTag}

// newTest resolves a test that was parsed without an error, except for its pattern.
func newTest(p *ast.Prop) *test {
	if p.Flag {
		if f := vocab.Lookup(vocab.Flag, p.Name); f != nil {
			return &test{kind: flags[f.ID]}
		}
	}
	t := &test{name: p.Name, op: p.Op}
	t.attr, t.class = lookupAttribute(p.Name)
	for _, v := range p.Values {
		t.lits = append(t.lits, newLiteral(v))
	}
	equality := p.Op == ast.OpEq || p.Op == ast.OpIn || p.Op == ast.OpNe
	word := p.Op == ast.OpEq && t.lits[0].kind != ast.Null
	switch {
	case p.Name == "nodeType" && equality:
		t.kind, t.not = testType, p.Op == ast.OpNe
		for _, l := range t.lits {
			if l.kind != ast.Null { // a type is never null
				t.types.add(newTypeName(l.text))
			}
		}
	case word && wordTests[p.Name] != testValue:
		t.setWord(wordTests[p.Name], t.lits[0].text)
	case t.attr.columnar && p.Op != ast.OpMatch:
		t.kind, t.ints, t.column = testInts, newIntTest(t), t.attr.column
	}
	return t
}

// Tests for anchors, and for qualifiers that are not filters.

func newTypeTest(name string) *test {
	t := &test{kind: testType}
	t.types.add(newTypeName(name))
	return t
}

func newZoneTest(z ast.ZoneName) *test {
	return &test{kind: testZone, zone: z, ints: zones[z], column: tree.ColumnOffset}
}

// offsetTest tests for an offset, as a coordinate does.
func offsetTest(o int64) *test {
	v := ast.Value{Kind: ast.Number, Text: strconv.FormatInt(o, 10)}
	return newTest(&ast.Prop{Name: "offset", Op: ast.OpEq, Values: []ast.Value{v}})
}

// atCore tests for offset 0, which the nodes in an implied core have (D28).
var atCore = offsetTest(0)

// newWordTest tests an attribute of strings for equality.
func newWordTest(name, word string) *test {
	t := &test{name: name, op: ast.OpEq, lits: []literal{{kind: ast.String, text: word}}}
	t.attr, t.class = lookupAttribute(name)
	t.setWord(wordTests[name], word)
	return t
}

func (t *test) setWord(kind testKind, word string) {
	t.kind, t.text, t.word = kind, word, tree.NewWord(word)
}

// cost is the work of testing one node, for [matcher.spend].
func (t *test) cost() int {
	if t.re != nil {
		return checkEvery // a pattern can take milliseconds over a long text
	}
	return 16 + len(t.lits) + t.types.parts
}

// oneByOne reports whether nodes are always tested one by one.
func (t *test) oneByOne() bool {
	return t.kind == testValue || t.kind == testID || t.kind == testEphemeral || t.kind == testSticky || t.types.long
}

// node reports whether a node passes the test. A pattern fails once ctx is done.
func (t *test) node(ctx context.Context, lives *engine.Lives, n engine.Node) bool {
	switch t.kind {
	case testType:
		return t.types.node(n) != t.not
	case testZone:
		return n.Base() != engine.BaseRegion && n.Base() != engine.BaseSeg && t.ints.has(int64(n.Offset().Cmp(engine.Int(0))))
	case testEphemeral, testSticky:
		return t.flag(n)
	}
	if t.attr.life != nil {
		return t.match(ctx, t.attr.life(lives.Of(n)))
	}
	return t.match(ctx, t.attr.of(n))
}

// implied reports whether the implied core of a node passes the test.
func (t *test) implied(ctx context.Context, around engine.Node) bool {
	switch t.kind {
	case testType:
		return t.types.core != t.not
	case testZone:
		return t.zone == ast.Core
	case testEphemeral, testSticky:
		return false
	}
	if t.attr.implied == nil {
		return t.match(ctx, value{})
	}
	return t.match(ctx, t.attr.implied(around))
}

// flag reports whether a node is ephemeral, or sticky (decision D9).
func (t *test) flag(n engine.Node) bool {
	ttl, hasTTL := n.TTL()
	cad, hasCad := n.Cad()
	one := engine.Int(1)
	if t.kind == testSticky {
		return hasTTL && hasCad && ttl.Cmp(one) == 0 && cad.Cmp(one) == 0
	}
	return hasTTL && !hasCad && (ttl.Cmp(one) == 0 || ttl.Cmp(engine.Int(0)) == 0)
}

// match reports whether a value satisfies the operator and its operands.
func (t *test) match(ctx context.Context, v value) bool {
	switch t.op {
	case ast.OpPresent:
		return v.kind != isNull
	case ast.OpEq, ast.OpIn:
		return t.equalsAny(v)
	case ast.OpNe:
		return t.comparable(&t.lits[0]) && !t.equalsAny(v)
	}
	switch {
	case v.kind == isTags:
		return slices.ContainsFunc(v.list, func(s string) bool { return ctx.Err() == nil && t.match(ctx, value{kind: isText, text: s}) })
	case t.op == ast.OpMatch:
		return (v.kind == isText || v.kind == isBool) && t.re.match(ctx, v.text)
	}
	return t.ordered(v)
}

// comparable reports whether values of the class can be compared with an operand. An operand that
// is neither a number nor null matches no numeric attribute, whatever the operator.
func (t *test) comparable(l *literal) bool {
	return t.class != vocab.NumberType || l.numeric || l.kind == ast.Null
}

func (t *test) equalsAny(v value) bool {
	for i := range t.lits {
		if t.equals(v, &t.lits[i]) {
			return true
		}
	}
	return false
}

func (t *test) equals(v value, l *literal) bool {
	if l.kind == ast.Null || v.kind == isNull {
		return l.kind == ast.Null && v.kind == isNull
	}
	switch t.class {
	case vocab.NumberType:
		return l.numeric && v.number.Cmp(l.number) == 0
	case vocab.TagsType:
		return slices.Contains(v.list, l.text)
	case vocab.StringType:
		s, ok := v.string()
		return ok && s == l.text
	}
	switch v.kind {
	case isNumber:
		return l.kind == ast.Number && v.number.Cmp(l.number) == 0
	case isText, isBool:
		return l.kind != ast.Number && v.text == l.text
	}
	return false
}

// ordered reports whether a value satisfies one of < <= > >=.
func (t *test) ordered(v value) bool {
	l := &t.lits[0]
	if l.kind == ast.Null || v.kind == isNull || v.kind == isOther {
		return false
	}
	if t.class != vocab.StringType && t.class != vocab.TagsType && l.numeric {
		if n, ok := v.asNumber(); ok {
			return t.holds(n.Cmp(l.number))
		}
	}
	s, ok := v.string()
	return ok && t.comparable(l) && t.holds(strings.Compare(s, l.text))
}

// holds reports whether one of < <= > >= holds for the result of a comparison.
func (t *test) holds(c int) bool {
	if t.op == ast.OpGt || t.op == ast.OpGe {
		c = -c
	}
	return c < 0 || c == 0 && (t.op == ast.OpLe || t.op == ast.OpGe)
}
