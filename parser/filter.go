package parser

import (
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser/internal/ll1"
)

// filter reads a list of tests in brackets.
func (b *builder) filter(s *ast.Step) {
	f := b.nodes.filters.New()
	open, form := b.at, filterForms[b.kind()]
	f.Form = form
	at := b.core(open)
	props := b.nodes.props.Room()
	b.at++
	found := ll1.FirstAttribute.Has(b.kind())
	for ; ll1.FirstAttribute.Has(b.kind()); b.expect(ll1.FirstAttribute) {
		props = b.nodes.props.Extend(props)
		if !b.test(&props[len(props)-1], form) {
			props[len(props)-1] = ast.Prop{}
			props = props[:len(props)-1]
		}
		if k := b.kind(); k == ll1.TokDesc && !b.skipped(open, b.at) {
			b.blankInBrackets(form, b.at)
		} else if k != ll1.TokComma && k != ll1.TokDesc {
			break
		}
		b.at++
	}
	f.Props = b.nodes.props.Keep(props)
	if n := len(props); n > 0 {
		at.End = props[n-1].End()
	}
	end := b.at
	closed := b.closes(closers[form], &at)
	f.Extent = at.Extent()
	cover(s, at.End)
	switch {
	case form == ast.Parens && !b.groupAllowed(s):
		b.refuse(f.Bounds(), "a group in parentheses must directly follow a type",
			"use brackets: `[status='x', ttl=5]`")
	case len(f.Props) > 0:
		b.legacyRole(f)
		b.add(s, f)
	case closed && !found && !b.skipped(open, end):
		b.errorf(f.Bounds(), "the brackets are empty")
	}
}

var filterForms = [...]ast.FilterForm{ll1.TokLbrace: ast.Braces, ll1.TokLbrack: ast.Brackets, ll1.TokLparen: ast.Parens}

var closers = [...]ll1.Kind{ast.Braces: ll1.TokRbrace, ast.Brackets: ll1.TokRbrack, ast.Parens: ll1.TokRparen}

// groupAllowed reports whether the step is only a type token so far; the legacy `*:type` is not
// one.
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

// blankInBrackets reports a blank instead of a comma between two tests, and words that are
// operators in other languages.
func (b *builder) blankInBrackets(form ast.FilterForm, token int) {
	at := b.span(token)
	word, next := "", at
	if b.follow(token, ll1.TokName) {
		next = b.core(token + 1)
		word = next.Text(b.text)
	}
	if b.isSuppressed(at.Start) || word == "in" && b.isSuppressed(next.Start) {
		return
	}
	between := b.follow(token, ll1.TokName, ll1.TokDesc)
	switch {
	case word == "in" && (between || (closing | 1<<ll1.TokComma).Has(b.tokens[token+2].Kind)):
		b.refuse(next, listNeeded, listHint)
	case between && word == "and":
		b.refuse(next, "`and` is not an operator; tests are separated by commas, and all must hold", "",
			replace("write a comma", ast.Span{Start: at.Start, End: b.span(token + 2).End}, ", "))
	case between && word == "or":
		b.refuse(next, "`or` is not an operator", "a union is written with a comma between selectors: `.a[x], .a[y]`")
	case form == ast.Parens:
		return
	default:
		between = false
		b.refuse(at, "tests in brackets are separated by commas", "", safe(insert("insert a comma", at.Start, ",")))
	}
	if between {
		b.suppress(b.span(token + 2).Start)
	}
}

const (
	listNeeded = "`in` needs a list in brackets"
	listHint   = "as in `[kind in ['a', 'b']]`"
)

var operators = [...]ast.Op{
	ll1.TokEq: ast.OpEq, ll1.TokNe: ast.OpNe, ll1.TokLt: ast.OpLt, ll1.TokLe: ast.OpLe,
	ll1.TokGt: ast.OpGt, ll1.TokGe: ast.OpGe, ll1.TokMatch: ast.OpMatch, ll1.TokIn: ast.OpIn,
	ll1.TokBadOperator: ast.OpEq,
}

