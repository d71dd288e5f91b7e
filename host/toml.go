package host

import (
	"slices"
	"strings"
)

// tomlHost is the host of TOML. It tracks lines, tables and keys; the document need not be valid.
type tomlHost struct{ *language }

var tomlFile = tomlHost{&language{
	described: describe("TOML"),
	lex:       lexTOML,
}}

var (
	tomlBasic   = &dialect{name: "basic TOML string", special: `\`, forbidden: `\`, escape: tomlEscape}
	tomlLiteral = &dialect{name: "literal TOML string"}
	tomlLong    = &dialect{name: "multi-line basic TOML string", special: `\`, forbidden: `\`, escape: tomlEscape, free: true, decode: tomlText}
	tomlLongRaw = &dialect{name: "multi-line literal TOML string", free: true, decode: tomlText}
)

func lexTOML(x *lexer) {
	for x.at < x.end {
		switch c := x.src[x.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			x.at++
		case c == '#':
			x.lineComment()
		case c == '"' || c == '\'':
			x.tomlString(c)
		case isWordByte(c) || c == '-':
			start := x.at
			for x.at < x.end && (isWordByte(x.src[x.at]) || x.src[x.at] == '-') {
				x.at++
			}
			x.emit(wordToken, start)
		default:
			x.punct()
		}
	}
}

func (x *lexer) tomlString(c byte) {
	start, quote := x.at, string(c)
	long := x.has(strings.Repeat(quote, 3))
	if long {
		quote = strings.Repeat(quote, 3)
	}
	x.at += len(quote)
	d := map[bool]*dialect{true: tomlBasic, false: tomlLiteral}[c == '"']
	if long {
		d = map[bool]*dialect{true: tomlLong, false: tomlLongRaw}[c == '"']
	}
	l := x.quoted(start, quote, d, c == '"', long)
	for n := 0; long && !l.open && n < 2 && x.peek(0) == c && x.at < x.end; n++ {
		l.inner.End++ // a quote before the delimiter
		x.at++
	}
	x.emitText(start, l)
}

// tomlText decodes a multi-line string. A line ending right after the delimiter is not part of it.
func tomlText(b *builder, l *literal) {
	part := l.inner
	part.Start += min(lineEnd(b.src, part.Start), part.Len())
	l.decodeRange(b, part)
}

func tomlEscape(src string, at int, l *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `bfnrt"\`); ok {
		return text, n, ok
	}
	rest := src[at+1:]
	switch {
	case strings.HasPrefix(rest, "e"):
		return "\x1b", 2, true
	case strings.HasPrefix(rest, "x"):
		return fixedDigits(src, at, 2, 2, 16)
	case strings.HasPrefix(rest, "u"):
		return fixedDigits(src, at, 2, 4, 16)
	case strings.HasPrefix(rest, "U"):
		return fixedDigits(src, at, 2, 8, 16)
	}
	blank := len(rest) - len(strings.TrimLeft(rest, " \t\r\n"))
	if l.dialect.free && strings.ContainsAny(rest[:blank], "\r\n") {
		return "", 1 + blank, true
	}
	return "", 1, false
}

func (h tomlHost) Find(src string, m *Markers) File {
	return h.findKeys(src, m, func(f *codeFinder, tokens []token) { f.keys(tokens, nil) })
}

// keys makes regions from the tokens of strings whose path is marked. table is the table that is
// current before the tokens; the result is the one that is current after them.
func (f *codeFinder) keys(tokens []token, table []string) []string {
	t := tomlFinder{scope: scope{codeFinder: f}, table: table}
	t.tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commentToken })
	t.document()
	return t.table
}

// tomlReader reads TOML in segments, which end with a line. The state is the current table there.
type tomlReader struct {
	*language
	markers *Markers
	paths   bool // keys may mark something
}

func (h tomlHost) segments(src string, m *Markers, _ segmentReader) segmentReader {
	keys := m.mayHoldKeys(src)
	if !keys && !m.mayHoldComments(src) {
		return nil
	}
	return tomlReader{h.language, m, keys}
}

func (tomlReader) isCut(src string, at int) bool {
	if src[at-1] != '\n' {
		return false
	}
	next := strings.TrimLeft(src[at:min(len(src), at+lookAhead)], blank)
	return next != "" && (isWordByte(next[0]) || strings.IndexByte("-'\"[#", next[0]) >= 0)
}

