package tree

import (
	"iter"
	"math/bits"
	"slices"
	"sync/atomic"
	"unique"
)

// Run holds the sets that searches use for one chunk, or for up to 16 neighboring small chunks. A
// set has a bit for each node in document order, and all sets of a run have the same number of
// words. Sets that a method returns are shared and must not be modified; nil is empty.
//
// In a run of several chunks, the bits of each chunk are in one word, and so are those of a node,
// its parent and its subtree. Such a run belongs to a leaf of a [Sequence], which neighboring
// snapshots share. The second search of the leaf makes it. It takes about 12 bytes for each node,
// and up to 12 more for each numeric header that is searched.
type Run struct {
	words        int
	slots        []runSlot
	nav          []runNav // for each bit, if there are several chunks
	all          Bits
	bases        [BaseRegion]Bits
	implicitCore Bits
	types, tags  postings
	columns      [numColumns]atomic.Pointer[intColumn]
	keyed        []int32            // the nodes of a chunk that have a key, unless it is large
	keys         map[string][]int32 // of a large chunk: the nodes with each key
	ids          map[string]int32   // of a large chunk: the node with each id
}

// runSlot is the position of a chunk in a run.
type runSlot struct {
	c     *Chunk
	mask  uint64 // its bits in the word, or in each of its words
	first int    // the bit of its first node
}

// runNav is the position of a node in its word.
type runNav struct {
	parent int8 // -1 for a child of the region
	end    int8 // the bit after the last node of the subtree
	chunk  uint8
}

// postings maps words to the nodes that have them. Most runs have few words, so these are searched
// linearly, and their sets follow each other in sets. A large chunk has lists instead, because a
// thousand words for a thousand nodes would take a million bits.
type postings struct {
	words []unique.Handle[string]
	sets  Bits
	lists map[string][]int32
}

// set returns the set of a word, which may be modified.
func (p *postings) set(word unique.Handle[string], words int) Bits {
	k := slices.Index(p.words, word)
	if k < 0 {
		k = len(p.words)
		p.words = append(p.words, word)
		p.sets = append(p.sets, make(Bits, words)...)
	}
	return p.sets[k*words : (k+1)*words]
}

// add adds node i of a chunk to the nodes of a word.
func (p *postings) add(word string, i, words int) {
	if p.lists != nil {
		p.lists[word] = append(p.lists[word], int32(i))
		return
	}
	k := slices.IndexFunc(p.words, func(h unique.Handle[string]) bool { return h.Value() == word })
	if k < 0 {
		p.set(unique.Make(word), words).set(i)
		return
	}
	p.sets[k*words:].set(i)
}

// find returns the nodes that have a word.
func (p *postings) find(w Word, words int) Bits {
	for k, word := range p.words {
		if word == w.handle {
			return p.sets[k*words : (k+1)*words]
		}
	}
	if p.lists == nil {
		return nil
	}
	set := make(Bits, words)
	for _, i := range p.lists[w.text] {
		set.set(int(i))
	}
	return set
}

// newRun returns a run with empty sets. If there are several chunks, each must have at most 64
// nodes.
func newRun(chunks []*Chunk) *Run {
	p := &Run{slots: make([]runSlot, len(chunks))}
	free := 0 // the number of unused bits of the last word
	for k, c := range chunks {
		if c.Len() > free {
			p.words += (c.Len() + 63) / 64
			free = 64
		}
		p.slots[k] = runSlot{c, ^uint64(0) >> (64 - min(c.Len(), 64)) << (64 - free), p.words<<6 - free}
		free -= c.Len()
	}
	p.slots[0].first = 0 // even if the chunk has several words
	sets := make(Bits, p.words*(int(BaseRegion)+2))
	next := func() Bits {
		set := sets[:p.words:p.words]
		sets = sets[p.words:]
		return set
	}
	p.all, p.implicitCore = next(), next()
	for b := range BaseRegion {
		p.bases[b] = next()
	}
	return p
}

