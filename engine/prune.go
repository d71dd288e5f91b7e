package engine

import (
	"cmp"
	"container/heap"
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
	for _, l := range p.Limits {
		switch l.Scope {
		case ScopeTree:
			tx.pruneScope(p, l, tree.RegionSys, tree.NumRegions, -1)
		case ScopeRegion:
			if l.Region < tree.NumRegions {
				tx.pruneScope(p, l, l.Region, l.Region+1, -1)
			}
		case ScopeSegment:
			for at := range tx.s.Segments() {
				tx.pruneScope(p, l, tree.RegionSeq, tree.RegionSeq+1, at)
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

// pruneScope enforces one limit over the regions [from, to), or over the
// segment at only if that is not negative.
func (tx *tx) pruneScope(p *Policy, l Limit, from, to tree.Region, only int) {
	total := 0
	if only >= 0 {
		total = tx.part(from).At(only).Len()
	} else {
		for r := from; r < to; r++ {
			total += tx.part(r).Nodes()
		}
	}
	if l.Tokens == 0 && (l.Nodes == 0 || total <= l.Nodes) {
		return
	}
	pr := &pruning{tx: tx, policy: p, cl: tx.newCollector(CausePruned), all: map[*tree.Record]*victim{}, total: total}
	for r := from; r < to; r++ {
		for at, c := range tx.part(r).All() {
			if only >= 0 && at != only {
				continue
			}
			for i, rec := range c.Recs {
				v := &victim{n: tx.s.node(r, at, c, i)}
				if l.Tokens > 0 {
					v.tokens = p.tokens(v.n)
					pr.tokens += v.tokens
				}
				pr.all[rec] = v
				if rec.IsMarker() { // it is removed with its target
					continue
				}
				if up := c.Nav[i].Parent; up >= 0 {
					pr.all[c.Recs[up]].kids++
				}
				if v.mayGo = !pr.protects(v.n); v.mayGo {
					pr.queue = append(pr.queue, v)
				}
			}
		}
	}
	over := func() bool { return l.Nodes > 0 && pr.total > l.Nodes || l.Tokens > 0 && pr.tokens > l.Tokens }
	if !over() {
		return
	}
	heap.Init(&pr.queue)
	pr.findPairs()
	for over() && len(pr.queue) > 0 {
		pr.take(heap.Pop(&pr.queue).(*victim))
	}
	pr.cl.apply()
}

// pruning enforces one limit.
type pruning struct {
	tx            *tx
	policy        *Policy
	cl            *collector
	all           map[*tree.Record]*victim // of the scope
	queue         victims
	pairs         map[*tree.Record]*[]Node // the nodes of each pair, in document order
	total, tokens int
}

// findPairs finds the pairs in the whole tree.
func (pr *pruning) findPairs() {
	pair := pr.policy.Pair
	if pair == nil {
		pair = ToolPair
	}
	pr.pairs = map[*tree.Record]*[]Node{}
	now := map[string]*[]Node{}
	for n := range pr.tx.s.All() {
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
		pr.pairs[n.rec()] = now[id]
	}
}

// together returns the nodes of the pair of n, n included.
func (pr *pruning) together(n Node) []Node {
	if p := pr.pairs[n.rec()]; p != nil {
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
