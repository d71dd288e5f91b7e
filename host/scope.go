package host

import (
	"slices"
	"strings"
)

// scope is one list of tokens.
type scope struct {
	*codeFinder
	all      []token
	comments bool
	tokens   []token // without comments
	closing  []int   // by the index of an opening bracket: that of its closing one, or the number of tokens
	unclosed int     // how many brackets are not closed
	braces   braces  // of a program: those that are not balanced in it
}

func (s *scope) text(i int) string { return s.tokens[i].Text(s.src) }

// is reports whether a token is a given one-byte punctuation.
func (s *scope) is(i int, c byte) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == punctToken && s.tokens[i].Len() == 1 && s.src[s.tokens[i].Start] == c
}

// pair finds the closing brackets. One that matches no open bracket closes nothing; one that
// matches an outer bracket closes the inner ones too.
func (s *scope) pair() {
	s.closing = make([]int, len(s.tokens))
	if s.nested == 0 {
		s.braces = braces{before: s.codeFinder.open}
	}
	before := s.braces.before // how many of those are open
	var open []int
tokens:
	for i, t := range s.tokens {
		if t.kind != punctToken || t.Len() != 1 {
			continue
		}
		var opening byte
		switch s.src[t.Start] {
		case '(', '[', '{':
			open = append(open, i)
			continue
		case ')':
			opening = '('
		case ']':
			opening = '['
		case '}':
			opening = '{'
		default:
			continue
		}
		for n := len(open) - 1; n >= 0 && n >= len(open)-maxUnclosed; n-- {
			if s.src[s.tokens[open[n]].Start] == opening {
				for _, j := range open[n:] {
					s.closing[j] = i
				}
				open = open[:n]
				continue tokens
			}
		}
		if opening != '{' || len(open) >= maxUnclosed {
			continue
		}
		if before == 0 {
			s.braces.unmatched = true
			continue
		}
		for _, j := range open {
			s.closing[j] = i
		}
		open, before = open[:0], before-1
		s.braces.closed++
	}
	for _, j := range open {
		s.closing[j] = len(s.tokens)
		if s.src[s.tokens[j].Start] == '{' {
			s.braces.opened++
		}
	}
	s.unclosed = len(open)
}

// maxUnclosed is how many brackets one closing bracket can close at once.
const maxUnclosed = 64

// word checks whether a word is a call or a tag.
func (s *scope) word(i int, t token) {
	name := t.Text(s.src)
	if s.markers.tags[name] && i+1 < len(s.tokens) && s.tokens[i+1].kind == textToken &&
		s.tokens[i+1].Start == t.End && s.src[t.End] == '`' {
		c := marked(ByTag)
		c.bare = name == bareWord
		s.take(i+1, i+2, c)
		return
	}
	if !s.calls {
		return
	}
	patterns, ours := s.markers.calls[name], s.api.calls(name)
	if len(patterns)+len(ours) == 0 {
		return
	}
	open, end := s.arguments(i + 1)
	if open < 0 {
		return
	}
	for _, list := range [][]callPattern{patterns, ours} {
		for _, p := range list {
			if p.anywhere || s.receiver(i, p.receiver) {
				s.arg(open, end, p, t.Start)
			}
		}
	}
}

// receiver reports whether the receiver before a name matches a pattern.
func (s *scope) receiver(i int, want []string) bool {
	if s.is(i-1, '>') && !s.is(i-2, '-') { // x.<T>name in Java
		for j := i - 2; j > max(0, i-32); j-- {
			if s.is(j, '<') && s.is(j-1, '.') {
				i = j
				break
			}
		}
	}
	before := s.selects(i - 1)
	if len(want) == 0 {
		return before == i-1 && !s.isDeclared(i)
	}
	for n := len(want) - 1; n >= 0; n-- {
		if before == i-1 {
			return false
		}
		if want[n] == "*" {
			return true
		}
		if before < 0 || s.tokens[before].kind != wordToken || s.text(before) != want[n] {
			return false
		}
		i, before = before, s.selects(before-1)
	}
	return true
}

// isDeclared reports whether the name at i is being declared rather than called.
func (s *scope) isDeclared(i int) bool {
	if i == 0 || s.tokens[i-1].kind != wordToken {
		return false
	}
	return slices.Contains(declaring, s.text(i-1))
}

// declaring has the words before a name that is declared.
var declaring = []string{"func", "def", "function", "fn"}

