package host

import (
	"strings"
)

// jsonHost is the host of JSON, with or without comments and trailing commas, one document or many.
// It tracks brackets and keys; the document need not be valid.
type jsonHost struct{ *language }

var jsonFile = jsonHost{&language{
	described: describe("JSON"),
	lex:       lexJSON,
}}

var jsonString = &dialect{name: "JSON string", special: `\`, forbidden: "\\\t", escape: jsonEscape}

func lexJSON(x *lexer) {
	for x.at < x.end {
		switch c := x.src[x.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			x.at++
		case c == '"':
			start := x.at
			x.at++
			x.emitText(start, x.quoted(start, `"`, jsonString, true, false))
		case c == '/' && x.peek(1) == '/':
			x.lineComment()
		case c == '/' && x.peek(1) == '*':
			x.blockComment(false)
		case isWordByte(c):
			x.word()
		default:
			x.punct()
		}
	}
}

func jsonEscape(src string, at int, _ *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `bfnrt"\`); ok {
		return text, n, ok
	}
	switch {
	case strings.HasPrefix(src[at+1:], "/"):
		return "/", 2, true
	case strings.HasPrefix(src[at+1:], "u"):
		return utf16Escape(src, at)
	}
	return "", 1, false
}

func (h jsonHost) Find(src string, m *Markers) File {
	return h.findKeys(src, m, func(f *codeFinder, tokens []token) { f.values(tokens, nil) })
}

// values makes regions from the tokens of strings whose path is marked. open has the brackets that
// are open before the tokens; the result has those that are open after them.
func (f *codeFinder) values(tokens []token, open *jsonFrame) *jsonFrame {
	s := scope{codeFinder: f, tokens: tokens}
	p := newJSONPath(open)
	for i, t := range tokens {
		switch {
		case t.kind == commentToken:
		case s.is(i, '{'), s.is(i, '['):
			if !p.open(s.is(i, '[')) {
				return tooDeepJSON
			}
		case s.is(i, '}'), s.is(i, ']'):
			p.close()
		case t.kind == textToken && p.inObject() && isKey(&s, i):
			b := builder{src: f.src}
			t.lit.text(&b)
			p.key(string(b.text))
		case t.kind == textToken:
			if match, untyped := f.markers.matchKey(p.path); match {
				s.region([]token{t}, keyClaim(untyped))
			}
			p.value()
		case t.kind == wordToken:
			p.value()
		}
	}
	return p.frame()
}

// isKey reports whether a string in an object is the name of a member: a colon follows.
func isKey(s *scope, i int) bool {
	for i++; i < len(s.tokens) && s.tokens[i].kind == commentToken; {
		i++
	}
	return s.is(i, ':')
}
