package eval_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"math/big"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// The files naive_*_test.go are a second evaluator, written from the language reference
// sentence by sentence and without regard for speed, to compare the real one with. It works on the
// JSON that a snapshot exports and shares no code with the package under test. The sections in the
// comments are those of docs/reference/language.md.

// A tree is one snapshot.
type tree struct {
	snap  *engine.Snapshot
	cycle *big.Rat
	root  *node
	nodes []*node       // in document order; an implied core comes before the children of its owner
	place map[int]*node // the region or segment at a depth
	all   naiveTimeline // the history that it is a state of
	ids   map[string]*node
}

// A node is one node of a tree, or an implied core.
type node struct {
	tree    *tree
	headers map[string]any // as exported, numbers as json.Number; no children
	parent  *node
	kids    []*node // in canonical order, without the implied core

	defaulted map[string]bool // headers that the file leaves out, of those whose default may change
	core      *node           // the implied core, or nil
	implied   bool            // the node is an implied core
	parents   []*node         // what n is a child of: its parent and, at offset 0, the implied core of that (D28)
	numbers   map[string]*big.Rat
	lived     map[string]any
	region    string // root, sys, seq or ah for the root and for a region in its place
	depth     *int
	at        int // place in document order
	level     int // distance from the root
}

func newTree(s *engine.Snapshot) *tree {
	dec := json.NewDecoder(bytes.NewReader(s.AppendJSON(nil)))
	dec.UseNumber()
	var doc struct {
		Cycle json.Number
		Root  map[string]any
	}
	if err := dec.Decode(&doc); err != nil {
		panic(err) // an export that is not JSON
	}
	t := &tree{snap: s, cycle: number(doc.Cycle.String()), place: map[int]*node{}}
	t.root = t.grow(doc.Root, nil)
	var raw map[string]any
	if err := json.Unmarshal(s.AppendReference(nil), &raw); err != nil {
		panic(err)
	}
	t.root.setDefaulted(raw)
	t.root.region = "root"
	t.regions()
	t.number(t.root)
	return t
}

// grow makes the nodes and puts siblings into canonical order (Results).
func (t *tree) grow(headers map[string]any, parent *node) *node {
	n := &node{tree: t, headers: headers, parent: parent}
	if parent != nil {
		n.level = parent.level + 1
	}
	kids, _ := headers["children"].([]any)
	delete(headers, "children")
	for _, k := range kids {
		n.kids = append(n.kids, t.grow(k.(map[string]any), n))
	}
	if parent != nil {
		slices.SortFunc(n.kids, canonical)
	}
	return n
}

// setDefaulted finds what the file leaves out by the reference form, which adds no default.
func (n *node) setDefaulted(raw map[string]any) {
	n.defaulted = map[string]bool{"cycle": raw["cycle"] == nil, "nodeType": raw["nodeType"] == nil}
	kids, _ := raw["children"].([]any)
	for _, k := range n.kids {
		i := slices.IndexFunc(kids, func(r any) bool {
			raw := r.(map[string]any)
			id, _ := raw["id"].(string)
			if id == "" { // a region
				id, _ = raw["nodeType"].(string)
			}
			return id == k.id()
		})
		k.setDefaulted(kids[i].(map[string]any))
	}
}

// canonical is the order of siblings: offset, created_at_ns, creation_index, id. What is missing
// counts as 0.
func canonical(a, b *node) int {
	for _, name := range []string{"offset", "created_at_ns", "creation_index"} {
		if c := a.num(name).Cmp(b.num(name)); c != 0 {
			return c
		}
	}
	return strings.Compare(a.id(), b.id())
}

// regions finds the regions below the root and gives depths and implied cores.
func (t *tree) regions() {
	var kids []*node
	for _, r := range []string{"sys", "seq", "ah"} { // D5: in this order, whatever their ids
		i := slices.IndexFunc(t.root.kids, func(n *node) bool { return n.headers["nodeType"] == "^"+r })
		if i < 0 {
			continue
		}
		n := t.root.kids[i]
		n.region = r
		t.root.kids = slices.Delete(t.root.kids, i, i+1)
		kids = append(kids, n)
		switch r {
		case "sys":
			t.setDepth(n, -1)
		case "ah":
			t.setDepth(n, 0)
		case "seq":
			for i, segment := range n.kids { // oldest first; depth 1 is the last
				t.setDepth(segment, len(n.kids)-i)
			}
		}
	}
	slices.SortFunc(t.root.kids, canonical) // any other node below the root
	t.root.kids = append(kids, t.root.kids...)
	t.cores(t.root)
}

// setDepth assigns a depth to a subtree.
func (t *tree) setDepth(n *node, depth int) {
	t.place[depth] = n
	var all func(*node)
	all = func(n *node) {
		n.depth = &depth
		for _, k := range n.kids {
			all(k)
		}
	}
	all(n)
}

