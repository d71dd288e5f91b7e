//go:build unix && postgres

package cli

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestPostgres works on histories of a real PostgreSQL by their addresses, from their import to
// their erasure.
func TestPostgres(t *testing.T) { pgserver.Each(t, throughAddresses) }

func throughAddresses(t *testing.T, server *pgserver.Server) {
	folder := t.TempDir()
	logs := `[{"id":"a/1","m":[{"role":"user","content":"tulip"},{"role":"assistant","content":"日本"},{"role":"user","content":"tulip"},{"role":"assistant","content":"b"}]},` +
		`{"id":"b","m":[{"role":"user","content":"Hello"}]}]`
	turn := `{"insert": "(d0,0, end)", "node": {"id": "new", "content": "more"}}` + "\n" + `{"commit": 1}` + "\n"
	address := server.URL()
	a := address + "#a/1"
	wrong := strings.Replace(address, "postgres@", "nobody:secret@", 1)
	for name, text := range map[string]string{
		"logs.json":             logs,
		"turn.ops":              turn,
		"fifty.ops":             `{"commit": 50}` + "\n", // so many that compacting makes the history smaller
		"fixture/.pactkit.toml": "fixtures = \"" + a + "\"\n",
		"fixture/a.pactsel":     ".block+user\n.block+usr\n",
		"suite.txtar":           "-- cases --\n%files " + a + "\n.block+user\n=> block:3\n=> block:7\n",
		"refused.txtar":         "-- cases --\n%files " + wrong + "#a/1\n.block+user\n=> block:3\n",
	} {
		path := filepath.Join(folder, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		code int
		want string // in its output
		args []string
	}{
		{0, "holds 2 histories", []string{"import", "--snapshots", "turn", "--from", "openai", "--messages", "m", "logs.json", "-o", address}},
		{0, "valid", []string{"validate", "--strict", a}},
		{0, `["block:3","block:7"]`, []string{"eval", "-f", a, "--json", ".block+user"}},
		{1, "fixture/a.pactsel:2:7: warning: unknown tag `usr`. Did you mean `user`?", []string{"lint", "--output-format", "compact", "fixture/a.pactsel"}},
		{0, `["block:3","block:7"]`, []string{"eval", "--json", "--config", "fixtures=\"" + a + "\"", ".block+user"}},
		{2, "nobody@", []string{"lint", "--config", "fixtures=\"" + wrong + "#a/1\"", "fixture/a.pactsel"}},
		{0, "# 1 passed, 0 failed", []string{"test", "suite.txtar"}},
		{2, "nobody@", []string{"test", "refused.txtar"}},
		{2, "E_STORE_CONFLICT", []string{"commit", "--script", "turn.ops", "-o", address + "#b"}},
		{0, "", []string{"commit", "--script", "turn.ops", "-f", a}},
		{0, `"new"`, []string{"eval", "-f", a, "--json", "@t-1 .block"}},
		{0, `\u65e5\u672c`, []string{"export", a, "--history", "json"}},
		{0, "日本", []string{"export", a, "--history", "journal"}},
		{0, "- block:3\n- block:7 (", []string{"erase", a, "block:3"}},
		{0, "the history is left as it is", []string{"compact", a, "--keep", "0"}},
		{0, "", []string{"commit", "--script", "fifty.ops", "-f", a}},
		{0, "- cycles 1 to 52\n", []string{"compact", a, "--keep", "0"}},
		{0, "valid", []string{"validate", "--strict", a}},
		{2, "write one of #a/1 #b after it [E_STORE_ADDRESS]", []string{"eval", "-f", address, ".block"}},
		{2, "[E_STORE_NOT_FOUND]", []string{"eval", "-f", address + "#c", ".block"}},
		{2, "nobody@", []string{"eval", "-f", wrong + "#a/1", ".block"}},
		{2, "E_STORE_ADDRESS", []string{"eval", "-f", strings.Replace(a, "/postgres?", "/nowhere?", 1), ".block"}},
	} {
		cmd := exec.Command("pactkit", c.args...)
		cmd.Dir = folder
		out, _ := cmd.CombinedOutput()
		if code := cmd.ProcessState.ExitCode(); code != c.code || !strings.Contains(string(out), c.want) || strings.Contains(string(out), "secret") {
			t.Errorf("%q: exit code %d, want %d and %q\n%s", c.args, code, c.code, c.want, out)
		}
	}
	if n, err := server.Query(t.Context(), "select count(*) from pactkit_frame where body like '%tulip%'"); err != nil || n != "0" {
		t.Errorf("%s frames still have what was erased, %v", n, err)
	}
}
