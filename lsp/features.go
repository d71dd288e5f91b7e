package lsp

import (
	"github.com/tliron/glsp"
	protocol "github.com/tliron/glsp/protocol_3_16"
)

// addFeatures enters the language features that glsp dispatches.
func (s *server) addFeatures(h *protocol.Handler) {
	h.TextDocumentFormatting = func(g *glsp.Context, p *protocol.DocumentFormattingParams) ([]protocol.TextEdit, error) {
		edits, err := s.format(s.of(g), p)
		if edits == nil {
			return nil, err
		}
		return edits.([]protocol.TextEdit), err
	}
}

// addMethods enters those that it does not.
func (s *server) addMethods(map[string]method) {}

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
	c.Workspace = map[string]any{"workspaceFolders": map[string]any{"supported": true, "changeNotifications": true}}
	return c
}
