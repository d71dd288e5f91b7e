//go:build !race

package slab

// guard checks nothing: its methods are empty. Under the race detector, as make check runs the
// tests, it panics if the protocol of Room, Extend and Keep is broken, which the compiler cannot
// see.
type guard struct{}

// isChecked is set if freed memory is cleared, so that whoever still uses it is found.
const isChecked = false

func (*guard) open(bool)  {}
func (*guard) allocates() {}
func (*guard) close()     {}
