package parser

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// Common mistakes are explained by what was probably meant, with a fix if there is one.

// mistake is an unexpected token and the diagnostic that explains it.
type mistake struct {
	*sourceReader
	diag.Diagnostic
	ll1.SyntaxError
	kind ll1.Kind
	call int // the token whose brackets the mistake explains; 0 if there are none
}

// explainCommon explains the token if it is one of the common mistakes, and reports whether it is.
func (m *mistake) explainCommon() bool {
	return m.afterValue() || m.inToken() || m.inFilter() || m.inTime() || m.inControl() || m.betweenSteps() ||
		m.inNumber() || m.inBrackets()
}

// explain sets the message, the hint and the fixes. It returns true.
func (m *mistake) explain(message, hint string, fixes ...diag.Fix) bool {
	m.Message, m.Hint, m.Fixes = message, hint, fixes
	return true
}

// previous returns the kind of the n-th token before the mistake.
func (m *mistake) previous(n int) ll1.Kind {
	if m.Token < n {
		return ll1.TokEOF
	}
	return m.tokens[m.Token-n].Kind
}

func (m *mistake) text() string { return m.Span.Text(m.sourceReader.text) }

// stepMayFollow reports whether the chain could continue here. The arguments of a call may hold a
// '>' too, but no tag.
func (m *mistake) stepMayFollow() bool {
	return m.Expected.Has(ll1.TokDesc) && m.Expected.Has(ll1.TokGt) && m.Expected.Has(ll1.TokTag)
}

// suppressPrevious keeps the token before the mistake from being reported as well.
func (m *mistake) suppressPrevious() { m.suppress(m.core(m.Token - 1).Start) }

// afterValue explains a token that directly follows the value of a control but cannot be part of
// it.
func (m *mistake) afterValue() bool {
	const parts = testOperators | 1<<ll1.TokGt | 1<<ll1.TokBadOperator | 1<<ll1.TokBadString | 1<<ll1.TokBadKey |
		1<<ll1.TokBadWord | 1<<ll1.TokBadChar | 1<<ll1.TokMinus | 1<<ll1.TokRange | 1<<ll1.TokStar |
		1<<ll1.TokDotPart | 1<<ll1.TokFallback | 1<<ll1.TokKey | 1<<ll1.TokQuotedKey | 1<<ll1.TokRegion |
		1<<ll1.TokLparen | 1<<ll1.TokColon | 1<<ll1.TokString
	if !parts.Has(m.kind) || m.previous(1) != ll1.TokControl || m.span(m.Token-1).End != m.Span.Start {
		return false
	}
	control := m.core(m.Token - 1).Text(m.src)
	switch {
	case !strings.Contains(control, "="):
		return false
	case m.kind == ll1.TokColon && m.follow(m.Token, ll1.TokBadString): // `@x=a:'b`
		return m.unclosedString(m.Token + 1)
	case m.kind == ll1.TokLparen:
		m.call = m.Token
	}
	m.Code = diag.ControlInvalid
	return m.explain("`"+excerpt(m.Span.Text(m.src))+"` cannot follow `"+excerpt(control)+
		"`; a value is a number, a name or a string",
		"quote the value")
}

// unclosedString explains a string that is not closed, which may be a token after the mistake.
func (m *mistake) unclosedString(token int) bool {
	m.Span = m.core(token)
	m.suppress(m.Span.Start)
	return m.explain("the string is not closed", "a string ends on the line where it begins, with the same quote")
}

// inToken explains the tokens that are not words of the language.
func (m *mistake) inToken() bool {
	text, step := m.Span.Text(m.src), m.Expected.Has(ll1.TokType)
	switch m.kind {
	case ll1.TokBadString:
		return m.unclosedString(m.Token)
	case ll1.TokBadKey:
		return m.explain("a key that begins with a digit must be quoted", "",
			replace("quote it", m.Span, "#'"+text[1:]+"'"))
	case ll1.TokBadWord:
		return step && m.explain("`"+excerpt(text)+"` is not a step", "")
	case ll1.TokBadTime:
		return m.badTime(text)
	case ll1.TokBadChar, ll1.TokMinus:
		m.badChar(text)
		m.sigilApart()
		return true
	case ll1.TokDotPart:
		return step && m.explain("the name of a type cannot begin with a digit",
			"such a type is tested with `*[nodeType='"+text[1:]+"']`")
	case ll1.TokBadOperator:
		return m.explain("`"+text+"` is not an operator", "")
	}
	return false
}

