package eval

import (
	"math"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// intTest is a test of a numeric attribute, for values that are 64-bit integers: a value passes if
// it is in one of the ranges or, if not is set, in none of them.
type intTest struct {
	ranges []tree.IntRange
	not    bool
}

// has reports whether an integer passes.
func (t *intTest) has(i int64) bool {
	return slices.ContainsFunc(t.ranges, func(r tree.IntRange) bool { return r.Has(i) }) != t.not
}

// newIntTest converts a test of an attribute that every node has.
func newIntTest(t *test) *intTest {
	// Without ranges, every value passes if not is set, and none otherwise.
	out := &intTest{not: t.op == ast.OpPresent || t.op == ast.OpNe && t.comparable(&t.lits[0])}
	for i := range t.lits {
		if s, ok := rangeOf(t, &t.lits[i]); ok {
			out.ranges = append(out.ranges, s)
		}
	}
	return out
}

// rangeOf returns the 64-bit integers for which the comparison with l holds; they form one range.
func rangeOf(t *test, l *literal) (r tree.IntRange, ok bool) {
	if !l.numeric {
		return r, false
	}
	r = tree.IntRange{From: math.MinInt64, To: math.MaxInt64}
	if t.op != ast.OpLt && t.op != ast.OpLe {
		if r.From, ok = canonjson.Above(l.number.String(), t.op != ast.OpGt); !ok {
			return r, false
		}
	}
	if t.op != ast.OpGt && t.op != ast.OpGe {
		if beyond, ok := canonjson.Above(l.number.String(), t.op == ast.OpLt); ok {
			if beyond == math.MinInt64 {
				return r, false
			}
			r.To = beyond - 1
		}
	}
	return r, r.From <= r.To
}

// zones has the offsets of each zone.
var zones = map[ast.ZoneName]*intTest{
	ast.Pre:  {ranges: []tree.IntRange{{From: math.MinInt64, To: -1}}},
	ast.Core: {ranges: []tree.IntRange{{From: 0, To: 0}}},
	ast.Post: {ranges: []tree.IntRange{{From: 1, To: math.MaxInt64}}},
}
