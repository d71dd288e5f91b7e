package ll1

import (
	"math"
	"sort"
	"unicode/utf8"
)

// Token is a word of a source.
type Token struct {
	Kind       Kind
	Start, End int32 // byte offsets into the source
}

// maxLexStates is the number of lexer states that the tables have room for. A state is a byte, so
// indexing with it needs no bounds check.
const maxLexStates = 1 << 8

// lexeme is the token that ends before a character; 0 is none. The low six bits are its kind.
type lexeme uint8

const (
	lexemeBit  = 7 // set for every token
	lexemeBack = 6 // set for a token that ends a byte earlier
	lexemeKind = 1<<6 - 1
)

// Lex reads the tokens of src from the offset at on. It returns them in the memory of dst, if that
// has enough; the last one is always TokEOF. If there are more than limit tokens, not counting
// TokEOF, Lex stops and returns ok = false; TokEOF is then where it stopped.
//
// White space at the end of src makes no token. Text that is not a word of the language makes
// tokens whose names begin with TokBad. Each byte of invalid UTF-8 is a TokBadChar of its own, and
// ends the token before it as the end of the source would.
//
// Lex takes linear time. It reads no more than the first 2 GiB of a source, and returns ok = false
// for a larger one.
func Lex(src string, at, limit int, dst []Token) (toks []Token, ok bool) {
	toks, ok = dst[:0], true
	if len(src) > math.MaxInt32 {
		src, ok = src[:math.MaxInt32], false
	}
	var wide runeCache
	for at < len(src) {
		room := toks[len(toks):min(limit, cap(toks))]
		n, all := scan(src[at:], room)
		toks, at = toks[:len(toks)+n], finishTokens(room[:n], at)
		if all {
			at = len(src)
			break
		}
		kind, end := scanOne(src, at, &wide)
		if kind != TokEOF {
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

// scan reads tokens into room, for finishTokens to complete, and returns their number. It reads all
// of src, unless there is no more room or scanOne has to read a token.
//
// A processor cannot predict where tokens end, so no branch depends on that: for each byte, scan
// writes what would be the next token, and counts it if it has ended.
func scan(src string, room []Token) (n int, all bool) {
	state, count := uint(lexStart), uint(0)
	for at := range len(src) {
		class := byteClass[src[at]] % lexClasses
		next := lexNext[class][state]
		if next == 0 || count >= uint(len(room)) {
			return int(count), false
		}
		out := lexOut[class][state]
		state = uint(next)
		t := &room[count]
		t.Kind, t.End = Kind(out), int32(at)
		count += uint(out >> lexemeBit)
	}
	if lexNext[classEOF][state] == 0 || count >= uint(len(room)) {
		return int(count), false
	}
	out := lexOut[classEOF][state]
	room[count] = Token{Kind: Kind(out), End: int32(len(src))}
	return int(count + uint(out>>lexemeBit)), true
}

// finishTokens completes the tokens that scan has read from an offset on, whose kinds are still
// lexemes. It returns the end of the last one.
func finishTokens(toks []Token, at int) (end int) {
	end = at
	for i := range toks {
		t := &toks[i]
		t.Start = int32(end)
		t.End += int32(at) - int32(t.Kind>>lexemeBack&1)
		t.Kind &= lexemeKind
		end = int(t.End)
	}
	return end
}

// scanOne reads one token of any kind. White space at the end of the source is TokEOF.
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
		case size == 0 && next != 0:
			return Kind(out & lexemeKind), at
		case next == 0 && kind == 0: // not valid UTF-8
			return TokBadChar, start + 1
		case next == 0 || out != 0:
			return kind, end
		}
		state = next
		at += size
	}
}

// runeClass is the class of the runes from first up to the next entry of the table.
type runeClass struct {
	first rune
	class uint8
}

// runeCache caches the range and the class of the last rune, because neighboring runes are usually
// of the same script.
type runeCache struct {
	first, next rune // the range is empty in the zero value
	found       uint8
}

// class returns the class and the size of the character at the start of s. Invalid UTF-8 has the
// class of the end of the source, and size 0.
func (c *runeCache) class(s string) (class uint8, size int) {
	r, size := utf8.DecodeRuneInString(s)
	if r == utf8.RuneError && size == 1 {
		return classEOF, 0
	}
	if r < c.first || c.next <= r {
		i := sort.Search(len(runeClasses), func(i int) bool { return runeClasses[i].first > r })
		c.first, c.next, c.found = runeClasses[i-1].first, utf8.MaxRune+1, runeClasses[i-1].class
		if i < len(runeClasses) {
			c.next = runeClasses[i].first
		}
	}
	return c.found, size
}
