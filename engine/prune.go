package engine

import (
	"cmp"
	"container/heap"
	"iter"
	"math"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// Policy limits the size of a tree, in nodes or in tokens. The limits hold for the snapshot that a
// commit or step makes: they count the turn that the commit seals, as a segment. Nodes are removed
// in the order of PACT 0.1, 02 §7.1: lowest priority first, then oldest, then smallest id. Only
// nodes without children are removed. A removable container is removed as soon as it is empty, any
// other when its turn comes. Regions, segments, cores, pinned nodes, and nodes that are held or
// that another node refers to always stay, so a limit may remain exceeded. References inside a pair
// keep nothing.
type Policy struct {
	// Limits are applied in this order, except that those on ^ah come first, before the turn is
	// sealed.
	Limits []Limit
	// KeepSegments is how many of the newest segments are protected from pruning. In a commit, the
	// turn that it seals is the newest of them.
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

// isHead reports whether a limit is one on ^ah.
func (l Limit) isHead() bool { return l.Scope == ScopeRegion && l.Region == tree.RegionHead }

// pruneHead applies the limits on ^ah. sealing says that the commit will seal it.
func (tx *tx) pruneHead(p *Policy, sealing bool) {
	pr := pruning{tx: tx, policy: p}
	for _, l := range p.Limits {
		if l.isHead() && !(sealing && p.KeepSegments > 0) {
			pr.limit = l
			pr.enforce(tx.part(l.Region).Nodes(), l.Region, l.Region+1, 0, math.MaxInt)
		}
	}
}

// prune applies the other limits. turn is the segment that the commit made, or nil. If nothing is
// left of it but what sealing added, prune removes it (E5). It returns the segment that is left.
func (tx *tx) prune(p *Policy, turn *tree.Record) *tree.Record {
	pr := pruning{tx: tx, policy: p}
	for _, l := range p.Limits {
		pr.limit = l
		switch {
		case l.isHead():
		case l.Scope == ScopeTree:
			pr.enforce(tx.s.Len()-tx.s.tree().RegionRoots().Len(), tree.RegionSys, tree.NumRegions, 0, math.MaxInt)
		case l.Scope == ScopeRegion && l.Region < tree.NumRegions:
			pr.enforce(tx.part(l.Region).Nodes(), l.Region, l.Region+1, 0, math.MaxInt)
		case l.Scope == ScopeSegment:
			for at := range tx.s.Segments() {
				pr.enforce(tx.part(tree.RegionSeq).At(at).Len(), tree.RegionSeq, tree.RegionSeq+1, at, at+1)
			}
		}
	}
	if turn == nil {
		return nil
	}
	seq := tx.part(tree.RegionSeq)
	newest := seq.At(seq.Len() - 1)
	if core := newest.Recs[1]; newest.Len() > 2 || core.Cycle < turn.Cycle || core.Index < turn.Index {
		return turn // something is left, or the core was there before it was sealed
	}
	for _, r := range newest.Recs {
		tx.count(r, -1)
	}
	*seq = seq.Set(seq.Len()-1, newest.Without(0))
	tx.c.head.Top.Store(nil)
	return nil
}

// victims is a heap with the next node to remove at the top.
type victims []Node

func (v victims) Len() int      { return len(v) }
func (v victims) Swap(i, j int) { v[i], v[j] = v[j], v[i] }
func (v *victims) Push(x any)   { *v = append(*v, x.(Node)) }
func (v *victims) Pop() any {
	last := len(*v) - 1
	x := (*v)[last]
	*v = (*v)[:last]
	return x
}
func (v victims) Less(i, j int) bool {
	a, b := v[i].rec(), v[j].rec()
	return cmp.Or(a.CompareHeader(b, tree.HeaderPriority),
		a.CompareHeader(b, tree.HeaderCreatedNS), strings.Compare(a.ID, b.ID)) < 0
}

// pruning enforces the limits of a policy, one after the other.
type pruning struct {
	tx            *tx
	policy        *Policy
	limit         Limit
	cl            *collector
	scope         map[*tree.Record]int // the nodes that the limit counts, with their tokens
	queue         victims
	pairs         pairs // nil until they are needed
	nodes, tokens int
}

// enforce enforces the limit on the chunks [lo, hi) of the regions [from, to), which have the given
// number of nodes.
func (pr *pruning) enforce(nodes int, from, to tree.Region, lo, hi int) {
	pr.nodes, pr.tokens = nodes, 0
	if pr.limit.Tokens == 0 && !pr.isOver() {
		return
	}
	pr.cl, pr.scope, pr.queue = pr.tx.newCollector(CausePruned), map[*tree.Record]int{}, nil
	for r := from; r < to; r++ {
		for at, c := range pr.tx.part(r).Within(lo, hi) {
			for i := range c.Recs {
				pr.add(pr.tx.s.node(r, at, c, i))
			}
		}
	}
	if !pr.isOver() {
		return
	}
	heap.Init(&pr.queue)
	if pr.pairs == nil {
		pr.pairs = findPairs(pr.tx.s.All(), pr.policy.pair())
	}
	for pr.isOver() && len(pr.queue) > 0 {
		pr.take(heap.Pop(&pr.queue).(Node))
	}
	if len(pr.cl.dead) > 0 {
		pr.pairs = nil // removing nodes moves others
	}
	pr.cl.apply()
}

// isOver reports whether the limit is exceeded.
func (pr *pruning) isOver() bool {
	l := pr.limit
	return l.Nodes > 0 && pr.nodes > l.Nodes || l.Tokens > 0 && pr.tokens > l.Tokens
}

// add adds a node of the scope.
func (pr *pruning) add(n Node) {
	tokens := 0
	if pr.limit.Tokens > 0 {
		tokens = pr.policy.tokens(n)
		pr.tokens += tokens
	}
	pr.scope[n.rec()] = tokens
	if !pr.protects(n) {
		pr.queue = append(pr.queue, n)
	}
}

// pairs maps each node of a pair to the nodes of that pair in document order.
type pairs map[*tree.Record]*[]Node

// pair returns the function that groups nodes; p may be nil.
func (p *Policy) pair() func(Node) (id string, begins bool) {
	if p == nil || p.Pair == nil {
		return ToolPair
	}
	return p.Pair
}

// findPairs finds all pairs of nodes, which must be in document order.
func findPairs(nodes iter.Seq[Node], pair func(Node) (id string, begins bool)) pairs {
	found, now := pairs{}, map[string]*[]Node{}
	for n := range nodes {
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
	if p := pr.pairs[n.rec()]; p != nil {
		return *p
	}
	return []Node{n}
}

// protects reports whether the policy never removes a node by itself. A redaction marker is removed
// with its target.
func (pr *pruning) protects(n Node) bool {
	return n.region() == tree.RegionSeq && pr.tx.s.Segments()-n.at() <= pr.policy.KeepSegments || n.mustStay() || n.rec().IsMarker()
}

// take removes a node with its pair, unless something keeps one of them, and then the removable
// containers that became empty.
func (pr *pruning) take(n Node) {
	if pr.cl.dead[n.rec()] {
		return
	}
	list := pr.together(n)
	for _, m := range list {
		if pr.protects(m) || !pr.cl.isEmpty(m) {
			return // again puts it back into the queue when it may be removed
		}
	}
	group := pr.cl.remove(list...)
	if group == nil {
		return
	}
	for _, m := range group {
		if tokens, counts := pr.scope[m.rec()]; counts {
			pr.nodes--
			pr.tokens -= tokens
		}
		for _, ref := range m.rec().Extra().Refs {
			if target, ok := pr.tx.redacted(ref); ok {
				pr.again(target)
			}
		}
	}
	for _, m := range list {
		if m.up() < 0 {
			continue
		}
		up := m.with(m.up())
		if up.rec().Removable { // also outside the scope
			pr.take(up)
		}
		pr.again(up)
	}
}

// again puts a node and the others of its pair back into the queue.
func (pr *pruning) again(n Node) {
	for _, n := range pr.together(n) {
		if _, counts := pr.scope[n.rec()]; counts && !pr.cl.dead[n.rec()] && pr.cl.isEmpty(n) {
			heap.Push(&pr.queue, n)
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
