package ast

import (
	"sort"
	"strings"
)

// Span is a half-open range of byte offsets, [Start, End), into the source a node was read from.
type Span struct {
	Start, End int
}

// Bounds returns s, so a struct that embeds Span is a [Node].
func (s Span) Bounds() Span { return s }

// Len returns the number of bytes in s.
func (s Span) Len() int { return s.End - s.Start }

// Contains reports whether t lies within s.
func (s Span) Contains(t Span) bool { return s.Start <= t.Start && t.End <= s.End }

// Text returns the part of src that s covers.
func (s Span) Text(src string) string { return src[s.Start:s.End] }

// Extent is the span of a node in a query. It takes half the memory of a [Span], because a tree has
// many small nodes; its offsets are less than 2 GiB. A node that was not read from a source has the
// zero value.
type Extent struct {
	start, end int32
}

// Extent returns s as an extent. Offsets must be less than 2 GiB.
func (s Span) Extent() Extent { return Extent{int32(s.Start), int32(s.End)} }

// Bounds returns e as a span.
func (e Extent) Bounds() Span { return Span{int(e.start), int(e.end)} }

// Start returns the offset of the first byte.
func (e Extent) Start() int { return int(e.start) }

// End returns the offset after the last byte.
func (e Extent) End() int { return int(e.end) }

// Text returns the part of src that e covers.
func (e Extent) Text(src string) string { return src[e.start:e.end] }

// Lines maps byte offsets of a source to lines. A line ends with LF, CR LF or a lone CR, as in the
// Language Server Protocol. Lines is immutable and safe for concurrent use.
type Lines struct {
	starts []int
	size   int
}

// NewLines finds the lines of src, in one pass.
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

// Line returns the zero-based number of the line that contains an offset, and the offset at which
// the line starts. Offsets past the end are on the last line. It takes logarithmic time.
func (l *Lines) Line(offset int) (line, start int) {
	line = sort.SearchInts(l.starts, offset+1) - 1
	line = max(line, 0)
	return line, l.starts[line]
}

// Start returns the offset at which the zero-based line starts; past the last line, the length of
// the source.
func (l *Lines) Start(line int) int {
	if line >= len(l.starts) {
		return l.size
	}
	return l.starts[line]
}
