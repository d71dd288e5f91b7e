package lsp

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/internal/fileuri"
)

// TestSilentClient does not answer the server's requests. Its own requests are answered
// nevertheless, and the server ends.
func TestSilentClient(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("known.tags = [\"a\"]\n"))
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte(".block\n"))
	var file struct {
		Capabilities json.RawMessage `json:"capabilities"`
	}
	if err := json.Unmarshal(must(os.ReadFile(filepath.Join("..", "testdata", "lsp", "clients", "vscode.json"))), &file); err != nil {
		t.Fatal(err)
	}
	l := dial(t)
	l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"rootUri":%q,"capabilities":%s}}`, fileuri.Of(ws), file.Capabilities))
	l.answerTo("1")
	l.send(`{"jsonrpc":"2.0","method":"initialized","params":{}}`)
	for i := range 50 {
		l.send(`{"jsonrpc":"2.0","method":"workspace/didChangeConfiguration","params":{"settings":{}}}`) // refreshes follow
		id := fmt.Sprint(i + 2)
		l.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":"textDocument/hover","params":{"textDocument":{"uri":%q},"position":{"line":0,"character":1}}}`,
			id, fileuri.Of(filepath.Join(ws, "a.pactsel"))))
		if a := l.answerTo(id); a.Error != nil {
			t.Fatalf("%+v", a)
		}
	}
	l.send(`{"jsonrpc":"2.0","id":99,"method":"shutdown"}`)
	l.answerTo("99")
	l.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := l.exit(); code != 0 {
		t.Errorf("exit code %d", code)
	}
}

// answerTo reads messages up to the answer to a request.
func (l *line) answerTo(id string) answer {
	l.t.Helper()
	for {
		if a := l.answer(); string(a.ID) == id {
			return a
		}
	}
}

// TestDeafClient stops reading while the server sends. The server ends nevertheless.
func TestDeafClient(t *testing.T) {
	l := dial(t)
	l.send(initialize)
	l.answer()
	text := must(json.Marshal(strings.Repeat(".mt\n", 5000)))
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"pact-selector","version":1,"text":` + string(text) + `}}}`)
	time.Sleep(100 * time.Millisecond) // the findings have been sent but not read
	l.send(`{"jsonrpc":"2.0","method":"exit"}`)
	if code := l.exit(); code != 1 {
		t.Errorf("exit code %d", code)
	}
}

// TestVanishingFolder removes the folder of the workspace while it is open.
func TestVanishingFolder(t *testing.T) {
	ws := filepath.Join(t.TempDir(), "ws")
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("fixtures = \"f.json\"\n"))
	writeFile(t, filepath.Join(ws, "f.json"), []byte(`{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah"}]}}`))
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte(".cb+user\n"))
	writeFile(t, filepath.Join(ws, "b.pactsel"), []byte(".block+user\n"))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	e.do("open a.pactsel pact-selector")
	if found := e.do(`request workspace/diagnostic {"previousResultIds":[]}`); !strings.Contains(found, "b.pactsel") {
		t.Fatalf("before: %s", found)
	}
	if err := os.RemoveAll(ws); err != nil {
		t.Fatal(err)
	}
	changes := []any{}
	for _, name := range []string{".pactkit.toml", "f.json", "a.pactsel", "b.pactsel", ""} {
		changes = append(changes, map[string]any{"uri": e.uri(name), "type": 3})
	}
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": changes})
	if found := e.do(`request workspace/diagnostic {"previousResultIds":[]}`); strings.Contains(found, "b.pactsel") || !strings.Contains(found, "legacy/type-name") {
		t.Errorf("after: %s", found)
	}
	for _, line := range []string{"hover a.pactsel 1:2", `rename a.pactsel /user/ {"newName":"x"}`, "formatting a.pactsel", "inlayHint a.pactsel 1:1-2:1", "codeLens a.pactsel"} {
		if got := e.do(line); strings.Contains(got, "error") {
			t.Errorf("%s: %s", line, got)
		}
	}
}

// TestManyChanges changes 10,000 files at once. Configuration and fixtures are read again only
// once.
func TestManyChanges(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("known.tags = [\"a\"]\n"))
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte("+b\n"))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	e.do("open a.pactsel pact-selector")
	e.do("sent")
	changes := []any{}
	for i := range 10_000 {
		changes = append(changes, map[string]any{"uri": e.uri(fmt.Sprintf("%d/%d.json", i/100, i)), "type": 1 + i%3})
	}
	changes = append(changes, map[string]any{"uri": e.uri(".pactkit.toml"), "type": 2}, map[string]any{"uri": e.uri(".pactkit.toml"), "type": 2})
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("known.tags = [\"b\"]\n"))
	e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": changes})
	if found := e.do("findings a.pactsel"); found != "" {
		t.Errorf("the configuration was not read again: %s", found)
	}
	var state struct{ Snapshot int }
	if err := json.Unmarshal(must(e.call("workspace/executeCommand", map[string]any{"command": stateCommand})), &state); err != nil || state.Snapshot != 2 {
		t.Errorf("snapshot %d, %v", state.Snapshot, err)
	}
}
