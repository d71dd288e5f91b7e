//go:build race

package slab

const isChecked = true

// guard knows whether a list is open, which Room began, Extend has made longer, and Keep has not
// ended.
type guard struct{ isOpen bool }

func (g *guard) open(inRoom bool) {
	if !inRoom {
		panic("slab: something was allocated between Room and Extend of a list")
	}
	g.isOpen = true
}

func (g *guard) allocates() {
	if g.isOpen {
		panic("slab: something is allocated between Extend and Keep of a list")
	}
}

func (g *guard) close() { g.isOpen = false }
