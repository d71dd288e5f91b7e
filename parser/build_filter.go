package parser

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// filter reads a bracketed list of tests.
func (b *builder) filter(s *ast.Step, form ast.FilterForm) {
	f := b.nodes.filters.New()
	f.Form = form
	skipped, empty := b.skipped, false
	b.props = b.props[:0]
	first, _ := b.next() // the bracket, with which the rule begins
	at := b.core(first.Token())
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			empty = !b.attributes(form)
		} else {
			at.End = b.core(e.Token()).End
		}
	}
	if n := len(b.props); n > 0 {
		f.Props = b.nodes.props.Copy(b.props)
		at.End = max(at.End, f.Props[n-1].End())
	}
	f.Extent = at.Extent()
	cover(s, at.End)
	if form == ast.Parens && !b.groupAllowed(s) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: f.Bounds(),
			Message: "a group in parentheses must stand directly behind a type",
			Hint:    "use brackets: `[status='x', ttl=5]`",
		})
		return
	}
	if len(f.Props) == 0 {
		if empty && b.skipped == skipped {
			b.errorf(f.Bounds(), "the brackets are empty")
		}
		return
	}
	b.endFilter(s, f)
}

// endFilter adds a filter to the step.
func (b *builder) endFilter(s *ast.Step, f *ast.Filter) {
	if b.roles {
		b.legacyRole(f)
	}
	s.Qualifiers = append(s.Qualifiers, f)
}

// groupAllowed reports whether the step is a type token so far; the legacy `*:type` is none.
func (b *builder) groupAllowed(s *ast.Step) bool {
	if len(s.Qualifiers) > 0 {
		return false
	}
	switch a := s.Anchor.(type) {
	case *ast.Type:
		return b.text[a.Start()] == '.'
	case *ast.Bad:
		return true
	}
	return false
}

// attributes reads the tests in a filter and reports whether there were any. Blanks separate them in a group
// only.
func (b *builder) attributes(form ast.FilterForm) bool {
	found := false
	skipped := b.skipped
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			found = true
			b.attribute(form)
			continue
		}
		if e.Kind() == ll1.TokDesc && b.skipped == skipped {
			b.blankInBrackets(form, e.Token())
		}
	}
	return found
}

// blankInBrackets reports a blank between two tests where only a comma separates them, and words that are
// operators in other languages.
func (b *builder) blankInBrackets(form ast.FilterForm, token int) {
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
	case word == "in" && (between || afterTest.Has(b.tokens[token+2].Kind)):
		d.Span, d.Message, d.Hint = next, listNeeded, listHint
	case between && word == "and":
		d.Span, d.Message = next, "`and` is no operator; tests are separated by commas, and all must hold"
		all := ast.Span{Start: at.Start, End: b.span(token + 2).End}
		d.Fixes = []diag.Fix{{Title: "write a comma", Edits: []diag.Edit{{Span: all, Text: ", "}}}}
	case between && word == "or":
		d.Span, d.Message, d.Hint = next, "`or` is no operator", "a union is written with a comma between selectors: `.a[x], .a[y]`"
	case form == ast.Parens:
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

const (
	listNeeded = "`in` needs a list in brackets"
	listHint   = "as in `[kind in ['a', 'b']]`"
)

// afterTest is the set of the tokens that can follow a test without a blank.
const afterTest ll1.Set = 1<<ll1.TokComma | 1<<ll1.TokRbrace | 1<<ll1.TokRbrack | 1<<ll1.TokRparen

var operators = [...]ast.Op{
	ll1.TokEq: ast.OpEq, ll1.TokNe: ast.OpNe, ll1.TokLt: ast.OpLt, ll1.TokLe: ast.OpLe,
	ll1.TokGt: ast.OpGt, ll1.TokGe: ast.OpGe, ll1.TokMatch: ast.OpMatch, ll1.TokIn: ast.OpIn,
}

// attribute reads one test: a name and perhaps an operator and operands.
func (b *builder) attribute(form ast.FilterForm) {
	p := ast.Prop{Op: ast.OpPresent}
	first, _ := b.next()
	var at ast.Span
	p.Name, at, _ = b.name(first)
	emptyList := false
	for e, more := b.next(); more; e, more = b.next() {
		if e.IsOpen() {
			skipped := b.skipped
			p.Values = b.list()
			emptyList = len(p.Values) == 0 && b.skipped == skipped
			if n := len(p.Values); n > 0 {
				at.End = p.Values[n-1].End()
			}
			continue
		}
		kind := e.Kind()
		if literals.Has(kind) {
			p.Values = b.nodes.values.List(1)
			p.Values[0] = b.value(e)
			at.End = p.Values[0].End()
			continue
		}
		switch kind {
		case ll1.TokLbrack:
			p.Op = ast.OpIn
		case ll1.TokRbrack:
			at.End = b.core(e.Token()).End
		case ll1.TokBadOperator:
			p.Op = b.badOperator(b.word(e))
		default:
			p.Op = operators[kind]
		}
	}
	p.Extent = at.Extent()
	if emptyList {
		b.errorf(at, "the list is empty")
	}
	if p.Op != ast.OpPresent && len(p.Values) == 0 {
		return // reported
	}
	b.checkProp(&p, form)
	b.props = append(b.props, p)
}

// list reads the operands in a list.
func (b *builder) list() []ast.Value {
	b.operands = b.operands[:0]
	for e, more := b.next(); more; e, more = b.next() {
		if e.Kind() != ll1.TokComma {
			b.operands = append(b.operands, b.value(e))
		}
	}
	return b.nodes.values.Copy(b.operands)
}

// nameParts is the set of the tokens that go on behind the first one of a name.
const nameParts ll1.Set = 1<<ll1.TokColonName | 1<<ll1.TokColonPart

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

// name reads an identifier with parts behind colons. Plain is false when it is no bare identifier.
func (b *builder) name(e ll1.Event) (text string, at ast.Span, plain bool) {
	text, at = b.word(e)
	if e.Kind() == ll1.TokDepth && strings.Contains(text, "+") {
		b.errorf(at, "`%s` is no name", text)
	}
	plain = true
	if b.follows(nameParts) {
		for e, ok := b.take(nameParts); ok; e, ok = b.take(nameParts) {
			part, end := b.word(e)
			text, at.End, plain = text+part, end.End, false
		}
	}
	if plain {
		b.ident(text, at)
	} else {
		b.ident(strings.ReplaceAll(text, ":", "."), at)
	}
	return text, at, plain
}

// literals is the set of the tokens a value begins with.
const literals ll1.Set = 1<<ll1.TokString | 1<<ll1.TokInt | 1<<ll1.TokDecimal | 1<<ll1.TokBadWord | 1<<ll1.TokName | 1<<ll1.TokDepth

// value reads one literal.
func (b *builder) value(e ll1.Event) ast.Value {
	kind := e.Kind()
	if kind == ll1.TokName || kind == ll1.TokDepth {
		text, at, plain := b.name(e)
		v := ast.Value{Extent: at.Extent(), Kind: ast.String, Text: text}
		if plain {
			bareWord(&v)
		}
		return v
	}
	return b.literal(kind, b.span(e.Token()))
}

// literal reads a value of one token, which is no name.
func (b *builder) literal(kind ll1.Kind, at ast.Span) ast.Value {
	text := at.Text(b.text)
	switch kind {
	case ll1.TokString:
		return ast.Value{Extent: at.Extent(), Kind: ast.String, Quoted: true, Text: b.unquote(text, at)}
	case ll1.TokBadWord:
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at,
			Message: "a value that begins with a digit and is no number must be quoted",
			Fixes:   []diag.Fix{{Title: "quote it", Edits: []diag.Edit{{Span: at, Text: "'" + text + "'"}}}},
		})
		return ast.Value{Extent: at.Extent(), Kind: ast.String, Text: text}
	}
	return ast.Value{Extent: at.Extent(), Kind: ast.Number, Text: normalizeNumber(text)}
}