// Run returns the run of only this chunk. It is made on first use. Two goroutines may both make it;
// the results are equal.
func (c *Chunk) Run() *Run {
	if p := c.lazy.Load(); p != nil {
		return p
	}
	return c.newRun()
}

func (c *Chunk) newRun() *Run {
	n := c.Len()
	p := newRun([]*Chunk{c})
	p.all.fill(0, n)
	isLarge := n > 2*ChunkTarget
	if isLarge {
		p.types.lists, p.tags.lists = map[string][]int32{}, map[string][]int32{}
		p.ids, p.keys = make(map[string]int32, n), map[string][]int32{}
	}
	for i, r := range c.Recs() {
		if r.Base < BaseRegion {
			p.bases[r.Base].set(i)
		}
		if u := r.UserType(); u != "" {
			p.types.add(u, i, p.words)
		}
		for _, t := range r.TagList().Words {
			p.tags.add(t, i, p.words)
		}
		if r.Base == BaseSeg {
			p.implicitCore.set(i)
		} else if up := c.Nav[i].Parent; r.Base == BaseCont && up >= 0 {
			p.implicitCore[up>>6] &^= 1 << (up & 63)
		}
		key, ok := r.Text(HeaderKey)
		switch {
		case ok && isLarge:
			p.keys[key] = append(p.keys[key], int32(i))
		case ok:
			p.keyed = append(p.keyed, int32(i))
		}
		if isLarge {
			p.ids[r.ID] = int32(i)
		}
	}
	c.lazy.Store(p)
	return p
}

// searched marks a leaf that was searched once.
var searched Run

// joinedRun returns the run of the chunks of a leaf. It returns nil in the first search of the
// leaf, if a chunk is too large, and if there is only one chunk.
func (n *seqNode) joinedRun() *Run {
	switch p := n.run.Load(); {
	case p == nil:
		n.run.CompareAndSwap(nil, &searched)
		return nil
	case p != &searched:
		return p
	case len(n.chunks) < 2 || slices.ContainsFunc(n.chunks, func(c *Chunk) bool { return c.Len() > 64 }):
		return nil
	}
	p := newRun(n.chunks)
	p.nav = make([]runNav, 64*p.words)
	for k := range p.slots {
		p.join(k)
	}
	n.run.Store(p)
	return p
}

// join adds the sets of chunk k to those of p.
func (p *Run) join(k int) {
	slot := &p.slots[k]
	of, w, shift := slot.c.Run(), slot.first>>6, slot.first&63
	p.all[w] |= slot.mask
	p.implicitCore[w] |= of.implicitCore[0] << shift
	for b := range BaseRegion {
		p.bases[b][w] |= of.bases[b][0] << shift
	}
	for i, word := range of.types.words {
		p.types.set(word, p.words)[w] |= of.types.sets[i] << shift
	}
	for i, word := range of.tags.words {
		p.tags.set(word, p.words)[w] |= of.tags.sets[i] << shift
	}
	for i, n := range slot.c.Nav {
		here := runNav{-1, int8(slot.c.End(i) + shift), uint8(k)}
		if n.Parent >= 0 {
			here.parent = int8(int(n.Parent) + shift)
		}
		p.nav[slot.first+i] = here
	}
}

// AppendNodes appends the set of the nodes of the chunks from <= k < to.
func (p *Run) AppendNodes(dst []uint64, from, to int) []uint64 {
	dst = append(dst, p.all...)
	if to-from < len(p.slots) {
		set := dst[len(dst)-p.words:]
		clear(set)
		for k := range p.slots[from:to] {
			slot := &p.slots[from+k]
			set[slot.first>>6] |= slot.mask
		}
	}
	return dst
}

// OfBase returns the nodes with a base, which must not be [BaseRegion].
func (p *Run) OfBase(b Base) Bits { return p.bases[b] }

// OfType returns the nodes with a user type, whatever their base.
func (p *Run) OfType(w Word) Bits { return p.types.find(w, p.words) }

// Tagged returns the nodes with a tag.
func (p *Run) Tagged(w Word) Bits { return p.tags.find(w, p.words) }

