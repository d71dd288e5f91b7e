package canonjson

import (
	"math/bits"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Masks for the eight bytes of a word: low has the lowest bit of each byte, high the highest.
const (
	low  = 0x0101010101010101
	high = 0x8080808080808080
)

// load returns the eight bytes at src[i:], with the first one in the lowest bits. The compiler
// turns it into one load.
func load(src string, i int) uint64 {
	b := src[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// special returns the highest bit of each byte of w that ends a run of plain text: a quote, a
// backslash or a control character. The lowest bit of the result is right; higher ones may be
// wrong, because a subtraction borrows from the next byte.
//
// Of all ASCII characters, only the quote and control characters are less than 0x21 when the bit of
// 0x02 is flipped.
func special(w uint64) uint64 {
	q := w ^ 0x02*low
	b := w ^ '\\'*low
	return ((q - 0x21*low) | (b - low)) &^ w & high
}

// traits are properties of a string that its canonical form may lack.
type traits uint8

const (
	escaped traits = 1 << iota // short escapes or escapes with a code
	coded                      // escapes with a code, such as \u0041
	solidus                    // escapes \/
	wide                       // bytes that are not ASCII
)

// text checks the string whose first byte after the quote is src[i]. It returns the index after the
// closing quote.
func (s *Scanner) text(i int) (end int, found traits) {
	src, start := s.src, i
	var seen uint64 // the OR of all bytes so far
words:
	for i+9 <= len(src) { // a word, and one byte for the letter of an escape at its end
		w := load(src, i)
		m := special(w)
		if m == 0 && i+17 <= len(src) { // the usual case in a long text
			seen |= w
			i += 8
			w = load(src, i)
			m = special(w)
		}
		for m != 0 {
			bit := bits.TrailingZeros64(m) &^ 7
			at := i + bit>>3
			switch src[at] {
			case '"':
				if seen |= w & (1<<bit - 1); seen&high == 0 {
					return at + 1, found
				}
				return s.endText(start, at, found, seen)
			case '\\':
				found |= escapeTraits(src[at+1])
			default:
				if src[at] < ' ' {
					return s.control(at), 0
				}
				m &= m - 1
				continue
			}
			if bit < 56 && shortEscapes[src[at+1]] != 0 {
				m &^= 0x8080 << bit // the whole escape is in this word
				continue
			}
			seen |= w & (1<<bit - 1)
			if i = s.escape(at); i < 0 {
				return -1, 0
			}
			continue words
		}
		seen |= w
		i += 8
	}
	for i < len(src) {
		switch c := src[i]; {
		case c == '"':
			return s.endText(start, i, found, seen)
		case c == '\\':
			at := i
			if i = s.escape(at); i < 0 {
				return -1, 0
			}
			found |= escapeTraits(src[at+1])
		case c < 0x20:
			return s.control(i), 0
		default:
			seen |= uint64(c)
			i++
		}
	}
	return s.fail(Syntax, start, "a string without an end"), 0
}

// endText ends a string at its closing quote. If seen shows bytes that are not ASCII, it checks
// that the string is valid UTF-8.
func (s *Scanner) endText(start, quote int, found traits, seen uint64) (end int, _ traits) {
	if seen&high == 0 {
		return quote + 1, found
	}
	raw := s.src[start:quote]
	if !utf8.ValidString(raw) {
		return s.fail(Encoding, start, "a string is not valid UTF-8"), 0
	}
	return quote + 1, found | wide
}

func (s *Scanner) control(i int) int {
	return s.fail(Syntax, i, "the control character 0x%02x is not escaped", s.src[i])
}

// shortEscapes maps the letter of an escape to the byte that it means.
var shortEscapes = [256]byte{
	'"': '"', '\\': '\\', '/': '/', 'b': '\b', 'f': '\f', 'n': '\n', 'r': '\r', 't': '\t',
}

// escapeTraits returns the traits of a string that has an escape with a given letter.
func escapeTraits(letter byte) traits {
	switch letter {
	case 'u':
		return escaped | coded
	case '/':
		return escaped | solidus
	}
	return escaped
}

// escape checks the escape at src[i] and returns its end.
func (s *Scanner) escape(i int) int {
	src := s.src
	if i+1 < len(src) && shortEscapes[src[i+1]] != 0 {
		return i + 2
	}
	if strings.HasPrefix(src[i:], `\u`) {
		switch r, size := EscapedRune(src[i:]); {
		case r >= 0:
			return i + size
		case size > len(`\u`):
			return s.fail(Encoding, i, "an unpaired surrogate")
		}
	}
	return s.fail(Syntax, i, "an invalid escape")
}

// EscapedRune decodes the \u escape, or the two escapes of a surrogate pair, at the beginning of a
// text, which must begin with \u. It returns the character and the length of the escapes. For an
// unpaired surrogate, the character is -1. Without four hexadecimal digits, the character is -1 and
// the length is that of \u.
func EscapedRune(text string) (r rune, size int) {
	const one, two = len(`\u0000`), len(`\u0000\u0000`)
	r, ok := hex4(text[2:])
	switch {
	case !ok:
		return -1, len(`\u`)
	case !utf16.IsSurrogate(r):
		return r, one
	}
	if strings.HasPrefix(text[one:], `\u`) {
		if low, ok := hex4(text[one+2:]); ok && utf16.DecodeRune(r, low) != utf8.RuneError {
			return utf16.DecodeRune(r, low), two
		}
	}
	return -1, one
}

// hex4 reads four hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	a, b, c, d := hexValues[s[0]], hexValues[s[1]], hexValues[s[2]], hexValues[s[3]]
	return rune(a)<<12 | rune(b)<<8 | rune(c)<<4 | rune(d), a|b|c|d < 16
}

// hexValues holds the value of each hexadecimal digit, and 0xff for other bytes.
var hexValues = func() (t [256]byte) {
	for c := range t {
		t[c] = byte(strings.Index(hexDigits, strings.ToLower(string(rune(c))))) // -1 becomes 0xff
	}
	return
}()

// inside returns the value of a string from the checked text between its quotes.
func inside(raw string, found traits) string {
	if found&escaped != 0 {
		return unescape(raw)
	}
	return raw
}

// unescape returns the value of a string from the text between its quotes, which must be valid. It
// copies the text only if that has an escape.
func unescape(raw string) string {
	at := strings.IndexByte(raw, '\\')
	if at < 0 {
		return raw
	}
	var out strings.Builder
	out.Grow(len(raw))
	for ; at >= 0; at = strings.IndexByte(raw, '\\') {
		out.WriteString(raw[:at])
		if c := raw[at+1]; c != 'u' {
			out.WriteByte(shortEscapes[c])
			raw = raw[at+2:]
			continue
		}
		r, size := EscapedRune(raw[at:])
		out.WriteRune(r)
		raw = raw[at+size:]
	}
	out.WriteString(raw)
	if out.Len() < out.Cap()-out.Cap()/8 {
		return strings.Clone(out.String()) // not the room of many escapes
	}
	return out.String()
}

// Unquote returns the value of a quoted string, which must be valid. It copies the string only if
// that has an escape.
func Unquote(quoted string) string { return unescape(quoted[1 : len(quoted)-1]) }
