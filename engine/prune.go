package engine

import (
	"cmp"
	"container/heap"
	"math"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// Policy limits the size of a tree after a commit, in nodes or in tokens. Nodes are removed in the
// order of PACT 0.1, 02 §7.1: lowest priority first, then oldest, then smallest id. Only nodes
// without children are removed; a container is removed when it is empty. Regions, segments, cores,
// pinned nodes, and nodes that are held or that another node refers to always stay, so a limit may
// remain exceeded.
type Policy struct {
	Limits []Limit // applied in this order
	// KeepSegments is how many of the newest segments are protected from pruning.
	KeepSegments int
	// Tokens counts the tokens of a node without its children. It must always return the same
	// number for the same node. nil counts a token for every four bytes of text, rounded up.
	Tokens func(Node) int
	// Pair groups nodes that are removed together or not at all. A pair is a node for which begins
	// is true, and the nodes after it in document order with the same id, up to the next one for
	// which begins is true. A node with the id "" is in no pair. If a node of a pair must stay, the
	// whole pair stays. nil means [ToolPair].
	Pair func(Node) (id string, begins bool)
}

// ToolPair is the default [Policy].Pair. It pairs the call of a tool with its results, as importers
// make them, by call_id, tool_call_id or tool_use_id, because providers refuse one without the
// other.
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

// Scope is the part of a tree to which a limit applies.
type Scope uint8

// The scopes of limits.
const (
	ScopeTree    Scope = iota // all regions together
	ScopeRegion               // one region
	ScopeSegment              // each segment by itself
)

// Limit is a limit on nodes, on tokens or on both; 0 means no limit. ^root and the regions do not
// count.
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

// victims is a heap with the next node to remove at the top.
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
	all           map[*tree.Record]*victim // the nodes of the scope
	queue         victims
	pairs         *pairs // a nil map until they are needed
	total, tokens int
}

// enforce enforces the limit on the chunks [lo, hi) of the regions [from, to). pr.total must be the
// number of their nodes.
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
		*pr.pairs = nil // nodes will be in other places
	}
	pr.cl.apply()
}

// over reports whether the limit is exceeded.
func (pr *pruning) over() bool {
	l := pr.limit
	return l.Nodes > 0 && pr.total > l.Nodes || l.Tokens > 0 && pr.tokens > l.Tokens
}

// add adds a node of the scope. Its parent must have been added.
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

// pairs maps each node of a pair to the nodes of that pair in document order.
type pairs map[*tree.Record]*[]Node

// findPairs finds all pairs of the tree.
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

// protects reports whether the policy never removes a node.
func (pr *pruning) protects(n Node) bool {
	return n.region() == tree.RegionSeq && pr.tx.s.Segments()-n.at() <= pr.policy.KeepSegments || n.mustStay()
}

// take removes a node with its pair, unless something keeps one of them, and then the removable
// containers that became empty.
func (pr *pruning) take(v *victim) {
	if v.kids > 0 || pr.cl.dead[v.n.rec()] {
		return
	}
	list := pr.together(v.n)
	for _, n := range list {
		if pr.protects(n) || !pr.cl.isEmpty(n) {
			return // again puts it back into the queue when it may be removed
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

// takeEmptied removes the removable containers that became empty when the nodes of list were
// removed.
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

// again puts a node and the others of its pair back into the queue.
func (pr *pruning) again(n Node) {
	for _, n := range pr.together(n) {
		if w := pr.all[n.rec()]; w != nil && w.mayGo && w.kids == 0 && !pr.cl.dead[n.rec()] {
			heap.Push(&pr.queue, w)
		}
	}
}

// redacted returns the node with an id or, if that is a redaction marker, the node that it redacts.
func (tx *tx) redacted(id string) (Node, bool) {
	n, ok := tx.s.Find(id)
	for i := 0; ok && i < 100; i++ { // in a file, markers may refer to each other
		target, marks := n.rec().Marks()
		if !marks {
			break
		}
		n, ok = tx.s.Find(target)
	}
	return n, ok
}

// tokens returns the number of tokens of a node.
func (p *Policy) tokens(n Node) int {
	if p.Tokens != nil {
		return p.Tokens(n)
	}
	return (len(plainContent(n)) + 3) / 4
}
