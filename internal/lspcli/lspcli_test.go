package lspcli

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"net"
	"net/http"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/gorilla/websocket"
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

// late ends an input some time after the last message, so that there is time for answers.
type late struct{}

func (late) Read([]byte) (int, error) { time.Sleep(500 * time.Millisecond); return 0, io.EOF }

const (
	initialize = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
	shutdown   = `{"jsonrpc":"2.0","id":2,"method":"shutdown"}`
	exit       = `{"jsonrpc":"2.0","method":"exit"}`
)

// TestRun runs the program with flags and an input, and looks at its exit code and what it prints.
func TestRun(t *testing.T) {
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
		{"--log loud", nil, 2, "", "a level is debug, info, warn or error"},
		{"--listen tcp:0.0.0.0:0", nil, 2, "", "only this machine is served"},
		{"--listen ws:example.org:80", nil, 2, "", "only this machine is served"},
		{"--listen udp:127.0.0.1:0", nil, 2, "", "an address is tcp:HOST:PORT or ws:HOST:PORT"},
		{"--listen tcp:127.0.0.1", nil, 2, "", "missing port"},
		{"--listen tcp:127.0.0.1:0 --stdio", nil, 2, "", "exclude each other"},
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

// listening starts the program at a port of its choice, and returns the address it prints.
func listening(t *testing.T, kind string) string {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	var errs buffer
	done := make(chan int)
	go func() { done <- run(ctx, streams{nil, io.Discard, &errs}, []string{"--listen", kind + ":127.0.0.1:0"}) }()
	t.Cleanup(func() {
		stop()
		if code := <-done; code != 0 {
			t.Errorf("code %d: %s", code, errs.String())
		}
	})
	for range 1000 {
		if _, at, ok := strings.Cut(errs.String(), "listening at "+kind+":"); ok {
			return strings.TrimSpace(at)
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Fatal("it does not listen")
	return ""
}

// TestTCP serves two clients at once, and refuses what a browser would send.
func TestTCP(t *testing.T) {
	at := listening(t, "tcp")
	for _, c := range []struct{ send, get string }{
		{"Content-Length: 75\r\n\r\n" + initialize, "positionEncoding"},
		{"POST / HTTP/1.1\r\nContent-Length: 75\r\n\r\n" + initialize, ""},
	} {
		conn, err := net.Dial("tcp", at)
		if err != nil {
			t.Fatal(err)
		}
		if len(initialize) != 75 {
			t.Fatalf("%d bytes", len(initialize))
		}
		fmt.Fprint(conn, c.send)
		_ = conn.SetReadDeadline(time.Now().Add(10 * time.Second))
		data := make([]byte, 4096)
		n, _ := conn.Read(data)
		if got := string(data[:n]); c.get == "" && n > 0 || n == 0 && c.get != "" || c.get != "" && !strings.HasPrefix(got, "Content-Length") {
			t.Errorf("%q: %q", c.send, got)
		}
		_ = conn.Close()
	}
}

// TestWebSocket lets in clients without an origin and pages of this machine, and nobody else.
func TestWebSocket(t *testing.T) {
	at := listening(t, "ws")
	for _, c := range []struct {
		host, origin string
		ok           bool
	}{
		{"", "", true},
		{"", "http://localhost:3000", true},
		{"", "https://example.org", false},
		{"", "null", false},
		{"example.org", "http://example.org", false}, // a public name that resolves to this machine
		{"example.org", "", false},
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
		for _, send := range []string{"{", initialize} {
			if err := conn.WriteMessage(websocket.TextMessage, []byte(send)); err != nil {
				t.Fatal(err)
			}
			_, got, err := conn.ReadMessage()
			if err != nil || !strings.Contains(string(got), `"jsonrpc"`) {
				t.Errorf("%s %v", got, err)
			}
		}
		_ = conn.Close()
	}
}
