// Package e2e drives pact-lsp as editors do: the program itself, over its standard streams, with the protocol library
// of Visual Studio Code.
package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDrive runs drive.mjs. It needs Node and what `npm ci --prefix lsp/e2e` installs, as `make check` does; without
// them it is left out, but not in continuous integration.
func TestDrive(t *testing.T) {
	node, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat("node_modules")
	}
	if err != nil && os.Getenv("CI") == "" {
		t.Skip("node, or what npm ci installs, is not there")
	} else if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	program := filepath.Join(dir, "pact-lsp")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program, "../../cmd/pact-lsp").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	ws := filepath.Join(dir, "ws")
	for name, text := range map[string]string{
		".pactkit.toml": "fixtures = \"f.json\"\n",
		"a.pactsel":     "",
		"f.json": `{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq","children":[{"id":"s","children":[
			{"id":"c","nodeType":"cont","children":[{"id":"b","nodeType":"block","tag":["user"]}]}]}]},{"nodeType":"^ah"}]}}`,
	} {
		if err := os.MkdirAll(ws, 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(ws, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if out, err := exec.CommandContext(t.Context(), node, "drive.mjs", program, ws).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
