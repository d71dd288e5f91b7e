//go:build linux && !race

package cli

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"net/textproto"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"
)

// testMemoryServers asks servers about the same files. They must stay within the limit, too, and
// answer what is asked then.
func testMemoryServers(t *testing.T, dir string) {
	var worker, mcp strings.Builder
	mcp.WriteString(mcpHello)
	id := 1
	for name := range bombs {
		for _, file := range []string{name, "chat.json"} {
			id++
			worker.WriteString(workerAsks(file))
			mcp.WriteString(mcpAsks(id, file))
		}
	}
	long := &repeated{"a", 300 << 20}
	most, code, out, errs := peak(t, dir, io.MultiReader(strings.NewReader(worker.String()+`{"id":"long","log":"`), long,
		strings.NewReader("\"}\n"+`{"id":"last","path":"chat.json","selectors":[".block"]}`+"\n")), "pactkit", "worker", memoryFlag)
	if served := strings.Count(out, `"ids":[`); most > memoryLimit || code != 0 || served != len(bombs)+1 || strings.Count(out, `"error"`) != len(bombs)+1 {
		t.Errorf("worker: %d MiB, exit code %d, %d answers: %.3000s %s", most>>20, code, served, out, errs)
	}
	most, code, out, errs = peak(t, dir, strings.NewReader(mcp.String()), "pactkit", "mcp", dir, memoryFlag)
	if refused := strings.Count(out, `"isError":true`); most > memoryLimit || code != 0 || refused != len(bombs) || strings.Count(out, "\n") != id {
		t.Errorf("mcp: %d MiB, exit code %d, %d refused: %.3000s %s", most>>20, code, refused, out, errs)
	}
	long.left = 300 << 20
	most, code, out, errs = peak(t, dir, io.MultiReader(strings.NewReader(frame(lspHello)), strings.NewReader(fmt.Sprintf("Content-Length: %d\r\n\r\n", long.left)), long),
		"pact-lsp", memoryFlag)
	if most > memoryLimit || !strings.Contains(out, "positionEncoding") {
		t.Errorf("pact-lsp: %d MiB, exit code %d: %.500s %s", most>>20, code, out, errs)
	}
}

const (
	mcpHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"a","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	lspHello = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"capabilities":{}}}`
)

// lspOpens returns a notification that a document is open, without the beginning that all messages
// have.
func lspOpens(path, text string) string {
	body, _ := json.Marshal(text) // of a string, cannot fail
	return fmt.Sprintf(`"textDocument/didOpen","params":{"textDocument":{"uri":"file://%s","languageId":%q,"version":1,"text":%s}}`, path, filepath.Ext(path)[1:], body)
}

func lspAbout(path string) string {
	return fmt.Sprintf(`{"textDocument":{"uri":"file://%s"},"position":{"line":0,"character":3},"options":{"tabSize":4,"insertSpaces":true}}`, path)
}

func workerAsks(file string) string {
	return fmt.Sprintf(`{"id":"%s","path":%q,"selectors":[".block"]}`+"\n", file, file)
}

