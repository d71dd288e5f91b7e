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

// maxLexStates is the number of states of the lexer that its tables have room for. A state is a byte, so that it
// needs no check as an index.
const maxLexStates = 1 << 8

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
		kind, end := scan(src, start)
		if kind == 0 {
			kind, end = scanWide(src, start, &wide)
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

// scan finds the longest token that begins at an offset. It gives 0 when it comes to a character that is not ASCII.
func scan(src string, at int) (kind Kind, end int) {
	state := uint8(lexStart)
	for at < len(src) {
		class := byteClass[src[at]]
		next := lexNext[state][class%lexRow]
		at++
		if next == state {
			continue // inside a name, mostly; the processor needs not wait for a state that stays
		}
		if k := lexAccept[state]; k != 0 {
			kind, end = k, at-1
		}
		if state = next; state == 0 {
			if class == classWide {
				return 0, 0
			}
			return kind, end
		}
	}
	if k := lexAccept[state]; k != 0 {
		kind, end = k, at
	}
	if k := lexAccept[lexNext[state][classEOF]]; k != 0 {
		kind, end = k, at
	}
	return kind, end
}

// scanWide does what scan does for any source.
func scanWide(src string, start int, wide *runeCache) (kind Kind, end int) {
	state, at := uint8(lexStart), start
	for state != 0 {
		class, size := uint8(classEOF), 0
		if at < len(src) {
			if class, size = byteClass[src[at]], 1; class == classWide {
				class, size = wide.class(src[at:])
			}
		}
		state = lexNext[state][class%lexRow]
		at += size
		if k := lexAccept[state]; k != 0 {
			kind, end = k, at
		}
		if size == 0 {
			break
		}
	}
	if kind == 0 { // not valid UTF-8
		return TokBadChar, start + 1
	}
	return kind, end
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

// class gives the class of the character at the start of s and its size. What is not valid UTF-8 ends a token as
// the end of the source does.
func (c *runeCache) class(s string) (class uint8, size int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return classEOF, 0
	}
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
	return c.found, size
}
