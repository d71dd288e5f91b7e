package host

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// codeReader reads programs in segments. A segment ends after a blank line. No token, no construct
// that a marker may name, and no bracket other than a brace extends beyond its end.
type codeReader struct {
	*language
	markers *Markers
	calls   bool // calls mark strings
}

func (l *language) segments(src string, m *Markers, last segmentReader) segmentReader {
	if r := (codeReader{l, m, true}); last == r && m.inContext(src) {
		return r // whether the source holds a marker is known when its segments are
	}
	may, calls := m.mayMark(src)
	if !may {
		return nil
	}
	return codeReader{l, m, calls}
}

// braces counts the braces that are open at the start and at the end of a segment of a program.
type braces struct {
	before    int
	closed    int  // how many of those before it a segment closes
	opened    int  // how many it leaves open
	unmatched bool // a brace in it closes nothing, but would if more braces were open before the segment
}

// enter implements [segmentReader]: what is found in a segment does not depend on how many braces
// are open, as long as it closes the same number.
func (r codeReader) enter(s *segment, before state) (state, bool) {
	n, _ := before.(int)
	b := s.braces
	if n != b.before && (b.unmatched || n < b.closed) {
		return nil, false
	}
	return n - b.closed + b.opened, true
}

// isCut reports whether a segment may begin at an offset: after a blank line, at a word or an
// annotation that begins a line, or at comments above one.
func (r codeReader) isCut(src string, at int) bool {
	if !strings.HasSuffix(src[:at], "\n\n") && !strings.HasSuffix(src[:at], "\n\r\n") {
		return false
	}
	rest := src[at:min(len(src), at+lookAhead)]
	for rest != "" {
		rest = strings.TrimLeft(rest, " \t")
		switch {
		case rest == "":
			return false
		case rest[0]|0x20 >= 'a' && rest[0]|0x20 <= 'z' || rest[0] == '@':
			return true
		case strings.HasPrefix(rest, "/*"):
			_, after, _ := strings.Cut(rest[2:], "*/")
			if rest = strings.TrimPrefix(after, "\r"); rest == "" || rest[0] != '\n' {
				return false
			}
			rest = rest[1:]
		case strings.HasPrefix(rest, "//"), rest[0] == '#' && !strings.HasPrefix(rest, "#!"), rest[0] == '\n':
			_, rest, _ = strings.Cut(rest, "\n")
		default:
			return false
		}
	}
	return false
}

// read implements [segmentReader].
func (r codeReader) read(src string, at, end int, before state, buffer *[]token) (segment, bool) {
	p := readPart(r.language, r.markers, src[at:end], buffer)
	p.calls = r.calls
	open, _ := before.(int)
	s := p.search(open)
	out := p.segment()
	if len(r.imports) > 0 {
		out.imports = s.evidence()
	}
	out.braces = s.braces
	out.after = open - s.braces.closed + s.braces.opened
	return out, !p.lexed.unsure && s.unclosed == s.braces.opened && (r.bracesCross || s.unclosed == 0) && s.ends(")]}{;")
}

// part is the text of a segment and its tokens.
type part struct {
	codeFinder
	lexed *lexer
	marks bool // the text may contain a marker of programs
	holds bool // or a directive
}

// readPart reads the tokens of the text of a segment.
func readPart(l *language, m *Markers, text string, buffer *[]token) *part {
	p := &part{}
	p.marks = slices.ContainsFunc(m.needles, func(n string) bool { return strings.Contains(text, n) }) || l.api.mayCall(text)
	p.holds = p.marks || strings.Contains(text, Directive)
	if p.holds || len(m.keys) > 0 {
		text = strings.Clone(text) // the findings would keep the whole source in memory
	}
	p.lexed = &lexer{src: text, end: len(text), tokens: (*buffer)[:0]}
	p.lexed.skipBOM()
	l.lex(p.lexed)
	*buffer = p.lexed.tokens
	p.codeFinder = codeFinder{language: l, src: text, markers: m}
	p.file.Diagnostics = p.lexed.found
	return p
}

// search looks for markers among the tokens of a segment that is entered with a number of open
// braces.
func (p *part) search(open int) *scope {
	p.open = open
	tokens := p.lexed.tokens
	if p.holds {
		p.codeFinder.search(tokens)
		return p.top
	}
	s := &scope{codeFinder: &p.codeFinder, all: tokens, tokens: tokens}
	if slices.ContainsFunc(tokens, func(t token) bool { return t.kind == commentToken }) {
		s.tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commentToken })
	}
	s.pair()
	return s
}

// segment returns what was found.
func (p *part) segment() segment {
	return segment{file: p.file, marks: p.marks}
}

// ends reports whether nothing that a marker may name extends beyond the tokens, whose last is a
// word, a literal or one of some signs.
func (s *scope) ends(signs string) bool {
	n := len(s.tokens) - 1
	if n < 0 || s.over {
		return false
	}
	if last := s.all[len(s.all)-1]; last.End == len(s.src) && last.kind != punctToken || last.kind == commentToken && s.markers.marksComment(last.Text(s.src)) {
		return false // an unterminated string or comment ends with the text; a comment may mark what follows
	}
	if t := s.tokens[n]; t.kind == punctToken {
		return t.Len() == 1 && strings.IndexByte(signs, s.src[t.Start]) >= 0
	}
	return !slices.Contains(declaring, s.text(n))
}

func (r codeReader) assemble(src string, segments []segment) File {
	if r.calls && !slices.ContainsFunc(segments, func(s segment) bool { return s.marks }) {
		return File{}
	}
	c := codeFinder{language: r.language, src: src, markers: r.markers}
	c.addAll(segments)
	all := func() (e evidence) {
		for i := range segments {
			e = e.or(segments[i].imports)
		}
		return e
	}
	c.finish(all, func() *scope { return r.language.program(src, r.markers) })
	c.sort()
	return c.file
}

// addAll adds what was found in the segments of a file.
func (c *codeFinder) addAll(segments []segment) {
	at := 0
	for i := range segments {
		s := &segments[i]
		if len(s.file.Regions)+len(s.file.Comments)+len(s.file.Diagnostics)+len(s.file.unsure) > 0 {
			c.add(s, at)
		}
		at += s.length
	}
}

// add adds what was found in a segment that begins at an offset.
func (c *codeFinder) add(s *segment, at int) {
	shift := func(by ast.Span) ast.Span { return ast.Span{Start: by.Start + at, End: by.End + at} }
	outer := plainRegion(c.src, ast.Span{Start: at, End: at + s.length}, Selector)
	for _, r := range s.file.Regions {
		if r.claim.callee >= 0 {
			r.claim.callee += at
		}
		r.below(&outer)
		c.file.Regions = append(c.file.Regions, r)
	}
	for _, d := range s.file.Diagnostics {
		d.Span = shift(d.Span)
		c.file.Diagnostics = append(c.file.Diagnostics, d)
	}
	for _, d := range s.file.unsure {
		d.Span = shift(d.Span)
		c.file.unsure = append(c.file.unsure, d)
	}
	for _, comment := range s.file.Comments {
		c.file.Comments = append(c.file.Comments, shift(comment))
	}
}
