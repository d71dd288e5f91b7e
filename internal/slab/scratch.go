package slab

// Scratch is an [Of] whose values all live until Reset. Memory is cleared when it is handed out again, and only if it has
// to be, so up to then it refers to what it held before.
type Scratch[T any] struct{ of Of[T] }

// New makes a zero value.
func (s *Scratch[T]) New() *T {
	var zero T
	v := s.of.New()
	*v = zero
	return v
}

// Room makes an empty list with room for n values.
func (s *Scratch[T]) Room(n int) []T { return s.of.List(n)[:0] }

// Copy makes a list of the elements of another one; nil when there are none.
func (s *Scratch[T]) Copy(from []T) []T { return s.of.Copy(from) }

// Reset takes back every value, none of which may be used from then on. The next ones, up to as many, take no memory.
func (s *Scratch[T]) Reset() {
	if s.of.full > 0 {
		s.of.chunk = make([]T, s.of.full+s.of.used)
	}
	s.of.used, s.of.full = 0, 0
}
