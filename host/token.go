package host

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

type tokenKind uint8

const (
	wordToken  tokenKind = iota // an identifier, a keyword or a number
	punctToken                  // an operator or a bracket
	textToken                   // a string literal
	otherToken                  // a literal other than a string, such as a character or a regular expression
	commentToken
)

// token is a token of a program. White space makes no tokens.
type token struct {
	ast.Span
	kind tokenKind
	lit  *literal // of a textToken
}

// lexer cuts a program into tokens. It never fails: an unterminated literal is a token too, and is
// reported.
type lexer struct {
	src    string
	at     int
	end    int // of the text being read
	tokens []token
	found  []diag.Diagnostic
	depth  int  // holes in holes
	unsure bool // more text may change the kind of some tokens
}

// maxHoles is how deep holes may be nested. The holes of a literal that is nested deeper are not
// read.
const maxHoles = 100

func (x *lexer) peek(n int) byte {
	if x.at+n < x.end {
		return x.src[x.at+n]
	}
	return 0
}

func (x *lexer) has(prefix string) bool { return strings.HasPrefix(x.src[x.at:x.end], prefix) }

func (x *lexer) emit(kind tokenKind, start int) {
	x.tokens = append(x.tokens, token{Span: ast.Span{Start: start, End: x.at}, kind: kind})
}

func (x *lexer) emitText(start int, l *literal) {
	x.tokens = append(x.tokens, token{Span: ast.Span{Start: start, End: x.at}, kind: textToken, lit: l})
}

func (x *lexer) unterminated(what string, start int) {
	x.found = append(x.found, diag.Diagnostic{
		Code: Unreadable, Severity: diag.Error, Span: ast.Span{Start: start, End: min(start+1, x.end)},
		Message: what + " without an end",
	})
}

// last returns the last token other than a comment, or nil.
func (x *lexer) last() *token {
	for i := len(x.tokens) - 1; i >= 0; i-- {
		if x.tokens[i].kind != commentToken {
			return &x.tokens[i]
		}
	}
	return nil
}

// to moves past the next occurrence of a delimiter, or to the end; it reports whether there is one.
func (x *lexer) to(delimiter string) bool {
	i := strings.Index(x.src[x.at:x.end], delimiter)
	if i < 0 {
		x.at = x.end
		return false
	}
	x.at += i + len(delimiter)
	return true
}

// toLineEnd moves to the end of the line.
func (x *lexer) toLineEnd() {
	if i := strings.IndexAny(x.src[x.at:x.end], "\r\n"); i >= 0 {
		x.at += i
	} else {
		x.at = x.end
	}
}

// lineComment reads a comment that ends with its line.
func (x *lexer) lineComment() {
	start := x.at
	x.toLineEnd()
	x.emit(commentToken, start)
}

// blockComment reads a comment between /* and */.
func (x *lexer) blockComment(nested bool) {
	start := x.at
	x.at += 2
	end := start // the offset of the next */, once it is at least x.at
	for depth := 1; depth > 0; {
		if end < x.at {
			i := strings.Index(x.src[x.at:x.end], "*/")
			if i < 0 {
				x.at = x.end
				x.unterminated("comment", start)
				break
			}
			end = x.at + i
		}
		if nested {
			if open := strings.Index(x.src[x.at:end], "/*"); open >= 0 {
				x.at += open + 2
				depth++
				continue
			}
		}
		x.at = end + 2
		depth--
	}
	x.emit(commentToken, start)
}

// isWordByte reports whether a byte can be part of an identifier or a number. Everything beyond
// ASCII counts.
func isWordByte(c byte) bool {
	return c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c >= '0' && c <= '9' || c == '_' || c == '$' || c >= utf8.RuneSelf
}

// word reads an identifier, a keyword or a number, and returns it.
func (x *lexer) word() string {
	start := x.at
	for x.at < x.end && isWordByte(x.src[x.at]) {
		x.at++
	}
	x.emit(wordToken, start)
	return x.src[start:x.at]
}

// punct reads one byte of an operator.
func (x *lexer) punct() {
	x.at++
	x.emit(punctToken, x.at-1)
}

// quoted reads the rest of a literal that ends with a quote of one or more bytes. With shield, a
// backslash escapes the next byte. Without lines, a line ending ends the literal.
func (x *lexer) quoted(start int, quote string, d *dialect, shield, lines bool) *literal {
	l := &literal{dialect: d, quote: quote[0], inner: ast.Span{Start: x.at}}
	for x.at < x.end {
		c := x.src[x.at]
		switch {
		case c == '\\' && shield:
			x.at++
			if n := lineEnd(x.src[:x.end], x.at); n > 0 {
				x.at += n
			} else {
				x.at++
			}
		case c == quote[0] && x.has(quote):
			l.inner.End = x.at
			x.at += len(quote)
			return l
		case !lines && (c == '\n' || c == '\r'):
			return x.openText(start, l)
		default:
			x.at++
		}
	}
	return x.openText(start, l)
}

// openText ends an unterminated literal.
func (x *lexer) openText(start int, l *literal) *literal {
	x.at = min(x.at, x.end)
	l.inner.End, l.open = x.at, true
	x.unterminated("string", start)
	return l
}

// skipBOM passes over a byte order mark at the start of a source.
func (x *lexer) skipBOM() {
	if x.at == 0 && x.has("\uFEFF") {
		x.at = len("\uFEFF")
	}
}
