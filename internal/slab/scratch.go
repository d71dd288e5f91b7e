package slab

// Scratch is an [Of] whose values are all freed together, by Reset. Memory keeps its old contents
// until it is used again, except under the race detector.
type Scratch[T any] struct{ of Of[T] }

// New returns a new zero value.
func (s *Scratch[T]) New() *T {
	var zero T
	v := s.of.New()
	*v = zero
	return v
}

// Room returns an empty list with room for n values.
func (s *Scratch[T]) Room(n int) []T { return s.of.List(n)[:0] }

// Copy returns a copy of a list. It returns nil if the list is empty.
func (s *Scratch[T]) Copy(from []T) []T { return s.of.Copy(from) }

// Reset frees all values; none of them may be used after that. Up to as many new values do not
// allocate memory.
func (s *Scratch[T]) Reset() {
	if isChecked {
		clear(s.of.chunk)
	}
	if s.of.full > 0 {
		s.of.chunk = make([]T, s.of.full+s.of.used)
	}
	s.of.used, s.of.full = 0, 0
}
