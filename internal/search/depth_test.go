package search

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// TestDepth checks that tapes and histories have the same limit for the nesting of a log, in every
// part of it.
func TestDepth(t *testing.T) {
	messages := func(deep string) []string {
		const user = `{"role":"user","content":"hi"},`
		return []string{
			user + `{"role":"assistant","content":` + deep + `}`,
			user + `{"role":"assistant","content":"a","x":` + deep + `}`,
			user + `{"role":"assistant","content":[{"type":"text","text":"a","x":` + deep + `}]}`,
			user + `{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{}","x":` + deep + `}}]}`,
		}
	}
	session := `{"type":"user","uuid":"u1","parentUuid":null,"sessionId":"s","message":{"role":"user","content":"hi"}}` + "\n" +
		`{"type":"assistant","uuid":"a1","parentUuid":"u1","sessionId":"s","message":{"id":"m","role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":%s}]},"x":%s}` + "\n"
	for nested := canonjson.DefaultDepth - 8; nested <= canonjson.DefaultDepth+1; nested++ {
		deep := strings.Repeat("[", nested) + strings.Repeat("]", nested)
		logs := map[string]string{
			"input.jsonl":  fmt.Sprintf(session, deep, "1"),
			"beside.jsonl": fmt.Sprintf(session, "1", deep),
			"record.jsonl": `{"x":` + deep + `,"messages":[` + messages("1")[0] + "]}\n",
		}
		for i, m := range messages(deep) {
			logs[fmt.Sprintf("lines%d.jsonl", i)] = `{"messages":[` + m + "]}\n"
			logs[fmt.Sprintf("records%d.json", i)] = `[{"messages":[` + m + `]}]`
			logs[fmt.Sprintf("body%d.json", i)] = `{"messages":[` + m + `]}`
			logs[fmt.Sprintf("list%d.json", i)] = `[` + m + `]`
		}
		dir := t.TempDir()
		for name, text := range logs {
			if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		sameFiles(t, dir, "*")
	}
}
