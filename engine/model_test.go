package engine_test

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// model is a simple implementation of the engine: a tree of pointers that is copied before every
// step. It shares no code with the engine.
type model struct {
	edition   engine.Edition
	root      *mnode
	cycle     int64
	ns, index int64 // of the last node
	clock     int64
	nextID    int
	holds     map[string]int
	cadence   map[string]msched
	due       map[string]bool // keys whose cadence waits for a new head
	emptied   []string
	given     map[string]bool // ids of the whole history
	policy    *engine.Policy
	steps     []mstep
	why       string            // the cause for which nodes are being removed
	causes    map[string]string // of nodes that only the newest snapshot has
	cycles    map[bool][]int64  // of the snapshots, oldest first; true: of side calls
}

// mnode is a node. It has a field for each header.
type mnode struct {
	id, typ, key, content, iso string
	kind, role                 string
	offset, priority           int64
	cycle, ns, index           int64
	ttl, cad                   *int64
	expires, from              int64 // if there is a ttl, it counts from the cycle from
	removable, pinned          bool
	refs                       []string
	kids                       []*mnode
	up                         *mnode
}

type msched struct {
	first, every int64
	core         bool
	node         *mnode
}

const modelStart = 1_700_000_000_000_000_000

func newModel(e engine.Edition) *model {
	m := &model{edition: e, cycle: 1, clock: modelStart, holds: map[string]int{}, cadence: map[string]msched{}, due: map[string]bool{}, given: map[string]bool{}, why: "deleted", causes: map[string]string{}, cycles: map[bool][]int64{}}
	m.root = m.alloc("root", "^root")
	for _, r := range []string{"^sys", "^seq", "^ah"} {
		m.hang(m.root, m.alloc(r, r))
	}
	return m
}

func (m *model) clone() *model {
	c := *m
	c.root = m.root.clone(nil)
	c.holds, c.cadence, c.due = maps.Clone(m.holds), maps.Clone(m.cadence), maps.Clone(m.due)
	c.emptied, c.given = slices.Clone(m.emptied), maps.Clone(m.given)
	c.causes = maps.Clone(m.causes)
	return &c
}

func (n *mnode) clone(up *mnode) *mnode {
	c := *n
	c.up, c.kids, c.refs = up, nil, slices.Clone(n.refs)
	for _, k := range n.kids {
		c.kids = append(c.kids, k.clone(&c))
	}
	return &c
}

func (m *model) alloc(id, typ string) *mnode {
	m.ns = max(m.clock, m.ns+1)
	if id == "" {
		m.nextID++
		id = fmt.Sprintf("%s:%d", m.name((&mnode{typ: typ}).base()), m.nextID)
	}
	if m.given[id] {
		panic("the id " + id + " is given twice")
	}
	m.given[id] = true
	n := &mnode{id: id, typ: typ, cycle: m.cycle, from: m.cycle, ns: m.ns, index: m.index, iso: isoOf(m.ns)}
	m.index++
	return n
}

func isoOf(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z07:00")
}

func (m *model) hang(up, n *mnode) {
	n.up = up
	up.kids = append(up.kids, n)
	if up != m.root {
		slices.SortFunc(up.kids, func(a, b *mnode) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.ns, b.ns), cmp.Compare(a.index, b.index), cmp.Compare(a.id, b.id))
		})
	}
}

func (m *model) unhang(n *mnode) {
	n.up.kids = slices.DeleteFunc(n.up.kids, func(k *mnode) bool { return k == n })
	n.up = nil
}

func (n *mnode) base() string {
	switch head, _, _ := strings.Cut(n.typ, ":"); head {
	case "seg", "mt":
		return "seg"
	case "cont", "mc":
		return "cont"
	}
	return "block"
}

// name returns what a base is called in the edition.
func (m *model) name(base string) string {
	if m.edition == engine.Edition01 {
		return map[string]string{"seg": "mt", "cont": "mc", "block": "cb"}[base]
	}
	return base
}

// target returns the id of the node that a redaction marker redacts.
func (n *mnode) target() (string, bool) {
	if n.typ == "redaction" && len(n.refs) == 1 {
		return n.refs[0], true
	}
	return "", false
}

func (n *mnode) isMarker() bool {
	_, ok := n.target()
	return ok
}

// empty reports whether a node has no children except markers and those in a set.
func (n *mnode) empty(except *mnode) bool {
	return !slices.ContainsFunc(n.kids, func(k *mnode) bool { return k != except && !k.isMarker() })
}

func (n *mnode) isRegion() bool { return n.up == nil || n.up.up == nil }

func (n *mnode) all() []*mnode { return n.appendAll(nil) }

func (n *mnode) appendAll(out []*mnode) []*mnode {
	out = append(out, n)
	for _, k := range n.kids {
		out = k.appendAll(out)
	}
	return out
}

func (m *model) find(id string) *mnode {
	for _, n := range m.root.all() {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (m *model) region(i int) *mnode { return m.root.kids[i] } // ^sys, ^seq, ^ah

func (m *model) regionOf(n *mnode) *mnode {
	for !n.isRegion() {
		n = n.up
	}
	return n
}

// depth returns the depth of a node below a region.
func (m *model) depth(n *mnode) int {
	switch m.regionOf(n) {
	case m.region(0):
		return -1
	case m.region(2):
		return 0
	}
	for n.up != m.region(1) {
		n = n.up
	}
	return len(m.region(1).kids) - slices.Index(m.region(1).kids, n)
}

func (m *model) segment(depth int) *mnode {
	kids := m.region(1).kids
	if depth < 1 || depth > len(kids) {
		return nil
	}
	return kids[len(kids)-depth]
}

// inCore reports whether a node is, or is inside, the child at offset 0 of a segment.
func (m *model) inCore(n *mnode) bool {
	if m.regionOf(n) != m.region(1) || n.up == m.region(1) {
		return false
	}
	for n.up.up != m.region(1) {
		n = n.up
	}
	return n.offset == 0
}

func (m *model) headCore() *mnode {
	for _, k := range m.region(2).kids {
		if k.base() == "cont" && k.offset == 0 {
			return k
		}
	}
	return nil
}
