package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// qualifier reads what narrows a step.
func (b *builder) qualifier(s *ast.Step, c *ast.Chain) {
	var call ll1.Kind
	var args []int
	var open ast.Span
	var extended bool // the ':part' read last belongs to the token before it
	for b.more() {
		e := b.next()
		if e.IsOpen() {
			switch rule := e.Rule(); rule {
			case ll1.RuleArgument:
				args = b.argument(args)
			default:
				b.qualifierRule(rule, s, c)
			}
			continue
		}
		text, at := b.word(e)
		switch kind := b.kind(e); kind {
		case ll1.TokColonName, ll1.TokColonPart:
			extended = b.colon(s, text, at)
		case ll1.TokType, ll1.TokDotPart:
			b.dotted(s, text, at, extended)
		case ll1.TokKey, ll1.TokQuotedKey:
			k := b.key(text, at)
			s.Qualifiers = append(s.Qualifiers, k)
		case ll1.TokNthCall, ll1.TokDepthPseudo:
			call, open = kind, at
			b.parens++
		case ll1.TokRparen:
			b.parens--
			at.Start = open.Start
			if call == ll1.TokNthCall {
				b.nth(s, args, at)
			} else {
				b.depthPseudo(s, c, args, at)
			}
			call = ll1.TokEOF
		}
		cover(s, at.End)
	}
	if call != ll1.TokEOF {
		b.parens--
	}
}

// qualifierRule reads a tag or a bracketed filter.
func (b *builder) qualifierRule(rule ll1.Rule, s *ast.Step, _ *ast.Chain) {
	switch rule {
	case ll1.RuleTags:
		for b.more() {
			e := b.next()
			if e.IsOpen() {
				b.skip()
				continue
			}
			text, at := b.word(e)
			b.ident(text[1:], at)
			s.Qualifiers = append(s.Qualifiers, b.nodes.tag(at, text[1:]))
			cover(s, at.End)
		}
	case ll1.RuleProps:
		b.filter(s, ast.Braces)
	case ll1.RuleBehavior:
		b.filter(s, ast.Brackets)
	case ll1.RuleGroup:
		b.filter(s, ast.Parens)
	default:
		b.skip()
	}
}

// colon reads ':name' behind a step: a zone, a positional pseudo, or the rest of a type or key token. It
// reports whether the token was extended.
func (b *builder) colon(s *ast.Step, text string, at ast.Span) bool {
	name := text[1:]
	if z, ok := zone(name); ok {
		s.Qualifiers = append(s.Qualifiers, &ast.Zone{Span: at, Name: z})
		return false
	}
	switch name {
	case "first":
		s.Qualifiers = append(s.Qualifiers, &ast.Positional{Span: at, Name: ast.FirstOf})
		return false
	case "last":
		s.Qualifiers = append(s.Qualifiers, &ast.Positional{Span: at, Name: ast.LastOf})
		return false
	case "nth", "depth":
		if !b.callApart(at) {
			b.report(diag.Diagnostic{
				Code: diag.SelectorInvalid, Span: at, Message: "`" + text + "` needs a number in parentheses",
				Hint: "write `" + text + "(1)`, without a blank",
			})
		}
		return false
	}
	if len(s.Qualifiers) == 0 && b.extend(s, name, at) {
		return true
	}
	if k, ok := lastKey(s); ok {
		b.extendKey(k, ":"+name, at)
		return true
	}
	b.report(diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "`" + text + "` is no pseudo",
		Hint:    nearPseudo(name),
	})
	return false
}

// callApart reports a blank between a word that ends where at does and the parenthesis of its arguments.
func (b *builder) callApart(at ast.Span) bool {
	n := b.nearest()
	if n+2 >= len(b.tokens) || b.tokens[n].Kind != ll1.TokDesc || b.tokens[n+1].Kind != ll1.TokLparen || b.span(n).Start != at.End {
		return false
	}
	blank := b.span(n)
	b.excuse(b.core(n + 2).Start)
	b.report(diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: blank,
		Message: "the parenthesis must stand directly behind `" + at.Text(b.src) + "`",
		Fixes:   []diag.Fix{{Title: "remove the blank", Edits: []diag.Edit{{Span: blank}}}},
	})
	return true
}

// extend adds ':name' to the anchor, when it is one that takes it.
func (b *builder) extend(s *ast.Step, name string, at ast.Span) bool {
	switch a := s.Anchor.(type) {
	case *ast.Key:
		b.extendKey(a, ":"+name, at)
	case *ast.Type:
		b.typeSuffix(s, a, name, at)
	case *ast.Any:
		if a.Implied || at.Start != a.End || !isIdentifier(name) {
			return false
		}
		b.ident(name, at)
		t := &ast.Type{Span: ast.Span{Start: a.Start, End: at.End}, Name: vocab.CanonicalType(name)}
		s.Anchor = t
		b.legacyType(ast.LegacyStarType, t.Span, name)
	case *ast.Region: // .ah:note
		base := a.Text(b.text)
		if base[0] != '.' {
			return false
		}
		t := &ast.Type{Span: a.Span, Name: base[1:]}
		s.Anchor = t
		b.typeSuffix(s, t, name, at)
	case *word:
		if !a.number {
			return false
		}
		s.Qualifiers = append(s.Qualifiers, &suffix{Tag: ast.Tag{Span: at}, name: name})
	case *ast.Bad:
		// reported already
	default:
		return false
	}
	return true
}

