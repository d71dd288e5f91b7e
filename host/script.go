package host

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
)

var (
	typescript = &language{
		described:  describe("TypeScript"),
		lex:        func(x *lexer) { (&script{lexer: x}).read() },
		conditions: scriptConditions,
		imports:    scriptImports,
		api:        scriptAPI,
		foreign:    scriptForeign,
	}
	javascript = &language{
		described:  describe("JavaScript"),
		lex:        func(x *lexer) { (&script{lexer: x, jsx: true}).read() },
		conditions: scriptConditions,
		imports:    scriptImports,
		api:        scriptAPI,
		foreign:    scriptForeign,
	}
	scriptConditions = []string{"in", "instanceof"}
	scriptImports    = []string{"import", "from", "require"}
)

var (
	scriptString   = &dialect{name: "string", special: `\`, forbidden: `\`, escape: scriptEscape}
	scriptTemplate = &dialect{name: "template literal", special: "\\\r", forbidden: `\`, escape: scriptEscape}
)

// script reads JavaScript and TypeScript. The preceding token decides whether a slash begins a
// regular expression, and in files that may contain JSX whether < begins an element.
type script struct {
	*lexer
	jsx      bool
	failures int // unterminated elements
	regexps  int // long unterminated regular expressions
	brackets []bracket
	braces   int // how many of them are braces
	// afterClose says that an expression follows the closing bracket that was read last, as after
	// if (…), rather than an operator.
	afterClose bool
}

// bracket is an open bracket.
type bracket struct {
	open       byte
	expression bool // an expression follows the closing one
}

// beforeExpression has the words before an expression.
var beforeExpression = []string{
	"return", "typeof", "instanceof", "in", "of", "new", "delete", "void", "throw", "case", "do", "else", "yield", "await",
	"default", "extends",
}

// expression reports whether an expression begins at the current offset, rather than an operator.
func (s *script) expression() bool {
	t := s.last()
	if t == nil {
		return true
	}
	switch t.kind {
	case textToken, otherToken:
		return false
	case wordToken:
		return slices.Contains(beforeExpression, t.Text(s.src)) && !s.isMember(t)
	}
	switch c := s.src[t.Start]; c {
	case ')', '}':
		return s.afterClose
	case ']':
		return false
	case '+', '-', '!':
		// x++ / y, and x! / y in TypeScript
		return !s.isPostfix(c)
	}
	return true
}

// isMember reports whether a word follows a dot.
func (s *script) isMember(t *token) bool {
	return t.Start > 0 && s.src[t.Start-1] == '.' && (t.Start < 2 || s.src[t.Start-2] != '.')
}

// isPostfix reports whether the sign that was read last follows a value.
func (s *script) isPostfix(c byte) bool {
	n := len(s.tokens)
	i := n - 2
	if c != '!' {
		if i < 0 || s.src[s.tokens[i].Start] != c || s.tokens[i].End != s.tokens[n-1].Start {
			return false
		}
		i--
	}
	if i < 0 || strings.ContainsAny(s.src[s.tokens[i].End:s.tokens[i+1].Start], "\r\n") {
		return false
	}
	switch t := s.tokens[i]; t.kind {
	case wordToken:
		return !slices.Contains(beforeExpression, t.Text(s.src))
	case punctToken:
		return s.src[t.Start] == ')' || s.src[t.Start] == ']'
	}
	return false
}

// read reads a program.
func (s *script) read() {
	s.program(false)
	s.unsure = s.failures+s.regexps > 0
}

// program reads tokens up to the end or, in a hole, up to the brace that closes it.
func (s *script) program(hole bool) {
	base, braces := len(s.brackets), s.braces
	for s.at < s.end {
		c := s.src[s.at]
		switch {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r' || c == '\f' || c == '\v':
			s.at++
		case c == '#' && s.at == 0 && s.has("#!"):
			s.lineComment()
		case c == '/' && s.peek(1) == '/':
			s.lineComment()
		case c == '/' && s.peek(1) == '*':
			s.blockComment(false)
		case c == '/' && s.expression() && s.regexp():
		case c == '"' || c == '\'':
			start := s.at
			s.at++
			s.emitText(start, s.quoted(start, s.src[start:start+1], scriptString, true, false))
		case c == '`':
			s.template()
		case isWordByte(c):
			s.word()
		case c == '<' && s.jsx && s.expression() && s.element():
		case c == '(' || c == '[' || c == '{':
			s.brackets = append(s.brackets, bracket{c, s.leads(c)})
			if c == '{' {
				s.braces++
			}
			s.punct()
		case c == ')' || c == ']' || c == '}':
			if hole && c == '}' && s.braces == braces {
				s.brackets = s.brackets[:base]
				return
			}
			s.close(c, base)
			s.punct()
		default:
			s.punct()
		}
	}
}

