// Package lsp measures the promises of the language server: on the program itself, over its standard streams, with a
// file of 2,000 selectors (80 KB) and a workspace of 10,000 files. The metrics of a row are its figures: p50-ms, p95-ms
// and max-ms of many requests, or rss-MB.
package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
)

var program string

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "pact-lsp")
	if err != nil {
		panic(err)
	}
	program = filepath.Join(dir, "pact-lsp")
	build := exec.Command("go", "build", "-o", program, "./cmd/pact-lsp")
	build.Dir = filepath.Join("..", "..")
	build.Stderr = os.Stderr
	if err := build.Run(); err != nil {
		panic(err)
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// source is a file of 2,000 selectors, 80 KB.
func source() string {
	var b strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&b, "^seq .seg > .block+user[ttl<=%d]{kind='x%02d'}\n", i%9+1, i%50)
	}
	return b.String()
}

// ugly is a file of 2,000 selectors with two findings each and more, and a folder with two fixtures for it.
func ugly(b *testing.B) (folder, uri, text string) {
	folder = b.TempDir()
	files := map[string]string{".pactkit.toml": "fixtures = [\"f0.json\", \"f1.json\"]\n"}
	for f := range 2 {
		var nodes []string
		for i := range 400 {
			nodes = append(nodes, fmt.Sprintf(`{"id":"s%d","children":[{"id":"c%d","nodeType":"cont","children":[{"id":"b%d","nodeType":"block","tag":["t%d"]}]}]}`, i, i, i, i%9))
		}
		files[fmt.Sprintf("f%d.json", f)] = `{"root":{"nodeType":"^root","children":[{"nodeType":"^sys"},{"nodeType":"^seq","children":[` +
			strings.Join(nodes, ",") + `]},{"nodeType":"^ah"}]}}`
	}
	for name, data := range files {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(data), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	var t strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&t, "^seq .mt > .cb+tag%02d[ttl<=%d] .x{kind='x%02d'}\n", i%50, i%9+1, i%50)
	}
	return folder, "file://" + folder + "/a.pactsel", t.String()
}

// client drives one server.
type client struct {
	b    *testing.B
	cmd  *exec.Cmd
	conn *jsonrpc2.Conn

	pushed chan int32 // versions of diagnostics

	uri, text string // of the document
}

type pipes struct {
	io.ReadCloser
	io.WriteCloser
}

func (p pipes) Close() error { _ = p.ReadCloser.Close(); return p.WriteCloser.Close() }

func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	if req.Method == "textDocument/publishDiagnostics" {
		var p struct {
			Version int32 `json:"version"`
		}
		if json.Unmarshal(*req.Params, &p) == nil {
			c.pushed <- p.Version
		}
	}
	if !req.Notif {
		_ = conn.Reply(ctx, req.ID, nil)
	}
}

func start(b *testing.B, folder string, pull bool) *client {
	b.Helper()
	c := &client{b: b, pushed: make(chan int32, 10_000), uri: uri, text: source()}
	c.cmd = exec.Command(program, "--stdio")
	c.cmd.Stderr = os.Stderr
	in, err1 := c.cmd.StdinPipe()
	out, err2 := c.cmd.StdoutPipe()
	if err1 != nil || err2 != nil || c.cmd.Start() != nil {
		b.Fatal("the server does not start")
	}
	c.conn = jsonrpc2.NewConn(context.Background(), jsonrpc2.NewBufferedStream(pipes{out, in}, jsonrpc2.VSCodeObjectCodec{}), jsonrpc2.AsyncHandler(c))
	document := map[string]any{"publishDiagnostics": map[string]any{"versionSupport": true}}
	if pull {
		document["diagnostic"] = map[string]any{}
	}
	c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + folder,
		"capabilities": map[string]any{"textDocument": document, "workspace": map[string]any{"diagnostics": map[string]any{}}},
	})
	c.notify("initialized", map[string]any{})
	return c
}

func (c *client) call(method string, params any) json.RawMessage {
	c.b.Helper()
	var r json.RawMessage
	if err := c.conn.Call(context.Background(), method, params, &r); err != nil {
		c.b.Fatal(method, err)
	}
	return r
}

func (c *client) notify(method string, params any) {
	c.b.Helper()
	if err := c.conn.Notify(context.Background(), method, params); err != nil {
		c.b.Fatal(err)
	}
}

func (c *client) stop() {
	c.call("shutdown", nil)
	c.notify("exit", nil)
	if err := c.cmd.Wait(); err != nil {
		c.b.Fatal(err)
	}
}

// spent stops the server and reports the time its process took of the processors for one request, which the other work of
// the machine does not change.
func (c *client) spent() {
	c.stop()
	took := c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
	c.b.ReportMetric(float64(took.Microseconds())/1000/float64(c.b.N), "cpu-ms/op")
}

const uri = "file:///bench/a.pactsel"

func (c *client) open() {
	c.notify("textDocument/didOpen", map[string]any{
		"textDocument": map[string]any{"uri": c.uri, "languageId": "pact-selector", "version": 0, "text": c.text},
	})
}

func place(line, character int) map[string]any {
	return map[string]any{"line": line, "character": character}
}

// figures reports the times of many requests.
func figures(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
	b.ReportMetric(ms(times[len(times)*95/100]), "p95-ms")
	b.ReportMetric(ms(times[len(times)-1]), "max-ms")
}

func timed(b *testing.B, f func(i int)) {
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		f(i)
		times = append(times, time.Since(begun))
	}
	figures(b, times)
}

// Initialize starts the program and asks it to initialize: promised are 100 ms.
func BenchmarkInitialize(b *testing.B) {
	folder := b.TempDir()
	var times []time.Duration
	for b.Loop() {
		begun := time.Now()
		c := start(b, folder, false)
		times = append(times, time.Since(begun))
		c.stop()
	}
	figures(b, times)
}

