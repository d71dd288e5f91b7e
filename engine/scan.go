package engine

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

const defaultDepth = 1000

// scanner reads one JSON text. It hands out substrings of the text wherever
// it can, so that reading a canonical file copies almost nothing.
type scanner struct {
	file     string
	src      string
	i        int
	maxDepth int
	option   string // names the option that raises maxDepth, if there is one
	line0    int    // lines before src in the file
	path     []step // where the scanner is, for errors
	buf      []byte // scratch for values that are not canonical
	lines    []int  // newlines before every block of src, made on demand
	members  []memberSpan
}

// step is one step of a JSON path: a member name, or an index when name is empty.
type step struct {
	name  string
	index int
}

type memberSpan struct {
	name       string
	start, end int // in the output
}

func newScanner(file, src string, maxDepth int) *scanner {
	return &scanner{file: file, src: src, maxDepth: maxDepth}
}

// errorAt builds an error with the place of src[at].
func (s *scanner) errorAt(at int, code Code, format string, args ...any) error {
	at = min(at, len(s.src))
	return &Error{
		Code: code,
		File: s.file,
		Path: s.pathString(),
		Line: s.line(at),
		Msg:  fmt.Sprintf(format, args...),
	}
}

// line returns the line of src[at]. A report may ask a thousand times, of a
// text of any size.
func (s *scanner) line(at int) int {
	const block = 1 << 16
	if s.lines == nil {
		n := s.line0 + 1
		for i := 0; i <= len(s.src); i += block {
			s.lines = append(s.lines, n)
			n += strings.Count(s.src[i:min(i+block, len(s.src))], "\n")
		}
	}
	return s.lines[at/block] + strings.Count(s.src[at/block*block:at], "\n")
}

func (s *scanner) pathString() string {
	b := []byte{'$'}
	for _, p := range s.path {
		switch {
		case p.name == "" && p.index >= 0:
			b = append(strconv.AppendInt(append(b, '['), int64(p.index), 10), ']')
		case isPlainName(p.name):
			b = append(append(b, '.'), p.name...)
		default:
			b = append(appendQuoted(append(b, '['), strings.ToValidUTF8(p.name, "\uFFFD")), ']')
		}
	}
	return string(b)
}

func isPlainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}

func (s *scanner) push(name string, index int) { s.path = append(s.path, step{name, index}) }
func (s *scanner) pop()                        { s.path = s.path[:len(s.path)-1] }

// space skips white space and returns the next byte, 0 at the end.
func (s *scanner) space() byte {
	for s.i < len(s.src) {
		switch c := s.src[s.i]; c {
		case ' ', '\t', '\r', '\n':
			s.i++
		default:
			return c
		}
	}
	return 0
}

func (s *scanner) unexpected(want string) error {
	if s.i >= len(s.src) {
		return s.errorAt(s.i, ErrFileSyntax, "the text ends where %s should follow", want)
	}
	r, size := utf8.DecodeRuneInString(s.src[s.i:])
	if r == utf8.RuneError && size == 1 {
		return s.errorAt(s.i, ErrFileEncoding, "the byte 0x%02x is no UTF-8", s.src[s.i])
	}
	return s.errorAt(s.i, ErrFileSyntax, "%q where %s should follow", r, want)
}

// shape returns the error of a value of the wrong kind.
func (s *scanner) shape(msg string) error { return s.wrongValue(ErrFileShape, msg) }

// wrongValue returns an error with a message about the next value, or the error in its syntax, which comes first.
func (s *scanner) wrongValue(code Code, msg string) error {
	start := s.i
	if _, err := s.value(); err != nil {
		return err
	}
	return s.errorAt(start, code, "%s", msg)
}

// end checks that nothing follows.
func (s *scanner) end() error {
	if s.space(); s.i < len(s.src) {
		return s.unexpected("the end")
	}
	return nil
}

// document reads the whole text as one value and returns it canonical.
func (s *scanner) document() (string, error) {
	text, err := s.value()
	if err != nil {
		return "", err
	}
	return text, s.end()
}

// value reads one value and returns its canonical text.
func (s *scanner) value() (string, error) {
	c := s.space()
	start := s.i
	if c == '"' {
		raw, plain, err := s.rawString()
		if err != nil || plain {
			return s.src[start:s.i], err
		}
		text, err := s.unquote(start+1, raw)
		if err != nil {
			return "", err
		}
		s.buf = appendQuoted(s.buf[:0], text)
	} else {
		s.members = s.members[:0]
		var err error
		if s.buf, err = s.canon(s.buf[:0], 1); err != nil {
			return "", err
		}
	}
	if src := s.src[start:s.i]; string(s.buf) == src {
		return src, nil
	}
	return string(s.buf), nil
}

