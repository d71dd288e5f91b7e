package host

import (
	"slices"
	"strings"
	"sync"

	"github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/parser"
	"github.com/yuin/goldmark/text"

	pactast "github.com/pactkit/pactkit/ast"
)

// markdown is the host of documents: selectors in code blocks, and in the programs and data of code
// blocks.
type markdown struct{ depth int }

// maxFences is how deep documents in code blocks of documents are read.
const maxFences = 8

var markdownFile = describe("Markdown")

func (markdown) Name() string { return markdownFile.Name() }

func (markdown) Extensions() []string { return markdownFile.Extensions() }

func (markdown) Embeds() bool { return true }

// markdownParser reads only blocks, because paragraphs do not contain code blocks.
var markdownParser = sync.OnceValue(func() parser.Parser {
	return parser.NewParser(parser.WithBlockParsers(parser.DefaultBlockParsers()...))
})

// fence is a fenced code block.
type fence struct {
	language string
	lines    []text.Segment
}

// maxBlocks is how many quotes and lists may begin on one line. The work of the parser grows with
// the square of their number.
const maxBlocks = 100

// HasProse reports whether a document has prose that can be read. It does unless its blocks are
// nested too deeply.
func (markdown) HasProse(src string) bool { return !tooDeep(src) }

// tooDeep reports whether a document begins more than maxBlocks quotes and lists on one line.
func tooDeep(src string) bool {
	blocks, leading := 0, true
	for i := range len(src) {
		switch c := src[i]; {
		case c == '\n':
			blocks, leading = 0, true
		case !leading:
		case c == '>', strings.IndexByte("-*+.)", c) >= 0 && i+1 < len(src) && (src[i+1] == ' ' || src[i+1] == '\t'):
			if blocks++; blocks > maxBlocks {
				return true
			}
		case c != ' ' && c != '\t' && (c < '0' || c > '9'):
			leading = false
		}
	}
	return false
}

// fences returns the fenced code blocks of a document that have at least one line, in order, and
// reports whether its last block is unterminated.
func fences(src string) (out []fence, open bool) {
	if tooDeep(src) {
		return nil, false
	}
	source := []byte(src)
	root := markdownParser().Parse(text.NewReader(source))
	_ = ast.Walk(root, func(n ast.Node, entering bool) (ast.WalkStatus, error) {
		f, ok := n.(*ast.FencedCodeBlock)
		if !ok || !entering {
			return ast.WalkContinue, nil
		}
		if lines := f.Lines(); f.Info != nil && lines.Len() > 0 {
			word, _, _ := strings.Cut(strings.TrimSpace(string(f.Info.Segment.Value(source))), " ")
			word, _, _ = strings.Cut(word, ",")
			word = strings.TrimPrefix(strings.Trim(word, "{}"), ".")
			out = append(out, fence{strings.ToLower(word), slices.Clone(lines.Sliced(0, lines.Len()))})
		}
		return ast.WalkSkipChildren, nil
	})
	return out, isOpen(src, root)
}

func (h markdown) Find(src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	may, inContext := m.mayMark(src)
	if !may && !m.mayHoldKeys(src) && !m.mayHoldFences(src) || h.depth >= maxFences {
		return File{}
	}
	if tooDeep(src) {
		return tooDeepDocument
	}
	if inContext {
		m = m.everywhere() // a word in the document counts for each of its examples
	}
	list, _ := fences(src)
	blocks := h.blocks(src, list, m)
	var f File
	for i := range blocks {
		f.imports = f.imports.or(blocks[i].found.imports)
	}
	for i := range blocks {
		f.addBlock(&blocks[i], blocks[i].outer, m.inDocument)
	}
	if len(f.Regions) > 0 {
		f.Comments = append(f.Comments, htmlDirectives(src, list)...)
		f.sortComments()
	}
	return f
}

// sortComments puts the comments in order.
func (f *File) sortComments() {
	slices.SortFunc(f.Comments, func(a, b pactast.Span) int { return a.Start - b.Start })
}

// searchedBlock is a code block and what was found in it.
type searchedBlock struct {
	outer     *Region
	selectors bool // it holds nothing else
	found     File
}

// blocks searches the code blocks of a document. Its regions are graded later: an import in one
// block, and a block of selectors, say something about the other blocks too.
func (h markdown) blocks(src string, list []fence, m *Markers) (out []searchedBlock) {
	in := *m
	in.inDocument = true
	for _, f := range list {
		if inner := h.inner(f.language, &in); inner != nil {
			b := searchedBlock{outer: f.region(src), selectors: !inner.Embeds()}
			b.found = inner.Find(b.outer.Text, &in)
			b.found.imports.ours = b.found.imports.ours || b.selectors
			out = append(out, b)
		}
	}
	return out
}

