package host

import (
	"strings"
	"unicode/utf8"
)

var rust = &language{
	described:   describe("Rust"),
	imports:     []string{"use", "crate"},
	dotted:      true,
	lex:         lexRust,
	bracesCross: true,
	foreign:     rustForeign,
	conditions:  []string{"in", "else"},
}

var (
	rustString = &dialect{name: "Rust string", special: "\\\r", forbidden: `\`, escape: rustEscape}
	rustRaw    = &dialect{name: "raw Rust string", special: "\r", escape: rustNewline}
	rustHashed = rustRaw.withFreeQuote()
)

func lexRust(x *lexer) {
	if x.has("#!") && !x.has("#![") {
		x.lineComment()
	}
	for x.at < x.end {
		switch c := x.src[x.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			x.at++
		case c == '/' && x.peek(1) == '/':
			x.lineComment()
		case c == '/' && x.peek(1) == '*':
			x.blockComment(true)
		case c == '"':
			start := x.at
			x.at++
			x.emitText(start, x.quoted(start, `"`, rustString, true, true))
		case c == '\'':
			x.rustQuote()
		case isWordByte(c):
			start := x.at
			word := x.word()
			if x.peek(0) == '"' || x.peek(0) == '#' || x.peek(0) == '\'' {
				x.rustPrefixed(start, word)
			}
		default:
			x.punct()
		}
	}
}

// rustQuote reads a character, or the quote of a lifetime.
func (x *lexer) rustQuote() {
	start := x.at
	rest := x.src[x.at+1 : x.end]
	if strings.HasPrefix(rest, `\`) {
		x.at += min(3, x.end-x.at)
		for x.at < x.end && x.src[x.at] != '\'' && x.src[x.at] != '\n' {
			x.at++
		}
		x.at = min(x.at+1, x.end)
		x.emit(otherToken, start)
		return
	}
	if _, n := utf8.DecodeRuneInString(rest); n > 0 && strings.HasPrefix(rest[n:], "'") {
		x.at += n + 2
		x.emit(otherToken, start)
		return
	}
	x.punct()
}

// rustPrefixed reads a literal after its prefix, which has been read as a word.
func (x *lexer) rustPrefixed(start int, word string) {
	raw := false
	switch word {
	case "r", "br", "cr":
		raw = true
	case "b", "c":
	default:
		return
	}
	at := x.at
	hashes := 0
	for raw && x.peek(hashes) == '#' {
		hashes++
	}
	x.at += hashes
	switch {
	case x.peek(0) == '\'' && word == "b":
		x.tokens = x.tokens[:len(x.tokens)-1]
		x.rustQuote()
		last := &x.tokens[len(x.tokens)-1]
		last.kind, last.Start = otherToken, start
		return
	case x.peek(0) != '"':
		x.at = at // r#name
		return
	}
	x.tokens = x.tokens[:len(x.tokens)-1]
	x.at++
	d := rustString
	if raw && hashes > 0 {
		d = rustHashed
	} else if raw {
		d = rustRaw
	}
	l := x.quoted(start, `"`+strings.Repeat("#", hashes), d, !raw, true)
	if word == "r" {
		x.emitText(start, l)
	} else {
		x.emit(otherToken, start)
	}
}

// rustNewline reads a line ending: CR LF is one line feed, a lone CR is kept.
func rustNewline(src string, at int, _ *literal) (string, int, bool) {
	if strings.HasPrefix(src[at:], "\r\n") {
		return "\n", 2, true
	}
	return "", 0, true
}

func rustEscape(src string, at int, _ *literal) (string, int, bool) {
	if src[at] == '\r' {
		return rustNewline(src, at, nil)
	}
	if text, n, ok := simpleEscape(src, at, `nrt\'"`); ok {
		return text, n, ok
	}
	rest := src[at+1:]
	switch {
	case strings.HasPrefix(rest, "0"):
		return "\x00", 2, true
	case strings.HasPrefix(rest, "x"):
		return fixedDigits(src, at, 2, 2, 16)
	case strings.HasPrefix(rest, "u{"):
		return bracedDigits(src, at, 3, 6)
	case lineEnd(src, at+1) > 0:
		return "", 1 + len(rest) - len(strings.TrimLeft(rest, " \t\r\n")), true
	}
	return "", 1, false
}
