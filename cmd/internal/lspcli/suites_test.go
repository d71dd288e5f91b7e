package lspcli

import (
	"context"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"
)

// TestSuites opens suites. The server reports mistakes, also unsaved ones, and completes and
// explains the members of one in YAML.
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
	ask(`"start":{"line":3,"character":0},"end":{"line":3`, `{"jsonrpc":"2.0","method":"initialized","params":{}}`,
		`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.suite.yaml","languageId":"yaml","version":1,"text":"files: a.json\ncases:\n  - name: a\n    selectr: .block\n    left: {cause: c\n"}}}`)
	ask(`"label":"compacted"`, `{"jsonrpc":"2.0","id":3,"method":"textDocument/completion","params":{`+uri+`},"position":{"line":4,"character":19}}}`)
	if n := strings.Count(out.String(), `"label":"compacted"`); n != 1 {
		t.Errorf("a value is offered %d times", n)
	}
	ask("The histories to query", `{"jsonrpc":"2.0","id":4,"method":"textDocument/hover","params":{`+uri+`},"position":{"line":0,"character":2}}}`)
	ask(`"diagnostics":[]`, `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{`+uri+`,"version":2},"contentChanges":[{"text":"files: a.json\ncases:\n  - name: a\n    selector: .block\n"}]}}`)
	ask("no member", `{"jsonrpc":"2.0","method":"textDocument/didChange","params":{`+uri+`,"version":3},"contentChanges":[{"text":"fils: a.json\ncases: []\n"}]}}`)
	ask(`a.suite.txtar","diagnostics":[{`, `{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"file:///nowhere/a.suite.txtar","languageId":"","version":1,"text":"case: a\nnonsense\n"}}}`)
	ask(`"id":2`, shutdown, exit)
	if c := <-code; c != exitDone {
		t.Errorf("exit code %d: %s", c, log.String())
	}
}
