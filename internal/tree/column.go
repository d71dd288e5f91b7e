package tree

import (
	"math/bits"
	"slices"
)

// Column is a numeric header that searches compare for many nodes at once.
type Column uint8

// The columns.
const (
	ColumnOffset Column = iota
	ColumnPriority
	ColumnCycle
	ColumnCreatedNS
	ColumnCreationIndex
	numColumns
)

var columnHeaders = [numColumns]Header{HeaderOffset, HeaderPriority, HeaderCycle, HeaderCreatedNS, HeaderCreationIndex}

// intColumn holds a numeric header of a run. If there are few distinct values, upTo holds, for each
// n, the set of the nodes that have one of the n smallest values. Otherwise ints holds the value of
// each node.
type intColumn struct {
	inexact bool    // some value is not a 64-bit integer
	values  []int64 // the distinct values, ascending
	upTo    []uint64
	ints    []int64
}

// IntRange is the range of the integers From <= i <= To.
type IntRange struct{ From, To int64 }

// Has reports whether an integer is in the range.
func (r IntRange) Has(i int64) bool { return r.From <= i && i <= r.To }

// column returns a numeric header. It is made on first use.
func (p *Run) column(col Column) *intColumn {
	if c := p.columns[col].Load(); c != nil {
		return c
	}
	return p.newColumn(col)
}

func (p *Run) newColumn(col Column) *intColumn {
	out := &intColumn{ints: make([]int64, 64*p.words)}
	defer p.columns[col].Store(out)
	h := columnHeaders[col]
	for k := range p.slots {
		slot := &p.slots[k]
		for i, r := range slot.c.Recs() {
			out.inexact = out.inexact || r.Exact(h)
			out.ints[slot.first+i] = *r.Integer(h)
		}
		out.values = append(out.values, out.ints[slot.first:slot.first+slot.c.Len()]...)
	}
	slices.Sort(out.values)
	out.values = slices.Clone(slices.Compact(out.values))
	if len(out.values)*(p.words+1) > 32*p.words {
		out.values = nil
		return out
	}
	out.upTo = make([]uint64, (len(out.values)+1)*p.words)
	for i := range p.all.All() {
		n, _ := slices.BinarySearch(out.values, out.ints[i])
		for n++; n <= len(out.values); n++ {
			Bits(out.upTo[n*p.words:]).set(i)
		}
	}
	out.ints = nil
	return out
}

// Exact reports whether all values of a numeric header are 64-bit integers.
func (p *Run) Exact(col Column) bool { return !p.column(col).inexact }

// KeepInts keeps in set the nodes whose value of a numeric header is in one of the ranges or, if
// not is set, in none of them. A missing value counts as 0. The header must be [Run.Exact].
func (p *Run) KeepInts(set []uint64, col Column, ranges []IntRange, not bool) {
	c := p.column(col)
	if c.ints != nil {
		for k, w := range set {
			if w != 0 {
				set[k] = inRanges(w, c.ints[k<<6:k<<6+64], ranges, not)
			}
		}
		return
	}
	if len(ranges) == 1 && !not {
		in, below := c.between(ranges[0], p.words)
		for k := range set {
			set[k] &= in[k] &^ below[k]
		}
		return
	}
	var room [fanout]uint64
	outside := append(room[:0], set...)
	for _, r := range ranges {
		in, below := c.between(r, p.words)
		for k := range outside {
			outside[k] &^= in[k] &^ below[k]
		}
	}
	for k := range set {
		if not {
			set[k] = outside[k]
		} else {
			set[k] &^= outside[k]
		}
	}
}

// inRanges returns the nodes of a set of at most 64 nodes whose values are in one of the ranges or,
// if not is set, in none of them.
func inRanges(set uint64, values []int64, ranges []IntRange, not bool) uint64 {
	in := uint64(0)
	for _, r := range ranges {
		outside, width := uint64(0), uint64(r.To-r.From)
		for i, v := range values { // without a branch, the processor compares several values at a time
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

// between returns the nodes whose value is at most the end of a range, and the nodes whose value is
// below the range. The column must have upTo.
func (c *intColumn) between(r IntRange, words int) (in, below []uint64) {
	n := len(c.values)
	for n > 0 && c.values[n-1] > r.To {
		n--
	}
	less := n
	for less > 0 && c.values[less-1] >= r.From {
		less--
	}
	return c.upTo[n*words : (n+1)*words], c.upTo[less*words : (less+1)*words]
}
