//go:build unix

package cli

import (
	"bufio"
	"bytes"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"
)

// These match what servers print: inspectors and proxies the address and a token, pact-lsp the
// other way round, receivers of OTLP the address.
var (
	inspecting = regexp.MustCompile(`http://(\S+)/#token=(\S+)`)
	receiving  = regexp.MustCompile(`receiving OTLP at http://(\S+),`)
	proxying   = regexp.MustCompile(`http://(127\.0\.0\.1:\d+)/(\w+)/openai`)
	listening  = regexp.MustCompile(`(?s)token (\S+)\n.*listening at tcp:(\S+)`)
)

// attack is a line of testdata/attacks.
type attack struct{ Name, Send, Want string }

// secret is a text outside the folders that are served.
const secret = "the secret outside"

// victim is a server under attack.
type victim struct {
	values *strings.Replacer // replaces placeholders
	ask    func(t *testing.T, send string) string
	alive  func(t *testing.T) // fails unless the owner is served
}

// TestAttacks runs the attacks of testdata/attacks against all servers. The server must answer each
// as expected, and serve the owner after it.
func TestAttacks(t *testing.T) {
	outside, dir := t.TempDir(), t.TempDir()
	chat := fmt.Sprintf(`[{"role":"user","content":%q}]`, secret)
	for path, text := range map[string]string{
		filepath.Join(outside, "secret.json"): chat, filepath.Join(dir, "chat.json"): `[{"role":"user","content":"hi"},{"role":"assistant","content":"ho"}]`,
	} {
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for name, to := range map[string]string{
		"link.json": filepath.Join(outside, "secret.json"), "folder": outside, "up.json": "../" + filepath.Base(outside) + "/secret.json",
	} {
		if err := os.Symlink(to, filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	if err := syscall.Mkfifo(filepath.Join(dir, "pipe.json"), 0o600); err != nil {
		t.Fatal(err)
	}
	count := 0
	for name, start := range map[string]func(*testing.T, string) *victim{
		"inspector": startInspector, "otlp": startOTLP, "proxy": startProxy, "lsp": startLSP, "mcp": startMCP, "worker": startWorker,
	} {
		list := attacksOn(t, name)
		count += len(list)
		t.Run(name, func(t *testing.T) {
			v := start(t, dir)
			for _, a := range list {
				got := v.ask(t, expand(t, v.values.Replace(strings.ReplaceAll(a.Send, "{{outside}}", outside))))
				if !regexp.MustCompile(a.Want).MatchString(got) {
					t.Errorf("%s: the answer is %.500q, want %s", a.Name, got, a.Want)
				}
				if strings.Contains(got, secret) {
					t.Errorf("%s: the answer has the secret: %.500q", a.Name, got)
				}
				v.alive(t)
			}
		})
	}
	if count < 100 {
		t.Errorf("%d attacks", count)
	}
}

// TestStrangers opens a thousand silent connections to each server that listens. The server must
// still serve the owner.
func TestStrangers(t *testing.T) {
	for name, start := range map[string]func(*testing.T, string) *victim{"inspector": startInspector, "otlp": startOTLP, "proxy": startProxy, "lsp": startLSP} {
		t.Run(name, func(t *testing.T) {
			dir := t.TempDir()
			if err := os.WriteFile(filepath.Join(dir, "chat.json"), []byte(`[{"role":"user","content":"hi"}]`), 0o600); err != nil {
				t.Fatal(err)
			}
			v := start(t, dir)
			at := v.values.Replace("{{host}}")
			for i := range 1000 {
				conn, err := net.Dial("tcp", at)
				if err != nil {
					t.Fatalf("connection %d: %v", i, err)
				}
				t.Cleanup(func() { _ = conn.Close() })
			}
			began := time.Now()
			v.alive(t)
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("the owner was served after %v", took)
			}
		})
	}
}

func attacksOn(t *testing.T, name string) (list []attack) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("..", "..", "..", "testdata", "attacks", name+".jsonl"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range bytes.Lines(data) {
		var a attack
		if err := json.Unmarshal(line, &a); err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		list = append(list, a)
	}
	return list
}

var placeholder = regexp.MustCompile(`(?s)\{\{(repeat|bytes|frame):(.*?)\}\}`)

// expand replaces the placeholders that have a value.
func expand(t *testing.T, text string) string {
	return placeholder.ReplaceAllStringFunc(text, func(s string) string {
		m := placeholder.FindStringSubmatch(s)
		switch kind, value := m[1], m[2]; kind {
		case "frame":
			return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(value), value)
		case "bytes":
			b, err := hex.DecodeString(value)
			if err != nil {
				t.Fatal(err)
			}
			return string(b)
		default:
			n, what, _ := strings.Cut(value, ":")
			times, err := strconv.Atoi(n)
			if err != nil {
				t.Fatal(err)
			}
			return strings.Repeat(what, times)
		}
	})
}

// serving starts a program and waits for a line of its output that matches. It ends with the test.
func serving(t testing.TB, dir string, ready *regexp.Regexp, program string, args ...string) []string {
	t.Helper()
	m, _ := started(t, dir, ready, program, args...)
	return m
}

// started is like serving, and also returns the process.
func started(t testing.TB, dir string, ready *regexp.Regexp, program string, args ...string) ([]string, *os.Process) {
	t.Helper()
	cmd := exec.Command(program, args...)
	cmd.Dir, cmd.Env = dir, append(os.Environ(), "HOME="+dir)
	r, w, err := os.Pipe()
	if err != nil {
		t.Fatal(err)
	}
	cmd.Stdout, cmd.Stderr = w, w
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	_ = w.Close()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGTERM)
		_ = cmd.Wait()
		_ = r.Close()
	})
	late := time.AfterFunc(30*time.Second, func() { _ = cmd.Process.Kill() })
	defer late.Stop()
	in, all := bufio.NewReader(r), ""
	for {
		line, err := in.ReadString('\n')
		all += line
		if m := ready.FindStringSubmatch(all); m != nil {
			go func() { _, _ = io.Copy(io.Discard, in) }()
			return m, cmd.Process
		}
		if err != nil {
			t.Fatalf("%s %v: %v: %s", program, args, err, all)
		}
	}
}

