package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// Completion describes what can be written at an offset of a selector that is being typed: what the
// grammar allows after the text before it. It has a field for each kind of word; several can be
// set.
type Completion struct {
	Word ast.Span // the unfinished word before the offset, with its sigil or quote; may be empty

	Time       bool // an instant before the selector
	Endpoint   bool // the other end of a range or pair of instants
	Step       bool // a step: a region, a depth, a type, a key, a tag, a zone, a star
	Positional bool // pseudos that only qualify: :first, :nth(…)
	Attached   bool // the word directly follows a step: a pseudo or a key, which qualifies it
	Filter     bool // a filter or a tag: it qualifies the step before, or is a step itself
	Combinator bool // >
	Fallback   bool // ??
	Union      bool // a comma and a further fragment
	Attribute  bool // the name of an attribute
	Operator   bool
	Value      bool
	Control    bool
	Argument   bool // a number in :nth(…) or depth(…)

	Open   string // the innermost bracket that is open: ( [ { or ""
	Name   string // for Operator and Value: the attribute that is tested, or the control
	Tested ast.Op // for Value: the operator before it
}

// CompletionAt returns what can be written at an offset of a source that holds one selector. An
// offset outside src means the nearer end of src. It reads only the text before the offset, in
// linear time; if that has more tokens than Limits.Tokens, only Word is set.
func CompletionAt(src string, offset int, o Options) Completion {
	offset = min(max(offset, 0), len(src))
	head := src[:offset]
	if name, start, ok := controlValue(head); ok {
		return Completion{Word: ast.Span{Start: start, End: offset}, Name: name, Control: true, Value: true}
	}
	c := Completion{Word: ast.Span{Start: wordStart(head), End: offset}}
	head = replaceInvalid(head[:c.Word.Start])
	o.Limits.fillIn()
	toks, ok := ll1.Lex(head, 0, o.Limits.Tokens, nil)
	if !ok {
		return c
	}
	toks = toks[:len(toks)-1] // without the end
	var m ll1.Machine
	next := m.Expected(toks, len(toks))
	attached := next
	c.Time = next.Has(ll1.TokHistory) && next.Has(ll1.TokRegion)
	if len(toks) > 0 && isSpace(head[len(head)-1]) {
		next |= m.Expected(append(toks, ll1.Token{Kind: ll1.TokDesc}), len(toks)+1)
		attached = 0
	}
	c.fill(next, attached)
	r := sourceReader{src: head, text: head, tokens: toks}
	if open, ok := r.unclosed(len(toks)); ok {
		c.Open = map[string]string{")": "(", "]": "[", "}": "{"}[closerOf(open)]
	}
	if c.Operator || c.Value {
		c.Name, c.Tested = tested(head, toks)
	}
	return c
}

// fill sets fields from the kinds of tokens that can come next, and of those that can directly
// follow a step.
func (c *Completion) fill(next, attached ll1.Set) {
	names := next.Has(ll1.TokName) && !next.Has(ll1.TokRegion)
	c.Endpoint = next.Has(ll1.TokTime) && !next.Has(ll1.TokRegion) && !next.Has(ll1.TokControl)
	c.Step = next.Has(ll1.TokRegion)
	c.Attached = attached.Has(ll1.TokColonName) && !c.Step
	c.Positional = attached.Has(ll1.TokNthCall) && !attached.Has(ll1.TokRegion)
	c.Filter = next.Has(ll1.TokLbrace) && next.Has(ll1.TokTag)
	c.Combinator = next.Has(ll1.TokGt) && next.Has(ll1.TokDesc) && next.Has(ll1.TokLbrace) && next.Has(ll1.TokTag)
	c.Fallback = next.Has(ll1.TokFallback) && next.Has(ll1.TokGt)
	c.Union = next.Has(ll1.TokComma) && next.Has(ll1.TokControl)
	c.Control = next.Has(ll1.TokControl)
	c.Operator = next.Has(ll1.TokNe)
	c.Argument = next.Has(ll1.TokInt) && next.Has(ll1.TokLbrace) && next.Has(ll1.TokGe)
	c.Value = names && next.Has(ll1.TokString) && !next.Has(ll1.TokLbrace) && !c.Argument
	c.Attribute = names && !next.Has(ll1.TokString) && !c.Argument
}

// tested returns the attribute that the tokens at the end test, and the operator if there is one.
func tested(head string, toks []ll1.Token) (name string, op ast.Op) {
	op = ast.OpPresent
	for i := len(toks) - 1; i >= 0; i-- {
		switch k := toks[i].Kind; {
		case int(k) < len(operators) && (operators[k] != ast.OpEq || k == ll1.TokEq):
			op = operators[k]
		case ll1.FirstName.Has(k):
			if i+1 < len(toks) && op == ast.OpPresent && toks[i+1].Kind == ll1.TokComma {
				continue // a value of a list
			}
			end := i
			for end+1 < len(toks) && nameParts.Has(toks[end+1].Kind) {
				end++
			}
			return strings.TrimSpace(head[toks[i].Start:toks[end].End]), op
		case k == ll1.TokLbrace:
			return "", op
		}
	}
	return "", op
}

// controlValue reports whether a text ends in the unfinished value of a control, and where the
// value starts.
func controlValue(head string) (name string, start int, ok bool) {
	at := -1
	for i, c := range Unquoted(head) {
		if c == '@' {
			at = i
		}
	}
	if at < 0 || at > 0 && !isSpace(head[at-1]) {
		return "", 0, false
	}
	name, value, ok := strings.Cut(head[at+1:], "=")
	if !ok || name == "" || strings.TrimLeftFunc(name, ast.IsNamePart) != "" || strings.ContainsAny(value, " \t\r\n") {
		return "", 0, false
	}
	return name, at + 1 + len(name) + 1, true
}

// wordStart returns where the unfinished word at the end of a text starts: at its sigil, or at the
// quote of an open string.
func wordStart(head string) int {
	if q, open := openString(head); open {
		return q
	}
	i := len(head)
	for i > 0 {
		r, n := utf8.DecodeLastRuneInString(head[:i])
		if !ast.IsNamePart(r) && (r != '.' || i >= 2 && head[i-2] == '.') {
			break
		}
		i -= n
	}
	if i > 0 && strings.IndexByte("^#+:@", head[i-1]) >= 0 {
		i--
	}
	return i
}

// openString returns the offset of the quote of a string that is not closed.
func openString(s string) (int, bool) {
	s += " " // so only a string that is not closed reaches the end
	for i := 0; i < len(s); i++ {
		if s[i] == '\'' || s[i] == '"' {
			end := skipString(s, i, len(s))
			if end == len(s) {
				return i, true
			}
			i = end - 1
		}
	}
	return 0, false
}