// test reads one test: a name, and perhaps an operator and operands. It returns false if operands
// are missing.
func (b *builder) test(p *ast.Prop, form ast.FilterForm) bool {
	var at ast.Span
	p.Name, at, _ = b.name()
	switch kind := b.kind(); {
	case kind == ll1.TokIn || kind == ll1.TokEq && b.tokens[b.at+1].Kind == ll1.TokLbrack:
		p.Op = ast.OpIn
		if kind == ll1.TokEq {
			b.at++
		}
		open := b.at
		p.Values = b.list()
		if n := len(p.Values); n > 0 {
			at.End = p.Values[n-1].End()
		}
		end := b.at
		closed := b.closes(ll1.TokRbrack, &at)
		if len(p.Values) == 0 {
			if closed && !b.skipped(open, end) {
				b.errorf(at, "the list is empty")
			}
			return false
		}
	case comparing.Has(kind):
		if p.Op = operators[kind]; kind == ll1.TokBadOperator {
			b.badOperator(b.word(b.at))
		}
		b.at++
		if !b.expect(ll1.FirstValue) {
			return false
		}
		p.Values = b.nodes.values.List(1)
		p.Values[0] = b.value()
		at.End = p.Values[0].End()
	default:
		p.Op = ast.OpPresent
	}
	p.Extent = at.Extent()
	b.checkProp(p, form)
	return true
}

// comparing is the set of the operators with one operand.
const comparing ll1.Set = 1<<ll1.TokEq | 1<<ll1.TokNe | 1<<ll1.TokLt | 1<<ll1.TokLe | 1<<ll1.TokGt | 1<<ll1.TokGe |
	1<<ll1.TokMatch | 1<<ll1.TokBadOperator

// list reads the operands of a list, up to the closing bracket.
func (b *builder) list() []ast.Value {
	values := b.nodes.values.Room()
	for b.at++; ll1.FirstValue.Has(b.kind()); b.expect(ll1.FirstValue) {
		values = b.nodes.values.Extend(values)
		values[len(values)-1] = b.value()
		if b.kind() != ll1.TokComma {
			break
		}
		b.at++
	}
	return b.nodes.values.Keep(values)
}

// nameParts is the set of the tokens that continue a name.
const nameParts ll1.Set = 1<<ll1.TokColonName | 1<<ll1.TokColonPart

// badOperators maps those operators of other languages to ours that we have.
var badOperators = map[string]string{
	"==": "=", "===": "=", "=~": "~", "~=": "~", "<>": "!=", "=>": ">=", "=<": "<=",
}

func (b *builder) badOperator(text string, at ast.Span) {
	message := "`" + text + "` is not an operator"
	if ours := badOperators[text]; ours != "" {
		b.refuse(at, message, "write `"+ours+"`", write(ours, at))
	} else {
		b.refuse(at, message, "`~` tests a regular expression, as in `[name~'^ab']`")
	}
}

// name reads a name, which may have parts after colons. It is plain if it has none.
func (b *builder) name() (text string, at ast.Span, plain bool) {
	kind := b.kind()
	at = b.span(b.at)
	text = at.Text(b.text)
	if kind == ll1.TokDepth && strings.Contains(text, "+") {
		b.errorf(at, "`%s` is not a name", text)
	}
	if b.at++; !nameParts.Has(b.kind()) {
		b.ident(text, at)
		return text, at, true
	}
	for ; nameParts.Has(b.kind()); b.at++ {
		if part := b.span(b.at); part.Start == at.End { // else the repair dropped a token before it
			at.End = part.End
		}
	}
	text = at.Text(b.text)
	b.ident(strings.ReplaceAll(text, ":", "."), at)
	return text, at, false
}

// value reads one literal.
func (b *builder) value() ast.Value {
	kind := b.kind()
	if kind == ll1.TokName || kind == ll1.TokDepth {
		text, at, plain := b.name()
		v := ast.Value{Extent: at.Extent(), Kind: ast.String, Text: text}
		switch {
		case !plain: // only plain words can be null or booleans (decision D2)
		case text == "null" || text == "None":
			v.Kind, v.Text = ast.Null, "null"
		case text == "true" || text == "false":
			v.Kind = ast.Bool
		}
		return v
	}
	at := b.span(b.at)
	text := at.Text(b.text)
	b.at++
	switch kind {
	case ll1.TokString:
		return ast.Value{Extent: at.Extent(), Kind: ast.String, Quoted: true, Text: b.unquote(text, at)}
	case ll1.TokBadWord:
		b.refuse(at, "a value that begins with a digit must be quoted unless it is a number", "",
			replace("quote it", at, "'"+text+"'"))
		return ast.Value{Extent: at.Extent(), Kind: ast.String, Text: text}
	}
	return ast.Value{Extent: at.Extent(), Kind: ast.Number, Text: ast.NormalNumber(text)}
}

// checkProp checks a test, and recognizes flags and legacy types.
func (b *builder) checkProp(p *ast.Prop, form ast.FilterForm) {
	if p.Op == ast.OpPresent && form != ast.Braces && vocab.Lookup(vocab.Flag, p.Name) != nil {
		p.Flag = true
		return
	}
	if t := vocab.Lookup(vocab.Attribute, p.Name); t != nil && t.NeedsTime {
		b.facets = append(b.facets, facet{p.Bounds(), p.Name})
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
