// Package lsp measures the language server against its performance targets, and compares it with
// peers where there are any. It runs the programs themselves and talks to them over their standard
// streams. The metrics are p50-ms, p95-ms and max-ms of many requests, cpu-ms/op of the server
// alone, and rss-MB.
package lsp

import (
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
)

// programs is the folder of the programs that built builds.
var programs string

// The bytes of a large file, the files of a workspace, and the time after which a server is idle.
var (
	largeFile = 9_900_000
	files     = 10_000
	pause     = 8 * time.Second
)

func TestMain(m *testing.M) {
	dir, err := os.MkdirTemp("", "pact-lsp")
	if err != nil {
		panic(err)
	}
	programs = dir
	flag.Parse()
	if testing.Short() {
		largeFile, files, pause = 1_000_000, 100, 0
	}
	code := m.Run()
	_ = os.RemoveAll(dir)
	os.Exit(code)
}

// built returns a function that builds a program on the first call, in a folder of the repository,
// and returns its command line.
func built(name, folder, path string) func(b *testing.B) []string {
	build := sync.OnceValue(func() error {
		cmd := exec.Command("go", "build", "-o", filepath.Join(programs, name), path)
		cmd.Dir, cmd.Stderr = folder, os.Stderr
		return cmd.Run()
	})
	return func(b *testing.B) []string {
		if err := build(); err != nil {
			b.Fatal(name, err)
		}
		return []string{filepath.Join(programs, name)}
	}
}

var (
	pact  = built("pact-lsp", filepath.Join("..", ".."), "./cmd/pact-lsp")
	gopls = built("gopls", "peers", "golang.org/x/tools/gopls")
)

var install = sync.OnceValue(func() error {
	cmd := exec.Command("npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund")
	cmd.Dir, cmd.Stderr = "peers", os.Stderr
	return cmd.Run()
})

// css returns the command line of the CSS language server of VS Code.
func css(b *testing.B) []string {
	if err := install(); err != nil {
		b.Fatal(err)
	}
	script, err := filepath.Abs(filepath.Join("peers", "css.mjs"))
	if err != nil {
		b.Fatal(err)
	}
	return []string{"node", script, "--stdio"}
}

// figures reports percentiles of the times of many requests.
func figures(b *testing.B, times []time.Duration) {
	slices.Sort(times)
	ms := func(d time.Duration) float64 { return float64(d.Microseconds()) / 1000 }
	b.ReportMetric(ms(times[len(times)/2]), "p50-ms")
	b.ReportMetric(ms(times[len(times)*95/100]), "p95-ms")
	b.ReportMetric(ms(times[len(times)-1]), "max-ms")
}

func timed(b *testing.B, f func(i int)) {
	b.Helper()
	var times []time.Duration
	for i := 0; b.Loop(); i++ {
		begun := time.Now()
		f(i)
		times = append(times, time.Since(begun))
	}
	figures(b, times)
}

// diagnose waits after each edit for the diagnostics that the server pushes.
func diagnose(b *testing.B, c *client) {
	c.pushed(0)
	timed(b, func(i int) {
		c.edit(i)
		c.pushed(i + 1)
	})
}

// ask returns a benchmark that sends a request about the position of each edit.
func ask(method string) func(*testing.B, *client) {
	return func(b *testing.B, c *client) {
		c.pushed(0)
		timed(b, func(i int) {
			at := c.edit(i)
			c.call(method, map[string]any{"textDocument": map[string]any{"uri": c.uri}, "position": at})
		})
	}
}

// BenchmarkEdit types into a file of 80 KB. The targets for 95 of 100 edits are 25 ms until the
// diagnostics arrive, even if there are 4,544 of them and two fixtures, and 15 ms for completion
// and hover.
func BenchmarkEdit(b *testing.B) {
	for _, row := range []struct {
		name string
		run  func(*testing.B, *client)
	}{
		{"diagnostics", diagnose}, {"completion", ask("textDocument/completion")}, {"hover", ask("textDocument/hover")},
	} {
		b.Run("ask="+row.name+"/file=clean/lib=pact", func(b *testing.B) {
			c := start(b, pact(b), b.TempDir(), selectors(), nil, false)
			defer c.spent()
			row.run(b, c)
		})
		b.Run("ask="+row.name+"/file=clean/lib=vscode-css", func(b *testing.B) {
			c := start(b, css(b), b.TempDir(), style(), nil, false)
			defer c.spent()
			row.run(b, c)
		})
		b.Run("ask="+row.name+"/file=ugly/lib=pact", func(b *testing.B) {
			folder, d := uglySelectors(b)
			c := start(b, pact(b), folder, d, nil, false)
			defer c.spent()
			row.run(b, c)
		})
		b.Run("ask="+row.name+"/file=ugly/lib=vscode-css", func(b *testing.B) {
			c := start(b, css(b), b.TempDir(), uglyStyle(), nil, false)
			defer c.spent()
			row.run(b, c)
		})
	}
}

