package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// filter reads a bracketed list of tests.
func (b *builder) filter(s *ast.Step, form ast.FilterForm) {
	f, prop := b.nodes.filter(form)
	f.Span = b.core(b.nearest())
	skipped, empty := b.skipped, false
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			empty = !b.attributes(f, prop)
			continue
		}
		_, at := b.word(e)
		f.End = at.End
	}
	if n := len(f.Props); n > 0 {
		f.End = max(f.End, f.Props[n-1].End)
	}
	cover(s, f.End)
	if form == ast.Parens && !b.groupAllowed(s) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: f.Span,
			Message: "a group in parentheses must stand directly behind a type",
			Hint:    "use brackets: `[status='x', ttl=5]`",
		})
		return
	}
	if len(f.Props) == 0 {
		if empty && b.skipped == skipped {
			b.errorf(f.Span, "the brackets are empty")
		}
		return
	}
	b.legacyRole(f)
	s.Qualifiers = append(s.Qualifiers, f)
}

// groupAllowed reports whether the step is a type token so far; the legacy `*:type` is none.
func (b *builder) groupAllowed(s *ast.Step) bool {
	if len(s.Qualifiers) > 0 {
		return false
	}
	switch a := s.Anchor.(type) {
	case *ast.Type:
		return b.text[a.Start] == '.'
	case *ast.Bad:
		return true
	}
	return false
}

// attributes reads the tests in a filter, the first one into prop, and reports whether there were any. Blanks
// separate them in a group only.
func (b *builder) attributes(f *ast.Filter, prop *ast.Prop) bool {
	found := false
	skipped := b.skipped
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			found = true
			if e.Rule() == ll1.RuleAttribute {
				if prop == nil {
					prop = new(ast.Prop)
				}
				b.attribute(f, prop)
				prop = nil
			} else {
				b.skip()
			}
			continue
		}
		if b.kind(e) == ll1.TokDesc && b.skipped == skipped {
			b.blankInBrackets(f, e.Token())
		}
	}
	return found
}

// blankInBrackets reports a blank between two tests where only a comma separates them, and words that are
// operators in other languages.
func (b *builder) blankInBrackets(f *ast.Filter, token int) {
	at := b.span(token)
	if b.isExcused(at.Start) {
		return
	}
	d := diag.Diagnostic{Code: diag.SelectorInvalid, Span: at}
	word, next := "", at
	if b.follow(token, ll1.TokName) {
		next = b.core(token + 1)
		word = next.Text(b.text)
	}
	between := b.follow(token, ll1.TokName, ll1.TokDesc)
	switch {
	case between && word == "in":
		d.Span, d.Message, d.Hint = next, "`in` needs a list in brackets", "as in `[kind in ['a', 'b']]`"
	case between && word == "and":
		d.Span, d.Message = next, "`and` is no operator; tests are separated by commas, and all must hold"
		all := ast.Span{Start: at.Start, End: b.span(token + 2).End}
		d.Fixes = []diag.Fix{{Title: "write a comma", Edits: []diag.Edit{{Span: all, Text: ", "}}}}
	case between && word == "or":
		d.Span, d.Message, d.Hint = next, "`or` is no operator", "a union is written with a comma between selectors: `.a[x], .a[y]`"
	case f.Form == ast.Parens:
		return
	default:
		between = false
		d.Message = "tests in brackets are separated by commas"
		d.Fixes = []diag.Fix{{Title: "insert a comma", Safe: true, Edits: []diag.Edit{{Span: ast.Span{Start: at.Start, End: at.Start}, Text: ","}}}}
	}
	if between {
		b.excuse(b.span(token + 2).Start)
	}
	b.report(d)
}

var operators = [...]ast.Op{
	ll1.TokEq: ast.OpEq, ll1.TokNe: ast.OpNe, ll1.TokLt: ast.OpLt, ll1.TokLe: ast.OpLe,
	ll1.TokGt: ast.OpGt, ll1.TokGe: ast.OpGe, ll1.TokMatch: ast.OpMatch, ll1.TokIn: ast.OpIn,
}

