package lsp

import (
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// capabilities are the capabilities of the server. glsp has types for those of LSP 3.16 only.
type capabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   string         `json:"positionEncoding"`
	DiagnosticProvider any            `json:"diagnosticProvider,omitempty"`
	InlayHintProvider  any            `json:"inlayHintProvider,omitempty"`
	InlineProvider     any            `json:"inlineCompletionProvider,omitempty"`
	Workspace          map[string]any `json:"workspace,omitempty"`
}

// capabilities returns what the server announces to the client. A feature is not announced if the
// protocol has a client capability for it that the client does not set. Other features are always
// announced, because several editors use definitions or symbols without announcing any capability.
func (s *server) capabilities() capabilities {
	c := capabilities{PositionEncoding: s.client.encoding.String(), Workspace: map[string]any{}}
	for _, m := range methods() {
		if m.announce != nil {
			m.announce(&s.client, &c)
		}
	}
	return c
}

func announceSync(client *client, c *capabilities) {
	yes, kind := true, protocol.TextDocumentSyncKindIncremental
	o := protocol.TextDocumentSyncOptions{OpenClose: &yes, Change: &kind}
	if client.saves {
		o.Save = protocol.SaveOptions{}
	}
	c.TextDocumentSync = o
}

func announceFolders(client *client, c *capabilities) {
	if client.folders {
		c.Workspace["workspaceFolders"] = map[string]any{"supported": true, "changeNotifications": true}
	}
}

func announceDiagnostics(client *client, c *capabilities) {
	if client.pull {
		c.DiagnosticProvider = map[string]any{
			"identifier": source, "interFileDependencies": true, "workspaceDiagnostics": client.workspacePull,
		}
	}
}

func announceCompletion(client *client, c *capabilities) {
	o := &protocol.CompletionOptions{TriggerCharacters: triggers}
	if client.resolveDocs {
		yes := true
		o.ResolveProvider = &yes
	}
	c.CompletionProvider = o
}

func announceSignatures(_ *client, c *capabilities) {
	c.SignatureHelpProvider = &protocol.SignatureHelpOptions{TriggerCharacters: []string{"(", "=", ","}}
}

func announceRename(client *client, c *capabilities) {
	c.RenameProvider = true
	if client.prepareRename {
		yes := true
		c.RenameProvider = protocol.RenameOptions{PrepareProvider: &yes}
	}
}

func announceTokens(client *client, c *capabilities) {
	if client.tokens {
		c.SemanticTokensProvider = map[string]any{
			"legend": map[string]any{"tokenTypes": tokenTypes, "tokenModifiers": tokenModifiers},
			"full":   map[string]any{"delta": client.tokenDelta}, "range": true,
		}
	}
}

func announceHints(client *client, c *capabilities) {
	if client.hints {
		c.InlayHintProvider = true
	}
}

func announceActions(client *client, c *capabilities) {
	switch {
	case client.literalActions:
		c.CodeActionProvider = map[string]any{"codeActionKinds": actionKinds}
	case client.applyEdit:
		c.CodeActionProvider = true
	}
}

func announceFormat(client *client, c *capabilities) {
	if !client.dynamicFormat {
		c.DocumentFormattingProvider = true
	}
}

func announceFormatRange(client *client, c *capabilities) {
	if !client.dynamicRange {
		c.DocumentRangeFormattingProvider = client.formattingOptions(methodFormatRange, nil)
	}
}

func announceFormatType(client *client, c *capabilities) {
	if !client.dynamicType {
		c.DocumentOnTypeFormattingProvider = &protocol.DocumentOnTypeFormattingOptions{FirstTriggerCharacter: "\n"}
	}
}

func announceCommands(_ *client, c *capabilities) {
	c.ExecuteCommandProvider = &protocol.ExecuteCommandOptions{Commands: commands}
}

// fixtureFiles are the files that may be fixtures, and folders of such files.
var fixtureFiles = []any{
	map[string]any{"scheme": "file", "pattern": map[string]any{"glob": "**/*.{json,jsonl,gz,zst}", "matches": "file"}},
	map[string]any{"scheme": "file", "pattern": map[string]any{"glob": "**/*", "matches": "folder"}},
}

func announceRenames(client *client, c *capabilities) {
	if client.renames {
		c.Workspace["fileOperations"] = map[string]any{"willRename": map[string]any{"filters": fixtureFiles}}
	}
}

func announceInline(client *client, c *capabilities) {
	if client.inline {
		c.InlineProvider = true
	}
}

func announceLenses(_ *client, c *capabilities) {
	yes := true
	c.CodeLensProvider = &protocol.CodeLensOptions{ResolveProvider: &yes}
}

func announceContent(client *client, c *capabilities) {
	if client.virtualDocuments {
		c.Workspace["textDocumentContent"] = map[string]any{"schemes": []string{resultScheme}}
	}
}
