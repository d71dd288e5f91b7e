package host

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
)

// heredoc is a literal whose body begins on the next line.
type heredoc struct {
	lit       *literal
	start     int // of its head
	delimiter string
	indented  bool // the delimiter may be indented
	squiggly  bool
	raw       bool
}

// heredoc reads the head of a heredoc.
func (x *rubyLexer) heredoc() bool {
	at := 2
	h := &heredoc{start: x.at}
	switch x.peek(at) {
	case '~':
		h.squiggly, h.indented = true, true
		at++
	case '-':
		h.indented = true
		at++
	}
	quote := x.peek(at)
	if quote == '"' || quote == '\'' || quote == '`' {
		i := strings.IndexByte(x.src[min(x.at+at+1, x.end):x.end], quote)
		if i <= 0 {
			return false
		}
		h.delimiter = x.src[x.at+at+1 : x.at+at+1+i]
		at += i + 2
	} else {
		n := at
		for isWordByte(x.peek(n)) && x.at+n < x.end {
			n++
		}
		if n == at || quote >= '0' && quote <= '9' || quote == '$' || !h.indented && (quote < 'A' || quote > 'Z') {
			return false
		}
		h.delimiter = x.src[x.at+at : x.at+n]
		at = n
	}
	if strings.ContainsAny(h.delimiter, "\r\n") || !x.operand(2) && !h.squiggly {
		return false
	}
	if t := x.last(); t != nil && t.kind == wordToken && t.Text(x.src) == "class" {
		return false
	}
	h.raw = quote == '\''
	d := rubyHeredoc
	if h.raw {
		d = rubyRawDoc
	}
	x.at += at
	h.lit = &literal{dialect: d, detached: true, squiggly: h.squiggly}
	if quote == '`' {
		x.emit(otherToken, h.start)
	} else {
		x.emitText(h.start, h.lit)
	}
	x.pending = append(x.pending, h)
	return true
}

// bodies reads the bodies of the heredocs whose heads were on the line before.
func (x *rubyLexer) bodies() {
	pending := x.pending
	x.pending = nil
	for _, h := range pending {
		x.body(h)
	}
}

func (x *rubyLexer) body(h *heredoc) {
	h.lit.inner.Start = x.at
	lineStart := x.at
	for x.at < x.end {
		if x.at == lineStart {
			end := x.at
			for end < x.end && lineEnd(x.src, end) == 0 {
				end++
			}
			line := x.src[x.at:end]
			if h.indented {
				line = strings.TrimLeft(line, " \t")
			}
			if line == h.delimiter {
				h.lit.inner.End = x.at
				x.at = end
				return
			}
		}
		switch c := x.src[x.at]; {
		case c == '\\' && !h.raw:
			x.at++
			if n := lineEnd(x.src[:x.end], min(x.at, x.end)); n > 0 {
				x.at += n
			} else {
				x.at = min(x.at+1, x.end)
			}
		case c == '#' && !h.raw && x.hole(h.lit):
		case lineEnd(x.src, x.at) > 0:
			x.at += lineEnd(x.src[:x.end], x.at)
			lineStart = x.at
		default:
			x.at++
		}
	}
	h.lit.inner.End, h.lit.open = x.end, true
	x.unsure = true
	x.unterminated("heredoc", h.start)
}

// rubyText decodes a heredoc; a squiggly one loses the common indentation of its lines.
func rubyText(b *builder, l *literal) {
	if !l.squiggly {
		l.decodeRange(b, l.inner)
		return
	}
	type line struct{ start, text, next int } // its indentation ends at text
	var lines []line
	src, holes, indent := b.src, l.holes, -1
	for at := l.inner.Start; at < l.inner.End; {
		end := at
		for end < l.inner.End && lineEnd(src, end) == 0 {
			end++
		}
		for len(holes) > 0 && holes[0].End <= at {
			holes = holes[1:]
		}
		text := at
		if len(holes) == 0 || holes[0].Start >= at { // a line that begins inside a hole has no indentation
			for text < end && (src[text] == ' ' || src[text] == '\t') {
				text++
			}
			if width := rubyWidth(src[at:text]); text < end && (indent < 0 || width < indent) {
				indent = width
			}
		}
		next := end + lineEnd(src[:l.inner.End], end)
		lines = append(lines, line{at, text, next})
		at = next
	}
	for _, line := range lines {
		at, width := line.start, 0
		for at < line.text && width < indent {
			w := width + 1
			if src[at] == '\t' {
				w = (width/8 + 1) * 8
			}
			if w > indent {
				break
			}
			width = w
			at++
		}
		l.decodeRange(b, ast.Span{Start: at, End: line.next})
	}
}

func rubyWidth(blank string) int {
	width := 0
	for _, c := range blank {
		if c == '\t' {
			width = width/8*8 + 7
		}
		width++
	}
	return width
}

func rubyRawEscape(src string, at int, l *literal) (string, int, bool) {
	if at+1 < len(src) && (src[at+1] == '\\' || src[at+1] == l.quote || l.dialect.free && src[at+1] == openingBracket(l.quote)) {
		return src[at+1 : at+2], 2, true
	}
	return "", 0, true
}

func openingBracket(c byte) byte {
	if i := strings.IndexByte(")]}>", c); i >= 0 {
		return "([{<"[i]
	}
	return c
}

func rubyEscape(src string, at int, _ *literal) (string, int, bool) {
	if text, n, ok := simpleEscape(src, at, `abfnrtv`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 1, false
	}
	switch c := src[at+1]; {
	case lineEnd(src, at+1) > 0:
		return "", 1 + lineEnd(src, at+1), true
	case c == 's':
		return " ", 2, true
	case c == 'e':
		return "\x1b", 2, true
	case c >= '0' && c <= '7':
		value, n := digits(src, at+1, 3, 8)
		return string([]byte{byte(value)}), 1 + n, true
	case c == 'x':
		value, n := digits(src, at+2, 2, 16)
		return string([]byte{byte(value)}), 2 + n, n > 0
	case c == 'u' && strings.HasPrefix(src[at+2:], "{"):
		return bracedDigits(src, at, 3, 6) // with several characters in it, it is not changed
	case c == 'u':
		return fixedDigits(src, at, 2, 4, 16)
	case c == 'c' || c == 'C' || c == 'M':
		return "", 2, false
	case c < 0x80:
		return src[at+1 : at+2], 2, true
	}
	return "", 0, true
}
