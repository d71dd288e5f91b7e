package tree

import (
	"iter"
	"slices"
	"sync/atomic"
	"unique"
)

// PostingList lists the nodes of a region that have a type or tag that few nodes have.
//
// The root of a [Sequence] stores it, and snapshots share that root while the region does not
// change. The second search for a word makes its list. There are at most maxPostingWords lists of
// at most maxPostings nodes, each of 16 bytes: 32 KB for a region.
type PostingList struct{ nodes []listedNode }

// listedNode is a Node without its snapshot.
type listedNode struct {
	c   *Chunk
	i   int32
	loc loc
}

const (
	maxPostings     = 128
	maxPostingWords = 16
)

// wordPostings is the state of a word that was searched for. If it is not frequent and has no list,
// it was searched for once.
type wordPostings struct {
	word     unique.Handle[string]
	tag      bool
	frequent bool
	list     *PostingList
}

// allPostings holds the words of a region. The slice is replaced as a whole.
type allPostings = atomic.Pointer[[]wordPostings]

// PostingList returns the nodes of a region that have a user type or a tag. If there are many, or
// if this is the first search for the word, it returns nil.
func (s *Snapshot) PostingList(r Region, w Word, tag bool) *PostingList {
	root := s.parts[r].root
	if root.inner == nil {
		return nil
	}
	var words []wordPostings
	known := root.lists.Load()
	if known != nil {
		words = *known
	}
	k := -1
	for i := range words {
		if e := &words[i]; e.word == w.handle && e.tag == tag {
			if e.list != nil || e.frequent {
				return e.list
			}
			k = i
		}
	}
	next := slices.Clone(words) // on the heap, so not before a list is missing
	switch {
	case k >= 0:
		next[k].list = s.findPostings(r, w, tag)
		next[k].frequent = next[k].list == nil
	case len(next) == maxPostingWords:
		return nil
	default:
		next = append(next, wordPostings{word: w.handle, tag: tag})
		k = len(next) - 1
	}
	root.lists.CompareAndSwap(known, &next) // if this fails, the next call tries again
	return next[k].list
}

// findPostings finds the nodes. If there are too many, it returns nil.
func (s *Snapshot) findPostings(r Region, w Word, tag bool) *PostingList {
	f := Filter{types: w.mask}
	if tag {
		f = Filter{tags: w.mask}
	}
	out := &PostingList{}
	for at, c := range s.Chunks(r, 0, s.NumChunks(r), f) {
		set := c.Run().OfType(w)
		if tag {
			set = c.Run().Tagged(w)
		}
		for i := range set.All() {
			if len(out.nodes) == maxPostings {
				return nil
			}
			out.nodes = append(out.nodes, listedNode{c, int32(i), newLoc(r, at)})
		}
	}
	return out
}

// Len returns the number of nodes.
func (l *PostingList) Len() int { return len(l.nodes) }

// Chunks yields the chunks of the nodes in document order, each with its position in the region.
func (l *PostingList) Chunks() iter.Seq2[int, *Chunk] {
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

// AppendPostings appends the nodes in document order.
func AppendPostings[N Handle](dst []N, s *Snapshot, l *PostingList) []N {
	from := len(dst)
	dst = slices.Grow(dst, len(l.nodes))[:from+len(l.nodes)]
	out := dst[from:]
	for i := range out {
		n := &l.nodes[i]
		out[i] = N{s, n.c, n.i, n.loc}
	}
	return dst
}
