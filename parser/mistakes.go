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

// Common mistakes are explained by what was probably meant, with a fix where one exists.

// badToken explains the tokens that are not words of the language.
func (r *reader) badToken(d *diag.Diagnostic, k ll1.Kind, e ll1.SyntaxError) bool {
	text := d.Span.Text(r.src)
	quoteIt := func(sigil, rest string) {
		d.Fixes = []diag.Fix{{Title: "quote it", Edits: []diag.Edit{{Span: d.Span, Text: sigil + "'" + rest + "'"}}}}
	}
	if r.badControlValue(d, k, e.Token) {
		return true
	}
	switch k {
	case ll1.TokBadString:
		d.Message = "the string is not closed"
		d.Hint = "a string ends on its line, with the quote it began with"
	case ll1.TokBadKey:
		d.Message = "a key that begins with a digit must be quoted"
		quoteIt("#", text[1:])
	case ll1.TokBadWord:
		if !e.Expected.Has(ll1.TokType) {
			return false
		}
		d.Message = "`" + excerpt(text) + "` is not a step"
	case ll1.TokBadTime:
		r.badTime(d, text, e.Expected.Has(ll1.TokTime) && !e.Expected.Has(ll1.TokControl))
	case ll1.TokBadChar, ll1.TokMinus:
		r.badChar(d, text)
		r.sigilApart(d, e.Token)
	case ll1.TokDotPart:
		if !e.Expected.Has(ll1.TokType) {
			return false
		}
		d.Message = "the name of a type does not begin with a digit"
		d.Hint = "such a type is tested with `*[nodeType='" + text[1:] + "']`"
	case ll1.TokBadOperator:
		d.Message = "`" + text + "` is not an operator"
	default:
		return false
	}
	return true
}

// badControlValue explains what directly follows the value of a control and cannot be a part of it.
func (r *reader) badControlValue(d *diag.Diagnostic, k ll1.Kind, token int) bool {
	const parts ll1.Set = 1<<ll1.TokBadString | 1<<ll1.TokBadKey | 1<<ll1.TokBadWord | 1<<ll1.TokBadChar | 1<<ll1.TokMinus |
		1<<ll1.TokRange | 1<<ll1.TokStar | 1<<ll1.TokDotPart
	if token == 0 || !parts.Has(k) || r.tokens[token-1].Kind != ll1.TokControl || r.span(token-1).End != d.Span.Start {
		return false
	}
	control := r.core(token - 1).Text(r.src)
	if !strings.Contains(control, "=") {
		return false
	}
	d.Code = diag.ControlInvalid
	d.Message = "`" + excerpt(d.Span.Text(r.src)) + "` cannot follow `" + excerpt(control) + "`; a value is a number, a name or a string"
	d.Hint = "quote the value"
	return true
}

// badTime explains an instant with a word directly after it. Where an instant is allowed, a blank mends it.
func (r *reader) badTime(d *diag.Diagnostic, text string, allowed bool) {
	n := len("@*")
	if text[1] != '*' {
		n = len("@t-") + len(text[3:]) - len(strings.TrimLeft(text[3:], "0123456789*"))
	}
	d.Message = "an instant ends at a blank"
	d.Hint = "write `" + text[:n] + " " + excerpt(text[n:]) + "`"
	if allowed {
		d.Fixes = []diag.Fix{insertBlank(d.Span.Start + n)}
	}
}

// badChar explains single characters that are not words of the language.
func (r *reader) badChar(d *diag.Diagnostic, text string) {
	switch text {
	case "‘", "’", "‚", "‛", "“", "”", "„", "«", "»", "`":
		d.Message = "`" + text + "` is not a quotation mark of the language"
		d.Hint = "strings use straight quotes, ' or \""
		r.straighten(d)
	case "\u00a0", "\u2007", "\u202f", "\u3000", "\u2003", "\u2002", "\u2009":
		d.Message = "this is not an ordinary blank"
		d.Fixes = []diag.Fix{{Title: "write ` `", Edits: []diag.Edit{{Span: d.Span, Text: " "}}}}
	case "\ufeff":
		d.Message = "a byte order mark is allowed only at the start of a file"
		d.Fixes = []diag.Fix{{Title: "remove it", Edits: []diag.Edit{{Span: d.Span}}}}
	case "&", "|":
		d.Message = "`" + text + "` is not an operator of the language"
		d.Hint = "filters in a row must all hold: `[a=1][b=2]`; a union is written with a comma: `.a, .b`"
	default:
		d.Message, d.Hint = badChars[text][0], badChars[text][1]
		if d.Message == "" {
			d.Message = "`" + printable(text) + "` is not part of the language"
		}
	}
}

