package ll1

import (
	"iter"
	"math/bits"
)

// Kind is a kind of token: a lexer rule of the grammar, or TokEOF, which is 0.
type Kind uint8

// String returns the name in the grammar.
func (k Kind) String() string {
	if int(k) < len(kindNames) {
		return kindNames[k]
	}
	return "?"
}

// Rule is a rule of the parser's grammar.
type Rule uint8

// String returns the name in the grammar.
func (r Rule) String() string {
	if int(r) < len(ruleNames) {
		return ruleNames[r]
	}
	return "?"
}

// Set is a set of token kinds.
type Set uint64

// maxKinds is the number of kinds a set can hold, and a row of the tables.
const maxKinds = 64

// Has reports whether k is in the set.
func (s Set) Has(k Kind) bool { return s>>k&1 != 0 }

// All yields the kinds in the set in ascending order.
func (s Set) All() iter.Seq[Kind] {
	return func(yield func(Kind) bool) {
		for ; s != 0; s &= s - 1 {
			if !yield(Kind(bits.TrailingZeros64(uint64(s)))) {
				return
			}
		}
	}
}
