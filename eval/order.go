package eval

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// compareSameKey is the order of nodes that share a key: the deepest first, then the newest (PACT 1.0, 04 §3.5.2).
func compareSameKey(a, b engine.Node) int {
	return cmp.Or(
		cmp.Compare(depthOr(b, math.MinInt), depthOr(a, math.MinInt)),
		b.CreatedNS().Cmp(a.CreatedNS()),
		b.CreationIndex().Cmp(a.CreationIndex()),
		strings.Compare(a.ID(), b.ID()),
	)
}

func depthOr(n engine.Node, none int) int {
	if d, ok := n.Depth(); ok {
		return d
	}
	return none
}

// sorter puts nodes of one snapshot into an order of @order.
type sorter func(nodes []engine.Node)

// sorters has an entry for every value of @order.
var sorters = map[string]sorter{
	"pre":           func([]engine.Node) {},
	"post":          by(comparePost),
	"bfs":           by(func(a, b *sortEntry) int { return cmp.Compare(a.treeLevel(), b.treeLevel()) }),
	"path":          sortByPath,
	"turn:asc,pre":  by(func(*sortEntry, *sortEntry) int { return 0 }),
	"turn:desc,pre": by(compareTurn),
}

// sortEntry is a node and where it is.
type sortEntry struct {
	engine.Node
	region     engine.Region
	at, i      int
	chunk      *tree.Chunk
	root, head bool // the root; a region itself, in region
}

func newSortEntry(n engine.Node) sortEntry {
	t := tree.Node(n)
	s := sortEntry{Node: n, region: t.Region(), at: t.At(), i: int(t.I()), chunk: t.Chunk()}
	if s.head = s.region == tree.RegionTop; !s.head {
		return s
	}
	for r := range engine.RegionRest {
		if top, ok := n.Snapshot().Region(r); ok && top == n {
			s.region = r
			return s
		}
	}
	s.root, s.head = true, false
	return s
}

// by makes a sorter of an order in which document order decides between equals.
func by(compare func(a, b *sortEntry) int) sorter {
	return func(nodes []engine.Node) {
		entries := make([]sortEntry, len(nodes))
		for i, n := range nodes {
			entries[i] = newSortEntry(n)
		}
		slices.SortFunc(entries, func(a, b sortEntry) int { return cmp.Or(compare(&a, &b), a.Compare(b.Node)) })
		for i := range entries {
			nodes[i] = entries[i].Node
		}
	}
}

// comparePost puts children before parents: a node comes where its subtree ends.
func comparePost(a, b *sortEntry) int {
	if a.root || b.root {
		return compareBool(a.root, b.root)
	}
	if c := cmp.Compare(a.region, b.region); c != 0 {
		return c
	}
	if a.head || b.head {
		return compareBool(a.head, b.head)
	}
	return cmp.Or(
		cmp.Compare(a.at, b.at),
		cmp.Compare(a.chunk.End(a.i), b.chunk.End(b.i)),
		cmp.Compare(b.i, a.i),
	)
}

func compareBool(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return 1
	}
	return -1
}

// treeLevel counts from the root.
func (s *sortEntry) treeLevel() int {
	switch {
	case s.root:
		return 0
	case s.head:
		return 1
	case s.region == engine.RegionRest:
		return 1 + s.chunk.Level(s.i)
	}
	return 2 + s.chunk.Level(s.i)
}

// compareTurn orders by turns, the newest first: ^root, ^ah, ^seq, the segments, ^sys, and what else there is.
func compareTurn(a, b *sortEntry) int {
	c := cmp.Compare(a.turn(), b.turn())
	if c == 0 && a.turn() == segmentTurn {
		c = cmp.Compare(b.at, a.at)
	}
	return c
}

// segmentTurn is the turn of the segments.
const segmentTurn = 3

func (s *sortEntry) turn() int {
	if s.root {
		return 0
	}
	if s.region == engine.RegionSeq && !s.head {
		return segmentTurn
	}
	return [...]int{engine.RegionHead: 1, engine.RegionSeq: 2, engine.RegionSys: 4, engine.RegionRest: 5}[s.region]
}

// sortByPath orders by depth, nodes without one first, then by the offsets on the way down.
func sortByPath(nodes []engine.Node) {
	var pathA, pathB []engine.Number // of the two nodes that are compared
	slices.SortFunc(nodes, func(a, b engine.Node) int {
		if c := cmp.Compare(depthOr(a, math.MinInt), depthOr(b, math.MinInt)); c != 0 {
			return c
		}
		pathA, pathB = appendPath(pathA[:0], a), appendPath(pathB[:0], b)
		return cmp.Or(slices.CompareFunc(pathA, pathB, engine.Number.Cmp), a.Compare(b))
	})
}

// appendPath appends the offsets that lead to a node from the top of its depth.
func appendPath(dst []engine.Number, n engine.Node) []engine.Number {
	region, ok := n.Region()
	if !ok || region == engine.RegionRest {
		return dst
	}
	start, c, i := len(dst), tree.Node(n).Chunk(), int(tree.Node(n).I())
	for ; i >= 0 && (region != engine.RegionSeq || c.Level(i) > 0); i = c.Parent(i) {
		dst = append(dst, n.Offset())
		n, _ = n.Parent()
	}
	slices.Reverse(dst[start:])
	return dst
}
