package slab

// Scratch is an [Of] whose values all live until Reset. Memory is cleared only when it is handed
// out again, so until then it refers to its old contents.
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

// Copy makes a list of the elements of another one; nil if there are none.
func (s *Scratch[T]) Copy(from []T) []T { return s.of.Copy(from) }

// Reset takes back all values; none of them may be used after that. The next values, up to as many,
// do not allocate.
func (s *Scratch[T]) Reset() {
	if s.of.full > 0 {
		s.of.chunk = make([]T, s.of.full+s.of.used)
	}
	s.of.used, s.of.full = 0, 0
}
