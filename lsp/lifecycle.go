package lsp

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/config"
	"github.com/pactkit/pactkit/internal/fileuri"
)

type initializeResult struct {
	Capabilities capabilities `json:"capabilities"`
	ServerInfo   serverInfo   `json:"serverInfo"`
}

type serverInfo struct {
	Name    string `json:"name"`
	Version string `json:"version"`
}

func (s *server) initialize(_ context.Context, _ *view, params json.RawMessage) (any, error) {
	c, folders, err := readClient(params)
	if err != nil {
		return nil, err
	}
	if s.options.Token != "" && subtle.ConstantTimeCompare([]byte(c.token), []byte(s.options.Token)) == 0 {
		time.AfterFunc(refusalTime, s.closeIfFresh)
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInvalidRequest, Message: "initializationOptions.token is missing or wrong"}
	}
	if s.options.Admit != nil && !s.options.Admit() {
		time.AfterFunc(refusalTime, s.closeIfFresh)
		return nil, &jsonrpc2.Error{Code: jsonrpc2.CodeInternalError, Message: "too many clients are connected"}
	}
	s.client = c
	s.settings.Store(c.settings)
	s.session.reload(folders)
	s.setPhase(live)
	if c.processID > 0 && c.processID != s.options.ClientProcess {
		s.spawn(func() { s.watchParent(c.processID) })
	}
	return initializeResult{s.capabilities(), serverInfo{"pact-lsp", s.options.Version}}, nil
}

func (s *server) shutDown(context.Context, *view, *json.RawMessage) (any, error) {
	s.setPhase(closing)
	return nil, nil
}

// setTrace accepts $/setTrace and ignores it: the server has no trace.
func (s *server) setTrace(context.Context, *protocol.SetTraceParams) error { return nil }

// watchParent ends the connection when the process of the client has ended.
func (s *server) watchParent(pid int) {
	tick := time.NewTicker(parentCheck)
	defer tick.Stop()
	for {
		select {
		case <-s.ctx.Done():
			return
		case <-tick.C:
			if !processLives(pid) {
				s.options.Log.Warn("the client has ended", "pid", pid)
				_ = s.conn.Close() // it may be closed already
				return
			}
		}
	}
}

// refusalTime is how long a client has to read that its token was refused.
const refusalTime = 100 * time.Millisecond

// parentCheck is how often the server checks that the process of the client exists.
const parentCheck = 3 * time.Second

// initialized registers capabilities, if the client supports that, and reports problems of the
// configuration.
func (s *server) initialized(context.Context, *protocol.InitializedParams) error {
	if s.client.watch {
		s.register("watch", protocol.MethodWorkspaceDidChangeWatchedFiles, map[string]any{"watchers": watchers()})
	}
	for _, method := range s.client.formatters() {
		s.register(method, method, s.client.formattingOptions(method, documentsIn(slices.Values(selectorLanguages))))
	}
	s.spawn(s.registerEmbedded)
	s.spawn(s.reportProblems)
	return nil
}

// register asks the client to send something.
func (s *server) register(id, method string, options any) {
	s.call(registerMethod, map[string]any{
		"registrations": []any{map[string]any{"id": id, "method": method, "registerOptions": options}},
	})
}

const registerMethod = "client/registerCapability"

// watchers returns patterns for the files whose changes lead to a new snapshot or affect the
// workspace: configuration, recorded contexts, every file that can contain selectors, and ignore
// files.
func watchers() []map[string]any {
	kinds := []string{"jsonl", "gz", "zst"}
	for _, h := range host.All() {
		for _, ext := range h.Extensions() {
			kinds = append(kinds, ext[1:])
		}
	}
	return []map[string]any{
		{"globPattern": "**/*.{" + strings.Join(kinds, ",") + "}"},
		{"globPattern": "**/{" + strings.Join(ignoreFiles, ",") + "}"},
	}
}

// ignoreFiles name the files of the workspace that pactkit ignores.
var ignoreFiles = []string{".gitignore", ".ignore", ".pactignore"}

// folderParams are the parameters of didChangeWorkspaceFolders.
type folderParams struct {
	Event struct {
		Added   []protocol.WorkspaceFolder `json:"added"`
		Removed []protocol.WorkspaceFolder `json:"removed"`
	} `json:"event"`
}

func (s *server) didChangeFolders(_ context.Context, p *folderParams) error {
	folders := slices.Clone(s.session.snapshot().folders)
	for _, f := range p.Event.Removed {
		folders = slices.DeleteFunc(folders, func(have string) bool { return have == fileuri.Path(f.URI) })
	}
	for _, f := range p.Event.Added {
		if path := fileuri.Path(f.URI); path != "" && !slices.Contains(folders, path) {
			folders = append(folders, path)
		}
	}
	s.session.reload(folders)
	s.refreshClient()
	return nil
}

// didChangeFiles makes a new snapshot when a configuration file, a fixture or an ignore file
// changed.
func (s *server) didChangeFiles(_ context.Context, p *protocol.DidChangeWatchedFilesParams) error {
	now := s.session.snapshot()
	for _, c := range p.Changes {
		path := fileuri.Path(c.URI)
		if filepath.Ext(path) == filepath.Ext(config.FileName) || slices.Contains(ignoreFiles, filepath.Base(path)) || now.isFixture(path) {
			s.reload()
			return nil
		}
	}
	s.refresh.touch() // a file with selectors changed: requests that wait for a change check again
	return nil
}

// reload reads configuration and fixtures again.
func (s *server) reload() {
	s.session.again()
	s.refreshClient()
}

// processLives reports whether a process exists. It returns true if that cannot be determined.
func processLives(pid int) bool {
	p, err := os.FindProcess(pid)
	if err != nil {
		return false
	}
	return signalZero(p)
}
