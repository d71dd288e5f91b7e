package tree

import (
	"iter"
	"math/bits"
)

// Bits is a set of the node numbers of a run, 64 in each word. nil is empty. Sets that a run
// returns are shared and must not be modified.
type Bits []uint64

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// Len returns the number of elements.
func (b Bits) Len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the elements in ascending order.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

func (b Bits) set(i int) { b[i>>6] |= 1 << (i & 63) }

// fill sets the bits from <= i < to.
func (b Bits) fill(from, to int) {
	for i := from; i < to; i = (i>>6 + 1) << 6 {
		b[i>>6] |= ^uint64(0) >> (63 - min(to-1-i&^63, 63)) &^ (1<<(i&63) - 1)
	}
}
