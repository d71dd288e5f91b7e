package lsp

import (
	"context"
	"iter"
	"slices"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/languages"
)

// The methods of formatting. A client registers them for selector files. It registers them for the
// languages of hosts only at the user's request, because those languages have their own formatters.
// Clients that cannot register them get null for other documents.
const (
	methodFormat       = protocol.MethodTextDocumentFormatting
	methodFormatRange  = protocol.MethodTextDocumentRangeFormatting
	methodFormatRanges = "textDocument/rangesFormatting" // 3.18
	methodFormatType   = protocol.MethodTextDocumentOnTypeFormatting
)

// formatters lists the methods that the client registers when the server asks it to, in order.
func (c *client) formatters() []string {
	var list []string
	if c.dynamicFormat {
		list = append(list, methodFormat)
	}
	if c.dynamicRange {
		list = append(list, methodFormatRange)
	}
	if c.dynamicType {
		list = append(list, methodFormatType)
	}
	return list
}

// formattingOptions returns the options of a registration, or of a static capability if documents
// is nil.
func (c *client) formattingOptions(method string, documents any) any {
	o := map[string]any{}
	if documents != nil {
		o["documentSelector"] = documents
	}
	switch {
	case method == methodFormatType:
		o["firstTriggerCharacter"] = "\n"
	case method == methodFormatRange && c.ranges:
		o["rangesSupport"] = true
	}
	return o
}

// documentsIn returns the filter for documents in some languages.
func documentsIn(languages iter.Seq[string]) []map[string]string {
	var list []map[string]string
	for l := range languages {
		list = append(list, map[string]string{"language": l})
	}
	return list
}

// embeddedFormat is the registration of formatting for files that are not selector files.
type embeddedFormat struct {
	mu         sync.Mutex // held during the call to the client, so the last setting wins
	registered bool
}

// registerEmbedded registers or unregisters formatting for files that are not selector files, as
// the settings say.
func (s *server) registerEmbedded() {
	e := &s.embeddedFormat
	e.mu.Lock()
	defer e.mu.Unlock()
	want := s.settings.Load().Format.Embedded
	if want == e.registered {
		return
	}
	var hosts []string
	for v := range languages.Variants() {
		if !slices.Contains(selectorLanguages, v.ID) {
			hosts = append(hosts, v.ID)
		}
	}
	list := []any{}
	for _, method := range s.client.formatters() {
		if method == methodFormatType {
			continue
		}
		r := map[string]any{"id": method + "/embedded", "method": method}
		if want {
			r["registerOptions"] = s.client.formattingOptions(method, documentsIn(slices.Values(hosts)))
		}
		list = append(list, r)
	}
	if len(list) == 0 {
		return
	}
	call, name := registerMethod, "registrations"
	if !want {
		call, name = "client/unregisterCapability", "unregisterations" // the protocol spells it so
	}
	ctx, stop := context.WithTimeout(s.ctx, answerTimeout)
	defer stop()
	if err := s.conn.Call(ctx, call, map[string]any{name: list}, nil); err != nil {
		s.options.Log.Warn("call", "method", call, "error", err)
		return
	}
	e.registered = want
}

// formats reports whether formatting a document changes its selectors.
func (s *server) formats(d *document) bool {
	return d.selectors() || d.host != nil && s.settings.Load().Format.Embedded
}

// format answers textDocument/formatting.
func (s *server) format(ctx context.Context, v *view, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.formats(d) {
		return nil, err
	}
	return s.formatted(ctx, v, d, []ast.Span{{Start: 0, End: len(d.src)}}), nil
}

// formatRange answers textDocument/rangeFormatting.
func (s *server) formatRange(ctx context.Context, v *view, p *rangeParams) (any, error) {
	return s.formatRanges(ctx, v, &rangesParams{p.docParams, []protocol.Range{p.Range}})
}

type rangesParams struct {
	docParams
	Ranges []protocol.Range `json:"ranges"`
}

// formatRanges answers textDocument/rangesFormatting (LSP 3.18).
func (s *server) formatRanges(ctx context.Context, v *view, p *rangesParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !s.formats(d) {
		return nil, err
	}
	var parts []ast.Span
	for _, r := range p.Ranges {
		parts = append(parts, d.span(r))
	}
	return s.formatted(ctx, v, d, parts), nil
}

// formatOnType answers textDocument/onTypeFormatting: after a line break it formats the previous
// line.
func (s *server) formatOnType(ctx context.Context, v *view, p *positionParams) (any, error) {
	d, err := s.document(v, p.TextDocument.URI)
	if err != nil || !d.selectors() || p.Position.Line == 0 {
		return nil, err
	}
	line := min(int(p.Position.Line), d.lines.Count()) - 1
	return s.formatted(ctx, v, d, []ast.Span{{Start: d.lines.Start(line), End: d.lineEnd(line)}}), nil
}

// formatted returns the edits that format the selectors on the lines that the given parts touch.
func (s *server) formatted(ctx context.Context, v *view, d *document, parts []ast.Span) []protocol.TextEdit {
	a := d.analyze(ctx, v.snapshot)
	edits := []protocol.TextEdit{}
	if a.refused {
		return edits
	}
	formatted, err := check.FormatFile(d.host, d.src, a.options)
	if err != nil {
		s.options.Log.Error("format", "uri", d.uri, "error", err)
		return edits
	}
	for _, e := range lineEdits(d.src, formatted.Text) {
		if slices.ContainsFunc(parts, func(part ast.Span) bool {
			return e.Span.Start < part.End && part.Start < e.Span.End || touchesLine(d, part, e.Span)
		}) {
			e = trimmed(d.src, e)
			edits = append(edits, protocol.TextEdit{Range: d.rangeOf(e.Span), NewText: e.Text})
		}
	}
	return edits
}

// touchesLine reports whether an empty part is on the lines of an edit, or at an insertion.
func touchesLine(d *document, part, edit ast.Span) bool {
	if part.Len() > 0 && edit.Len() > 0 {
		return false
	}
	return edit.Start <= part.End && part.Start <= edit.End && (edit.Len() == 0 || part.Start < edit.End || edit.End == len(d.src))
}
