package lsp

import (
	"context"
	"fmt"
	"iter"
	"maps"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/internal/languages"
)

// The language of selector files, and other names that clients give it.
const languageID = "pact-selector"

var selectorLanguages = []string{languageID, "pact", "pactsel"}

// document is one version of a document that the client has open. It is immutable except for its
// analysis, which is made on first use.
type document struct {
	uri      string
	path     string // absolute, "" for a document that is not a file
	language string
	version  int32
	open     bool  // rather than read from disk
	serial   int64 // counts all versions of all documents, because a client may use a version number twice
	text
	host host.Host // nil for a document without selectors

	memory   *memory // shared by the versions of the document
	mu       sync.Mutex
	analyzed *analysis // in the newest snapshot it was requested for
	needs    int       // bytes, about, that its selectors take; 0 if they have not been found
}

// selectors reports whether the document is a selector file, rather than a host of strings.
func (d *document) selectors() bool { return d.host != nil && !d.host.Embeds() }

func newDocument(uri, language string, version int32, src string, enc encoding) *document {
	d := &document{uri: uri, path: fileuri.Path(uri), language: language, version: version, text: newText(src, enc), memory: &memory{}}
	d.host = hostOf(d.path, language)
	return d
}

// setHost lets the configuration decide whether a document is a selector file, or a baseline, and
// reports whether it did.
func (d *document) setHost(sn *snapshot) bool {
	if d.path == "" || config.IsOwn(d.path) {
		return false
	}
	cfg, _ := sn.configOf(d.path)
	if d.host == nil || cfg.IsBaseline(d.path) {
		d.host = cfg.Host(d.path)
		return true
	}
	return false
}

// hostOf finds the host of a document, by its language first, because users can choose the language
// in the editor.
func hostOf(path, language string) host.Host {
	if slices.Contains(selectorLanguages, language) {
		return host.SelectorFile{}
	}
	if h := host.For(filepath.ToSlash(path)); h != nil {
		return h
	}
	if config.IsOwn(path) {
		return nil
	}
	for v := range languages.Variants() { // a document without a file
		if v.ID == language {
			return host.For("untitled" + v.Extensions[0])
		}
	}
	return nil
}

// keyOf returns the key of a document. Clients escape the paths of URIs in different ways.
func keyOf(uri string) string {
	if path := fileuri.Path(uri); path != "" {
		return path
	}
	return uri
}

// docSet has the documents that are open at one time, by key. It is immutable.
type docSet map[string]*document

func (ds docSet) get(uri string) *document { return ds[keyOf(uri)] }

// each yields the documents by key.
func (ds docSet) each() iter.Seq[*document] {
	return func(yield func(*document) bool) {
		for _, key := range slices.Sorted(maps.Keys(ds)) {
			if !yield(ds[key]) {
				return
			}
		}
	}
}

// documents are the documents that the client has open. Only one goroutine changes them.
type documents struct {
	open  atomic.Pointer[docSet]
	count int64
}

func (ds *documents) all() docSet {
	if open := ds.open.Load(); open != nil {
		return *open
	}
	return nil
}

func (ds *documents) get(uri string) *document { return ds.all().get(uri) }

func (ds *documents) put(d *document) {
	ds.count++
	d.serial = ds.count
	next := docSet{}
	maps.Copy(next, ds.all())
	next[keyOf(d.uri)] = d
	ds.open.Store(&next)
}

func (ds *documents) drop(uri string) {
	next := docSet{}
	maps.Copy(next, ds.all())
	delete(next, keyOf(uri))
	ds.open.Store(&next)
}

// document returns the document of a request: the version that the client has open, or else the
// file on disk.
func (s *server) document(v *view, uri string) (*document, error) {
	if d := v.docs.get(uri); d != nil {
		return d, nil
	}
	if path := fileuri.Path(uri); path != "" {
		if d := s.disk.get(path, s.client.encoding, v.snapshot); d != nil {
			return d, nil
		}
	}
	return nil, fmt.Errorf("%s is not open, and cannot be read", uri)
}

func (s *server) didOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) error {
	t := p.TextDocument
	d := newDocument(t.URI, t.LanguageID, t.Version, t.Text, s.client.encoding)
	d.open = true
	d.setHost(s.session.snapshot())
	s.docs.put(d)
	s.changed(d)
	return nil
}

// changeParams are the parameters of didChange. glsp tells a change with a range from one without
// by trying to unmarshal both; an explicit pointer is simpler.
type changeParams struct {
	TextDocument protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	Changes      []change                                 `json:"contentChanges"`
}

// change replaces a range of a document, or the whole document if it has no range.
type change struct {
	Range *protocol.Range `json:"range"`
	Text  string          `json:"text"`
}

func (s *server) didChange(_ context.Context, p *changeParams) error {
	d := s.docs.get(p.TextDocument.URI)
	if d == nil {
		return fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	if p.TextDocument.Version < d.version {
		// Changes apply to the text that the client had when it sent them, whatever their version
		// number. If one were dropped, every later one would be wrong.
		s.options.Log.Warn("document version decreases", "uri", d.uri, "from", d.version, "to", p.TextDocument.Version)
	}
	t := d.text
	for _, c := range p.Changes {
		e := diag.Edit{Span: ast.Span{Start: 0, End: len(t.src)}, Text: c.Text}
		if c.Range != nil {
			e.Span = t.span(*c.Range)
		}
		s.resultDocs.move(keyOf(d.uri), trimmed(t.src, e))
		t = newText(t.src[:e.Span.Start]+e.Text+t.src[e.Span.End:], t.enc)
	}
	next := &document{
		uri: d.uri, path: d.path, language: d.language, version: p.TextDocument.Version, text: t, host: d.host, open: true,
		memory: d.memory,
	}
	s.docs.put(next)
	s.changed(next)
	return nil
}

func (s *server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) error {
	if d := s.docs.get(p.TextDocument.URI); d != nil {
		s.docs.drop(d.uri)
		s.tokens.drop(d.uri)
		s.closed(d)
		s.refresh.touch()
	}
	return nil
}

// didSave reads configuration and fixtures again for clients that do not report changes on disk.
func (s *server) didSave(ctx context.Context, p *docParams) error {
	if !s.client.watch {
		return s.didChangeFiles(ctx, &protocol.DidChangeWatchedFilesParams{Changes: []protocol.FileEvent{{URI: p.TextDocument.URI}}})
	}
	return nil
}

// docParams are the parameters of requests about a document.
type docParams struct {
	TextDocument protocol.TextDocumentIdentifier `json:"textDocument"`
}

// positionParams are the parameters of requests about a position in a document.
type positionParams struct {
	docParams
	Position protocol.Position `json:"position"`
}
