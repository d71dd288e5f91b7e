package host

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser"
)

// Finder finds the selectors of one document in version after version, for editors: of a program it reads again only the
// parts that have changed. It finds what [Host.Find] does, except that a selector file is not one region but has one for
// each of its parts (see [parser.Entries]). The zero value is ready for use. A Finder is safe for concurrent use.
type Finder struct {
	mu       sync.Mutex
	language *language
	markers  *Markers
	calls    bool   // calls count
	src      string // the version that was read last
	segments []segment
	buffer   []token
	size     int // the least size of a segment, for tests; 0 stands for segmentSize
}

// segment is a part of a program that means the same alone as within the program: no token, no bracket and no construct
// that a marker may name goes over its ends.
type segment struct {
	length  int
	file    File // what was found in it; its spans count from the start of the segment
	unsure  []diag.Diagnostic
	imports bool // it imports PACT
}

// Find returns what a host finds in a version of the document. Nil stands for the markers of
// [DefaultPatterns].
func (f *Finder) Find(h Host, src string, m *Markers) File {
	if m == nil {
		m = defaultMarkers()
	}
	switch h := h.(type) {
	case SelectorFile:
		return entries(src)
	case *language:
		if h.segments {
			return f.program(h, src, m)
		}
	}
	return h.Find(src, m)
}

// entries makes a region of each part of a selector file.
func entries(src string) File {
	var f File
	for at := range parser.Entries(src) {
		f.Regions = append(f.Regions, plainRegion(src, at, Selectors))
	}
	if src == "" {
		f.Regions = append(f.Regions, plainRegion(src, ast.Span{}, Selectors))
	}
	return f
}

// plainRegion is a region whose bytes stand for themselves.
func plainRegion(src string, at ast.Span, form Form) Region {
	whole := ast.Span{Start: 0, End: at.Len()}
	return Region{
		Span: at, Text: at.Text(src), Form: form, src: src, token: at,
		pieces: pieces{{text: whole, source: at, copied: true}},
	}
}

// program finds what [language.Find] does.
func (f *Finder) program(l *language, src string, m *Markers) File {
	f.mu.Lock()
	defer f.mu.Unlock()
	may, calls := m.mayMark(src)
	if !may {
		f.src, f.segments, f.buffer = "", nil, nil
		return File{}
	}
	if f.language != l || f.markers != m || f.calls != calls {
		f.language, f.markers, f.calls, f.src, f.segments = l, m, calls, "", nil
	}
	f.read(src)
	return f.assemble()
}

// segmentSize is the least size in bytes of a segment, but for the last one.
const segmentSize = 4 << 10

// read brings the segments up to date.
func (f *Finder) read(src string) {
	before := f.segments
	head := commonPrefix(f.src, src)
	tail := commonSuffix(f.src[head:], src[head:])
	var next []segment
	at := 0
	for len(before) > 0 && at+before[0].length < head {
		if end := at + before[0].length; end > head-lookAhead && !isCut(src, end) {
			break // what is changed begins the segment after it
		}
		at += before[0].length
		next, before = append(next, before[0]), before[1:]
	}
	// What is left of before follows in the new version where it is shifted to, from the first segment in what is the same.
	shift := len(src) - len(f.src)
	resume := at + shift
	for len(before) > 0 && (resume-shift < len(f.src)-tail || resume < at || !isCut(src, resume)) {
		resume += before[0].length
		before = before[1:]
	}
	for at < len(src) {
		if at == resume && len(before) > 0 {
			break
		}
		for size := cmp.Or(f.size, segmentSize); ; size *= 2 {
			end := nextCut(src, at+size)
			if len(before) > 0 && at < resume && end > resume {
				end = resume
			}
			s, whole := f.segment(src[at:end])
			if whole || end == len(src) {
				next = append(next, s)
				at = end
				break
			}
			for len(before) > 0 && resume <= end { // it goes on in what follows
				resume += before[0].length
				before = before[1:]
			}
		}
	}
	f.src, f.segments = src, append(next, before...)
}

// isCut reports whether a segment may begin at an offset: below a blank line, at a word or an annotation that begins a
// line, or at comments above one.
func isCut(src string, at int) bool {
	if !strings.HasSuffix(src[:at], "\n\n") && !strings.HasSuffix(src[:at], "\n\r\n") {
		return false
	}
	rest := src[at:min(len(src), at+lookAhead)]
	for rest != "" {
		switch c := rest[0]; {
		case c|0x20 >= 'a' && c|0x20 <= 'z' || c == '@':
			return true
		case strings.HasPrefix(rest, "/*"):
			_, after, _ := strings.Cut(rest[2:], "*/")
			if rest = strings.TrimPrefix(after, "\r"); rest == "" || rest[0] != '\n' {
				return false
			}
			rest = rest[1:]
		case strings.HasPrefix(rest, "//"), c == '#' && !strings.HasPrefix(rest, "#!"), c == '\n':
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			return false
		}
	}
	return false
}