func (tomlReader) enter(s *segment, before state) (state, bool) {
	table, _ := before.(*[]string)
	own, _ := s.before.(*[]string)
	if table == own || table != nil && own != nil && slices.Equal(*table, *own) {
		return s.after, true
	}
	return nil, false
}

func (r tomlReader) read(src string, at, end int, before state, buffer *[]token) (segment, bool) {
	p := readPart(r.language, r.markers, src[at:end], buffer)
	var table []string
	if t, _ := before.(*[]string); t != nil {
		table = *t
	}
	if r.paths {
		table = p.keys(p.lexed.tokens, table)
	}
	s := p.search(0)
	out := p.segment()
	out.after = &table
	return out, s.unclosed == 0 && (s.ends("]}") || len(s.all) == 0)
}

func (r tomlReader) assemble(src string, segments []segment) File {
	c := codeFinder{language: r.language, src: src, markers: r.markers}
	c.addAll(segments)
	c.finish(nil, nil)
	c.sort()
	return c.file
}

// tomlFinder tracks the keys of a document.
type tomlFinder struct {
	scope
	table []string
}

// newLine reports whether a token is the first on its line.
func (t *tomlFinder) newLine(i int) bool { return i == 0 || i < len(t.tokens) && !t.sameLine(i-1, i) }

func (t *tomlFinder) document() {
	for i := 0; i < len(t.tokens); {
		if t.is(i, '[') {
			list := t.is(i+1, '[')
			if list {
				i++
			}
			t.table, i = t.key(i+1, nil)
			if list {
				t.table = append(t.table, "[]")
			}
		} else {
			path, next := t.key(i, slices.Clip(t.table))
			if i = next; t.is(i, '=') {
				i = t.value(i+1, path, 0)
			}
		}
		for i < len(t.tokens) && !t.newLine(i) {
			i++
		}
		if i < len(t.tokens) && t.is(i, ']') {
			i++ // of a list that is not closed properly
		}
	}
}

// maxKeys is the maximum number of keys in the path of a value.
const maxKeys = 200

// key reads keys joined by dots and appends them to a path. It advances by at least one token.
func (t *tomlFinder) key(i int, path []string) ([]string, int) {
	start := i
	for i < len(t.tokens) && (i == start || !t.newLine(i)) {
		switch tok := t.tokens[i]; {
		case len(path) >= maxKeys && tok.kind != punctToken: // no marked key is that deep
		case tok.kind == wordToken:
			path = append(path, t.text(i))
		case tok.kind == textToken:
			b := builder{src: t.src}
			tok.lit.text(&b)
			path = append(path, string(b.text))
		default:
			return path, max(i, start+1)
		}
		if i++; !t.is(i, '.') {
			break
		}
		i++
	}
	return path, max(i, start+1)
}

// value reads a value and returns the index after it.
func (t *tomlFinder) value(i int, path []string, depth int) int {
	if i >= len(t.tokens) || depth > maxHoles || depth == 0 && t.newLine(i) {
		return i
	}
	switch {
	case t.tokens[i].kind == textToken:
		if match, untyped := t.markers.matchKey(path); match {
			t.region(t.tokens[i:i+1], keyClaim(untyped))
		}
		return i + 1
	case t.is(i, '['):
		path = append(slices.Clip(path), "[]")
		for i++; !t.is(i, ']'); {
			if i >= len(t.tokens) {
				t.over = true
				return i
			}
			if t.is(i, ',') {
				i++
			} else if t.newLine(i) && (t.is(i+1, '=') || t.is(i, '[') && t.is(i+1, '[')) {
				return i // an unterminated list
			} else {
				i = max(t.value(i, path, depth+1), i+1)
			}
		}
		return i + 1
	case t.is(i, '{'):
		for i++; !t.is(i, '}'); {
			if i >= len(t.tokens) {
				t.over = true
				return i
			}
			if t.is(i, ',') {
				i++
				continue
			}
			inner, next := t.key(i, slices.Clip(path))
			if i = next; t.is(i, '=') {
				i = t.value(i+1, inner, depth+1)
			}
		}
		return i + 1
	}
	for i < len(t.tokens) && !t.is(i, ',') && !t.is(i, ']') && !t.is(i, '}') {
		if i++; t.newLine(i) {
			break
		}
	}
	return i
}
