package lsp

import (
	"context"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/fileuri"
)

// resultScheme is the scheme of result documents: what a selector finds in the fixtures, kept up to
// date.
const resultScheme = "pactkit-result"

// resultURI is the URI of the result document of the selector at a position.
func resultURI(uri string, at protocol.Position) string {
	q := url.Values{"document": {uri}, "line": {strconv.Itoa(int(at.Line))}, "character": {strconv.Itoa(int(at.Character))}}
	return (&url.URL{Scheme: resultScheme, Path: "/result.md", RawQuery: q.Encode()}).String()
}

// parseResultURI returns the document and the position that the URI of a result document names.
func parseResultURI(uri string) (document string, at protocol.Position, err error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != resultScheme {
		return "", at, fmt.Errorf("%s is not a result document", uri)
	}
	query := u.RawQuery
	if !strings.Contains(query, "=") { // VS Code also escapes the separators of a query
		if query, err = url.PathUnescape(query); err != nil {
			return "", at, err
		}
	}
	q, err := url.ParseQuery(query)
	if err != nil {
		return "", at, err
	}
	line, err1 := strconv.ParseUint(q.Get("line"), 10, 32)
	character, err2 := strconv.ParseUint(q.Get("character"), 10, 32)
	if err := errors.Join(err1, err2); err != nil {
		return "", at, err
	}
	return q.Get("document"), protocol.Position{Line: uint32(line), Character: uint32(character)}, nil
}

// maxResults bounds the result documents that are kept up to date.
const maxResults = 64

// resultDocs has the result documents that the client has requested, by their [resultURI].
type resultDocs struct {
	mu   sync.Mutex
	docs map[string]*resultDoc
}

// resultDoc is the selector that a result document is about. It moves with the text around it.
type resultDoc struct {
	uri      string // as the client escapes it
	document string // the key of its document
	offset   int    // of a byte of the selector in the newest version
}

// anchor registers a result document to be kept up to date.
func (r *resultDocs) anchor(uri, document string, offset int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.docs == nil || len(r.docs) >= maxResults {
		r.docs = map[string]*resultDoc{}
	}
	r.docs[uri] = &resultDoc{uri, document, offset}
}

// offset returns the anchor of a registered result document. written is its URI as the client
// escapes it.
func (r *resultDocs) offset(uri, written string) (int, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	d := r.docs[uri]
	if d == nil {
		return 0, false
	}
	d.uri = written
	return d.offset, true
}

// move adjusts the anchors in a document for an edit.
func (r *resultDocs) move(document string, e diag.Edit) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, d := range r.docs {
		switch {
		case d.document != document:
		case e.Span.End <= d.offset:
			d.offset += len(e.Text) - e.Span.Len()
		case e.Span.Start < d.offset:
			d.offset = min(d.offset, e.Span.Start+len(e.Text))
		}
	}
}

// stale tells the client that the results for a document have changed, or all results if the
// document is nil.
func (r *resultDocs) stale(s *server, d *document) {
	if !s.client.virtualDocuments && !s.client.results {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, about := range r.docs {
		if d != nil && about.document != keyOf(d.uri) {
			continue
		}
		uri := about.uri
		if s.client.virtualDocuments {
			s.call("workspace/textDocumentContent/refresh", map[string]any{"uri": uri})
		} else {
			s.spawn(func() { s.notify("pactkit/resultChanged", map[string]any{"uri": uri}) })
		}
	}
}

// content answers workspace/textDocumentContent.
func (s *server) content(ctx context.Context, v *view, p *struct {
	URI string `json:"uri"`
}) (any, error) {
	c, err := s.resultCursor(ctx, v, p.URI)
	if err != nil {
		return nil, err
	}
	return map[string]any{"text": s.resultText(ctx, v, c)}, ctx.Err()
}

// evaluation is the answer to pactkit/evaluate.
type evaluation struct {
	URI      string   `json:"uri"` // of the result document
	Text     string   `json:"text"`
	Selector string   `json:"selector,omitempty"` // unless it has an error
	Fixtures []string `json:"fixtures,omitempty"` // the URIs of those that could be read
}

// evaluateRequest answers pactkit/evaluate, for clients without workspace/textDocumentContent: a
// document and a position, or the URI of a result document.
func (s *server) evaluateRequest(ctx context.Context, v *view, p *struct {
	positionParams
	URI string `json:"uri"`
}) (any, error) {
	uri := p.URI
	if uri == "" {
		uri = resultURI(p.TextDocument.URI, p.Position)
		if err := s.anchorResult(ctx, v, p.TextDocument.URI, p.Position); err != nil {
			return nil, err
		}
	}
	c, err := s.resultCursor(ctx, v, uri)
	if err != nil {
		return nil, err
	}
	e := evaluation{URI: uri, Text: s.resultText(ctx, v, c)}
	if c != nil && !c.selector.Bad {
		e.Selector = c.selector.Text
		for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
			e.Fixtures = append(e.Fixtures, fileuri.Of(x.Path))
		}
	}
	return e, ctx.Err()
}

// anchorResult registers the result document of a position.
func (s *server) anchorResult(ctx context.Context, v *view, document string, at protocol.Position) error {
	d, err := s.document(v, document)
	if err != nil {
		return err
	}
	s.resultDocs.anchor(resultURI(document, at), keyOf(document), d.offset(at))
	return nil
}

// resultCursor returns the cursor at the selector of a result document, or nil if the selector is
// gone.
func (s *server) resultCursor(ctx context.Context, v *view, uri string) (*cursor, error) {
	document, at, err := parseResultURI(uri)
	if err != nil {
		return nil, err
	}
	own := resultURI(document, at)
	offset, ok := s.resultDocs.offset(own, uri)
	if !ok {
		if err := s.anchorResult(ctx, v, document, at); err != nil {
			return nil, err
		}
		offset, _ = s.resultDocs.offset(own, uri)
	}
	d, err := s.document(v, document)
	if err != nil {
		return nil, err
	}
	return s.cursorAt(ctx, v, d, offset), nil
}

// resultText describes what the selector of a result document finds, or its error if it has one.
func (s *server) resultText(ctx context.Context, v *view, c *cursor) string {
	if c == nil {
		return "There is no longer a selector at this position.\n"
	}
	return s.evaluated(ctx, v, c.analysis, c.selector)
}
