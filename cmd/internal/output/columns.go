package output

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
)

// Columns finds lines and columns of a source. A lookup costs the same on a line of any length.
type Columns struct {
	src   string
	lines *ast.Lines
	marks []columnMark // one for every markEvery bytes; made for the first long line
}

// columnMark is the first character that begins at or after a multiple of markEvery, and the number
// of characters before.
type columnMark struct{ at, before int }

const (
	markEvery = 1 << 10
	longLine  = 1 << 12
)

// NewColumns indexes a source.
func NewColumns(src string) *Columns { return &Columns{src: src, lines: ast.NewLines(src)} }

// Lines is the index of lines.
func (c *Columns) Lines() *ast.Lines { return c.lines }

// Position returns line and column, both from 1. Columns count characters. A byte that is not UTF-8
// counts as a character; a byte order mark at the start of the source does not count.
func (c *Columns) Position(offset int) (line, column int) {
	line, start := c.lines.Line(offset)
	offset = min(offset, len(c.src))
	if start == 0 && offset >= len(byteOrderMark) && strings.HasPrefix(c.src, byteOrderMark) {
		start = len(byteOrderMark)
	}
	if offset-start < longLine {
		return line + 1, utf8.RuneCountInString(c.src[start:max(start, offset)]) + 1
	}
	return line + 1, c.count(offset) - c.count(start) + 1
}

const byteOrderMark = "\uFEFF"

// count returns how many characters begin before an offset.
func (c *Columns) count(offset int) int {
	if c.marks == nil {
		n := 0
		for i := range c.src {
			for i >= len(c.marks)*markEvery {
				c.marks = append(c.marks, columnMark{i, n})
			}
			n++
		}
	}
	m := c.marks[min(offset/markEvery, len(c.marks)-1)]
	if m.at >= offset {
		return m.before
	}
	return m.before + utf8.RuneCountInString(c.src[m.at:offset])
}
