package tree

import (
	"iter"
	"math/bits"
	"unique"
)

// Bits is a set of node numbers of one chunk, 64 to a word. nil is empty.
// Sets that a chunk returns are shared: read them, do not write them.
type Bits []uint64

func newBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has reports whether i is in the set.
func (b Bits) Has(i int) bool { return i>>6 < len(b) && b[i>>6]>>(i&63)&1 != 0 }

// Len returns the number of members.
func (b Bits) Len() int {
	n := 0
	for _, w := range b {
		n += bits.OnesCount64(w)
	}
	return n
}

// All yields the members, ascending.
func (b Bits) All() iter.Seq[int] {
	return func(yield func(int) bool) {
		for i, w := range b {
			for ; w != 0; w &= w - 1 {
				if !yield(i<<6 + bits.TrailingZeros64(w)) {
					return
				}
			}
		}
	}
}

func (b Bits) set(i int) { b[i>>6] |= 1 << (i & 63) }

// fill sets the bits from <= i < to.
func (b Bits) fill(from, to int) {
	for i := from; i < to; i = (i>>6 + 1) << 6 {
		b[i>>6] |= ^uint64(0) >> (63 - min(to-1-i&^63, 63)) &^ (1<<(i&63) - 1)
	}
}

// Column names a numeric header that a chunk can hand out as one slice.
type Column uint8

const (
	ColumnOffset Column = iota
	ColumnPriority
	ColumnCycle
	ColumnCreatedNS
	ColumnCreationIndex
	ColumnCad // 0 if the node has none
	numColumns
)

var columnHeaders = [numColumns]Header{HeaderOffset, HeaderPriority, HeaderCycle, HeaderCreatedNS, HeaderCreationIndex, HeaderCad}

// columns holds the sets and lists that searches need of a chunk. It is made on first
// use and never changes.
type columns struct {
	types        postings // user types
	bases        [BaseRegion]Bits
	tags         postings
	keys         postings
	hasTTL       []int32
	implicitCore Bits // segments without a container among their children
	ids          map[string]int32
	numbers      [numColumns]column
}

// postings holds the nodes that have each of some words. Most chunks have few
// nodes and few words, which are searched one by one. A large chunk has a map,
// and keeps rare words as lists: a thousand words on a thousand nodes must not
// take a million bits.
type postings struct {
	words  []posting
	byWord map[string]int32 // of large chunks only
	n      int              // nodes in the chunk
}

type posting struct {
	word   string
	handle unique.Handle[string] // of a type or a tag
	set    Bits
	list   []int32 // instead of set
}

func newPostings(n int) postings {
	p := postings{n: n}
	if n > 2*ChunkTarget {
		p.byWord = map[string]int32{}
	}
	return p
}

func (p *postings) find(word string) int {
	if p.byWord != nil {
		if k, ok := p.byWord[word]; ok {
			return int(k)
		}
		return -1
	}
	for k := range p.words {
		if p.words[k].word == word {
			return k
		}
	}
	return -1
}

func (p *postings) add(word string, i int) {
	k := p.find(word)
	if k < 0 {
		k = len(p.words)
		p.words = append(p.words, posting{word: word})
		if p.byWord != nil {
			p.byWord[word] = int32(k)
		}
	}
	w := &p.words[k]
	switch {
	case w.set == nil && (p.byWord == nil || (len(w.list)+1)*32 > p.n):
		w.set = newBits(p.n)
		for _, earlier := range w.list {
			w.set.set(int(earlier))
		}
		w.list = nil
		w.set.set(i)
	case w.set != nil:
		w.set.set(i)
	default:
		w.list = append(w.list, int32(i))
	}
}

// withHandles gives all words their handles.
func (p *postings) withHandles() {
	for k := range p.words {
		p.words[k].handle = unique.Make(p.words[k].word)
	}
}

// of returns the nodes that have a word. The postings must have handles.
func (p *postings) of(w Word) Bits {
	if p.byWord != nil {
		return p.bits(w.text)
	}
	for k := range p.words {
		if p.words[k].handle == w.handle {
			return p.words[k].set
		}
	}
	return nil
}

