package engine

import (
	"cmp"
	"container/heap"
	"math"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// Policy limits the size of a tree after a commit, in nodes or in tokens. Nodes are
// removed in the order of PACT 0.1, 02 §7.1: lowest priority first, then oldest,
// then smallest id. Only nodes without children are removed; a container goes once
// it is empty. Regions, segments, cores, pinned nodes, and nodes that are referred
// to or held always stay, so a limit may stay exceeded.
type Policy struct {
	Limits []Limit // applied in this order
	// KeepSegments protects everything in that many newest segments.
	KeepSegments int
	// Tokens counts the tokens of one node, without its children. It must
	// always give the same number for the same node. nil counts one for every
	// four bytes of text, rounded up.
	Tokens func(Node) int
	// Pair groups nodes that are removed together or not at all. A pair is a node for which begins is true and the
	// nodes after it in document order with the same id, up to the next one that begins. A node with the id "" is in
	// no pair. If a node of a pair must stay, all of it stays. nil means [ToolPair].
	Pair func(Node) (id string, begins bool)
}

// ToolPair is the default [Policy].Pair. It pairs the call of a tool with its results, as importers make them, by
// call_id, tool_call_id or tool_use_id. A provider refuses one without the other.
func ToolPair(n Node) (id string, begins bool) {
	kind, _ := n.Kind()
	if kind != "call" && kind != "result" {
		return "", false
	}
	for _, name := range [...]string{"call_id", "tool_call_id", "tool_use_id"} {
		if id, ok := n.Header(name).Text(); ok && id != "" {
			return id, kind == "call"
		}
	}
	return "", false
}

// Scope is what a limit counts over.
type Scope uint8

const (
	ScopeTree    Scope = iota // all regions together
	ScopeRegion               // one region
	ScopeSegment              // each segment by itself
)

// Limit is one bound; 0 nodes or tokens means no bound. Nodes are counted
// without ^root and the regions.
type Limit struct {
	Scope  Scope
	Region Region // for ScopeRegion
	Nodes  int
	Tokens int
}

// prune applies a policy.
func (tx *tx) prune(p *Policy) {
	var known pairs
	for _, l := range p.Limits {
		pr := pruning{tx: tx, policy: p, limit: l, pairs: &known}
		switch l.Scope {
		case ScopeTree:
			for r := range tree.NumRegions {
				pr.total += tx.part(r).Nodes()
			}
			pr.enforce(tree.RegionSys, tree.NumRegions, 0, math.MaxInt)
		case ScopeRegion:
			if l.Region < tree.NumRegions {
				pr.total = tx.part(l.Region).Nodes()
				pr.enforce(l.Region, l.Region+1, 0, math.MaxInt)
			}
		case ScopeSegment:
			for at := range tx.s.Segments() {
				pr.total = tx.part(tree.RegionSeq).At(at).Len()
				pr.enforce(tree.RegionSeq, tree.RegionSeq+1, at, at+1)
			}
		}
	}
}

// victim is a node that a limit counts.
type victim struct {
	n      Node
	tokens int
	kids   int  // living children
	mayGo  bool // it is not protected
}

// victims is a heap, the next to go on top.
type victims []*victim

func (v victims) Len() int      { return len(v) }
func (v victims) Swap(i, j int) { v[i], v[j] = v[j], v[i] }
func (v *victims) Push(x any)   { *v = append(*v, x.(*victim)) }
func (v *victims) Pop() any {
	last := len(*v) - 1
	x := (*v)[last]
	*v = (*v)[:last]
	return x
}
func (v victims) Less(i, j int) bool {
	a, b := v[i].n.rec(), v[j].n.rec()
	return cmp.Or(a.CompareHeader(b, tree.HeaderPriority),
		a.CompareHeader(b, tree.HeaderCreatedNS), strings.Compare(a.ID, b.ID)) < 0
}

// pruning enforces one limit.
type pruning struct {
	tx            *tx
	policy        *Policy
	limit         Limit
	cl            *collector
	all           map[*tree.Record]*victim // of the scope
	queue         victims
	pairs         *pairs // nil until they are needed
	total, tokens int
}

// enforce enforces the limit over the chunks [lo, hi) of the regions [from, to), which have total nodes.
func (pr *pruning) enforce(from, to tree.Region, lo, hi int) {
	if pr.limit.Tokens == 0 && !pr.over() {
		return
	}
	pr.cl, pr.all, pr.queue, pr.tokens = pr.tx.newCollector(CausePruned), map[*tree.Record]*victim{}, nil, 0
	for r := from; r < to; r++ {
		for at, c := range pr.tx.part(r).Within(lo, hi) {
			for i := range c.Recs {
				pr.add(pr.tx.s.node(r, at, c, i))
			}
		}
	}
	if !pr.over() {
		return
	}
	heap.Init(&pr.queue)
	if *pr.pairs == nil {
		pair := pr.policy.Pair
		if pair == nil {
			pair = ToolPair
		}
		*pr.pairs = pr.tx.findPairs(pair)
	}
	for pr.over() && len(pr.queue) > 0 {
		pr.take(heap.Pop(&pr.queue).(*victim))
	}
	if len(pr.cl.dead) > 0 {
		*pr.pairs = nil // nodes are in other places now
	}
	pr.cl.apply()
}

// over reports whether the limit is exceeded.
func (pr *pruning) over() bool {
	l := pr.limit
	return l.Nodes > 0 && pr.total > l.Nodes || l.Tokens > 0 && pr.tokens > l.Tokens
}

// add adds a node of the scope; its parent must have been added.
func (pr *pruning) add(n Node) {
	v := &victim{n: n}
	if pr.limit.Tokens > 0 {
		v.tokens = pr.policy.tokens(n)
		pr.tokens += v.tokens
	}
	pr.all[n.rec()] = v
	if n.rec().IsMarker() { // it is removed with its target
		return
	}
	if n.up() >= 0 {
		pr.all[n.with(n.up()).rec()].kids++
	}
	if v.mayGo = !pr.protects(n); v.mayGo {
		pr.queue = append(pr.queue, v)
	}
}

// pairs holds the nodes of each pair, in document order, by node.
type pairs map[*tree.Record]*[]Node

// findPairs finds the pairs in the whole tree.
func (tx *tx) findPairs(pair func(Node) (id string, begins bool)) pairs {
	found, now := pairs{}, map[string]*[]Node{}
	for n := range tx.s.All() {
		if n.region() == tree.RegionTop {
			continue
		}
		id, begins := pair(n)
		if id == "" || n.rec().IsMarker() {
			continue
		}
		if now[id] == nil || begins {
			now[id] = new([]Node)
		}
		*now[id] = append(*now[id], n)
		found[n.rec()] = now[id]
	}
	return found
}

// together returns the nodes of the pair of n, n included.
func (pr *pruning) together(n Node) []Node {
	if p := (*pr.pairs)[n.rec()]; p != nil {
		return *p
	}
	return []Node{n}
}

// protects reports whether the policy never removes a node, whether or not a limit counts it.
func (pr *pruning) protects(n Node) bool {
	return n.region() == tree.RegionSeq && pr.tx.s.Segments()-n.at() <= pr.policy.KeepSegments || n.mustStay()
}

// take removes a node with its pair, and the containers that this empties, unless something keeps one of them.
func (pr *pruning) take(v *victim) {
	if v.kids > 0 || pr.cl.dead[v.n.rec()] {
		return
	}
	list := pr.together(v.n)
	for _, n := range list {
		if pr.protects(n) || !pr.cl.isEmpty(n) {
			return // again brings it back when it may go
		}
	}
	group := pr.cl.remove(list...)
	if group == nil {
		return
	}
	for _, m := range group {
		if w := pr.all[m.rec()]; w != nil {
			pr.total--
			pr.tokens -= w.tokens
		}
		for _, ref := range m.rec().Extra().Refs {
			if n, ok := pr.tx.redacted(ref); ok {
				pr.again(n)
			}
		}
	}
	pr.takeEmptied(list)
}

// takeEmptied removes the removable containers that lost their last child with the nodes of list.
func (pr *pruning) takeEmptied(list []Node) {
	var above []Node
	for _, n := range list {
		if n.up() < 0 {
			continue
		}
		above = append(above, n.with(n.up()))
		if w := pr.all[n.with(n.up()).rec()]; w != nil {
			w.kids--
		}
	}
	for _, up := range above {
		if w := pr.all[up.rec()]; w != nil && w.mayGo && w.kids == 0 && up.rec().Removable {
			pr.take(w)
		}
		pr.again(up)
	}
}

// again puts a node, and those of its pair, back into the queue.
func (pr *pruning) again(n Node) {
	for _, n := range pr.together(n) {
		if w := pr.all[n.rec()]; w != nil && w.mayGo && w.kids == 0 && !pr.cl.dead[n.rec()] {
			heap.Push(&pr.queue, w)
		}
	}
}

// redacted returns the node with an id or, if that is a redaction marker, the one that it redacts.
func (tx *tx) redacted(id string) (Node, bool) {
	n, ok := tx.s.Find(id)
	for i := 0; ok && i < 100; i++ { // markers of a file may refer to each other
		target, marks := n.rec().Marks()
		if !marks {
			break
		}
		n, ok = tx.s.Find(target)
	}
	return n, ok
}

func (p *Policy) tokens(n Node) int {
	if p.Tokens != nil {
		return p.Tokens(n)
	}
	return (len(plainContent(n)) + 3) / 4
}
