package lspcli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestSuites opens a suite in YAML. The server reports a mistake, and completes and explains
// members.
func TestSuites(t *testing.T) {
	const uri = `"textDocument":{"uri":"file:///nowhere/a.suite.yaml"`
	in, write := io.Pipe()
	var out, log buffer
	code := make(chan int)
	go func() { code <- run(context.Background(), streams{in, &out, &log}, nil) }()
	ask := func(want string, bodies ...string) {
		t.Helper()
		for _, body := range bodies {
			if _, err := fmt.Fprintf(write, "Content-Length: %d\r\n\r\n%s", len(body), body); err != nil {
				t.Fatal(err)
			}
		}
		for deadline := time.Now().Add(20 * time.Second); !strings.Contains(out.String(), want); time.Sleep(5 * time.Millisecond) {
			if time.Now().After(deadline) {
				t.Fatalf("%s is missing in %s %s", want, out.String(), log.String())
			}
		}
	}
	ask(`"id":1`, initialize)
	ask(`"code":"suite"`, `{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.suite.yaml","languageId":"yaml","version":1,"text":"files: a.json\ncases:\n  - name: a\n    selectr: .block\n    left: {cause: c\n"}}}`)
	ask(`"label":"compacted"`, `{"jsonrpc":"2.0","id":3,"method":"textDocument/completion","params":{`+uri+`},"position":{"line":4,"character":19}}}`)
	ask("The histories to query", `{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{`+uri+`},"position":{"line":0,"character":2}}}`)
	ask(`"id":2`, shutdown, exit)
	if c := <-code; c != exitDone {
		t.Errorf("exit code %d: %s", c, log.String())
	}
}