// close removes from the open brackets the one that a closing bracket matches, and those inside it.
func (s *script) close(c byte, base int) {
	open := map[byte]byte{')': '(', ']': '[', '}': '{'}[c]
	s.afterClose = c == '}'
	for i := len(s.brackets) - 1; i >= max(base, len(s.brackets)-maxUnclosed); i-- {
		if s.brackets[i].open == open {
			s.afterClose = s.brackets[i].expression
			for _, b := range s.brackets[i:] {
				if b.open == '{' {
					s.braces--
				}
			}
			s.brackets = s.brackets[:i]
			return
		}
	}
}

// leads reports whether an expression follows the bracket that closes the current one.
func (s *script) leads(open byte) bool {
	t := s.last()
	switch {
	case open == '[':
		return false
	case open == '(':
		return t != nil && t.kind == wordToken && !s.isMember(t) &&
			slices.Contains([]string{"if", "while", "for", "with", "await"}, t.Text(s.src))
	case t == nil:
		return true
	case t.kind == wordToken:
		word := t.Text(s.src)
		return word == "else" || word == "do" || !slices.Contains(beforeExpression, word)
	case t.kind != punctToken:
		return true
	}
	switch s.src[t.Start] {
	case ')', ']', '}', ';', '{':
		return true
	case '>':
		return t.Start > 0 && s.src[t.Start-1] == '=' // the body of an arrow function
	}
	return false
}

// longRegexp limits the search for the end of a regular expression to this many bytes, once
// maxFailures longer searches have found none.
const longRegexp = 1000

// regexp reads a regular expression, unless the line ends before it does.
func (s *script) regexp() bool {
	class, end := false, s.end
	if s.regexps >= maxFailures {
		end = min(end, s.at+longRegexp)
	}
	for i := s.at + 1; ; i++ {
		if i >= end || s.src[i] == '\n' || s.src[i] == '\r' {
			if i > s.at+longRegexp {
				s.regexps++
			}
			return false
		}
		switch c := s.src[i]; {
		case c == '\\':
			i++
			if i < s.end && (s.src[i] == '\n' || s.src[i] == '\r') {
				return false
			}
		case c == '[':
			class = true
		case c == ']':
			class = false
		case c == '/' && !class:
			start := s.at
			for i++; i < s.end && isWordByte(s.src[i]); {
				i++
			}
			s.at = i
			s.emit(otherToken, start)
			return true
		}
	}
}

// template reads a template literal.
func (s *script) template() {
	start := s.at
	s.at++
	l := &literal{dialect: scriptTemplate, quote: '`', inner: ast.Span{Start: s.at}}
	for s.at < s.end {
		switch c := s.src[s.at]; {
		case c == '\\':
			s.at += 2
		case c == '`':
			l.inner.End = s.at
			s.at++
			s.emitText(start, l)
			return
		case c == '$' && s.peek(1) == '{' && s.depth < maxHoles:
			at := s.at
			sub := &script{lexer: &lexer{src: s.src, at: s.at + 2, end: s.end, depth: s.depth + 1}, jsx: s.jsx}
			sub.program(true)
			s.found = append(s.found, sub.found...)
			s.at = min(sub.at+1, s.end)
			l.holes = append(l.holes, hole{ast.Span{Start: at, End: s.at}, sub.tokens})
		default:
			s.at++
		}
	}
	s.emitText(start, s.openText(start, l))
}

// maxFailures is how many elements may be unterminated before < is taken as an operator in the rest
// of a file.
const maxFailures = 8

// element reads a JSX element. It returns false if none begins here.
func (s *script) element() bool {
	next := s.peek(1)
	if s.failures >= maxFailures || next != '>' && !isNameStart(next) || s.isTypeParameter() {
		return false
	}
	at, tokens, found, brackets, braces := s.at, len(s.tokens), len(s.found), len(s.brackets), s.braces
	ok := s.readElement()
	if !ok {
		s.failures++
		s.at, s.tokens, s.found = at, s.tokens[:tokens], s.found[:found]
		s.brackets, s.braces = s.brackets[:brackets], braces
	}
	return ok
}

func isNameStart(c byte) bool { return isWordByte(c) && (c < '0' || c > '9') }