// bareWord recognises the words that are no strings (decision D2).
func bareWord(v *ast.Value) {
	switch v.Text {
	case "null", "None":
		v.Kind, v.Text = ast.Null, "null"
	case "true", "false":
		v.Kind = ast.Bool
	}
}

// normalizeNumber drops a plus sign and leading zeros, and the sign of a zero; trailing zeros stay.
func normalizeNumber(s string) string {
	if s[0] >= '1' && s[0] <= '9' || strings.HasPrefix(s, "0.") || s == "0" {
		return s
	}
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
func (b *builder) checkProp(p *ast.Prop, form ast.FilterForm) {
	if p.Op == ast.OpPresent && form != ast.Braces && vocab.Lookup(vocab.Flag, p.Name) != nil {
		p.Flag = true
		return
	}
	if slices.Contains(timed, p.Name) {
		b.facets = append(b.facets, facet{at: p.Bounds(), name: p.Name, time: "@t0", says: "the present"})
	}
	if p.Op == ast.OpMatch {
		b.pattern(p)
	}
	switch p.Name {
	case "nodeType":
		if p.Op == ast.OpEq || p.Op == ast.OpNe || p.Op == ast.OpIn {
			for i := range p.Values {
				b.legacyTypeValue(&p.Values[i])
			}
		}
	case "role":
		b.roles = true
	}
}

// timed are the attributes that require a written time.
var timed = func() (names []string) {
	for t := range vocab.All(vocab.Attribute) {
		if t.NeedsTime {
			names = append(names, t.Name)
		}
	}
	return names
}()

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
		b.legacy(ast.LegacyTypeBase, v.Bounds(), ast.Quote(vocab.CanonicalType(v.Text)))
	case oldTypeName(base):
		b.legacy(ast.LegacyTypeName, v.Bounds(), ast.Quote(t.Name))
	}
}

// legacyRole marks tests of the header role, which edition 1.0 has replaced by tags.
func (b *builder) legacyRole(f *ast.Filter) {
	b.roles = false
	if b.edition01() {
		return
	}
	for _, p := range f.Props {
		if p.Name != "role" {
			continue
		}
		modern := ""
		at := p.Bounds()
		if len(f.Props) == 1 && p.Op == ast.OpEq && p.Values[0].Kind == ast.String && ast.IsName(p.Values[0].Text) {
			modern, at = "+"+p.Values[0].Text, f.Bounds()
		}
		b.legacy(ast.LegacyRole, at, modern)
	}
}
