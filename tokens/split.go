//go:build !js

package tokens

import (
	"unicode"
	"unicode/utf8"
)

// class says to which sets of the patterns of vocabularies a rune belongs.
type class uint8

const (
	upper   class           = 1 << iota // \p{Lu}, \p{Lt}, or both
	lower                               // \p{Ll}, or both
	mark                                // \p{M}
	number                              // \p{N}
	space                               // \s
	newline                             // \r or \n, which are spaces, too
	slash                               // /
	both    = upper | lower             // \p{Lm}, \p{Lo} and \p{M}
)

// letter reports whether the rune is a letter. Marks are not letters, but o200k_base allows them in
// words.
func (c class) letter() bool { return c&both != 0 && c&mark == 0 }

// other reports whether the rune is in [^\s\p{L}\p{N}].
func (c class) other() bool { return c&(number|space) == 0 && !c.letter() }

// begins reports whether the rune is in [^\r\n\p{L}\p{N}], which may stand before a word.
func (c class) begins() bool { return c&(number|newline) == 0 && !c.letter() }

var ascii = func() (table [utf8.RuneSelf]class) {
	for r := range table {
		table[r] = classOf(rune(r))
	}
	return table
}()

func classOf(r rune) class {
	switch {
	case r == '\r' || r == '\n':
		return space | newline
	case r == '/':
		return slash
	case unicode.IsLower(r) && unicode.Is(unicode.Ll, r):
		return lower
	case unicode.Is(unicode.Lu, r) || unicode.Is(unicode.Lt, r):
		return upper
	case unicode.IsLetter(r):
		return both
	case unicode.IsMark(r):
		return both | mark
	case unicode.IsNumber(r):
		return number
	case unicode.IsSpace(r):
		return space
	}
	return 0
}

// at returns the class and the size of the rune at i, or 0 and 0 at the end.
func at(s string, i int) (class, int) {
	if i >= len(s) {
		return 0, 0
	}
	if b := s[i]; b < utf8.RuneSelf {
		return ascii[b], 1
	}
	r, n := utf8.DecodeRuneInString(s[i:])
	return classOf(r), n
}

// run returns the end of the runes from i on that have one of the classes, at most limit of them.
func run(s string, i int, c class, limit int) int {
	for ; limit > 0; limit-- {
		k, n := at(s, i)
		if k&c == 0 {
			break
		}
		i += n
	}
	return i
}

// The splitters return where the first piece of a text that is not empty ends. They match what the
// regular expressions of the vocabularies do, including what these give back when a part of them
// fails.

// splitCl100k is
//
//	(?i:'s|'t|'re|'ve|'m|'ll|'d)|
//	[^\r\n\p{L}\p{N}]?\p{L}+|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitCl100k(s string) int {
	if end := contraction(s, 0); end > 0 {
		return end
	}
	c, n := at(s, 0)
	i := 0
	if c.begins() {
		i = n
	}
	start := i
	for c, n := at(s, i); c.letter(); c, n = at(s, i) {
		i += n
	}
	if i > start {
		return i
	}
	return splitRest(s, newline)
}

// splitO200k is, with U for [\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}] and L for [\p{Ll}\p{Lm}\p{Lo}\p{M}],
//
//	[^\r\n\p{L}\p{N}]?U*L+(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	[^\r\n\p{L}\p{N}]?U+L*(?i:'s|'t|'re|'ve|'m|'ll|'d)?|
//	\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+
func splitO200k(s string) int {
	c, n := at(s, 0)
	start := 0
	if c.begins() {
		start = n
	}
	end, capitals := word(s, start)
	if end == 0 && c&mark != 0 { // which is then not what stands before the word
		end, _ = word(s, 0)
	}
	if end == 0 {
		end = capitals
	}
	if end > start || end > 0 && c&mark != 0 {
		return max(end, contraction(s, end))
	}
	return splitRest(s, newline|slash)
}

// word matches U*L+ of splitO200k and returns the end, or 0. Capitals is the end of U* alone.
func word(s string, start int) (end, capitals int) {
	i := start
	for {
		c, n := at(s, i)
		if c&upper == 0 {
			break
		}
		i += n
		if c == both || c&mark != 0 {
			end = i // where the first part gives back its last rune that the second has
		}
	}
	if lowers := run(s, i, lower, len(s)); lowers > i {
		return lowers, i
	}
	return end, i
}

// splitRest splits numbers, punctuation and spaces. after has the classes that may follow
// punctuation.
func splitRest(s string, after class) int {
	c, n := at(s, 0)
	if c&number != 0 {
		return run(s, 0, number, 3)
	}
	i := 0
	if s[0] == ' ' {
		i = 1
	}
	start := i
	for c, n := at(s, i); n > 0 && c.other(); c, n = at(s, i) {
		i += n
	}
	if i > start {
		return run(s, i, after, len(s))
	}
	last, lastNewline := 0, 0 // the start of the last space, and the end of the last newline
	for i = 0; c&space != 0; c, n = at(s, i) {
		last = i
		i += n
		if c&newline != 0 {
			lastNewline = i
		}
	}
	switch {
	case lastNewline > 0:
		return lastNewline
	case i == len(s) || last == 0:
		return i
	}
	return last
}

// contraction returns the end of (?i:'s|'t|'re|'ve|'m|'ll|'d) at i, or 0.
func contraction(s string, i int) int {
	if i+1 >= len(s) || s[i] != '\'' {
		return 0
	}
	rest := s[i+1:]
	switch rest[0] | 0x20 {
	case 's', 't', 'm', 'd':
		return i + 2
	}
	if len(rest) < 2 {
		return 0
	}
	switch [2]byte{rest[0] | 0x20, rest[1] | 0x20} {
	case [2]byte{'r', 'e'}, [2]byte{'v', 'e'}, [2]byte{'l', 'l'}:
		return i + 3
	}
	if rest[:2] == "ſ" { // the long s, whose capital is S
		return i + 3
	}
	return 0
}
