package lsp

import (
	"context"
	"errors"
	"slices"
	"strings"

	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/lint"
)

// word is the type, tag, key or custom attribute at the cursor.
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

// scanTitle is what is shown while the workspace is searched.
const scanTitle = "Searching for selectors"

// use is one occurrence of a word in a document.
type use struct {
	doc    *document
	region *host.Region
	word
}

// uses finds a word in the selectors of a document.
func (d *document) uses(sn *snapshot, kind lint.WordKind, name string) []use {
	var out []use
	a := d.analyse(sn)
	if a.words()[kind][name] == 0 {
		return nil
	}
	for i := range a.Selectors {
		s := &a.Selectors[i]
		if s.Bad || a.doubtful(s) {
			continue
		}
		r := &a.File.Regions[s.Region]
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

// references answers textDocument/references: the uses of the word at the cursor in all files of the workspace; where
// there is no word, the nodes that the selector finds in the fixtures.
func (s *server) references(ctx context.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
	c, err := s.cursor(ctx, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	w, ok := c.word()
	if !ok {
		return s.matched(ctx, c), ctx.Err()
	}
	list := []protocol.Location{}
	for d := range s.files(ctx, c.analysis.snapshot, scanTitle) {
		for _, u := range d.uses(c.analysis.snapshot, w.kind, w.name) {
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

// definition answers textDocument/definition: where the fixtures have a node with the word at the cursor. A fixture is
// often one line of JSON, so the range is that of the word alone.
func (s *server) definition(ctx context.Context, p *protocol.DefinitionParams) (any, error) {
	c, err := s.cursor(ctx, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	w, ok := c.word()
	if !ok {
		return nil, nil
	}
	list := []protocol.Location{}
	for _, x := range c.analysis.snapshot.fixturesOf(c.analysis.config) {
		if at, ok := s.inFixture(ctx, x.Path, w); ok {
			list = append(list, at)
		}
	}
	return list, ctx.Err()
}

// highlights answers textDocument/documentHighlight.
func (s *server) highlights(ctx context.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
	c, err := s.cursor(ctx, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	list := []protocol.DocumentHighlight{}
	if w, ok := c.word(); ok {
		for _, u := range c.doc.uses(c.analysis.snapshot, w.kind, w.name) {
			list = append(list, protocol.DocumentHighlight{Range: u.location().Range})
		}
	}
	return list, nil
}

// prepareRename answers textDocument/prepareRename with the word that would be renamed.
func (s *server) prepareRename(ctx context.Context, p *protocol.PrepareRenameParams) (any, error) {
	c, err := s.cursor(ctx, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	w, ok := c.word()
	if !ok {
		return nil, nil
	}
	if c.analysis.doubtful(c.selector) {
		return nil, errDoubtful
	}
	at, _ := c.bare(w)
	return map[string]any{"range": c.rangeOf(at), "placeholder": w.name}, nil
}

// bare is the span of the name in a word, without its sigil and its quotes; false when escapes hide it.
func (c *cursor) bare(w word) (ast.Span, bool) { return bareName(c.region.Text, w) }

func bareName(text string, w word) (ast.Span, bool) {
	written := w.at.Text(text)
	if i := strings.Index(written, w.name); i >= 0 {
		return ast.Span{Start: w.at.Start + i, End: w.at.Start + i + len(w.name)}, true
	}
	return w.at, false
}

var errDoubtful = errors.New("nothing shows that this string is a selector of PACT: an import, a comment `pact` or a marker in the configuration would")

// rename answers textDocument/rename: the word gets another name in all files of the workspace. Escapes of the strings
// it stands in are kept.
func (s *server) rename(ctx context.Context, p *protocol.RenameParams) (any, error) {
	c, err := s.cursor(ctx, p.TextDocument.URI, p.Position)
	if c == nil {
		return nil, err
	}
	w, ok := c.word()
	if !ok {
		return nil, errors.New("types, tags, keys and attributes of a tree can be renamed")
	}
	if c.analysis.doubtful(c.selector) {
		return nil, errDoubtful
	}
	if p.NewName == "" || strings.ContainsAny(p.NewName, "\r\n\x00") {
		return nil, errors.New("a name is one line of text")
	}
	if w.kind != lint.KeyWord && !isName(p.NewName) {
		return nil, errors.New("a name has letters, digits, - and _, and begins with a letter")
	}
	var edit workspaceEdit
	for d := range s.files(ctx, c.analysis.snapshot, scanTitle) {
		edits, err := renames(d.uses(c.analysis.snapshot, w.kind, w.name), p.NewName)
		if err != nil {
			return nil, err
		}
		if len(edits) > 0 {
			s.addEdits(&edit, d, edits)
		}
	}
	return edit, ctx.Err()
}

// renames are the edits that rename the uses in one document.
func renames(uses []use, name string) ([]diag.Edit, error) {
	var out []diag.Edit
	for _, u := range uses {
		edits, err := u.region.Edits([]diag.Edit{{Span: u.at, Text: u.renamed(name)}})
		if err != nil {
			return nil, err
		}
		out = append(out, edits...)
	}
	slices.SortFunc(out, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
	return out, nil
}

// renamed is the text of a use with another name: with its sigil, and in quotes where it has or needs them.
func (u *use) renamed(name string) string {
	written := u.at.Text(u.region.Text)
	quote := func() string {
		return strings.TrimPrefix(format.Node(&ast.Query{Union: []ast.Fragment{{Chains: []ast.Chain{{Steps: []ast.Step{{
			Anchor: &ast.Key{Name: name},
		}}}}}}}, format.Options{Style: format.Compact, Edition: ast.Edition01}), "#")
	}
	switch u.node.(type) {
	case *ast.Type:
		return "." + name
	case *ast.Tag:
		return "+" + name
	case *ast.Key:
		if strings.HasPrefix(written, "#") && isName(name) && !strings.ContainsAny(written, `'"`) {
			return "#" + name
		}
		return "#" + quote()
	}
	if u.kind == lint.AttributeWord || isName(name) && !strings.ContainsAny(written, `'"`) {
		return name
	}
	return quote()
}

// workspaceSymbols answers workspace/symbol: selectors whose compact form holds the query.
func (s *server) workspaceSymbols(ctx context.Context, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
	sn := s.view(ctx).snapshot
	list := []protocol.SymbolInformation{}
	for d := range s.files(ctx, sn, scanTitle) {
		a := d.analyse(sn)
		for i := range a.Selectors {
			sel := &a.Selectors[i]
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

// maxSymbols bounds the answer to workspace/symbol: a client asks again with a longer query.
const maxSymbols = 1000
