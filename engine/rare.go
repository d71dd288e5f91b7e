package engine

import (
	"iter"
	"slices"
	"sync/atomic"
	"unique"
)

// Rare is the list of the nodes of a region that have a word which few have.
//
// The root of the tree of chunks keeps it, which snapshots share as long as the
// region stays the same. It is made when a word is asked for again, for at most
// maxRareWords words of at most maxRare nodes, 16 bytes a node: 32 KB for a region.
type Rare struct{ nodes []rareNode }

type rareNode struct {
	c   *Chunk
	i   int32
	loc loc
}

const (
	maxRare      = 128
	maxRareWords = 16
)

// rareWord is what is known of a word; without a list it was asked for once, or
// is frequent.
type rareWord struct {
	word     unique.Handle[string]
	tag      bool
	frequent bool
	list     *Rare
}

// rareWords is replaced as a whole.
type rareWords = atomic.Pointer[[]rareWord]

// Rare returns the nodes of a region with a user type, or with a tag, nil where
// they are many or where it is not known yet.
func (s *Snapshot) Rare(r Region, w Word, tag bool) *Rare {
	root := s.parts[r].root
	h := root.holds.Load()
	if len(root.kids) == 0 || h == nil || h == searchedOnce {
		return nil
	}
	known := h.rare.Load()
	k := -1
	if known != nil {
		for i := range *known {
			if e := &(*known)[i]; e.word == w.handle && e.tag == tag {
				if e.list != nil || e.frequent {
					return e.list
				}
				k = i
			}
		}
	}
	var next []rareWord
	if known != nil {
		next = slices.Clone(*known)
	}
	switch {
	case k >= 0:
		next[k].list = s.findRare(r, w, tag)
		next[k].frequent = next[k].list == nil
	case len(next) == maxRareWords:
		return nil
	default:
		next = append(next, rareWord{word: w.handle, tag: tag})
		k = len(next) - 1
	}
	h.rare.CompareAndSwap(known, &next) // if another was faster, the next one asks again
	return next[k].list
}

// findRare looks for the nodes; nil if they are too many.
func (s *Snapshot) findRare(r Region, w Word, tag bool) *Rare {
	f := Filter{types: w.mask}
	if tag {
		f = Filter{tags: w.mask}
	}
	out := &Rare{}
	for at, c := range s.Chunks(r, 0, s.NumChunks(r), f) {
		set := c.OfType(w)
		if tag {
			set = c.Tagged(w)
		}
		for i := range set.All() {
			if len(out.nodes) == maxRare {
				return nil
			}
			out.nodes = append(out.nodes, rareNode{c, int32(i), newLoc(r, at)})
		}
	}
	return out
}

// Len returns the number of nodes.
func (l *Rare) Len() int { return len(l.nodes) }

// Chunks yields the chunks that hold the nodes, in document order, each with its
// position in the region.
func (l *Rare) Chunks() iter.Seq2[int, *Chunk] {
	return func(yield func(int, *Chunk) bool) {
		last := (*Chunk)(nil)
		for i := range l.nodes {
			if n := &l.nodes[i]; n.c != last {
				if last = n.c; !yield(int(n.loc>>3), n.c) {
					return
				}
			}
		}
	}
}

// AppendRare appends the nodes in document order.
func (s *Snapshot) AppendRare(dst []Node, l *Rare) []Node {
	from := len(dst)
	dst = slices.Grow(dst, len(l.nodes))[:from+len(l.nodes)]
	out := dst[from:]
	for i := range out {
		n := &l.nodes[i]
		out[i] = Node{s, n.c, n.i, n.loc}
	}
	return dst
}
