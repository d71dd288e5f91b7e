//go:build unix

package doctest

import (
	"cmp"
	"context"
	"encoding/json"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

// editor is a client of pact-lsp with one open file.
type editor struct {
	t    *testing.T
	conn *jsonrpc2.Conn
	uri  string

	found     chan struct{} // closed when the findings of the file arrive
	once      sync.Once
	diagnoses []diagnosis
}

// diagnosis is a finding as the server sends it.
type diagnosis struct {
	Range struct {
		Start, End struct{ Line, Character int }
	}
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

// pipes are the standard streams of a process.
type pipes struct {
	io.Reader
	io.WriteCloser
}

// openEditor starts the server in the folder of a file and opens the file.
func openEditor(t *testing.T, server, file, text string) *editor {
	t.Helper()
	cmd := exec.Command(server)
	cmd.Dir = filepath.Dir(file)
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stderr = os.Stderr
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	e := &editor{t: t, uri: "file://" + file, found: make(chan struct{})}
	e.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(e))
	t.Cleanup(func() {
		e.call("shutdown", nil, nil)
		_ = e.conn.Notify(context.Background(), "exit", nil)
		_ = cmd.Wait()
	})
	e.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + cmd.Dir,
		"capabilities": map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8"}}},
	}, nil)
	e.notify("initialized", map[string]any{})
	e.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": e.uri, "languageId": "python", "version": 1, "text": text},
	})
	return e
}

// Handle takes the findings about the file, and answers requests with null.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, r *jsonrpc2.Request) {
	if !r.Notif {
		_ = conn.Reply(ctx, r.ID, nil)
		return
	}
	if r.Method != "textDocument/publishDiagnostics" || r.Params == nil {
		return
	}
	var p struct {
		URI         string
		Diagnostics []diagnosis
	}
	if json.Unmarshal(*r.Params, &p) == nil && p.URI == e.uri {
		e.once.Do(func() {
			e.diagnoses = p.Diagnostics
			close(e.found)
		})
	}
}

func (e *editor) call(method string, params, result any) {
	ctx, cancel := context.WithTimeout(context.Background(), time.Minute)
	defer cancel()
	if err := e.conn.Call(ctx, method, params, result); err != nil {
		e.t.Errorf("%s: %v", method, err)
	}
}

func (e *editor) notify(method string, params any) {
	if err := e.conn.Notify(e.t.Context(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

// findings waits for those of the file.
func (e *editor) findings() []diagnosis {
	select {
	case <-e.found:
	case <-time.After(time.Minute):
		e.t.Fatal("the server sends no findings")
	}
	return e.diagnoses
}

// complete asks for the completion at a position.
func (e *editor) complete(line, character int) []proposal {
	var list struct{ Items []proposal }
	e.call("textDocument/completion", map[string]any{
		"textDocument": map[string]any{"uri": e.uri}, "position": map[string]any{"line": line, "character": character},
	}, &list)
	slices.SortFunc(list.Items, func(a, b proposal) int { return cmp.Compare(cmp.Or(a.SortText, a.Label), cmp.Or(b.SortText, b.Label)) })
	return list.Items
}