// selects returns the index before the operator that selects a member and whose last token is i: .
// ?. &. :: or ->. It returns i if the token is not such an operator.
func (s *scope) selects(i int) int {
	switch {
	case i < 0:
	case s.is(i, '.') && (s.is(i-1, '?') || s.is(i-1, '&') || s.is(i-1, '!')):
		return i - 2
	case s.is(i, '.'):
		return i - 1
	case s.is(i, ':') && s.is(i-1, ':'), s.is(i, '>') && s.is(i-1, '-'):
		return i - 2
	case s.tokens[i].kind == punctToken && (s.text(i) == "?." || s.text(i) == "::"):
		return i - 1
	}
	return i
}

// arguments finds the arguments of the call of a name: open is the index of their first token, end
// the index after the last. open is negative if the name is not called.
func (s *scope) arguments(i int) (open, end int) {
	if s.is(i, '!') || s.is(i, '?') && s.is(i+1, '.') && s.is(i+2, '(') {
		i++
		if s.is(i, '.') {
			i++
		}
	}
	if s.is(i, ':') && s.is(i+1, ':') && s.is(i+2, '<') {
		i += 2
	}
	if s.is(i, '<') {
		i = s.afterTypes(i)
	} else if s.is(i, '[') && s.is(s.closing[i]+1, '(') {
		i = s.closing[i] + 1 // type arguments of Go
	}
	switch {
	case s.is(i, '('):
		return i + 1, s.closing[i]
	case s.bare && i < len(s.tokens) && s.sameLine(i-1, i) && s.tokens[i].Start > s.tokens[i-1].End &&
		(s.tokens[i].kind == textToken || s.tokens[i].kind == wordToken):
		return i, s.endOfLine(i)
	}
	return -1, -1
}

// afterTypes skips type arguments in angle brackets, or returns the index it was given.
func (s *scope) afterTypes(i int) int {
	depth := 0
	for j := i; j < len(s.tokens) && j < i+64; j++ {
		switch {
		case s.is(j, '<'):
			depth++
		case s.is(j, '>'):
			depth--
			if depth == 0 {
				return j + 1
			}
		case s.is(j, '('), s.is(j, ';'), s.is(j, '{'):
			return i
		}
	}
	return i
}

func (s *scope) sameLine(i, j int) bool {
	return !strings.ContainsAny(s.src[s.tokens[i].End:s.tokens[j].Start], "\r\n")
}

// maxLine is how many tokens of a line are searched for the end of an expression, or for the string
// that a comment marks.
const maxLine = 200

// endOfLine returns the index after the last token of an expression without parentheses.
func (s *scope) endOfLine(i int) int {
	for last := i + maxLine; i < min(last, len(s.tokens)); {
		if c := s.closing[i]; c > i {
			i = c
		}
		i++
		if i >= len(s.tokens) || !s.sameLine(i-1, i) && !s.is(i-1, ',') && !s.is(i-1, '\\') || s.is(i, ';') || s.is(i, '}') || s.is(i, ')') {
			break
		}
	}
	return min(i, len(s.tokens))
}

// arg takes, from the arguments between two tokens, the first string that a pattern names.
func (s *scope) arg(i, end int, p callPattern, callee int) {
	c := claim{form: p.form, untyped: p.untyped, proof: ByPattern, optional: p.optional, likely: p.likely, callee: callee}
	if p.untyped {
		c.proof = NoImport
	}
	most := 0
	if len(p.numbers) > 0 {
		most = slices.Max(p.numbers)
	}
	if len(p.names) > 0 {
		most = maxArguments
	}
	for number := 1; i < end && number <= most; number++ {
		to := i
		for to < end && !s.is(to, ',') {
			if s.is(to, ')') || s.is(to, ']') || s.is(to, '}') {
				end = to
				break
			}
			if c := s.closing[to]; c > to {
				to = min(c, end-1)
			}
			to++
		}
		name, value := s.named(i, to)
		switch {
		case name != "" && slices.Contains(p.names, name), name == "" && slices.Contains(p.numbers, number):
			if s.take(value, to, c) {
				return
			}
		}
		i = to + 1
	}
}

// maxArguments is how many arguments are searched for a named one.
const maxArguments = 50

// named splits a named argument: name = value, name: value, :name => value.
func (s *scope) named(i, to int) (string, int) {
	switch {
	case i+2 < to && s.tokens[i].kind == wordToken && s.is(i+1, '=') && !s.is(i+2, '='):
		return s.text(i), i + 2
	case i+2 < to && s.tokens[i].kind == wordToken && s.is(i+1, ':') && !s.is(i+2, ':'):
		return s.text(i), i + 2
	case i+4 < to && s.is(i, ':') && s.tokens[i+1].kind == wordToken && s.is(i+2, '=') && s.is(i+3, '>'):
		return s.text(i + 1), i + 4
	}
	return "", i
}
