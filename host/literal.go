package host

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
)

// literal is a string literal of a program.
type literal struct {
	dialect *dialect
	quote   byte     // the delimiter's byte, which most dialects must escape
	inner   ast.Span // between the delimiters
	holes   []hole
	open    bool // its end was not found
	// detached says that the text is not where the literal is, as in a heredoc.
	detached bool
	squiggly bool // a heredoc whose lines lose the indentation they share
}

// hole is a part of a literal that holds an expression of the program.
type hole struct {
	ast.Span
	tokens []token
}

// dialect describes how a kind of literal encodes text.
type dialect struct {
	name string
	// special are the bytes at which escape is called.
	special string
	// escape reads the escape at a special byte. It returns the text and the size of the escape in
	// bytes, which is 0 if there is no escape; ok is false if its text is unknown.
	escape func(src string, at int, l *literal) (text string, size int, ok bool)
	// decode, unless nil, replaces decodeRange, for literals whose indentation is removed.
	decode func(b *builder, l *literal)
	// forbidden are the bytes that must be escaped, besides control characters and, unless free,
	// the quote.
	forbidden string
	free      bool // the quote need not be escaped where it does not end the literal
}

// text decodes the literal.
func (l *literal) text(b *builder) {
	if l.dialect.decode != nil {
		l.dialect.decode(b, l)
		return
	}
	l.decodeRange(b, l.inner)
}

// decodeRange decodes a part of a literal.
func (l *literal) decodeRange(b *builder, part ast.Span) {
	src, at := b.src, part.Start
	holes := l.holesFrom(at)
	for at < part.End {
		for len(holes) > 0 && holes[0].End <= at {
			holes = holes[1:]
		}
		end := part.End
		if len(holes) > 0 && holes[0].Start < at {
			at = min(holes[0].End, part.End) // the hole began in the part before
			continue
		}
		if len(holes) > 0 {
			end = min(end, holes[0].Start)
		}
		n := len(src[at:end])
		if l.dialect.special != "" {
			if i := strings.IndexAny(src[at:end], l.dialect.special); i >= 0 {
				n = i
			}
		}
		b.copy(at, at+n)
		at += n
		switch {
		case at == part.End:
		case at == end:
			b.hole(holes[0].Start, min(holes[0].End, part.End))
			at = holes[0].End
		default:
			text, size, ok := l.dialect.escape(src[:part.End], at, l)
			switch {
			case size == 0:
				b.copy(at, at+1)
				at++
				continue
			case !ok:
				b.hole(at, at+size)
			case text != "":
				b.whole(text, at, at+size)
			}
			at += size
		}
	}
}

// holesFrom returns the holes that end after an offset.
func (l *literal) holesFrom(at int) []hole {
	i, _ := slices.BinarySearchFunc(l.holes, at+1, func(h hole, at int) int { return h.End - at })
	return l.holes[i:]
}

// mayStand reports whether a character can be written into the literal as it is.
func (l *literal) mayStand(r rune) bool {
	switch {
	case r < ' ' && r != '\t', r == 0x7f, r == '\uFEFF':
		return false
	case r < utf8.RuneSelf && strings.IndexByte(l.dialect.forbidden, byte(r)) >= 0:
		return false
	}
	return l.dialect.free || rune(l.quote) != r
}

// digits reads up to most digits of a base from at, and returns their value and number.
func digits(src string, at, most int, base rune) (value rune, n int) {
	for n < most && at+n < len(src) {
		d := digit(src[at+n])
		if d >= base {
			break
		}
		if value > utf8.MaxRune {
			value = utf8.MaxRune + 1
		} else {
			value = value*base + d
		}
		n++
	}
	return value, n
}

func digit(c byte) rune {
	switch {
	case c >= '0' && c <= '9':
		return rune(c - '0')
	case c >= 'a' && c <= 'f':
		return rune(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return rune(c-'A') + 10
	}
	return 99
}

// fixedDigits reads an escape for a character, such as \u12ab, with exactly n digits after a head
// of size bytes.
func fixedDigits(src string, at, size, n int, base rune) (string, int, bool) {
	value, got := digits(src, at+size, n, base)
	if got != n || !utf8.ValidRune(value) {
		return "", size + got, false
	}
	return string(value), size + n, true
}

// bracedDigits reads \u{…}. The head, which includes the brace, has size bytes.
func bracedDigits(src string, at, size, most int) (string, int, bool) {
	rest := src[at+size:]
	end := strings.IndexByte(rest, '}')
	if end < 0 || end > 16 {
		return "", min(size, len(src)-at), false
	}
	clean := strings.ReplaceAll(rest[:end], "_", "")
	value, got := digits(clean, 0, len(clean), 16)
	if got == 0 || got != len(clean) || got > most || !utf8.ValidRune(value) {
		return "", size + end + 1, false
	}
	return string(value), size + end + 1, true
}

// utf16Escape reads \uXXXX at a backslash, or two of them if they are a surrogate pair.
func utf16Escape(src string, at int) (string, int, bool) {
	value, n := digits(src, at+2, 4, 16)
	if n != 4 {
		return "", 2 + n, false
	}
	if value < 0xd800 || value > 0xdfff {
		return string(value), 6, true
	}
	if value < 0xdc00 && strings.HasPrefix(src[at+6:], `\u`) {
		if low, n := digits(src, at+8, 4, 16); n == 4 && low >= 0xdc00 && low <= 0xdfff {
			return string(0x10000 + (value-0xd800)<<10 + low - 0xdc00), 12, true
		}
	}
	return "", 6, false
}

// crlf reads a carriage return and a line feed, or a carriage return alone, as one line feed.
func crlf(src string, at int) (string, int, bool) {
	if at+1 < len(src) && src[at+1] == '\n' {
		return "\n", 2, true
	}
	return "\n", 1, true
}

// lineEnd returns the number of bytes of the line ending at an offset, or 0.
func lineEnd(src string, at int) int {
	switch {
	case strings.HasPrefix(src[at:], "\r\n"):
		return 2
	case at < len(src) && (src[at] == '\n' || src[at] == '\r'):
		return 1
	}
	return 0
}
