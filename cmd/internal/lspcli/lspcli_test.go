package lspcli

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"

	"github.com/pactkit/pactkit/lsp"
)

type buffer struct {
	mu sync.Mutex
	b  bytes.Buffer
}

func (b *buffer) Write(p []byte) (int, error) { b.mu.Lock(); defer b.mu.Unlock(); return b.b.Write(p) }
func (b *buffer) String() string              { b.mu.Lock(); defer b.mu.Unlock(); return b.b.String() }

func frames(bodies ...string) io.ReadCloser {
	var b strings.Builder
	for _, body := range bodies {
		fmt.Fprintf(&b, "Content-Length: %d\r\n\r\n%s", len(body), body)
	}
	return io.NopCloser(io.MultiReader(strings.NewReader(b.String()), late{}))
}

// late ends an input some time after the last message, to leave time for answers.
type late struct{}

func (late) Read([]byte) (int, error) { time.Sleep(500 * time.Millisecond); return 0, io.EOF }

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	shutdown   = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`
	exit       = `{"jsonrpc":"2.0","method":"exit"}`
)

// TestRun runs the program with flags and an input, and checks its exit code and its output.
func TestRun(t *testing.T) {
	short := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(short, []byte("short\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		args     string
		in       io.ReadCloser
		code     int
		out, err string // parts of them
	}{
		{"", frames(), 1, "", ""},
		{"--stdio", frames(initialize), 1, "positionEncoding", ""},
		{"--stdio --stdio --clientProcessId 1 --log error", frames(initialize, shutdown, exit), 0, `"id":2`, ""},
		{"--clientProcessId=1 --log debug", frames(initialize, exit), 1, "", ""},
		{"--version", nil, 0, "pact-lsp ", ""},
		{"--help", nil, 0, "--clientProcessId N", ""},
		{"--log loud", nil, 2, "", "the level must be debug, info, warn or error"},
		{"--listen tcp:0.0.0.0:0", nil, 2, "", "on this machine only"},
		{"--listen ws:example.org:80", nil, 2, "", "on this machine only"},
		{"--listen udp:127.0.0.1:0", nil, 2, "", "the address must be tcp:HOST:PORT or ws:HOST:PORT"},
		{"--listen tcp:127.0.0.1", nil, 2, "", "missing port"},
		{"--listen tcp:127.0.0.1:0 --stdio", nil, 2, "", "cannot be combined"},
		{"--allow-origin https://example.org", nil, 2, "", "require --listen"},
		{"--listen tcp:127.0.0.1:0 --token-file " + filepath.Join(t.TempDir(), "none"), nil, 2, "", "--token-file"},
		{"--listen tcp:127.0.0.1:0 --token-file " + short, nil, 2, "", "at least 16 characters"},
		{"--nothing", nil, 2, "", "unknown flag"},
		{"file", nil, 2, "", "file"},
	} {
		var out, errs buffer
		code := run(t.Context(), streams{c.in, &out, &errs}, strings.Fields(c.args))
		if code != c.code || !strings.Contains(out.String(), c.out) || !strings.Contains(errs.String(), c.err) {
			t.Errorf("%q: code %d\n%s\n%s", c.args, code, out.String(), errs.String())
		}
	}
}

// listening starts the program at a port of its choice, and returns the address and the token it
// prints.
func listening(t *testing.T, kind string, args ...string) (at, token string) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var errs buffer
	done := make(chan int)
	go func() {
		done <- run(ctx, streams{nil, io.Discard, &errs}, append([]string{"--listen", kind + ":127.0.0.1:0"}, args...))
	}()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != 0 {
			t.Errorf("code %d: %s", code, errs.String())
		}
	})
	for range 1000 {
		if before, at, ok := strings.Cut(errs.String(), "pact-lsp: listening at "+kind+":"); ok && strings.HasSuffix(at, "\n") {
			return strings.TrimSpace(at), strings.TrimSpace(strings.TrimPrefix(before, "pact-lsp: token "))
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not listen")
	return "", ""
}

func withToken(token string) string {
	return `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":{"token":"` + token + `"},"capabilities":{}}}`
}

func frame(body string) string { return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(body), body) }

// dial connects, sends a text, and returns what comes back until the connection ends or an answer
// is complete.
func dial(t *testing.T, at, send string) (net.Conn, string) {
	t.Helper()
	conn, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	fmt.Fprint(conn, send)
	_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
	data := make([]byte, 8192)
	n, _ := conn.Read(data)
	return conn, string(data[:n])
}

