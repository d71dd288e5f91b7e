package eval

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// compareSameKey is the order of nodes that share a key: the deepest first, then the newest (PACT
// 1.0, 04 §3.5.2).
func compareSameKey(a, b engine.Node) int {
	return cmp.Or(
		cmp.Compare(depthOf(b), depthOf(a)),
		b.CreatedNS().Cmp(a.CreatedNS()),
		b.CreationIndex().Cmp(a.CreationIndex()),
		strings.Compare(a.ID(), b.ID()),
	)
}

// depthOf returns the depth of a node, or math.MinInt if it has none.
func depthOf(n engine.Node) int {
	if d, ok := n.Depth(); ok {
		return d
	}
	return math.MinInt
}

// sorter sorts nodes of one snapshot in an order of @order.
type sorter func(ctx context.Context, nodes []engine.Node)

// sorters has an entry for every value of @order.
var sorters = map[string]sorter{
	"pre":           func(context.Context, []engine.Node) {},
	"post":          by(postRank),
	"bfs":           by(levelRank),
	"path":          sortByPath,
	"turn:asc,pre":  by(func(tree.Node) rank { return rank{} }),
	"turn:desc,pre": by(turnRank),
}

// rank is the sort key of an order, compared from left to right. Document order decides between
// equal ranks.
type rank [4]int

// by returns a sorter by rank.
func by(of func(tree.Node) rank) sorter {
	type ranked struct {
		rank
		node engine.Node
	}
	return func(_ context.Context, nodes []engine.Node) {
		list := make([]ranked, len(nodes))
		for i, n := range nodes {
			list[i] = ranked{of(tree.Node(n)), n}
		}
		slices.SortFunc(list, func(a, b ranked) int { return cmp.Or(slices.Compare(a.rank[:], b.rank[:]), a.node.Compare(b.node)) })
		for i := range list {
			nodes[i] = list[i].node
		}
	}
}

// postRank puts children before parents: a node comes where its subtree ends.
func postRank(n tree.Node) rank {
	switch {
	case n.Region() != tree.RegionTop:
		return rank{int(n.Region()), n.At(), n.Chunk().End(int(n.I())), -int(n.I())}
	case isRoot(n):
		return rank{math.MaxInt}
	}
	return rank{int(n.Content()), math.MaxInt}
}

// levelRank is the number of levels below the root.
func levelRank(n tree.Node) rank {
	switch {
	case n.Region() != tree.RegionTop:
		return rank{int(tree.LevelOf(n.Region())) + n.Chunk().Level(int(n.I()))}
	case isRoot(n):
		return rank{0}
	}
	return rank{1}
}

// turnRank orders by turns, the newest first: ^root, ^ah, ^seq, the segments, ^sys, and what else
// there is.
func turnRank(n tree.Node) rank {
	r := n.Region()
	switch {
	case r == engine.RegionSeq:
		return rank{3, -n.At()}
	case isRoot(n):
		return rank{0}
	case r == tree.RegionTop:
		r = n.Content()
	}
	return rank{[...]int{engine.RegionHead: 1, engine.RegionSeq: 2, engine.RegionSys: 4, engine.RegionRest: 5}[r]}
}

func isRoot(n tree.Node) bool {
	return n.Region() == tree.RegionTop && n.Content() == engine.RegionRest
}

// sortByPath orders by depth, nodes without one first, then by the offsets on the way down. In a
// deep tree the paths of all nodes would not fit into memory, so each comparison finds its own.
func sortByPath(ctx context.Context, nodes []engine.Node) {
	var pathA, pathB []engine.Number // of the two nodes that are compared
	work := budget{left: checkEvery}
	slices.SortFunc(nodes, func(a, b engine.Node) int {
		if c := cmp.Compare(depthOf(a), depthOf(b)); c != 0 {
			return c
		}
		if !work.spend(ctx, 16*(1+len(pathA)+len(pathB))) { // the last two are about as long
			return 0
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
