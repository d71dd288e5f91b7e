package lsp

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/fileuri"
)

// line is a raw connection to a server, for messages that no client library sends.
type line struct {
	t    *testing.T
	conn net.Conn
	in   *stream
	done chan int
}

func dial(t *testing.T) *line {
	t.Helper()
	return dialServer(t, newServer(Options{Version: "test", Log: discard()}))
}

func dialServer(t *testing.T, s *server) *line {
	t.Helper()
	ours, theirs := net.Pipe()
	l := &line{t: t, conn: ours, in: newStream(ours), done: make(chan int, 1)}
	go func() { l.done <- s.serve(context.Background(), newStream(theirs)) }()
	t.Cleanup(func() { _ = ours.Close() })
	return l
}

func (l *line) send(body string) {
	l.t.Helper()
	if _, err := fmt.Fprintf(l.conn, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
		l.t.Fatal(err)
	}
}

type answer struct {
	ID     json.RawMessage `json:"id"`
	Method string          `json:"method"`
	Result json.RawMessage `json:"result"`
	Error  *jsonrpc2.Error `json:"error"`
}

// answer reads messages up to the next answer, and returns it.
func (l *line) answer() answer {
	l.t.Helper()
	for {
		_ = l.conn.SetReadDeadline(time.Now().Add(20 * time.Second))
		var a answer
		body, err := l.in.frame()
		if err := errors.Join(err, json.Unmarshal(body, &a)); err != nil {
			l.t.Fatal(err)
		}
		if a.Method == "" {
			return a
		}
	}
}

func (l *line) code() int64 {
	l.t.Helper()
	if a := l.answer(); a.Error != nil {
		return a.Error.Code
	}
	return 0
}

func (l *line) exit() int {
	l.t.Helper()
	select {
	case code := <-l.done:
		return code
	case <-time.After(20 * time.Second):
		l.t.Fatal("the server does not end")
		return -1
	}
}

const initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"processId":null,"rootUri":null,"capabilities":{}}}`

// TestLife walks through the life of a connection with messages at the wrong time and of the wrong
// kind.
func TestLife(t *testing.T) {
	l := dial(t)
	for _, step := range []struct {
		send string
		code int64
	}{
		{`{"jsonrpc":"2.0","id":1,"method":"textDocument/hover","params":{}}`, codeNotInitialized},
		{`{"jsonrpc":"2.0","id":2,"method":"shutdown"}`, codeNotInitialized},
		{initialize, 0},
		{`{"jsonrpc":"2.0","id":"again","method":"initialize","params":{}}`, jsonrpc2.CodeInvalidRequest},
		{`{"jsonrpc":"2.0","id":3,"method":"no/such","params":{}}`, jsonrpc2.CodeMethodNotFound},
		{`{"jsonrpc":"2.0","id":31,"method":"$/cancelRequest","params":{"id":1}}`, jsonrpc2.CodeMethodNotFound},
		{`{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":[1]}`, jsonrpc2.CodeInvalidParams},
		{`{"jsonrpc":"2.0","id":5,"method":"textDocument/completion","params":"x"}`, jsonrpc2.CodeInvalidParams},
		{`{"jsonrpc":"2.0","id":6,"method":"textDocument/hover","params":{"textDocument":{"uri":"%%"},"position":{}}}`, codeRequestFailed},
		{`{"jsonrpc":`, jsonrpc2.CodeParseError},
		{`[]`, jsonrpc2.CodeInvalidRequest},
		{"\x00\xff", jsonrpc2.CodeParseError},
		{`{"jsonrpc":"2.0","method":"$/unheard","params":{}}` + " ", -1},
		{`{"jsonrpc":"2.0","method":"no/such","params":{}}`, -1},
		{`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"file:///no","version":3},"contentChanges":[{"text":""}]}}`, -1},
		{`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":7}`, -1},
		{`{"jsonrpc":"2.0","id":7,"method":"shutdown","params":null}`, 0},
		{`{"jsonrpc":"2.0","id":8,"method":"textDocument/hover","params":{}}`, jsonrpc2.CodeInvalidRequest},
	} {
		l.send(step.send)
		if step.code == -1 {
			continue // nothing is answered
		}
		if code := l.code(); code != step.code {
			t.Errorf("%s: code %d, not %d", step.send, code, step.code)
		}
	}
	l.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := l.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// TestClientDies ends connections without a shutdown in many ways. The exit code is 1, and nothing
