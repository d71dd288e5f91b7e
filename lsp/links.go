package lsp

import (
	"context"
	"regexp"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/lint"
)

// link is a document link.
type link struct {
	Range   protocol.Range `json:"range"`
	Target  string         `json:"target"`
	Tooltip string         `json:"tooltip"`
}

var ruleName = regexp.MustCompile(`[a-z]+/[a-z-]+`)

// links answers textDocument/documentLink: rules that comments name link to their pages.
func (s *server) links(ctx context.Context, v *view, p *docParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	comments := a.File.Comments
	if d.selectors() {
		comments = d.directives()
	}
	list := []link{}
	for _, at := range comments {
		text := at.Text(d.src)
		first := strings.Index(text, host.Directive)
		for _, m := range ruleName.FindAllStringIndex(text[first:], -1) {
			name := ast.Span{Start: at.Start + first + m[0], End: at.Start + first + m[1]}
			if r := lint.Lookup(name.Text(d.src), a.options.Rules...); r != nil {
				list = append(list, link{d.rangeOf(name), rulePage(r), r.ID})
			}
		}
	}
	return list, nil
}

// directives returns the comments of a selector file that are meant for pactkit.
func (d *document) directives() []ast.Span {
	var list []ast.Span
	for line := range d.lines.Count() {
		at := ast.Span{Start: d.lines.Start(line), End: d.lineEnd(line)}
		text := at.Text(d.src)
		if i := strings.Index(text, "#"); i >= 0 && strings.Contains(text[i:], host.Directive) {
			list = append(list, at)
		}
	}
	return list
}

// rulePage returns the address of the page of a rule, or of the file that declares it.
func rulePage(r *lint.Rule) string {
	if r.File != "" {
		return fileuri.Of(r.File)
	}
	return ruleDocs + strings.ReplaceAll(r.ID, "/", "")
}