// Completion in a file that has just changed: promised are 20 ms for 95 of 100.
func BenchmarkCompletion(b *testing.B) { benchmarkAsk(b, "textDocument/completion") }

// Hover in a file that has just changed: promised are 20 ms for 95 of 100.
func BenchmarkHover(b *testing.B) { benchmarkAsk(b, "textDocument/hover") }

func benchmarkAsk(b *testing.B, method string) { ask(b, start(b, b.TempDir(), false), method) }

func ask(b *testing.B, c *client, method string) {
	defer c.spent()
	c.open()
	timed(b, func(i int) {
		at := c.edit(i)
		c.call(method, map[string]any{"textDocument": map[string]any{"uri": c.uri}, "position": at})
	})
}

// edit types a character into a line, or takes it back, and returns where.
func (c *client) edit(i int) map[string]any {
	at, text := place(i*37%2000, 12), "x"
	if i%2 == 1 {
		at, text = place((i-1)*37%2000, 12), ""
	}
	c.notify("textDocument/didChange", map[string]any{
		"textDocument":   map[string]any{"uri": c.uri, "version": i + 1},
		"contentChanges": []any{map[string]any{"range": map[string]any{"start": at, "end": place(at["line"].(int), 12+i%2)}, "text": text}},
	})
	return at
}

// Diagnostics of a file after an edit: promised are 30 ms for 95 of 100.
func BenchmarkDiagnostics(b *testing.B) { diagnose(b, start(b, b.TempDir(), false)) }

func diagnose(b *testing.B, c *client) {
	defer c.spent()
	c.open()
	timed(b, func(i int) {
		c.edit(i)
		for version := range c.pushed {
			if version == int32(i+1) {
				break
			}
		}
	})
}

// Ugly asks the same of a file of 100 KB with thousands of findings and two fixtures.
func BenchmarkUgly(b *testing.B) {
	for _, c := range []struct {
		name string
		run  func(*testing.B, *client)
	}{
		{"completion", func(b *testing.B, c *client) { ask(b, c, "textDocument/completion") }},
		{"hover", func(b *testing.B, c *client) { ask(b, c, "textDocument/hover") }},
		{"diagnostics", diagnose},
	} {
		b.Run(c.name, func(b *testing.B) {
			folder, uri, text := ugly(b)
			client := start(b, folder, false)
			client.uri, client.text = uri, text
			c.run(b, client)
		})
	}
}

// Cancel ends a search of the whole workspace: promised are 50 ms.
func BenchmarkCancel(b *testing.B) {
	c := start(b, workspace(b, 2000), true)
	defer c.stop()
	timed(b, func(i int) {
		id := jsonrpc2.ID{Num: uint64(1_000_000 + i)}
		w, err := c.conn.DispatchCall(context.Background(), "workspace/diagnostic", map[string]any{"previousResultIds": []any{}}, jsonrpc2.PickID(id))
		if err != nil {
			b.Fatal(err)
		}
		c.notify("$/cancelRequest", map[string]any{"id": id})
		_ = w.Wait(context.Background(), nil) // cancelled, or done before
	})
}

// Scan finds what is wrong in a workspace of 10,000 files, of which 2,000 hold selectors.
func BenchmarkScan(b *testing.B) {
	folder := workspace(b, 10_000)
	pull := map[string]any{"previousResultIds": []any{}}
	b.Run("first", func(b *testing.B) {
		memory := 0.0
		timed(b, func(int) {
			c := start(b, folder, true)
			c.call("workspace/diagnostic", pull)
			memory = rss(b, c.cmd.Process.Pid)
			c.stop()
		})
		b.ReportMetric(memory, "rss-MB")
	})
	b.Run("again", func(b *testing.B) {
		c := start(b, folder, true)
		c.call("workspace/diagnostic", pull)
		timed(b, func(int) { c.call("workspace/diagnostic", pull) })
		b.ReportMetric(rss(b, c.cmd.Process.Pid), "rss-MB")
		c.stop()
	})
}

// Idle is the memory of a server with the file open, some seconds after the last edit: promised are 40 MB.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		c := start(b, b.TempDir(), false)
		c.open()
		<-c.pushed
		c.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": place(5, 12)})
		time.Sleep(3 * time.Second)
		b.ReportMetric(rss(b, c.cmd.Process.Pid), "rss-MB")
		c.stop()
	}
}

// rss is the resident memory of a process in megabytes.
func rss(b *testing.B, pid int) float64 {
	data, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
	if err != nil {
		b.Skip("no /proc")
	}
	_, rest, _ := strings.Cut(string(data), "VmRSS:")
	kb, err := strconv.Atoi(strings.Fields(rest)[0])
	if err != nil {
		b.Fatal(err)
	}
	return float64(kb) / 1024
}

// workspace writes n files, one in five with selectors.
func workspace(b *testing.B, n int) string {
	b.Helper()
	dir := b.TempDir()
	for i := range n {
		name, text := fmt.Sprintf("f%d.go", i), "package x\n\nfunc f() string { return \"nothing\" }\n"
		switch i % 10 {
		case 0:
			name, text = fmt.Sprintf("f%d.pactsel", i), ".cb+user\n^seq .seg\n"
		case 1:
			text = "package x\n\n// pact\nvar x = ctx.Select(\".cb+user\")\n"
		}
		folder := filepath.Join(dir, fmt.Sprint(i/100))
		if err := os.MkdirAll(folder, 0o755); err != nil {
			b.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(folder, name), []byte(text), 0o644); err != nil {
			b.Fatal(err)
		}
	}
	return dir
}
