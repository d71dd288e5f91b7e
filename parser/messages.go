package parser

import (
	"strings"
	"unicode/utf8"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// syntaxError reports a token that the grammar does not allow where it stands.
func (r *reader) syntaxError(e ll1.SyntaxError) {
	t := r.tokens[e.Token]
	at := r.core(e.Token)
	if t.Kind == ll1.TokBadChar && r.encodingReported(at) || r.isExcused(at.Start) {
		r.errors++ // once is enough
		return
	}
	if closes(t.Kind) && r.misplaced[at.Text(r.text)[0]] > 0 {
		r.misplaced[at.Text(r.text)[0]]--
		r.errors++
		return
	}
	if opens(t.Kind) { // what closes it will be misplaced as well
		r.misplaced[closerOf(at.Text(r.text))[0]]++
	}
	d := diag.Diagnostic{Code: diag.SelectorInvalid, Span: at}
	if r.badToken(&d, t.Kind, e) || r.commonMistake(&d, t.Kind, e) {
		r.report(d)
		return
	}
	want := expectation(e)
	before := r.before(e.Token)
	switch {
	case t.Kind == ll1.TokEOF && e.Token == 0:
		d.Message = "there is no selector"
	case t.Kind == ll1.TokEOF:
		d.Message = "expected " + want + " after " + before + ", at the end of the selector"
	case before == "":
		d.Message = "expected " + want + ", found `" + excerpt(at.Text(r.src)) + "`"
	default:
		d.Message = "expected " + want + " after " + before + ", found " + r.describe(t.Kind, at)
	}
	if open, ok := r.unclosed(e.Token); ok && t.Kind == ll1.TokEOF && closesAt(e.Expected) {
		d.Message = "`" + open + "` is never closed"
		d.Hint = "expected " + want
	}
	r.report(d)
}

// encodingReported reports whether a character was refused with the encoding of the source.
func (r *reader) encodingReported(at ast.Span) bool {
	return r.text[at.Start] == 0 || r.text[at.Start] == substitute && r.src[at.Start] != substitute
}

// describe names a token that was found.
func (r *reader) describe(k ll1.Kind, at ast.Span) string {
	if k == ll1.TokDesc {
		return "a blank"
	}
	return "`" + excerpt(at.Text(r.src)) + "`"
}

// before names the token in front of one, or is empty at the start.
func (r *reader) before(token int) string {
	for token > 0 {
		token--
		if r.tokens[token].Kind != ll1.TokDesc {
			return "`" + excerpt(r.core(token).Text(r.src)) + "`"
		}
	}
	return ""
}

// excerpt shortens a text for a message.
func excerpt(s string) string {
	const most = 40
	s, _, _ = strings.Cut(s, "\n")
	if utf8.RuneCountInString(s) <= most {
		return s
	}
	for i := range s {
		if utf8.RuneCountInString(s[:i]) == most-1 {
			return s[:i] + "…"
		}
	}
	return s
}

// badToken explains the tokens that are no words of the language.
func (r *reader) badToken(d *diag.Diagnostic, k ll1.Kind, e ll1.SyntaxError) bool {
	text := d.Span.Text(r.src)
	quoteIt := func(sigil, rest string) {
		d.Fixes = []diag.Fix{{Title: "quote it", Edits: []diag.Edit{{Span: d.Span, Text: sigil + "'" + rest + "'"}}}}
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
		d.Message = "`" + excerpt(text) + "` is no step"
	case ll1.TokBadChar:
		r.badChar(d, text)
		r.sigilApart(d, e.Token)
	case ll1.TokDotPart:
		if !e.Expected.Has(ll1.TokType) {
			return false
		}
		d.Message = "the name of a type does not begin with a digit"
		d.Hint = "such a type is tested with `*[nodeType='" + text[1:] + "']`"
	case ll1.TokBadOperator:
		d.Message = "`" + text + "` is no operator"
	default:
		return false
	}
	return true
}

// badChar explains single characters that are no words of the language.
func (r *reader) badChar(d *diag.Diagnostic, text string) {
	replace := func(with string) {
		d.Fixes = []diag.Fix{{Title: "write `" + with + "`", Edits: []diag.Edit{{Span: d.Span, Text: with}}}}
	}
	switch text {
	case "‘", "’", "‚", "‛", "“", "”", "„", "«", "»", "`":
		d.Message = "`" + text + "` is no quotation mark of the language"
		d.Hint = "strings stand in straight quotes, ' or \""
		r.straighten(d)
	case "\u00a0", "\u2007", "\u202f", "\u3000", "\u2003", "\u2002", "\u2009":
		d.Message = "this is not an ordinary blank"
		replace(" ")
	case "\ufeff":
		d.Message = "a byte order mark may only stand at the start of a file"
		d.Fixes = []diag.Fix{{Title: "remove it", Edits: []diag.Edit{{Span: d.Span}}}}
	case "…":
		d.Message = "`…` is no word of the language"
		d.Hint = "a range is written with two dots: `d1..d3`"
	case "#":
		d.Message = "a `#` must be followed by a key, or stand behind a blank and begin a comment"
	case ".":
		d.Message = "a `.` must be followed by the name of a type"
	case ":":
		d.Message = "a `:` must be followed by a name"
	case "+":
		d.Message = "a `+` must be followed by a tag"
	case "^":
		d.Message = "a `^` must be followed by a region: `^sys`, `^seq`, `^ah` or `^root`"
	case "@":
		d.Message = "an `@` must be followed by a time or by the name of a control"
	case "/":
		d.Message = "`/` is no combinator"
		d.Hint = "`>` leads to the children of a node, a blank to everything below it"
	case "\\":
		d.Message = "a backslash only stands in strings"
	case "&", "|":
		d.Message = "`" + text + "` is no operator of the language"
		d.Hint = "filters behind each other must all hold: `[a=1][b=2]`; a union is written with a comma: `.a, .b`"
	case "!":
		d.Message = "`!` is no operator of the language"
		d.Hint = "not equal is `!=`"
	default:
		d.Message = "`" + printable(text) + "` is no word of the language"
	}
}

// sigilApart explains a sigil that stands apart from its name.
func (r *reader) sigilApart(d *diag.Diagnostic, token int) {
	if text := d.Span.Text(r.text); len(text) > 1 || !strings.Contains(".#:+^@", text) || token+2 >= len(r.tokens) {
		return
	}
	blank, name := r.span(token+1), r.core(token+2)
	if r.tokens[token+1].Kind != ll1.TokDesc || r.tokens[token+2].Kind != ll1.TokName {
		return
	}
	r.excuse(name.Start)
	d.Hint = "no blank may stand between them"
	d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}}
}

