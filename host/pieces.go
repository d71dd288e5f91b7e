package host

import (
	"sort"

	"github.com/pactkit/pactkit/ast"
)

// piece maps a part of decoded text to the bytes it was decoded from. A piece is either copied byte
// by byte or a unit, such as an escape, a normalized line ending or a hole. The bytes between the
// sources of two pieces, such as the indentation of a block, correspond to no text.
type piece struct {
	text, source ast.Span
	copied       bool
	hole         bool
}

// pieces is a map between a text and its source, in the order of both. It has at least one piece.
type pieces []piece

// builder builds a decoded text and its map.
type builder struct {
	src    string
	text   []byte
	pieces pieces
	holes  bool // parts of the text are unknown
}

// copy appends bytes of the source unchanged.
func (b *builder) copy(from, to int) {
	if from >= to {
		return
	}
	at := len(b.text)
	b.text = append(b.text, b.src[from:to]...)
	if n := len(b.pieces); n > 0 {
		if last := &b.pieces[n-1]; last.copied && last.source.End == from {
			last.text.End, last.source.End = len(b.text), to
			return
		}
	}
	b.pieces = append(b.pieces, piece{text: ast.Span{Start: at, End: len(b.text)}, source: ast.Span{Start: from, End: to}, copied: true})
}

// whole appends text that bytes of the source stand for as a unit.
func (b *builder) whole(text string, from, to int) {
	at := len(b.text)
	b.text = append(b.text, text...)
	b.pieces = append(b.pieces, piece{text: ast.Span{Start: at, End: len(b.text)}, source: ast.Span{Start: from, End: to}})
}

// holeText represents an unknown part in the text.
const holeText = "\uFFFC"

// hole appends bytes of the source whose text is unknown.
func (b *builder) hole(from, to int) {
	b.whole(holeText, from, to)
	b.pieces[len(b.pieces)-1].hole = true
	b.holes = true
}

// done returns the map. The map of an empty text has one empty piece.
func (b *builder) done(at int) pieces {
	if len(b.pieces) == 0 {
		b.pieces = pieces{{source: ast.Span{Start: at, End: at}, copied: true}}
	}
	return b.pieces
}

// find returns the index of the piece that holds an offset of the text, or len(p).
func (p pieces) find(offset int) int {
	return sort.Search(len(p), func(i int) bool { return p[i].text.End > offset })
}

// start returns where the source of the byte at an offset of the text begins. For the end of the
// text it returns the end of the source.
func (p pieces) start(offset int) int {
	i := p.find(offset)
	if i == len(p) {
		return p[i-1].source.End
	}
	if p[i].copied {
		return p[i].source.Start + offset - p[i].text.Start
	}
	return p[i].source.Start
}

// end returns where the source of the byte before an offset of the text ends.
func (p pieces) end(offset int) int {
	if offset == 0 {
		return p[0].source.Start
	}
	i := p.find(offset - 1)
	if i == len(p) {
		i--
	}
	if p[i].copied {
		return p[i].source.Start + min(offset, p[i].text.End) - p[i].text.Start
	}
	return p[i].source.End
}

// span maps a part of the text to the bytes it was decoded from. An empty part stays empty.
func (p pieces) span(s ast.Span) ast.Span {
	start := p.start(s.Start)
	if s.Len() == 0 {
		return ast.Span{Start: start, End: start}
	}
	return ast.Span{Start: start, End: p.end(s.End)}
}

// offset maps an offset of the source to the text. Inside a unit it returns the start of the unit,
// and between two pieces the start of the second.
func (p pieces) offset(source int) int {
	i := sort.Search(len(p), func(i int) bool { return p[i].source.End > source })
	if i == len(p) {
		return p[i-1].text.End
	}
	if p[i].copied && source > p[i].source.Start {
		return p[i].text.Start + source - p[i].source.Start
	}
	return p[i].text.Start
}
