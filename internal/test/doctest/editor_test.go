//go:build unix

package doctest

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"sync"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// patience is how long an editor waits for pact-lsp. Only a server that hangs needs all of it.
const patience = time.Minute

// tester is a test or a script.
type tester interface {
	Fatalf(format string, args ...any)
}

// editor is a client of pact-lsp, the program, over its standard streams. Its positions count lines
// and bytes from 0.
type editor struct {
	t      tester
	server *exec.Cmd
	conn   *jsonrpc2.Conn

	mu        sync.Mutex
	published map[version][]diagnosis
	arrived   chan struct{} // closed and replaced when findings arrive
}

// version is a text that an open file had.
type version struct {
	URI     string
	Version int
}

// position is a position of the protocol.
type position struct {
	Line      int `json:"line"`
	Character int `json:"character"`
}

// span is a range of the protocol.
type span struct {
	Start position `json:"start"`
	End   position `json:"end"`
}

// diagnosis is a finding as the server sends it.
type diagnosis struct {
	Range    span
	Severity int
	Code     string
	Message  string
}

// proposal is an item of a completion.
type proposal struct {
	Label    string
	Detail   string
	SortText string
}

// textEdit replaces a range by a text.
type textEdit struct {
	Range   span
	NewText string
}

// pipes are the standard streams of a process.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// startEditor starts pact-lsp in a folder and initializes it.
func startEditor(t tester, server, folder string, env []string) *editor {
	e := &editor{t: t, server: exec.Command(server), published: map[version][]diagnosis{}, arrived: make(chan struct{})}
	e.server.Dir, e.server.Env, e.server.Stderr = folder, env, os.Stderr
	in, err := e.server.StdinPipe()
	if err != nil {
		t.Fatalf("%v", err)
	}
	out, err := e.server.StdoutPipe()
	if err != nil {
		t.Fatalf("%v", err)
	}
	if err := e.server.Start(); err != nil {
		t.Fatalf("%v", err)
	}
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(e))
	e.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + folder,
		"capabilities": map[string]any{
			"general": map[string]any{"positionEncodings": []string{"utf-8"}},
			"textDocument": map[string]any{
				"publishDiagnostics": map[string]any{"versionSupport": true},
				"codeAction":         map[string]any{"codeActionLiteralSupport": map[string]any{"codeActionKind": map[string]any{"valueSet": []string{"quickfix"}}}},
			},
		},
	}, nil)
	e.notify("initialized", map[string]any{})
	return e
}

// Handle keeps the findings that the server publishes, and answers its requests with null.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if !r.Notif {
		_ = conn.Reply(ctx, r.ID, nil)
		return
	}
	if r.Method != "textDocument/publishDiagnostics" || r.Params == nil {
		return
	}
	var p struct {
		version
		Diagnostics []diagnosis
	}
	if json.Unmarshal(*r.Params, &p) == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.published[p.version] = p.Diagnostics
		close(e.arrived)
		e.arrived = make(chan struct{})
	}
}

func (e *editor) call(method string, params, result any) {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	if err := e.conn.Call(ctx, method, params, result); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatalf("%s: %v", method, err)
	}
}

// open opens a file with a text, as version 1.
func (e *editor) open(file, language, text string) {
	e.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": "file://" + file, "languageId": language, "version": 1, "text": text},
	})
}

// findings waits for those of a version of a file.
func (e *editor) findings(file string, n int) []diagnosis {
	timeout := time.After(patience)
	for {
		e.mu.Lock()
		found, ok := e.published[version{"file://" + file, n}]
		arrived := e.arrived
		e.mu.Unlock()
		if ok {
			return found
		}
		select {
		case <-arrived:
		case <-timeout:
			e.t.Fatalf("%s: the server sends no findings", file)
		}
	}
}

// at are the parameters of a request about a position in a file.
func at(file string, p position) map[string]any {
	return map[string]any{"textDocument": map[string]any{"uri": "file://" + file}, "position": p}
}

// complete asks for the completion at a position, in the order in which an editor shows it.
func (e *editor) complete(p map[string]any) []proposal {
	var list struct{ Items []proposal }
	e.call("textDocument/completion", p, &list)
	slices.SortFunc(list.Items, func(a, b proposal) int { return cmp.Compare(cmp.Or(a.SortText, a.Label), cmp.Or(b.SortText, b.Label)) })
	return list.Items
}

// shutdown ends the server as an editor does. It is an error if the server exits with another code
// than 0.
func (e *editor) shutdown() error {
	e.call("shutdown", nil, nil)
	e.notify("exit", nil)
	done := make(chan error, 1)
	go func() { done <- e.server.Wait() }()
	select {
	case err := <-done:
		return err
	case <-time.After(patience):
		return fmt.Errorf("the server does not exit")
	}
}