// hangs.
func TestClientDies(t *testing.T) {
	for name, f := range map[string]func(l *line){
		"at once":         func(l *line) { _ = l.conn.Close() },
		"without exit":    func(l *line) { l.send(initialize); l.answer(); _ = l.conn.Close() },
		"in a frame":      func(l *line) { fmt.Fprint(l.conn, "Content-Length: 100\r\n\r\n{"); _ = l.conn.Close() },
		"no frame":        func(l *line) { fmt.Fprint(l.conn, "POST / HTTP/1.1\r\n") },
		"a length of -1":  func(l *line) { fmt.Fprint(l.conn, "Content-Length: -1\r\n\r\n") },
		"a length of 1TB": func(l *line) { fmt.Fprint(l.conn, "Content-Length: 1000000000000\r\n\r\n") },
		"exit alone":      func(l *line) { l.send(initialize); l.answer(); l.send(`{"jsonrpc":"2.0","method":"exit"}`) },
	} {
		t.Run(name, func(t *testing.T) {
			l := dial(t)
			f(l)
			if code := l.exit(); code != 1 {
				t.Errorf("exit code %d", code)
			}
		})
	}
}

// TestIDs sends ids of every JSON type: strings and numbers come back as they were written, all
// others are refused, and nothing of a refused request runs with a later message.
func TestIDs(t *testing.T) {
	s := newServer(Options{Log: discard()})
	ran := 0
	s.methods["test/count"] = func(*server, context.Context, *view, json.RawMessage) (any, error) { ran++; return ran, nil }
	l := dialServer(t, s)
	l.send(initialize)
	l.answer()
	for _, c := range []struct{ id, want string }{
		{`1.5`, `1.5`}, {`-7`, `-7`}, {`1e3`, `1e3`}, {`18446744073709551616`, `18446744073709551616`}, {`-0`, `-0`},
		{`""`, `""`}, {`"a\u0062"`, `"ab"`}, {`"5"`, `"5"`}, {`5`, `5`},
		{`null`, `null`}, {`true`, `null`}, {`[1]`, `null`}, {`{"a":1}`, `null`},
	} {
		l.send(`{"jsonrpc":"2.0","id":` + c.id + `,"method":"test/count"}`)
		a := l.answer()
		l.send(`{"jsonrpc":"2.0","id":99,"result":null}`) // a response to nothing
		if string(a.ID) != c.want {
			t.Errorf("%s: %s", c.id, a.ID)
		}
		if refused := a.Error != nil && a.Error.Code == jsonrpc2.CodeInvalidRequest; refused != (c.want == "null") {
			t.Errorf("%s: %+v", c.id, a.Error)
		}
	}
	if ran != 9 {
		t.Errorf("%d requests ran", ran)
	}
	for _, body := range []string{ // responses that are malformed, and one that nobody waits for, are dropped
		`{"jsonrpc":"2.0","id":1.5,"result":null}`, `{"jsonrpc":"2.0","id":{},"result":1}`, `{"jsonrpc":"2.0","id":1,"error":7}`,
		`{"jsonrpc":"2.0","id":-1,"error":{"code":1,"message":""}}`,
	} {
		l.send(body)
	}
	l.send(`{"jsonrpc":"2.0","id":8,"method":"test/count"}`)
	if a := l.answer(); string(a.ID) != "8" {
		t.Errorf("%+v", a)
	}
	_ = l.conn.Close()
	l.exit()
}