// bits returns the nodes that have a word. It makes the set for a rare word of a large
// chunk.
func (p *postings) bits(word string) Bits {
	k := p.find(word)
	if k < 0 {
		return nil
	}
	w := &p.words[k]
	if w.set != nil {
		return w.set
	}
	b := newBits(p.n)
	for _, i := range w.list {
		b.set(int(i))
	}
	return b
}

type column struct {
	ints  []int64
	exact bool // some value is not a 64-bit integer, and kept as text
}

// columns returns the columns, made on first use. Two goroutines may both make them;
// the results are equal.
func (c *Chunk) columns() *columns {
	if p := c.lazy.Load(); p != nil {
		return p
	}
	return c.newColumns()
}

func (c *Chunk) newColumns() *columns {
	n := len(c.Recs)
	col := &columns{
		types: newPostings(n), tags: newPostings(n), keys: newPostings(n),
		hasTTL: make([]int32, 0, c.sum.hasTTL),
	}
	words := (n + 63) / 64
	base := make(Bits, words*(int(BaseRegion)+1))
	for b := range BaseRegion {
		col.bases[b] = base[int(b)*words : int(b+1)*words : int(b+1)*words]
	}
	col.implicitCore = base[int(BaseRegion)*words:]
	ints := make([]int64, n*int(numColumns))
	for k := range numColumns {
		col.numbers[k].ints = ints[int(k)*n : int(k+1)*n : int(k+1)*n]
	}
	for i, r := range c.Recs {
		if r.Base < BaseRegion {
			col.bases[r.Base].set(i)
		}
		if u := r.UserType(); u != "" {
			col.types.add(u, i)
		}
		for _, t := range r.TagList().Words {
			col.tags.add(t, i)
		}
		if k, ok := r.Text(HeaderKey); ok {
			col.keys.add(k, i)
		}
		if r.hasTTL() {
			col.hasTTL = append(col.hasTTL, int32(i))
		}
		if r.Base == BaseSeg {
			col.implicitCore.set(i)
		} else if p := c.Nav[i].Parent; r.Base == BaseCont && p >= 0 {
			col.implicitCore[p>>6] &^= 1 << (p & 63)
		}
		for k := range numColumns {
			h := columnHeaders[k]
			col.numbers[k].ints[i] = *r.Integer(h)
			col.numbers[k].exact = col.numbers[k].exact || r.Exact(h)
		}
	}
	col.types.withHandles()
	col.tags.withHandles()
	if n > 2*ChunkTarget {
		col.ids = make(map[string]int32, n)
		for i, r := range c.Recs {
			col.ids[r.ID] = int32(i)
		}
	}
	c.lazy.Store(col)
	return col
}

// Len returns the number of nodes.
func (c *Chunk) Len() int { return len(c.Recs) }

// Parent returns the parent of node i, -1 for a child of the region.
func (c *Chunk) Parent(i int) int { return int(c.Nav[i].Parent) }

// End returns the number after the last node below i: the nodes below i are
// i+1 … End(i)-1.
func (c *Chunk) End(i int) int { return int(c.EndOf(int32(i))) }

// Level returns how deep node i lies in the chunk; children of the region
// have level 0.
func (c *Chunk) Level(i int) int { return int(c.Nav[i].Level) }

// OfBase returns the nodes of a base, which must not be [BaseRegion].
func (c *Chunk) OfBase(b Base) Bits { return c.columns().bases[b] }

// OfType returns the nodes of a user type, of any base.
func (c *Chunk) OfType(user Word) Bits {
	if c.sum.types&user.mask == 0 {
		return nil
	}
	return c.columns().types.of(user)
}

// Tagged returns the nodes with a tag.
func (c *Chunk) Tagged(tag Word) Bits {
	if c.sum.tags&tag.mask == 0 {
		return nil
	}
	return c.columns().tags.of(tag)
}

// Keyed returns the nodes with a key.
func (c *Chunk) Keyed(key string) Bits {
	if key != "" && c.sum.keys&maskOf(key) == 0 {
		return nil
	}
	return c.columns().keys.bits(key)
}

// ImplicitCore returns the segments of the chunk that have no container among their
// children. Their children at offset 0 are their core.
func (c *Chunk) ImplicitCore() Bits { return c.columns().implicitCore }

// HasTTL returns the nodes with a ttl, ascending. The slice is shared.
func (c *Chunk) HasTTL() []int32 { return c.columns().hasTTL }

