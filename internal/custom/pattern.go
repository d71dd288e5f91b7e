// Package custom makes rules of the linter from the rules that a configuration declares: patterns
// of selectors that a project forbids or requires.
package custom

import (
	"cmp"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/parser"
)

// pattern is a selector, or parts of one, that a rule looks for in selectors.
type pattern struct {
	text     string    // as written
	src      string    // as parsed; all spans lie in it
	time     *ast.Time // nil: any
	steps    []step    // empty: any
	controls []ast.Control
}

// step is a step of a chain, without the parentheses around it.
type step struct {
	node  ast.Span
	child bool   // '>' is before it
	last  bool   // of its chain: the selector selects it
	end   int    // after its last part, or after its anchor
	parts []part // what it tests; in a match, those of them that the pattern names
	all   []part // in a match: what it tests
}

// part is one thing that a step tests.
type part struct {
	node   ast.Node    // an anchor, a qualifier or a *ast.Prop
	span   ast.Span    // what a finding shows
	leads  bool        // begins the step
	word   string      // "type", "tag", "key" or "id" for a test of a word; "" for others
	name   string      // the word
	filter *ast.Filter // the filter that contains the test of an attribute
	value  *ast.Value  // the value with the word, in the test of an attribute

	passes func(name string) bool // in a pattern, reports whether it matches a word; nil: it matches name
}

// maxPattern limits the length of a pattern.
const maxPattern = 1000

// parsePattern parses a pattern, which may be a time and controls without a step. Unless it is
// exact, a control without its value matches any value.
func parsePattern(text string, exact bool) (*pattern, error) {
	if strings.TrimSpace(text) == "" {
		return nil, errors.New("a pattern must not be empty")
	}
	if len(text) > maxPattern {
		return nil, errors.New("the pattern is too long")
	}
	words := strings.Fields(text)
	src := text
	q, first := read(src, exact)
	for i := 0; first != nil && i <= len(words) && onlyAt(words); i++ {
		// Add the missing step where it makes a selector.
		with := strings.Join(words[:i], " ") + " * " + strings.Join(words[i:], " ")
		switch other, wrong := read(with, exact); {
		case wrong == nil:
			src, q, first = with, other, nil
		case wrong.Code == diag.ControlInvalid: // rather than that it is no time
			first = wrong
		}
	}
	if first != nil {
		return nil, errors.New(strings.TrimSuffix(first.Message, ", at the end of the selector") + hintOf(first))
	}
	if len(q.Union) > 1 || len(q.Union[0].Chains) > 1 {
		return nil, errors.New("a pattern has no alternatives: write a list of patterns")
	}
	p := &pattern{text: text, src: src, time: q.Time, controls: q.Controls()}
	if err := checkControls(p.controls); err != nil {
		return nil, err
	}
	p.steps = flatten(&q.Union[0].Chains[0], nil)
	for i := range p.steps {
		if err := p.steps[i].generalize(); err != nil {
			return nil, err
		}
	}
	if len(p.steps) == 1 && len(p.steps[0].parts) == 0 {
		p.steps = nil
	}
	return p, nil
}

// checkControls returns an error for a misspelled control or time, which no selector has.
func checkControls(controls []ast.Control) error {
	for _, c := range controls {
		if vocab.Lookup(vocab.Control, c.Name) != nil {
			continue
		}
		meant := ""
		if t := vocab.Nearest(vocab.Control, c.Name); t != nil {
			meant = "@" + t.Name
		} else if t := vocab.Nearest(vocab.Instant, "@"+c.Name); t != nil {
			meant = t.Name
		}
		if meant != "" {
			return fmt.Errorf("unknown control `@%s`; did you mean `%s`?", c.Name, meant)
		}
	}
	return nil
}

func hintOf(d *diag.Diagnostic) string {
	if d.Hint == "" {
		return ""
	}
	return "; " + d.Hint
}

// onlyAt reports whether all words begin with '@'.
func onlyAt(words []string) bool {
	for _, w := range words {
		if w[0] != '@' {
			return false
		}
	}
	return true
}

