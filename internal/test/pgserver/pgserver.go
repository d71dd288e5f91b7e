//go:build unix

package pgserver

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// Variable is the environment variable that names folders with the programs of PostgreSQL (initdb,
// postgres), as PATH lists folders.
const Variable = "PACTKIT_POSTGRES"

// nobody is the user that the server runs as when the tests run as root, which PostgreSQL refuses.
const nobody = 65534

// Bins returns the folders with the programs of the servers to test: those that [Variable] lists,
// else the newest of Debian's packages, else the folder of initdb on the PATH.
func Bins() ([]string, error) {
	if list := filepath.SplitList(os.Getenv(Variable)); len(list) > 0 {
		for _, bin := range list {
			if _, err := os.Stat(filepath.Join(bin, "initdb")); err != nil {
				return nil, fmt.Errorf("%s: %w", Variable, err)
			}
		}
		return list, nil
	}
	found, err := filepath.Glob("/usr/lib/postgresql/*/bin/initdb")
	if err != nil {
		return nil, err
	}
	version := func(path string) int {
		n, _ := strconv.Atoi(filepath.Base(filepath.Dir(filepath.Dir(path))))
		return n
	}
	if len(found) > 0 {
		newest := slices.MaxFunc(found, func(a, b string) int { return version(a) - version(b) })
		return []string{filepath.Dir(newest)}, nil
	}
	path, err := exec.LookPath("initdb")
	if err != nil {
		return nil, fmt.Errorf("PostgreSQL is not installed: install Debian's package postgresql, or name the folder of another in %s", Variable)
	}
	return []string{filepath.Dir(path)}, nil
}

// Server is one server. Its methods are not safe for concurrent use.
type Server struct {
	Port int

	bin, dir string // of the programs; of the data
	settings []string
	log      bytes.Buffer
	cmd      *exec.Cmd
	done     chan struct{} // closed when cmd has ended
}

// Start makes a new server with the programs of a folder and waits until it answers. settings are
// lines of postgresql.conf. The superuser is postgres, and everyone on the loopback interface is
// trusted.
func Start(ctx context.Context, bin string, settings ...string) (*Server, error) {
	s, err := newServer(bin, settings)
	if err != nil {
		return nil, err
	}
	if err := s.run(ctx, "initdb", "--no-sync", "--auth=trust", "--username=postgres", "--encoding=UTF8", "--locale=C", "-D", s.data()); err != nil {
		return nil, errors.Join(err, s.remove())
	}
	for try := 0; ; try++ {
		err := s.launchOnce(ctx)
		if err == nil {
			return s, nil
		}
		// Another program may have taken the port since it was chosen.
		if try < 9 && strings.Contains(err.Error(), portTaken) {
			s.Port, err = FreePort()
		}
		if err != nil {
			return nil, errors.Join(err, s.remove())
		}
	}
}

func newServer(bin string, settings []string) (*Server, error) {
	port, err := FreePort()
	if err != nil {
		return nil, err
	}
	dir, err := os.MkdirTemp("", "pactkit-pg-")
	if err != nil {
		return nil, err
	}
	if os.Getuid() == 0 {
		if err := os.Chown(dir, nobody, nobody); err != nil {
			return nil, errors.Join(err, os.RemoveAll(dir))
		}
	}
	return &Server{Port: port, bin: bin, dir: dir, settings: settings}, nil
}

// FreePort returns a port of the loopback interface that nobody listens on. It is below the
// ephemeral ports, so no connection of another program takes it while the server is not running.
func FreePort() (int, error) {
	const first, count = 20000, 12000
	var err error
	for range 100 {
		port := first + rand.IntN(count)
		var l net.Listener
		if l, err = net.Listen("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			return port, l.Close()
		}
	}
	return 0, err
}

const portTaken = "Address already in use"

// leftovers are what postgres prints when processes of a server that was killed are still there.
// They end by themselves.
var leftovers = []string{"shared memory block", portTaken, `lock file "postmaster.pid" already exists`}

// mostWait is the maximum time that Launch waits for them.
const mostWait = 30 * time.Second

// Launch starts a server that was stopped or killed, and waits until it answers.
func (s *Server) Launch(ctx context.Context) error {
	for begun := time.Now(); ; {
		err := s.launchOnce(ctx)
		left := func(text string) bool { return strings.Contains(s.log.String(), text) }
		if err == nil || ctx.Err() != nil || !slices.ContainsFunc(leftovers, left) || time.Since(begun) > mostWait {
			return err
		}
		time.Sleep(10 * time.Millisecond)
	}
}

