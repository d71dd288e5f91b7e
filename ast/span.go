package ast

import (
	"sort"
	"strings"
)

// Span is a half-open range of byte offsets, [Start, End), into the source a node was read from.
type Span struct {
	Start, End int
}

// Bounds returns the span itself; embedding Span makes a struct a [Node].
func (s Span) Bounds() Span { return s }

// Len is the number of bytes covered.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Text is the part of src that the span covers.
func (s Span) Text(src string) string { return src[s.Start:s.End] }

// Extent is the span of a node in a query, in half the memory: trees are many small nodes. The zero
// value is that of a node that was not read from a source. Offsets are less than 2 GiB.
type Extent struct {
	start, end int32
}

// Extent makes the extent of a node that covers the span.
func (s Span) Extent() Extent { return Extent{int32(s.Start), int32(s.End)} }

// Bounds returns the range of bytes that the node was read from.
func (e Extent) Bounds() Span { return Span{int(e.start), int(e.end)} }

// Start returns the offset of the first byte.
func (e Extent) Start() int { return int(e.start) }

// End returns the offset after the last byte.
func (e Extent) End() int { return int(e.end) }

// Text returns the part of src that the node was read from.
func (e Extent) Text(src string) string { return src[e.start:e.end] }

// Lines maps byte offsets of one source to lines. A line ends with LF, CR LF or a lone CR, as in
// the Language Server Protocol. It is immutable and safe for concurrent use.
type Lines struct {
	starts []int
	size   int
}

// NewLines indexes src in one pass.
func NewLines(src string) *Lines {
	l := &Lines{starts: make([]int, 1, strings.Count(src, "\n")+1), size: len(src)}
	if strings.IndexByte(src, '\r') < 0 {
		for i := 0; ; {
			n := strings.IndexByte(src[i:], '\n')
			if n < 0 {
				return l
			}
			i += n + 1
			l.starts = append(l.starts, i)
		}
	}
	for i := 0; i < len(src); i++ {
		switch src[i] {
		case '\n':
			l.starts = append(l.starts, i+1)
		case '\r':
			if i+1 == len(src) || src[i+1] != '\n' {
				l.starts = append(l.starts, i+1)
			}
		}
	}
	return l
}

// Count returns the number of lines; an empty source has one.
func (l *Lines) Count() int { return len(l.starts) }

// Line returns the zero-based line that holds the offset and the offset at which that line starts.
// Offsets past the end belong to the last line.
func (l *Lines) Line(offset int) (line, start int) {
	line = sort.SearchInts(l.starts, offset+1) - 1
	line = max(line, 0)
	return line, l.starts[line]
}

// Start returns the offset at which the zero-based line starts, or the size of the source past the
// last line.
func (l *Lines) Start(line int) int {
	if line >= len(l.starts) {
		return l.size
	}
	return l.starts[line]
}