// attribute reads one test into p.
func (b *builder) attribute(f *ast.Filter, p *ast.Prop) {
	p.Op = ast.OpPresent
	p.Span = b.core(b.nearest())
	p.End = p.Start
	emptyList := false
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			switch e.Rule() {
			case ll1.RuleName:
				text, at, _ := b.name()
				p.Name = text
				p.End = at.End
			case ll1.RuleValue:
				if v, ok := b.value(); ok {
					p.Values = append(p.Values, v)
					p.End = v.End
				}
			case ll1.RuleValues:
				skipped := b.skipped
				b.values(p)
				emptyList = len(p.Values) == 0 && b.skipped == skipped
				if n := len(p.Values); n > 0 {
					p.End = max(p.End, p.Values[n-1].End)
				}
			default:
				b.skip()
			}
			continue
		}
		text, at := b.word(e)
		p.End = max(p.End, at.End)
		switch kind := b.kind(e); kind {
		case ll1.TokLbrack:
			p.Op = ast.OpIn
		case ll1.TokRbrack:
		case ll1.TokBadOperator:
			p.Op = b.badOperator(text, at)
		default:
			p.Op = operators[kind]
		}
	}
	if emptyList {
		b.errorf(p.Span, "the list is empty")
	}
	if p.Name == "" || p.Op != ast.OpPresent && len(p.Values) == 0 {
		return // reported
	}
	b.checkProp(p, f)
	f.Props = append(f.Props, p)
}

// badOperators maps operators of other languages to ours; "" when there is none.
var badOperators = map[string]string{
	"==": "=", "===": "=", "=~": "~", "~=": "~", "<>": "!=", "=>": ">=", "=<": "<=",
	"!~": "", "^=": "", "$=": "", "|=": "", "*=": "",
}

func (b *builder) badOperator(text string, at ast.Span) ast.Op {
	d := diag.Diagnostic{Code: diag.SelectorInvalid, Span: at, Message: "`" + text + "` is no operator"}
	ours := badOperators[text]
	if ours != "" {
		d.Hint = "write `" + ours + "`"
		d.Fixes = []diag.Fix{{Title: "write `" + ours + "`", Edits: []diag.Edit{{Span: at, Text: ours}}}}
	} else {
		d.Hint = "`~` tests a regular expression, as in `[name~'^ab']`"
	}
	b.report(d)
	return ast.OpEq
}

// values reads the members of a list.
func (b *builder) values(p *ast.Prop) {
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			if v, ok := b.value(); ok {
				p.Values = append(p.Values, v)
			}
		}
	}
}

// name reads an identifier with parts behind colons. Plain is false when it is no bare identifier.
func (b *builder) name() (text string, at ast.Span, plain bool) {
	plain = true
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			b.skip()
			continue
		}
		word, span := b.word(e)
		if text == "" {
			at = span
		} else {
			plain = false
		}
		if b.kind(e) == ll1.TokDepth && strings.Contains(word, "+") {
			b.errorf(span, "`%s` is no name", word)
		}
		text += word
		at.End = span.End
	}
	if !plain {
		b.ident(strings.ReplaceAll(text, ":", "."), at)
	} else {
		b.ident(text, at)
	}
	return text, at, plain
}