// htmlDirectives returns the comments of a document, outside its code blocks, that are meant for
// pactkit. Comments that contain a blank line are ignored.
func htmlDirectives(src string, blocks []fence) []pactast.Span {
	if !strings.Contains(src, Directive) {
		return nil
	}
	var out []pactast.Span
	end, blank, blankCR := -1, -1, -1
	next := func(found *int, text string, from int) int {
		if *found < from {
			if *found = strings.Index(src[from:], text); *found < 0 {
				*found = len(src)
			} else {
				*found += from
			}
		}
		return *found
	}
	for at := 0; ; {
		start := strings.Index(src[at:], "<!--")
		if start < 0 {
			return out
		}
		start += at
		at = start + len("<!--")
		stop := next(&end, "-->", start)
		if stop > min(next(&blank, "\n\n", start), next(&blankCR, "\n\r\n", start)) || stop == len(src) {
			continue
		}
		at = stop + len("-->")
		c := pactast.Span{Start: start, End: at}
		for len(blocks) > 0 && blocks[0].lines[len(blocks[0].lines)-1].Stop <= start {
			blocks = blocks[1:]
		}
		if inBlock := len(blocks) > 0 && blocks[0].lines[0].Start <= start; !inBlock && strings.Contains(c.Text(src), Directive) {
			out = append(out, c)
		}
	}
}

// inner returns the host of a code block in a language, or nil.
func (h markdown) inner(language string, m *Markers) Host {
	if m.fences[language] {
		return SelectorFile{}
	}
	if markdownFile.isFence(language) {
		return markdown{h.depth + 1}
	}
	for _, h := range hosts {
		if l, ok := h.(interface{ isFence(string) bool }); ok && l.isFence(language) {
			return h
		}
	}
	return nil
}

// region returns the content of a code block, without the prefixes of its lines.
func (f fence) region(src string) *Region {
	b := builder{src: src}
	r := &Region{src: src}
	for _, s := range f.lines {
		b.copy(s.Start, s.Stop)
		if r.indent == "" && strings.TrimSpace(src[s.Start:s.Stop]) != "" {
			r.indent = prefix(src, s.Start)
			if strings.HasSuffix(r.indent, ">") {
				r.indent += " " // the sign includes the blank after it, so new text needs one too
			}
		}
		if s.Padding > 0 {
			r.Kind, r.Fixed = Folded, "its indentation ends within a tab"
		}
	}
	r.Span = pactast.Span{Start: f.lines[0].Start, End: f.lines[len(f.lines)-1].Stop}
	r.Text, r.pieces, r.token = string(b.text), b.done(r.Start), r.Span
	switch {
	case strings.TrimSpace(r.Text) == "":
		r.Kind, r.Fixed = Folded, "it is empty"
	case strings.Count(r.Text, "\r") != strings.Count(r.Text, "\r\n"):
		r.Kind, r.Fixed = Folded, "it has line endings that are not valid in Markdown"
	}
	return r
}

// prefix returns the text before an offset on its line.
func prefix(src string, at int) string {
	return src[strings.LastIndexAny(src[:at], "\r\n")+1 : at]
}

// below nests a region in the code block that contains it.
func (r *Region) below(outer *Region) {
	top := r
	for top.outer != nil {
		top = top.outer
	}
	if top != outer {
		top.outer = outer
	}
	// The end is a position, not the end of a byte: the prefix of the next line may lie between.
	r.Span = pactast.Span{Start: outer.position(r.Start), End: outer.position(r.End)}
	if outer.Kind == Folded && r.Kind == Editable {
		r.Kind, r.Fixed = Folded, outer.Fixed
	}
}

// position maps an offset of the text to the file.
func (r *Region) position(offset int) int {
	return r.Host(pactast.Span{Start: offset, End: offset}).Start
}

func (markdown) outline(src string) []mark {
	var out []mark
	at := 0
	list, _ := fences(src)
	for _, f := range list {
		first, last := f.lines[0].Start, f.lines[len(f.lines)-1].Stop
		first -= len(prefix(src, first))
		out = append(out, mark{pactast.Span{Start: at, End: first}, 0}, mark{pactast.Span{Start: first, End: last}, 1})
		at = last
	}
	return append(out, mark{pactast.Span{Start: at, End: len(src)}, 0})
}
