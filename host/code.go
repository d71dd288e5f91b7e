package host

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
)

// language is the host of a programming language.
type language struct {
	name       string
	extensions []string
	fences     []string // the names that code blocks give it
	lex        func(x *lexer)
	// adjacent says that strings which follow each other are one.
	adjacent bool
	// bare says that a call needs no parentheses around its arguments.
	bare bool
	// frail says that some versions of the language allow no quotes of a string inside its holes.
	frail bool
	// imports are the words that begin an import; dotted says that the module behind them is written without quotes.
	imports []string
	dotted  bool
	// conditions are the words that join a string with other values on its line.
	conditions []string
}

func (l *language) Name() string { return l.name }

func (l *language) Extensions() []string { return l.extensions }

func (l *language) tokens(src string) ([]token, []diag.Diagnostic) {
	x := &lexer{src: src, end: len(src), tokens: make([]token, 0, len(src)/5+8)}
	x.skipBOM()
	l.lex(x)
	return x.tokens, x.found
}

func (l *language) Find(src string, m *Markers) File {
	if m == nil {
		m = DefaultMarkers()
	}
	may, inContext := m.mayMark(src)
	if !may {
		return File{}
	}
	tokens, found := l.tokens(src)
	f := codeFinder{language: l, src: src, markers: m, calls: inContext}
	f.file.Diagnostics = found
	f.search(tokens)
	f.judge(tokens)
	f.sort()
	return f.file
}

func (l *language) outline(src string) []mark {
	tokens, _ := l.tokens(src)
	out := appendMarks(nil, tokens)
	slices.SortStableFunc(out, func(a, b mark) int { return a.Start - b.Start }) // holes of heredocs
	return out
}

func appendMarks(out []mark, tokens []token) []mark {
	for _, t := range tokens {
		out = append(out, mark{t.Span, byte(t.kind)})
		if t.lit != nil {
			for _, h := range t.lit.holes {
				out = appendMarks(out, h.tokens)
			}
		}
	}
	return out
}

// codeFinder looks for markers among the tokens of a program.
type codeFinder struct {
	*language
	src     string
	markers *Markers
	calls   bool              // calls count
	nested  int               // holes around the tokens that are searched
	proven  bool              // see [File]
	unsure  []diag.Diagnostic // about strings behind untyped markers
	file    File
}

// sort puts the findings in order, each string once: the marker that allows most decides.
func (f *codeFinder) sort() {
	diag.Sort(f.file.Diagnostics)
	f.file.Diagnostics = slices.CompactFunc(f.file.Diagnostics, func(a, b diag.Diagnostic) bool {
		return a.Span == b.Span && a.Code == b.Code
	})
	slices.SortFunc(f.file.Comments, func(a, b ast.Span) int { return a.Start - b.Start })
	slices.SortStableFunc(f.file.Regions, func(a, b Region) int { return cmp.Or(a.Start-b.Start, cmp.Compare(a.Kind, b.Kind)) })
	end := -1
	f.file.Regions = slices.DeleteFunc(f.file.Regions, func(r Region) bool {
		if r.Start < end || r.Start == end && r.Len() == 0 {
			return true
		}
		if r.Kind != Holed {
			end = max(end, r.End)
		}
		return false
	})
}

// search looks through the tokens of a program or of a hole.
func (f *codeFinder) search(tokens []token) {
	s := scope{codeFinder: f, all: tokens}
	for _, t := range tokens {
		if t.kind == commentToken {
			s.comments = true
			if strings.Contains(t.Text(f.src), Directive) {
				f.file.Comments = append(f.file.Comments, t.Span)
			}
		}
		if t.lit != nil {
			f.nested++
			for _, h := range t.lit.holes {
				f.search(h.tokens)
			}
			f.nested--
		}
	}
	s.tokens = tokens
	if s.comments {
		s.tokens = slices.DeleteFunc(slices.Clone(tokens), func(t token) bool { return t.kind == commentToken })
	}
	s.pair()
	for i, t := range s.tokens {
		if t.kind == wordToken {
			s.word(i, t)
		}
	}
	if s.comments {
		s.searchComments()
	}
}