// value reads one literal.
func (b *builder) value() (ast.Value, bool) {
	var v ast.Value
	read := false
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			text, at, plain := b.name()
			v = ast.Value{Span: at, Kind: ast.String, Text: text}
			if plain {
				literal(&v)
			}
			read = true
			continue
		}
		text, at := b.word(e)
		read = true
		switch b.kind(e) {
		case ll1.TokString:
			v = ast.Value{Span: at, Kind: ast.String, Quoted: true, Text: b.unquote(text, at)}
		case ll1.TokBadWord:
			b.report(diag.Diagnostic{
				Code: diag.SelectorInvalid, Span: at,
				Message: "a value that begins with a digit and is no number must be quoted",
				Fixes:   []diag.Fix{{Title: "quote it", Edits: []diag.Edit{{Span: at, Text: "'" + text + "'"}}}},
			})
			v = ast.Value{Span: at, Kind: ast.String, Text: text}
		default:
			v = ast.Value{Span: at, Kind: ast.Number, Text: normalizeNumber(text)}
		}
	}
	return v, read
}

// literal recognises the words that are no strings (decision D2).
func literal(v *ast.Value) {
	switch v.Text {
	case "null", "None":
		v.Kind, v.Text = ast.Null, "null"
	case "true", "false":
		v.Kind = ast.Bool
	}
}

// normalizeNumber drops a plus sign and leading zeros, and the sign of a zero; trailing zeros stay.
func normalizeNumber(s string) string {
	negative := s[0] == '-'
	s = strings.TrimLeft(s, "+-")
	whole, fraction, decimal := strings.Cut(s, ".")
	whole = strings.TrimLeft(whole, "0")
	zero := whole == "" && strings.Trim(fraction, "0") == ""
	if whole == "" {
		whole = "0"
	}
	if decimal {
		whole += "." + fraction
	}
	if negative && !zero {
		return "-" + whole
	}
	return whole
}

// checkProp checks what a test says and marks flags and legacy types.
func (b *builder) checkProp(p *ast.Prop, f *ast.Filter) {
	if p.Op == ast.OpPresent && f.Form != ast.Braces && vocab.Lookup(vocab.Flag, p.Name) != nil {
		p.Flag = true
		return
	}
	t := vocab.Lookup(vocab.Attribute, p.Name)
	if t != nil && t.NeedsTime {
		b.facets = append(b.facets, facet{at: p.Span, name: p.Name, time: "@t0", says: "the present"})
	}
	if p.Op == ast.OpMatch {
		b.pattern(p)
	}
	if p.Name == "nodeType" && (p.Op == ast.OpEq || p.Op == ast.OpNe || p.Op == ast.OpIn) {
		for i := range p.Values {
			b.legacyTypeValue(&p.Values[i])
		}
	}
}

// legacyTypeValue marks a value of nodeType that spells a type as older revisions did. The value itself
// stays as it was written.
func (b *builder) legacyTypeValue(v *ast.Value) {
	if v.Kind != ast.String {
		return
	}
	base, _, namespaced := strings.Cut(v.Text, ":")
	t := vocab.Lookup(vocab.Type, base)
	switch {
	case t == nil, b.edition01() && (!namespaced || oldTypeName(base)):
	case namespaced:
		b.legacy(ast.LegacyTypeBase, v.Span, quote(vocab.CanonicalType(v.Text)))
	case oldTypeName(base):
		b.legacy(ast.LegacyTypeName, v.Span, quote(t.Name))
	}
}

// quote writes a string literal.
func quote(s string) string {
	return "'" + strings.NewReplacer(`\`, `\\`, `'`, `\'`, "\n", `\n`, "\t", `\t`, "\r", `\r`).Replace(s) + "'"
}

// legacyRole marks tests of the header role, which edition 1.0 has replaced by tags.
func (b *builder) legacyRole(f *ast.Filter) {
	if b.edition01() {
		return
	}
	for _, p := range f.Props {
		if p.Name != "role" || p.Op != ast.OpEq || p.Values[0].Kind != ast.String {
			continue
		}
		modern := ""
		at := p.Span
		if len(f.Props) == 1 && isIdentifier(p.Values[0].Text) && !strings.ContainsFunc(p.Values[0].Text, func(r rune) bool { return !isWordRune(r) }) {
			modern, at = "+"+p.Values[0].Text, f.Span
		}
		b.legacy(ast.LegacyRole, at, modern)
	}
}
