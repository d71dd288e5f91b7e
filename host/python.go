package host

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
)

var python = &language{
	described:     describe("Python"),
	imports:       []string{"import", "from"},
	dotted:        true,
	importCalls:   []string{"import_module", "importorskip", "__import__"},
	api:           pythonAPI,
	foreign:       pythonForeign,
	lex:           lexPython,
	bracesCross:   true,
	adjacent:      true,
	quoteEndsHole: true, // before 3.12
	conditions:    []string{"if", "else", "and", "or", "in", "is", "not", "for"},
}

var (
	pythonString   = &dialect{name: "Python string", special: "\\\r", forbidden: `\`, escape: pythonEscape}
	pythonRaw      = &dialect{name: "raw Python string", special: "\r", escape: pythonNewline}
	pythonFormat   = &dialect{name: "f-string", special: "\\\r{}", forbidden: `\{}`, escape: pythonEscape}
	pythonRawF     = &dialect{name: "raw f-string", special: "\r{}", forbidden: `{}`, escape: pythonNewline}
	pythonLong     = pythonString.withFreeQuote()
	pythonLongRaw  = pythonRaw.withFreeQuote()
	pythonLongF    = pythonFormat.withFreeQuote()
	pythonLongRawF = pythonRawF.withFreeQuote()
)

// withFreeQuote returns the same dialect for delimiters of several quotes, between which fewer
// quotes are allowed.
func (d *dialect) withFreeQuote() *dialect {
	long := *d
	long.free = true
	return &long
}

func lexPython(x *lexer) { x.python(0) }

// python reads tokens up to the end, or up to the bracket or the colon that ends a hole.
func (x *lexer) python(hole byte) {
	depth := 0
	for x.at < x.end {
		c := x.src[x.at]
		switch {
		case c == ' ' || c == '\t' || c == '\f':
			x.at++
		case c == '\n' || c == '\r':
			if hole == 1 && !x.continues() {
				return
			}
			x.at++
		case c == '\\' && lineEnd(x.src[:x.end], x.at+1) > 0:
			x.at += 1 + lineEnd(x.src[:x.end], x.at+1)
		case c == '#':
			x.lineComment()
		case c == '"' || c == '\'':
			x.pythonText(x.at, "")
		case isWordByte(c):
			start := x.at
			word := x.word()
			if x.at < x.end && (x.src[x.at] == '"' || x.src[x.at] == '\'') && isPythonPrefix(word) {
				x.tokens = x.tokens[:len(x.tokens)-1]
				x.pythonText(start, strings.ToLower(word))
			}
		case hole != 0 && depth == 0 && (c == '}' || c == ':' || c == '!' && x.peek(1) != '='):
			return
		default:
			if c == '(' || c == '[' || c == '{' {
				depth++
			} else if (c == ')' || c == ']' || c == '}') && depth > 0 {
				depth--
			}
			x.punct()
		}
	}
}

// continues reports whether a hole continues on the next line. Python allows that since 3.12; the
// end of the line distinguishes it from a string that is still being typed.
func (x *lexer) continues() bool {
	t := x.last()
	return t != nil && t.kind == punctToken && strings.IndexByte("([{,", x.src[t.Start]) >= 0 ||
		t == nil // right after the brace
}

func isPythonPrefix(word string) bool {
	switch strings.ToLower(word) {
	case "r", "u", "b", "f", "t", "rb", "br", "rf", "fr", "tr", "rt":
		return true
	}
	return false
}

// pythonText reads a string; x is at its quote.
func (x *lexer) pythonText(start int, prefix string) {
	quote := x.src[x.at : x.at+1]
	if long := strings.Repeat(quote, 3); x.has(long) {
		quote = long
	}
	x.at += len(quote)
	raw, long := strings.Contains(prefix, "r"), len(quote) == 3
	if strings.ContainsAny(prefix, "ft") {
		x.pythonFormat(start, quote, raw, long)
		return
	}
	d := pythonString
	switch {
	case raw && long:
		d = pythonLongRaw
	case raw:
		d = pythonRaw
	case long:
		d = pythonLong
	}
	l := x.quoted(start, quote, d, true, long)
	if strings.Contains(prefix, "b") {
		x.emit(otherToken, start)
		return
	}
	x.emitText(start, l)
}

// pythonFormat reads an f-string or a t-string.
func (x *lexer) pythonFormat(start int, quote string, raw, long bool) {
	d := pythonFormat
	switch {
	case raw && long:
		d = pythonLongRawF
	case raw:
		d = pythonRawF
	case long:
		d = pythonLongF
	}
	l := &literal{dialect: d, quote: quote[0], inner: ast.Span{Start: x.at}}
	for x.at < x.end {
		c := x.src[x.at]
		switch {
		case c == '\\' && !raw && x.has(`\N{`):
			if i := strings.IndexAny(x.src[x.at:x.end], "}\n"); i >= 0 {
				x.at += i
			}
			x.at = min(x.at+1, x.end)
		case c == '\\' && (x.peek(1) != '{' && x.peek(1) != '}'):
			x.at++
			x.at += max(1, lineEnd(x.src[:x.end], min(x.at, x.end)))
		case c == '{' && x.peek(1) == '{', c == '}' && x.peek(1) == '}':
			x.at += 2
		case c == '{':
			x.pythonHole(l, quote, long, 0)
		case c == quote[0] && x.has(quote):
			l.inner.End = x.at
			x.at += len(quote)
			x.emitText(start, l)
			return
		case !long && (c == '\n' || c == '\r'):
			x.emitText(start, x.openText(start, l))
			return
		default:
			x.at++
		}
	}
	x.emitText(start, x.openText(start, l))
}

// pythonHole reads {expression!conversion:format}. The format may contain holes.
func (x *lexer) pythonHole(l *literal, quote string, long bool, level int) {
	start := x.at
	x.at++
	if x.depth >= maxHoles {
		return
	}
	sub := lexer{src: x.src, at: x.at, end: x.end, depth: x.depth + 1}
	if long {
		sub.python(2)
	} else {
		sub.python(1)
	}
	x.at = sub.at
	x.found = append(x.found, sub.found...)
	index := len(l.holes)
	l.holes = append(l.holes, hole{Span: ast.Span{Start: start}, tokens: sub.tokens})
	if x.peek(0) == '!' {
		for x.at++; x.at < x.end && isWordByte(x.src[x.at]); {
			x.at++
		}
	}
	if x.peek(0) == ':' {
		for x.at++; x.at < x.end && x.src[x.at] != '}'; {
			switch c := x.src[x.at]; {
			case c == '{' && x.peek(1) != '{' && level < 4:
				inner := literal{}
				x.pythonHole(&inner, quote, long, level+1)
				for _, h := range inner.holes {
					l.holes[index].tokens = append(l.holes[index].tokens, h.tokens...)
				}
			case c == quote[0] && x.has(quote), !long && (c == '\n' || c == '\r'):
				l.holes[index].End = x.at
				return
			default:
				x.at++
			}
		}
	}
	if x.peek(0) == '}' && x.at < x.end {
		x.at++
	}
	l.holes[index].End = x.at
}

// pythonNewline reads what a raw string normalizes, and the doubled braces of an f-string.
func pythonNewline(src string, at int, _ *literal) (string, int, bool) {
	if src[at] == '\r' {
		return crlf(src, at)
	}
	return doubledBrace(src, at)
}

func doubledBrace(src string, at int) (string, int, bool) {
	if at+1 < len(src) && src[at+1] == src[at] {
		return src[at : at+1], 2, true
	}
	return "", 0, true
}

func pythonEscape(src string, at int, _ *literal) (string, int, bool) {
	if src[at] != '\\' {
		return pythonNewline(src, at, nil)
	}
	if text, n, ok := simpleEscape(src, at, `abfnrtv\'"`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 0, true
	}
	switch c := src[at+1]; {
	case c == '\n' || c == '\r':
		return "", 1 + lineEnd(src, at+1), true
	case c == 'x':
		return fixedDigits(src, at, 2, 2, 16)
	case c == 'u':
		return fixedDigits(src, at, 2, 4, 16)
	case c == 'U':
		return fixedDigits(src, at, 2, 8, 16)
	case c >= '0' && c <= '7':
		value, n := digits(src, at+1, 3, 8)
		return string(value), 1 + n, true
	case c == 'N' && strings.HasPrefix(src[at+2:], "{"):
		if i := strings.IndexByte(src[at:], '}'); i >= 0 {
			return "", i + 1, false // a character by its Unicode name
		}
	}
	return "", 0, true // the backslash is literal
}