// scope is one list of tokens.
type scope struct {
	*codeFinder
	all      []token
	comments bool
	tokens   []token // without comments
	closing  []int   // for the index of an opening bracket, that of its closing one, or the number of tokens
}

func (s *scope) text(i int) string { return s.tokens[i].Text(s.src) }

// is reports whether a token is a certain punctuation of one byte.
func (s *scope) is(i int, c byte) bool {
	return i >= 0 && i < len(s.tokens) && s.tokens[i].kind == punctToken && s.tokens[i].Len() == 1 && s.src[s.tokens[i].Start] == c
}

// pair finds the closing brackets. One that fits none of the open brackets closes nothing; one that fits an outer
// bracket closes the inner ones too.
func (s *scope) pair() {
	s.closing = make([]int, len(s.tokens))
	var open []int
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
				break
			}
		}
	}
	for _, j := range open {
		s.closing[j] = len(s.tokens)
	}
}

// maxUnclosed is how many brackets one closing bracket can close at once.
const maxUnclosed = 64

// word looks whether a word is a call or a tag.
func (s *scope) word(i int, t token) {
	name := t.Text(s.src)
	if s.markers.tags[name] && i+1 < len(s.tokens) && s.tokens[i+1].kind == textToken &&
		s.tokens[i+1].Start == t.End && s.src[t.End] == '`' {
		s.take(i+1, i+2, Selector, false)
		return
	}
	if !s.calls {
		return
	}
	patterns := s.markers.calls[name]
	if len(patterns) == 0 {
		return
	}
	open, end := s.arguments(i + 1)
	if open < 0 {
		return
	}
	for _, p := range patterns {
		if s.receiver(i, p.receiver) {
			s.arg(open, end, p)
		}
	}
}

// receiver reports whether what stands before a name is what a pattern asks for.
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
	return slices.Contains([]string{"func", "def", "function", "fn"}, s.text(i-1))
}

// selects passes back over the operator that selects a member, whose last token is i: . ?. &. :: or ->. It returns
// i when there is none.
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

// arguments finds the arguments behind the name of what is called, from the first token to the one behind the last;
// open is negative when there is no call.
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
		i = s.behindTypes(i)
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

// behindTypes passes over type arguments in angle brackets, or returns the index it was given.
func (s *scope) behindTypes(i int) int {
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

// maxLine is how many tokens of a line are searched for the end of an expression, or for the string that a comment
// marks.
const maxLine = 200

// endOfLine is the index behind the last token of an expression without parentheses.
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

// arg takes the first of the arguments between two tokens that a pattern names and that is a string.
func (s *scope) arg(i, end int, p callPattern) {
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
			if s.take(value, to, p.form, p.untyped) {
				return
			}
		}
		i = to + 1
	}
}

// maxArguments is how many arguments are searched for one by its name.
const maxArguments = 50

// named splits an argument that is given by name: name = value, name: value, :name => value.
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

// take makes a region of the tokens of an expression. One with a string that is no constant is reported, one
// without a string is none of our business, and the answer is false.
func (s *scope) take(i, to int, form Form, untyped bool) bool {
	literals, next := s.constant(i, to)
	for next < to && len(literals) > 0 && s.tokens[next].kind != punctToken && !slices.Contains(s.conditions, s.text(next)) {
		to = next // code without an end: the string is followed by what is no part of it
	}
	if len(literals) == 0 || next < to {
		return s.dynamic(i, to, len(literals) > 0, untyped)
	}
	s.region(literals, form, untyped)
	return true
}

