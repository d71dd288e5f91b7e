package eval

import (
	"math"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// intTest is a test of a numeric attribute, worked out for values that are 64-bit integers: the value lies in
// one of the spans, or in none of them.
type intTest struct {
	spans []intSpan
	not   bool
}

// intSpan is from <= i <= to, written so that one comparison decides.
type intSpan struct {
	from  int64
	width uint64
}

func (s intSpan) has(i int64) bool { return uint64(i-s.from) <= s.width }

func newSpan(from, to int64) intSpan { return intSpan{from, uint64(to - from)} }

var all = newSpan(math.MinInt64, math.MaxInt64)

// keep returns the nodes of a set whose value passes. The values are those of at most 64 nodes.
func (t *intTest) keep(values []int64, set uint64) uint64 {
	if len(t.spans) != 1 || bits.OnesCount64(set)*4 < len(values) {
		kept := set
		for w := set; w != 0; w &= w - 1 {
			if i := bits.TrailingZeros64(w); !t.has(values[i]) {
				kept &^= 1 << i
			}
		}
		return kept
	}
	span, outside := t.spans[0], uint64(0)
	for i, v := range values { // without a branch, the processor does several at a time
		_, borrow := bits.Sub64(span.width, uint64(v-span.from), 0)
		outside |= borrow << (i & 63)
	}
	if t.not {
		return set & outside
	}
	return set &^ outside
}

// has tells whether an integer passes.
func (t *intTest) has(i int64) bool {
	for _, s := range t.spans {
		if s.has(i) {
			return !t.not
		}
	}
	return t.not
}

// newIntTest works out a test of an attribute that every node has.
func newIntTest(t *test) *intTest {
	out := &intTest{}
	switch t.op {
	case ast.OpPresent:
		out.spans = []intSpan{all}
		return out
	case ast.OpNe:
		if !t.comparable(&t.lits[0]) {
			return out // nothing passes
		}
		out.not = true
	}
	for i := range t.lits {
		if s, ok := spanOf(t, &t.lits[i]); ok {
			out.spans = append(out.spans, s)
		}
	}
	return out
}

// spanOf returns the integers that compare with an operand as the operator wants.
func spanOf(t *test, l *literal) (intSpan, bool) {
	if !l.numeric {
		return intSpan{}, false
	}
	// The operand lies between two neighbouring integers, or on one.
	below, above, exact := neighbours(l.number)
	from, to := int64(math.MinInt64), int64(math.MaxInt64)
	switch t.op {
	case ast.OpEq, ast.OpIn, ast.OpNe:
		if !exact {
			return intSpan{}, false
		}
		return newSpan(below, below), true
	case ast.OpLt, ast.OpLe:
		if l.number.Cmp(engine.Int(from)) < 0 || t.op == ast.OpLt && l.number.Cmp(engine.Int(from)) == 0 {
			return intSpan{}, false
		}
		to = below
		if exact && t.op == ast.OpLt {
			to--
		}
	default:
		if l.number.Cmp(engine.Int(to)) > 0 || t.op == ast.OpGt && l.number.Cmp(engine.Int(to)) == 0 {
			return intSpan{}, false
		}
		from = above
		if exact && t.op == ast.OpGt {
			from++
		}
	}
	return newSpan(from, to), true
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
	ast.Pre:  {spans: []intSpan{newSpan(all.from, -1)}},
	ast.Core: {spans: []intSpan{newSpan(0, 0)}},
	ast.Post: {spans: []intSpan{newSpan(1, math.MaxInt64)}},
}
