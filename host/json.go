package host

import (
	"strings"
)

// jsonHost is the host of JSON, with or without comments and trailing commas, one document or many. It follows
// brackets and keys and needs no valid document.
type jsonHost struct{ *language }

var jsonFile = jsonHost{&language{
	name:       "JSON file",
	extensions: []string{".json", ".jsonc"}, // JSON lines are records that programs write
	fences:     []string{"json", "jsonc", "jsonl", "json5"},
	lex:        lexJSON,
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
	if m == nil {
		m = defaultMarkers()
	}
	keys := m.mayHoldKeys(src)
	if !keys && !m.mayHoldComments(src) {
		return File{}
	}
	tokens, found := h.tokens(src)
	f := codeFinder{language: h.language, src: src, markers: m}
	f.file.Diagnostics = found
	if keys {
		f.values(tokens)
	}
	f.search(tokens)
	f.judge()
	f.sort()
	return f.file
}

// values takes the strings whose path is marked.
func (f *codeFinder) values(tokens []token) {
	s := scope{codeFinder: f, tokens: tokens}
	var path []string
	var frames []jsonFrame
	for i, t := range tokens {
		switch {
		case t.kind == commentToken:
		case s.is(i, '{'), s.is(i, '['):
			if len(frames) >= maxJSONDepth {
				return
			}
			frames = append(frames, jsonFrame{list: s.is(i, '['), path: len(path)})
			if s.is(i, '[') {
				path = append(path, "[]")
			}
		case s.is(i, '}'), s.is(i, ']'):
			if n := len(frames) - 1; n >= 0 {
				path = path[:frames[n].path]
				frames = frames[:n]
			}
			path = afterValue(path, frames)
		case t.kind == textToken && isKey(&s, i, frames):
			b := builder{src: f.src}
			t.lit.text(&b)
			path = append(path[:frames[len(frames)-1].path], string(b.text))
		case t.kind == textToken:
			if match, untyped := f.markers.matchKey(path); match {
				s.region([]token{t}, Selector, untyped)
			}
			path = afterValue(path, frames)
		case t.kind == wordToken:
			path = afterValue(path, frames)
		}
	}
}

// jsonFrame is an open object or list.
type jsonFrame struct {
	list bool
	path int // the length of its own path
}

// maxJSONDepth is how deep brackets nest before the rest of a file is left alone.
const maxJSONDepth = 10_000

// isKey reports whether a string is the name of a member: a colon follows.
func isKey(s *scope, i int, frames []jsonFrame) bool {
	if len(frames) == 0 || frames[len(frames)-1].list {
		return false
	}
	for i++; i < len(s.tokens) && s.tokens[i].kind == commentToken; {
		i++
	}
	return s.is(i, ':')
}

// afterValue takes back the key whose value has been read.
func afterValue(path []string, frames []jsonFrame) []string {
	if n := len(frames) - 1; n >= 0 && !frames[n].list {
		return path[:frames[n].path]
	}
	return path
}
