package ll1

import (
	"math"
	"slices"
	"unicode/utf8"
)

// Token is a word of a source.
type Token struct {
	Kind       Kind
	Start, End int32 // byte offsets into the source
}

// skipToken marks, in the table of accepting states, white space that makes no token.
const skipToken = 0xff

// Lex appends the tokens of src to dst[:0]; the last one is always TokEOF. It stops before it makes more than
// limit tokens, not counting TokEOF, and reports ok = false; TokEOF is then where it stopped.
//
// White space at the end of src makes no token, and what is no word of the language makes TokBad
// tokens. A byte that is not valid UTF-8 is a TokBadChar of its own: it ends the token before it as the
// end of the source would.
//
// The time is linear in the length of src. A source of more than 2 GiB is cut there, with ok = false.
func Lex(src string, limit int, dst []Token) (toks []Token, ok bool) {
	ok = true
	if len(src) > math.MaxInt32 {
		src, ok = src[:math.MaxInt32], false
	}
	toks = dst[:0]
	var wide runeCache
	start := 0
	for start < len(src) {
		kind, end := Kind(0), start
		state := uint(lexStart)
		for at := start; ; {
			class, size := uint(classEOF), 0
			if at < len(src) {
				if b := src[at]; b < utf8.RuneSelf {
					class, size = uint(asciiClass[b]), 1
				} else if r, n := utf8.DecodeRuneInString(src[at:]); r != utf8.RuneError || n > 1 {
					class, size = wide.class(r), n
				} else if at == start {
					kind, end = TokBadChar, at+1
					break
				}
			}
			state = uint(lexNext[state<<lexShift|class])
			if state == 0 {
				break
			}
			at += size
			if k := lexAccept[state]; k != 0 {
				kind, end = k, at
			}
			if size == 0 {
				break
			}
		}
		if kind != skipToken {
			if len(toks) == limit {
				ok = false
				break
			}
			toks = append(toks, Token{kind, int32(start), int32(end)})
		}
		start = end
	}
	return append(toks, Token{TokEOF, int32(start), int32(start)}), ok
}

// runeClass says that the runes from first up to the next entry of the table are of one class.
type runeClass struct {
	first rune
	class uint8
}

// runeCache remembers the range of the last rune, because neighbours are mostly of one script.
type runeCache struct {
	first, next rune // the range is empty in the zero value
	found       uint8
}

// class gives the class of a rune that is not ASCII.
func (c *runeCache) class(r rune) uint {
	if r < c.first || c.next <= r {
		i, exact := slices.BinarySearchFunc(runeClasses[:], r, func(e runeClass, r rune) int {
			return int(e.first - r)
		})
		if !exact {
			i--
		}
		c.first, c.next, c.found = runeClasses[i].first, utf8.MaxRune+1, runeClasses[i].class
		if i+1 < len(runeClasses) {
			c.next = runeClasses[i+1].first
		}
	}
	return uint(c.found)
}