// TestSameID sends two concurrent requests with the same id. Each is answered.
func TestSameID(t *testing.T) {
	s := newServer(Options{Log: discard()})
	release := make(chan struct{})
	s.methods["test/slow"] = func(*server, context.Context, *view, json.RawMessage) (any, error) { <-release; return 1, nil }
	l := dialServer(t, s)
	l.send(initialize)
	l.answer()
	l.send(`{"jsonrpc":"2.0","id":2,"method":"test/slow"}`)
	l.send(`{"jsonrpc":"2.0","id":2,"method":"test/slow"}`)
	l.send(`{"jsonrpc":"2.0","id":3,"method":"no/such"}`)
	l.answer()
	close(release)
	for range 2 {
		if a := l.answer(); string(a.ID) != "2" || a.Error != nil {
			t.Errorf("%+v", a)
		}
	}
	_ = l.conn.Close()
	l.exit()
}

// TestPanic checks that a panic is answered with an error, and the connection continues.
func TestPanic(t *testing.T) {
	s := newServer(Options{Log: discard()})
	s.ctx = context.Background()
	s.phase = live
	s.methods["test/panic"] = func(*server, context.Context, *view, json.RawMessage) (any, error) { var p *client; return p.pull, nil }
	_, err := s.dispatch(context.Background(), s.now(), &jsonrpc2.Request{Method: "test/panic"})
	e, ok := errors.AsType[*jsonrpc2.Error](err)
	if !ok || e.Code != jsonrpc2.CodeInternalError {
		t.Errorf("%v", err)
	}
	s.spawn(func() { var p *client; p.pull = true })
	s.requests.Wait()
}

// TestCancel checks that a canceled request is answered while its work still runs.
func TestCancel(t *testing.T) {
	release := make(chan struct{})
	s := newServer(Options{Log: discard()})
	s.methods["test/slow"] = func(*server, context.Context, *view, json.RawMessage) (any, error) { <-release; return 1, nil }
	l := dialServer(t, s)
	l.send(initialize)
	l.answer()
	l.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":99}}`)
	l.send(`{"jsonrpc":"2.0","id":"a","method":"test/slow"}`)
	l.send(`{"jsonrpc":"2.0","id":2,"method":"test/slow"}`)
	begun := time.Now()
	l.send(`{"jsonrpc":"2.0","method":"$/cancelRequest","params":{"id":"a"}}`)
	if a := l.answer(); string(a.ID) != `"a"` || a.Error == nil || a.Error.Code != codeRequestCanceled {
		t.Errorf("%+v", a)
	}
	t.Logf("answered after %v", time.Since(begun))
	close(release)
	if a := l.answer(); string(a.Result) != "1" {
		t.Errorf("%+v", a)
	}
	_ = l.conn.Close()
	l.exit()
}