// badTime explains an instant directly followed by a word. Where an instant is allowed, a fix
// inserts a blank.
func (m *mistake) badTime(text string) bool {
	n := len("@*")
	if text[1] != '*' {
		n = len("@t-") + len(text[3:]) - len(strings.TrimLeft(text[3:], "0123456789*"))
	}
	var fixes []diag.Fix
	// The arguments of a call were not checked.
	checked := !m.follow(m.Token, ll1.TokLparen) || m.follow(m.Token, ll1.TokLparen, ll1.TokInt, ll1.TokRparen) &&
		!strings.HasPrefix(m.core(m.Token+2).Text(m.src), "-")
	if checked && m.Expected.Has(ll1.TokTime) && !m.Expected.Has(ll1.TokControl) {
		fixes = append(fixes, insert("insert a blank", m.Span.Start+n, " "))
	}
	return m.explain("an instant must be followed by a blank", "write `"+text[:n]+" "+excerpt(text[n:])+"`", fixes...)
}

// The characters that some programs write in place of quotes and blanks.
const (
	typographicQuotes = "‘’‚‛“”„«»`"
	typographicBlanks = "\u00a0\u2007\u202f\u3000\u2003\u2002\u2009"
)

// badChar explains single characters that are not words of the language.
func (m *mistake) badChar(text string) {
	switch message, known := badChars[text]; {
	case known:
		m.explain(message[0], message[1])
	case strings.Contains(typographicQuotes, text):
		m.explain("`"+text+"` is not a quotation mark of the language", "strings use straight quotes, ' or \"",
			m.straighten()...)
	case strings.Contains(typographicBlanks, text):
		m.explain("this is not an ordinary blank", "", replace("write ` `", m.Span, " "))
	case text == "\ufeff":
		m.explain("a byte order mark is allowed only at the start of a file", "", replace("remove it", m.Span, ""))
	default:
		m.explain("`"+printable(text)+"` is not part of the language", "")
	}
}

// badChars has the message and the hint for characters that are not tokens by themselves.
var badChars = map[string][2]string{
	"…":  {"`…` is not part of the language", "a range is written with two dots: `d1..d3`"},
	"#":  {"a `#` must be followed by a key, or follow a blank and begin a comment", ""},
	".":  {"a `.` must be followed by the name of a type", ""},
	":":  {"a `:` must be followed by a name", ""},
	"+":  {"a `+` must be followed by a tag", ""},
	"^":  {"a `^` must be followed by a region: `^sys`, `^seq`, `^ah` or `^root`", ""},
	"@":  {"an `@` must be followed by a time or by the name of a control", ""},
	"/":  {"`/` is not a combinator", "`>` leads to the children of a node, a blank to everything below it"},
	"\\": {"a backslash is allowed only in strings", ""},
	"!":  {"`!` is not an operator of the language", "not equal is `!=`"},
	"&":  {"`&` is not an operator of the language", filtersInARow},
	"|":  {"`|` is not an operator of the language", filtersInARow},
}

const filtersInARow = "filters in a row must all hold: `[a=1][b=2]`; a union is written with a comma: `.a, .b`"

// sigilApart explains a blank between a sigil and its name.
func (m *mistake) sigilApart() {
	text := m.text()
	if len(text) > 1 || !strings.Contains(".#:+^@", text) || !m.follow(m.Token, ll1.TokDesc, ll1.TokName) {
		return
	}
	m.suppress(m.core(m.Token + 2).Start)
	m.explain(m.Message, "no blank is allowed between them", replace("remove the blank", m.span(m.Token+1), ""))
}

