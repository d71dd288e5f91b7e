package cli

import (
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/pactkit/pactkit/cmd/internal/verb"
)

// TestAgent: a client that starts 'pactkit mcp' as agents do finds out what happened to the refund
// policy, and the program ends when the client does.
func TestAgent(t *testing.T) {
	folder := filepath.Join("..", "..", "..", "testdata", "logs", "support")
	cmd := exec.Command("pactkit", "mcp", folder)
	client, err := mcp.NewClient(&mcp.Implementation{Name: "agent", Version: "1"}, nil).Connect(t.Context(), &mcp.CommandTransport{Command: cmd}, nil)
	if err != nil {
		t.Fatal(err)
	}
	const policy = ".block+tool{content~'Refund policy'}"
	for _, c := range []struct {
		tool      string
		arguments map[string]any
		want      string
	}{
		{"log", nil, `"path":"refund.jsonl"`},
		{"log", map[string]any{"path": "refund.jsonl", "after": 9, "limit": 1}, `{"id":"block:3","cause":"compacted","by":"block:13","inferred":true}`},
		{"select", map[string]any{"path": "refund.jsonl", "selector": policy}, `"matches":[]`},
		{"explain", map[string]any{"path": "refund.jsonl", "what": policy}, "← nothing is left here"},
		{"select", map[string]any{"path": "refund.jsonl", "selector": policy, "ever": true}, `"id":"block:3"`},
		{"trace", map[string]any{"path": "refund.jsonl", "node": policy}, `"stand":["block:13"]`},
		{"explain", map[string]any{"what": "ttl"}, "How many commits a node has left to live"},
		{"explain", map[string]any{"what": "E_MCP_PATH"}, "leads out of the folders"},
		{"explain", map[string]any{"what": ".block["}, `"code":"E_SELECTOR_INVALID"`},
		{"explain", map[string]any{"what": "E_NONE"}, `"code":"E_NOT_FOUND","message":"there is no code E_NONE`},
	} {
		r, err := client.CallTool(t.Context(), &mcp.CallToolParams{Name: c.tool, Arguments: c.arguments})
		if err != nil {
			t.Fatalf("%s %v: %v", c.tool, c.arguments, err)
		}
		if text := r.Content[0].(*mcp.TextContent).Text; !strings.Contains(text, c.want) {
			t.Errorf("%s %v: no %s in %s", c.tool, c.arguments, c.want, text)
		}
	}
	if err := client.Close(); err != nil { // waits for the program
		t.Error(err)
	}
	if code := cmd.ProcessState.ExitCode(); code != verb.ExitClean {
		t.Errorf("exit code %d", code)
	}
}