// lookAhead bounds the comments above a word, in bytes.
const lookAhead = 4 << 10

// nextCut is the first offset from at on where a segment may begin, or the end.
func nextCut(src string, at int) int {
	for at = max(at, 1); at < len(src); {
		n := strings.IndexByte(src[at-1:], '\n')
		if n < 0 {
			break
		}
		if at += n; isCut(src, at) {
			return at
		}
		at++
	}
	return len(src)
}

// segment reads a part of a program, and reports whether it is a segment.
func (f *Finder) segment(text string) (segment, bool) {
	search := slices.ContainsFunc(f.markers.needles, func(n string) bool { return strings.Contains(text, n) }) ||
		strings.Contains(text, Directive)
	if search {
		text = strings.Clone(text) // what is found keeps it
	}
	x := &lexer{src: text, end: len(text), tokens: f.buffer[:0]}
	x.skipBOM()
	f.language.lex(x)
	c := codeFinder{language: f.language, src: text, markers: f.markers, calls: f.calls}
	c.file.Diagnostics = x.found
	s := scope{codeFinder: &c, all: x.tokens, tokens: x.tokens}
	if search {
		f.buffer = nil // what is found may refer to it
		c.search(x.tokens)
		s = *c.top
	} else {
		f.buffer = x.tokens
		s.tokens = slices.DeleteFunc(slices.Clone(x.tokens), func(t token) bool { return t.kind == commentToken })
		s.pair()
	}
	out := segment{length: len(text), file: c.file, unsure: c.unsure}
	out.imports = len(f.language.imports) > 0 && f.markers.mayImport(text) && s.importsPACT()
	return out, !x.unsure && s.unclosed == 0 && s.ends()
}

// mayImport reports whether an import in a text can name PACT.
func (m *Markers) mayImport(text string) bool {
	return slices.ContainsFunc(m.imports, func(parts []string) bool { return strings.Contains(text, parts[len(parts)-1]) })
}

// ends reports whether nothing that a marker may name goes over the end of the tokens.
func (s *scope) ends() bool {
	n := len(s.tokens) - 1
	if n < 0 || s.all[len(s.all)-1].kind == commentToken || s.tokens[n].End == len(s.src) {
		return false // a comment may mark what follows; a string that is not closed ends with the text
	}
	if t := s.tokens[n]; t.kind == punctToken {
		return t.Len() == 1 && strings.IndexByte(")]};", s.src[t.Start]) >= 0
	}
	return !slices.Contains(declaring, s.text(n))
}

// assemble puts together what was found in the segments.
func (f *Finder) assemble() File {
	c := codeFinder{language: f.language, src: f.src, markers: f.markers}
	at := 0
	for i := range f.segments {
		s := &f.segments[i]
		if len(s.file.Regions)+len(s.file.Comments)+len(s.file.Diagnostics)+len(s.unsure) > 0 {
			c.add(s, at)
		}
		at += s.length
	}
	c.proves = func() bool { return slices.ContainsFunc(f.segments, func(s segment) bool { return s.imports }) }
	c.judge()
	c.sort()
	return c.file
}

// add takes what was found in a segment that begins at an offset.
func (c *codeFinder) add(s *segment, at int) {
	shift := func(by ast.Span) ast.Span { return ast.Span{Start: by.Start + at, End: by.End + at} }
	outer := plainRegion(c.src, ast.Span{Start: at, End: at + s.length}, Selector)
	for _, r := range s.file.Regions {
		r.below(&outer)
		c.file.Regions = append(c.file.Regions, r)
	}
	for _, d := range s.file.Diagnostics {
		d.Span = shift(d.Span)
		c.file.Diagnostics = append(c.file.Diagnostics, d)
	}
	for _, d := range s.unsure {
		d.Span = shift(d.Span)
		c.unsure = append(c.unsure, d)
	}
	for _, comment := range s.file.Comments {
		c.file.Comments = append(c.file.Comments, shift(comment))
	}
}

// commonPrefix is how many bytes two texts begin with that are the same.
func commonPrefix(a, b string) int {
	n := min(len(a), len(b))
	at := 0
	for step := 4 << 10; step > 0; {
		if step = min(step, n-at); step > 0 && a[at:at+step] == b[at:at+step] {
			at += step
		} else {
			step /= 2
		}
	}
	return at
}

// commonSuffix is how many bytes two texts end with that are the same.
func commonSuffix(a, b string) int {
	n := min(len(a), len(b))
	at := 0
	for step := 4 << 10; step > 0; {
		if step = min(step, n-at); step > 0 && a[len(a)-at-step:len(a)-at] == b[len(b)-at-step:len(b)-at] {
			at += step
		} else {
			step /= 2
		}
	}
	return at
}
