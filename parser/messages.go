package parser

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// syntaxError reports a token that the grammar does not allow where it is.
func (r *sourceReader) syntaxError(e ll1.SyntaxError) {
	t := r.tokens[e.Token]
	at := r.core(e.Token)
	if t.Kind == ll1.TokBadChar && r.encodingReported(at) || r.isSuppressed(at.Start) {
		r.errors++ // reported already
		return
	}
	if closing.Has(t.Kind) {
		if b := &r.brackets[at.Text(r.text)[0]]; b.misplaced > 0 {
			b.misplaced--
			r.errors++
			return
		}
	}
	if opening.Has(t.Kind) { // its closing bracket will be misplaced as well
		r.brackets[closerOf(at.Text(r.text))[0]].misplaced++
	}
	m := mistake{sourceReader: r, SyntaxError: e, kind: t.Kind}
	m.Code, m.Span = diag.SelectorInvalid, at
	if !m.explainCommon() {
		m.expected()
	}
	// The word of a call may be part of another token, as in `@*depth(1)`.
	const calls ll1.Set = 1<<ll1.TokBadTime | 1<<ll1.TokControl | 1<<ll1.TokBadWord
	if calls.Has(t.Kind) && r.follow(e.Token, ll1.TokLparen) {
		m.call = e.Token + 1
	}
	r.report(m.Diagnostic)
	if m.call > 0 {
		r.explainBrackets(m.call)
	}
}

// expected makes the message that lists what could be in place of the mistake.
func (m *mistake) expected() {
	want, found := expectation(m.SyntaxError), ", found `"+excerpt(m.Span.Text(m.src))+"`"
	switch m.kind {
	case ll1.TokEOF:
		if m.Token == 0 {
			m.explain("there is no selector", "")
			return
		}
		if open, ok := m.unclosed(m.Token); ok && m.Expected&closing != 0 {
			m.explain("`"+open+"` is never closed", "expected "+want)
			return
		}
		found = ", at the end of the selector"
	case ll1.TokDesc:
		found = ", found a blank"
	}
	m.explain("expected "+want+m.after(m.Token)+found, "")
}

// encodingReported reports whether a character has been reported as an encoding error.
func (r *sourceReader) encodingReported(at ast.Span) bool {
	return r.text[at.Start] == 0 || r.text[at.Start] == substitute && r.src[at.Start] != substitute
}

// after describes the token before another one; it is empty at the start.
func (r *sourceReader) after(token int) string {
	for token > 0 {
		token--
		if r.tokens[token].Kind != ll1.TokDesc {
			return " after `" + excerpt(r.core(token).Text(r.src)) + "`"
		}
	}
	return ""
}

// excerpt shortens a text for a message to its first line, at most 40 characters, and masks
// invisible ones.
func excerpt(s string) string {
	const limit = 40
	if len(s) <= limit && isWithin(s, ' ', '~') {
		return s
	}
	if end := strings.IndexAny(s, "\r\n"); end >= 0 {
		s = s[:end]
	}
	count := 0
	for i := range s {
		if count++; count > limit {
			s = s[:i] + "…"
			break
		}
	}
	return strings.Map(func(r rune) rune {
		if unicode.IsPrint(r) {
			return r
		}
		return utf8.RuneError
	}, s)
}

// unclosed returns the innermost bracket that is open before a token. Errors come in order, so all
// calls for one selector together pass over its tokens once.
func (r *sourceReader) unclosed(token int) (string, bool) {
	for ; r.matched < token; r.matched++ {
		switch k, n := r.tokens[r.matched].Kind, len(r.open); {
		case opening.Has(k):
			r.open = append(r.open, r.matched)
		case closing.Has(k) && n > 0:
			r.open = r.open[:n-1]
		}
	}
	n := len(r.open)
	if n == 0 {
		return "", false
	}
	return r.core(r.open[n-1]).Text(r.src), true
}

// expectation describes the tokens that could be in the position of an error.
func expectation(e ll1.SyntaxError) string {
	s := e.Expected
	var words []string
	add := func(cond bool, w string) {
		if cond {
			words = append(words, w)
		}
	}
	step := s.Has(ll1.TokType) && s.Has(ll1.TokRegion)
	add(s.Has(ll1.TokTime) && !step && !s.Has(ll1.TokControl), "an instant such as `@t-1`")
	add(step, "a step")
	add(!step && s.Has(ll1.TokString) && s.Has(ll1.TokName) && !s.Has(ll1.TokComma), "a value")
	add(!step && s.Has(ll1.TokInt) && s.Has(ll1.TokComma) && s.Has(ll1.TokLbrace), "a number")
	add(!step && s.Has(ll1.TokName) && !s.Has(ll1.TokString), "the name of an attribute")
	add(s.Has(ll1.TokEq), "an operator")
	add(!step && s.Has(ll1.TokLbrack) && s.Has(ll1.TokString) && !s.Has(ll1.TokEq), "a list")
	add(s.Has(ll1.TokGt) && s.Has(ll1.TokType) && !step ||
		s.Has(ll1.TokGt) && s.Has(ll1.TokDesc) && s.Has(ll1.TokTag), "a further step or filter")
	add(s.Has(ll1.TokDepth) && !step && !s.Has(ll1.TokName), "a depth")
	// At the first element the brackets cannot close: they must not be empty.
	first := step || s.Has(ll1.TokName) && !s.Has(ll1.TokComma)
	add(s.Has(ll1.TokComma) && !s.Has(ll1.TokGt) && !first, "`,`")
	add(s.Has(ll1.TokRparen) && !first, "`)`")
	add(s.Has(ll1.TokRbrack) && !first, "`]`")
	add(s.Has(ll1.TokRbrace) && !s.Has(ll1.TokLbrace) && !first, "`}`")
	add(s.Has(ll1.TokControl) && !s.Has(ll1.TokGt), "a control")
	add(s.Has(ll1.TokEOF) && len(words) > 0, "the end")
	switch len(words) {
	case 0:
		return "the end of the selector"
	case 1:
		return words[0]
	}
	return strings.Join(words[:len(words)-1], ", ") + " or " + words[len(words)-1]
}
