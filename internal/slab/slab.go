// Package slab makes many small values of one type in few pieces of memory.
package slab

import "reflect"

// Of hands out the elements of a chunk, from its end on, and makes another chunk when there are none left. The zero
// value is ready. A value keeps the chunk it is in from being collected, and with it its neighbours.
//
// It is not safe for concurrent use.
type Of[T any] struct {
	// Elements are counted instead of cut off the chunk, because a write of a pointer costs much while garbage is
	// collected.
	chunk []T
	left  int // elements of the chunk that were not handed out
	full  int // elements handed out of the chunks before, since the last Reset
}

// chunkBytes is about the size of a chunk; the memory allocator is at its best up to here.
const chunkBytes = 512

// New makes a zero value. It is kept small enough to become a part of its callers.
func (s *Of[T]) New() *T {
	if s.left > 0 {
		s.left--
		return &s.chunk[s.left]
	}
	return s.first()
}

// first makes the first value of a new chunk.
//
//go:noinline
func (s *Of[T]) first() *T { return &s.List(1)[0] }

// List makes a list of n zero values, without room for more.
func (s *Of[T]) List(n int) []T {
	if n > s.left {
		s.grow(n)
	}
	to := s.left
	s.left -= n
	return s.chunk[s.left:to:to]
}

// Copy makes a list of the elements of another one; nil when there are none.
func (s *Of[T]) Copy(from []T) []T {
	if len(from) == 0 {
		return nil
	}
	list := s.List(len(from))
	if len(from) == 1 { // as most lists; a call of copy would cost more than the copy
		list[0] = from[0]
		return list
	}
	copy(list, from)
	return list
}

// grow begins a chunk with room for n elements.
func (s *Of[T]) grow(n int) {
	s.full += len(s.chunk) - s.left
	s.chunk = make([]T, max(n, chunkBytes/int(reflect.TypeFor[T]().Size())))
	s.left = len(s.chunk)
}

// Reset takes back every value, none of which may be used from then on. The next ones, up to as many, take no memory.
func (s *Of[T]) Reset() {
	taken := len(s.chunk) - s.left
	switch {
	case s.full > 0:
		s.chunk = make([]T, s.full+taken)
	case taken > 0:
		clear(s.chunk[s.left:])
	}
	s.left, s.full = len(s.chunk), 0
}
