//go:build unix && postgres

package doctest

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"

	"github.com/pactkit/pactkit/internal/test/pgserver"
)

// asServer runs the programs of PostgreSQL, which refuse to run as root, as nobody if the test runs
// as root.
const asServer = `
initdb() { as_server "$PGBIN/initdb" --no-sync "$@"; }
pg_ctl() { as_server "$PGBIN/pg_ctl" "$@"; }
psql() { "$PGBIN/psql" "$@"; }
as_server() {
	if [ "$(id -u)" = 0 ]; then
		setpriv --reuid=65534 --regid=65534 --clear-groups "$@"
	else
		"$@"
	fi
}
`

// TestLive runs the guide to live histories on every PostgreSQL there is, with other ports.
func TestLive(t *testing.T) {
	bins, err := pgserver.Bins()
	if err != nil {
		t.Fatal(err)
	}
	programs, caches := t.TempDir(), goCaches(t)
	if err := build(programs, "./examples/...", "./cmd/pactkit"); err != nil {
		t.Fatal(err)
	}
	for _, bin := range bins {
		t.Run(bin, func(t *testing.T) {
			s := &shell{dir: sandbox(t, livePage), programs: programs, env: append(caches, "PGBIN="+bin), prelude: asServer}
			s.edit = otherPorts(t, "8001", "8002", "8003", "54329")
			makeRoom(t, s.dir)
			t.Cleanup(func() { endAll(t, s) })
			runPage(t, livePage, func() *shell { return s })
		})
	}
}

// otherPorts returns a function that puts free ports in place of those of the page.
func otherPorts(t *testing.T, ports ...string) func(string) string {
	t.Helper()
	var pairs []string
	for _, port := range ports {
		free, err := pgserver.FreePort()
		if err != nil {
			t.Fatal(err)
		}
		pairs = append(pairs, port, strconv.Itoa(free))
	}
	return strings.NewReplacer(pairs...).Replace
}

// makeRoom makes the folder of the database, and the way there, usable for nobody.
func makeRoom(t *testing.T, dir string) {
	t.Helper()
	data := filepath.Join(dir, "agents-db")
	if err := os.Mkdir(data, 0o700); err != nil {
		t.Fatal(err)
	}
	if os.Getuid() != 0 {
		return
	}
	if err := os.Chown(data, 65534, 65534); err != nil {
		t.Fatal(err)
	}
	for up := dir; up != filepath.Clean(os.TempDir()) && up != "/"; up = filepath.Dir(up) {
		if err := os.Chmod(up, 0o755); err != nil {
			t.Fatal(err)
		}
	}
}

// endAll ends the processes that a failed page left running.
func endAll(t *testing.T, s *shell) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(s.dir, "*.pid"))
	if err != nil {
		t.Error(err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		pid, err2 := strconv.Atoi(strings.TrimSpace(string(data)))
		if err != nil || err2 != nil {
			t.Error(err, err2)
			continue
		}
		// Only if it is still ours: the page ends its processes, and process ids are reused.
		exe, err := os.Readlink("/proc/" + strconv.Itoa(pid) + "/exe")
		if err == nil && filepath.Dir(exe) == s.programs {
			_ = syscall.Kill(pid, syscall.SIGKILL)
		}
	}
	if _, err := os.Stat(filepath.Join(s.dir, "agents-db", "postmaster.pid")); err == nil {
		out, code := s.run("pg_ctl -D agents-db -m immediate -w stop")
		t.Log(code, out)
	}
}
