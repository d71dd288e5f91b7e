package lsp

import (
	"cmp"
	"context"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/vocab"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/explain"
	"github.com/pactkit/pactkit/internal/fixtures"
)

// hover answers textDocument/hover: the findings at the cursor, the meaning of the word there, the
// meaning of the selector, and its results.
func (s *server) hover(ctx context.Context, v *view, p *protocol.HoverParams) (*protocol.Hover, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil {
		return nil, err
	}
	if h := s.hoverKey(v.snapshot, d, d.offset(p.Position)); h != nil || d.host == nil {
		return h, nil
	}
	var b strings.Builder
	offset := d.offset(p.Position)
	at := writeFindings(&b, findingsAt(d.analyze(ctx, v.snapshot).result(ctx).Findings, offset))
	if c := s.cursorAt(ctx, v, d, offset); c != nil {
		at = s.writeCursor(ctx, &b, c)
	}
	if b.Len() == 0 {
		return nil, nil
	}
	r := d.rangeOf(at)
	text := strings.TrimSuffix(strings.TrimSpace(b.String()), separator)
	if !s.client.markdownHover {
		return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindPlainText, Value: plain(text)}, Range: &r}, nil
	}
	return &protocol.Hover{Contents: protocol.MarkupContent{Kind: protocol.MarkupKindMarkdown, Value: text}, Range: &r}, nil
}

// separator is the line between the parts of a hover.
const separator = "\n\n---"

// maxFindings is how many findings a hover explains.
const maxFindings = 3

// findingsAt returns the findings at an offset, the narrowest first.
func findingsAt(all []check.Finding, offset int) []check.Finding {
	var here []check.Finding
	for _, f := range all {
		if f.Span.Start <= offset && offset <= f.Span.End {
			here = append(here, f)
		}
	}
	slices.SortStableFunc(here, func(a, b check.Finding) int { return cmp.Compare(a.Span.Len(), b.Span.Len()) })
	return here[:min(len(here), maxFindings)]
}

// writeFindings writes findings with the texts of the pages of their rules. It returns the span of
// the first finding.
func writeFindings(b *strings.Builder, list []check.Finding) (at ast.Span) {
	for i, f := range list {
		if i == 0 {
			at = f.Span
		}
		fmt.Fprintf(b, "%s [%s](%s): %s  \n", f.Severity, f.Rule.ID, rulePage(f.Rule), f.Message)
		if f.Hint != "" {
			fmt.Fprintf(b, "%s  \n", f.Hint)
		}
		_, text, _ := strings.Cut(f.Rule.Page().Text, "\n")
		text, _, _ = strings.Cut(text, "\n## ")
		fmt.Fprintf(b, "\n%s%s\n\n", strings.TrimSpace(text), separator)
	}
	return at
}

// writeCursor writes the hover for the word and the selector at the cursor. It returns the span of
// what it describes.
func (s *server) writeCursor(ctx context.Context, b *strings.Builder, c *cursor) ast.Span {
	at := c.selector.Query.Bounds()
	if t, span := c.term(); t != nil {
		at = span
		writeTerm(b, t)
	}
	if !c.selector.Bad {
		s.writeSelector(ctx, b, c)
	}
	if c.analysis.doubtful(c.selector) {
		fmt.Fprintf(b, "\nThis string is read, but not edited: %s.\n", c.region.Fixed)
	}
	return c.region.Host(at)
}

var markdownLink = regexp.MustCompile(`\[([^]]+)\]\(([^)]+)\)`)

// plain removes the Markdown from a text that the server wrote.
func plain(markdown string) string {
	var out []string
	for line := range strings.SplitSeq(markdownLink.ReplaceAllString(markdown, "$1 ($2)"), "\n") {
		if strings.HasPrefix(line, "```") || line == "---" {
			continue
		}
		out = append(out, strings.TrimRight(strings.NewReplacer("**", "", "`", "").Replace(line), " "))
	}
	return strings.Join(out, "\n")
}