// cores gives an implied core to each segment, and to the head, without a container among its
// children (D28).
func (t *tree) cores(n *node) {
	for _, k := range n.kids {
		t.cores(k)
	}
	if n.base() != "seg" && n.region != "ah" {
		return
	}
	if slices.ContainsFunc(n.kids, func(k *node) bool { return k.base() == "cont" }) {
		return
	}
	n.core = &node{
		tree: t, parent: n, implied: true, depth: n.depth, level: n.level + 1,
		headers: map[string]any{
			"nodeType": "cont", "parent_id": n.id(), "offset": json.Number("0"), "priority": json.Number("0"),
			"created_at_ns": json.Number("0"), "creation_index": json.Number("0"), "cycle": json.Number(t.cycle.RatString()),
		},
	}
}

// number puts the nodes into document order: depth first, a node before its children. It also says
// what each is a child of.
func (t *tree) number(n *node) {
	n.at = len(t.nodes)
	t.nodes = append(t.nodes, n)
	if n.parent != nil {
		n.parents = []*node{n.parent}
		if n.parent.core != nil && n.num("offset").Sign() == 0 {
			n.parents = append(n.parents, n.parent.core)
		}
	}
	if n.core != nil {
		n.core.at = len(t.nodes)
		n.core.parents = []*node{n}
		t.nodes = append(t.nodes, n.core)
	}
	for _, k := range n.kids {
		t.number(k)
	}
}

func (n *node) id() string { s, _ := n.headers["id"].(string); return s }

// num returns a numeric header, 0 for one that is missing or null.
func (n *node) num(name string) *big.Rat {
	if x := n.numbers[name]; x != nil {
		return x
	}
	x, ok := n.headers[name].(json.Number)
	if !ok {
		return rat(0)
	}
	if n.numbers == nil {
		n.numbers = map[string]*big.Rat{}
	}
	n.numbers[name] = number(x.String())
	return n.numbers[name]
}

var bases = map[string]string{"seg": "seg", "mt": "seg", "cont": "cont", "mc": "cont", "block": "block", "cb": "block"}

// base is the canonical base of a node's type: any type that has no other is of base block.
func (n *node) base() string {
	if n.region != "" {
		return "region"
	}
	nodeType, _ := n.headers["nodeType"].(string)
	head, _, _ := strings.Cut(nodeType, ":")
	return cmp.Or(bases[head], "block")
}

// user is the user type: what follows a canonical base, else the whole type; "" for a canonical
// type.
func (n *node) user() string {
	nodeType, _ := n.headers["nodeType"].(string)
	head, rest, _ := strings.Cut(nodeType, ":")
	if bases[head] != "" {
		return rest
	}
	return nodeType
}

// below reports whether n lies below m.
func (n *node) below(m *node) bool {
	for _, p := range n.parents {
		if p == m || p.below(m) {
			return true
		}
	}
	return false
}

// sameKey reports whether the last step of a chain requires a key.
func sameKey(c *ast.Chain) bool {
	steps := flatten(c)
	last := steps[len(steps)-1]
	if k, ok := last.anchor.(*ast.Key); ok && !k.ID {
		return true
	}
	for _, q := range last.qualifiers {
		switch q := q.(type) {
		case *ast.Key:
			if !q.ID {
				return true
			}
		case *ast.Filter:
			for _, p := range q.Props {
				if p.Name == "key" && p.Op == ast.OpEq && p.Values[0].Kind != ast.Null {
					return true
				}
			}
		}
	}
	return false
}

// newestFirst is the order of a same-key set: depth, created_at_ns and creation_index descending,
// id ascending; what has no depth comes last.
func newestFirst(a, b *node) int {
	switch {
	case a.depth != nil && b.depth == nil:
		return -1
	case a.depth == nil && b.depth != nil:
		return 1
	case a.depth != nil && *a.depth != *b.depth:
		return cmp.Compare(*b.depth, *a.depth)
	}
	for _, name := range []string{"created_at_ns", "creation_index"} {
		if c := b.num(name).Cmp(a.num(name)); c != 0 {
			return c
		}
	}
	return strings.Compare(a.id(), b.id())
}

// union finds what the fragments select, from left to right, each node where it is seen first.
func (t *tree) union(q *ast.Query) []*node {
	var out []*node
	for _, f := range q.Union {
		var found []*node
		for i := range f.Chains { // L ?? R: R's result when L's is empty
			c := &f.Chains[i]
			if found = t.chain(c); len(found) > 0 {
				if sameKey(c) {
					slices.SortFunc(found, newestFirst)
				}
				break
			}
		}
		for _, n := range found {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}
