package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/check"
)

// hint is an inlay hint (LSP 3.17).
type hint struct {
	Position protocol.Position `json:"position"`
	Label    string            `json:"label"`
	Kind     int               `json:"kind"`
	Tooltip  string            `json:"tooltip,omitempty"`
	Left     bool              `json:"paddingLeft,omitempty"`
	Right    bool              `json:"paddingRight,omitempty"`
}

const typeHint = 1

type rangeParams struct {
	docParams
	Range protocol.Range `json:"range"`
}

// hints answers textDocument/inlayHint: the implied time, and how many nodes are found in the
// fixtures.
func (s *server) hints(ctx context.Context, v *view, p *rangeParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	at := d.span(p.Range)
	show := s.settings.Load().Hints
	list := []hint{}
	for sel := range a.selectors(ctx, at) {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if sel.Bad {
			continue
		}
		if show.Time && sel.Query.Time == nil && d.selectors() {
			list = append(list, hint{Position: d.position(sel.Start), Label: "@t0", Kind: typeHint, Tooltip: "without a time, a selector looks at the newest state", Right: true})
		}
		if !show.Count {
			continue
		}
		if n, ok := a.count(ctx, sel); ok {
			list = append(list, hint{Position: d.position(d.hintOffset(sel.Span)), Label: plural(n, "node"), Kind: typeHint, Tooltip: "in " + a.facts.String(), Left: true})
		}
	}
	return list, nil
}

// hintOffset returns the offset of a hint about a selector: after the selector and, in a string,
// after the quote.
func (d *document) hintOffset(at ast.Span) int {
	if d.selectors() {
		return at.End
	}
	if end := at.End; end < len(d.src) && (d.src[end] == '"' || d.src[end] == '\'' || d.src[end] == '`') {
		return end + 1
	}
	return at.End
}

// count returns how many nodes a selector finds in the fixtures. It returns false if there are no
// fixtures.
func (a *analysis) count(ctx context.Context, sel *check.Selector) (int, bool) {
	if a.facts == nil || a.doubtful(sel) {
		return 0, false
	}
	m, ok := a.facts.Match(ctx, sel.Query, sel.Text)
	return m.Nodes, ok && m.Fixtures > 0
}

// lenses answers textDocument/codeLens: the commands for the first selectors if there are fixtures,
// and in a fixture a lens for each node. Inlay hints show how many nodes a selector finds.
func (s *server) lenses(ctx context.Context, v *view, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	sn := v.snapshot
	if s.settings.Load().Lenses && strings.HasSuffix(d.path, ".json") && sn.isFixture(d.path) {
		return d.nodeLenses(), nil
	}
	a := d.analyze(ctx, sn)
	list := []protocol.CodeLens{}
	if !s.settings.Load().Lenses || len(a.snapshot.fixturesOf(ctx, a.config)) == 0 {
		return list, nil
	}
	for sel := range a.all(ctx) {
		if sel.Bad || a.doubtful(sel) {
			continue
		}
		if len(list) >= maxLenses {
			break // nobody reads more, and they take twenty times the memory of the text
		}
		at := d.rangeOf(sel.Span)
		for _, c := range []struct{ title, name string }{{"Evaluate", evaluateCommand}, {"Explain", explainCommand}, {"Profile", profileCommand}} {
			list = append(list, protocol.CodeLens{Range: at, Command: &protocol.Command{
				Title: c.title, Command: c.name, Arguments: []any{d.uri, at},
			}})
		}
	}
	return list, nil
}
