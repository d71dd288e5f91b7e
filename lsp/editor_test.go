package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/fileuri"
)

// editor is a client for tests.
type editor struct {
	t               *testing.T
	conn            *jsonrpc2.Conn
	done            chan int
	ws              string
	pull, versioned bool
	enc             encoding
	docs            map[string]*document // by URI; the text as the client has it

	mu       sync.Mutex
	pushed   map[string]json.RawMessage // by URI and version
	more     *sync.Cond
	received []string // requests and notifications of the server
}

func startEditor(t *testing.T, ws string, name string) *editor {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "testdata", "lsp", "clients", name+".json"))
	if err != nil {
		t.Fatal(err)
	}
	var file struct {
		From         string          `json:"from"` // where it comes from
		Capabilities json.RawMessage `json:"capabilities"`
	}
	if err := json.Unmarshal(data, &file); err != nil || file.From == "" {
		t.Fatalf("%s: %v, from %q", name, err, file.From)
	}
	e := &editor{t: t, ws: ws, done: make(chan int, 1), docs: map[string]*document{}, pushed: map[string]json.RawMessage{}}
	e.more = sync.NewCond(&e.mu)
	ours, theirs := net.Pipe()
	go func() { e.done <- Serve(context.Background(), theirs, Options{Version: "test"}) }()
	e.conn = jsonrpc2.NewConn(context.Background(), newStream(ours), e)
	params := map[string]any{
		"processId": os.Getpid(), "rootUri": fileuri.Of(ws), "capabilities": file.Capabilities,
		"workspaceFolders": []any{map[string]any{"uri": fileuri.Of(ws), "name": "ws"}},
	}
	c, _, err := readClient(must(json.Marshal(params)))
	if err != nil {
		t.Fatal(err)
	}
	e.pull, e.versioned, e.enc = c.pull, c.versioned, c.encoding
	if _, err := e.call("initialize", params); err != nil {
		t.Fatal(err)
	}
	e.notify("initialized", struct{}{})
	return e
}

func must[T any](v T, err error) T {
	if err != nil {
		panic(err)
	}
	return v
}

// Handle implements [jsonrpc2.Handler]. It receives what the server sends by itself.
func (e *editor) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	e.mu.Lock()
	if req.Method == "textDocument/publishDiagnostics" {
		var p struct {
			URI         string          `json:"uri"`
			Version     *int32          `json:"version"`
			Diagnostics json.RawMessage `json:"diagnostics"`
		}
		if err := json.Unmarshal(*req.Params, &p); err == nil {
			e.pushed[p.URI] = p.Diagnostics
			if p.Version != nil {
				e.pushed[fmt.Sprintf("%s#%d", p.URI, *p.Version)] = p.Diagnostics
			}
			e.more.Broadcast()
		}
	} else if req.Params != nil {
		e.received = append(e.received, req.Method+" "+string(*req.Params))
	} else {
		e.received = append(e.received, req.Method)
	}
	e.mu.Unlock()
	if !req.Notif {
		_ = conn.Reply(ctx, req.ID, nil)
	}
}

func (e *editor) call(method string, params any) (json.RawMessage, error) {
	ctx, cancel := context.WithTimeout(context.Background(), 30*time.Second)
	defer cancel()
	var r json.RawMessage
	err := e.conn.Call(ctx, method, params, &r)
	return r, err
}

func (e *editor) notify(method string, params any) {
	if err := e.conn.Notify(context.Background(), method, params); err != nil {
		e.t.Fatal(err)
	}
}

// forget drops the diagnostics that were pushed for a document, so that a client without versions
// waits for newer ones.
func (e *editor) forget(uri string) {
	e.mu.Lock()
	defer e.mu.Unlock()
	delete(e.pushed, uri)
}

func (e *editor) stop() {
	if _, err := e.call("shutdown", nil); err != nil {
		e.t.Error(err)
	}
	e.notify("exit", nil)
	select {
	case code := <-e.done:
		if code != 0 {
			e.t.Errorf("exit code %d", code)
		}
	case <-time.After(10 * time.Second):
		e.t.Error("the server does not end")
	}
}

// fixAll applies the action source.fixAll.pactkit to a document, as an editor does on saving, and
// returns the text.
func (e *editor) fixAll(uri string) string {
	d := e.docs[uri]
	raw, err := e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri}, "range": protocol.Range{}, "context": map[string]any{"diagnostics": []any{}, "only": []string{fixAllKind}},
	})
	var list []action
	if err := errors.Join(err, json.Unmarshal(raw, &list)); err != nil {
		e.t.Fatal(err)
	}
	var edits []diag.Edit
	for _, a := range list {
		for _, c := range append(a.Edit.DocumentChanges, documentChange{Edits: a.Edit.Changes[uri]}) {
			for _, x := range c.Edits {
				edits = append(edits, diag.Edit{Span: d.span(x.Range), Text: *x.NewText})
			}
		}
	}
	text, ok := diag.Apply(d.src, edits)
	if !ok {
		e.t.Fatalf("the edits overlap: %v", edits)
	}
	e.docs[uri] = newDocument(uri, d.language, d.version+1, text, e.enc)
	e.forget(uri)
	e.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": uri, "version": d.version + 1}, "contentChanges": []any{map[string]any{"text": text}},
	})
	return text
}
