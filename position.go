package pactkit

import (
	"cmp"
	"context"
	"fmt"
	"math"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prepare"
)

// position is an insertion position ready to be looked up.
type position struct {
	*prepare.Position
	text string
}

func (t *Tree) position(text string) (*position, error) {
	p, wrong := prepare.Insertion(text, t.Timeline().Edition())
	if p == nil {
		return nil, &SelectorError{text, wrong}
	}
	return &position{p, text}, nil
}

// find looks up a position in a tree for a new node, or for moved unless that is zero. It returns
// false for a missing slot if the position is optional.
func (p *position) find(ctx context.Context, s *engine.Snapshot, moved engine.Node) (engine.Position, bool, error) {
	var c container
	if p.IsCore {
		c = headCore(s)
	} else {
		n, err := query{p.Container, p.text}.exactlyOne(ctx, s)
		if err != nil || n.IsZero() {
			return engine.Position{}, false, err
		}
		c = containerOf(n)
	}
	if c.segments {
		return p.splice(s)
	}
	if c.sealed {
		return engine.Under(c.node.ID(), 0), true, nil // the engine reports why not
	}
	before, after, ok := p.neighbours(&c, moved)
	if !ok {
		return p.missing()
	}
	if c.node.IsZero() && !after.IsZero() {
		return engine.Position{}, false, p.noRoom("the core of the active head is created after the node that stands there now")
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	ok = true
	if !before.IsZero() {
		low, ok = atLeast(before.Offset(), older(before, moved))
	}
	if ok && !after.IsZero() {
		high, ok = atMost(after.Offset(), !moved.IsZero() && !older(after, moved))
	}
	if !ok || low > high {
		return engine.Position{}, false, p.noRoom(offsets(before, after))
	}
	offset := min(max(0, low), high)
	if offset == 0 && c.aside {
		switch {
		case high > 0 && p.Slot != ast.AtStart:
			offset = 1
		case low < 0:
			offset = -1
		default:
			return engine.Position{}, false, p.noRoom("its neighbours leave offset 0 only, which is the core's")
		}
	}
	if c.node.IsZero() {
		return engine.AtDepth(0, offset), true, nil
	}
	return engine.Under(c.node.ID(), offset), true, nil
}

func (p *position) missing() (engine.Position, bool, error) {
	if p.Container.Optional {
		return engine.Position{}, false, nil
	}
	return engine.Position{}, false, treeError(engine.ErrNotFound, "the container of `%s` has no child %d", shorten(p.text), p.N)
}

func (p *position) noRoom(why string) error {
	return treeError(engine.ErrNoRoom, "no offset puts a node at `%s`: %s", shorten(p.text), why)
}

// offsets says why nothing goes between two neighbours.
func offsets(before, after engine.Node) string {
	switch {
	case before.IsZero():
		return after.ID() + " has offset " + after.Offset().String()
	case after.IsZero():
		return before.ID() + " has offset " + before.Offset().String()
	}
	return fmt.Sprintf("%s has offset %s, and %s %s", before.ID(), before.Offset(), after.ID(), after.Offset())
}

// splice is a slot among the segments, which is a depth.
func (p *position) splice(s *engine.Snapshot) (engine.Position, bool, error) {
	before, n := 0, s.Segments() // children before the slot
	switch p.Slot {
	case ast.AtEnd:
		before = n
	case ast.After, ast.Before:
		if p.N > int64(n) {
			return p.missing()
		}
		if before = int(p.N); p.Slot == ast.Before {
			before--
		}
	}
	return engine.AtDepth(n-before+1, 0), true, nil
}

// container is where a node is put into.
type container struct {
	node     engine.Node   // zero: the core of the head, which is not made yet
	implied  []engine.Node // the children of such a core
	segments bool          // it is ^seq
	aside    bool          // it has a core: offset 0 is not available for its other children
	sealed   bool          // it is, or lies in, the core of a sealed segment
}

func containerOf(n engine.Node) container {
	c := container{node: n}
	region, below := n.Region()
	switch {
	case !below:
		for r := range engine.RegionRest {
			if m, ok := n.Snapshot().Region(r); ok && m == n {
				c.segments, c.aside = r == engine.RegionSeq, r == engine.RegionHead
			}
		}
	case region == engine.RegionSeq && isSegment(n):
		c.aside = true
	case region == engine.RegionSeq:
		up, _ := n.Parent()
		for !isSegment(up) {
			n = up
			up, _ = n.Parent()
		}
		c.sealed = n.Offset().Cmp(engine.Int(0)) == 0
	}
	return c
}

// isSegment reports whether a node in ^seq is a child of ^seq.
func isSegment(n engine.Node) bool {
	up, _ := n.Parent()
	_, below := up.Region()
	return !below
}

// headCore returns the core of the active head, whether or not it exists yet.
func headCore(s *engine.Snapshot) container {
	head, ok := s.Region(engine.RegionHead)
	if !ok {
		return container{}
	}
	var c container
	for n := range head.Children() {
		switch n.Offset().Cmp(engine.Int(0)) {
		case 0:
			if n.Base() == engine.BaseCont {
				return container{node: n}
			}
			c.implied = append(c.implied, n)
		case 1:
			return c
		}
	}
	return c
}

// neighbours returns the children on both sides of a slot, the zero Node if there is none; moved is
// not one of them. It returns false if the child from which the slot is counted does not exist.
func (p *position) neighbours(c *container, moved engine.Node) (before, after engine.Node, ok bool) {
	if p.Slot == ast.AtEnd && !c.node.IsZero() {
		if n, _ := c.node.LastChild(); n.IsZero() || n != moved {
			return n, engine.Node{}, true
		}
	}
	ahead := int64(math.MaxInt64) // children before the slot
	switch p.Slot {
	case ast.AtStart:
		ahead = 0
	case ast.After:
		ahead = p.N
	case ast.Before:
		ahead = p.N - 1
	}
	count := int64(0)
	visit := func(n engine.Node) bool {
		count++
		switch {
		case n == moved:
		case count <= ahead:
			before = n
		case after.IsZero():
			after = n
		}
		return count < p.N || after.IsZero()
	}
	if c.node.IsZero() {
		for _, n := range c.implied {
			if !visit(n) {
				break
			}
		}
	} else {
		for n := range c.node.Children() {
			if !visit(n) {
				break
			}
		}
	}
	return before, after, count >= p.N
}

// older reports whether a node was made before another, or before one that does not exist yet,
// which is newer than all.
func older(n, than engine.Node) bool {
	if than.IsZero() {
		return true
	}
	return cmp.Or(n.CreatedNS().Cmp(than.CreatedNS()), n.CreationIndex().Cmp(than.CreationIndex()), cmp.Compare(n.ID(), than.ID())) < 0
}

// atLeast returns the smallest integer above x, or x itself if equal is allowed. It returns false
// if there is none in 64 bits.
func atLeast(x engine.Number, equal bool) (int64, bool) {
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	if i, ok := x.Int64(); ok && equal {
		return i, true
	} else if ok {
		return i + 1, i < math.MaxInt64
	}
	fits := func(i int64) bool { // the offset of a file may be any number
		c := engine.Int(i).Cmp(x)
		return c > 0 || equal && c == 0
	}
	if !fits(high) {
		return 0, false
	}
	for low < high {
		mid := low + int64(uint64(high-low)/2) // high-low may overflow
		if fits(mid) {
			high = mid
		} else {
			low = mid + 1
		}
	}
	return low, true
}

// atMost returns the greatest integer below x, or x itself if equal is allowed.
func atMost(x engine.Number, equal bool) (int64, bool) {
	i, ok := atLeast(x, !equal)
	if !ok {
		return math.MaxInt64, true
	}
	return i - 1, i > math.MinInt64
}