// canon appends the canonical text of the next value.
func (s *scanner) canon(dst []byte, depth int) ([]byte, error) {
	if depth > s.maxDepth {
		return nil, s.errorAt(s.i, ErrTreeDepth, "nested deeper than %d levels%s", s.maxDepth, s.option)
	}
	switch c := s.space(); {
	case c == '{':
		return s.canonObject(dst, depth)
	case c == '[':
		return s.canonArray(dst, depth)
	case c == '"':
		start := s.i
		raw, plain, err := s.rawString()
		if err != nil {
			return nil, err
		}
		if plain {
			return append(dst, s.src[start:s.i]...), nil
		}
		text, err := s.unquote(start+1, raw)
		if err != nil {
			return nil, err
		}
		return appendQuoted(dst, text), nil
	case c == '-' || c-'0' <= 9:
		text, err := s.number()
		return append(dst, text...), err
	}
	word, err := s.word()
	return append(dst, word...), err
}

func (s *scanner) canonArray(dst []byte, depth int) ([]byte, error) {
	dst = append(dst, '[')
	s.i++
	if s.space() == ']' {
		s.i++
		return append(dst, ']'), nil
	}
	for n := 0; ; n++ {
		s.push("", n)
		var err error
		if dst, err = s.canon(dst, depth+1); err != nil {
			return nil, err
		}
		s.pop()
		switch s.space() {
		case ',':
			s.i++
			dst = append(dst, ',')
		case ']':
			s.i++
			return append(dst, ']'), nil
		default:
			return nil, s.unexpected("a comma or ]")
		}
	}
}

func (s *scanner) canonObject(dst []byte, depth int) ([]byte, error) {
	begin, start, first := s.i, len(dst), len(s.members)
	dst = append(dst, '{')
	sorted := true
	err := s.object(func(name string, at int) error {
		if n := len(s.members); n > first && s.members[n-1].name >= name {
			sorted = false
		}
		from := len(dst)
		dst = append(appendQuoted(dst, name), ':')
		var err error
		if dst, err = s.canon(dst, depth+1); err != nil {
			return err
		}
		s.members = append(s.members, memberSpan{name, from, len(dst)})
		dst = append(dst, ',')
		return nil
	})
	if err != nil {
		return nil, err
	}
	mine := s.members[first:]
	if !sorted {
		slices.SortFunc(mine, func(a, b memberSpan) int { return strings.Compare(a.name, b.name) })
		old := slices.Clone(dst[start:])
		dst = append(dst[:start], '{')
		for i, m := range mine {
			if i > 0 && mine[i-1].name == m.name {
				return nil, s.twice(begin)
			}
			dst = append(append(dst, old[m.start-start:m.end-start]...), ',')
		}
	}
	if len(mine) > 0 {
		dst = dst[:len(dst)-1]
	}
	s.members = s.members[:first]
	return append(dst, '}'), nil
}

// twice returns the error of the first member that stands a second time in the
// object at start, which has been read: looking for it while reading would cost
// every object a set.
func (s *scanner) twice(start int) error {
	s.i, s.maxDepth = start, math.MaxInt
	seen := map[string]bool{}
	return s.object(func(name string, at int) error {
		if seen[name] {
			return s.errorAt(at, ErrFileSyntax, "the member %q stands twice in one object", name)
		}
		seen[name] = true
		_, err := s.value()
		return err
	})
}

// object reads an object and calls member with every name, the scanner
// standing before the value, which member must read. at is where the name
// stands.
func (s *scanner) object(member func(name string, at int) error) error {
	s.i++
	if s.space() == '}' {
		s.i++
		return nil
	}
	for {
		if s.space() != '"' {
			return s.unexpected("a member name")
		}
		at := s.i
		name, err := s.str()
		if err != nil {
			return err
		}
		if s.space() != ':' {
			return s.unexpected("a colon")
		}
		s.i++
		s.push(name, -1)
		if err := member(name, at); err != nil {
			return err
		}
		s.pop()
		switch s.space() {
		case ',':
			s.i++
		case '}':
			s.i++
			return nil
		default:
			return s.unexpected("a comma or }")
		}
	}
}

