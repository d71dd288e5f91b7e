// Package slab allocates many small values of one type with few allocations.
package slab

import (
	"reflect"
	"slices"
)

// Of allocates values of type T in chunks. Its zero value is ready for use. As long as one value is
// reachable, its whole chunk stays in memory.
//
// Of is not safe for concurrent use.
type Of[T any] struct {
	guard
	// Used elements are counted instead of sliced off the chunk, because writing a pointer is
	// expensive during garbage collection.
	chunk []T
	used  uint // how many elements of the chunk are in use
	full  uint // how many elements of earlier chunks are in use
}

// chunkBytes is the size of a chunk, unless a longer list needs more: 1 KiB with the word that the
// memory allocator adds. Larger chunks were not faster, and smaller ones take more allocations.
const chunkBytes = 1016

// New returns a new zero value. It is small enough to be inlined.
func (s *Of[T]) New() *T {
	s.allocates()
	if s.used < uint(len(s.chunk)) {
		s.used++
		return &s.chunk[s.used-1]
	}
	return s.first()
}

// first returns the first value of a new chunk.
//
//go:noinline
func (s *Of[T]) first() *T { return &s.List(1)[0] }

// List returns a list of n zero values, without room for more. It returns nil if n is 0.
func (s *Of[T]) List(n int) []T {
	if n == 0 {
		return nil
	}
	s.allocates()
	if uint(n) > uint(len(s.chunk))-s.used {
		s.grow(n)
	}
	from := s.used
	s.used += uint(n)
	return s.chunk[from:s.used:s.used]
}

// Room returns an empty list, for when the length is not known in advance. Add to it with Extend,
// and end it with Keep; from the first Extend until then, nothing else may be allocated. Tests
// under the race detector panic if something is.
func (s *Of[T]) Room() []T {
	s.allocates()
	if s.used >= uint(len(s.chunk)) {
		s.grow(1)
	}
	return s.chunk[s.used:s.used]
}

// Extend adds a zero value to a list that Room returned. Fill in the value in place: copying a
// value whose fields were just written has to wait for these writes.
func (s *Of[T]) Extend(list []T) []T {
	if isChecked && len(list) == 0 && cap(list) > 0 {
		s.open(s.begins(list[:1]))
	}
	if len(list) == cap(list) {
		list = s.more(list)
	}
	return list[:len(list)+1]
}

// more moves a list to memory with room for twice as many elements.
//
//go:noinline
func (s *Of[T]) more(list []T) []T {
	if !s.begins(list) {
		return append(make([]T, 0, 2*len(list)+1), list...)
	}
	s.grow(2*len(list) + 1)
	return append(s.chunk[:0], list...)
}

// Keep ends a list that Room returned, so the next values do not share its memory. The list may be
// extended again, but that moves it to new memory.
func (s *Of[T]) Keep(list []T) []T {
	s.close()
	if s.begins(list) {
		s.used += uint(len(list))
		return slices.Clip(list)
	}
	return list
}

// begins reports whether a list begins where the next value would be allocated.
func (s *Of[T]) begins(list []T) bool {
	return len(list) > 0 && s.used < uint(len(s.chunk)) && &list[0] == &s.chunk[s.used]
}

// Copy returns a copy of a list. It returns nil if the list is empty.
func (s *Of[T]) Copy(from []T) []T {
	if len(from) == 0 {
		return nil
	}
	list := s.List(len(from))
	if len(from) == 1 { // most lists have one element, and calling copy would cost more than copying it
		list[0] = from[0]
		return list
	}
	copy(list, from)
	return list
}

// grow begins a new chunk with room for at least n elements.
//
//go:noinline
func (s *Of[T]) grow(n int) {
	s.full += s.used
	s.chunk = make([]T, max(n, chunkBytes/int(reflect.TypeFor[T]().Size())))
	s.used = 0
}
