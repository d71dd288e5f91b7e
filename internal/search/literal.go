package search

import (
	"math/bits"
	"strings"
	"unicode"
	"unicode/utf8"
)

// literal is a text to look for, by the byte of it that is likely to be the rarest or, without
// regard to case, by two bytes.
type literal struct {
	text string // without regard to case, its letters of ASCII are small
	fold bool   // without regard to case
	rare int    // where the byte is, or the first of two
	// hasWide reports whether a letter of the text has a form beyond ASCII: ſ is an s, and the sign
	// of Kelvin a k.
	hasWide bool
}

// The forms of letters of ASCII that are not in ASCII.
const (
	longS  = "\u017f"
	kelvin = "\u212a"
)

// common are the bytes of prose and of JSON, the most frequent first.
const common = ` etaoinsrhld"ucm,fpg.ywb:v_k-0123456789/x'\\j()q{}z`

// rank returns how rare a byte is.
func rank(c byte) int {
	switch at := strings.IndexByte(common, c); {
	case c >= 0xc0: // begins a character, as many in the same alphabet do
		return 0
	case at < 0:
		return len(common)
	default:
		return at
	}
}

func newLiteral(text string) literal {
	l := literal{text: text}
	rarest := -1
	for i := range len(text) {
		if r := rank(text[i]); r > rarest {
			l.rare, rarest = i, r
		}
	}
	return l
}

// newFolded returns the literal of a text of two bytes or more to look for without regard to case.
// All of its letters that have a case are small and in ASCII.
func newFolded(text string) literal {
	l := literal{text: text, fold: true, hasWide: strings.ContainsAny(text, "sk")}
	rarest := -1
	for i := range len(text) - 1 {
		if r := rank(text[i]) + rank(text[i+1]); r > rarest {
			l.rare, rarest = i, r
		}
	}
	return l
}

// literalIn returns the text to look for in order to find some characters, or nil if no text will
// do. If case is ignored, it is the longest part whose letters have no other forms than those of
// ASCII, ſ, and the Kelvin sign.
func literalIn(runes []rune, fold bool) []literal {
	if !fold {
		return []literal{newLiteral(string(runes))}
	}
	best, isCased := "", false
	for start := 0; start < len(runes); start++ {
		part, cased := "", false
		for ; start < len(runes); start++ {
			r := runes[start]
			if unicode.SimpleFold(r) != r {
				if r = unicode.ToLower(r); r >= utf8.RuneSelf {
					break
				}
				cased = true
			}
			part += string(r)
		}
		if len(part) > len(best) {
			best, isCased = part, cased
		}
	}
	switch {
	case best != "" && !isCased:
		return []literal{newLiteral(best)}
	case len(best) < 2:
		return nil // is in most texts
	}
	return []literal{newFolded(best)}
}

// in reports whether the text is part of another one. Without regard to case it also reports true
// for one that has a form of a letter that is not in ASCII.
func (l *literal) in(s string) bool {
	if l.fold {
		return l.inFolded(s) || l.hasWide && (strings.Contains(s, longS) || strings.Contains(s, kelvin))
	}
	if l.text == "" {
		return true
	}
	failed := 0
	for i := l.rare; i < len(s); i++ {
		k := strings.IndexByte(s[i:], l.text[l.rare])
		if k < 0 {
			return false
		}
		i += k
		start := i - l.rare
		if strings.HasPrefix(s[start:], l.text) {
			return true
		}
		if failed++; failed > 8+i/16 { // the byte is frequent here
			return strings.Contains(s[start:], l.text)
		}
	}
	return false
}

// inFolded looks for the two bytes at eight places at a time.
func (l *literal) inFolded(s string) bool {
	const low, high, small = 0x0101010101010101, 0x8080808080808080, 0x2020202020202020
	first, second := uint64(l.text[l.rare]|0x20)*low, uint64(l.text[l.rare+1]|0x20)*low
	i := l.rare
	for ; i+9 <= len(s); i += 8 {
		x := (load(s, i) | small) ^ first | (load(s, i+1) | small) ^ second
		for m := (x - low) &^ x & high; m != 0; m &= m - 1 { // a mark above the lowest may be wrong
			if l.isAt(s, i-l.rare+bits.TrailingZeros64(m)>>3) {
				return true
			}
		}
	}
	for at := i - l.rare; at+len(l.text) <= len(s); at++ {
		if l.isAt(s, at) {
			return true
		}
	}
	return false
}

// load returns the eight bytes from s[i] on, the first in the lowest bits.
func load(s string, i int) uint64 {
	b := s[i : i+8]
	return uint64(b[0]) | uint64(b[1])<<8 | uint64(b[2])<<16 | uint64(b[3])<<24 |
		uint64(b[4])<<32 | uint64(b[5])<<40 | uint64(b[6])<<48 | uint64(b[7])<<56
}

// isAt reports whether the text is in s at an offset, without regard to case.
func (l *literal) isAt(s string, at int) bool {
	if at+len(l.text) > len(s) {
		return false
	}
	for i := range len(l.text) {
		c := s[at+i]
		if 'A' <= c && c <= 'Z' {
			c |= 0x20
		}
		if c != l.text[i] {
			return false
		}
	}
	return true
}