func (s *Server) launchOnce(ctx context.Context) error {
	conf := "listen_addresses = '127.0.0.1'\nport = " + strconv.Itoa(s.Port) + "\nunix_socket_directories = ''\n" + strings.Join(s.settings, "\n") + "\n"
	if err := os.WriteFile(filepath.Join(s.data(), "postgresql.conf"), []byte(conf), 0o644); err != nil {
		return err
	}
	s.log.Reset()
	s.cmd = s.command(context.WithoutCancel(ctx), "postgres", "-D", s.data())
	s.cmd.Stdout, s.cmd.Stderr = &s.log, &s.log
	if err := s.cmd.Start(); err != nil {
		return err
	}
	s.done = make(chan struct{})
	go func() {
		_ = s.cmd.Wait() // how it ended does not matter, only that it did
		close(s.done)
	}()
	for {
		if s.answers(ctx) {
			return nil
		}
		select {
		case <-s.done:
			return fmt.Errorf("postgres ended at once:\n%s", s.log.Bytes())
		case <-ctx.Done():
			return errors.Join(ctx.Err(), s.Kill())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// answers reports whether the server accepts connections.
func (s *Server) answers(ctx context.Context) bool {
	return s.command(ctx, "pg_isready", "-q", "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port)).Run() == nil
}

// Query runs SQL as the superuser and returns what psql prints, without its decoration.
func (s *Server) Query(ctx context.Context, sql string) (string, error) {
	cmd := s.command(ctx, "psql", "-X", "-q", "-A", "-t", "-v", "ON_ERROR_STOP=1", "-c", sql, s.URL())
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return strings.TrimSpace(string(out)), nil
}

// Dump returns the database postgres as pg_dump writes it.
func (s *Server) Dump(ctx context.Context) (string, error) {
	out, err := s.command(ctx, "pg_dump", s.URL()).CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w: %s", err, out)
	}
	return string(out), nil
}

// URL returns the address of the database postgres.
func (s *Server) URL() string {
	return fmt.Sprintf("postgres://postgres@127.0.0.1:%d/postgres?sslmode=disable", s.Port)
}

// Kill ends the server with SIGKILL, as a crash does, and waits for the end of its main process.
func (s *Server) Kill() error { return s.signal(syscall.SIGKILL) }

// Crash ends all processes of the server at the same moment, like a power failure. After
// [Server.Kill] they live on for a moment, and a client may see a commit that no standby has.
func (s *Server) Crash() error {
	if err := s.cmd.Process.Signal(syscall.SIGSTOP); err != nil { // so it starts no further process
		return err
	}
	children, err := childrenOf(s.cmd.Process.Pid)
	for _, pid := range children {
		if killed := syscall.Kill(pid, syscall.SIGKILL); !errors.Is(killed, syscall.ESRCH) {
			err = errors.Join(err, killed)
		}
	}
	return errors.Join(err, s.Kill())
}

// childrenOf lists the child processes of a process.
func childrenOf(parent int) ([]int, error) {
	out, err := exec.Command("ps", "-A", "-o", "pid=,ppid=").Output()
	if err != nil {
		return nil, err
	}
	var list []int
	for line := range strings.Lines(string(out)) {
		var pid, of int
		if _, err := fmt.Sscan(line, &pid, &of); err != nil {
			return nil, err
		}
		if of == parent {
			list = append(list, pid)
		}
	}
	return list, nil
}

// Halt shuts the server down and keeps its data. [Server.Launch] starts it again.
func (s *Server) Halt() error { return s.signal(syscall.SIGINT) }

// Stop ends the server and removes its data.
func (s *Server) Stop() error { return errors.Join(s.signal(syscall.SIGQUIT), s.remove()) }

func (s *Server) signal(sig syscall.Signal) error {
	if err := s.cmd.Process.Signal(sig); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	<-s.done
	return nil
}

// Standby returns a synchronous standby of the server with the given name. From then on a commit of
// the server waits for it.
func (s *Server) Standby(ctx context.Context, name string) (*Server, error) {
	b, err := newServer(s.bin, s.settings)
	if err != nil {
		return nil, err
	}
	err = b.run(ctx, "pg_basebackup", "-h", "127.0.0.1", "-p", strconv.Itoa(s.Port), "-U", "postgres", "-D", b.data(), "-R", "-C", "-S", name, "--no-sync", "-c", "fast")
	if err == nil {
		auto := filepath.Join(b.data(), "postgresql.auto.conf")
		var conf []byte
		if conf, err = os.ReadFile(auto); err == nil {
			conf = fmt.Appendf(conf, "primary_conninfo = 'host=127.0.0.1 port=%d user=postgres application_name=%s'\n", s.Port, name)
			err = os.WriteFile(auto, conf, 0o600)
		}
	}
	if err == nil {
		err = b.Launch(ctx)
	}
	if err != nil {
		return nil, errors.Join(err, b.remove())
	}
	// The settings must be the same after a restart.
	s.settings = append(slices.Clip(s.settings), "synchronous_standby_names = '"+name+"'")
	if _, err := s.Query(ctx, "alter system set synchronous_standby_names = '"+name+"'"); err != nil {
		return nil, errors.Join(err, b.Stop())
	}
	if _, err := s.Query(ctx, "select pg_reload_conf()"); err != nil {
		return nil, errors.Join(err, b.Stop())
	}
	for {
		n, err := s.Query(ctx, "select count(*) from pg_stat_replication where sync_state = 'sync'")
		if err != nil {
			return nil, errors.Join(err, b.Stop())
		}
		if n == "1" {
			return b, nil
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Promote makes a standby an independent server.
func (s *Server) Promote(ctx context.Context) error {
	done, err := s.Query(ctx, "select pg_promote(true, 120)")
	if err == nil && done != "t" {
		err = errors.New("the standby was not promoted in time")
	}
	return err
}

func (s *Server) data() string { return filepath.Join(s.dir, "data") }

func (s *Server) remove() error { return os.RemoveAll(s.dir) }

// command prepares a program of PostgreSQL, as nobody if this process is root.
func (s *Server) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, filepath.Join(s.bin, program), args...)
	cmd.Dir = s.dir
	cmd.Env = append(os.Environ(), "HOME="+s.dir, "LC_ALL=C", "PGTZ=UTC")
	if os.Getuid() == 0 {
		cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: nobody, Gid: nobody}}
	}
	return cmd
}

func (s *Server) run(ctx context.Context, program string, args ...string) error {
	if out, err := s.command(ctx, program, args...).CombinedOutput(); err != nil {
		return fmt.Errorf("%s: %w\n%s", program, err, out)
	}
	return nil
}
