package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"testing"
	"time"
	"weak"
)

// TestOrder checks that a request works on the text at the time of its arrival, whatever messages
// follow.
func TestOrder(t *testing.T) {
	s := newServer(Options{Log: discard()})
	wait := make(chan struct{})
	s.methods["test/text"] = func(s *server, _ context.Context, v *view, _ json.RawMessage) (any, error) {
		<-wait
		d, err := s.document(v, "untitled:a")
		if err != nil {
			return nil, err
		}
		return d.src, nil
	}
	l := dialServer(t, s)
	l.send(initialize)
	l.answer()
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"x","version":5,"text":"one"}}}`)
	l.send(`{"jsonrpc":"2.0","id":2,"method":"test/text"}`)
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didChange","params":{"textDocument":{"uri":"untitled:a","version":2},"contentChanges":[{"text":"two"}]}}`)
	l.send(`{"jsonrpc":"2.0","id":3,"method":"no/such"}`)
	l.answer()
	close(wait)
	if a := l.answer(); string(a.Result) != `"one"` {
		t.Errorf("%s %v", a.Result, a.Error)
	}
	l.send(`{"jsonrpc":"2.0","id":4,"method":"test/text"}`)
	if a := l.answer(); string(a.Result) != `"two"` { // although the version number decreased
		t.Errorf("%s %v", a.Result, a.Error)
	}
	_ = l.conn.Close()
	l.exit()
}

// TestWaitingPull checks that a workspace/diagnostic that waits for a change keeps no document in
// memory that was closed meanwhile.
func TestWaitingPull(t *testing.T) {
	s := newServer(Options{Log: discard()})
	l := dialServer(t, s)
	l.send(initialize)
	l.answer()
	const pull = `{"jsonrpc":"2.0","id":%d,"method":"workspace/diagnostic","params":{"previousResultIds":[%s]}}`
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:a","languageId":"x","version":1,"text":"one"}}}`)
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didOpen","params":{"textDocument":{"uri":"untitled:b","languageId":"pactsel","version":1,"text":".cb"}}}`)
	l.send(fmt.Sprintf(pull, 2, ""))
	var report struct {
		Items []struct {
			ID string `json:"resultId"`
		} `json:"items"`
	}
	if a := l.answer(); json.Unmarshal(a.Result, &report) != nil || len(report.Items) != 1 {
		t.Fatalf("%s", a.Result)
	}
	l.send(fmt.Sprintf(pull, 3, fmt.Sprintf(`{"uri":"untitled:b","value":%q}`, report.Items[0].ID)))
	l.send(`{"jsonrpc":"2.0","id":4,"method":"no/such"}`)
	l.answer() // the pull has its view
	closed := weak.Make(s.docs.get("untitled:a"))
	l.send(`{"jsonrpc":"2.0","method":"textDocument/didClose","params":{"textDocument":{"uri":"untitled:a"}}}`)
	for deadline := time.Now().Add(20 * time.Second); closed.Value() != nil; runtime.GC() {
		if time.Now().After(deadline) {
			t.Fatal("the closed document is still in memory")
		}
		time.Sleep(time.Millisecond)
	}
	s.state.Lock()
	if len(s.running) == 0 {
		t.Error("the pull does not wait")
	}
	s.state.Unlock()
	_ = l.conn.Close()
	l.exit()
}
