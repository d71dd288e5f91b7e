package lsp

import (
	"encoding/json"
	"slices"

	"github.com/pactkit/pactkit/internal/fileuri"
)

// client has a field for each capability of the client that the server uses. A capability that the
// client does not announce is absent.
type client struct {
	encoding encoding

	pull             bool // pulls diagnostics
	refreshPull      bool // pulls them again when the server asks for it
	versioned        bool // knows the version of pushed diagnostics
	tags             bool // of diagnostics
	codeDescription  bool
	codeData         bool // keeps the data of diagnostics
	related          bool // shows related locations of diagnostics
	watch            bool // registers watched files
	dynamicFormat    bool // registers formatting
	dynamicRange     bool // registers formatting of ranges
	dynamicType      bool // registers formatting on type
	ranges           bool // formats several ranges at once
	workspacePull    bool // pulls the diagnostics of the whole workspace
	hints            bool // shows inlay hints
	tokens           bool // shows semantic tokens
	tokenDelta       bool
	prepareRename    bool
	preferred        bool // marks preferred code actions
	saves            bool // sends didSave
	folders          bool
	progress         bool // shows progress that the server begins
	documentChanges  bool // takes edits with versions
	annotations      bool // of edits
	snippetEdits     bool // takes edits with placeholders
	createFiles      bool // in edits
	renames          bool // sends willRenameFiles
	inline           bool // shows inline completions
	snippets         bool // in completions
	labelDetails     bool
	resolveDocs      bool // requests the documentation of a completion item when it shows it
	resolveDetail    bool
	defaultRange     bool // takes one range for all completion items
	literalActions   bool // takes code actions that are not commands
	applyEdit        bool // applies edits that the server sends
	markdownHover    bool
	markdownDocs     bool // of completion items
	hierarchy        bool // of document symbols
	refreshHints     bool
	refreshLenses    bool
	refreshFolds     bool
	virtualDocuments bool // workspace/textDocumentContent
	showDocument     bool
	results          bool // takes pactkit/resultChanged
	processID        int
	token            string
	settings         *settings // from initialize
}

// initializeParams are the parameters of initialize that the server reads.
type initializeParams struct {
	ProcessID *int    `json:"processId"`
	RootURI   *string `json:"rootUri"`
	Folders   []struct {
		URI string `json:"uri"`
	} `json:"workspaceFolders"`
	Options      json.RawMessage `json:"initializationOptions"` // of any type, see token
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
		Workspace    workspaceCapabilities    `json:"workspace"`
		TextDocument textDocumentCapabilities `json:"textDocument"`
		Experimental struct {
			Pactkit struct {
				Results bool `json:"results"`
			} `json:"pactkit"`
		} `json:"experimental"`
	} `json:"capabilities"`
}

type workspaceCapabilities struct {
	Folders       bool `json:"workspaceFolders"`
	ApplyEdit     bool `json:"applyEdit"`
	WorkspaceEdit struct {
		DocumentChanges bool             `json:"documentChanges"`
		Annotations     *json.RawMessage `json:"changeAnnotationSupport"`
		Snippets        bool             `json:"snippetEditSupport"`
		Operations      []string         `json:"resourceOperations"`
	} `json:"workspaceEdit"`
	Watched     dynamic      `json:"didChangeWatchedFiles"`
	Diagnostics *refreshable `json:"diagnostics"`
	Hints       refreshable  `json:"inlayHint"`
	Lenses      refreshable  `json:"codeLens"`
	Folds       refreshable  `json:"foldingRange"`
	Files       struct {
		WillRename bool `json:"willRename"`
	} `json:"fileOperations"`
	Content *json.RawMessage `json:"textDocumentContent"`
}

type textDocumentCapabilities struct {
	Synchronization struct {
		Save bool `json:"didSave"`
	} `json:"synchronization"`
	Diagnostic *diagnosticParts `json:"diagnostic"`
	Published  struct {
		Version bool `json:"versionSupport"`
		diagnosticParts
	} `json:"publishDiagnostics"`
	Formatting dynamic `json:"formatting"`
	Range      struct {
		dynamic
		Ranges bool `json:"rangesSupport"`
	} `json:"rangeFormatting"`
	OnType dynamic          `json:"onTypeFormatting"`
	Hints  *json.RawMessage `json:"inlayHint"`
	Tokens *struct {
		Requests struct {
			Full json.RawMessage `json:"full"` // a bool, or an object
		} `json:"requests"`
	} `json:"semanticTokens"`
	Inline *json.RawMessage `json:"inlineCompletion"`
	Rename struct {
		Prepare bool `json:"prepareSupport"`
	} `json:"rename"`
	Completion struct {
		Item struct {
			Snippets      bool     `json:"snippetSupport"`
			LabelDetails  bool     `json:"labelDetailsSupport"`
			Documentation []string `json:"documentationFormat"`
			Resolve       struct {
				Properties []string `json:"properties"`
			} `json:"resolveSupport"`
		} `json:"completionItem"`
		List struct {
			Defaults []string `json:"itemDefaults"`
		} `json:"completionList"`
	} `json:"completion"`
	Hover struct {
		Formats []string `json:"contentFormat"`
	} `json:"hover"`
	Actions struct {
		Literal   *json.RawMessage `json:"codeActionLiteralSupport"`
		Preferred bool             `json:"isPreferredSupport"`
	} `json:"codeAction"`
	Symbols struct {
		Hierarchy bool `json:"hierarchicalDocumentSymbolSupport"`
	} `json:"documentSymbol"`
}

