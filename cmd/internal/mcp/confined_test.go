//go:build !windows

package mcp_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/cmd/internal/mcp"
)

// TestConfined: no path, link, folder or address leads out of the folders, by any tool.
func TestConfined(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	const secret = `[{"role":"user","content":"the secret"}]`
	const snapshot = `{"root":{"id":"root","nodeType":"^root","children":[{"id":"^sys","nodeType":"^sys"},{"id":"^seq","nodeType":"^seq"},{"id":"^ah","nodeType":"^ah","children":[{"id":"x","content":"the secret"}]}]},"cycle":%d}`
	write(t, filepath.Join(outside, "secret.json"), []byte(secret))
	write(t, filepath.Join(outside, "2.json"), fmt.Appendf(nil, snapshot, 2))
	write(t, filepath.Join(dir, "snaps", "1.json"), []byte(strings.ReplaceAll(fmt.Sprintf(snapshot, 1), "the secret", "nothing")))
	write(t, filepath.Join(dir, "chat.json"), []byte(`[{"role":"user","content":"hi"}]`))
	for name, to := range map[string]string{
		"link.json": filepath.Join(outside, "secret.json"), "folder": outside, "snaps/2.json": filepath.Join(outside, "2.json"),
		"up.json": "../" + filepath.Base(outside) + "/secret.json", "here.json": "chat.json",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	client := connect(t, mcp.Options{Folder: dir})
	for _, path := range []string{
		"../" + filepath.Base(outside) + "/secret.json", filepath.Join(outside, "secret.json"), "link.json", "up.json", "folder", "folder/secret.json",
		"folder/secret.json#x", "snaps", "sub/../../x", "..", "/", "/etc/passwd", "~/x.json", "file:" + outside, "file:" + dir, "postgres://127.0.0.1:1/x#y",
		"chat.json\x00", "\\\\host\\share", "-", "snaps/2.json", "link.json#name", "%2e%2e/secret.json", strings.Repeat("a/", 4000),
	} {
		for _, call := range []struct {
			tool      string
			arguments map[string]any
		}{
			{"log", map[string]any{"path": path}},
			{"select", map[string]any{"path": path, "selector": ".block", "ever": true}},
			{"trace", map[string]any{"path": path, "node": ".block"}},
			{"explain", map[string]any{"path": path, "what": ".block"}},
		} {
			text, isError := ask(t, client, call.tool, call.arguments)
			if strings.Contains(text, "the secret") {
				t.Errorf("%s %q leads out: %s", call.tool, path, text)
			}
			if path != "snaps" && !isError {
				t.Errorf("%s %q: %s", call.tool, path, text)
			}
			if !strings.Contains(text, `"code":"E_`) && isError {
				t.Errorf("%s %q: an error without a code: %s", call.tool, path, text)
			}
		}
	}
	text, _ := ask(t, client, "select", map[string]any{"selector": ".block", "ever": true})
	if strings.Contains(text, "the secret") || !strings.Contains(text, `"file":"chat.json"`) {
		t.Errorf("all of the folder: %s", text)
	}
	for _, path := range []string{"here.json", "./chat.json", filepath.Join(dir, "chat.json")} {
		if text, isError := ask(t, client, "log", map[string]any{"path": path}); isError {
			t.Errorf("%s is in the folder: %s", path, text)
		}
	}
}
