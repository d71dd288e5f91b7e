//go:build e2e

package e2e

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestDrive runs drive.mjs.
func TestDrive(t *testing.T) {
	if _, err := os.Stat("node_modules"); err != nil {
		t.Fatal("`make check` installs what this needs: ", err)
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
	if out, err := exec.CommandContext(t.Context(), "node", "drive.mjs", program, ws).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
}