// network makes a victim of a server that listens.
func network(at, token string, alive func(*testing.T)) *victim {
	_, port, _ := net.SplitHostPort(at)
	return &victim{
		values: strings.NewReplacer("{{host}}", at, "{{port}}", port, "{{token}}", token, "{{half}}", token[:len(token)/2], "{{capitals}}", strings.ToUpper(token)),
		ask: func(t *testing.T, send string) string {
			t.Helper()
			return exchange(t, at, send, 700*time.Millisecond)
		},
		alive: alive,
	}
}

// exchange sends a text over a new connection. It returns the answer until the server closes the
// connection or is silent.
func exchange(t *testing.T, at, send string, patience time.Duration) string {
	t.Helper()
	conn, err := net.Dial("tcp", at)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	_ = conn.SetDeadline(time.Now().Add(patience))
	go func() { _, _ = io.WriteString(conn, send) }()
	var got bytes.Buffer
	_, _ = io.Copy(&got, conn)
	return got.String()
}

// answers fails the test unless a request gets a status.
func answers(t *testing.T, want int, method, url, token, body string) {
	t.Helper()
	q, err := http.NewRequestWithContext(t.Context(), method, url, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	q.Header.Set("Content-Type", "application/json")
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		t.Fatalf("the owner is not served: %v", err)
	}
	_, _ = io.Copy(io.Discard, res.Body)
	_ = res.Body.Close()
	if res.StatusCode != want {
		t.Fatalf("the owner gets %s", res.Status)
	}
}