// straighten offers to replace two typographic quotes: the reported one and the next on the line,
// which is not reported any more.
func (m *mistake) straighten() []diag.Fix {
	line := m.sourceReader.text[m.Span.End:]
	n := strings.IndexAny(line, typographicQuotes+"\n")
	if n < 0 || line[n] == '\n' {
		return nil
	}
	_, size := utf8.DecodeRuneInString(line[n:])
	last := ast.Span{Start: m.Span.End + n, End: m.Span.End + n + size}
	m.suppress(last.Start)
	straight := "'"
	if strings.ContainsAny(line[:n], `'\`) {
		straight = `"`
	}
	if strings.ContainsAny(line[:n], `"\`+"\r") {
		return nil
	}
	return []diag.Fix{{Title: "write straight quotes",
		Edits: []diag.Edit{{Span: m.Span, Text: straight}, {Span: last, Text: straight}}}}
}

// printable writes an invisible character as its number.
func printable(s string) string {
	switch c, size := utf8.DecodeRuneInString(s); {
	case c == utf8.RuneError && size == 1, c < utf8.RuneSelf && !unicode.IsPrint(c):
		return fmt.Sprintf(`\x%02x`, s[0])
	case !unicode.IsPrint(c):
		return fmt.Sprintf("U+%04X", c)
	}
	return s
}

// inFilter explains tests in the wrong brackets or without brackets.
func (m *mistake) inFilter() bool {
	name := m.Expected.Has(ll1.TokName)
	switch {
	// `.block (status='x')`: the group lost its type.
	case m.previous(1) == ll1.TokName && m.previous(2) == ll1.TokLparen && m.previous(3) == ll1.TokDesc &&
		testOperators.Has(m.kind):
		m.suppressPrevious()
		m.Span = m.span(m.Token - 3)
		return m.explain("a group in parentheses must directly follow its type", "",
			replace("remove the blank", m.Span, ""))
	// `[a in 'b']`
	case m.previous(1) == ll1.TokDesc && m.previous(2) == ll1.TokName && m.previous(3) == ll1.TokDesc &&
		m.core(m.Token-2).Text(m.src) == "in" && name && !m.Expected.Has(ll1.TokRegion):
		m.Span = m.core(m.Token - 2)
		m.suppress(m.Span.Start)
		m.suppress(m.span(m.Token - 1).Start)
		return m.explain(listNeeded, listHint)
	// `.a[0]`
	case m.kind == ll1.TokInt && m.previous(1) == ll1.TokLbrack && name && !m.Expected.Has(ll1.TokString):
		return m.explain("expected the name of an attribute after `[`, found `"+excerpt(m.text())+"`",
			"one of several siblings is taken with `:nth(1)`, `:first` or `:last`")
	// `.a limit=5`
	case m.previous(1) == ll1.TokName && testOperators.Has(m.kind) && m.stepMayFollow():
		m.suppressPrevious()
		m.Span.Start = m.core(m.Token - 1).Start
		name := excerpt(m.core(m.Token - 1).Text(m.src))
		return m.explain("a test needs brackets", "write `["+name+"=…]`, or `@"+name+"=…` for a control")
	}
	return false
}

// inTime explains a second time, and an instant with a blank in it.
func (m *mistake) inTime() bool {
	switch m.kind {
	case ll1.TokTime, ll1.TokEvery, ll1.TokHistory, ll1.TokLateTime:
		return m.Expected.Has(ll1.TokType) &&
			m.explain("a selector has one time, at its start", "a range is written `@t0..@t-5`, a pair `@t0,@t-1`")
	case ll1.TokControl: // `@t -1`
		if text := m.text(); text != "@t" && text != "@c" || !m.follow(m.Token, ll1.TokDesc, ll1.TokInt) {
			return false
		}
		m.suppress(m.core(m.Token + 2).Start)
		return m.explain("an instant is one word, without a blank", "",
			replace("remove the blank", m.span(m.Token+1), ""))
	}
	return false
}

// inControl explains controls that come too early, lack a value, or are followed by a step.
func (m *mistake) inControl() bool {
	late := m.previous(1) == ll1.TokControl
	switch {
	case m.kind == ll1.TokControl && !m.stepMayFollow() && m.Expected.Has(ll1.TokType):
		return m.explain("a control must follow a step; `"+excerpt(m.text())+"` is not a time",
			"the times are `@t0`, `@t-1`, `@c42`, `@*` and `@history`")
	case late && (m.kind == ll1.TokColonPart || m.kind == ll1.TokColonName): // `@limit:5`
		return m.valueApart(ast.Span{Start: m.Span.Start, End: m.Span.Start + 1})
	case late && m.kind == ll1.TokDesc && m.follow(m.Token, ll1.TokInt): // `@limit 5`
		return m.valueApart(m.span(m.Token))
	case late && m.kind == ll1.TokEq:
		m.suppressPrevious()
		value := m.Token + 1
		if m.follow(m.Token, ll1.TokDesc) {
			value++
		}
		switch k := m.tokens[value].Kind; {
		case k == ll1.TokBadString: // `@x='abc`
			return m.unclosedString(value)
		case opening.Has(k): // `@x=[1, 2]`
			m.call = value
		}
		m.Code = diag.ControlInvalid
		return m.explain("a control needs a value after `=`",
			"words and numbers, joined by `:`, `,` or `.` and without blanks, or a string")
	case late && m.kind == ll1.TokDesc:
		m.Span = m.core(m.Token + 1)
	case late && (m.kind == ll1.TokGt || beginning.Has(m.kind)):
	default:
		return false
	}
	return m.explain("steps must come before the controls", "")
}

