package host

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
)

var ruby = &language{
	described:  describe("Ruby"),
	imports:    []string{"require", "require_relative", "gem"},
	lex:        func(x *lexer) { (&rubyLexer{lexer: x}).program(false) },
	adjacent:   true,
	bare:       true,
	foreign:    rubyForeign,
	conditions: []string{"if", "unless", "while", "until", "and", "or", "rescue", "do"},
}

var (
	rubyDouble = &dialect{name: "Ruby string", special: `\`, forbidden: `\`, escape: rubyEscape}
	rubySingle = &dialect{name: "single-quoted Ruby string", special: `\`, forbidden: `\`, escape: rubyRawEscape}
	// Only a separate line ends a heredoc.
	rubyHeredoc = &dialect{name: "heredoc", special: `\`, forbidden: `\`, escape: rubyEscape, free: true, decode: rubyText}
	rubyRawDoc  = &dialect{name: "raw heredoc", free: true, decode: rubyText}
)

// rubyLexer reads Ruby. The token before a sign and the blanks around it decide whether it is an
// operator or begins a literal.
type rubyLexer struct {
	*lexer
	pending []*heredoc
}

// rubyBeforeExpression are the keywords before an expression.
var rubyBeforeExpression = []string{
	"if", "unless", "while", "until", "and", "or", "not", "return", "when", "in", "case", "then", "do", "else", "elsif",
	"begin", "ensure", "rescue", "yield", "break", "next",
}

// operand reports whether a literal begins at the current offset, with a sign of n bytes.
func (x *rubyLexer) operand(n int) bool {
	t := x.last()
	if t == nil {
		return true
	}
	between := x.src[t.End:x.at]
	if strings.ContainsAny(between, "\r\n") {
		return true // an operator never begins a line
	}
	spaced := between != ""
	tight := x.peek(n) != ' ' && x.peek(n) != '\t' && x.peek(n) != '\n' && x.peek(n) != '\r' && x.peek(n) != '='
	switch t.kind {
	case textToken, otherToken:
		return false
	case wordToken:
		word := t.Text(x.src)
		switch {
		case t.Start > 0 && x.src[t.Start-1] == '.' || word == "def":
			return word != "def" && spaced && tight
		case slices.Contains(rubyBeforeExpression, word):
			return true
		}
		name := word[0] >= 'a' && word[0] <= 'z' || word[0] == '_'
		return name && spaced && tight
	}
	switch x.src[t.Start] {
	case ')', ']', '}':
		return false
	case '?', '!':
		if t.Start > 0 && isWordByte(x.src[t.Start-1]) {
			return spaced && tight // the end of a method's name
		}
	case '.':
		return false
	}
	return true
}

// program reads tokens up to the end or, in a hole, up to the brace that closes it.
func (x *rubyLexer) program(inHole bool) {
	depth := 0
	for x.at < x.end {
		c := x.src[x.at]
		atLine := x.at == 0 || x.src[x.at-1] == '\n'
		switch {
		case c == '\n' || c == '\r':
			x.at += lineEnd(x.src[:x.end], x.at)
			x.bodies()
		case c == ' ' || c == '\t' || c == '\f' || c == '\v':
			x.at++
		case atLine && x.has("=begin"):
			start := x.at
			if !x.to("\n=end") {
				x.unterminated("comment", start)
			}
			x.toLineEnd()
			x.emit(commentToken, start)
		case atLine && x.has("__END__") && (x.at+7 >= x.end || lineEnd(x.src, x.at+7) > 0):
			x.at, x.unsure = x.end, true
		case c == '#':
			x.lineComment()
		case c == '"' || c == '\'' || c == '`':
			x.string(c)
		case c == '$' && !isWordByte(x.peek(1)) && x.peek(1) > ' ':
			x.at += 2
			x.emit(wordToken, x.at-2)
		case isWordByte(c):
			x.word()
		case c == ':' && strings.IndexByte("/%`<", x.peek(1)) >= 0 && x.peek(1) != 0 && x.startsSymbol():
			start := x.at
			for x.at += 2; x.peek(0) == '<' || x.peek(0) == '='; {
				x.at++ // the name of an operator
			}
			x.emit(wordToken, start)
		case c == ':' && (x.peek(1) == '"' || x.peek(1) == '\'') && x.symbol():
		case c == '?' && x.character():
		case c == '/' && x.operand(1):
			start := x.at
			x.at++
			l := &literal{}
			x.delimited(start, l, 0, '/', true)
			for x.at < x.end && x.src[x.at] >= 'a' && x.src[x.at] <= 'z' {
				x.at++
			}
			x.emitHoles(otherToken, start, l)
		case c == '%' && x.percent():
		case c == '<' && x.has("<<") && x.heredoc():
		default:
			if c == '{' {
				depth++
			} else if c == '}' {
				if depth == 0 && inHole {
					return
				}
				depth = max(0, depth-1)
			}
			x.punct()
		}
	}
	x.unsure = x.unsure || len(x.pending) > 0
	for _, h := range x.pending {
		h.lit.open = true
		h.lit.inner = ast.Span{Start: x.end, End: x.end}
	}
}

