// Package slab makes many small values of one type in few pieces of memory.
package slab

import "reflect"

// Of hands out the elements of a chunk, and makes another chunk when there are none left. The zero value is ready.
// A value keeps the chunk it is in from being collected, and with it its neighbours.
//
// It is not safe for concurrent use.
type Of[T any] struct {
	// Elements are counted instead of cut off the chunk, because a write of a pointer costs much while garbage is
	// collected.
	chunk []T
	taken int
	full  int // elements in the chunks before, since the last Reset
}

// chunkBytes is about the size of a chunk; the memory allocator is at its best up to here.
const chunkBytes = 512

// New makes a zero value.
func (s *Of[T]) New() *T {
	if s.taken == len(s.chunk) {
		s.grow(1)
	}
	at := s.taken
	s.taken++
	return &s.chunk[at]
}

// List makes a list of n zero values, without room for more.
func (s *Of[T]) List(n int) []T {
	if n > len(s.chunk)-s.taken {
		s.grow(n)
	}
	from := s.taken
	s.taken += n
	return s.chunk[from:s.taken:s.taken]
}

// Copy makes a list of the elements of another one; nil when there are none.
func (s *Of[T]) Copy(from []T) []T {
	if len(from) == 0 {
		return nil
	}
	list := s.List(len(from))
	copy(list, from)
	return list
}

// grow begins a chunk with room for n elements.
func (s *Of[T]) grow(n int) {
	s.full += s.taken
	s.chunk = make([]T, max(n, chunkBytes/int(reflect.TypeFor[T]().Size())))
	s.taken = 0
}

// Reset takes back every value, none of which may be used from then on. The next ones, up to as many, take no memory.
func (s *Of[T]) Reset() {
	switch {
	case s.full > 0:
		s.chunk = make([]T, s.full+s.taken)
	case s.taken > 0:
		clear(s.chunk[:s.taken])
	}
	s.taken, s.full = 0, 0
}
