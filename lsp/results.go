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
)

// resultScheme is the scheme of result documents: what a selector finds in the fixtures, kept up to date.
const resultScheme = "pactkit-result"

// resultURI is the result document of the selector at a place.
func resultURI(uri string, at protocol.Position) string {
	q := url.Values{"document": {uri}, "line": {strconv.Itoa(int(at.Line))}, "character": {strconv.Itoa(int(at.Character))}}
	return (&url.URL{Scheme: resultScheme, Path: "/result.md", RawQuery: q.Encode()}).String()
}

// resultPlace is the place that a result document is about.
func resultPlace(uri string) (document string, at protocol.Position, err error) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != resultScheme {
		return "", at, fmt.Errorf("%s is no result document", uri)
	}
	query := u.RawQuery
	if !strings.Contains(query, "=") { // VS Code writes the signs of a query as escapes, too
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

// resultDocs are the result documents that the client has asked for, by URI, with the documents they are about.
type resultDocs struct {
	mu  sync.Mutex
	uri map[string]string
}

func (r *resultDocs) add(uri, document string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.uri == nil || len(r.uri) >= maxResults {
		r.uri = map[string]string{}
	}
	r.uri[uri] = keyOf(document)
}

// stale tells the client that the results of a document are others now; of nil, all results.
func (r *resultDocs) stale(s *server, d *document) {
	if !s.client.virtualDocuments && !s.client.results {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	for uri, document := range r.uri {
		if d != nil && document != keyOf(d.uri) {
			continue
		}
		if s.client.virtualDocuments {
			s.call("workspace/textDocumentContent/refresh", map[string]any{"uri": uri})
		} else {
			s.spawn(func() { s.notify("pactkit/resultChanged", map[string]any{"uri": uri}) })
		}
	}
}

// content answers workspace/textDocumentContent.
func (s *server) content(ctx context.Context, p *struct {
	URI string `json:"uri"`
}) (any, error) {
	uri, at, err := resultPlace(p.URI)
	if err != nil {
		return nil, err
	}
	text, err := s.resultAt(ctx, uri, at)
	if err != nil {
		return nil, err
	}
	s.resultDocs.add(p.URI, uri)
	return map[string]any{"text": text}, nil
}

// evaluateRequest answers pactkit/evaluate, for clients without workspace/textDocumentContent: a document and a
// position, or the URI of a result document.
func (s *server) evaluateRequest(ctx context.Context, p *struct {
	placeParams
	URI string `json:"uri"`
}) (any, error) {
	uri, at := p.TextDocument.URI, p.Position
	if p.URI != "" {
		var err error
		if uri, at, err = resultPlace(p.URI); err != nil {
			return nil, err
		}
	}
	text, err := s.resultAt(ctx, uri, at)
	if err != nil {
		return nil, err
	}
	result := resultURI(uri, at)
	s.resultDocs.add(result, uri)
	return map[string]any{"uri": result, "text": text}, nil
}

// resultAt is what the selector at a place finds; while it has an error, what the error is.
func (s *server) resultAt(ctx context.Context, uri string, at protocol.Position) (string, error) {
	c, err := s.cursor(ctx, uri, at)
	switch {
	case err != nil:
		return "", err
	case c == nil:
		return "There is no selector at this place any more.\n", nil
	}
	return s.evaluated(ctx, c), ctx.Err()
}
