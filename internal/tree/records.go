package tree

import (
	"iter"
	"slices"
)

// pageLen is the number of records of a page.
const pageLen = 64

// A page is a part of a long list of records.
type page [pageLen]*Record

// pages are the records of a long chunk, in which records were replaced: all but the last page are
// full. Replacing a record copies its page and the list of pages instead of all records.
type pages struct{ list []*page }

// Rec returns the record of node i.
func (c *Chunk) Rec(i int) *Record {
	if c.pages == nil {
		return c.flat[i]
	}
	return c.pages.list[uint(i)/pageLen][uint(i)%pageLen]
}

// Recs yields the numbers and the records of the nodes.
func (c *Chunk) Recs() iter.Seq2[int, *Record] {
	return func(yield func(int, *Record) bool) {
		for i := range c.Len() {
			if !yield(i, c.Rec(i)) {
				return
			}
		}
	}
}

// EqualFunc reports whether two chunks have as many nodes, and eq holds for their records.
func (c *Chunk) EqualFunc(o *Chunk, eq func(a, b *Record) bool) bool {
	return slices.EqualFunc(c.list(0, c.Len()), o.list(0, o.Len()), eq)
}

// list returns the records of the nodes [from, to). The caller must not change it.
func (c *Chunk) list(from, to int) []*Record {
	if c.pages == nil {
		return c.flat[from:to]
	}
	out := make([]*Record, 0, to-from)
	for from < to {
		p, at := c.pages.list[from/pageLen], from%pageLen
		n := min(pageLen-at, to-from)
		out = append(out, p[at:at+n]...)
		from += n
	}
	return out
}

// paged returns the pages of c. Those of a list without pages are parts of it, except for the last
// one if it is not full.
func (c *Chunk) paged() *pages {
	if c.pages != nil {
		return c.pages
	}
	p := &pages{make([]*page, 0, len(c.flat)/pageLen+1)}
	for list := range slices.Chunk(c.flat, pageLen) {
		if len(list) == pageLen {
			p.list = append(p.list, (*page)(list))
		} else {
			p.list = append(p.list, newPage(list))
		}
	}
	return p
}

// newPage returns a page with some records.
func newPage(list []*Record) *page {
	p := new(page)
	copy(p[:], list)
	return p
}

// newSpare returns the spare of a list of which n elements are in use.
func newSpare(n int) *spare {
	s := new(spare)
	s.used.Store(int32(n))
	return s
}

// setRecord makes the records of next, a copy of c without records, those of c with that of node i
// replaced.
func (c *Chunk) setRecord(next *Chunk, i int, r *Record) {
	n := c.Len()
	if c.pages == nil && n <= 4*pageLen {
		if next.flat = slices.Clone(c.flat); c.spare.nav != nil {
			next.flat, next.spare.recs = grown(c.flat, nil, n, ChunkTarget/4)
		}
		next.flat[i] = r
		return
	}
	next.pages, next.spare.recs = &pages{slices.Clone(c.paged().list)}, c.spare.recs
	at := i / pageLen
	if c.pages == nil || at == len(next.pages.list)-1 {
		next.spare.recs = newSpare(n)
	}
	next.pages.list[at] = newPage(c.list(at*pageLen, min(n, (at+1)*pageLen)))
	next.pages.list[at][i%pageLen] = r
}

// appendRecords makes the records of next those of c and more. It uses the rest of the last page if
// that is still free and enough, and otherwise copies that page.
func (c *Chunk) appendRecords(next *Chunk, more []*Record) {
	n, size := c.Len(), c.Len()+len(more)
	last := len(c.pages.list) - 1
	if size <= (last+1)*pageLen && c.spare.recs.used.CompareAndSwap(int32(n), int32(size)) {
		copy(c.pages.list[last][n%pageLen:], more)
		next.pages, next.spare.recs = c.pages, c.spare.recs
		return
	}
	full := n / pageLen
	next.pages, next.spare.recs = &pages{slices.Clone(c.pages.list[:full])}, newSpare(size)
	for list := range slices.Chunk(slices.Concat(c.list(full*pageLen, n), more), pageLen) {
		next.pages.list = append(next.pages.list, newPage(list))
	}
}

// sameFrom returns the number up to which two chunks have the same records from node i on, as far
// as the lists or pages that they share show it.
func (c *Chunk) sameFrom(o *Chunk, i int) int {
	end := min(c.Len(), o.Len())
	switch {
	case i >= end:
	case c.pages == nil && o.pages == nil:
		if &c.flat[0] == &o.flat[0] {
			return end
		}
	case c.pages != nil && o.pages != nil:
		for i < end && c.pages.list[i/pageLen] == o.pages.list[i/pageLen] {
			i = min(end, (i/pageLen+1)*pageLen)
		}
	}
	return i
}