// TestTCP serves clients that know the token, and refuses others and what a browser would send.
func TestTCP(t *testing.T) {
	at, token := listening(t, "tcp")
	if len(token) < minToken {
		t.Fatalf("the token is %q", token)
	}
	for _, c := range []struct {
		send, get string
		open      bool // the connection stays open
	}{
		{frame(withToken(token)), "positionEncoding", true},
		{frame(withToken("x" + token)), "initializationOptions.token is missing or wrong", false},
		{frame(initialize), "initializationOptions.token is missing or wrong", false},
		{frame(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"initializationOptions":[1],"capabilities":{}}}`), "missing or wrong", false},
		{"POST / HTTP/1.1\r\n" + frame(withToken(token)), "", false},
		{"Content-Length: 20000000\r\n\r\n", "", false}, // more than 16 MiB before initialize
	} {
		conn, got := dial(t, at, c.send)
		if c.get == "" && got != "" || !strings.Contains(got, c.get) {
			t.Errorf("%.60q: %q", c.send, got)
		}
		wait := 10 * time.Second
		if c.open {
			wait = 300 * time.Millisecond
		}
		_ = conn.SetReadDeadline(time.Now().Add(wait))
		_, err := conn.Read(make([]byte, 1))
		if timeout, ok := errors.AsType[net.Error](err); (ok && timeout.Timeout()) != c.open {
			t.Errorf("%.60q: then %v", c.send, err)
		}
	}
}

// TestClients serves eight clients at once, and a ninth when one has gone.
func TestClients(t *testing.T) {
	path := filepath.Join(t.TempDir(), "token")
	token := "0123456789abcdef"
	if err := os.WriteFile(path, []byte(token+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	at, printed := listening(t, "tcp", "--token-file", path)
	if printed != "" {
		t.Errorf("the token of a file was printed: %q", printed)
	}
	var first net.Conn
	for range maxClients {
		conn, got := dial(t, at, frame(withToken(token)))
		if !strings.Contains(got, "positionEncoding") {
			t.Fatalf("%q", got)
		}
		first = conn
	}
	if _, got := dial(t, at, frame(withToken(token))); !strings.Contains(got, "too many clients") {
		t.Errorf("a ninth client got %q", got)
	}
	_ = first.Close()
	for range 100 {
		if _, got := dial(t, at, frame(withToken(token))); strings.Contains(got, "positionEncoding") {
			return
		}
		time.Sleep(20 * time.Millisecond)
	}
	t.Error("there is no room after a client has gone")
}

// flaky is a listener that fails after its first connection.
type flaky struct {
	net.Listener
	accepted bool
}

func (f *flaky) Accept() (net.Conn, error) {
	if f.accepted {
		return nil, errors.New("no more")
	}
	f.accepted = true
	return f.Listener.Accept()
}

// TestAcceptFails checks that a listener that fails ends the connections it has, instead of waiting
// for the clients to leave.
func TestAcceptFails(t *testing.T) {
	socket, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	l, err := newListener(serverFlags{listen: "tcp:127.0.0.1:0"}, lsp.Options{})
	if err != nil {
		t.Fatal(err)
	}
	conn, err := net.Dial("tcp", socket.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	done := make(chan error, 1)
	go func() { done <- l.serveOn(t.Context(), &flaky{Listener: socket}) }()
	select {
	case err := <-done:
		if err == nil || err.Error() != "no more" {
			t.Errorf("it ends with %v", err)
		}
	case <-time.After(10 * time.Second):
		t.Error("it waits for its client")
	}
}

// TestWebSocket lets in clients without an origin and the pages that were allowed, and nobody else.
func TestWebSocket(t *testing.T) {
	at, token := listening(t, "ws", "--allow-origin", "http://localhost:3000", "--allow-origin", "https://editor.example.org")
	for _, c := range []struct {
		host, origin string
		ok           bool
	}{
		{"", "", true},
		{"", "http://localhost:3000", true},
		{"", "https://editor.example.org", true},
		{"", "http://localhost:3001", false},
		{"", "http://localhost", false},
		{"", "https://localhost:3000", false},
		{"", "https://example.org", false},
		{"", "null", false},
		{"example.org", "http://localhost:3000", false}, // a public name that resolves to this machine
		{"example.org", "", false},
		{at + ".example.org", "", false},
		{"localhost.", "", false},
	} {
		header := http.Header{}
		if c.origin != "" {
			header.Set("Origin", c.origin)
		}
		if c.host != "" {
			header.Set("Host", c.host)
		}
		conn, res, err := websocket.DefaultDialer.Dial("ws://"+at, header)
		if res != nil {
			_ = res.Body.Close()
		}
		if (err == nil) != c.ok {
			t.Errorf("%+v: %v", c, err)
		}
		if err != nil {
			continue
		}
		for _, x := range []struct{ send, get string }{
			{"{", "-32700"}, {withToken(token), "positionEncoding"},
		} {
			if err := conn.WriteMessage(websocket.TextMessage, []byte(x.send)); err != nil {
				t.Fatal(err)
			}
			_, got, err := conn.ReadMessage()
			if err != nil || !strings.Contains(string(got), x.get) {
				t.Errorf("%s %v", got, err)
			}
		}
		_ = conn.Close()
	}
}
