package engine

import "iter"

// Word is a type, tag or key made ready to be searched for in many chunks.
type Word struct {
	text string
	mask uint64
}

// NewWord makes a word ready.
func NewWord(text string) Word { return Word{text, maskOf(text)} }

// Runs yields the chunks from <= i < to of a region in runs of neighbours,
// each with the position of its first. Runs in which no chunk may satisfy f
// are passed over; in the others ask each chunk with [Chunk.MayHold]. The slices
// are shared.
func (s *Snapshot) Runs(r Region, from, to int, f Filter) iter.Seq2[int, []*Chunk] {
	from, to = max(from, 0), min(to, s.parts[r].len())
	return func(yield func(int, []*Chunk) bool) {
		if root := s.parts[r].root; f.keep(&root.sum) {
			root.runs(0, from, to, f, yield)
		}
	}
}

func (n *seqNode) runs(base, from, to int, f Filter, yield func(int, []*Chunk) bool) bool {
	if len(n.kids) == 0 {
		first, last := max(from-base, 0), min(to-base, len(n.chunks))
		return first >= last || yield(base+first, n.chunks[first:last])
	}
	for _, k := range n.kids {
		if base >= to {
			break
		}
		if next := base + k.sum.chunks; next > from && f.keep(&k.sum) && !k.runs(base, from, to, f, yield) {
			return false
		}
		base += k.sum.chunks
	}
	return true
}

// Small tells whether the chunk has at most 64 nodes, so that every set of
// them is one word; the methods below are for such chunks only.
func (c *Chunk) Small() bool { return len(c.recs) <= 64 }

// SmallBase is [Chunk.OfBase] of a small chunk.
func (c *Chunk) SmallBase(b Base) uint64 { return c.columns().bases[b][0] }

// SmallType is [Chunk.OfType] of a small chunk.
func (c *Chunk) SmallType(w Word) uint64 {
	if c.sum.types&w.mask == 0 {
		return 0
	}
	return c.columns().types.small(w)
}

// SmallTag is [Chunk.Tagged] of a small chunk.
func (c *Chunk) SmallTag(w Word) uint64 {
	if c.sum.tags&w.mask == 0 {
		return 0
	}
	return c.columns().tags.small(w)
}

// SmallKey is [Chunk.Keyed] of a small chunk, for a key that is not empty.
func (c *Chunk) SmallKey(w Word) uint64 {
	if c.sum.keys&w.mask == 0 {
		return 0
	}
	return c.columns().keys.small(w)
}

// SmallCoreless is [Chunk.Coreless] of a small chunk.
func (c *Chunk) SmallCoreless() uint64 { return c.columns().noCore[0] }

// small returns the nodes of a chunk of one word that have w.
func (p *postings) small(w Word) uint64 {
	for k := range p.words {
		if e := &p.words[k]; len(e.word) == len(w.text) && e.word == w.text {
			return e.set[0]
		}
	}
	return 0
}
