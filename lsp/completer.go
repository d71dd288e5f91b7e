package lsp

import (
	"context"
	"slices"
	"strconv"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// completer collects the completions at a position of a selector.
type completer struct {
	*server
	view       *view
	doc        *document
	analysis   *analysis
	region     *host.Region
	completion parser.Completion
	at         int // in the document
	base       int // where the selector starts in the text of the region
	items      []item
	seen       map[string]bool
	cut        bool // there are more words than are offered
}

// maxWords bounds the words of a kind that are offered; if there are more, only those that begin
// with the typed text are offered.
const maxWords = 500

// completer returns the completer for the selector at an offset: in a selector file the text around
// the offset, up to the ends of the line, elsewhere the whole string.
func (s *server) completer(ctx context.Context, v *view, d *document, a *analysis, at int) (*completer, bool) {
	for i := range a.File.Regions {
		r := &a.File.Regions[i]
		if at < r.Start || at > r.End || at == r.End && i+1 < len(a.File.Regions) && a.File.Regions[i+1].Start == at {
			continue // the next part of a selector file begins here
		}
		if r.Grade() == host.Unproven && !r.IsUnfinished() {
			return nil, false
		}
		offset, ok := r.Offset(at)
		if !ok {
			return nil, false
		}
		text, base := r.Text, 0
		if r.Form == host.Selectors {
			base = selectorStart(ctx, a, i, offset)
			text = text[base:]
		}
		if r.Form == host.Selectors && inComment(r.Text, offset) {
			return nil, false
		}
		c := &completer{server: s, view: v, doc: d, analysis: a, region: r, at: at, base: base, items: []item{}, seen: map[string]bool{}}
		c.completion = parser.CompletionAt(text, offset-base, parser.Options{Edition: a.options.Format.Edition})
		return c, true
	}
	return nil, false
}

// selectorStart returns the start of the selector around an offset of a selector file: that of a
// selector of several lines, or else that of the line.
func selectorStart(ctx context.Context, a *analysis, region, offset int) int {
	r := &a.File.Regions[region]
	line := strings.LastIndexByte(r.Text[:offset], '\n') + 1
	for s := range a.selectors(ctx, r.Span) {
		if s.Region != region {
			continue
		}
		if b := s.Query.Bounds(); b.Start < line && b.End >= line {
			return b.Start
		}
	}
	return line
}

// inComment reports whether an offset lies in a comment line or in a trailing comment.
func inComment(text string, offset int) bool {
	line := text[strings.LastIndexByte(text[:offset], '\n')+1 : offset]
	trimmed := strings.TrimLeft(line, " \t")
	return strings.HasPrefix(trimmed, "# ") || strings.HasPrefix(trimmed, "##") || strings.Contains(line, " # ")
}

// offer fills the list of completions.
func (c *completer) offer(ctx context.Context) {
	p := &c.completion
	switch {
	case p.Value && p.Control:
		c.controlValues()
		return
	case p.Value:
		c.values(ctx)
		return
	}
	if p.Time {
		c.times()
	}
	if p.Endpoint {
		c.endpoints()
	}
	if p.Step {
		c.regions()
		c.types(ctx)
		c.depths()
		c.keys(ctx)
		c.terms(vocab.Zone, ":", kindKeyword, "4")
		c.add("*", "*", kindKeyword, "any node", "5")
	}
	if p.Filter {
		c.words(ctx, lint.TagWord, "+", kindConstant, "tag", "3")
		c.snippet("{}", "{$1}", "test attributes", "6")
		c.snippet("[]", "[$1]", "test behavior", "6")
	}
	if p.Attached && !p.Step {
		c.terms(vocab.Zone, ":", kindKeyword, "4")
	}
	if p.Positional {
		c.positions()
	}
	if p.Combinator {
		c.add(">", "> ", kindOperator, "a child of what is found", "7")
	}
	if p.Fallback {
		c.add("??", "?? ", kindOperator, "what to look for when nothing is found", "7")
	}
	if p.Attribute {
		c.attributes(ctx)
	}
	if p.Operator {
		for t := range vocab.All(vocab.Operator) {
			c.term(t, t.Name, kindOperator, "1")
		}
	}
	if p.Control {
		c.controls()
	}
}

// add offers a text that replaces the unfinished word.
func (c *completer) add(label, text string, kind int, detail, rank string) *item {
	if c.seen[label] {
		return nil
	}
	c.seen[label] = true
	word := ast.Span{Start: c.completion.Word.Start + c.base, End: c.completion.Word.End + c.base}
	var edits []diag.Edit
	if c.doc.selectors() {
		edits = []diag.Edit{{Span: c.region.Host(word), Text: text}} // all text is literal
	} else if c.region.Kind == host.Holed {
		if !strings.Contains(word.Text(c.region.Text), "\uFFFC") && !strings.ContainsAny(text, "'\"`\\{}$#%") {
			edits = []diag.Edit{{Span: c.region.Host(word), Text: text}} // it needs no escapes in any string
		}
	} else if e, err := c.region.Edits([]diag.Edit{{Span: word, Text: text}}); err == nil {
		edits = e
	}
	if len(edits) != 1 {
		return nil // the string cannot contain it
	}
	it := item{
		Label: label, Kind: kind, Detail: detail, Sort: rank, Filter: c.filterText(label, edits[0]),
		Edit: &protocol.TextEdit{Range: c.doc.rangeOf(edits[0].Span), NewText: edits[0].Text},
	}
	c.items = append(c.items, it)
	return &c.items[len(c.items)-1]
}

// filterText returns the text that clients compare with the text to be replaced.
func (c *completer) filterText(label string, e diag.Edit) string {
	written := e.Span.Text(c.doc.src)
	if written != "" && (written[0] == '\'' || written[0] == '"') && !strings.HasPrefix(label, written[:1]) {
		return written[:1] + label
	}
	return label
}

func (c *completer) snippet(label, text, detail, rank string) {
	if !c.client.snippets {
		text = strings.NewReplacer("$1", "", "$0", "").Replace(text)
		text = text[:1]
	}
	if it := c.add(label, text, kindSnippet, detail, rank); it != nil && c.client.snippets {
		it.Format = snippetFormat
	}
}

func (c *completer) term(t *vocab.Term, label string, kind int, rank string) *item {
	it := c.add(label, label, kind, t.Summary, rank)
	switch {
	case it == nil:
	case c.client.resolveDocs:
		it.Data = &itemData{Term: t.ID}
	default:
		it.Documentation = c.client.documentation(documentationOf(t))
	}
	return it
}

func (c *completer) terms(k vocab.Kind, sigil string, kind int, rank string) {
	for t := range vocab.All(k) {
		c.term(t, sigil+t.Name, kind, rank)
	}
}

func (c *completer) times() {
	for _, t := range []struct{ label, detail string }{
		{"@t0", "the newest state"}, {"@t-1", "the state before"}, {"@*", "every state there is"},
		{"@history", "what changed from state to state"}, {"@t0..@t-5", "what changed over the last five commits"}, {"@c1", "the state of a cycle"},
	} {
		c.add(t.label, t.label, kindConstant, t.detail, "0")
	}
}

func (c *completer) endpoints() {
	for _, label := range []string{"@t-1", "@t-5", "@t-*", "@c1"} {
		c.add(label, label, kindConstant, "the other end", "0")
	}
}

func (c *completer) regions() { c.terms(vocab.Region, "^", kindFolder, "1") }

func (c *completer) types(ctx context.Context) {
	for t := range vocab.All(vocab.Type) {
		c.term(t, "."+t.Name, kindClass, "2")
	}
	c.words(ctx, lint.TypeWord, ".", kindClass, "node type", "2")
}

func (c *completer) depths() {
	c.add("d1", "d1", kindConstant, "the newest segment", "4")
	c.add("d1..d3", "d1..d3", kindConstant, "the three newest segments", "4")
	c.add("d0", "d0", kindConstant, "the active head", "4")
	c.add("d-1", "d-1", kindConstant, "the system header", "4")
}

func (c *completer) keys(ctx context.Context) { c.words(ctx, lint.KeyWord, "#", kindField, "key", "3") }

func (c *completer) positions() {
	for t := range vocab.All(vocab.Pseudo) {
		label := ":" + t.Name
		if len(t.Params) == 0 {
			c.term(t, label, kindFunction, "4")
			continue
		}
		if it := c.term(t, label+"(", kindFunction, "4"); it != nil && c.client.snippets {
			it.Format, it.Edit.NewText = snippetFormat, it.Edit.NewText+"${1:1})"
		}
	}
}

// rankUnknown sorts the words that no fixture has after everything else: they may be mistyped.
const rankUnknown = "9"

// words offers the words that are known to occur in trees.
func (c *completer) words(ctx context.Context, k lint.WordKind, sigil string, kind int, detail, rank string) {
	add := func(w string) {
		text := sigil + w
		if !isName(w) {
			if k != lint.KeyWord {
				return
			}
			text = sigil + ast.Quote(w)
		}
		own := rank
		if f := c.analysis.facts; f != nil {
			if known, sure := f.Known(k, w); sure && !known {
				own = rankUnknown
			}
		}
		it := c.add(text, text, kind, detail, own)
		if it == nil {
			return
		}
		if c.client.labelDetails {
			it.LabelDetails = &labelDetails{Description: detail}
		}
		if c.client.resolveDetail && c.analysis.facts != nil && sigil != "" {
			it.Data = &itemData{URI: c.doc.uri, Text: text}
		}
	}
	for _, w := range c.bounded(ctx, k, true) {
		add(w)
	}
}

// bounded lists the known words of a kind and, if written is set, those of open documents. If there
// are too many, it lists only those that begin with the typed text.
func (c *completer) bounded(ctx context.Context, k lint.WordKind, written bool) []string {
	var list []string
	if c.analysis.facts != nil {
		list = slices.Collect(c.analysis.facts.Words(k))
	}
	if written {
		list = slices.AppendSeq(list, c.written(ctx, k))
	}
	if len(list) <= maxWords {
		return list
	}
	c.cut = true
	typed := c.region.Text[c.base+c.completion.Word.Start:]
	if offset, ok := c.region.Offset(c.at); ok {
		typed = c.region.Text[c.base+c.completion.Word.Start : max(offset, c.base+c.completion.Word.Start)]
	}
	typed = strings.ToLower(strings.TrimLeft(typed, "#.+'\""))
	list = slices.DeleteFunc(list, func(w string) bool { return !strings.HasPrefix(strings.ToLower(w), typed) })
	return list[:min(len(list), maxWords)]
}

// isName reports whether a word can be written without quotes.
func isName(w string) bool {
	q, ds := parser.ParseSelector("#"+w, parser.Options{})
	if len(ds) > 0 || len(q.Union) != 1 || len(q.Union[0].Chains[0].Steps) != 1 {
		return false
	}
	k, ok := q.Union[0].Chains[0].Steps[0].Anchor.(*ast.Key)
	return ok && k.Name == w
}

func (c *completer) attributes(ctx context.Context) {
	for t := range vocab.All(vocab.Attribute) {
		it := c.term(t, t.Name, kindField, "1")
		if it != nil && c.client.labelDetails {
			it.LabelDetails = &labelDetails{Description: valueTypes[t.ValueType]}
		}
	}
	if c.completion.Open != "{" {
		for t := range vocab.All(vocab.Flag) {
			c.term(t, t.Name, kindKeyword, "1")
		}
	}
	c.words(ctx, lint.AttributeWord, "", kindField, "custom attribute", "2")
}

var valueTypes = map[vocab.ValueType]string{
	vocab.IntType: "integer", vocab.NumberType: "number", vocab.StringType: "string", vocab.TagsType: "tags", vocab.BoolType: "boolean",
}

// values offers the values of an attribute in the known trees.
func (c *completer) values(ctx context.Context) {
	switch c.completion.Name {
	case "tag":
		c.quoted(ctx, lint.TagWord)
	case "key":
		c.quoted(ctx, lint.KeyWord)
	case "nodeType":
		for t := range vocab.All(vocab.Type) {
			c.add("'"+t.Name+"'", "'"+t.Name+"'", kindValue, t.Summary, "1")
		}
		c.quoted(ctx, lint.TypeWord)
	default:
		if c.analysis.facts != nil {
			for _, v := range c.analysis.facts.Values(c.completion.Name) {
				c.add(v, v, kindValue, "in the fixtures", "1")
			}
		}
	}
	if t := vocab.Lookup(vocab.Attribute, c.completion.Name); t != nil {
		for _, v := range t.Params {
			c.add(ast.Quote(v), ast.Quote(v), kindValue, "", "1")
		}
		if t.ValueType == vocab.BoolType {
			c.add("true", "true", kindKeyword, "", "2")
			c.add("false", "false", kindKeyword, "", "2")
		}
	}
	c.add("null", "null", kindKeyword, "the attribute is missing", "3")
}

func (c *completer) quoted(ctx context.Context, k lint.WordKind) {
	for _, w := range c.bounded(ctx, k, false) {
		text := ast.Quote(w)
		c.add(text, text, kindValue, "in the fixtures", "1")
	}
}

func (c *completer) controls() {
	for t := range vocab.All(vocab.Control) {
		label := "@" + t.Name
		if t.ValueType != vocab.NoValue {
			label += "="
		}
		it := c.term(t, label, kindFunction, "8")
		if it == nil || !c.client.snippets || t.ValueType == vocab.NoValue {
			continue
		}
		value := "${1:10}"
		if t.ValueType == vocab.EnumType {
			value = "${1|" + strings.ReplaceAll(strings.Join(t.Params, ";"), ",", `\,`) + "|}"
			value = strings.ReplaceAll(value, ";", ",")
		}
		it.Format, it.Edit.NewText = snippetFormat, it.Edit.NewText+value
	}
}

func (c *completer) controlValues() {
	t := vocab.Lookup(vocab.Control, c.completion.Name)
	switch {
	case t == nil:
	case t.ValueType == vocab.EnumType:
		for _, v := range t.Params {
			c.add(v, v, kindValue, "", "1")
		}
	case t.ValueType == vocab.IntType:
		for _, n := range []int{1, 5, 10, 50} {
			c.add(strconv.Itoa(n), strconv.Itoa(n), kindValue, "", "1")
		}
	}
}
