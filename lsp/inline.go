package lsp

import (
	"context"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"
)

// inlineItem is an inline completion (LSP 3.18): text that is shown at the cursor before the user
// accepts it.
type inlineItem struct {
	Text  string         `json:"insertText"`
	Range protocol.Range `json:"range"`
}

// inlineCompletion answers textDocument/inlineCompletion: the rest of the word that is being typed,
// if exactly one known word begins with it.
func (s *server) inlineCompletion(ctx context.Context, v *view, p *positionParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || d.host == nil {
		return nil, err
	}
	at := d.offset(p.Position)
	c, ok := s.completer(ctx, v, d, d.analyze(ctx, v.snapshot), at)
	if !ok {
		return nil, nil
	}
	c.offer(ctx)
	items := []inlineItem{}
	for _, it := range c.items {
		word := d.span(it.Edit.Range)
		typed := d.src[word.Start:max(word.Start, min(at, word.End))]
		if it.Format == snippetFormat || it.Sort == rankUnknown || word.End != at || len(strings.TrimLeft(typed, ".+#@^:'\"")) == 0 ||
			!strings.HasPrefix(it.Edit.NewText, typed) || it.Edit.NewText == typed {
			continue
		}
		items = append(items, inlineItem{it.Edit.NewText, it.Edit.Range})
	}
	if len(items) != 1 {
		items = []inlineItem{} // the list of completions shows them
	}
	return map[string]any{"items": items}, nil
}
