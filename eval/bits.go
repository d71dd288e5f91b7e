package eval

import "slices"

// A set of nodes of a view has a bit for each node, 64 to a word. nil is the empty set.

func setBit(set []uint64, i int)  { set[i>>6] |= 1 << (i & 63) }
func dropBit(set []uint64, i int) { set[i>>6] &^= 1 << (i & 63) }

func isEmpty(set []uint64) bool {
	return !slices.ContainsFunc(set, func(w uint64) bool { return w != 0 })
}

// intersect removes from set what is not in with.
func intersect(set, with []uint64) {
	if len(with) < len(set) {
		clear(set)
		return
	}
	for i := range set {
		set[i] &= with[i]
	}
}

// subtractBits removes from set what is in with.
func subtractBits(set, with []uint64) {
	for i := range min(len(set), len(with)) {
		set[i] &^= with[i]
	}
}

// unite adds with to set.
func unite(set, with []uint64) {
	for i := range min(len(set), len(with)) {
		set[i] |= with[i]
	}
}

// arena allocates sets and frees all of them at once, so a long selector needs no more memory than
// a short one.
type arena struct {
	buffer []uint64
	used   int // words of the buffer
}

func (a *arena) reset() { a.used = 0 }

// set returns an empty set.
func (a *arena) set(words int) []uint64 {
	out := a.raw(words)
	clear(out)
	return out
}

// raw returns a set with arbitrary content.
func (a *arena) raw(words int) []uint64 {
	end := a.used + words
	if end > len(a.buffer) {
		a.buffer = make([]uint64, max(words, 2*len(a.buffer), 64)) // earlier sets keep the old one
		end = words
	}
	out := a.buffer[end-words : end : end]
	a.used = end
	return out
}

// release frees the sets allocated since a.used had the given value. If the buffer was replaced in
// between, all sets in the new buffer are among them.
func (a *arena) release(used int) { a.used = used }