// isTypeParameter distinguishes <T,>(x) => … and <T extends U>(x) => … from elements.
func (s *script) isTypeParameter() bool {
	rest := s.src[s.at+1 : min(s.end, s.at+200)]
	rest = strings.TrimLeft(strings.TrimLeftFunc(rest, func(r rune) bool { return r > 0x7f || isWordByte(byte(r)) }), " \t")
	return strings.HasPrefix(rest, ",") || strings.HasPrefix(rest, "extends ") || strings.HasPrefix(rest, "=")
}

// readElement reads an element with its children. It returns false if the element is unterminated.
func (s *script) readElement() bool {
	if s.depth >= maxHoles {
		return false
	}
	s.depth++
	defer func() { s.depth-- }()
	s.punct()
	s.tagName()
	for s.at < s.end {
		switch c := s.src[s.at]; {
		case c == ' ' || c == '\t' || c == '\n' || c == '\r':
			s.at++
		case c == '/' && s.peek(1) == '*':
			s.blockComment(false)
		case c == '/' && s.peek(1) == '/':
			s.lineComment()
		case c == '/' && s.peek(1) == '>':
			s.punct()
			s.punct()
			return true
		case c == '>':
			s.punct()
			return s.children()
		case c == '{':
			if !s.braced() {
				return false
			}
		case c == '"' || c == '\'':
			start := s.at
			s.at++
			if !s.to(s.src[start : start+1]) {
				return false
			}
			s.emit(otherToken, start)
		case c == '<':
			if !s.readElement() {
				return false
			}
		case isWordByte(c):
			s.tagName()
		case c == '=' || c == ':' || c == '.' || c == '-':
			s.punct()
		default:
			return false
		}
	}
	return false
}

// tagName reads the name of an element or of an attribute.
func (s *script) tagName() {
	start := s.at
	for s.at < s.end && (isWordByte(s.src[s.at]) || strings.IndexByte("-.:", s.src[s.at]) >= 0) {
		s.at++
	}
	if s.at > start {
		s.emit(wordToken, start)
	}
}

// braced reads an expression in braces.
func (s *script) braced() bool {
	s.punct()
	s.program(true)
	if s.peek(0) != '}' || s.at >= s.end {
		return false
	}
	s.punct()
	return true
}

// children reads the content of an element, and its closing tag.
func (s *script) children() bool {
	for s.at < s.end {
		start := s.at
		i := strings.IndexAny(s.src[s.at:s.end], "<{")
		if i < 0 {
			return false
		}
		if s.at += i; i > 0 {
			s.emit(otherToken, start)
		}
		switch {
		case s.src[s.at] == '{':
			if !s.braced() {
				return false
			}
		case s.peek(1) == '/':
			s.punct()
			s.punct()
			for s.at < s.end && s.src[s.at] != '>' {
				if isNameStart(s.src[s.at]) {
					s.tagName()
				} else {
					s.at++
				}
			}
			if s.at == s.end {
				return false
			}
			s.punct()
			return true
		default:
			if !s.readElement() {
				return false
			}
		}
	}
	return false
}

// scriptEscape reads the escapes of strings and template literals.
func scriptEscape(src string, at int, l *literal) (string, int, bool) {
	if src[at] == '\r' {
		return crlf(src, at)
	}
	if text, n, ok := simpleEscape(src, at, `bfnrtv`); ok {
		return text, n, ok
	}
	if at+1 >= len(src) {
		return "", 1, false
	}
	switch c := src[at+1]; {
	case c == '\n' || c == '\r':
		return "", 1 + lineEnd(src, at+1), true
	case strings.HasPrefix(src[at+1:], "\u2028"), strings.HasPrefix(src[at+1:], "\u2029"):
		return "", 1 + len("\u2028"), true
	case c == 'x':
		return fixedDigits(src, at, 2, 2, 16)
	case c == 'u' && strings.HasPrefix(src[at+2:], "{"):
		return bracedDigits(src, at, 3, 16)
	case c == 'u':
		return utf16Escape(src, at)
	case c >= '0' && c <= '7':
		n := 3
		if c > '3' {
			n = 2
		}
		value, n := digits(src, at+1, n, 8)
		if l.quote == '`' && (n > 1 || value != 0) {
			return "", 1 + n, false
		}
		return string(value), 1 + n, true
	}
	_, n := utf8.DecodeRuneInString(src[at+1:])
	return src[at+1 : at+1+n], 1 + n, true
}
