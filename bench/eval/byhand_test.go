package eval

import "slices"

// flat is what a program would write by hand: nodes in document order, words as small numbers.
type flat struct {
	nodes   []flatNode
	seq     int
	id, key string // what is asked for
}

type flatNode struct {
	id, key     string
	parent, end int32
	priority    int32
	tags        uint32
	base, class uint8
}

const (
	baseBlock uint8 = iota
	baseCont
	baseSeg
	baseRegion
)

const (
	classNote uint8 = iota + 1
	classSummary
	classRedaction
	classOther
)

const (
	tagPinned uint32 = 1 << 4 // by their places in words
	tagOpen   uint32 = 1 << 5
)

func newFlat(t []node, id, key string) *flat {
	f := &flat{id: id, key: key}
	for i, n := range t {
		d := flatNode{id: n.id, key: n.key, parent: int32(n.parent), end: int32(n.end), priority: int32(n.priority)}
		for k, w := range words {
			if slices.Contains(n.tags, w) {
				d.tags |= 1 << k
			}
		}
		d.base = map[string]uint8{"block": baseBlock, "cont": baseCont, "seg": baseSeg, "region": baseRegion, "root": baseRegion}[n.base]
		d.class = map[string]uint8{"": 0, "note": classNote, "summary": classSummary, "redaction": classRedaction}[n.class]
		if n.class != "" && d.class == 0 {
			d.class = classOther
		}
		if n.class == "^seq" {
			f.seq = i
		}
		f.nodes = append(f.nodes, d)
	}
	return f
}

// where is the loop over all nodes.
func (f *flat) where(keep func(*flatNode) bool) []string {
	out := []string{}
	for i := range f.nodes {
		if keep(&f.nodes[i]) {
			out = append(out, f.nodes[i].id)
		}
	}
	return out
}

// index has a posting list for every word that is asked for.
type index struct {
	*flat
	ids      map[string]int32
	keys     map[string][]int32
	classes  map[uint8][]int32
	bases    map[uint8][]int32
	tags     map[string][]int32
	segments []int32 // oldest first
}

func newIndex(f *flat) *index {
	x := &index{
		flat: f, ids: map[string]int32{}, keys: map[string][]int32{}, classes: map[uint8][]int32{},
		bases: map[uint8][]int32{}, tags: map[string][]int32{},
	}
	for k := range f.nodes {
		i, n := int32(k), &f.nodes[k]
		x.ids[n.id] = i
		x.keys[n.key] = append(x.keys[n.key], i)
		x.classes[n.class] = append(x.classes[n.class], i)
		x.bases[n.base] = append(x.bases[n.base], i)
		for bit, w := range words {
			if n.tags>>bit&1 != 0 {
				x.tags[w] = append(x.tags[w], i)
			}
		}
		if n.base == baseSeg {
			x.segments = append(x.segments, i)
		}
	}
	return x
}

func (x *index) texts(list []int32) []string {
	out := make([]string, len(list))
	for k, i := range list {
		out[k] = x.nodes[i].id
	}
	return out
}

// below returns the part of a posting list that lies below a node.
func (x *index) below(list []int32, top int) []int32 {
	from, _ := slices.BinarySearch(list, int32(top+1))
	to, _ := slices.BinarySearch(list, x.nodes[top].end)
	return list[from:to]
}