// valueApart explains the value of a control after something other than '='.
func (m *mistake) valueApart(sign ast.Span) bool {
	m.suppressPrevious()
	return m.explain("the value of a control follows `=`", "", replace("write `=`", sign, "="))
}

// betweenSteps explains tokens that cannot be between steps.
func (m *mistake) betweenSteps() bool {
	switch {
	// `d1.block`, `+x.block`
	case m.stepMayFollow() && beginning.Has(m.kind) && m.previous(1) != ll1.TokDesc && m.Token > 0:
		hint := "" // the step before is not one token
		if !closing.Has(m.previous(1)) {
			hint = "write `" + excerpt(m.core(m.Token-1).Text(m.src)+" "+m.Span.Text(m.src)) + "`"
		}
		return m.explain("two steps need a blank or `>` between them", hint, insert("insert a blank", m.Span.Start, " "))
	case m.stepMayFollow() && m.kind == ll1.TokColon:
		return m.explain("a `:` must be followed by a name", "")
	case m.kind == ll1.TokOptional:
		return m.explain("a `?` belongs after the last step and before the controls", "")
	case m.kind == ll1.TokGt && m.Token == 0:
		return m.explain("a selector cannot begin with `>`",
			"a line that continues a selector is indented and directly follows it")
	}
	return false
}

// inNumber explains fractions where only whole numbers are allowed, and numbers that begin with a
// dot.
func (m *mistake) inNumber() bool {
	switch {
	case m.kind == ll1.TokDecimal && m.Expected.Has(ll1.TokType):
		if open, ok := m.unclosed(m.Token); ok && open == "(" {
			return m.explain("an offset is a whole number", "")
		}
		return m.explain("a number is not a step", "")
	case (m.kind == ll1.TokDotPart || m.kind == ll1.TokBadChar && m.text() == ".") &&
		m.Expected.Has(ll1.TokDecimal):
		return m.explain("a number needs a digit before its dot", "", insert("write a zero", m.Span.Start, "0"))
	}
	return false
}

// inBrackets explains brackets that close nothing or the wrong one.
func (m *mistake) inBrackets() bool {
	if !closing.Has(m.kind) {
		return false
	}
	open, ok := m.unclosed(m.Token)
	if !ok {
		return m.explain("`"+m.text()+"` closes nothing", "")
	}
	closer := closerOf(open)
	if closer == m.text() {
		return false
	}
	m.suppressCloser(m.Token, closer)
	return m.explain("expected `"+closer+"`, which closes `"+open+"`, found `"+m.text()+"`", "")
}

// follow reports whether tokens of these kinds come next after a token.
func (r *sourceReader) follow(token int, kinds ...ll1.Kind) bool {
	for i, k := range kinds {
		if at := token + 1 + i; at >= len(r.tokens) || r.tokens[at].Kind != k {
			return false
		}
	}
	return true
}

// closerOf returns the closing bracket for an opening one, which may have a word before it.
func closerOf(open string) string {
	switch {
	case strings.HasSuffix(open, "["), open == "in":
		return "]"
	case strings.HasSuffix(open, "{"):
		return "}"
	}
	return ")"
}

// suppressCloser suppresses the next closing bracket of a kind, because the wrong one before it
// explains it. Errors come in order, so all calls for one selector together pass over its tokens
// once for each kind.
func (r *sourceReader) suppressCloser(token int, closer string) {
	next := &r.brackets[closer[0]].next
	for *next = max(*next, token+1); *next < len(r.tokens); *next++ {
		if closing.Has(r.tokens[*next].Kind) && r.core(*next).Text(r.text) == closer {
			r.suppress(r.core(*next).Start)
			return
		}
	}
}

// testOperators is the set of the operators of a test except ">", which also joins steps.
const testOperators = (comparing | 1<<ll1.TokIn) &^ (1 << ll1.TokGt)

// beginning is the set of the tokens that begin a step and cannot qualify one.
const beginning ll1.Set = 1<<ll1.TokStar | 1<<ll1.TokStarSign | 1<<ll1.TokRegion | 1<<ll1.TokType | 1<<ll1.TokDepth |
	1<<ll1.TokDepthCall | 1<<ll1.TokName | 1<<ll1.TokInt