// constant reads strings that are joined, in parentheses or not, and returns the index behind them.
func (s *scope) constant(i, to int) ([]token, int) {
	var out []token
	for i < to {
		switch {
		case s.tokens[i].kind == textToken:
			if len(out) > 0 && s.tokens[i-1].kind == textToken && !s.adjacent {
				return out, i
			}
			out = append(out, s.tokens[i])
			i++
		case s.is(i, '(') && (len(out) == 0 || s.is(i-1, '+')):
			inner, next := s.constant(i+1, min(s.closing[i], to))
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

// dynamic reports an expression that makes a string when it is run, and whether it is one.
func (s *scope) dynamic(i, to int, begins, untyped bool) bool {
	hasText := begins
	for j := i; j < to && !hasText; j++ {
		if s.tokens[j].kind == textToken {
			hasText = s.is(j-1, '+') || s.is(j+1, '+')
		} else if c := s.closing[j]; c > j {
			j = c
		}
	}
	if hasText {
		s.report(ast.Span{Start: s.tokens[i].Start, End: s.tokens[min(to, len(s.tokens))-1].End}, untyped)
	}
	return hasText
}

// report reports a string that is no constant. Behind an untyped marker that is worth a word only where something proves
// that it is written for PACT.
func (s *scope) report(at ast.Span, untyped bool) {
	d := diag.Diagnostic{
		Code: Dynamic, Severity: diag.Info, Span: at,
		Message: "this selector is made when the program runs, so that it is neither checked nor formatted",
		Hint:    "put what varies outside the selector, or write the selectors out",
	}
	if untyped {
		s.unsure = append(s.unsure, d)
	} else {
		s.file.Diagnostics = append(s.file.Diagnostics, d)
	}
}

// region makes a region of literals that follow each other.
func (s *scope) region(literals []token, form Form, untyped bool) {
	if len(literals) > 1 && slices.ContainsFunc(literals, func(t token) bool { return t.lit.detached }) {
		s.report(ast.Span{Start: literals[0].Start, End: literals[len(literals)-1].End}, untyped)
		return // its parts do not follow each other in the file
	}
	b := builder{src: s.src}
	for _, t := range literals {
		t.lit.text(&b)
	}
	first, last := literals[0].lit, literals[len(literals)-1].lit
	r := Region{
		Span: ast.Span{Start: first.inner.Start, End: last.inner.End},
		Text: string(b.text), Form: form, untyped: untyped, src: s.src, pieces: b.done(first.inner.Start),
	}
	switch {
	case b.holes:
		r.Kind = Holed
		s.report(ast.Span{Start: literals[0].Start, End: literals[len(literals)-1].End}, untyped && !provesPACT(r.Text))
	case len(literals) > 1:
		r.Kind, r.Fixed = Folded, "it is put together from several strings"
	case first.open:
		r.Kind, r.Fixed = Folded, "its string has no end"
	case s.nested > 0 && s.frail:
		r.Kind, r.Fixed = Folded, "it stands inside another string"
	}
	r.spelling, r.token = first, literals[0].Span
	if !first.detached {
		r.reread = s.rereadLiteral
	}
	s.file.Regions = append(s.file.Regions, r)
}

// maxRemark is how many bytes may stand between a comment and what it marks.
const maxRemark = 4096

// searchComments takes the strings that comments mark: the one right behind the comment, or, when the comment is
// all that stands on its lines, the first that begins on the next line.
func (s *scope) searchComments() {
	next := 0 // the first of the tokens behind the comment
	for i, c := range s.all {
		if c.kind != commentToken {
			continue
		}
		for next < len(s.tokens) && s.tokens[next].Start < c.End {
			next++
		}
		if next == len(s.tokens) || !s.markers.marksComment(c.Text(s.src)) {
			continue
		}
		j := next
		between := s.src[c.End:s.tokens[j].Start]
		if len(between) > maxRemark {
			continue
		}
		if strings.ContainsAny(between, "\r\n") || strings.HasSuffix(c.Text(s.src), "\n") {
			if i > 0 && !strings.ContainsAny(s.src[s.all[i-1].End:c.Start], "\r\n") {
				continue // a remark about its own line
			}
			for j < min(len(s.tokens), next+maxLine) && s.tokens[j].kind != textToken && (j == next || s.sameLine(j-1, j)) {
				j++
			}
			if j == len(s.tokens) || s.tokens[j].kind != textToken || j > next && !s.sameLine(j-1, j) {
				continue
			}
		} else if s.is(j, '(') {
			j++
		}
		if j < len(s.tokens) && s.tokens[j].kind == textToken {
			s.take(j, s.expressionEnd(j), Selector, false)
		}
	}
}

// expressionEnd is the index behind the strings that follow each other from a string on, and behind what makes
// them depend on something else.
func (s *scope) expressionEnd(i int) int {
	_, next := s.constant(i, len(s.tokens))
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