// provided maps the capabilities of the server to the methods that they announce.
var provided = map[string][]string{
	"textDocumentSync":                 {"textDocument/didOpen", "textDocument/didChange", "textDocument/didClose"},
	"textDocumentSync.save":            {"textDocument/didSave"},
	"completionProvider":               {"textDocument/completion", "completionItem/resolve"},
	"hoverProvider":                    {"textDocument/hover"},
	"signatureHelpProvider":            {"textDocument/signatureHelp"},
	"definitionProvider":               {"textDocument/definition"},
	"linkedEditingRangeProvider":       {"textDocument/linkedEditingRange"},
	"referencesProvider":               {"textDocument/references"},
	"documentHighlightProvider":        {"textDocument/documentHighlight"},
	"documentSymbolProvider":           {"textDocument/documentSymbol"},
	"workspaceSymbolProvider":          {"workspace/symbol"},
	"codeActionProvider":               {"textDocument/codeAction"},
	"codeLensProvider":                 {"textDocument/codeLens", "codeLens/resolve"},
	"documentLinkProvider":             {"textDocument/documentLink"},
	"documentFormattingProvider":       {methodFormat},
	"documentRangeFormattingProvider":  {methodFormatRange, methodFormatRanges},
	"documentOnTypeFormattingProvider": {methodFormatType},
	"renameProvider":                   {"textDocument/rename", "textDocument/prepareRename"},
	"foldingRangeProvider":             {"textDocument/foldingRange"},
	"selectionRangeProvider":           {"textDocument/selectionRange"},
	"semanticTokensProvider":           {"textDocument/semanticTokens/full", "textDocument/semanticTokens/full/delta", "textDocument/semanticTokens/range"},
	"executeCommandProvider":           {"workspace/executeCommand"},
	"inlayHintProvider":                {"textDocument/inlayHint"},
	"inlineCompletionProvider":         {"textDocument/inlineCompletion"},
	"workspace.fileOperations":         {"workspace/willRenameFiles"},
	"diagnosticProvider":               {"textDocument/diagnostic", "workspace/diagnostic"},
	"workspace.workspaceFolders":       {"workspace/didChangeWorkspaceFolders"},
	"workspace.textDocumentContent":    {"workspace/textDocumentContent"},
}

// unprovided lists the methods that no capability announces.
var unprovided = []string{
	"initialize", "initialized", "shutdown", "$/setTrace", "window/workDoneProgress/cancel", "workspace/didChangeWatchedFiles",
	"workspace/didChangeConfiguration", "pactkit/evaluate",
}

// TestDispatch compares the announced methods with those that the server answers.
func TestDispatch(t *testing.T) {
	s := newServer(Options{})
	answered := slices.Collect(maps.Keys(s.methods))
	for _, m := range answered {
		known := slices.Contains(unprovided, m)
		for _, list := range provided {
			known = known || slices.Contains(list, m)
		}
		if !known {
			t.Errorf("%s is answered, and no capability says so: add it to provided, or to unprovided", m)
		}
	}
	for name, list := range provided {
		for _, m := range list {
			if !slices.Contains(answered, m) {
				t.Errorf("%s is announced by %s, and not answered", m, name)
			}
		}
	}
	// Everything is announced to a client that supports everything except dynamic registration.
	s.client = client{
		pull: true, workspacePull: true, folders: true, literalActions: true, prepareRename: true, hints: true, tokens: true,
		tokenDelta: true, virtualDocuments: true, saves: true, ranges: true, inline: true, renames: true,
	}
	told := map[string]any{}
	if err := json.Unmarshal(must(json.Marshal(s.capabilities())), &told); err != nil {
		t.Fatal(err)
	}
	for name := range told {
		if _, ok := provided[name]; !ok && name != "positionEncoding" && name != "workspace" {
			t.Errorf("%s is announced, and provided does not have it: add it with its methods", name)
		}
	}
	for name := range provided {
		at := any(told)
		for part := range strings.SplitSeq(name, ".") {
			m, _ := at.(map[string]any)
			at = m[part]
		}
		if at == nil {
			t.Errorf("%s is not announced", name)
		}
	}
	// Nothing that a client has to support is announced to a client without capabilities.
	s.client = client{}
	told = map[string]any{}
	if err := json.Unmarshal(must(json.Marshal(s.capabilities())), &told); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"diagnosticProvider", "inlayHintProvider", "semanticTokensProvider", "codeActionProvider"} {
		if told[name] != nil {
			t.Errorf("%s is announced to a client without it", name)
		}
	}
}

