package eval

import "slices"

// flat is what a programmer would write by hand: nodes in document order, plain structs.
type flat struct {
	nodes   []flatNode
	seq     int
	id, key string // those that the queries contain
}

type flatNode struct {
	id, key     string
	base, class string
	tags        []string
	priority    int
	parent, end int
}

func newFlat(t []node, id, key string) *flat {
	f := &flat{id: id, key: key}
	for i, n := range t {
		if n.class == "^seq" {
			f.seq = i
		}
		f.nodes = append(f.nodes, flatNode{n.id, n.key, n.base, n.class, n.tags, n.priority, n.parent, n.end})
	}
	return f
}

func (n *flatNode) tagged(tag string) bool { return slices.Contains(n.tags, tag) }

// where returns the ids of the nodes for which a function is true: the loop over all nodes.
func (f *flat) where(keep func(*flatNode) bool) []string {
	out := []string{}
	for i := range f.nodes {
		if keep(&f.nodes[i]) {
			out = append(out, f.nodes[i].id)
		}
	}
	return out
}

// index has a posting list for every word that a query searches for.
type index struct {
	*flat
	ids                        map[string]int
	keys, classes, bases, tags map[string][]int
	segments                   []int // oldest first
}

func newIndex(f *flat) *index {
	x := &index{
		flat: f, ids: map[string]int{},
		keys: map[string][]int{}, classes: map[string][]int{}, bases: map[string][]int{}, tags: map[string][]int{},
	}
	for i := range f.nodes {
		n := &f.nodes[i]
		x.ids[n.id] = i
		x.keys[n.key] = append(x.keys[n.key], i)
		x.classes[n.class] = append(x.classes[n.class], i)
		x.bases[n.base] = append(x.bases[n.base], i)
		for _, w := range n.tags {
			x.tags[w] = append(x.tags[w], i)
		}
		if n.base == "seg" {
			x.segments = append(x.segments, i)
		}
	}
	return x
}

// where is flat.where on the nodes of a posting list.
func (x *index) where(list []int, keep func(*flatNode) bool) []string {
	out := []string{}
	for _, i := range list {
		if n := &x.nodes[i]; keep(n) {
			out = append(out, n.id)
		}
	}
	return out
}

func (x *index) texts(list []int) []string {
	out := make([]string, len(list))
	for k, i := range list {
		out[k] = x.nodes[i].id
	}
	return out
}

// below returns the part of a posting list with the descendants of a node.
func (x *index) below(list []int, top int) []int {
	from, _ := slices.BinarySearch(list, top+1)
	to, _ := slices.BinarySearch(list, x.nodes[top].end)
	return list[from:to]
}
