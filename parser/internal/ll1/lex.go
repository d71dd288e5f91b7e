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

// skipToken stands for white space that makes no token.
const skipToken Kind = 0xff

// lexeme tells what ends in front of a character: from the top, one bit whether a token does, one whether it ends a
// byte earlier, and six for its kind.
type lexeme uint8

const (
	lexemeBit  = 7
	lexemeBack = 6
	lexemeKind = 1<<6 - 1
)

// Lex appends the tokens of src from an offset on to dst[:0]; the last one is always TokEOF. It stops before it
// makes more than limit tokens, not counting TokEOF, and reports ok = false; TokEOF is then where it stopped.
//
// White space at the end of src makes no token, and what is no word of the language makes TokBad
// tokens. A byte that is not valid UTF-8 is a TokBadChar of its own: it ends the token before it as the
// end of the source would.
//
// The time is linear in the length of src. A source of more than 2 GiB is cut there, with ok = false.
func Lex(src string, at, limit int, dst []Token) (toks []Token, ok bool) {
	ok = true
	if len(src) > math.MaxInt32 {
		src, ok = src[:math.MaxInt32], false
	}
	toks = dst[:0]
	var wide runeCache
	for at < len(src) {
		n, end := scan(src, at, toks[len(toks):min(limit, cap(toks))])
		if toks, at = toks[:len(toks)+n], end; at == len(src) {
			break
		}
		kind, end := scanOne(src, at, &wide)
		if kind != skipToken {
			if len(toks) == limit {
				ok = false
				break
			}
			toks = append(toks, Token{kind, int32(at), int32(end)})
		}
		at = end
	}
	return append(toks, Token{TokEOF, int32(at), int32(at)}), ok
}

// scan reads tokens into room and gives their number and where the next one begins. It stops at the end of src, or
// where room is full, or in front of a token that scanOne has to read.
//
// There is one step for each byte, without a branch that depends on where tokens end: such branches are foreseen
// badly. A token is written again with each byte until it has ended.
func scan(src string, at int, room []Token) (n, end int) {
	start, state, count := at, uint(lexStart), uint(0)
	for ; at < len(src); at++ {
		class := byteClass[src[at]] % lexClasses
		next := lexNext[class][state]
		if next == 0 || count >= uint(len(room)) {
			break
		}
		out := lexOut[class][state]
		state = uint(next)
		t := &room[count]
		t.Kind, t.End = Kind(out), int32(at)
		count += uint(out >> lexemeBit)
	}
	last := lexNext[classEOF][state] != 0 && at == len(src) && count < uint(len(room))
	if last {
		out := lexOut[classEOF][state]
		room[count] = Token{Kind: Kind(out), End: int32(at)}
		count += uint(out >> lexemeBit)
	}
	for i := range room[:count] {
		t := &room[i]
		t.Start = int32(start)
		t.End -= int32(t.Kind >> lexemeBack & 1)
		t.Kind &= lexemeKind
		start = int(t.End)
	}
	if last {
		start = at
	}
	return int(count), start
}

// scanOne reads any one token.
func scanOne(src string, start int, wide *runeCache) (kind Kind, end int) {
	state := uint8(lexStart)
	for at := start; ; {
		if k := lexAccept[state]; k != 0 {
			kind, end = k, at
		}
		class, size := uint8(classEOF), 0
		if at < len(src) {
			if class, size = byteClass[src[at]], 1; class == classWide {
				class, size = wide.class(src[at:])
			}
		}
		class %= lexClasses
		next, out := lexNext[class][state], lexOut[class][state]
		switch {
		case size == 0 && next != 0 && out == 0:
			return skipToken, at
		case size == 0 && next != 0:
			return Kind(out & lexemeKind), at
		case kind == 0 && size == 0: // not valid UTF-8
			return TokBadChar, start + 1
		case next == 0 || out != 0:
			return kind, end
		}
		state = next
		at += size
	}
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
