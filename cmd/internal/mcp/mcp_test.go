package mcp_test

import (
	"bufio"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	sdk "github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pactkit/pactkit/cmd/internal/mcp"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// connect returns a client of a server with the options.
func connect(t *testing.T, o mcp.Options) *sdk.ClientSession {
	t.Helper()
	o.Version = "v1"
	o.Explain = func(_ context.Context, what, name string, t *engine.Timeline) (string, error) {
		if what == "panic" {
			panic("as asked")
		}
		return fmt.Sprintf("%s on %q: %t", what, name, t != nil), nil
	}
	server, err := mcp.New(o)
	if err != nil {
		t.Fatal(err)
	}
	near, far := sdk.NewInMemoryTransports()
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error)
	go func() { ended <- server.Run(ctx, far) }()
	client, err := sdk.NewClient(&sdk.Implementation{Name: "test", Version: "1"}, nil).Connect(t.Context(), near, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = client.Close() // the server ends with the context, too
		cancel()
		<-ended
		if err := server.Close(); err != nil {
			t.Error(err)
		}
	})
	return client
}

// ask calls a tool and returns the text of its answer, which is the structured one unless it is an
// error.
func ask(t *testing.T, client *sdk.ClientSession, tool string, arguments any) (text string, isError bool) {
	t.Helper()
	r, err := client.CallTool(t.Context(), &sdk.CallToolParams{Name: tool, Arguments: arguments})
	if err != nil {
		t.Fatalf("%s %v: %v", tool, arguments, err)
	}
	if len(r.Content) != 1 {
		t.Fatalf("%s %v: %d contents", tool, arguments, len(r.Content))
	}
	text = r.Content[0].(*sdk.TextContent).Text
	if !json.Valid([]byte(text)) {
		t.Errorf("%s %v: not JSON: %s", tool, arguments, text)
	}
	if r.IsError == (r.StructuredContent != nil) {
		t.Errorf("%s %v: error %t, structured content %v", tool, arguments, r.IsError, r.StructuredContent)
	}
	return text, r.IsError
}

// TestCases: the lines of in are calls, the other sections files of the folder. What is wanted has
// a line for each call.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../../../testdata/mcp/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			dir := t.TempDir()
			for _, f := range c.Archive.Files {
				if strings.HasPrefix(f.Name, "want") || f.Name == c.In.Name {
					continue
				}
				write(t, filepath.Join(dir, f.Name), f.Data)
			}
			copyLog(t, dir)
			client := connect(t, mcp.Options{Folder: dir})
			var out strings.Builder
			lines := bufio.NewScanner(strings.NewReader(c.Source()))
			for lines.Scan() {
				tool, arguments, _ := strings.Cut(lines.Text(), " ")
				text, _ := ask(t, client, tool, json.RawMessage(arguments))
				out.WriteString(strings.ReplaceAll(text, dir, "DIR") + "\n")
			}
			c.Golden(t, testkit.Want("", out.String()))
		})
	}
}

