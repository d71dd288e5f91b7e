package eval

import "math/bits"

// Sets of node numbers of one chunk, 64 to a word, as package engine has them.

func contains(set []uint64, i int) bool { return i>>6 < len(set) && set[i>>6]>>(i&63)&1 != 0 }
func setBit(set []uint64, i int)        { set[i>>6] |= 1 << (i & 63) }
func dropBit(set []uint64, i int)       { set[i>>6] &^= 1 << (i & 63) }

// wordOf returns word k of a set, which may be shorter.
func wordOf(set []uint64, k int) uint64 {
	if k < len(set) {
		return set[k]
	}
	return 0
}

func eachBit(set []uint64, visit func(int)) {
	for k, w := range set {
		for ; w != 0; w &= w - 1 {
			visit(k<<6 + bits.TrailingZeros64(w))
		}
	}
}

func isEmpty(set []uint64) bool {
	for _, w := range set {
		if w != 0 {
			return false
		}
	}
	return true
}

func countBits(set []uint64) int {
	n := 0
	for _, w := range set {
		n += bits.OnesCount64(w)
	}
	return n
}

// fill sets the bits from <= i < to.
func fill(set []uint64, from, to int) {
	if from >= to {
		return
	}
	first, last := from>>6, (to-1)>>6
	head, tail := ^uint64(0)<<(from&63), ^uint64(0)>>(63-(to-1)&63)
	if first == last {
		set[first] |= head & tail
		return
	}
	set[first] |= head
	for i := first + 1; i < last; i++ {
		set[i] = ^uint64(0)
	}
	set[last] |= tail
}

// intersect keeps in set what is in with, which may be shorter.
func intersect(set, with []uint64) {
	n := copyLen(set, with)
	for i := range n {
		set[i] &= with[i]
	}
	for i := n; i < len(set); i++ {
		set[i] = 0
	}
}

// subtractBits takes out of set what is in with, which may be shorter.
func subtractBits(set, with []uint64) {
	for i := range copyLen(set, with) {
		set[i] &^= with[i]
	}
}

// both puts into set what is in of and in with, which may be shorter. It returns false when that is nothing.
func both(set, of, with []uint64) bool {
	some := uint64(0)
	of, set = of[:len(set)], set[:len(of)]
	for i, w := range with {
		w &= of[i]
		set[i] = w
		some |= w
	}
	for i := len(with); i < len(set); i++ {
		set[i] = 0
	}
	return some != 0
}

// without puts into set what is in of and not in with, which may be shorter. It returns false when that is nothing.
func without(set, of, with []uint64) bool {
	some := uint64(0)
	for i, w := range of {
		if i < len(with) {
			w &^= with[i]
		}
		set[i] = w
		some |= w
	}
	return some != 0
}

// unite adds with to set.
func unite(set, with []uint64) {
	for i := range copyLen(set, with) {
		set[i] |= with[i]
	}
}

func copyLen(a, b []uint64) int { return min(len(a), len(b)) }

// arena hands out sets and takes all of them back at once, so that a long selector needs no more memory than a
// short one.
type arena struct {
	buffer []uint64
	used   int // words of the buffer
	grown  int // how often the buffer was replaced
}

func (a *arena) reset() { a.used = 0 }

// set returns an empty set.
func (a *arena) set(words int) []uint64 {
	out := a.raw(words)
	clear(out)
	return out
}

// raw returns a set that holds anything.
func (a *arena) raw(words int) []uint64 {
	end := a.used + words
	if end > len(a.buffer) {
		a.grow(words)
		end = words
	}
	out := a.buffer[end-words : end : end]
	a.used = end
	return out
}

// grow replaces the buffer. The sets that were handed out keep the old one.
func (a *arena) grow(words int) {
	a.buffer = make([]uint64, max(words, 2*len(a.buffer), 64))
	a.grown++
}

// arenaMark is a state of an arena to return to.
type arenaMark struct{ used, grown int }

func (a *arena) mark() arenaMark { return arenaMark{a.used, a.grown} }

// release takes back the sets handed out since a mark was made.
func (a *arena) release(m arenaMark) {
	if a.grown == m.grown {
		a.used = m.used
	}
}