// Ints returns a numeric header of all nodes, 0 standing for a value that is
// missing. It returns false if some node's value is not a 64-bit integer; then
// ask each [Node]. The slice is shared.
func (c *Chunk) Ints(col Column) ([]int64, bool) {
	k := &c.columns().numbers[col]
	return k.ints, !k.exact
}

// The methods that follow make a chunk a [Run].

// AppendNodes appends the set of all nodes.
func (c *Chunk) AppendNodes(dst []uint64, _, _ int) []uint64 {
	for n := len(c.Recs); n > 0; n -= 64 {
		dst = append(dst, ^uint64(0)>>(64-min(n, 64)))
	}
	return dst
}

// AddFirst adds the first node if the chunk, number 0, is among those asked for.
func (c *Chunk) AddFirst(set []uint64, from, to int) {
	if from == 0 && to > 0 {
		set[0] |= 1
	}
}

// DropFirst takes the first node out of set.
func (c *Chunk) DropFirst(set []uint64) { set[0] &^= 1 }

// Exact reports whether a numeric header of all nodes is a 64-bit integer.
func (c *Chunk) Exact(col Column) bool { return !c.columns().numbers[col].exact }

// KeepInts keeps in set the nodes with a value in some ranges.
func (c *Chunk) KeepInts(set []uint64, col Column, ranges []IntRange, not bool) {
	ints := c.columns().numbers[col].ints
	for k, w := range set {
		if w != 0 {
			set[k] = inRanges(w, ints[k<<6:min(k<<6+64, len(ints))], ranges, not)
		}
	}
}

// inRanges returns those of a set of at most 64 nodes whose values are in some
// ranges, or in none of them.
func inRanges(set uint64, values []int64, ranges []IntRange, not bool) uint64 {
	in := uint64(0)
	for _, r := range ranges {
		outside, width := uint64(0), uint64(r.To-r.From)
		for i, v := range values { // without a branch, the processor does several at a time
			_, borrow := bits.Sub64(width, uint64(v-r.From), 0)
			outside |= borrow << (i & 63)
		}
		in |= ^outside
	}
	if not {
		return set &^ in
	}
	return set & in
}

// KeepChildren keeps in set the nodes whose parent is in parents.
func (c *Chunk) KeepChildren(set, parents []uint64, region bool) {
	for k, w := range set {
		for ; w != 0; w &= w - 1 {
			i := k<<6 + bits.TrailingZeros64(w)
			if p := c.Parent(i); p < 0 && !region || p >= 0 && !Bits(parents).Has(p) {
				set[k] &^= 1 << (i & 63)
			}
		}
	}
}

// AddBelow adds to below the nodes below those of a set.
func (c *Chunk) AddBelow(below, set []uint64) {
	end := 0 // the words before it are added
	for i := range Bits(set).All() {
		if i >= end {
			end = c.End(i)
			Bits(below).fill(i+1, end)
		}
	}
}

// Find returns the chunk, number 0, and the node.
func (c *Chunk) Find(i int) (int, *Chunk, int) { return 0, c, i }

// Filter selects chunks that may hold certain nodes. The zero value selects every
// chunk. A selected chunk need not have a match.
type Filter struct {
	types, tags, keys uint64
	hasTTL            bool
}

// Type narrows f to chunks that may hold a user type.
func (f Filter) Type(user string) Filter { f.types |= maskOf(user); return f }

// Tag narrows f to chunks that may hold a tag.
func (f Filter) Tag(tag string) Filter { f.tags |= maskOf(tag); return f }

// Key narrows f to chunks that may hold a key, which must not be empty.
func (f Filter) Key(key string) Filter { f.keys |= maskOf(key); return f }

// HasTTL narrows f to chunks that hold a node with a ttl.
func (f Filter) HasTTL() Filter { f.hasTTL = true; return f }

func (f Filter) keep(s *summary) bool {
	return s.types&f.types == f.types && s.tags&f.tags == f.tags && s.keys&f.keys == f.keys &&
		(!f.hasTTL || s.hasTTL > 0)
}

// MayHold reports whether the chunk may satisfy f.
func (c *Chunk) MayHold(f Filter) bool { return f.keep(&c.sum) }
