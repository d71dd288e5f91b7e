package lsp

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/tliron/glsp"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/internal/config"
)

// capabilities are what the server can do: those of 3.16, and those of later versions that glsp has no types for.
type capabilities struct {
	protocol.ServerCapabilities
	PositionEncoding   string `json:"positionEncoding"`
	DiagnosticProvider any    `json:"diagnosticProvider,omitempty"`
	InlayHintProvider  any    `json:"inlayHintProvider,omitempty"`
	Workspace          any    `json:"workspace,omitempty"`
}

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

// newHandler lists the methods that glsp knows and reads as they are meant.
func (s *server) newHandler() *protocol.Handler {
	h := &protocol.Handler{
		Initialized: func(*glsp.Context, *protocol.InitializedParams) error { s.initialized(); return nil },
		Shutdown:    func(*glsp.Context) error { s.setPhase(closing); return nil },
		SetTrace:    func(*glsp.Context, *protocol.SetTraceParams) error { return nil },
		TextDocumentDidOpen: func(g *glsp.Context, p *protocol.DidOpenTextDocumentParams) error {
			_, err := s.didOpen(s.of(g), p)
			return err
		},
		TextDocumentDidClose: func(g *glsp.Context, p *protocol.DidCloseTextDocumentParams) error {
			_, err := s.didClose(s.of(g), p)
			return err
		},
	}
	s.addFeatures(h)
	h.SetInitialized(true) // the loop keeps the order of life itself
	return h
}

// newMethods lists the methods that glsp lacks, or whose parameters it reads wrongly.
func (s *server) newMethods() map[string]method {
	m := map[string]method{
		protocol.MethodInitialize:             s.initialize,
		protocol.MethodTextDocumentDidChange:  request(s.didChange),
		"workspace/didChangeWorkspaceFolders": request(s.didChangeFolders),
		"workspace/didChangeWatchedFiles":     request(s.didChangeFiles),
		"workspace/didChangeConfiguration":    func(context.Context, rawParams) (any, error) { s.renewWorld(); return nil, nil },
		"textDocument/diagnostic":             request(s.pullDiagnostics),
		"textDocument/didSave":                request(s.didSave),
	}
	s.addMethods(m)
	return m
}

func (s *server) initialize(_ context.Context, params json.RawMessage) (any, error) {
	c, folders, err := readClient(params)
	if err != nil {
		return nil, err
	}
	s.client = c
	s.world.renew(s.ctx, folders)
	s.setPhase(live)
	if c.processID > 0 && c.processID != s.options.ClientProcess {
		s.spawn(func() { s.watchParent(c.processID) })
	}
	r := initializeResult{ServerInfo: serverInfo{"pact-lsp", s.options.Version}}
	r.Capabilities = s.capabilities()
	return r, nil
}

// watchParent ends the connection when the client has died without saying so.
func (s *server) watchParent(pid int) {
	tick := time.NewTicker(parentCheck)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			if !processLives(pid) {
				s.options.Log.Warn("the client is gone", "pid", pid)
				_ = s.conn.Close() // it may be closed already
				return
			}
		}
	}
}

// parentCheck is the time between two looks at the process of the client.
const parentCheck = 3 * time.Second

func (s *server) initialized() {
	if s.client.watch {
		s.register("watch", "workspace/didChangeWatchedFiles", map[string]any{"watchers": s.watchers()})
	}
	documents := []map[string]string{}
	for _, l := range selectorLanguages {
		documents = append(documents, map[string]string{"language": l})
	}
	for _, method := range s.client.formatters() {
		s.register(method, method, s.client.formattingOptions(method, documents))
	}
	s.spawn(s.tellProblems)
}

// register asks the client to send something.
func (s *server) register(id, method string, options any) {
	s.ask("client/registerCapability", map[string]any{
		"registrations": []any{map[string]any{"id": id, "method": method, "registerOptions": options}},
	}, nil)
}

// watchers are the files whose changes make a new world, or concern what is known of the workspace.
func (s *server) watchers() []map[string]any {
	return []map[string]any{
		{"globPattern": "**/*.{toml,json,jsonl,gz,zst}"},
		{"globPattern": "**/*.{pactsel,go,py,pyi,ts,tsx,mts,cts,js,jsx,mjs,cjs,md,markdown,yaml,yml,rs,java,rb}"},
		{"globPattern": "**/{.gitignore,.ignore,.pactignore}"},
	}
}

// ignoreFiles say which files of the workspace are left alone.
var ignoreFiles = []string{".gitignore", ".ignore", ".pactignore"}

// folderParams are the parameters of didChangeWorkspaceFolders.
type folderParams struct {
	Event struct {
		Added   []protocol.WorkspaceFolder `json:"added"`
		Removed []protocol.WorkspaceFolder `json:"removed"`
	} `json:"event"`
}

func (s *server) didChangeFolders(_ context.Context, p *folderParams) (any, error) {
	folders := slices.Clone(s.world.newest.Load().folders)
	for _, f := range p.Event.Removed {
		folders = slices.DeleteFunc(folders, func(have string) bool { return have == pathOf(f.URI) })
	}
	for _, f := range p.Event.Added {
		if path := pathOf(f.URI); path != "" && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	s.world.renew(s.ctx, folders)
	s.refresh()
	return nil, nil
}

// didChangeFiles makes a new world when a configuration file, a fixture or what is ignored changed.
func (s *server) didChangeFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) (any, error) {
	w := s.world.newest.Load()
	for _, c := range p.Changes {
		path := pathOf(c.URI)
		if filepath.Ext(path) == filepath.Ext(config.FileName) || slices.Contains(ignoreFiles, filepath.Base(path)) || w.isFixture(path) {
			s.renewWorld()
			return nil, nil
		}
	}
	s.changes.touch() // of files with selectors: those who wait for news of the workspace look again
	return nil, nil
}

// renewWorld reads configuration and fixtures again.
func (s *server) renewWorld() {
	s.world.renew(s.ctx, s.world.newest.Load().folders)
	s.refresh()
}

// processLives tells whether a process is there. Where it cannot be told, it is.
func processLives(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return signalZero(p)
}