// read parses a selector. It returns the first error. Unless exact, a control may lack its value.
func read(text string, exact bool) (*ast.Query, *diag.Diagnostic) {
	q, ds := parser.ParseSelector(text, parser.Options{})
	for _, d := range ds {
		if d.Severity == diag.Error && (exact || d.Code != diag.ControlInvalid || strings.Contains(d.Span.Text(text), "=")) {
			return q, &d
		}
	}
	return q, nil
}

// flatten returns the steps of a chain without parentheses. The last step also gets the qualifiers
// in more.
func flatten(c *ast.Chain, more []ast.Qualifier) []step {
	var out []step
	for i := range c.Steps {
		s := &c.Steps[i]
		qualifiers := s.Qualifiers
		if i == len(c.Steps)-1 {
			qualifiers = append(qualifiers[:len(qualifiers):len(qualifiers)], more...)
		}
		if g, ok := s.Anchor.(*ast.Group); ok {
			inner := flatten(g.Chain, qualifiers)
			inner[0].child = s.Combinator == ast.Child
			out = append(out, inner...)
			continue
		}
		out = append(out, newStep(s, qualifiers))
	}
	return out
}

func newStep(s *ast.Step, qualifiers []ast.Qualifier) step {
	out := step{node: s.Bounds(), child: s.Combinator == ast.Child, end: s.Anchor.Bounds().End}
	switch a := s.Anchor.(type) {
	case *ast.Any, *ast.Bad:
	case *ast.Type:
		out.parts = append(out.parts, part{node: a, span: a.Bounds(), word: "type", name: a.Name})
	case *ast.Key:
		out.parts = append(out.parts, keyPart(a))
	default:
		out.parts = append(out.parts, part{node: a, span: a.Bounds()})
	}
	for _, q := range qualifiers {
		switch q := q.(type) {
		case *ast.Tag:
			out.parts = append(out.parts, part{node: q, span: q.Bounds(), word: "tag", name: q.Name})
		case *ast.Key:
			out.parts = append(out.parts, keyPart(q))
		case *ast.Filter:
			for i := range q.Props {
				out.parts = appendTests(out.parts, q, &q.Props[i])
			}
		default:
			out.parts = append(out.parts, part{node: q, span: q.Bounds()})
		}
		out.end = max(out.end, q.Bounds().End)
		out.node.End = max(out.node.End, q.Bounds().End)
	}
	if len(out.parts) > 0 {
		first := &out.parts[0]
		at := first.span
		if first.filter != nil {
			at = first.filter.Bounds()
		}
		first.leads = at.Start == out.node.Start
	}
	return out
}

func keyPart(k *ast.Key) part {
	word := "key"
	if k.ID {
		word = "id"
	}
	return part{node: k, span: k.Bounds(), word: word, name: k.Name}
}

// wordOf names the attributes that test a word.
var wordOf = map[string]string{"nodeType": "type", "tag": "tag", "key": "key", "id": "id"}

// appendTests appends the test of an attribute. The test of one word is a part with the word. Any
// other test is a part for the whole test, and a part for each word in its list.
func appendTests(parts []part, f *ast.Filter, p *ast.Prop) []part {
	word := wordOf[p.Name]
	if word != "" && p.Op == ast.OpEq && p.Values[0].Kind == ast.String {
		return append(parts, part{node: p, span: p.Bounds(), word: word, name: p.Values[0].Text, filter: f, value: &p.Values[0]})
	}
	parts = append(parts, part{node: p, span: p.Bounds(), filter: f})
	for i := range p.Values {
		if v := &p.Values[i]; word != "" && p.Op == ast.OpIn && v.Kind == ast.String {
			parts = append(parts, part{node: p, span: v.Bounds(), word: word, name: v.Text, filter: f, value: v})
		}
	}
	return parts
}