// badChars returns the message and the hint for characters that are not words of the language by themselves.
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
}

// sigilApart explains a sigil apart from its name.
func (r *reader) sigilApart(d *diag.Diagnostic, token int) {
	if text := d.Span.Text(r.text); len(text) > 1 || !strings.Contains(".#:+^@", text) || token+2 >= len(r.tokens) {
		return
	}
	blank, name := r.span(token+1), r.core(token+2)
	if r.tokens[token+1].Kind != ll1.TokDesc || r.tokens[token+2].Kind != ll1.TokName {
		return
	}
	r.suppress(name.Start)
	d.Hint = "no blank is allowed between them"
	d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}}
}

// straighten offers to replace typographic quotes, the reported one and the next on the line, which
// is not reported any more.
func (r *reader) straighten(d *diag.Diagnostic) {
	const quotes = "‘’‚‛“”„«»`"
	line, _, _ := strings.Cut(r.text[d.Span.End:], "\n")
	n := strings.IndexAny(line, quotes)
	if n < 0 {
		return
	}
	_, size := utf8.DecodeRuneInString(line[n:])
	last := ast.Span{Start: d.Span.End + n, End: d.Span.End + n + size}
	r.suppress(last.Start)
	straight := "'"
	if strings.ContainsAny(line[:n], `'\`) {
		straight = `"`
	}
	if strings.ContainsAny(line[:n], `"\`+"\r") {
		return
	}
	d.Fixes = []diag.Fix{{Title: "write straight quotes", Edits: []diag.Edit{{Span: d.Span, Text: straight}, {Span: last, Text: straight}}}}
}

// printable shows invisible characters as numbers.
func printable(s string) string {
	switch c, size := utf8.DecodeRuneInString(s); {
	case c == utf8.RuneError && size == 1, c < utf8.RuneSelf && !unicode.IsPrint(c):
		return fmt.Sprintf(`\x%02x`, s[0])
	case !unicode.IsPrint(c):
		return fmt.Sprintf("U+%04X", c)
	}
	return s
}

// mistake is a token in a wrong position, and the diagnostic that explains it.
type mistake struct {
	*reader
	*diag.Diagnostic
	kind  ll1.Kind
	token int
	err   ll1.SyntaxError
}

// commonMistake explains what a token in a wrong position often means.
func (r *reader) commonMistake(d *diag.Diagnostic, k ll1.Kind, e ll1.SyntaxError) bool {
	m := mistake{reader: r, Diagnostic: d, kind: k, token: e.Token, err: e}
	return m.inFilter() || m.inTime() || m.inControl() || m.betweenSteps() || m.inNumber() || m.inBrackets()
}

// previous is the kind of the n-th token before the mistake.
func (m *mistake) previous(n int) ll1.Kind {
	if m.token < n {
		return ll1.TokEOF
	}
	return m.tokens[m.token-n].Kind
}

func (m *mistake) text() string { return m.Span.Text(m.reader.text) }

// stepMayFollow reports whether a chain could continue here. The arguments of a call may hold a '>' too, but not a tag.
func (m *mistake) stepMayFollow() bool {
	return m.err.Expected.Has(ll1.TokDesc) && m.err.Expected.Has(ll1.TokGt) && m.err.Expected.Has(ll1.TokTag)
}

// fix offers to replace a part of the source.
func (m *mistake) fix(title string, at ast.Span, text string) {
	m.Fixes = []diag.Fix{{Title: title, Edits: []diag.Edit{{Span: at, Text: text}}}}
}

// inFilter explains tests in the wrong brackets or without brackets.
func (m *mistake) inFilter() bool {
	switch {
	// `.block (status='x')`: the group lost its type.
	case m.previous(1) == ll1.TokName && m.previous(2) == ll1.TokLparen && m.previous(3) == ll1.TokDesc && testOperators.Has(m.kind):
		blank := m.span(m.token - 3)
		m.suppress(m.core(m.token - 1).Start)
		m.Span = blank
		m.Message = "a group in parentheses must directly follow its type"
		m.fix("remove the blank", blank, "")
	// `[a in 'b']`
	case m.previous(1) == ll1.TokDesc && m.previous(2) == ll1.TokName && m.previous(3) == ll1.TokDesc &&
		m.core(m.token-2).Text(m.src) == "in" && m.err.Expected.Has(ll1.TokName) && !m.err.Expected.Has(ll1.TokRegion):
		m.Span = m.core(m.token - 2)
		m.suppress(m.Span.Start)
		m.suppress(m.span(m.token - 1).Start)
		m.Message, m.Hint = listNeeded, listHint
	// `.a[0]`
	case m.kind == ll1.TokInt && m.previous(1) == ll1.TokLbrack && m.err.Expected.Has(ll1.TokName) && !m.err.Expected.Has(ll1.TokString):
		m.Message = "expected the name of an attribute after `[`, found `" + excerpt(m.text()) + "`"
		m.Hint = "one of several siblings is taken with `:nth(1)`, `:first` or `:last`"
	// `.a limit=5`
	case m.previous(1) == ll1.TokName && testOperators.Has(m.kind) && m.stepMayFollow():
		at := m.core(m.token - 1)
		name := excerpt(at.Text(m.src))
		m.suppress(at.Start)
		m.Span.Start = at.Start
		m.Message = "a test needs brackets"
		m.Hint = "write `[" + name + "=…]`, or `@" + name + "=…` for a control"
	default:
		return false
	}
	return true
}

// inTime explains a second time, and an instant with a blank in it.
func (m *mistake) inTime() bool {
	switch m.kind {
	case ll1.TokTime, ll1.TokEvery, ll1.TokHistory, ll1.TokLateTime:
		if !m.err.Expected.Has(ll1.TokType) {
			return false
		}
		m.Message = "a selector has one time, at its start"
		m.Hint = "a range is written `@t0..@t-5`, a pair `@t0,@t-1`"
		return true
	case ll1.TokControl: // `@t -1`
		if text := m.text(); text != "@t" && text != "@c" || !m.follow(m.token, ll1.TokDesc, ll1.TokInt) {
			return false
		}
		m.suppress(m.core(m.token + 2).Start)
		m.Message = "an instant is one word, without a blank"
		m.fix("remove the blank", m.span(m.token+1), "")
		return true
	}
	return false
}

// inControl explains controls that come too early, lack a value, or are followed by something.
func (m *mistake) inControl() bool {
	late := m.previous(1) == ll1.TokControl
	switch {
	case m.kind == ll1.TokControl && !m.stepMayFollow() && m.err.Expected.Has(ll1.TokType):
		m.Message = "a control must follow a step; `" + excerpt(m.text()) + "` is not a time"
		m.Hint = "the times are `@t0`, `@t-1`, `@c42`, `@*` and `@history`"
	case late && (m.kind == ll1.TokColonPart || m.kind == ll1.TokColonName): // `@limit:5`
		m.suppress(m.core(m.token - 1).Start)
		m.Message = "the value of a control follows `=`"
		m.fix("write `=`", ast.Span{Start: m.Span.Start, End: m.Span.Start + 1}, "=")
	case late && m.kind == ll1.TokDesc && m.follow(m.token, ll1.TokInt): // `@limit 5`
		m.suppress(m.core(m.token - 1).Start)
		m.Message = "the value of a control follows `=`"
		m.fix("write `=`", m.span(m.token), "=")
	case late && m.kind == ll1.TokEq:
		m.Code = diag.ControlInvalid
		m.suppress(m.core(m.token - 1).Start)
		m.Message = "a control needs a value after `=`"
		m.Hint = "words and numbers, joined by `:`, `,` or `.` and without blanks, or a string"
	case late && m.kind == ll1.TokDesc:
		m.Span = m.core(m.token + 1)
		m.Message = "steps must come before the controls"
	case late && (m.kind == ll1.TokGt || beginning.Has(m.kind)):
		m.Message = "steps must come before the controls"
	default:
		return false
	}
	return true
}

// betweenSteps explains what cannot join steps.
func (m *mistake) betweenSteps() bool {
	switch {
	// `d1.block`, `+x.block`
	case m.stepMayFollow() && beginning.Has(m.kind) && m.previous(1) != ll1.TokDesc && m.token > 0:
		m.Message = "two steps need a blank or `>` between them"
		m.Fixes = []diag.Fix{insertBlank(m.Span.Start)}
	case m.stepMayFollow() && m.kind == ll1.TokColon:
		m.Message = "a `:` must be followed by a name"
	case m.kind == ll1.TokOptional:
		m.Message = "a `?` belongs after the last step and before the controls"
	case m.kind == ll1.TokGt && m.token == 0:
		m.Message = "a selector cannot begin with `>`"
		m.Hint = "a line that continues a selector is indented and directly follows it"
	default:
		return false
	}
	return true
}

// inNumber explains fractions where only whole numbers are allowed, and numbers that begin with a dot.
func (m *mistake) inNumber() bool {
	switch {
	case m.kind == ll1.TokDecimal && m.err.Expected.Has(ll1.TokType):
		m.Message = "a number is not a step"
		if open, ok := m.unclosed(m.token); ok && open == "(" {
			m.Message = "an offset is a whole number"
		}
	case (m.kind == ll1.TokDotPart || m.kind == ll1.TokBadChar && m.text() == ".") && m.err.Expected.Has(ll1.TokDecimal):
		m.Message = "a number needs a digit before its dot"
		m.fix("write a zero", ast.Span{Start: m.Span.Start, End: m.Span.Start}, "0")
	default:
		return false
	}
	return true
}

// inBrackets explains brackets that close nothing or the wrong one.
func (m *mistake) inBrackets() bool {
	if !closing.Has(m.kind) {
		return false
	}
	open, ok := m.unclosed(m.token)
	if !ok {
		m.Message = "`" + m.text() + "` closes nothing"
		return true
	}
	closer := closerOf(open)
	if closer == m.text() {
		return false
	}
	m.Message = "expected `" + closer + "`, which closes `" + open + "`, found `" + m.text() + "`"
	m.suppressCloser(m.token, closer)
	return true
}

// follow reports whether tokens of these kinds come after one.
func (r *reader) follow(token int, kinds ...ll1.Kind) bool {
	for i, k := range kinds {
		if at := token + 1 + i; at >= len(r.tokens) || r.tokens[at].Kind != k {
			return false
		}
	}
	return true
}

// closerOf is the bracket that closes an opening one, which may have a word before it.
func closerOf(open string) string {
	switch {
	case strings.HasSuffix(open, "["), open == "in":
		return "]"
	case strings.HasSuffix(open, "{"):
		return "}"
	}
	return ")"
}

// suppressCloser suppresses the next bracket of a kind: the wrong one before it explains it.
func (r *reader) suppressCloser(token int, closer string) {
	for i := token + 1; i < len(r.tokens); i++ {
		if closing.Has(r.tokens[i].Kind) && r.core(i).Text(r.text) == closer {
			r.suppress(r.core(i).Start)
			return
		}
	}
}

// testOperators is the set of the operators of a test, but for ">", which joins steps too.
const testOperators = (comparing | 1<<ll1.TokIn) &^ (1 << ll1.TokGt)

// beginning is the set of the tokens that begin a step and do not qualify one.
const beginning ll1.Set = 1<<ll1.TokStar | 1<<ll1.TokStarSign | 1<<ll1.TokRegion | 1<<ll1.TokType | 1<<ll1.TokDepth |
	1<<ll1.TokDepthCall | 1<<ll1.TokName | 1<<ll1.TokInt
