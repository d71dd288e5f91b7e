package tree

import (
	"iter"
	"slices"
	"sync/atomic"
	"unique"
)

// PostingList lists the nodes of a region with a type or tag that few nodes have.
//
// The root of a [Sequence] keeps it; snapshots share that as long as the region stays
// the same. The second search for a word makes its list, for at most maxPostingWords
// words of at most maxPostings nodes, 16 bytes a node: 32 KB for a region.
type PostingList struct{ nodes []listedNode }

type listedNode struct {
	c   *Chunk
	i   int32
	loc loc
}

const (
	maxPostings     = 128
	maxPostingWords = 16
)

// wordPostings is the state of a word that was searched for. Without a list it was
// searched for once, or is frequent.
type wordPostings struct {
	word     unique.Handle[string]
	tag      bool
	frequent bool
	list     *PostingList
}

// allPostings are the words of a region. The slice is replaced as a whole.
type allPostings = atomic.Pointer[[]wordPostings]

// PostingList returns the nodes of a region with a user type, or with a tag, nil if
// they are many or not known yet.
func (s *Snapshot) PostingList(r Region, w Word, tag bool) *PostingList {
	root := s.parts[r].root
	if root.inner == nil {
		return nil
	}
	var next []wordPostings
	known := root.lists.Load()
	if known != nil {
		next = *known
	}
	k := -1
	for i := range next {
		if e := &next[i]; e.word == w.handle && e.tag == tag {
			if e.list != nil || e.frequent {
				return e.list
			}
			k = i
		}
	}
	next = slices.Clone(next)
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
	root.lists.CompareAndSwap(known, &next) // if another was faster, the next call tries again
	return next[k].list
}

// findPostings finds the nodes; it returns nil if they are too many.
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

// Chunks yields the chunks that hold the nodes, in document order, each with its
// position in the region.
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
