package engine

import (
	"cmp"
	"container/heap"
	"strings"

	"github.com/pactkit/pactkit/internal/tree"
)

// Policy says how large a tree may be after a commit. Nodes go in the order
// of PACT 0.1, 02 §7.1: lowest priority first, then oldest, then smallest id.
// Only nodes without children are taken; a container goes once it is empty.
// Regions, segments, cores, pinned nodes and what is referred to or held are
// never taken, so a limit may stay exceeded.
type Policy struct {
	Limits []Limit // applied in this order
	// KeepSegments protects everything in that many newest segments.
	KeepSegments int
	// Tokens counts the tokens of one node, without its children. It must
	// always give the same number for the same node. nil counts one for every
	// four bytes of text, rounded up.
	Tokens func(Node) int
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

// victim is a node that may be pruned.
type victim struct {
	n      Node
	tokens int
	kids   int // living children
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
	for r := from; r < to; r++ {
		if only >= 0 {
			total += tx.part(r).At(only).Len()
		} else {
			total += tx.part(r).Nodes()
		}
	}
	if l.Tokens == 0 && (l.Nodes == 0 || total <= l.Nodes) {
		return
	}
	tokens := 0
	all := map[*tree.Record]*victim{}
	byID := map[string]*victim{} // those that may go
	var queue victims
	for r := from; r < to; r++ {
		for at, c := range tx.part(r).All() {
			if only >= 0 && at != only {
				continue
			}
			safe := r == tree.RegionSeq && tx.s.Segments()-at <= p.KeepSegments
			for i, rec := range c.Recs {
				v := &victim{n: tx.s.node(r, at, c, i)}
				if l.Tokens > 0 {
					v.tokens = p.tokens(v.n)
					tokens += v.tokens
				}
				all[rec] = v
				if rec.IsMarker() { // it goes with its target
					continue
				}
				if up := c.Nav[i].Parent; up >= 0 {
					all[c.Recs[up]].kids++
				}
				if !safe && !v.n.mustStay() {
					byID[rec.ID] = v
					queue = append(queue, v)
				}
			}
		}
	}
	heap.Init(&queue)
	cl := tx.newCollector(CausePruned)
	over := func() bool { return l.Nodes > 0 && total > l.Nodes || l.Tokens > 0 && tokens > l.Tokens }
	for over() && len(queue) > 0 {
		v := heap.Pop(&queue).(*victim)
		for v != nil && v.kids == 0 && !cl.dead[v.n.rec()] {
			group := cl.remove(v.n)
			if group == nil {
				break // it comes back when its references go
			}
			for _, m := range group {
				if w := all[m.rec()]; w != nil {
					total--
					tokens -= w.tokens
				}
				for _, ref := range m.rec().Extra().Refs {
					if w := byID[tx.redacted(ref)]; w != nil && !cl.dead[w.n.rec()] {
						heap.Push(&queue, w)
					}
				}
			}
			var next *victim
			if up := v.n.up(); up >= 0 {
				w := all[v.n.chunk().Recs[up]]
				if w.kids--; w.kids == 0 && byID[w.n.ID()] == w {
					if w.n.rec().Removable {
						next = w // it goes in the same commit
					} else {
						heap.Push(&queue, w)
					}
				}
			}
			v = next
		}
	}
	cl.apply()
}

// redacted returns the id of what a redaction marker stands for, and any other
// id as it is.
func (tx *tx) redacted(id string) string {
	for range 100 { // markers of a file may refer to each other
		n, ok := tx.find(id)
		if !ok {
			break
		}
		target, ok := n.rec().Marks()
		if !ok {
			break
		}
		id = target
	}
	return id
}

func (p *Policy) tokens(n Node) int {
	if p.Tokens != nil {
		return p.Tokens(n)
	}
	text, ok := n.Content().Text()
	if !ok {
		text = n.Content().String()
	}
	return (len(text) + 3) / 4
}