// generalize makes the tests of words in a pattern stand for every word that passes them:
// {tag~'^tmp-'} stands for +tmp-1.
func (s *step) generalize() error {
	kept := s.parts[:0]
	for _, x := range s.parts {
		test, ok := x.node.(*ast.Prop)
		word := ""
		if ok {
			word = wordOf[test.Name]
		}
		switch {
		case word == "" || test.Op != ast.OpIn && test.Op != ast.OpMatch:
		case x.word != "":
			continue // a member of a list, which stands for all
		case test.Op == ast.OpMatch:
			re, err := regexp.Compile(test.Values[0].Text)
			if err != nil {
				return err
			}
			x.word, x.passes = word, re.MatchString
		default:
			x.word = word
			x.passes = func(name string) bool {
				return slices.ContainsFunc(test.Values, func(v ast.Value) bool { return v.Text == name })
			}
		}
		kept = append(kept, x)
	}
	s.parts = kept
	return nil
}

// findIn returns the first part of a selector that the part of a pattern matches.
func (p part) findIn(parts []part) (part, bool) {
	for _, x := range parts {
		if p.matches(x) {
			return x, true
		}
	}
	return part{}, false
}

func (p part) matches(x part) bool {
	if p.passes != nil {
		return p.word == x.word && p.passes(x.name)
	}
	test, isTest := p.node.(*ast.Prop)
	if p.word != "" || !isTest {
		return p.word == x.word && p.name == x.name && (p.word != "" || ast.Equal(depthOf(p.node), depthOf(x.node)))
	}
	other, ok := x.node.(*ast.Prop)
	if !ok || test.Name != other.Name || test.Flag != other.Flag {
		return false
	}
	if test.Op == ast.OpPresent {
		return x.span == other.Bounds()
	}
	return x.word == "" && ast.Equal(test, other)
}

// depthOf returns the depth for which ^sys, ^ah and a depth in parentheses are other names, and any
// other node as it is.
func depthOf(n ast.Node) ast.Node {
	switch n := n.(type) {
	case *ast.Region:
		switch n.Name {
		case ast.Sys:
			return &ast.Depth{From: -1, To: -1}
		case ast.Head:
			return &ast.Depth{}
		}
	case *ast.Coordinates:
		if c := n.List[0]; len(n.List) == 1 && len(c.Offsets) == 0 {
			return &ast.Depth{From: c.From, To: c.To}
		}
	}
	return n
}

// match is an occurrence of a pattern in a selector.
type match struct {
	span  ast.Span
	steps []step // the steps of the selector, with the parts that the pattern names
}

// maxMatches limits the occurrences of one pattern in one selector.
const maxMatches = 100

// matches returns where a pattern occurs in a selector.
func (p *pattern) matches(q *ast.Query) []match {
	if p.time != nil && !sameTime(p.time, q.Time) {
		return nil
	}
	var controls ast.Span
	for i := range p.controls {
		c := p.control(i, q)
		if c == nil {
			return nil
		}
		controls = cover(controls, c.Bounds())
	}
	if len(p.steps) > 0 {
		return p.chains(q)
	}
	at := controls
	if p.time != nil && q.Time != nil {
		at = cover(q.Time.Bounds(), at)
	}
	if at == (ast.Span{}) {
		at = q.Bounds()
	}
	return []match{{span: at}}
}

// control returns the control of a selector that control i of the pattern matches, or nil.
func (p *pattern) control(i int, q *ast.Query) *ast.Control {
	list := q.Controls()
	for k := range list {
		if c := p.controls[i]; c.Name == list[k].Name && (!c.HasValue || list[k].HasValue && c.Value == list[k].Value) {
			return &list[k]
		}
	}
	return nil
}

// cover returns the smallest span that covers two. The zero span is empty.
func cover(a, b ast.Span) ast.Span {
	switch {
	case a == (ast.Span{}):
		return b
	case b == (ast.Span{}):
		return a
	}
	return ast.Span{Start: min(a.Start, b.Start), End: max(a.End, b.End)}
}

