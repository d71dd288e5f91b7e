package lsp

import (
	"encoding/json"

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

// addMethods enters those that it lacks, or reads wrongly.
func (s *server) addMethods(m map[string]method) {
	m["textDocument/codeAction"] = request(s.actions)
	m["textDocument/completion"] = request(s.completion)
	m["textDocument/documentLink"] = request(s.links)
	m["textDocument/signatureHelp"] = request(s.signatures)
	m["textDocument/semanticTokens/full"] = request(s.semantic)
	m["textDocument/semanticTokens/full/delta"] = request(s.semanticDelta)
	m["textDocument/semanticTokens/range"] = request(s.semanticRange)
	m[methodFormatRange] = request(s.formatRange)
	m[methodFormatRanges] = request(s.formatRanges)
	m[methodFormatType] = request(s.formatOnType)
	m["workspace/executeCommand"] = request(s.execute)
	m["textDocument/rename"] = request(s.rename)
	m["textDocument/inlayHint"] = request(s.hints)
	m["workspace/diagnostic"] = request(s.pullWorkspace)
	m["workspace/textDocumentContent"] = request(s.content)
	m["window/workDoneProgress/cancel"] = request(s.cancelProgress)
	m["pactkit/evaluate"] = request(s.evaluateRequest)
}

// capabilities are what the client is told of. A feature whose client capability says no more than whether it can be
// registered later is always told of: several editors use definitions or symbols and say nothing about them.
func (s *server) capabilities() capabilities {
	var c capabilities
	c.PositionEncoding = s.client.encoding.String()
	sync := protocol.TextDocumentSyncKindIncremental
	yes := true
	options := protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &sync}
	if s.client.saves {
		options.Save = protocol.SaveOptions{}
	}
	c.TextDocumentSync = options
	if s.client.pull {
		c.DiagnosticProvider = map[string]any{
			"identifier": source, "interFileDependencies": true, "workspaceDiagnostics": s.client.workspacePull,
		}
	}
	if !s.client.dynamicFormat {
		c.DocumentFormattingProvider = true
	}
	if !s.client.dynamicRange {
		c.DocumentRangeFormattingProvider = s.client.formattingOptions(methodFormatRange, nil)
	}
	if !s.client.dynamicType {
		c.DocumentOnTypeFormattingProvider = &protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n"}
	}
	c.HoverProvider = true
	c.CompletionProvider = &protocol.CompletionOptions{TriggerCharacters: triggers}
	c.CodeLensProvider = &protocol.CodeLensOptions{}
	c.DocumentLinkProvider = &protocol.DocumentLinkOptions{}
	c.DocumentSymbolProvider = true
	c.FoldingRangeProvider = true
	c.SelectionRangeProvider = true
	c.ReferencesProvider = true
	c.DefinitionProvider = true
	c.DocumentHighlightProvider = true
	c.WorkspaceSymbolProvider = true
	c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", "=", ","}}
	if s.client.tokens {
		c.SemanticTokensProvider = map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers},
			"full":   map[string]any{"delta": s.client.tokenDelta}, "range": true,
		}
	}
	c.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{Commands: commands}
	c.RenameProvider = true
	if s.client.prepareRename {
		c.RenameProvider = protocol.RenameOptions{PrepareProvider: &yes}
	}
	if s.client.literalActions {
		c.CodeActionProvider = map[string]any{"codeActionKinds": actionKinds}
	}
	if s.client.hints {
		c.InlayHintProvider = true
	}
	workspace := map[string]any{}
	if s.client.folders {
		workspace["workspaceFolders"] = map[string]any{"supported": true, "changeNotifications": true}
	}
	if s.client.virtualDocuments {
		workspace["textDocumentContent"] = map[string]any{"schemes": []string{resultScheme}}
	}
	c.Workspace = workspace
	return c
}

// given returns a token of a client, nil for one that is null.
func given(token json.RawMessage) json.RawMessage {
	if string(token) == "null" {
		return nil
	}
	return token
}
