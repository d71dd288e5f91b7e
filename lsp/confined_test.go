package lsp

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestConfined finds that a configuration cannot read outside the workspace: neither fixtures nor the files it extends,
// by no path and through no symbolic link.
func TestConfined(t *testing.T) {
	outside := t.TempDir()
	fixture := `{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah"}]}}`
	writeFile(t, filepath.Join(outside, "f.json"), []byte(fixture))
	writeFile(t, filepath.Join(outside, "base.toml"), []byte("known.tags = [\"secret\"]\n"))
	for _, c := range []struct {
		name, settings, message string // message: "" when the fixture is read
	}{
		{"inside", `fixtures = "in.json"`, ""},
		{"inside by its absolute path", `fixtures = "$ws/in.json"`, ""},
		{"above", `fixtures = "$rel/f.json"`, "it is outside the workspace"},
		{"absolute", `fixtures = "$out/f.json"`, "it is outside the workspace"},
		{"link to a file", `fixtures = "link.json"`, "it is outside the workspace"},
		{"link to a folder", `fixtures = "folder/f.json"`, "it is outside the workspace"},
		{"extends", `extends = "$out/base.toml"`, "is outside the workspace"},
		{"extends a link", `extends = "link.toml"`, "is outside the workspace"},
	} {
		t.Run(c.name, func(t *testing.T) {
			ws := t.TempDir()
			writeFile(t, filepath.Join(ws, "in.json"), []byte(fixture))
			for link, target := range map[string]string{"link.json": "f.json", "folder": "", "link.toml": "base.toml"} {
				if err := os.Symlink(filepath.Join(outside, target), filepath.Join(ws, link)); err != nil {
					t.Fatal(err)
				}
			}
			rel := must(filepath.Rel(ws, outside))
			settings := strings.NewReplacer("$rel", filepath.ToSlash(rel), "$ws", filepath.ToSlash(ws), "$out", filepath.ToSlash(outside)).Replace(c.settings)
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
		})
	}
}