// sameTime reports whether two times are the same; nil is @t0.
func sameTime(a, b *ast.Time) bool {
	return timeOf(a) == timeOf(b)
}

// timeOf returns a time without its positions.
func timeOf(t *ast.Time) ast.Time {
	switch {
	case t == nil:
		return ast.Time{}
	case t.Kind == ast.TimeHistory:
		return ast.Time{Kind: ast.TimeRange, To: ast.Instant{Kind: ast.Oldest}}
	}
	from, to := ast.Instant{Kind: t.From.Kind, N: t.From.N}, ast.Instant{Kind: t.To.Kind, N: t.To.N}
	if t.Kind != ast.TimeAt && (from.Kind == ast.Oldest || to.Kind != ast.Oldest && from.N < to.N) {
		from, to = to, from // both orders mean the same
	}
	return ast.Time{Kind: t.Kind, From: from, To: to}
}

// chains finds the steps of a pattern in the chains of a selector.
func (p *pattern) chains(q *ast.Query) []match {
	var out []match
	for i := range q.Union {
		for k := range q.Union[i].Chains {
			steps := flatten(&q.Union[i].Chains[k], nil)
			steps[len(steps)-1].last = true
			for start := 0; start < len(steps) && len(out) < maxMatches; start++ {
				found, ok := p.from(steps, start)
				if !ok {
					break // a later start has fewer steps after it
				}
				out = append(out, p.variants(found)...)
				start = found[0].at
			}
		}
	}
	return out
}

// variants returns a match for each part that a part of the pattern matches in its step, for
// {priority>1, priority<5} has two tests of the attribute.
func (p *pattern) variants(found []foundStep) []match {
	out := []match{newMatch(found)}
	for i, f := range found {
		for k, want := range p.steps[i].parts {
			for _, x := range f.all {
				if x.span == f.parts[k].span || !want.matches(x) || len(out) == maxMatches {
					continue
				}
				other := slices.Clone(found)
				other[i].parts = slices.Clone(f.parts)
				other[i].parts[k] = x
				out = append(out, newMatch(other))
			}
		}
	}
	return out
}

// foundStep is a step of a selector that a step of a pattern matches.
type foundStep struct {
	step
	at int // the index in the chain
}

// from finds the steps of a pattern in the steps from start on, each as early as possible. White
// space matches any number of steps, '>' matches the next step.
func (p *pattern) from(steps []step, start int) ([]foundStep, bool) {
	var out []foundStep
	for first := 0; first < len(p.steps); {
		next := first + 1
		for next < len(p.steps) && p.steps[next].child {
			next++
		}
		block, ok := findBlock(p.steps[first:next], steps, start)
		if !ok {
			return nil, false
		}
		out = append(out, block...)
		first, start = next, block[len(block)-1].at+1
	}
	return out, true
}

// findBlock finds the first consecutive steps that match a block.
func findBlock(block, steps []step, start int) ([]foundStep, bool) {
	for ; start+len(block) <= len(steps); start++ {
		var out []foundStep
		for i, want := range block {
			s := steps[start+i]
			if i > 0 && !s.child {
				break
			}
			s, ok := want.in(s)
			if !ok {
				break
			}
			out = append(out, foundStep{s, start + i})
		}
		if len(out) == len(block) {
			return out, true
		}
	}
	return nil, false
}

// in returns a step of a selector with the first part that each part of the pattern's step matches.
// It returns false if the step lacks one.
func (s step) in(x step) (step, bool) {
	var parts []part
	for _, p := range s.parts {
		found, ok := p.findIn(x.parts)
		if !ok {
			return step{}, false
		}
		parts = append(parts, found)
	}
	x.parts, x.all = parts, x.parts
	return x, true
}

func newMatch(found []foundStep) match {
	var m match
	for _, f := range found {
		var at ast.Span
		for _, p := range f.parts {
			at = cover(at, p.span)
		}
		m.span = cover(m.span, cmp.Or(at, f.node))
		m.steps = append(m.steps, f.step)
	}
	return m
}
