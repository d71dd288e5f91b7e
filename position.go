package pactkit

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/compiled"
)

// position is an insertion position ready to be looked up.
type position compiled.Position

// findPosition looks up an insertion position in the working state for a new node, or for moved
// unless that is zero. It returns false for a missing slot if the position is optional.
func (t *Tree) findPosition(ctx context.Context, s *engine.Snapshot, text string, moved engine.Node) (engine.Position, bool, error) {
	prepared, wrong := compiled.Insertion(text, t.Timeline().Edition())
	if prepared == nil {
		return engine.Position{}, false, &SelectorError{text, wrong}
	}
	p := (*position)(prepared)
	if p.IsCore {
		return p.find(s, headCore(s), moved)
	}
	n, err := t.exactlyOne(ctx, s, p.Container)
	if err != nil || n.IsZero() {
		return engine.Position{}, false, err
	}
	return p.find(s, containerOf(n), moved)
}

// find looks up a position whose container is known.
func (p *position) find(s *engine.Snapshot, c container, moved engine.Node) (engine.Position, bool, error) {
	if c.segments {
		return p.splice(s)
	}
	if c.sealed {
		return engine.Under(c.node.ID(), 0), true, nil // the engine returns the error
	}
	before, after, ok := p.neighbors(&c, moved)
	if !ok {
		return p.missing()
	}
	if c.node.IsZero() && !after.IsZero() {
		return engine.Position{}, false, p.noRoom("the core of the active head would come after the node that is there now")
	}
	low, high := int64(math.MinInt64), int64(math.MaxInt64)
	ok = true
	if !before.IsZero() {
		low, ok = canonjson.Above(before.Offset().String(), older(before, moved))
	}
	if ok && !after.IsZero() {
		high, ok = atMost(after.Offset(), !moved.IsZero() && !older(after, moved))
	}
	offset := min(max(0, low), high)
	switch {
	case !ok || low > high:
		return p.between(&c, before, after, moved)
	case offset != 0 || !c.aside:
	case high > 0 && p.Slot != ast.AtStart:
		offset = 1
	case low < 0:
		offset = -1
	default:
		return p.between(&c, before, after, moved)
	}
	if c.node.IsZero() {
		return engine.InCore(offset), true, nil
	}
	return engine.Under(c.node.ID(), offset), true, nil
}

// between returns the position between two children that no offset divides. It is an instant, which
// only a new node may choose.
func (p *position) between(c *container, before, after, moved engine.Node) (engine.Position, bool, error) {
	isCore := c.aside && !after.IsZero() && after.Offset().Cmp(engine.Int(0)) == 0
	if moved.IsZero() && !after.IsZero() && !isCore {
		return engine.Before(after.ID()), true, nil
	}
	return engine.Position{}, false, p.noRoom(offsets(before, after) + "; put it at the end, then move those that belong after it to the end")
}

func (p *position) missing() (engine.Position, bool, error) {
	if p.Container.Optional {
		return engine.Position{}, false, nil
	}
	return engine.Position{}, false, treeError(engine.ErrNotFound, "the container of `%s` has no child %d", shorten(p.Container.Text), p.N)
}

func (p *position) noRoom(why string) error {
	return treeError(engine.ErrNoRoom, "no offset puts a node at `%s`: %s", shorten(p.Container.Text), why)
}

// offsets describes the offsets of the neighbors that leave no room.
func offsets(before, after engine.Node) string {
	switch {
	case before.IsZero():
		return after.ID() + " has offset " + after.Offset().String()
	case after.IsZero():
		return before.ID() + " has offset " + before.Offset().String()
	}
	return fmt.Sprintf("%s has offset %s, and %s %s", before.ID(), before.Offset(), after.ID(), after.Offset())
}

// splice returns the position of a slot among the segments, as a depth.
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

// container is the parent of the node to insert.
type container struct {
	node     engine.Node   // zero: the core of the head, which does not exist yet
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

// neighbors returns the children before and after a slot, ignoring moved; the zero Node means that
// there is none. It returns false if the child from which the slot is counted does not exist.
func (p *position) neighbors(c *container, moved engine.Node) (before, after engine.Node, ok bool) {
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
	children := slices.Values(c.implied)
	if !c.node.IsZero() {
		children = c.node.Children()
	}
	for n := range children {
		count++
		switch {
		case n == moved:
		case count <= ahead:
			before = n
		case after.IsZero():
			after = n
		}
		if count >= p.N && !after.IsZero() {
			break
		}
	}
	return before, after, count >= p.N
}

// older reports whether a node was created before another. If than is zero, it does not exist yet,
// so it is newer than all.
func older(n, than engine.Node) bool {
	if than.IsZero() {
		return true
	}
	return cmp.Or(n.CreatedNS().Cmp(than.CreatedNS()), n.CreationIndex().Cmp(than.CreationIndex()), cmp.Compare(n.ID(), than.ID())) < 0
}

// atMost returns the greatest integer below x, or x itself if equal is allowed.
func atMost(x engine.Number, equal bool) (int64, bool) {
	above, ok := canonjson.Above(x.String(), !equal)
	if !ok {
		return math.MaxInt64, true
	}
	return above - 1, above > math.MinInt64
}