func mcpAsks(id int, file string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"log","arguments":{"path":%q}}}`+"\n", id, file)
}

// frame returns a message as the language server reads it.
func frame(message string) string {
	return fmt.Sprintf("Content-Length: %d\r\n\r\n%s", len(message), message)
}

// peakSoFar returns the largest resident memory in bytes of a running process.
func peakSoFar(t testing.TB, p *os.Process) int64 {
	t.Helper()
	status, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", p.Pid))
	var kib int64
	if err == nil {
		_, rest, _ := strings.Cut(string(status), "VmHWM:")
		_, err = fmt.Sscan(rest, &kib)
	}
	if err != nil {
		t.Fatal(err)
	}
	return kib << 10
}

// firstCall is how the answer about a session begins.
const firstCall = `{"call":`

// inspected returns what an inspector answers when it is asked for a session: the first line. It
// waits until the inspector knows of the session.
func inspected(at, token string, session int) (line string, err error) {
	for none := fmt.Sprint("there is no session ", session); line == "" || strings.HasPrefix(line, none); time.Sleep(20 * time.Millisecond) {
		if line, err = asked(at, token, session); err != nil && err != io.EOF {
			return line, err
		}
	}
	return line, nil
}

func asked(at, token string, session int) (string, error) {
	q, err := http.NewRequestWithContext(context.Background(), "GET", fmt.Sprintf("http://%s/api/steps?session=%d", at, session), nil)
	if err != nil {
		return "", err
	}
	q.Header.Set("Authorization", "Bearer "+token)
	res, err := http.DefaultTransport.RoundTrip(q)
	if err != nil {
		return "", err
	}
	defer res.Body.Close()
	return bufio.NewReader(res.Body).ReadString('\n')
}

// testMemoryInspector asks an inspector of all files for every session.
func testMemoryInspector(t *testing.T, dir string) {
	m, p := started(t, dir, inspecting, "pactkit", append([]string{"inspect", "chat.json", "--no-open", memoryFlag}, slices.Collect(maps.Keys(bombs))...)...)
	answers(t, 200, "GET", "http://"+m[1]+"/api/sessions", m[2], "") // to its end: all are found
	served, refused := 0, 0
	for range 2 {
		for i := range len(bombs) + 1 {
			line, err := inspected(m[1], m[2], i)
			switch {
			case err != nil:
				t.Errorf("session %d: %v", i, err)
			case strings.HasPrefix(line, firstCall):
				served++
			default:
				refused++
			}
		}
	}
	if most := peakSoFar(t, p); most > memoryLimit || served != 2 || refused != 2*len(bombs) {
		t.Errorf("%d MiB, %d served, %d refused", most>>20, served, refused)
	}
}

// editor is a client of a language server.
type editor struct {
	conn net.Conn
	in   *textproto.Reader
	id   int
}

// edit starts a language server in a folder, and opens a document whose language is the ending of
// its name.
func edit(t testing.TB, dir, flag, name, text string) (*editor, *os.Process) {
	m, p := started(t, dir, listening, "pact-lsp", "--listen", "tcp:127.0.0.1:0", flag)
	conn, err := net.Dial("tcp", m[2])
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	e := &editor{conn, textproto.NewReader(bufio.NewReader(conn)), 0}
	e.ask("initialize", fmt.Sprintf(`{"rootUri":"file://%s","capabilities":{},"initializationOptions":{"token":%q}}`, dir, m[1]))
	for _, message := range []string{`"initialized","params":{}`, lspOpens(filepath.Join(dir, name), text)} {
		_, _ = io.WriteString(conn, frame(`{"jsonrpc":"2.0","method":`+message+`}`)) // the next answer shows an error
	}
	return e, p
}

// ask sends a request and returns the answer, or what is wrong.
func (e *editor) ask(method, params string) string {
	e.id++
	_, err := io.WriteString(e.conn, frame(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, e.id, method, params)))
	for err == nil {
		header, wrong := e.in.ReadMIMEHeader()
		size, _ := strconv.Atoi(header.Get("Content-Length"))
		body := make([]byte, size)
		if wrong == nil {
			_, wrong = io.ReadFull(e.in.R, body)
		}
		if err = wrong; strings.Contains(string(body), fmt.Sprintf(`"id":%d,`, e.id)) {
			return string(body)
		}
	}
	return fmt.Sprint(err)
}

// about asks about a document and its first word.
func (e *editor) about(what, path string) string { return e.ask("textDocument/"+what, lspAbout(path)) }

// found returns what hovering over the first word of the document says once all fixtures are read.
func (e *editor) found(dir string) string {
	for {
		answer := e.about("hover", filepath.Join(dir, "a.pactsel"))
		if !strings.Contains(answer, "is being read") && !strings.Contains(answer, "are being read") {
			return answer
		}
		time.Sleep(100 * time.Millisecond)
	}
}

// testMemoryEditor hovers over a selector that has each of the files as a fixture.
func testMemoryEditor(t *testing.T, dir string) {
	config := filepath.Join(dir, ".pactkit.toml")
	defer os.Remove(config)
	for name := range bombs {
		if err := os.WriteFile(config, fmt.Appendf(nil, "fixtures = [\"chat.json\", %q]\n", name), 0o600); err != nil {
			t.Fatal(err)
		}
		e, p := edit(t, dir, memoryFlag, "a.pactsel", ".block+user\n")
		answer := e.found(dir)
		if most := peakSoFar(t, p); most > memoryLimit || !strings.Contains(answer, "chat.json: 1 node") {
			t.Errorf("%s: %d MiB: %s", name, most>>20, answer)
		}
		_ = e.conn.Close()
	}
}
