package lsp

import (
	"unicode/utf8"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
)

// encoding is the unit in which the characters of a position are counted.
type encoding uint8

const (
	utf16 encoding = iota // UTF-16 code units, which every client understands
	utf8Bytes
)

func (e encoding) String() string { return [...]string{"utf-16", "utf-8"}[e] }

// width returns the number of units of a character. A byte that is not UTF-8 has one unit.
func (e encoding) width(r rune, size int) int {
	switch {
	case e == utf8Bytes:
		return size
	case r > 0xffff:
		return 2
	}
	return 1
}

// text is a source with an index of its lines. It is immutable.
type text struct {
	src   string
	lines *ast.Lines
	enc   encoding
}

func newText(src string, enc encoding) text { return text{src, ast.NewLines(src), enc} }

// position returns the position of a byte offset.
func (t text) position(offset int) protocol.Position {
	offset = min(max(offset, 0), len(t.src))
	line, start := t.lines.Line(offset)
	return protocol.Position{Line: uint32(line), Character: t.units(start, offset)}
}

// units returns the number of units between two offsets of a line.
func (t text) units(start, offset int) uint32 {
	units := 0
	for i := start; i < offset; {
		if t.src[i] < utf8.RuneSelf {
			units++
			i++
			continue
		}
		r, n := utf8.DecodeRuneInString(t.src[i:])
		if i+n > offset { // inside a character
			break
		}
		units += t.enc.width(r, n)
		i += n
	}
	return uint32(units)
}

func (t text) rangeOf(s ast.Span) protocol.Range {
	r := protocol.Range{Start: t.position(s.Start)}
	next := t.lines.Start(int(r.Start.Line) + 1)
	if s.Start < 0 || s.End < s.Start || s.End >= next || !utf8.RuneStart(t.src[s.Start]) {
		r.End = t.position(s.End)
		return r
	}
	r.End = r.Start // usually on the same line: count from there
	r.End.Character += t.units(s.Start, s.End)
	return r
}

// offset returns the byte offset of a position. A position past the end of a line means the end of
// the line, one past the last line the end of the text, and one inside a character the start of the
// character.
func (t text) offset(p protocol.Position) int {
	if int64(p.Line) >= int64(t.lines.Count()) {
		return len(t.src)
	}
	start, end := t.lines.Start(int(p.Line)), t.lineEnd(int(p.Line))
	units := int64(0)
	for i := start; i < end; {
		if units >= int64(p.Character) {
			return i
		}
		r, n := utf8.DecodeRuneInString(t.src[i:end])
		units += int64(t.enc.width(r, n))
		if units > int64(p.Character) {
			return i
		}
		i += n
	}
	return end
}

// lineEnd returns the offset of the end of a line, before its line ending.
func (t text) lineEnd(line int) int {
	start, end := t.lines.Start(line), t.lines.Start(line+1)
	if line+1 >= t.lines.Count() {
		return end
	}
	if end > start && t.src[end-1] == '\n' {
		end--
	}
	if end > start && t.src[end-1] == '\r' {
		end--
	}
	return end
}

// span returns the span of a range. A range whose end is before its start is empty.
func (t text) span(r protocol.Range) ast.Span {
	start := t.offset(r.Start)
	return ast.Span{Start: start, End: max(start, t.offset(r.End))}
}
