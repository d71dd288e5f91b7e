package lsp

import (
	"context"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// formattingMethods are registered for selector files alone, by id: a host language has a formatter of its own.
var formattingMethods = map[string]string{
	"format": "textDocument/formatting", "format-range": "textDocument/rangeFormatting", "format-type": "textDocument/onTypeFormatting",
}

func formattingOptions(method string, selector any) any {
	o := map[string]any{"documentSelector": selector}
	if method == "textDocument/onTypeFormatting" {
		o["firstTriggerCharacter"] = "\n"
	}
	return o
}

// format answers textDocument/formatting. For documents that are no selector files there is nothing to format.
func (s *server) format(_ context.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d, err := s.document(p.TextDocument.URI)
	if err != nil || !d.selectors() {
		return nil, err
	}
	return s.formatted(d, ast.Span{Start: 0, End: len(d.src)}), nil
}

// formatted is the edits that format the lines of a selector file which a part of it touches.
func (s *server) formatted(d *document, part ast.Span) []protocol.TextEdit {
	a := d.analyse(s.world.newest.Load())
	text, _ := check.Format(host.Selectors, d.src, a.options.Format)
	edits := []protocol.TextEdit{}
	for _, e := range lineEdits(d.src, text) {
		if e.Span.Start <= part.End && part.Start <= e.Span.End {
			edits = append(edits, protocol.TextEdit{Range: d.rangeOf(e.Span), NewText: e.Text})
		}
	}
	return edits
}