// term returns the word of the language at the cursor, and its position.
func (c *cursor) term() (*vocab.Term, ast.Span) {
	n := c.node()
	switch n := n.(type) {
	case *ast.Region:
		return vocab.Lookup(vocab.Region, strings.TrimLeft(n.Name.String(), "^")), n.Bounds()
	case *ast.Type:
		return vocab.Lookup(vocab.Type, n.Name), n.Bounds()
	case *ast.Zone:
		return vocab.Lookup(vocab.Zone, strings.TrimLeft(n.Name.String(), ":")), n.Bounds()
	case *ast.Positional:
		return vocab.Lookup(vocab.Pseudo, strings.TrimLeft(n.Name.String(), ":")), n.Bounds()
	case *ast.Control:
		return vocab.Lookup(vocab.Control, n.Name), n.Bounds()
	case *ast.Prop:
		if n.Flag {
			return vocab.Lookup(vocab.Flag, n.Name), n.Bounds()
		}
		if c.offset > n.Start()+len(n.Name) && n.Op != ast.OpPresent {
			return vocab.Lookup(vocab.Operator, n.Op.String()), n.Bounds()
		}
		return vocab.Lookup(vocab.Attribute, n.Name), n.Bounds()
	}
	return nil, ast.Span{}
}

func writeTerm(b *strings.Builder, t *vocab.Term) {
	fmt.Fprintf(b, "**%s** %s\n", t.Name, t.Summary)
	if t.Doc != "" {
		fmt.Fprintf(b, "\n%s\n", t.Doc)
	}
	fmt.Fprintf(b, "%s\n\n", separator[1:])
}

// writeSelector says what the selector means, its canonical form, and what it finds in the
// fixtures.
func (s *server) writeSelector(ctx context.Context, b *strings.Builder, c *cursor) {
	writeMeaning(b, c.selector.Query)
	fmt.Fprintf(b, "\n```pactsel\n%s\n```\n", format.Node(c.selector.Query, format.Options{Edition: c.analysis.options.Format.Edition}))
	plan := c.analysis.plan(c.selector)
	if plan == nil {
		return
	}
	for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
		writeMatches(ctx, b, plan, x)
	}
	c.analysis.snapshot.writeReading(ctx, b, c.analysis.config)
}

// writeMeaning writes what a selector means. The list of its steps ends with an empty line, or else
// the following text would be a part of the last step in Markdown.
func writeMeaning(b *strings.Builder, q *ast.Query) {
	inList := false
	for _, line := range explain.Query(q) {
		item := strings.HasPrefix(line, " ")
		if inList && !item {
			b.WriteByte('\n')
		}
		inList = item
		fmt.Fprintf(b, "%s  \n", line)
	}
}

// shownMatches is how many of the found nodes are shown.
const shownMatches = 5

func writeMatches(ctx context.Context, b *strings.Builder, plan *eval.Plan, x fixtures.Fixture) {
	res, err := plan.Select(ctx, x.Timeline, eval.Options{})
	switch {
	case err != nil:
		fmt.Fprintf(b, "\n`%s`: %s\n", base(x.Path), err)
		return
	case res.Kind == eval.KindRange:
		changes := 0
		for _, d := range res.Range.Diffs {
			changes += d.Stats.Added + d.Stats.Removed + d.Stats.Changed
		}
		fmt.Fprintf(b, "\n`%s`: %s in %s\n", base(x.Path), plural(changes, "change"), plural(len(res.Range.Snapshots), "snapshot"))
		return
	}
	fmt.Fprintf(b, "\n`%s`: %s\n", base(x.Path), plural(len(res.Nodes), "node"))
	for _, n := range res.Nodes[:min(len(res.Nodes), shownMatches)] {
		fmt.Fprintf(b, "- `%s` %s\n", n.ID(), preview(n))
	}
	if left := len(res.Nodes) - shownMatches; left > 0 {
		fmt.Fprintf(b, "- and %d more\n", left)
	}
}

// maxPreview is how many characters of a content are shown.
const maxPreview = 60

// preview returns the beginning of the content of a node, on one line and without Markdown syntax.
func preview(n engine.Node) string {
	v := n.Content()
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	text = strings.Join(strings.Fields(text), " ")
	if utf8.RuneCountInString(text) > maxPreview {
		text = string([]rune(text)[:maxPreview]) + "…"
	}
	return strings.NewReplacer("`", "'", "*", "∗", "<", "‹", "[", "(", "]", ")").Replace(text)
}

func plural(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

func base(path string) string { return path[strings.LastIndexAny(path, `/\`)+1:] }