// emitHoles makes a token of a literal that is not a string, and reads its holes.
func (x *rubyLexer) emitHoles(kind tokenKind, start int, l *literal) {
	x.emit(kind, start)
	if len(l.holes) > 0 {
		x.tokens[len(x.tokens)-1].lit = l
	}
}

// string reads a literal in quotes.
func (x *rubyLexer) string(quote byte) {
	start := x.at
	x.at++
	l := &literal{dialect: rubyDouble, quote: quote, inner: ast.Span{Start: x.at}}
	if quote == '\'' {
		l.dialect = rubySingle
	}
	x.delimited(start, l, 0, quote, quote != '\'')
	if quote == '`' {
		x.emitHoles(otherToken, start, l)
		return
	}
	x.emitText(start, l)
}

// delimited reads up to a delimiter; an opening one nests. Holes are read unless the literal is
// raw.
func (x *rubyLexer) delimited(start int, l *literal, open, end byte, holes bool) {
	depth := 0
	for x.at < x.end {
		switch c := x.src[x.at]; {
		case c == '\\':
			x.at += 1 + max(1, lineEnd(x.src[:x.end], min(x.at+1, x.end)))
		case c == '#' && holes && x.hole(l):
		case c == end && depth == 0:
			l.inner.End = x.at
			x.at++
			return
		case c == end:
			depth--
			x.at++
		case open != 0 && c == open:
			depth++
			x.at++
		default:
			x.at++
		}
	}
	x.openText(start, l)
}

// hole reads #{…}, #@name or #$name.
func (x *rubyLexer) hole(l *literal) bool {
	start := x.at
	switch next := x.peek(1); {
	case next == '{' && x.depth < maxHoles:
		sub := &rubyLexer{lexer: &lexer{src: x.src, at: x.at + 2, end: x.end, depth: x.depth + 1}}
		sub.program(true)
		x.found, x.unsure = append(x.found, sub.found...), x.unsure || sub.unsure
		x.at = min(sub.at+1, x.end)
		l.holes = append(l.holes, hole{ast.Span{Start: start, End: x.at}, sub.tokens})
		return true
	case (next == '@' || next == '$') && (isWordByte(x.peek(2)) || x.peek(2) == '@'):
		for x.at += 2; x.at < x.end && (isWordByte(x.src[x.at]) || x.src[x.at] == '@'); {
			x.at++
		}
		l.holes = append(l.holes, hole{Span: ast.Span{Start: start, End: x.at}})
		return true
	}
	return false
}

// symbol reads :"…", unless the colon belongs to the key before it.
func (x *rubyLexer) symbol() bool {
	if !x.startsSymbol() {
		return false
	}
	start := x.at
	quote := x.peek(1)
	x.at += 2
	l := &literal{}
	x.delimited(start, l, 0, quote, quote == '"')
	x.emitHoles(otherToken, start, l)
	return true
}

// startsSymbol reports whether a colon begins a symbol, rather than ending a key or being one of
// two colons.
func (x *rubyLexer) startsSymbol() bool {
	t := x.last()
	return t == nil || t.End != x.at || t.kind == punctToken && x.src[t.Start] != ':'
}

// character reads ?x.
func (x *rubyLexer) character() bool {
	if !x.operand(1) || x.peek(1) <= ' ' {
		return false
	}
	n := 2
	if x.peek(1) == '\\' {
		n = 3
	}
	for x.peek(1) >= 0x80 && x.peek(n)&0xc0 == 0x80 {
		n++
	}
	if isWordByte(x.peek(n)) && x.peek(1) != '\\' {
		return false
	}
	start := x.at
	x.at = min(x.at+n, x.end)
	x.emit(otherToken, start)
	return true
}

// percent reads %q(…) and similar literals.
func (x *rubyLexer) percent() bool {
	kind, at := byte('Q'), 1
	if c := x.peek(1); c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
		if strings.IndexByte("qQwWiIrsx", c) < 0 {
			return false
		}
		kind, at = c, 2
	}
	open := x.peek(at)
	if open <= ' ' || open >= 0x7f || isWordByte(open) && (open != '$' && open != '_' || at == 1) || open == '=' && at == 1 || !x.operand(at) {
		return false
	}
	if t := x.last(); at == 1 && t != nil && t.kind == wordToken && !slices.Contains(rubyBeforeExpression, t.Text(x.src)) &&
		strings.IndexByte("([{<|!", open) < 0 {
		return false
	}
	start := x.at
	x.at += at + 1
	end, nests := open, byte(0)
	if i := strings.IndexByte("([{<", open); i >= 0 {
		end, nests = ")]}>"[i], open
	}
	l := &literal{dialect: rubyDouble, quote: end, inner: ast.Span{Start: x.at}}
	raw := strings.IndexByte("qwis", kind) >= 0
	if raw {
		l.dialect = rubySingle
	}
	if nests != 0 {
		l.dialect = l.dialect.withFreeQuote()
	}
	x.delimited(start, l, nests, end, !raw)
	switch kind {
	case 'q', 'Q':
		x.emitText(start, l)
	case 'r':
		for x.at < x.end && x.src[x.at] >= 'a' && x.src[x.at] <= 'z' {
			x.at++
		}
		x.emitHoles(otherToken, start, l)
	default:
		x.emitHoles(otherToken, start, l)
	}
	return true
}
