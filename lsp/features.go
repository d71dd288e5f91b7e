package lsp

import (
	"github.com/tliron/glsp"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// addFeatures enters the language features that glsp dispatches and reads as they are meant.
func (s *server) addFeatures(h *protocol.Handler) {
	h.TextDocumentHover = func(g *glsp.Context, p *protocol.HoverParams) (*protocol.Hover, error) { return s.hover(s.of(g), p) }
	h.TextDocumentFormatting = func(g *glsp.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
		return s.format(s.of(g), p)
	}
	h.TextDocumentCodeLens = func(g *glsp.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
		return s.lenses(s.of(g), p)
	}
	h.TextDocumentDocumentSymbol = func(g *glsp.Context, p *protocol.DocumentSymbolParams) (any, error) { return s.symbols(s.of(g), p) }
	h.TextDocumentFoldingRange = func(g *glsp.Context, p *protocol.FoldingRangeParams) ([]protocol.FoldingRange, error) {
		return s.folds(s.of(g), p)
	}
	h.TextDocumentSelectionRange = func(g *glsp.Context, p *protocol.SelectionRangeParams) ([]protocol.SelectionRange, error) {
		return s.selections(s.of(g), p)
	}
	h.TextDocumentReferences = func(g *glsp.Context, p *protocol.ReferenceParams) ([]protocol.Location, error) {
		return s.references(s.of(g), p)
	}
	h.TextDocumentDefinition = func(g *glsp.Context, p *protocol.DefinitionParams) (any, error) { return s.definition(s.of(g), p) }
	h.TextDocumentDocumentHighlight = func(g *glsp.Context, p *protocol.DocumentHighlightParams) ([]protocol.DocumentHighlight, error) {
		return s.highlights(s.of(g), p)
	}
	h.TextDocumentPrepareRename = func(g *glsp.Context, p *protocol.PrepareRenameParams) (any, error) {
		return s.prepareRename(s.of(g), p)
	}
	h.WorkspaceSymbol = func(g *glsp.Context, p *protocol.WorkspaceSymbolParams) ([]protocol.SymbolInformation, error) {
		return s.workspaceSymbols(s.of(g), p)
	}
}

// addMethods enters those that it does not.
func (s *server) addMethods(m map[string]method) {
	m["textDocument/codeAction"] = request(s.actions)
	m["textDocument/completion"] = request(s.completion)
	m["textDocument/rename"] = request(s.rename)
	m["textDocument/inlayHint"] = request(s.hints)
}

// capabilities are what the client is told of.
func (s *server) capabilities() capabilities {
	var c capabilities
	c.PositionEncoding = s.client.encoding.String()
	sync := protocol.TextDocumentSyncKindIncremental
	yes := true
	c.TextDocumentSync = protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync}
	if s.client.pull {
		c.DiagnosticProvider = map[string]any{"identifier": source, "interFileDependencies": true, "workspaceDiagnostics": false}
	}
	if !s.client.dynamicFormat {
		c.DocumentFormattingProvider = true
	}
	c.HoverProvider = true
	c.CompletionProvider = &protocol.CompletionOptions{TriggerCharacters: triggers}
	c.CodeLensProvider = &protocol.CodeLensOptions{}
	c.DocumentSymbolProvider = true
	c.FoldingRangeProvider = true
	c.SelectionRangeProvider = true
	c.ReferencesProvider = true
	c.DefinitionProvider = true
	c.DocumentHighlightProvider = true
	c.WorkspaceSymbolProvider = true
	c.RenameProvider = protocol.RenameOptions{PrepareProvider: &yes}
	if s.client.literalActions {
		c.CodeActionProvider = map[string]any{"codeActionKinds": actionKinds}
	}
	c.InlayHintProvider = true
	c.Workspace = map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}}
	return c
}
