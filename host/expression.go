package host

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// take makes a region from the tokens of an expression. It reports an expression with a string that
// is not constant. It ignores an expression without a string, and returns false.
func (s *scope) take(i, to int, c claim) bool {
	literals, next := s.constant(i, to, 0)
	for next < to && len(literals) > 0 && s.tokens[next].kind != punctToken && !slices.Contains(s.conditions, s.text(next)) {
		to = next // incomplete code: what follows the string is not part of the expression
	}
	if len(literals) == 0 || next < to {
		return s.dynamic(i, to, len(literals) > 0, c)
	}
	s.region(literals, c)
	return true
}

// constant reads concatenated strings, in parentheses or not, and returns the index after them.
// depth counts the parentheses around them; those beyond maxHoles are not entered.
func (s *scope) constant(i, to, depth int) ([]token, int) {
	var out []token
	for i < to {
		switch {
		case s.tokens[i].kind == textToken:
			if len(out) > 0 && s.tokens[i-1].kind == textToken && !s.adjacent {
				return out, i
			}
			out = append(out, s.tokens[i])
			i++
		case s.is(i, '(') && depth < maxHoles && (len(out) == 0 || s.is(i-1, '+')):
			inner, next := s.constant(i+1, min(s.closing[i], to), depth+1)
			if len(inner) == 0 || next != s.closing[i] {
				return nil, i
			}
			out = append(out, inner...)
			i = next + 1
		case s.is(i, '+') && len(out) > 0 && i+1 < to && (s.tokens[i+1].kind == textToken || s.is(i+1, '(')):
			i++
		case s.is(i, '\\') && len(out) > 0 && i+1 < to:
			i++
		default:
			return out, i
		}
	}
	return out, i
}

// dynamic reports an expression that makes a string at run time. It returns false for an expression
// that makes no string.
func (s *scope) dynamic(i, to int, begins bool, c claim) bool {
	hasText := begins
	for j := i; j < to && !hasText; j++ {
		if s.tokens[j].kind == textToken {
			hasText = s.is(j-1, '+') || s.is(j+1, '+')
		} else if c := s.closing[j]; c > j {
			j = c
		}
	}
	if hasText {
		s.report(ast.Span{Start: s.tokens[i].Start, End: s.tokens[min(to, len(s.tokens))-1].End}, c)
	}
	return hasText
}

// report reports a string that is not constant. For an untyped marker it does so only if something
// shows that the string is written for PACT.
func (s *scope) report(at ast.Span, c claim) {
	d := diag.Diagnostic{
		Code: Dynamic, Severity: diag.Info, Span: at,
		Message: "the program builds this selector at run time, so it is neither checked nor formatted",
		Hint:    "move what varies out of the selector, or write out each selector",
	}
	switch {
	case c.optional: // the name alone says nothing
	case c.untyped:
		s.file.unsure = append(s.file.unsure, d)
	default:
		s.file.Diagnostics = append(s.file.Diagnostics, d)
	}
}

// region makes a region from consecutive literals.
func (s *scope) region(literals []token, c claim) {
	if len(literals) > 1 && slices.ContainsFunc(literals, func(t token) bool { return t.lit.detached }) {
		s.report(ast.Span{Start: literals[0].Start, End: literals[len(literals)-1].End}, c)
		return // its parts are not consecutive in the file
	}
	b := builder{src: s.src}
	for _, t := range literals {
		t.lit.text(&b)
	}
	first, last := literals[0].lit, literals[len(literals)-1].lit
	r := Region{
		Span: ast.Span{Start: first.inner.Start, End: last.inner.End},
		Text: string(b.text), Form: c.form, Proof: c.proof, claim: c, src: s.src, pieces: b.done(first.inner.Start),
	}
	switch {
	case b.holes:
		r.Kind = Holed
		s.report(ast.Span{Start: literals[0].Start, End: literals[len(literals)-1].End}, c)
	case len(literals) > 1:
		r.Kind, r.Fixed = Folded, "it is concatenated from several strings"
	case first.open:
		r.Kind, r.Fixed = Folded, "its string is unterminated"
	case s.nested > 0 && s.quoteEndsHole:
		r.Kind, r.Fixed = Folded, "it is inside another string"
	}
	r.spelling, r.token = first, literals[0].Span
	if !first.detached {
		r.reread = s.rereadLiteral
	}
	s.file.Regions = append(s.file.Regions, r)
}

// maxCommentGap is how many bytes there may be between a comment and the string that it marks.
const maxCommentGap = 4096

// searchComments takes the strings that comments mark: the one right after the comment or, if the
// comment is alone on its lines, the first that begins on the next line.
func (s *scope) searchComments() {
	next := 0 // the first token after the comment
	for i, c := range s.all {
		if c.kind != commentToken {
			continue
		}
		for next < len(s.tokens) && s.tokens[next].Start < c.End {
			next++
		}
		if !s.markers.marksComment(c.Text(s.src)) {
			continue
		}
		if next == len(s.tokens) {
			s.over = true
			break
		}
		j := next
		between := s.src[c.End:s.tokens[j].Start]
		if len(between) > maxCommentGap {
			continue
		}
		if strings.ContainsAny(between, "\r\n") || strings.HasSuffix(c.Text(s.src), "\n") {
			if i > 0 && !strings.ContainsAny(s.src[s.all[i-1].End:c.Start], "\r\n") {
				continue // it is about its own line
			}
			for j < min(len(s.tokens), next+maxLine) && (s.tokens[j].kind != textToken || s.isKeyed(j)) && (j == next || s.sameLine(j-1, j)) {
				j++
			}
			s.over = s.over || j == len(s.tokens)
			if j == len(s.tokens) || s.tokens[j].kind != textToken || j > next && !s.sameLine(j-1, j) {
				continue
			}
		} else if s.is(j, '(') {
			j++
			s.over = s.over || j == len(s.tokens)
		}
		if j < len(s.tokens) && s.tokens[j].kind == textToken {
			s.take(j, s.expressionEnd(j), commentClaim(c.Text(s.src)))
		}
	}
}

// isKeyed reports whether a string is the key of a value: { "a": … }, or "a" = … in TOML.
func (s *scope) isKeyed(i int) bool {
	switch {
	case s.is(i-1, '?'):
		return false
	case s.is(i+1, '='):
		return s.language == tomlFile.language
	}
	return s.is(i+1, ':') && !s.is(i+2, ':')
}

// expressionEnd returns the index after a run of strings and, if there is one, after an operator
// that makes them depend on something else.
func (s *scope) expressionEnd(i int) int {
	_, next := s.constant(i, len(s.tokens), 0)
	if next < len(s.tokens) && (s.is(next, '+') || s.is(next, '%')) && next+1 < len(s.tokens) {
		return next + 2
	}
	if s.is(next, '.') && next+1 < len(s.tokens) && slices.Contains([]string{"format", "concat", "formatted"}, s.text(next+1)) {
		return next + 2
	}
	return next
}

// rereadLiteral decodes a text that should be one literal of the language and nothing else.
func (l *language) rereadLiteral(text string) (string, bool) {
	tokens, found := l.tokens(text)
	if len(found) > 0 || len(tokens) != 1 || tokens[0].kind != textToken || tokens[0].Len() != len(text) {
		return "", false
	}
	b := builder{src: text}
	tokens[0].lit.text(&b)
	return string(b.text), !b.holes
}