func startInspector(t *testing.T, dir string) *victim {
	m := serving(t, dir, inspecting, "pactkit", "inspect", "chat.json", "--no-open")
	return network(m[1], m[2], func(t *testing.T) { answers(t, 200, "GET", "http://"+m[1]+"/api/sessions", m[2], "") })
}

func startOTLP(t *testing.T, dir string) *victim {
	m := serving(t, dir, receiving, "pactkit", "record", "--otlp=127.0.0.1:0", "-o", filepath.Join(t.TempDir(), "run"))
	return network(m[1], "", func(t *testing.T) { answers(t, 200, "POST", "http://"+m[1]+"/v1/traces", "", "{}") })
}

func startProxy(t *testing.T, dir string) *victim {
	upstream, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := &http.Server{Handler: http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, "{}") })}
	go func() { _ = server.Serve(upstream) }()
	t.Cleanup(func() { _ = server.Close() })
	m := serving(t, dir, proxying, "pactkit", "record", "--no-launch", "--print-env",
		"--upstream", "here=http://"+upstream.Addr().String(), "-o", filepath.Join(t.TempDir(), "run"))
	return network(m[1], m[2], func(t *testing.T) { answers(t, 200, "POST", "http://"+m[1]+"/"+m[2]+"/here/v1", "", "{}") })
}

func startLSP(t *testing.T, dir string) *victim {
	m := serving(t, dir, listening, "pact-lsp", "--listen", "tcp:127.0.0.1:0")
	return network(m[2], m[1], func(t *testing.T) {
		t.Helper()
		hello := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{},"initializationOptions":{"token":%q}}}`, m[1])
		end := `{"jsonrpc":"2.0","method":"exit"}`
		text := fmt.Sprintf("Content-Length: %d\r\n\r\n%sContent-Length: %d\r\n\r\n%s", len(hello), hello, len(end), end)
		if got := exchange(t, m[2], text, 2*time.Second); !strings.Contains(got, "positionEncoding") {
			t.Fatalf("the owner gets %q", got)
		}
	})
}

// lines makes a victim of a program that answers lines. ping is a request whose answer has pong.
func lines(t *testing.T, dir, ping, pong string, args ...string) *victim {
	t.Helper()
	cmd := exec.Command("pactkit", args...)
	cmd.Dir, cmd.Stderr = dir, os.Stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = in.Close()
		_ = cmd.Wait()
	})
	answers := bufio.NewReader(out)
	count := 0
	ask := func(t *testing.T, send string) string {
		t.Helper()
		count++
		missing := 0 // answers
		if send != "" {
			send += "\n"
			missing = strings.Count(send, "\n") - strings.Count(send, `"notifications/`)
		}
		go func() { _, _ = io.WriteString(in, send+fmt.Sprintf(ping, count)+"\n") }()
		got := ""
		for isAlive := false; !isAlive || missing > 0; {
			line, err := answers.ReadString('\n')
			if err != nil {
				t.Fatalf("%v ended: %v", args, err)
			}
			if strings.Contains(line, fmt.Sprintf(pong, count)) {
				isAlive = true
				continue
			}
			got, missing = got+line, missing-1
		}
		return got
	}
	return &victim{values: strings.NewReplacer(), ask: ask, alive: func(t *testing.T) { ask(t, "") }}
}

func startMCP(t *testing.T, dir string) *victim {
	v := lines(t, dir, `{"jsonrpc":"2.0","id":"ping %d","method":"ping"}`, `"id":"ping %d"`, "mcp", dir, "file:"+filepath.Join(dir, "kept"))
	v.ask(t, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}`+"\n"+
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`)
	return v
}

func startWorker(t *testing.T, dir string) *victim {
	return lines(t, dir, `{"id":"ping %d","log":[],"from":"openai","selectors":[]}`, `"id":"ping %d"`, "worker", "--max-bytes", "1048576")
}