// dynamic is a capability that a client may register after initialize.
type dynamic struct {
	Dynamic bool `json:"dynamicRegistration"`
}

// refreshable is a capability whose results the client requests again when the server asks for it.
type refreshable struct {
	Refresh bool `json:"refreshSupport"`
}

// diagnosticParts are the parts of a diagnostic that the client supports. Since LSP 3.18, they are
// announced for pulled diagnostics too.
type diagnosticParts struct {
	Tags *struct {
		Values []int `json:"valueSet"`
	} `json:"tagSupport"`
	Description bool `json:"codeDescriptionSupport"`
	Data        bool `json:"dataSupport"`
	Related     bool `json:"relatedInformation"`
}

// readClient reads capabilities and folders from the parameters of initialize.
func readClient(params json.RawMessage) (client, []string, error) {
	var p initializeParams
	if err := json.Unmarshal(params, &p); err != nil {
		return client{}, nil, invalidParams(err)
	}
	w, t := &p.Capabilities.Workspace, &p.Capabilities.TextDocument
	pulled := t.Diagnostic
	if pulled == nil {
		pulled = &diagnosticParts{}
	}
	c := client{
		pull: t.Diagnostic != nil, workspacePull: t.Diagnostic != nil && w.Diagnostics != nil,
		refreshPull: w.Diagnostics != nil && w.Diagnostics.Refresh, versioned: t.Published.Version,
		tags:            t.Published.Tags != nil || pulled.Tags != nil,
		codeDescription: t.Published.Description || pulled.Description, codeData: t.Published.Data || pulled.Data,
		related:      t.Published.Related || pulled.Related,
		snippetEdits: w.WorkspaceEdit.Snippets && w.WorkspaceEdit.DocumentChanges, createFiles: slices.Contains(w.WorkspaceEdit.Operations, "create"),
		renames: w.Files.WillRename, inline: t.Inline != nil, refreshFolds: w.Folds.Refresh,
		watch: w.Watched.Dynamic, saves: t.Synchronization.Save,
		dynamicFormat: t.Formatting.Dynamic, dynamicRange: t.Range.Dynamic, dynamicType: t.OnType.Dynamic, ranges: t.Range.Ranges,
		folders: w.Folders, progress: p.Capabilities.Window.Progress,
		documentChanges: w.WorkspaceEdit.DocumentChanges, annotations: w.WorkspaceEdit.Annotations != nil,
		snippets: t.Completion.Item.Snippets, labelDetails: t.Completion.Item.LabelDetails,
		resolveDocs:    slices.Contains(t.Completion.Item.Resolve.Properties, "documentation"),
		resolveDetail:  slices.Contains(t.Completion.Item.Resolve.Properties, "detail"),
		defaultRange:   slices.Contains(t.Completion.List.Defaults, "editRange"),
		literalActions: t.Actions.Literal != nil, applyEdit: w.ApplyEdit, preferred: t.Actions.Preferred, prepareRename: t.Rename.Prepare,
		markdownHover: slices.Contains(t.Hover.Formats, "markdown"),
		markdownDocs:  slices.Contains(t.Completion.Item.Documentation, "markdown"),
		hierarchy:     t.Symbols.Hierarchy, refreshHints: w.Hints.Refresh, refreshLenses: w.Lenses.Refresh,
		virtualDocuments: w.Content != nil, results: p.Capabilities.Experimental.Pactkit.Results,
		showDocument: p.Capabilities.Window.ShowDocument.Support, hints: t.Hints != nil, tokens: t.Tokens != nil,
	}
	if t.Tokens != nil {
		var full struct {
			Delta bool `json:"delta"`
		}
		c.tokenDelta = json.Unmarshal(t.Tokens.Requests.Full, &full) == nil && full.Delta
	}
	if slices.Contains(p.Capabilities.General.Encodings, utf8Bytes.String()) {
		c.encoding = utf8Bytes
	}
	if p.ProcessID != nil {
		c.processID = *p.ProcessID
	}
	c.token, c.settings = p.token(), readSettings(p.Options)
	return c, p.folders(), nil
}

// token returns the token in the options of the client, or "".
func (p *initializeParams) token() string {
	var o struct {
		Token string `json:"token"`
	}
	if json.Unmarshal(p.Options, &o) != nil {
		return "" // options for another server
	}
	return o.Token
}

// folders returns the paths of the workspace folders, or the root path for clients that support
// only one folder.
func (p *initializeParams) folders() []string {
	var folders []string
	for _, f := range p.Folders {
		folders = append(folders, fileuri.Path(f.URI))
	}
	if len(folders) == 0 && p.RootURI != nil {
		folders = append(folders, fileuri.Path(*p.RootURI))
	}
	return slices.DeleteFunc(folders, func(f string) bool { return f == "" })
}
