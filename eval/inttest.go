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

// rangeOf returns the integers that compare with an operand as the operator wants: some follow each other, from the least
// that is large enough to the last before one that is too large.
func rangeOf(t *test, l *literal) (r tree.IntRange, ok bool) {
	if !l.numeric {
		return r, false
	}
	r = tree.IntRange{From: math.MinInt64, To: math.MaxInt64}
	if t.op != ast.OpLt && t.op != ast.OpLe {
		if r.From, ok = leastInt(l.number, t.op != ast.OpGt); !ok {
			return r, false
		}
	}
	if t.op != ast.OpGt && t.op != ast.OpGe {
		if beyond, ok := leastInt(l.number, t.op == ast.OpLt); ok {
			if beyond == math.MinInt64 {
				return r, false
			}
			r.To = beyond - 1
		}
	}
	return r, r.From <= r.To
}

// leastInt returns the smallest 64-bit integer greater than n, or greater than or equal to it if equal is set. It returns
// false if no such integer exists.
func leastInt(n engine.Number, equal bool) (int64, bool) {
	if i, ok := n.Int64(); ok {
		if equal {
			return i, true
		}
		return i + 1, i < math.MaxInt64
	}
	enough := func(i int64) bool {
		c := engine.Int(i).Cmp(n)
		return c > 0 || c == 0 && equal
	}
	lo, hi := int64(math.MinInt64), int64(math.MaxInt64)
	for lo < hi {
		mid := lo + int64(uint64(hi-lo)/2) // the difference may need all 64 bits
		if enough(mid) {
			hi = mid
		} else {
			lo = mid + 1
		}
	}
	return lo, enough(lo)
}

// zones are the offsets of each zone.
var zones = map[ast.ZoneName]*intTest{
	ast.Pre:  {ranges: []tree.IntRange{{From: math.MinInt64, To: -1}}},
	ast.Core: {ranges: []tree.IntRange{{From: 0, To: 0}}},
	ast.Post: {ranges: []tree.IntRange{{From: 1, To: math.MaxInt64}}},
}