// Keyed returns the nodes with a key.
func (p *Run) Keyed(key Word) Bits {
	set := make(Bits, p.words)
	for k := range p.slots {
		slot := &p.slots[k]
		for i := range slot.c.keyed(key) {
			set.set(slot.first + int(i))
		}
	}
	return set
}

// keyed yields the nodes with a key.
func (c *Chunk) keyed(key Word) iter.Seq[int32] {
	return func(yield func(int32) bool) {
		if c.sum.keys&key.mask != key.mask {
			return
		}
		run := c.Run()
		for _, i := range run.keyed {
			if c.Rec(int(i)).Key == key.text && !yield(i) {
				return
			}
		}
		for _, i := range run.keys[key.text] {
			if !yield(i) {
				return
			}
		}
	}
}

// ImplicitCore returns the segments without a container among their children. The children of these
// at offset 0 are their core.
func (p *Run) ImplicitCore() Bits { return p.implicitCore }

// AddFirst adds the first nodes of the chunks from <= k < to to set. to may be too large.
func (p *Run) AddFirst(set []uint64, from, to int) {
	for k := from; k < min(to, len(p.slots)); k++ {
		Bits(set).set(p.slots[k].first)
	}
}

// DropFirst removes the first nodes of all chunks from set.
func (p *Run) DropFirst(set []uint64) {
	for k := range p.slots {
		first := p.slots[k].first
		set[first>>6] &^= 1 << (first & 63)
	}
}

// Parent returns the bit of the parent of the node with bit i, or -1 for a child of the region.
func (p *Run) Parent(i int) int {
	if p.nav == nil {
		return p.slots[0].c.Parent(i)
	}
	up := int(p.nav[i].parent)
	if up < 0 {
		return -1
	}
	return i&^63 | up
}

// KeepChildren keeps in set the nodes whose parent is in parents and, if region is set, the
// children of the region.
func (p *Run) KeepChildren(set, parents []uint64, region bool) {
	for k, w := range set {
		if w == 0 {
			continue
		}
		if p.nav == nil {
			for ; w != 0; w &= w - 1 {
				i := bits.TrailingZeros64(w)
				if up := p.slots[0].c.Parent(k<<6 + i); up < 0 && !region || up >= 0 && !Bits(parents).Has(up) {
					set[k] &^= 1 << i
				}
			}
			continue
		}
		above := uint64(0)
		if k < len(parents) {
			above = parents[k]
		}
		set[k] = children((*[64]runNav)(p.nav[k<<6:]), w, above, region)
	}
}

// children is KeepChildren for a word of several chunks.
func children(nav *[64]runNav, set, parents uint64, region bool) uint64 {
	kept := uint64(0)
	for w := set; w != 0; w &= w - 1 {
		i := bits.TrailingZeros64(w) & 63
		if up := nav[i].parent; up >= 0 && parents>>(up&63)&1 != 0 || up < 0 && region {
			kept |= 1 << i
		}
	}
	return kept
}

// AddBelow adds the descendants of the nodes of set to below.
func (p *Run) AddBelow(below, set []uint64) {
	if p.nav == nil {
		end := 0 // the nodes before it have been added
		for i := range Bits(set).All() {
			if i >= end {
				end = p.slots[0].c.End(i)
				Bits(below).fill(i+1, end)
			}
		}
		return
	}
	for k, w := range set {
		for w != 0 {
			i := bits.TrailingZeros64(w) & 63
			inside := ^uint64(0) >> (64 - uint8(p.nav[k<<6+i].end)) &^ (1<<i | (1<<i - 1))
			below[k] |= inside
			w &^= inside | 1<<i
		}
	}
}

// Find returns the chunk of the node with bit i, which is chunk k, and the number of the node in
// that chunk.
func (p *Run) Find(i int) (k int, c *Chunk, in int) {
	if p.nav != nil {
		k = int(p.nav[i].chunk)
	}
	slot := &p.slots[k]
	return k, slot.c, i - slot.first
}
