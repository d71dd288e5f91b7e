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
	if t.Kind == ll1.TokBadChar && r.encodingReported(at) {
		r.errors++ // once is enough
		return
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
		replace("'")
	case "\u00a0", "\u2007", "\u202f", "\u3000", "\u2003", "\u2002", "\u2009":
		d.Message = "this is not an ordinary blank"
		replace(" ")
	case "\ufeff":
		d.Message = "a byte order mark may only stand at the start of a file"
		replace("")
	case "…":
		d.Message = "`…` is no word of the language"
		d.Hint = "a range is written with two dots: `@t0..@t-5`"
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
		r.excused = append(r.excused, r.core(e.Token-1).Start)
		d.Span = blank
		d.Message = "a group in parentheses must stand directly behind its type"
		d.Fixes = []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}}
	// `depth (1)`, `:nth (2)`
	case k == ll1.TokInt && prev(1) == ll1.TokLparen && prev(2) == ll1.TokDesc && prev(3) == ll1.TokName:
		return false
	// `.a.b` written as two steps: `d1.block`, `+x.block`
	case stepMayFollow && beginsStep(k) && prev(1) != ll1.TokDesc && e.Token > 0:
		d.Message = "two steps need a blank or `>` between them"
		d.Fixes = []diag.Fix{insertBlank(d.Span.Start)}
	case k == ll1.TokControl && !stepMayFollow && e.Expected.Has(ll1.TokType):
		d.Message = "a control must stand behind a step; `" + excerpt(d.Span.Text(r.src)) + "` is no time"
		d.Hint = "the times are `@t0`, `@t-1`, `@c42`, `@*` and `@history`"
	case e.Token > 0 && prev(1) == ll1.TokControl && (k == ll1.TokDesc || k == ll1.TokGt || beginsStep(k)):
		d.Message = "steps must stand before the controls"
	case k == ll1.TokRparen || k == ll1.TokRbrack || k == ll1.TokRbrace:
		if _, open := r.unclosed(e.Token); open || e.Expected.Has(k) {
			return false
		}
		d.Message = "`" + d.Span.Text(r.src) + "` closes nothing"
	case k == ll1.TokGt && e.Token == 0:
		d.Message = "a selector cannot begin with `>`"
		d.Hint = "a line that carries a selector on must be indented"
	default:
		return false
	}
	return true
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

// unclosed finds the innermost bracket that is open in front of a token.
func (r *reader) unclosed(token int) (string, bool) {
	depth := 0
	for i := token - 1; i >= 0; i-- {
		switch k := r.tokens[i].Kind; {
		case closes(k):
			depth++
		case opens(k) && depth > 0:
			depth--
		case opens(k):
			return r.core(i).Text(r.src), true
		}
	}
	return "", false
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
	add(s.Has(ll1.TokTime) && !step, "an instant such as `@t-1`")
	add(step, "a step")
	add(!step && s.Has(ll1.TokString) && s.Has(ll1.TokName) && !s.Has(ll1.TokComma), "a value")
	add(!step && s.Has(ll1.TokInt) && s.Has(ll1.TokComma) && s.Has(ll1.TokLbrace), "a number")
	add(!step && s.Has(ll1.TokName) && !s.Has(ll1.TokString), "the name of an attribute")
	add(s.Has(ll1.TokEq), "an operator")
	add(!step && s.Has(ll1.TokLbrack) && s.Has(ll1.TokString) && !s.Has(ll1.TokEq), "a list")
	add(s.Has(ll1.TokGt) && s.Has(ll1.TokDesc) && !s.Has(ll1.TokEq), "a further step or filter")
	add(s.Has(ll1.TokDepth) && !step && !s.Has(ll1.TokName), "a depth")
	add(s.Has(ll1.TokComma) && !s.Has(ll1.TokGt), "`,`")
	add(s.Has(ll1.TokRparen), "`)`")
	add(s.Has(ll1.TokRbrack), "`]`")
	add(s.Has(ll1.TokRbrace) && !s.Has(ll1.TokLbrace), "`}`")
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