// pull requests the diagnostics after each edit.
func pull(b *testing.B, c *client) {
	find := func() {
		c.call("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": c.uri}})
	}
	find()
	timed(b, func(i int) {
		c.edit(i)
		find()
	})
}

// BenchmarkProgram types into a Go program of 5,000 lines with 200 selectors. The target is the
// time of gopls, which -short leaves out because it takes minutes to build.
func BenchmarkProgram(b *testing.B) {
	for _, lib := range []struct {
		name    string
		command func(*testing.B) []string
		options any
	}{{"pact", pact, nil}, {"gopls", gopls, map[string]any{"pullDiagnostics": true}}} {
		if lib.name == "gopls" && testing.Short() {
			continue
		}
		b.Run("lib="+lib.name, func(b *testing.B) {
			folder, d := program(b)
			c := start(b, lib.command(b), folder, d, lib.options, true)
			defer c.spent()
			pull(b, c)
		})
	}
}

// BenchmarkLarge types into files of 9.9 MB. The target is 100 ms for 95 of 100 edits.
func BenchmarkLarge(b *testing.B) {
	for _, kind := range []string{"go", "java", "ruby", "json", "yaml", "toml", "markdown"} {
		b.Run("file="+kind, func(b *testing.B) {
			folder, d := large(b, kind)
			c := start(b, pact(b), folder, d, nil, true)
			defer c.spent()
			pull(b, c)
			b.ReportMetric(rss(b, c.cmd.Process.Pid), "rss-MB")
		})
	}
}

// BenchmarkInitialize starts the program and sends initialize. The target is 100 ms.
func BenchmarkInitialize(b *testing.B) {
	command, folder := pact(b), b.TempDir()
	var times []time.Duration
	for b.Loop() {
		begun := time.Now()
		c := start(b, command, folder, document{}, nil, false)
		times = append(times, time.Since(begun))
		c.stop()
	}
	figures(b, times)
}

// BenchmarkCancel cancels a search of the whole workspace. The target is 50 ms.
func BenchmarkCancel(b *testing.B) {
	c := start(b, pact(b), workspace(b, files/5), document{}, nil, true)
	defer c.stop()
	timed(b, func(int) {
		id := c.request("workspace/diagnostic", map[string]any{"previousResultIds": []any{}})
		c.notify("$/cancelRequest", map[string]any{"id": id})
		c.await(fmt.Sprintf(`"id":%d`, id)) // canceled, or already done
	})
}

// BenchmarkScan finds the problems in a workspace of 10,000 files, of which 2,000 contain
// selectors.
func BenchmarkScan(b *testing.B) {
	folder := workspace(b, files)
	all := map[string]any{"previousResultIds": []any{}}
	b.Run("first", func(b *testing.B) {
		memory := 0.0
		timed(b, func(int) {
			c := start(b, pact(b), folder, document{}, nil, true)
			c.call("workspace/diagnostic", all)
			memory = rss(b, c.cmd.Process.Pid)
			c.stop()
		})
		b.ReportMetric(memory, "rss-MB")
	})
	b.Run("again", func(b *testing.B) {
		c := start(b, pact(b), folder, document{}, nil, true)
		c.call("workspace/diagnostic", all)
		timed(b, func(int) { c.call("workspace/diagnostic", all) })
		b.ReportMetric(rss(b, c.cmd.Process.Pid), "rss-MB")
		c.stop()
	})
}

// BenchmarkIdle measures the memory of a server with the file open, some seconds after the last
// edit. The target is 40 MB.
func BenchmarkIdle(b *testing.B) {
	for b.Loop() {
		c := start(b, pact(b), b.TempDir(), selectors(), nil, false)
		c.pushed(0)
		c.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": c.uri}, "position": position(5, 12)})
		time.Sleep(pause)
		b.ReportMetric(rss(b, c.cmd.Process.Pid), "rss-MB")
		c.stop()
	}
}

// BenchmarkClosed measures how much more memory a server uses some seconds after a text of 50 MB
// was opened and closed than before.
func BenchmarkClosed(b *testing.B) {
	for b.Loop() {
		c := start(b, pact(b), b.TempDir(), document{}, nil, false)
		c.call("workspace/executeCommand", map[string]any{"command": "pactkit.dumpState"})
		before := rss(b, c.cmd.Process.Pid)
		text := strings.Repeat("a line of a document of fifty megabytes\n", 50<<20/40)
		uri := "file:///bench/a.pactsel"
		c.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": "pact-selector", "version": 0, "text": text}})
		c.call("workspace/executeCommand", map[string]any{"command": "pactkit.dumpState"})
		c.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
		time.Sleep(pause) // idle, as when the user does something else
		b.ReportMetric(rss(b, c.cmd.Process.Pid)-before, "rss-MB")
		c.stop()
	}
}

// rss returns the resident memory of a process in megabytes.
func rss(b *testing.B, pid int) float64 {
	b.Helper()
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
