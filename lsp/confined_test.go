package lsp

import (
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// TestConfined checks that a configuration can read neither fixtures nor files to extend outside
// the workspace, by any path or symbolic link.
func TestConfined(t *testing.T) {
	outside := t.TempDir()
	fixture := `{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah"}]}}`
	writeFile(t, filepath.Join(outside, "f.json"), []byte(fixture))
	writeFile(t, filepath.Join(outside, "base.toml"), []byte("known.tags = [\"secret\"]\n"))
	server := must(net.Listen("tcp", "127.0.0.1:0"))
	defer server.Close()
	contacted := make(chan struct{})
	go func() {
		if c, err := server.Accept(); err == nil {
			c.Close()
			close(contacted)
		}
	}()
	for _, c := range []struct {
		name, settings, message string // message: "" when the fixture is read
	}{
		{"inside", `fixtures = "in.json"`, ""},
		{"inside by its absolute path", `fixtures = "$ws/in.json"`, ""},
		{"above", `fixtures = "$rel/f.json"`, "it is outside the workspace"},
		{"absolute", `fixtures = "$out/f.json"`, "it is outside the workspace"},
		{"link to a file", `fixtures = "link.json"`, "it is outside the workspace"},
		{"link to a folder", `fixtures = "folder/f.json"`, "it is outside the workspace"},
		{"one of a file", `fixtures = "in.json#2"`, "there is no history #2 in it"},
		{"one of a file outside", `fixtures = "$out/f.json#1"`, "it is outside the workspace"},
		{"one of a link", `fixtures = "link.json#1"`, "it is outside the workspace"},
		{"a folder with a link", `fixtures = "snapshots"`, "it is outside the workspace"},
		{"a store", `fixtures = "file:store#one"`, ""},
		{"a store by its absolute path", `fixtures = "file:$ws/store#one"`, ""},
		{"a store by its URL", `fixtures = "file://$ws/store#one"`, ""},
		{"a store outside", `fixtures = "file:$out#f"`, "it is outside the workspace"},
		{"a store above", `fixtures = "file:$rel#f"`, "it is outside the workspace"},
		{"a link in a store", `fixtures = "file:store#link"`, "it is outside the workspace"},
		{"a server", `fixtures = "postgres://me:secret@$server/db#f"`, "an editor does not connect to one"},
		{"extends", `extends = "$out/base.toml"`, "is outside the workspace"},
		{"extends a link", `extends = "link.toml"`, "is outside the workspace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws := t.TempDir()
			writeFile(t, filepath.Join(ws, "in.json"), []byte(fixture))
			putStored(t, "file:"+filepath.Join(ws, "store"), "one", fixture)
			writeFile(t, filepath.Join(ws, "snapshots", "a.json"), []byte(fixture))
			for link, target := range map[string]string{
				"link.json": "f.json", "folder": "", "link.toml": "base.toml", "store/link.jsonl": "f.json", "snapshots/b.json": "f.json",
			} {
				if err := os.Symlink(filepath.Join(outside, target), filepath.Join(ws, link)); err != nil {
					t.Fatal(err)
				}
			}
			rel := must(filepath.Rel(ws, outside))
			settings := strings.NewReplacer("$rel", filepath.ToSlash(rel), "$ws", filepath.ToSlash(ws), "$out", filepath.ToSlash(outside), "$server", server.Addr().String()).Replace(c.settings)
			writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte(settings+"\n"))
			writeFile(t, filepath.Join(ws, "a.pactsel"), []byte("^sys\n"))
			e := startEditor(t, ws, "vscode")
			defer e.stop()
			e.do("open .pactkit.toml toml")
			e.do("open a.pactsel pact-selector")
			found := e.do("findings .pactkit.toml")
			counted := strings.Contains(e.do("inlayHint a.pactsel 1:1-2:1"), "1 node")
			if c.message == "" && (found != "" || !counted) || c.message != "" && (!strings.Contains(found, c.message) || counted) {
				t.Errorf("counted %t, findings %q", counted, found)
			}
			if strings.Contains(found, "secret") {
				t.Errorf("a password is shown: %s", found)
			}
		})
	}
	select {
	case <-contacted:
		t.Error("the server was contacted")
	default:
	}
}

// putStored writes a history to a store.
func putStored(t *testing.T, address, id, text string) {
	t.Helper()
	h, _, err := journal.Read("fixture", strings.NewReader(text), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	frames, _, err := journal.NewHead(journal.About{ID: id}).Append(h)
	if err != nil {
		t.Fatal(err)
	}
	st := must(store.Open(t.Context(), address))
	defer st.Close()
	must(st.Append(t.Context(), id, store.Version{}, frames...))
}
