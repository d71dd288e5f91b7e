package lsp

import (
	"context"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
)

// word returns the type, tag, key or custom attribute at the cursor.
func (c *cursor) word() (word, bool) {
	for _, n := range slices.Backward(c.path) {
		for _, w := range wordsIn(n) {
			if w.at.Start <= c.offset && c.offset <= w.at.End {
				return w, true
			}
		}
	}
	return word{}, false
}

// wordAt returns the word at a position and the cursor there, which is nil outside selectors. It
// reports whether there is a word.
func (s *server) wordAt(ctx context.Context, v *view, uri string, at protocol.Position) (*cursor, word, bool, error) {
	c, err := s.cursor(ctx, v, uri, at)
	if c == nil {
		return nil, word{}, false, err
	}
	w, ok := c.word()
	return c, w, ok, nil
}

// scanTitle is what is shown while the workspace is searched.
const scanTitle = "Searching for selectors"

// use is one occurrence of a word in a document.
type use struct {
	doc    *document
	region *host.Region
	word
}

// uses finds a word in the selectors of a document.
func (d *document) uses(ctx context.Context, sn *snapshot, kind lint.WordKind, name string) []use {
	a := d.analyze(ctx, sn)
	out := a.inHoled(d, kind, name)
	if a.words(ctx)[kind][name] == 0 {
		return out
	}
	for s := range a.all(ctx) {
		if s.Bad || a.doubtful(s) {
			continue
		}
		r := a.region(s)
		for x := range wordsOf(s.Query) {
			if x.kind == kind && x.name == name {
				out = append(out, use{d, r, x})
			}
		}
	}
	return out
}

func (u *use) location() protocol.Location {
	return protocol.Location{URI: u.doc.uri, Range: u.doc.rangeOf(u.region.Host(u.at))}
}

// references answers textDocument/references: the uses of the word at the cursor in all files of
// the workspace or, if there is no word, the nodes that the selector finds in the fixtures.
func (s *server) references(ctx context.Context, v *view, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	switch {
	case c == nil:
		return nil, err
	case !ok:
		return s.matched(ctx, v, c), ctx.Err()
	}
	list := []protocol.Location{}
	for d := range s.files(ctx, v, scanTitle) {
		for _, u := range d.uses(ctx, c.analysis.snapshot, w.kind, w.name) {
			list = append(list, u.location())
		}
	}
	sortLocations(list)
	return list, ctx.Err()
}

func sortLocations(list []protocol.Location) {
	slices.SortFunc(list, func(a, b protocol.Location) int {
		if n := strings.Compare(a.URI, b.URI); n != 0 {
			return n
		}
		if n := int(a.Range.Start.Line) - int(b.Range.Start.Line); n != 0 {
			return n
		}
		return int(a.Range.Start.Character) - int(b.Range.Start.Character)
	})
}

// definition answers textDocument/definition with the first occurrence of the word at the cursor in
// each fixture. A fixture is often one line of JSON, so the range is only that of the word.
func (s *server) definition(ctx context.Context, v *view, p *protocol.DefinitionParams) (any, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	if !ok {
		return nil, err
	}
	list := []protocol.Location{}
	for _, x := range c.analysis.snapshot.fixturesOf(ctx, c.analysis.config) {
		if at, ok := s.inFixture(ctx, v, x.Path, w); ok {
			list = append(list, at)
		}
	}
	return list, ctx.Err()
}

// highlights answers textDocument/documentHighlight.
func (s *server) highlights(ctx context.Context, v *view, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	c, w, ok, err := s.wordAt(ctx, v, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	list := []protocol.DocumentHighlight{}
	if ok {
		for _, u := range c.doc.uses(ctx, c.analysis.snapshot, w.kind, w.name) {
			list = append(list, protocol.DocumentHighlight{Range: u.location().Range})
		}
	}
	return list, nil
}

// workspaceSymbols answers workspace/symbol: selectors whose compact form contains the query.
func (s *server) workspaceSymbols(ctx context.Context, v *view, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
	sn := v.snapshot
	list := []protocol.SymbolInformation{}
	for d := range s.files(ctx, v, scanTitle) {
		a := d.analyze(ctx, sn)
		for sel := range a.all(ctx) {
			if name := a.compact(sel); !a.doubtful(sel) && strings.Contains(strings.ToLower(name), strings.ToLower(p.Query)) {
				list = append(list, protocol.SymbolInformation{
					Name: name, Kind: protocol.SymbolKindString, Location: protocol.Location{URI: d.uri, Range: d.rangeOf(sel.Span)},
				})
			}
		}
		if len(list) >= maxSymbols {
			break
		}
	}
	return list, ctx.Err()
}

// maxSymbols bounds the answer to workspace/symbol. Clients repeat the request with a longer query.
const maxSymbols = 1000
