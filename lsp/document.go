package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"net/url"
	"path/filepath"
	"slices"
	"strings"
	"sync"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/host"
)

// The language of selector files, and other names that clients give it.
const languageID = "pact-selector"

var selectorLanguages = []string{languageID, "pact", "pactsel"}

// document is one version of a document that the client has open. It is immutable but for what is worked out about
// it when it is first asked for.
type document struct {
	uri      string
	path     string // absolute, "" for one that is no file
	language string
	version  int32
	text
	host host.Host // nil for one that holds no selectors

	mu       sync.Mutex
	analysed *analysis // in the newest world it was asked for
}

// selectors tells whether the document is a selector file, rather than a host of strings.
func (d *document) selectors() bool {
	_, ok := d.host.(host.SelectorFile)
	return ok
}

func newDocument(uri, language string, version int32, src string, enc encoding) *document {
	d := &document{uri: uri, path: pathOf(uri), language: language, version: version, text: newText(src, enc)}
	d.host = hostOf(d.path, language)
	return d
}

// extensions are what files in the languages of clients end in, for documents that have no file.
var extensions = map[string]string{
	"go": ".go", "python": ".py", "typescript": ".ts", "typescriptreact": ".tsx", "javascript": ".js",
	"javascriptreact": ".jsx", "rust": ".rs", "java": ".java", "ruby": ".rb", "json": ".json", "jsonc": ".json",
	"yaml": ".yaml", "toml": ".toml", "markdown": ".md",
}

// hostOf finds the host of a document, by its language first: an editor lets people choose it.
func hostOf(path, language string) host.Host {
	if slices.Contains(selectorLanguages, language) {
		return host.SelectorFile{}
	}
	if h := host.For(filepath.ToSlash(path)); h != nil {
		return h
	}
	return host.For("untitled" + extensions[language])
}

// pathOf is the path of a file URI, "" for any other.
func pathOf(uri string) string {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return ""
	}
	path := u.Path
	if len(path) > 2 && path[0] == '/' && path[2] == ':' { // file:///C:/x
		path = path[1:]
	}
	return filepath.Clean(filepath.FromSlash(path))
}

// uriOf is the URI of a path.
func uriOf(path string) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") {
		path = "/" + path
	}
	return (&url.URL{Scheme: "file", Path: path}).String()
}

// documents are those the client has open, by URI.
type documents struct {
	mu   sync.Mutex
	open map[string]*document
}

func (ds *documents) get(uri string) *document {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	return ds.open[uri]
}

func (ds *documents) put(d *document) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	if ds.open == nil {
		ds.open = map[string]*document{}
	}
	ds.open[d.uri] = d
}

func (ds *documents) drop(uri string) {
	ds.mu.Lock()
	defer ds.mu.Unlock()
	delete(ds.open, uri)
}

// all yields the documents by URI.
func (ds *documents) all() iter.Seq[*document] {
	ds.mu.Lock()
	open := maps.Clone(ds.open)
	ds.mu.Unlock()
	return func(yield func(*document) bool) {
		for _, uri := range slices.Sorted(maps.Keys(open)) {
			if !yield(open[uri]) {
				return
			}
		}
	}
}

// document is the open document of a request; an error for one that is not open.
func (s *server) document(uri string) (*document, error) {
	if d := s.docs.get(uri); d != nil {
		return d, nil
	}
	return nil, fmt.Errorf("%s is not open", uri)
}

func (s *server) didOpen(_ context.Context, p *protocol.DidOpenTextDocumentParams) (any, error) {
	t := p.TextDocument
	d := newDocument(t.URI, t.LanguageID, t.Version, t.Text, s.client.encoding)
	s.docs.put(d)
	s.changed(d)
	return nil, nil
}

// changeParams are the parameters of didChange. glsp tells a change with a range from one without by what it
// unmarshals first; an explicit pointer is plainer.
type changeParams struct {
	TextDocument protocol.VersionedTextDocumentIdentifier `json:"textDocument"`
	Changes      []struct {
		Range *protocol.Range `json:"range"`
		Text  string          `json:"text"`
	} `json:"contentChanges"`
}

func (s *server) didChange(_ context.Context, p *changeParams) (any, error) {
	d := s.docs.get(p.TextDocument.URI)
	if d == nil {
		return nil, fmt.Errorf("%s is not open", p.TextDocument.URI)
	}
	if p.TextDocument.Version < d.version {
		return nil, fmt.Errorf("%s: version %d comes after version %d", d.uri, p.TextDocument.Version, d.version)
	}
	t := d.text
	for _, c := range p.Changes {
		if c.Range == nil {
			t = newText(c.Text, t.enc)
			continue
		}
		at := t.span(*c.Range)
		t = newText(t.src[:at.Start]+c.Text+t.src[at.End:], t.enc)
	}
	next := &document{uri: d.uri, path: d.path, language: d.language, version: p.TextDocument.Version, text: t, host: d.host}
	s.docs.put(next)
	s.changed(next)
	return nil, nil
}

func (s *server) didClose(_ context.Context, p *protocol.DidCloseTextDocumentParams) (any, error) {
	if d := s.docs.get(p.TextDocument.URI); d != nil {
		s.docs.drop(d.uri)
		s.closed(d)
	}
	return nil, nil
}

var errNoSelectors = errors.New("the document holds no selectors")

// rawParams are for methods whose parameters do not matter.
type rawParams = json.RawMessage
