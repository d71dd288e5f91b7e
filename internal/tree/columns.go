package tree

import (
	"iter"
	"math/bits"
	"sync/atomic"
)

// Bits is a set of node numbers of one chunk, 64 to a word. nil is empty.
// Sets that a chunk returns are shared: read them, do not write them.
type Bits []uint64

func newBits(n int) Bits { return make(Bits, (n+63)/64) }

// Has tells whether i is in the set.
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

// Column names a numeric header that a chunk can hand out as one slice.
type Column uint8

const (
	ColumnOffset Column = iota
	ColumnPriority
	ColumnCycle
	ColumnCreatedNS
	ColumnCreationIndex
	ColumnCad // 0 where the node has none
	numColumns
)

var columnHeaders = [numColumns]Header{HeaderOffset, HeaderPriority, HeaderCycle, HeaderCreatedNS, HeaderCreationIndex, HeaderCad}

// columns is what searches need of a chunk. It is made on first use and
// never changes.
type columns struct {
	small        smallSets
	idHashes     []uint32 // of a small chunk
	types        postings // user types
	bases        [BaseRegion]Bits
	tags         postings
	keys         postings
	hasTTL       []int32
	implicitCore Bits // segments without a container among their children
	ids          map[string]int32
	numbers      [numColumns]column
}

// postings are the nodes that have each of some words. Most chunks have few
// nodes and few words, which are searched one by one. A large chunk has a map,
// and keeps rare words as lists, so that a thousand words on a thousand nodes
// do not take a million bits.
type postings struct {
	words  []posting
	byWord map[string]int32 // of large chunks only
	n      int              // nodes in the chunk
}

type posting struct {
	word string
	set  Bits
	list []int32 // instead of set
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

// bits returns the nodes that have a word. For a rare word of a large chunk
// the set is made on the spot.
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
	exact bool // some value is no 64-bit integer
}

type lazyColumns struct {
	p          atomic.Pointer[columns]
	registered bool // its nodes are in the index; used while reading only
}

// columns returns the columns, made by whoever comes first. Two goroutines
// may both make them; the results are equal.
func (c *Chunk) columns() *columns {
	if p := c.lazy.p.Load(); p != nil {
		return p
	}
	p := makeColumns(c)
	c.lazy.p.Store(p)
	return p
}

func makeColumns(c *Chunk) *columns {
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
		for _, t := range r.Extra().Tags {
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
	if c.Small() {
		col.makeSmall(c)
	}
	if n > 2*ChunkTarget {
		col.ids = make(map[string]int32, n)
		for i, r := range c.Recs {
			col.ids[r.ID] = int32(i)
		}
	}
	return col
}

func (c *columns) find(id string) int {
	if i, ok := c.ids[id]; ok {
		return int(i)
	}
	return -1
}

// Len returns the number of nodes.
func (c *Chunk) Len() int { return len(c.Recs) }

// ID returns the id of node i.
func (c *Chunk) ID(i int) string { return c.Recs[i].ID }

// Parent returns the parent of node i, -1 for a child of the region.
func (c *Chunk) Parent(i int) int { return int(c.Nav[i].Parent) }

// End returns the number after the last node below i: the nodes below i are
// i+1 … End(i)-1.
func (c *Chunk) End(i int) int { return int(c.EndOf(int32(i))) }

// Level returns how deep node i lies in the chunk; children of the region
// have level 0.
func (c *Chunk) Level(i int) int { return int(c.Nav[i].Level) }

// Base returns the canonical kind of node i.
func (c *Chunk) Base(i int) Base { return c.Recs[i].Base }

// OfBase returns the nodes of a base. Regions are in [Snapshot.Tops] only; the
// set of them is empty.
func (c *Chunk) OfBase(b Base) Bits {
	if b >= BaseRegion {
		return nil
	}
	return c.columns().bases[b]
}

// OfType returns the nodes of a user type, of any base.
func (c *Chunk) OfType(user Word) Bits {
	if c.sum.types&user.mask == 0 {
		return nil
	}
	col := c.columns()
	if c.Small() {
		return smallBits(col.small.types, user)
	}
	return col.types.bits(user.text)
}

// Tagged returns the nodes with a tag.
func (c *Chunk) Tagged(tag Word) Bits {
	if c.sum.tags&tag.mask == 0 {
		return nil
	}
	col := c.columns()
	if c.Small() {
		return smallBits(col.small.tags, tag)
	}
	return col.tags.bits(tag.text)
}

// Keyed returns the nodes with a key.
func (c *Chunk) Keyed(key string) Bits {
	if key != "" && c.sum.keys&maskOf(key) == 0 {
		return nil
	}
	return c.columns().keys.bits(key)
}

// ImplicitCore returns the segments of the chunk that have no container among
// their children, whose children at offset 0 stand for their core.
func (c *Chunk) ImplicitCore() Bits { return c.columns().implicitCore }

// HasTTL returns the nodes with a ttl, ascending. The slice is shared.
func (c *Chunk) HasTTL() []int32 { return c.columns().hasTTL }

// Ints returns a numeric header of all nodes, 0 standing for a value that is
// missing. It returns false when some node's value is no 64-bit integer; then
// ask each [Node]. The slice is shared.
func (c *Chunk) Ints(col Column) ([]int64, bool) {
	k := &c.columns().numbers[col]
	return k.ints, !k.exact
}

// Filter says what a chunk must be able to hold to be of interest. Its zero
// value lets every chunk pass; it may let pass chunks that have no match.
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

// MayHold tells whether the chunk may satisfy f.
func (c *Chunk) MayHold(f Filter) bool { return f.keep(&c.sum) }
