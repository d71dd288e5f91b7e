package check

import (
	"regexp"
	"slices"
	"strings"

	"github.com/yuin/goldmark"
	gast "github.com/yuin/goldmark/ast"
	"github.com/yuin/goldmark/text"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/lint"
)

// aboutPACT matches documents that explain the context tree. In all others, CSS is not a mistake.
var aboutPACT = regexp.MustCompile("(?m)\\bPACT\\b|^```(?:pact|pactsel)\\b|\\^(?:ah|seq|sys)\\b")

var (
	cssWords  = regexp.MustCompile(`(?i)\b(?:css|dom)\b`)
	headWords = regexp.MustCompile(`(?i)\^ah\b|\bactive head\b`)
	mutable   = regexp.MustCompile(`(?i)\b(?:mutable|editable)\b`)
	negated   = regexp.MustCompile(`(?i)\b(?:not|never|no longer|neither|nor|isn't|cannot be)\b`)
	sentence  = regexp.MustCompile(`[.!?](?:\s|$)`)
)

// readProse is what the rules for documents find in a part of a document.
type readProse struct {
	about bool // it mentions PACT
	found []lint.Finding
}

// document is the function document for a text in parts. It reads only the parts that are new.
func (m *Memo) document(src string, parts []ast.Span, level func(*lint.Rule) lint.Level) []lint.Finding {
	if m == nil || len(parts) == 0 {
		return document(src, level)
	}
	m.mu.Lock()
	before := m.prose
	m.mu.Unlock()
	now := make(map[string]*readProse, len(parts))
	var found []lint.Finding
	about := false
	for _, at := range parts {
		text := at.Text(src)
		p := before[text]
		if p == nil {
			text = strings.Clone(text) // a substring would keep the whole version in memory
			p = &readProse{about: mayBeAbout(text) && aboutPACT.MatchString(text), found: proseOf(text, level)}
		}
		now[text] = p
		about = about || p.about
		for _, f := range p.found {
			f.Span.Start, f.Span.End = f.Span.Start+at.Start, f.Span.End+at.Start
			found = append(found, f)
		}
	}
	m.mu.Lock()
	m.prose = now
	m.mu.Unlock()
	if !about {
		return nil
	}
	return found
}

// document reports what the rules for documents find in Markdown text. A document that does not
// mention PACT has no findings. Code is ignored; selectors in it are separate sources. The time is
// quadratic in the number of blocks that begin on one line.
func document(src string, level func(*lint.Rule) lint.Level) []lint.Finding {
	if !mayBeAbout(src) || !aboutPACT.MatchString(src) {
		return nil
	}
	return proseOf(src, level)
}

// proseOf is document for a text that is known to mention PACT.
func proseOf(src string, level func(*lint.Rule) lint.Level) []lint.Finding {
	d := prose{src: src, level: level}
	root := goldmark.DefaultParser().Parse(text.NewReader([]byte(src)))
	_ = gast.Walk(root, func(n gast.Node, entering bool) (gast.WalkStatus, error) { // the callback returns no error
		if !entering || n.Type() != gast.TypeBlock {
			return gast.WalkContinue, nil
		}
		switch n.Kind() {
		case gast.KindFencedCodeBlock, gast.KindCodeBlock, gast.KindHTMLBlock:
			return gast.WalkSkipChildren, nil
		case gast.KindHeading:
			d.heading(n, lint.Lookup("docs/css-heading"))
		}
		d.sentences(n, lint.Lookup("docs/mutable-head"))
		return gast.WalkContinue, nil
	})
	slices.SortStableFunc(d.found, func(a, b lint.Finding) int { return diag.Compare(a.Diagnostic, b.Diagnostic) })
	return d.found
}

// mayBeAbout is a quick test for the words of aboutPACT.
func mayBeAbout(src string) bool {
	return slices.ContainsFunc([]string{"PACT", "```pact", "^ah", "^seq", "^sys"}, func(w string) bool { return strings.Contains(src, w) })
}

type prose struct {
	src   string
	level func(*lint.Rule) lint.Level
	found []lint.Finding
}

func (d *prose) report(r *lint.Rule, at ast.Span, message, hint string) {
	if f, ok := lint.Found(r, diag.Diagnostic{Span: at, Message: message, Hint: hint}, d.level); ok {
		d.found = append(d.found, f)
	}
}

// lines returns the span of the source that the text of a block covers.
func lines(n gast.Node) (ast.Span, bool) {
	ls := n.Lines()
	if ls.Len() == 0 {
		return ast.Span{}, false
	}
	return ast.Span{Start: ls.At(0).Start, End: ls.At(ls.Len() - 1).Stop}, true
}

func (d *prose) heading(n gast.Node, r *lint.Rule) {
	at, ok := lines(n)
	if !ok {
		return
	}
	if m := cssWords.FindStringIndex(at.Text(d.src)); m != nil {
		word := ast.Span{Start: at.Start + m[0], End: at.Start + m[1]}
		d.report(r, word, "the heading explains the language by `"+word.Text(d.src)+"`, whose rules it does not have", "say what it does in its own words")
	}
}

// sentences checks the sentences of a block. Code spans in backquotes count as text: `^ah` is
// usually in one.
func (d *prose) sentences(n gast.Node, r *lint.Rule) {
	at, ok := lines(n)
	if !ok {
		return
	}
	body := at.Text(d.src)
	start := 0
	for start < len(body) {
		end := len(body)
		if m := sentence.FindStringIndex(body[start:]); m != nil {
			end = start + m[1]
		}
		s := body[start:end]
		if m := mutable.FindStringIndex(s); m != nil && headWords.MatchString(s) && !negated.MatchString(s) {
			word := ast.Span{Start: at.Start + start + m[0], End: at.Start + start + m[1]}
			d.report(r, word, "the active head is called "+strings.ToLower(word.Text(d.src))+", and no snapshot is", "nodes enter the head and are sealed by the commit")
		}
		start = end
	}
}
