// Package slab allocates many small values of one type in few pieces of memory.
package slab

import (
	"reflect"
	"slices"
)

// Of hands out the elements of a chunk, and makes another chunk when there are none left. The zero
// value is ready for use. A value keeps its chunk, and with it its neighbors, from being
// collected.
//
// It is not safe for concurrent use.
type Of[T any] struct {
	// Elements are counted instead of sliced off the chunk, because writing a pointer is expensive
	// during garbage collection.
	chunk []T
	used  uint // elements of the chunk that were handed out
	full  uint // elements handed out of the chunks before
}

// chunkBytes is the maximum size of a chunk: with the word that the memory allocator adds, 1 KiB.
// Larger chunks were not faster, smaller ones take more allocations.
const chunkBytes = 1016

// New makes a zero value. It is small enough to be inlined.
func (s *Of[T]) New() *T {
	if s.used < uint(len(s.chunk)) {
		s.used++
		return &s.chunk[s.used-1]
	}
	return s.first()
}

// first makes the first value of a new chunk.
//
//go:noinline
func (s *Of[T]) first() *T { return &s.List(1)[0] }

// List makes a list of n zero values, without room for more; nil when n is 0.
func (s *Of[T]) List(n int) []T {
	if n == 0 {
		return nil
	}
	if uint(n) > uint(len(s.chunk))-s.used {
		s.grow(n)
	}
	from := s.used
	s.used += uint(n)
	return s.chunk[from:s.used:s.used]
}

// Room begins a list whose length need not be known in advance. Until the list is passed to Keep,
// nothing else may be made, and only Extend may add to it.
func (s *Of[T]) Room() []T {
	if s.used >= uint(len(s.chunk)) {
		s.grow(1)
	}
	return s.chunk[s.used:s.used]
}

// Extend adds a zero value to a list that began as Room. Fill the value in place: copying a value
// that was just written field by field has to wait for all of these writes.
func (s *Of[T]) Extend(list []T) []T {
	if len(list) == cap(list) {
		list = s.more(list)
	}
	return list[:len(list)+1]
}

// more moves a list to a place with room for twice as many elements.
//
//go:noinline
func (s *Of[T]) more(list []T) []T {
	if !s.begins(list) {
		return append(make([]T, 0, 2*len(list)+1), list...)
	}
	s.grow(2*len(list) + 1)
	return append(s.chunk[:0], list...)
}

// Keep ends a list that began as Room: the next values do not share its memory. It may be extended
// again, but is then moved to new memory.
func (s *Of[T]) Keep(list []T) []T {
	if s.begins(list) {
		s.used += uint(len(list))
		return slices.Clip(list)
	}
	return list
}

// begins reports whether a list begins where the next value would be.
func (s *Of[T]) begins(list []T) bool {
	return len(list) > 0 && s.used < uint(len(s.chunk)) && &list[0] == &s.chunk[s.used]
}

// Copy makes a list of the elements of another one; nil when there are none.
func (s *Of[T]) Copy(from []T) []T {
	if len(from) == 0 {
		return nil
	}
	list := s.List(len(from))
	if len(from) == 1 { // like most lists; a call of copy would cost more than copying the element
		list[0] = from[0]
		return list
	}
	copy(list, from)
	return list
}

// grow begins a chunk with room for n elements.
//
//go:noinline
func (s *Of[T]) grow(n int) {
	s.full += s.used
	s.chunk = make([]T, max(n, chunkBytes/int(reflect.TypeFor[T]().Size())))
	s.used = 0
}
