package host

import (
	"go/scanner"
	gotoken "go/token"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
)

var goLanguage = &language{
	described:   describe("Go"),
	imports:     []string{"import", "package"},
	lex:         lexGo,
	bracesCross: true,
	api:         goAPI,
	foreign:     goForeign,
}

var (
	goString = &dialect{name: "Go string", special: `\`, forbidden: `\`, escape: goEscape}
	goRaw    = &dialect{name: "Go raw string", special: "\r", escape: func(_ string, _ int, _ *literal) (string, int, bool) { return "", 1, true }}
)

// lexGo reads the tokens with the scanner of the standard library, which continues after errors.
func lexGo(x *lexer) {
	src := x.src[:x.end]
	file := gotoken.NewFileSet().AddFile("", 1, len(src))
	var s scanner.Scanner
	bad := map[int]bool{} // the starts of literals and comments without an end
	s.Init(file, []byte(src), func(at gotoken.Position, message string) {
		if strings.HasSuffix(message, "not terminated") {
			bad[at.Offset] = true
		}
	}, scanner.ScanComments)
	for {
		pos, tok, text := s.Scan()
		if tok == gotoken.EOF {
			return
		}
		start := int(pos) - 1
		if tok == gotoken.SEMICOLON && text != ";" {
			continue // inserted by the scanner
		}
		if text == "" {
			text = tok.String()
		}
		x.at = start + len(text)
		if tok == gotoken.ILLEGAL {
			_, size := utf8.DecodeRuneInString(src[start:])
			x.at = start + size // the text of a byte that is not UTF-8 is longer
		}
		switch {
		case tok == gotoken.STRING:
			x.goString(src, start, bad[start])
		case tok == gotoken.COMMENT:
			x.goComment(src, start, bad[start])
		case tok == gotoken.CHAR:
			x.emit(otherToken, start)
		case tok == gotoken.IDENT, tok.IsLiteral(), tok.IsKeyword():
			x.emit(wordToken, start)
		default:
			x.emit(punctToken, start)
		}
	}
}

// goString makes a token of a string. The scanner reports where it starts; the text that it reports
// lacks carriage returns.
func (x *lexer) goString(src string, start int, open bool) {
	l := &literal{dialect: goString, quote: src[start], inner: ast.Span{Start: start + 1}, open: open}
	switch {
	case open:
		x.at = start
		if src[start] == '`' {
			l.dialect = goRaw
			x.at = len(src)
		} else {
			x.toLineEnd()
		}
		l.inner.End = x.at
		x.unterminated("string", start)
	case src[start] == '`':
		l.dialect = goRaw
		x.at = start + 1
		x.to("`")
		l.inner.End = x.at - 1
	default:
		l.inner.End = x.at - 1
	}
	x.emitText(start, l)
}

func (x *lexer) goComment(src string, start int, open bool) {
	x.at = start
	switch {
	case open:
		x.at = len(src)
		x.unterminated("comment", start)
	case src[start+1] == '*':
		x.at += 2
		x.to("*/")
	default:
		if i := strings.IndexByte(src[start:], '\n'); i >= 0 {
			x.at += i
		} else {
			x.at = len(src)
		}
	}
	x.emit(commentToken, start)
}

const simpleEscapes = "a\ab\bf\fn\nr\rt\tv\v\\\\''\"\"" // the letter, then its value

// simpleEscape reads a backslash followed by one of the given letters.
func simpleEscape(src string, at int, letters string) (string, int, bool) {
	if at+1 >= len(src) || strings.IndexByte(letters, src[at+1]) < 0 {
		return "", 0, false
	}
	for i := 0; i < len(simpleEscapes); i += 2 {
		if simpleEscapes[i] == src[at+1] {
			return simpleEscapes[i+1 : i+2], 2, true
		}
	}
	return "", 0, false
}

func goEscape(src string, at int, _ *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `abfnrtv\"`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 1, false
	}
	switch c := src[at+1]; c {
	case 'x':
		return byteEscape(src, at, 2, 2, 16)
	case 'u':
		return fixedDigits(src, at, 2, 4, 16)
	case 'U':
		return fixedDigits(src, at, 2, 8, 16)
	default:
		return byteEscape(src, at, 1, 3, 8)
	}
}

// byteEscape reads an escape with exactly n digits that stands for a byte.
func byteEscape(src string, at, size, n int, base rune) (string, int, bool) {
	value, got := digits(src, at+size, n, base)
	if got != n || value > 0xff {
		return "", size + got, false
	}
	return string([]byte{byte(value)}), size + n, true
}