// straighten offers to replace typographic quotes, the reported one and the next of its kind on the line, which
// is not reported then.
func (r *reader) straighten(d *diag.Diagnostic) {
	const quotes = "‘’‚‛“”„«»`"
	line, _, _ := strings.Cut(r.text[d.Span.End:], "\n")
	n := strings.IndexAny(line, quotes)
	if n < 0 {
		return
	}
	_, size := utf8.DecodeRuneInString(line[n:])
	last := ast.Span{Start: d.Span.End + n, End: d.Span.End + n + size}
	r.excuse(last.Start)
	straight := "'"
	if strings.ContainsAny(line[:n], `'\`) {
		straight = `"`
	}
	if strings.ContainsAny(line[:n], `"\`+"\r") {
		return
	}
	d.Fixes = []diag.Fix{{Title: "write straight quotes", Edits: []diag.Edit{{Span: d.Span, Text: straight}, {Span: last, Text: straight}}}}
}

// printable shows control characters by their number.
func printable(s string) string {
	c, _ := utf8.DecodeRuneInString(s)
	if c >= 0x20 && c != 0x7f && c != utf8.RuneError {
		return s
	}
	const hex = "0123456789abcdef"
	return `\x` + string(hex[s[0]>>4]) + string(hex[s[0]&15])
}

// commonMistake explains what is often meant by a token in a wrong place, with a fix where one exists.
func (r *reader) commonMistake(d *diag.Diagnostic, k ll1.Kind, e ll1.SyntaxError) bool {
	prev := func(n int) ll1.Kind {
		if e.Token < n {
			return ll1.TokEOF
		}
		return r.tokens[e.Token-n].Kind
	}
	stepMayFollow := e.Expected.Has(ll1.TokDesc) && e.Expected.Has(ll1.TokGt)
	switch {
	// `.block (status='x')`: the group lost its type.
	case prev(1) == ll1.TokName && (prev(2) == ll1.TokLparen && prev(3) == ll1.TokDesc) && comparison(k):
		blank := r.span(e.Token - 3)
		r.excuse(r.core(e.Token - 1).Start)
		d.Span = blank
		d.Message = "a group in parentheses must stand directly behind its type"
		d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}}
	// `.a[0]`
	case k == ll1.TokInt && prev(1) == ll1.TokLbrack && e.Expected.Has(ll1.TokName) && !e.Expected.Has(ll1.TokString):
		d.Message = "expected the name of an attribute after `[`, found `" + excerpt(d.Span.Text(r.src)) + "`"
		d.Hint = "one of several siblings is taken with `:nth(1)`, `:first` or `:last`"
	// `.a limit=5`
	case prev(1) == ll1.TokName && comparison(k) && stepMayFollow:
		name := r.core(e.Token - 1)
		r.excuse(name.Start)
		d.Span.Start = name.Start
		d.Message = "a test stands in brackets"
		d.Hint = "write `[" + excerpt(name.Text(r.src)) + "=…]`, or `@" + excerpt(name.Text(r.src)) + "=…` for a control"
	// `@limit 5`, `@limit:5`
	case prev(1) == ll1.TokControl && (k == ll1.TokColonPart || k == ll1.TokColonName || k == ll1.TokDesc && r.follow(e.Token, ll1.TokInt)):
		r.excuse(r.core(e.Token - 1).Start)
		sign := ast.Span{Start: d.Span.Start, End: d.Span.Start + 1}
		if k == ll1.TokDesc {
			sign = r.span(e.Token)
		}
		d.Message = "the value of a control stands behind `=`"
		d.Fixes = []diag.Fix{{Title: "write `=`", Edits: []diag.Edit{{Span: sign, Text: "="}}}}
	case (k == ll1.TokTime || k == ll1.TokEvery || k == ll1.TokHistory || k == ll1.TokLateTime) && e.Expected.Has(ll1.TokType):
		d.Message = "a selector has one time, at its start"
		d.Hint = "a range is written `@t0..@t-5`, a pair `@t0,@t-1`"
	// `.a.b` written as two steps: `d1.block`, `+x.block`
	case stepMayFollow && beginsStep(k) && prev(1) != ll1.TokDesc && e.Token > 0:
		d.Message = "two steps need a blank or `>` between them"
		d.Fixes = []diag.Fix{insertBlank(d.Span.Start)}
	case k == ll1.TokColon && stepMayFollow:
		d.Message = "a `:` must be followed by a name"
	case k == ll1.TokOptional:
		d.Message = "a `?` stands behind the last step, before the controls"
	// `@t -1`
	case k == ll1.TokControl && (d.Span.Text(r.text) == "@t" || d.Span.Text(r.text) == "@c") && r.follow(e.Token, ll1.TokDesc, ll1.TokInt):
		blank := r.span(e.Token + 1)
		r.excuse(r.core(e.Token + 2).Start)
		d.Message = "an instant is one word, without a blank"
		d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}}
	case k == ll1.TokControl && !stepMayFollow && e.Expected.Has(ll1.TokType):
		d.Message = "a control must stand behind a step; `" + excerpt(d.Span.Text(r.src)) + "` is no time"
		d.Hint = "the times are `@t0`, `@t-1`, `@c42`, `@*` and `@history`"
	case prev(1) == ll1.TokControl && k == ll1.TokEq:
		r.excuse(r.core(e.Token - 1).Start)
		d.Message = "a control needs a value behind `=`"
		d.Hint = "words and numbers, joined by `:`, `,` or `.` and without blanks, or a string"
	case prev(1) == ll1.TokControl && (k == ll1.TokDesc || k == ll1.TokGt || beginsStep(k)):
		if k == ll1.TokDesc {
			d.Span = r.core(e.Token + 1)
		}
		d.Message = "steps must stand before the controls"
	case k == ll1.TokDecimal && e.Expected.Has(ll1.TokType):
		d.Message = "a number is no step"
		if open, ok := r.unclosed(e.Token); ok && open == "(" {
			d.Message = "an offset is a whole number"
		}
	case (k == ll1.TokDotPart || k == ll1.TokBadChar && d.Span.Text(r.text) == ".") && e.Expected.Has(ll1.TokDecimal):
		d.Message = "a number needs a digit in front of its dot"
		d.Fixes = []diag.Fix{{Title: "write a zero", Edits: []diag.Edit{{Span: ast.Span{Start: d.Span.Start, End: d.Span.Start}, Text: "0"}}}}
	case k == ll1.TokRparen || k == ll1.TokRbrack || k == ll1.TokRbrace:
		open, ok := r.unclosed(e.Token)
		closer := closerOf(open)
		switch {
		case !ok:
			d.Message = "`" + d.Span.Text(r.src) + "` closes nothing"
		case closer == d.Span.Text(r.src):
			return false
		default:
			d.Message = "expected `" + closer + "`, which closes `" + open + "`, found `" + d.Span.Text(r.src) + "`"
			r.excuseCloser(e.Token, closer)
		}
	case k == ll1.TokGt && e.Token == 0:
		d.Message = "a selector cannot begin with `>`"
		d.Hint = "a line that carries a selector on is indented and follows it directly"
	default:
		return false
	}
	return true
}

// follow reports whether tokens of these kinds come behind one.
func (r *reader) follow(token int, kinds ...ll1.Kind) bool {
	for i, k := range kinds {
		if at := token + 1 + i; at >= len(r.tokens) || r.tokens[at].Kind != k {
			return false
		}
	}
	return true
}

// closerOf is the bracket that closes an opening one, which may have a word in front.
func closerOf(open string) string {
	switch {
	case strings.HasSuffix(open, "["), open == "in":
		return "]"
	case strings.HasSuffix(open, "{"):
		return "}"
	}
	return ")"
}

// excuseCloser excuses the next bracket of a kind: it was explained with the one that took its place.
func (r *reader) excuseCloser(token int, closer string) {
	for i := token + 1; i < len(r.tokens); i++ {
		if closes(r.tokens[i].Kind) && r.core(i).Text(r.text) == closer {
			r.excuse(r.core(i).Start)
			return
		}
	}
}

func comparison(k ll1.Kind) bool {
	switch k {
	case ll1.TokEq, ll1.TokNe, ll1.TokLt, ll1.TokLe, ll1.TokGe, ll1.TokMatch, ll1.TokIn, ll1.TokBadOperator:
		return true
	}
	return false
}

func beginsStep(k ll1.Kind) bool {
	switch k {
	case ll1.TokStar, ll1.TokStarSign, ll1.TokRegion, ll1.TokType, ll1.TokDepth, ll1.TokDepthCall, ll1.TokName, ll1.TokInt:
		return true
	}
	return false
}

// unclosed finds the innermost bracket that is open in front of a token. Errors come in order, so that all calls
// for one selector together pass over its tokens once.
func (r *reader) unclosed(token int) (string, bool) {
	for ; r.matched < token; r.matched++ {
		switch k, n := r.tokens[r.matched].Kind, len(r.open); {
		case opens(k):
			r.open = append(r.open, r.matched)
		case closes(k) && n > 0:
			r.open = r.open[:n-1]
		}
	}
	n := len(r.open)
	if n == 0 {
		return "", false
	}
	return r.core(r.open[n-1]).Text(r.src), true
}

func closesAt(s ll1.Set) bool {
	return s.Has(ll1.TokRparen) || s.Has(ll1.TokRbrack) || s.Has(ll1.TokRbrace)
}

// expectation puts into words what could stand where an error is.
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
	add(s.Has(ll1.TokGt) && s.Has(ll1.TokType) && !step || s.Has(ll1.TokGt) && s.Has(ll1.TokDesc) && s.Has(ll1.TokTag), "a further step or filter")
	add(s.Has(ll1.TokDepth) && !step && !s.Has(ll1.TokName), "a depth")
	first := step || s.Has(ll1.TokName) && !s.Has(ll1.TokComma) // brackets and lists must not be empty
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
