package eval

import (
	"math"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// intTest is a test of a numeric attribute, worked out for values that are 64-bit integers: the value lies in
// one of the ranges, or in none of them.
type intTest struct {
	ranges []tree.IntRange
	not    bool
}

// has reports whether an integer passes.
func (t *intTest) has(i int64) bool {
	return slices.ContainsFunc(t.ranges, func(r tree.IntRange) bool { return r.Has(i) }) != t.not
}

// newIntTest works out a test of an attribute that every node has.
func newIntTest(t *test) *intTest {
	out := &intTest{}
	switch t.op {
	case ast.OpPresent:
		out.not = true // no range to be outside of
		return out
	case ast.OpNe:
		if !t.comparable(&t.lits[0]) {
			return out // nothing passes
		}
		out.not = true
	}
	for i := range t.lits {
		if s, ok := rangeOf(t, &t.lits[i]); ok {
			out.ranges = append(out.ranges, s)
		}
	}
	return out
}

// rangeOf returns the integers that compare with an operand as the operator wants.
func rangeOf(t *test, l *literal) (r tree.IntRange, ok bool) {
	if !l.numeric {
		return r, false
	}
	// The operand lies between two neighbouring integers, or on one.
	below, above, exact := neighbours(l.number)
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	switch t.op {
	case ast.OpEq, ast.OpIn, ast.OpNe:
		if !exact {
			return r, false
		}
		return tree.IntRange{From: below, To: below}, true
	case ast.OpLt, ast.OpLe:
		if l.number.Cmp(engine.Int(from)) < 0 || t.op == ast.OpLt && l.number.Cmp(engine.Int(from)) == 0 {
			return r, false
		}
		to = below
		if exact && t.op == ast.OpLt {
			to--
		}
	default:
		if l.number.Cmp(engine.Int(to)) > 0 || t.op == ast.OpGt && l.number.Cmp(engine.Int(to)) == 0 {
			return r, false
		}
		from = above
		if exact && t.op == ast.OpGt {
			from++
		}
	}
	return tree.IntRange{From: from, To: to}, true
}

// neighbours returns the greatest 64-bit integer that is not above n and the least that is not below it, each as
// near as there is one. They are equal, and exact is set, where n is such an integer.
func neighbours(n engine.Number) (below, above int64, exact bool) {
	if i, ok := n.Int64(); ok {
		return i, i, true
	}
	if n.Cmp(engine.Int(math.MaxInt64)) > 0 {
		return math.MaxInt64, math.MaxInt64, false
	}
	if n.Cmp(engine.Int(math.MinInt64)) < 0 {
		return math.MinInt64, math.MinInt64, false
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64) // lo <= n <= hi
	for lo < hi {
		mid := lo + int64(uint64(hi-lo)/2) + 1 // the difference may need all 64 bits
		if n.Cmp(engine.Int(mid)) >= 0 {
			lo = mid
		} else {
			hi = mid - 1
		}
	}
	if n.Cmp(engine.Int(lo)) == 0 {
		return lo, lo, true
	}
	if lo == math.MaxInt64 {
		return lo, lo, false
	}
	return lo, lo + 1, false
}

// zones are the offsets of each zone.
var zones = map[ast.ZoneName]*intTest{
	ast.Pre:  {ranges: []tree.IntRange{{From: math.MinInt64, To: -1}}},
	ast.Core: {ranges: []tree.IntRange{{From: 0, To: 0}}},
	ast.Post: {ranges: []tree.IntRange{{From: 1, To: math.MaxInt64}}},
}