// copyLog puts the session of the guide into a folder.
func copyLog(t testing.TB, dir string) {
	t.Helper()
	data, err := os.ReadFile("../../../testdata/logs/support/refund.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	write(t, filepath.Join(dir, "refund.jsonl"), data)
}

func write(t testing.TB, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

// TestTools: each tool only reads, says what it does, and has schemas for its arguments and its
// answer.
func TestTools(t *testing.T) {
	r, err := connect(t, mcp.Options{Folder: t.TempDir()}).ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	size := 0
	for _, tool := range r.Tools {
		names = append(names, tool.Name)
		if !tool.Annotations.ReadOnlyHint || *tool.Annotations.OpenWorldHint || tool.Description == "" || tool.InputSchema == nil || tool.OutputSchema == nil {
			t.Errorf("%+v", tool)
		}
		text, err := json.Marshal(tool)
		if err != nil {
			t.Fatal(err)
		}
		size += len(text)
	}
	if got := strings.Join(names, " "); got != "explain log select trace" {
		t.Errorf("tools: %s", got)
	}
	if size > 6<<10 { // all of it is in the context of the agent from its first call on
		t.Errorf("the descriptions of the tools have %d bytes", size)
	}
}

// TestSeveralFolders: files of several folders are named by absolute paths.
func TestSeveralFolders(t *testing.T) {
	a, b := t.TempDir(), t.TempDir()
	copyLog(t, a)
	copyLog(t, b)
	client := connect(t, mcp.Options{Folder: a, Roots: []string{a, b}})
	text, _ := ask(t, client, "log", nil)
	for _, dir := range []string{a, b} {
		path := filepath.ToSlash(filepath.Join(dir, "refund.jsonl"))
		if !strings.Contains(text, path) {
			t.Errorf("%s is not in %s", path, text)
		}
		if answer, isError := ask(t, client, "log", map[string]any{"path": path, "limit": 1}); isError {
			t.Error(answer)
		}
	}
	if _, err := mcp.New(mcp.Options{Roots: []string{filepath.Join(a, "refund.jsonl")}}); err == nil {
		t.Error("a file is taken for a folder")
	}
}

// TestBounded: answers about a session of many long messages have a bounded size, say what follows,
// and lead to all of it.
func TestBounded(t *testing.T) {
	dir := t.TempDir()
	count := 120
	if testing.Short() {
		count = 40
	}
	var messages []string
	for i := range count {
		role := []string{"user", "assistant"}[i%2]
		messages = append(messages, fmt.Sprintf(`{"role":%q,"content":"%d %s"}`, role, i, strings.Repeat("é <b> ", 700)))
	}
	write(t, filepath.Join(dir, "long.json"), []byte("["+strings.Join(messages, ",")+"]"))
	client := connect(t, mcp.Options{Folder: dir})
	for _, call := range []struct {
		tool, list, after string
		arguments         map[string]any
		want              int
	}{
		{"log", "calls", "cycle", map[string]any{"path": "long.json", "limit": count / 5}, count / 2},
		{"select", "matches", "", map[string]any{"selector": ".block", "limit": 1000, "content": 3000}, count},
	} {
		seen, pages := 0, 0
		for after := 0; ; pages++ {
			call.arguments["after"] = after
			text, isError := ask(t, client, call.tool, call.arguments)
			if isError || len(text) > 48<<10 {
				t.Fatalf("%s: error %t, %d bytes", call.tool, isError, len(text))
			}
			var answer map[string]json.RawMessage
			var list []map[string]any
			if err := json.Unmarshal([]byte(text), &answer); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal(answer[call.list], &list); err != nil {
				t.Fatal(err)
			}
			if seen += len(list); len(list) == 0 || !strings.Contains(string(answer["more"]), "after = ") {
				break
			}
			if after = seen; call.after != "" {
				after = int(list[len(list)-1][call.after].(float64))
			}
		}
		if seen != call.want || pages < 2 {
			t.Errorf("%s: %d in %d pages, not %d", call.tool, seen, pages, call.want)
		}
	}
	text, _ := ask(t, client, "trace", map[string]any{"path": "long.json", "node": ".block:first", "content": 1 << 30})
	if len(text) > 256<<10 {
		t.Errorf("trace: %d bytes", len(text))
	}
}

// TestServer: a bug in one call and a call that takes too long leave the server as it was.
func TestServer(t *testing.T) {
	dir := t.TempDir()
	copyLog(t, dir)
	client := connect(t, mcp.Options{Folder: dir})
	if text, isError := ask(t, client, "explain", map[string]any{"what": "panic"}); !isError || !strings.Contains(text, "E_MCP_INTERNAL") {
		t.Error(text)
	}
	if text, isError := ask(t, client, "explain", map[string]any{"what": "ttl"}); isError {
		t.Error(text)
	}
	hurried := connect(t, mcp.Options{Folder: dir, Timeout: time.Nanosecond})
	if text, isError := ask(t, hurried, "log", map[string]any{"path": "refund.jsonl"}); !isError || !strings.Contains(text, "E_MCP_TIMEOUT") {
		t.Error(text)
	}
}