// typeSuffix reads '.Base:T'. With a canonical base the type is T; otherwise it is the whole token.
func (b *builder) typeSuffix(s *ast.Step, t *ast.Type, name string, at ast.Span) {
	b.ident(name, at)
	base := t.Text(b.text)[1:]
	whole := ast.Span{Start: t.Start, End: at.End}
	canonical := vocab.Lookup(vocab.Type, base) != nil
	full := base + ":" + name
	if canonical {
		full = vocab.CanonicalType(name)
	}
	switch {
	case strings.Contains(base, ":"):
		b.unrecord(t.Span)
		b.errorf(at, "a type token has one `:` at most")
		return
	case whole.Len() != len(base)+1+len(name)+1: // something between was passed over
		return
	}
	s.Anchor = &ast.Type{Span: whole, Name: full}
	if hint := nearPseudo(name); hint != "" && (b.edition01() && (!canonical || oldTypeName(base))) {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Severity: diag.Hint, Span: at,
			Message: "`:" + name + "` is read as part of the type", Hint: hint,
		})
	}
	if b.edition01() && (!canonical || oldTypeName(base)) {
		return
	}
	b.legacyType(ast.LegacyTypeBase, whole, full)
}

// legacyType records a type token whose modern form is '.name', or a filter when the name is no token.
func (b *builder) legacyType(form ast.LegacyForm, at ast.Span, name string) {
	modern := "." + vocab.CanonicalType(name)
	if !isIdentifier(name) || regionName(name) {
		modern = "*[nodeType='" + name + "']"
	}
	b.legacy(form, at, modern)
}

func regionName(name string) bool { return vocab.Lookup(vocab.Region, name) != nil }

// isIdentifier reports whether a part, which consists of the right characters, may stand alone.
func isIdentifier(s string) bool {
	return s != "" && (s[0] < '0' || s[0] > '9') && !strings.ContainsAny(s, ":.") && !strings.HasSuffix(s, "-")
}

// lastKey is the key that was read last, which a ':part' belongs to.
func lastKey(s *ast.Step) (*ast.Key, bool) {
	if n := len(s.Qualifiers); n > 0 {
		k, ok := s.Qualifiers[n-1].(*ast.Key)
		return k, ok
	}
	k, ok := s.Anchor.(*ast.Key)
	return k, ok
}

// extendKey adds a part to an unquoted key. With a colon in it the token is an id (decision D6).
func (b *builder) extendKey(k *ast.Key, part string, at ast.Span) {
	if written := k.Text(b.text); written[1] == '\'' || written[1] == '"' {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: at, Message: "`" + part + "` is no pseudo",
			Hint: nearPseudo(part[1:]),
		})
		return
	}
	b.ident(part[1:], at)
	k.Name += part
	k.Span.End = at.End
	k.ID = true
}

// dotted reads '.name' behind a ':part': more of a key, or a step that lacks its blank.
func (b *builder) dotted(s *ast.Step, text string, at ast.Span, extended bool) {
	if k, ok := lastKey(s); ok && extended {
		b.extendKey(k, text, at)
		return
	}
	d := diag.Diagnostic{
		Code: diag.SelectorInvalid, Span: at,
		Message: "two steps need a blank or `>` between them",
	}
	if text[1] < '0' || text[1] > '9' {
		d.Fixes = []diag.Fix{insertBlank(at.Start)}
	}
	b.report(d)
}

func insertBlank(at int) diag.Fix {
	return diag.Fix{Title: "insert a blank", Edits: []diag.Edit{{Span: ast.Span{Start: at, End: at}, Text: " "}}}
}

// nth reads ':nth(n)'.
func (b *builder) nth(s *ast.Step, args []int, at ast.Span) {
	if len(args) != 1 || b.tokens[args[0]].Kind != ll1.TokInt {
		b.errorf(at, "`:nth(…)` takes one whole number, from 1")
		return
	}
	arg := b.core(args[0])
	n, ok := b.integer(arg.Text(b.text), arg)
	if !ok {
		return
	}
	if n < 1 {
		b.report(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: arg, Message: "`:nth(…)` counts from 1",
			Hint: "the last sibling is `:last`",
		})
		return
	}
	s.Qualifiers = append(s.Qualifiers, &ast.Positional{Span: at, Name: ast.NthOf, N: n})
}

// ---- filters ------------------------------------------------------------------------------------------

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