// TestURIs finds the same document by all spellings of its URI.
func TestURIs(t *testing.T) {
	for uri, key := range map[string]string{
		"file:///a/b%40c.go": "/a/b@c.go", "file:///a/b@c.go": "/a/b@c.go", "file://localhost/a/../x": "/x",
		"untitled:Untitled-1": "untitled:Untitled-1", "file:///a%20b": "/a b", "": "", "%": "%",
	} {
		if got := filepath.ToSlash(keyOf(uri)); got != key {
			t.Errorf("%s: %s", uri, got)
		}
	}
	for _, path := range []string{"/a b/ä#?%.go", "/x"} {
		if got := fileuri.Path(fileuri.Of(path)); got != path {
			t.Errorf("%s: %s", path, got)
		}
	}
}

// TestBinary opens a file that is not text.
func TestBinary(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte("\x00\x01\xff\xfe.cb\n"))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	uri := e.uri("a.pactsel")
	e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": languageID, "version": 1, "text": "\x00\x01\ufffd\u2028.cb\r\n\u0000"}})
	for _, method := range documentMethods {
		params := map[string]any{
			"textDocument": map[string]any{"uri": uri}, "position": map[string]any{"line": 4000000000, "character": 4000000000},
			"positions": []any{map[string]any{"line": 0, "character": 99}},
			"range":     map[string]any{"start": map[string]any{"line": 9, "character": 0}, "end": map[string]any{"line": 0, "character": 0}},
		}
		if _, err := e.call(method, params); err != nil {
			t.Errorf("%s: %v", method, err)
		}
	}
	if _, err := e.call("textDocument/hover", map[string]any{"textDocument": map[string]any{"uri": e.uri("b.pactsel")}, "position": map[string]any{"line": 0, "character": 0}}); err == nil {
		t.Error("a file that is not there was read")
	}
}

// TestWorkspaceWaits checks that a client that knows all results gets an answer only when something
// changes.
func TestWorkspaceWaits(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte(".cb\n"))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	type report struct {
		Items []fileReport `json:"items"`
	}
	var first, second report
	if err := json.Unmarshal(must(e.call("workspace/diagnostic", map[string]any{"previousResultIds": []any{}})), &first); err != nil || len(first.Items) != 1 {
		t.Fatalf("%v %+v", err, first)
	}
	got := make(chan json.RawMessage, 1)
	go func() {
		r, _ := e.call("workspace/diagnostic", map[string]any{
			"previousResultIds": []any{map[string]any{"uri": first.Items[0].URI, "value": first.Items[0].ID}},
		})
		got <- r
	}()
	select {
	case r := <-got:
		t.Fatalf("answered at once: %s", r)
	case <-time.After(300 * time.Millisecond):
	}
	if err := os.Remove(filepath.Join(ws, "a.pactsel")); err != nil {
		t.Fatal(err)
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": e.uri("a.pactsel"), "type": 3}}})
	if err := json.Unmarshal(<-got, &second); err != nil || len(second.Items) != 1 || len(*second.Items[0].Items) != 0 {
		t.Errorf("%v %+v", err, second)
	}
}

// TestCommentForms checks that findings can be silenced in every kind of file that has comments.
func TestCommentForms(t *testing.T) {
	for _, h := range host.All() {
		for _, ext := range h.Extensions() {
			d := &document{path: "/x" + ext, host: h}
			if len(check.CommentForms(d.host, d.path)) == 0 && ext != ".json" {
				t.Errorf("the table of languages has no form of comments for %s", ext)
			}
		}
	}
}

// TestReplacePush checks that a push ends the push of the previous version, and that a version
// older than the one being pushed is not pushed.
func TestReplacePush(t *testing.T) {
	var m memory
	ended := map[int64]bool{}
	for _, serial := range []int64{1, 3, 2, 3} {
		delete(ended, serial)
		m.replacePush(serial, func() { ended[serial] = true })
	}
	if d := cmp.Diff(map[int64]bool{1: true, 2: true, 3: true}, ended); d != "" {
		t.Errorf("pushes that ended (-want +got):\n%s", d)
	}
	m.replacePush(4, func() {})
	if !ended[3] {
		t.Error("the push of the newest version did not end")
	}
}
