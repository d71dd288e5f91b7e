//go:build unix && postgres

package cli

import (
	"bufio"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// TestPostgresHomes is TestHomes with two more homes: PostgreSQL, and a folder that a program in
// Python keeps by the contexts of its package.
func TestPostgresHomes(t *testing.T) {
	pgserver.Each(t, func(t *testing.T, server *pgserver.Server) {
		moreHomes = []func(*testing.T) home{
			func(*testing.T) home { return inStore("PostgreSQL", server.URL(), false, false) },
			inPython,
		}
		defer func() { moreHomes = nil }()
		TestHomes(t)
	})
}

// inPython keeps histories by a program in Python, which this process reads.
func inPython(t *testing.T) home {
	address := "file:" + filepath.Join(t.TempDir(), "s")
	cmd := exec.Command("python3", "testdata/home.py", address)
	cmd.Env = append(os.Environ(), "PACTKIT_BINARY="+must(exec.LookPath("pactkit"))(t), "PYTHONPATH=../../../python/src", "PYTHONDONTWRITEBYTECODE=1")
	cmd.Stderr = os.Stderr
	in, out := must(cmd.StdinPipe())(t), bufio.NewReader(must(cmd.StdoutPipe())(t))
	must(0, cmd.Start())(t)
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	ask := func(t *testing.T, format string, args ...any) {
		t.Helper()
		_, err := fmt.Fprintf(in, format+"\n", args...)
		if answer, wrong := out.ReadString('\n'); err != nil || answer != "done\n" {
			t.Fatalf("Python answers %q: %v, %v", answer, err, wrong)
		}
	}
	h := inStore("Python", address, false, false)
	h.cores = true
	h.turn = func(t *testing.T, id string, u turn) {
		ask(t, `{"id":%q,"n":%d,"drafts":%d,"drop":%t,"seal":%t}`, id, u.n, u.drafts, u.drop, u.seal)
	}
	h.fork = func(t *testing.T, base string, cycle int64, id string) {
		ask(t, `{"id":%q,"at":"@c%d","to":%q}`, base, cycle, id)
	}
	h.rewind = func(t *testing.T, id string, cycle int64, keep string) {
		ask(t, `{"id":%q,"at":"@c%d","keep":%q}`, id, cycle, keep)
	}
	return h
}
