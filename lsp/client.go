package lsp

import (
	"encoding/json"
	"slices"
)

// client is what the client said it can do. Nothing it did not say is assumed.
type client struct {
	encoding encoding

	pull             bool // asks for diagnostics
	refreshPull      bool // can be told to ask again
	versioned        bool // knows the version of pushed diagnostics
	related, tags    bool // of diagnostics
	codeDescription  bool
	codeData         bool // keeps the data of diagnostics
	watch            bool // registers watched files when it is told to
	dynamicFormat    bool // registers formatting when it is told to
	configuration    bool // can be asked for settings
	folders          bool
	progress         bool // shows progress that the server begins
	documentChanges  bool // takes edits with versions
	applyEdit        bool
	snippets         bool // in completions
	labelDetails     bool
	literalActions   bool // takes code actions that are no commands
	markdownHover    bool
	markdownDocs     bool // of completion items
	hierarchy        bool // of document symbols
	refreshHints     bool
	refreshLenses    bool
	refreshTokens    bool
	lineFolding      bool
	virtualDocuments bool // workspace/textDocumentContent
	showDocument     bool
	processID        int
}

// readClient reads the capabilities out of the parameters of initialize.
func readClient(params json.RawMessage) (client, []string, error) {
	type dynamic struct {
		Dynamic bool `json:"dynamicRegistration"`
	}
	type refresh struct {
		Refresh bool `json:"refreshSupport"`
	}
	var p struct {
		ProcessID *int    `json:"processId"`
		RootURI   *string `json:"rootUri"`
		Folders   []struct {
			URI string `json:"uri"`
		} `json:"workspaceFolders"`
		Capabilities struct {
			General struct {
				Encodings []string `json:"positionEncodings"`
			} `json:"general"`
			Window struct {
				Progress     bool `json:"workDoneProgress"`
				ShowDocument struct {
					Support bool `json:"support"`
				} `json:"showDocument"`
			} `json:"window"`
			Workspace struct {
				ApplyEdit     bool `json:"applyEdit"`
				Configuration bool `json:"configuration"`
				Folders       bool `json:"workspaceFolders"`
				WorkspaceEdit struct {
					DocumentChanges bool `json:"documentChanges"`
				} `json:"workspaceEdit"`
				Watched     dynamic          `json:"didChangeWatchedFiles"`
				Diagnostics refresh          `json:"diagnostics"`
				Hints       refresh          `json:"inlayHint"`
				Lenses      refresh          `json:"codeLens"`
				Tokens      refresh          `json:"semanticTokens"`
				Content     *json.RawMessage `json:"textDocumentContent"`
			} `json:"workspace"`
			TextDocument struct {
				Diagnostic *json.RawMessage `json:"diagnostic"`
				Published  struct {
					Version bool `json:"versionSupport"`
					Related bool `json:"relatedInformation"`
					Tags    *struct {
						Values []int `json:"valueSet"`
					} `json:"tagSupport"`
					Description bool `json:"codeDescriptionSupport"`
					Data        bool `json:"dataSupport"`
				} `json:"publishDiagnostics"`
				Formatting dynamic `json:"formatting"`
				Completion struct {
					Item struct {
						Snippets      bool     `json:"snippetSupport"`
						LabelDetails  bool     `json:"labelDetailsSupport"`
						Documentation []string `json:"documentationFormat"`
					} `json:"completionItem"`
				} `json:"completion"`
				Hover struct {
					Formats []string `json:"contentFormat"`
				} `json:"hover"`
				Actions struct {
					Literal *json.RawMessage `json:"codeActionLiteralSupport"`
				} `json:"codeAction"`
				Symbols struct {
					Hierarchy bool `json:"hierarchicalDocumentSymbolSupport"`
				} `json:"documentSymbol"`
				Folding struct {
					LineOnly bool `json:"lineFoldingOnly"`
				} `json:"foldingRange"`
			} `json:"textDocument"`
		} `json:"capabilities"`
	}
	if err := json.Unmarshal(params, &p); err != nil {
		return client{}, nil, invalidParams(err)
	}
	w, t := &p.Capabilities.Workspace, &p.Capabilities.TextDocument
	c := client{
		pull: t.Diagnostic != nil, refreshPull: w.Diagnostics.Refresh, versioned: t.Published.Version,
		related: t.Published.Related, tags: t.Published.Tags != nil, codeDescription: t.Published.Description,
		codeData: t.Published.Data, watch: w.Watched.Dynamic, dynamicFormat: t.Formatting.Dynamic,
		configuration: w.Configuration, folders: w.Folders, progress: p.Capabilities.Window.Progress,
		documentChanges: w.WorkspaceEdit.DocumentChanges, applyEdit: w.ApplyEdit,
		snippets: t.Completion.Item.Snippets, labelDetails: t.Completion.Item.LabelDetails,
		literalActions: t.Actions.Literal != nil,
		markdownHover:  slices.Contains(t.Hover.Formats, "markdown"),
		markdownDocs:   slices.Contains(t.Completion.Item.Documentation, "markdown"),
		hierarchy:      t.Symbols.Hierarchy, refreshHints: w.Hints.Refresh, refreshLenses: w.Lenses.Refresh,
		refreshTokens: w.Tokens.Refresh, lineFolding: t.Folding.LineOnly, virtualDocuments: w.Content != nil,
		showDocument: p.Capabilities.Window.ShowDocument.Support,
	}
	if slices.Contains(p.Capabilities.General.Encodings, utf8Bytes.String()) {
		c.encoding = utf8Bytes
	}
	if p.ProcessID != nil {
		c.processID = *p.ProcessID
	}
	var folders []string
	for _, f := range p.Folders {
		folders = append(folders, pathOf(f.URI))
	}
	if len(folders) == 0 && p.RootURI != nil {
		folders = append(folders, pathOf(*p.RootURI))
	}
	return c, slices.DeleteFunc(folders, func(f string) bool { return f == "" }), nil
}
