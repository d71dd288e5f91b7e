package host

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
)

var java = &language{
	described:   describe("Java"),
	imports:     []string{"import", "package"},
	dotted:      true,
	lex:         lexJava,
	conditions:  []string{"instanceof"},
	bracesCross: true,
	foreign:     javaForeign,
}

var (
	javaString = &dialect{name: "Java string", special: `\`, forbidden: `\`, escape: javaEscape}
	javaBlock  = &dialect{name: "Java text block", special: `\`, forbidden: `\`, escape: javaEscape, free: true, decode: javaText}
)

func lexJava(x *lexer) {
	for x.at < x.end {
		switch c := x.src[x.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f':
			x.at++
		case c == '/' && x.peek(1) == '/':
			x.lineComment()
		case c == '/' && x.peek(1) == '*':
			x.blockComment(false)
		case c == '"':
			start := x.at
			if x.has(`"""`) && startsTextBlock(x.src[x.at+3:x.end]) {
				x.at += 3
				x.emitText(start, x.quoted(start, `"""`, javaBlock, true, true))
			} else {
				x.at++
				x.emitText(start, x.quoted(start, `"`, javaString, true, false))
			}
		case c == '\'':
			start := x.at
			x.at++
			x.quoted(start, "'", javaString, true, false)
			x.emit(otherToken, start)
		case isWordByte(c):
			x.word()
		default:
			x.punct()
		}
	}
}

// startsTextBlock reports whether a line ending follows the delimiter, as a text block requires.
func startsTextBlock(rest string) bool {
	rest = strings.TrimLeft(rest, " \t\f")
	return rest != "" && (rest[0] == '\n' || rest[0] == '\r')
}

// javaText decodes a text block without the common indentation and the trailing white space of its
// lines.
func javaText(b *builder, l *literal) {
	src := b.src
	at := l.inner.Start
	for at < l.inner.End && lineEnd(src, at) == 0 {
		at++
	}
	at += lineEnd(src, at)
	if at > l.inner.End {
		return
	}
	var lines []ast.Span // without their endings
	for start := at; ; {
		end := start
		for end < l.inner.End && lineEnd(src, end) == 0 {
			end++
		}
		lines = append(lines, ast.Span{Start: start, End: end})
		if end >= l.inner.End {
			break
		}
		start = end + lineEnd(src, end)
	}
	const blank = " \t\f"
	indent := -1
	for i, line := range lines {
		text := line.Text(src)
		own := len(text) - len(strings.TrimLeft(text, blank))
		if (own < len(text) || i == len(lines)-1) && (indent < 0 || own < indent) {
			indent = own
		}
	}
	for i, line := range lines {
		text := strings.TrimRight(line.Text(src), blank)
		line.Start = min(line.Start+indent, line.End)
		end := max(line.Start, line.End-line.Len()+len(text)-min(indent, len(text)))
		joined := endsInBackslash(text)
		if joined {
			end--
		}
		l.decodeRange(b, ast.Span{Start: line.Start, End: end})
		if i < len(lines)-1 && !joined {
			b.newline(line.End)
		}
	}
}

// endsInBackslash reports whether a text ends in a backslash that is not escaped.
func endsInBackslash(text string) bool {
	return (len(text)-len(strings.TrimRight(text, `\`)))%2 == 1
}

// newline writes a line feed for the line ending at an offset.
func (b *builder) newline(at int) {
	n := lineEnd(b.src, at)
	if n == 1 && b.src[at] == '\n' {
		b.copy(at, at+1)
	} else {
		b.whole("\n", at, at+n)
	}
}

func javaEscape(src string, at int, _ *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `bfnrt\'"`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 1, false
	}
	switch c := src[at+1]; {
	case c == 's':
		return " ", 2, true
	case c >= '0' && c <= '7':
		most := 3
		if c > '3' {
			most = 2
		}
		value, n := digits(src, at+1, most, 8)
		return string(value), 1 + n, true
	case c == 'u':
		return javaUnicode(src, at)
	}
	return "", 1, false
}

// javaUnicode reads \uXXXX, which may have several u. An escaped quote, backslash or line ending is
// not handled here, because a compiler decodes it before it looks for strings.
func javaUnicode(src string, at int) (string, int, bool) {
	us := len(src[at+1:]) - len(strings.TrimLeft(src[at+1:], "u"))
	value, n := digits(src, at+1+us, 4, 16)
	size := 1 + us + n
	switch {
	case n != 4 || value == '"' || value == '\\' || value == '\n' || value == '\r':
		return "", size, false
	case value < 0xd800 || value > 0xdfff:
		return string(value), size, true
	case us == 1:
		return utf16Escape(src, at)
	}
	return "", size, false
}
