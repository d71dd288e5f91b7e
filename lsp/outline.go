package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/internal/check"
)

// symbols answers textDocument/documentSymbol: the selectors of a document, in compact form.
func (s *server) symbols(ctx context.Context, v *view, p *protocol.DocumentSymbolParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	if !s.client.hierarchy {
		flat := []protocol.SymbolInformation{}
		for sel := range a.all(ctx) {
			if a.doubtful(sel) {
				continue
			}
			flat = append(flat, protocol.SymbolInformation{
				Name: a.compact(sel), Kind: protocol.SymbolKindString, Location: protocol.Location{URI: d.uri, Range: d.rangeOf(sel.Span)},
			})
		}
		return flat, nil
	}
	list := []protocol.DocumentSymbol{}
	for sel := range a.all(ctx) {
		if a.doubtful(sel) {
			continue
		}
		r := d.rangeOf(sel.Span)
		list = append(list, protocol.DocumentSymbol{Name: a.compact(sel), Kind: protocol.SymbolKindString, Range: r, SelectionRange: r})
	}
	return list, nil
}

// compact returns a selector in compact form, for lists.
func (a *analysis) compact(sel *check.Selector) string {
	if sel.Bad && strings.TrimSpace(sel.Text) == "" {
		return "(empty)" // clients reject an empty name
	}
	if sel.Bad {
		return sel.Text
	}
	return format.Node(sel.Query, format.Options{Style: format.Compact, Edition: a.options.Format.Edition})
}

// folds answers textDocument/foldingRange: selectors on several lines, and groups between blank
// lines.
func (s *server) folds(ctx context.Context, v *view, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	a := d.analyze(ctx, v.snapshot)
	list := []protocol.FoldingRange{}
	seen := map[[2]int]bool{}
	add := func(from, to int) {
		if to > from && !seen[[2]int{from, to}] {
			seen[[2]int{from, to}] = true
			list = append(list, protocol.FoldingRange{StartLine: uint32(from), EndLine: uint32(to)})
		}
	}
	for sel := range a.all(ctx) {
		from, _ := d.lines.Line(sel.Start)
		to, _ := d.lines.Line(sel.End)
		add(from, to)
	}
	if d.selectors() {
		start := -1
		for line := range d.lines.Count() + 1 {
			blank := line == d.lines.Count() || d.lines.Start(line) == d.lineEnd(line)
			if blank && start >= 0 {
				add(start, line-1)
				start = -1
			} else if !blank && start < 0 {
				start = line
			}
		}
	}
	return list, nil
}

// selections answers textDocument/selectionRange: the word, its step, chain and fragment, and the
// selector.
func (s *server) selections(ctx context.Context, v *view, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
	list := []protocol.SelectionRange{}
	for _, at := range p.Positions {
		c, err := s.cursor(ctx, v, p.TextDocument.URI, at)
		if err != nil {
			return nil, err
		}
		here := &protocol.SelectionRange{Range: protocol.Range{Start: at, End: at}}
		if c != nil {
			here = nil
			var last ast.Span
			for _, n := range c.path {
				if b := n.Bounds(); here == nil || b != last {
					here, last = &protocol.SelectionRange{Range: c.rangeOf(b), Parent: here}, b
				}
			}
		}
		list = append(list, *here)
	}
	return list, nil
}
