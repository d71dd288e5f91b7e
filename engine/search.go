package engine

import (
	"iter"
	"unique"
)

// Word is a type, tag or key made ready to be searched for in many chunks.
type Word struct {
	text   string
	handle unique.Handle[string]
	mask   uint64
}

// NewWord makes a word ready.
func NewWord(text string) Word { return Word{text, unique.Make(text), maskOf(text)} }

// mark is what a leaf of a sequence says of each of its chunks.
type mark struct{ types, tags uint64 }

// Stretch is a run of neighbouring chunks.
type Stretch struct {
	chunks []*Chunk
	marks  []mark
}

// Next returns the first chunk from number i on that may satisfy f, nil when there
// is none, and its number in the stretch.
func (s Stretch) Next(i int, f Filter) (*Chunk, int) {
	for ; i < len(s.marks); i++ {
		if m := &s.marks[i]; m.types&f.types == f.types && m.tags&f.tags == f.tags {
			if c := s.chunks[i]; f.keys == 0 && !f.mortal || f.keep(&c.sum) {
				return c, i
			}
		}
	}
	return nil, i
}

// Len returns the number of chunks.
func (s Stretch) Len() int { return len(s.chunks) }

// Stretches yields the chunks from <= i < to of a region, in document order,
// as stretches, each with the position of its first chunk. Stretches in which
// no chunk may satisfy f are passed over. It is [Snapshot.Chunks] with fewer
// calls.
func (s *Snapshot) Stretches(r Region, from, to int, f Filter) iter.Seq2[int, Stretch] {
	from, to = max(from, 0), min(to, s.parts[r].len())
	return func(yield func(int, Stretch) bool) {
		if root := s.parts[r].root; f.keep(&root.sum) {
			root.stretches(0, from, to, f, yield)
		}
	}
}

func (n *seqNode) stretches(base, from, to int, f Filter, yield func(int, Stretch) bool) bool {
	if len(n.kids) == 0 {
		first, last := max(from-base, 0), min(to-base, len(n.chunks))
		return first >= last || yield(base+first, Stretch{n.chunks[first:last], n.marks[first:last]})
	}
	for _, k := range n.kids {
		if base >= to {
			break
		}
		if next := base + k.sum.chunks; next > from && f.keep(&k.sum) && !k.stretches(base, from, to, f, yield) {
			return false
		}
		base += k.sum.chunks
	}
	return true
}

// smallSets are the sets of a small chunk, side by side.
type smallSets struct {
	bases  [BaseRegion]uint64
	noCore uint64
	types  []smallPosting
	tags   []smallPosting
}

type smallPosting struct {
	word unique.Handle[string]
	set  uint64
}

func (col *columns) makeSmall(c *Chunk) {
	for b := range BaseRegion {
		col.small.bases[b] = col.bases[b][0]
	}
	col.small.noCore = col.noCore[0]
	list := make([]smallPosting, 0, len(col.types.words)+len(col.tags.words))
	for _, p := range col.types.words {
		list = append(list, smallPosting{unique.Make(p.word), p.set[0]})
	}
	types := len(list)
	for _, p := range col.tags.words {
		list = append(list, smallPosting{unique.Make(p.word), p.set[0]})
	}
	col.small.types, col.small.tags = list[:types:types], list[types:]
	col.idHashes = make([]uint32, len(c.recs))
	for i, r := range c.recs {
		col.idHashes[i] = hashOf(r.id)
	}
}

func findSmall(list []smallPosting, w Word) uint64 {
	for i := range list {
		if list[i].word == w.handle {
			return list[i].set
		}
	}
	return 0
}

// Small tells whether the chunk has at most 64 nodes, so that every set of
// them is one word; the methods below are for such chunks only.
func (c *Chunk) Small() bool { return len(c.recs) <= 64 }

// SmallBase is [Chunk.OfBase] of a small chunk.
func (c *Chunk) SmallBase(b Base) uint64 { return c.columns().small.bases[b] }

// SmallType is [Chunk.OfType] of a small chunk.
func (c *Chunk) SmallType(w Word) uint64 { return findSmall(c.columns().small.types, w) }

// SmallTag is [Chunk.Tagged] of a small chunk.
func (c *Chunk) SmallTag(w Word) uint64 { return findSmall(c.columns().small.tags, w) }

// SmallKey is [Chunk.Keyed] of a small chunk, for a key that is not empty.
func (c *Chunk) SmallKey(w Word) uint64 {
	if set := c.Keyed(w.text); set != nil {
		return set[0]
	}
	return 0
}

// SmallCoreless is [Chunk.Coreless] of a small chunk.
func (c *Chunk) SmallCoreless() uint64 { return c.columns().small.noCore }
