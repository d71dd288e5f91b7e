package host

import (
	"strings"

	"github.com/yuin/goldmark/ast"

	pactast "github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// markdownReader reads documents in segments. A segment ends after a blank line, before a line
// without indentation that begins with a letter, a heading or a code block. Every block ends there,
// except unterminated code and HTML.
type markdownReader struct {
	host      markdown
	markers   *Markers
	inContext bool
}

func (h markdown) segments(src string, m *Markers, _ segmentReader) segmentReader {
	may, inContext := m.mayMark(src)
	if !may && !inContext && !m.mayHoldKeys(src) && !m.mayHoldFences(src) || h.depth >= maxFences {
		return nil
	}
	return markdownReader{h, m, inContext}
}

func (r markdownReader) isCut(src string, at int) bool {
	if !strings.HasSuffix(src[:at], "\n\n") && !strings.HasSuffix(src[:at], "\n\r\n") {
		return false
	}
	c := src[at] | 0x20
	return c >= 'a' && c <= 'z' || src[at] == '#' || src[at] == '`'
}

func (markdownReader) enter(s *segment, _ state) (state, bool) { return nil, true }

// documentPart is what was found in a segment of a document.
type documentPart struct {
	blocks   []searchedBlock
	comments []pactast.Span // outside the blocks
	deep     bool           // its blocks are nested too deeply to be read
}

// searching returns the markers with which the blocks are searched.
func (r markdownReader) searching() *Markers {
	if r.inContext {
		return r.markers.everywhere()
	}
	return r.markers
}

func (r markdownReader) read(src string, at, end int, _ state, _ *[]token) (segment, bool) {
	text := strings.Clone(src[at:end]) // the findings would keep the whole source in memory
	p := &documentPart{deep: tooDeep(text)}
	s := segment{document: p}
	if p.deep {
		return s, true
	}
	list, open := fences(text)
	if open && end < len(src) {
		return s, false
	}
	p.blocks = r.host.blocks(text, list, r.searching())
	for i := range p.blocks {
		s.imports = s.imports.or(p.blocks[i].found.imports)
	}
	p.comments = htmlDirectives(text, list)
	return s, true
}

func (r markdownReader) assemble(src string, segments []segment) File {
	var f File
	for i := range segments {
		if segments[i].document.deep {
			return tooDeepDocument
		}
		f.imports = f.imports.or(segments[i].imports)
	}
	at := 0
	for i := range segments {
		p := segments[i].document
		f.Parts = append(f.Parts, pactast.Span{Start: at, End: at + segments[i].length})
		if len(p.blocks) > 0 {
			within := plainRegion(src, pactast.Span{Start: at, End: at + segments[i].length}, Selector)
			for i := range p.blocks {
				outer := p.blocks[i].outer.clone()
				outer.below(&within)
				f.addBlock(&p.blocks[i], outer, r.markers.inDocument)
			}
		}
		at += segments[i].length
	}
	if len(f.Regions) == 0 {
		return f
	}
	at = 0
	for i := range segments {
		for _, c := range segments[i].document.comments {
			f.Comments = append(f.Comments, pactast.Span{Start: c.Start + at, End: c.End + at})
		}
		at += segments[i].length
	}
	f.sortComments()
	return f
}

// tooDeepDocument is the result for a document that is nested too deeply for a parser.
var tooDeepDocument = File{Diagnostics: []diag.Diagnostic{{
	Code: Unreadable, Severity: diag.Info, Message: "blocks of this document are nested too deeply to be read",
}}}

// addBlock adds what was found in a code block. It is graded by what all blocks of the document
// import, unless the document is itself a block of one.
func (f *File) addBlock(b *searchedBlock, outer *Region, inner bool) {
	found := b.found
	if !inner {
		found.grade(f.imports)
	}
	for i := range found.Regions {
		r := found.Regions[i].clone()
		if r.below(outer); b.selectors {
			r.Proof = ByFence
		} else if r.Evidence.Len() > 0 {
			r.Evidence = outer.Host(r.Evidence)
		}
		f.Regions = append(f.Regions, *r)
	}
	for _, d := range found.Diagnostics {
		d.Span = outer.Host(d.Span)
		d.Fixes = nil
		// An example may be incomplete: unreadable code in it is not an error of the document.
		if d.Code == Unreadable {
			d.Severity = diag.Info
		}
		f.Diagnostics = append(f.Diagnostics, d)
	}
	for _, d := range found.unsure {
		d.Span = outer.Host(d.Span)
		f.unsure = append(f.unsure, d)
	}
	for _, c := range found.Comments {
		f.Comments = append(f.Comments, outer.Host(c))
	}
}

// clone copies a region and the regions that hold it.
func (r *Region) clone() *Region {
	out := *r
	if r.outer != nil {
		out.outer = r.outer.clone()
	}
	return &out
}

// isOpen reports whether the last block of a document continues in the text that follows.
func isOpen(src string, root ast.Node) bool {
	switch n := root.LastChild().(type) {
	case *ast.FencedCodeBlock:
		lines := n.Lines()
		if lines.Len() == 0 {
			return true // without lines, the position of its end is unknown
		}
		rest := strings.TrimLeft(src[lines.At(lines.Len()-1).Stop:], " ")
		return !strings.HasPrefix(rest, "```") && !strings.HasPrefix(rest, "~~~")
	case *ast.HTMLBlock:
		return n.HTMLBlockType <= ast.HTMLBlockType5 && !n.HasClosure()
	}
	return false
}