// array reads an array and calls element before every value.
func (s *scanner) array(element func(n int) error) error {
	s.i++
	if s.space() == ']' {
		s.i++
		return nil
	}
	for n := 0; ; n++ {
		s.push("", n)
		if err := element(n); err != nil {
			return err
		}
		s.pop()
		switch s.space() {
		case ',':
			s.i++
		case ']':
			s.i++
			return nil
		default:
			return s.unexpected("a comma or ]")
		}
	}
}

// str reads a string and returns what it stands for.
func (s *scanner) str() (string, error) {
	start := s.i + 1
	raw, plain, err := s.rawString()
	if err != nil || plain {
		return raw, err
	}
	return s.unquote(start, raw)
}

// rawString passes over a string. It returns what stands between the quotes
// and whether that is canonical as it stands.
func (s *scanner) rawString() (raw string, plain bool, err error) {
	s.i++
	start := s.i
	plain = true
	for s.i < len(s.src) {
		c := s.src[s.i]
		switch {
		case plainByte[c]:
			s.i++
		case c == '"':
			s.i++
			return s.src[start : s.i-1], plain, nil
		case c == '\\':
			plain = false
			s.i += 2
		case c < 0x20:
			return "", false, s.errorAt(s.i, ErrFileSyntax, "the control character 0x%02x stands unescaped in a string", c)
		default:
			plain = false
			s.i++
		}
	}
	s.i = len(s.src)
	return "", false, s.errorAt(start, ErrFileSyntax, "a string without an end")
}

// unquote resolves the escapes of raw, which stands at src[at].
func (s *scanner) unquote(at int, raw string) (string, error) {
	if !strings.Contains(raw, `\`) {
		if !utf8.ValidString(raw) {
			return "", s.errorAt(at, ErrFileEncoding, "a string holds bytes that are no UTF-8")
		}
		return raw, nil
	}
	out, bad, code := unescape(raw)
	switch {
	case code == ErrFileEncoding:
		return "", s.errorAt(at+bad, code, "a surrogate without its partner")
	case code != "":
		return "", s.errorAt(at+bad, code, "an escape that JSON does not have")
	case !utf8.ValidString(out):
		return "", s.errorAt(at, ErrFileEncoding, "a string holds bytes that are no UTF-8")
	}
	return out, nil
}

// unescape resolves escapes. On failure it returns where, and the code.
func unescape(raw string) (text string, bad int, code Code) {
	out := make([]byte, 0, len(raw))
	for i := 0; i < len(raw); i++ {
		if raw[i] != '\\' {
			out = append(out, raw[i])
			continue
		}
		i++
		if i == len(raw) {
			return "", i - 1, ErrFileSyntax
		}
		switch c := raw[i]; c {
		case '"', '\\', '/':
			out = append(out, c)
		case 'b':
			out = append(out, '\b')
		case 'f':
			out = append(out, '\f')
		case 'n':
			out = append(out, '\n')
		case 'r':
			out = append(out, '\r')
		case 't':
			out = append(out, '\t')
		case 'u':
			r, ok := hex4(raw[i+1:])
			if !ok {
				return "", i - 1, ErrFileSyntax
			}
			i += 4
			if utf16.IsSurrogate(r) {
				low, ok := rune(0), strings.HasPrefix(raw[i+1:], `\u`)
				if ok {
					low, ok = hex4(raw[i+3:])
				}
				if r = utf16.DecodeRune(r, low); !ok || r == utf8.RuneError {
					return "", i - 5, ErrFileEncoding
				}
				i += 6
			}
			out = utf8.AppendRune(out, r)
		default:
			return "", i - 1, ErrFileSyntax
		}
	}
	return string(out), 0, ""
}

// unquoteValid resolves the escapes of a string that was checked before.
func unquoteValid(raw string) string {
	if !strings.Contains(raw, `\`) {
		return raw
	}
	text, _, _ := unescape(raw)
	return text
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	var r rune
	for i := range 4 {
		c := s[i]
		switch {
		case c-'0' <= 9:
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// number reads a number as it is written.
func (s *scanner) number() (string, error) {
	end := numberEnd(s.src, s.i)
	if end < 0 {
		return "", s.errorAt(s.i, ErrFileSyntax, "this is no JSON number")
	}
	text := s.src[s.i:end]
	s.i = end
	return text, nil
}

// word reads null, true or false.
func (s *scanner) word() (string, error) {
	for _, w := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(s.src[s.i:], w) {
			s.i += len(w)
			return w, nil
		}
	}
	return "", s.unexpected("a JSON value")
}
