package engine

import (
	"cmp"
	"container/heap"
	"iter"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// isHead reports whether a limit is one on ^ah.
func (l Limit) isHead() bool { return l.Scope == ScopeRegion && l.Region == tree.RegionHead }

// pruneHead applies the limits on ^ah. sealing says that the commit will seal it.
func (tx *tx) pruneHead(p *Policy, sealing bool) {
	pr := pruning{tx: tx, policy: p}
	for i, l := range p.Limits {
		pr.rule = i
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
	for i, l := range p.Limits {
		pr.limit, pr.rule = l, i
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
	if core := newest.Rec(1); newest.Len() > 2 || core.Cycle < turn.Cycle || core.Index < turn.Index {
		return turn // something is left, or the core was there before it was sealed
	}
	for _, r := range newest.Recs() {
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
	return compareVictims(v[i], v[j]) < 0
}

// compareVictims compares nodes by the order in which policies change them.
func compareVictims(m, n Node) int {
	a, b := m.rec(), n.rec()
	return cmp.Or(a.CompareHeader(b, tree.HeaderPriority),
		a.CompareHeader(b, tree.HeaderCreatedNS), strings.Compare(a.ID, b.ID))
}

// pruning enforces the limits of a policy, one after the other.
type pruning struct {
	tx            *tx
	policy        *Policy
	limit         Limit
	rule          int // the number of the limit, from 0
	cl            *collector
	scope         map[*tree.Record]int // the nodes that the limit counts, with their tokens
	queue         victims
	kept          map[*tree.Record]bool // what the policy keeps
	pairs         pairs                 // nil until they are needed
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
	pr.cl.cause.Rule, pr.cl.cause.Trigger = "limit "+strconv.Itoa(pr.rule+1), TriggerLimit
	for r := from; r < to; r++ {
		for at, c := range pr.tx.part(r).Within(lo, hi) {
			for i := range c.Len() {
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
		tokens = pr.tx.c.shown(pr.tx.s, n, pr.policy)
		pr.tokens += tokens
	}
	pr.scope[n.rec()] = tokens
	if !pr.protects(n) {
		pr.queue = append(pr.queue, n)
	}
}

// pairs maps each node of a pair to the nodes of that pair in document order.
type pairs map[*tree.Record]*[]Node

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
	if pr.policy.Keep != nil && pr.kept == nil {
		pr.kept = pr.tx.kept(pr.policy, pr.tx.preview())
	}
	return n.region() == tree.RegionSeq && pr.tx.s.Segments()-n.at() <= pr.policy.KeepSegments || n.mustStay() || n.rec().IsMarker() || pr.kept[n.rec()]
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
	from := len(pr.tx.gone)
	group := pr.cl.remove(list...)
	if group == nil {
		return
	}
	pr.save(group, pr.tx.gone[from:])
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
	pr.reveal(group)
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

// reveal counts the tokens of the older versions that renderings show after a group is removed.
func (pr *pruning) reveal(group []Node) {
	c := pr.tx.c
	c.dead = pr.cl.dead
	defer func() { c.dead = nil }()
	for _, m := range group {
		if m.rec().Key == "" || pr.limit.Tokens == 0 {
			continue
		}
		for _, id := range c.keys[m.rec().Key] {
			for _, id := range append([]string{id}, c.markers[id]...) {
				n, ok := pr.tx.s.Find(id)
				if !ok {
					continue
				}
				if before, counts := pr.scope[n.rec()]; counts && !pr.cl.dead[n.rec()] {
					pr.scope[n.rec()] = c.shown(pr.tx.s, n, pr.policy)
					pr.tokens += pr.scope[n.rec()] - before
				}
			}
		}
	}
}

// save adds to the causes how many tokens the removal of a group saves.
func (pr *pruning) save(group []Node, causes []Cause) {
	for _, m := range group {
		if i := slices.IndexFunc(causes, func(c Cause) bool { return c.ID == m.ID() }); i >= 0 {
			causes[i].Saved = int64(pr.tx.c.shown(pr.tx.s, m, pr.policy))
		}
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
