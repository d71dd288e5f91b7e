package mcp_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/mcp"
	"github.com/pactkit/pactkit/engine"
)

const (
	hello = `{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":"%s","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}` + "\n" +
		`{"jsonrpc":"2.0","method":"notifications/initialized"}` + "\n"
	ping = `{"jsonrpc":"2.0","id":"last","method":"tools/call","params":{"name":"explain","arguments":{"what":"ttl"}}}` + "\n"
)

// serve answers an input, in the given version of the protocol, and returns the answers by their
// ids, and those without one.
func serve(t *testing.T, version, input string) (byID map[string]string, others []string) {
	t.Helper()
	return serveFolder(t, t.TempDir(), version, input)
}

// serveFolder is serve with the files of a folder.
func serveFolder(t *testing.T, dir, version, input string) (byID map[string]string, others []string) {
	t.Helper()
	server, err := mcp.New(mcp.Options{Version: "v1", Folder: dir, MaxBytes: 1 << 20, Explain: func(context.Context, string, string, *engine.Timeline) (string, error) { return "words", nil }})
	if err != nil {
		t.Fatal(err)
	}
	defer server.Close()
	ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
	defer cancel()
	var out strings.Builder
	if err := server.Serve(ctx, io.NopCloser(strings.NewReader(fmt.Sprintf(hello, version)+input)), discardClose{&out}); err != nil {
		t.Errorf("%.100q: %v", input, err)
	}
	byID = map[string]string{}
	for line := range strings.Lines(out.String()) {
		var answer struct{ ID any }
		if err := json.Unmarshal([]byte(line), &answer); err != nil {
			t.Errorf("not JSON: %s", line)
		}
		if answer.ID == nil {
			others = append(others, line)
		} else {
			byID[fmt.Sprint(answer.ID)] = line
		}
	}
	return byID, others
}

type discardClose struct{ io.Writer }

func (discardClose) Close() error { return nil }

// TestLines: a line that is not a message is answered with an error of JSON-RPC, and the server
// answers what follows.
func TestLines(t *testing.T) {
	const call = `"method":"tools/list"}`
	for name, c := range map[string]struct {
		line string
		id   string // of the answer, "" for null
		want string // in the answer; "" for no answer
	}{
		"not JSON":             {"hello", "", `"code":-32700`},
		"half of an object":    {`{"jsonrpc":"2.0","id":1,`, "", `"code":-32700`},
		"two values":           {`{"jsonrpc":"2.0","id":1,` + call + ` {}`, "", `"code":-32700`},
		"not UTF-8":            {"{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"\xff\"}", "", `"code":-32700`},
		"a NUL":                {"\x00", "", `"code":-32700`},
		"Content-Length":       {"Content-Length: 2\r\n\r", "", `"code":-32700`},
		"a longer line":        {strings.Repeat("x", 5<<20), "", `"code":-32600`},
		"a number":             {"1", "", `"code":-32600`},
		"a string":             {`"a"`, "", `"code":-32600`},
		"null":                 {"null", "", `"code":-32600`},
		"another version":      {`{"jsonrpc":"1.0","id":1,` + call, "1", `"code":-32600`},
		"no version":           {`{"id":"x",` + call, "x", `"code":-32600`},
		"an id that is a list": {`{"jsonrpc":"2.0","id":[1],` + call, "", `"code":-32600`},
		"a method of a number": {`{"jsonrpc":"2.0","id":1,"method":7}`, "1", `"code":-32600`},
		"no method":            {`{"jsonrpc":"2.0","id":1}`, "", ""},
		"an unknown method":    {`{"jsonrpc":"2.0","id":1,"method":"nothing"}`, "1", `"code":-32601`},
		"no params":            {`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, "1", `"error"`},
		"an unknown tool":      {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}`, "1", `"error"`},
		"wrong params":         {`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[1]}`, "1", `"error"`},
		"an unexpected answer": {`{"jsonrpc":"2.0","id":77,"result":{}}`, "", ""},
		"an empty line":        {"", "", ""},
		"blanks":               {" \t\r", "", ""},
		"CR LF":                {`{"jsonrpc":"2.0","id":1,` + call + "\r", "1", `"tools"`},
		"an empty batch":       {"[]", "", `"code":-32600`},
		"a batch":              {`[{"jsonrpc":"2.0","id":1,` + call + `,7]`, "1", `"tools"`},
		"a batch of nonsense":  {`[1]`, "", `"code":-32600`},
		"members twice":        {`{"jsonrpc":"2.0","id":1,"id":2,` + call, "2", `"tools"`},
		"nested deeply":        {strings.Repeat("[", 100_000), "", `"code":-32700`},
	} {
		for _, version := range []string{"2025-06-18", "2025-03-26"} {
			byID, others := serve(t, version, c.line+"\n"+ping)
			got := byID[c.id]
			if c.id == "" {
				got = strings.Join(others, "")
			}
			if !strings.Contains(got, c.want) || c.want == "" && got != "" {
				t.Errorf("%s: %q, and others %q; want %s", name, got, others, c.want)
			}
			if !strings.Contains(byID["last"], "words") {
				t.Errorf("%s ends the server: %q", name, byID)
			}
		}
	}
	if byID, _ := serve(t, "2025-06-18", strings.TrimSuffix(ping, "\n")); byID["last"] == "" {
		t.Error("the last line needs an end")
	}
	if byID, _ := serve(t, "2025-06-18", ""); !strings.Contains(byID["hello"], `"version":"v1"`) {
		t.Errorf("the version is not said: %s", byID["hello"])
	}
}

// FuzzServe sends a server any lines after the greeting. Every line that it writes is JSON, and
// what is asked then is answered.
func FuzzServe(f *testing.F) {
	dir := f.TempDir()
	copyLog(f, dir)
	for _, call := range []string{
		`"log","arguments":{}`, `"log","arguments":{"path":"refund.jsonl","after":3,"limit":1}`, `"select","arguments":{"path":"refund.jsonl","selector":"@* .block+tool","ever":true}`,
		`"trace","arguments":{"path":"refund.jsonl","node":"block:2"}`, `"explain","arguments":{"what":".block","path":"../x"}`,
	} {
		f.Add(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":` + call + `}}`)
	}
	f.Add(`[{"jsonrpc":"2.0","id":1,"method":"tools/list"},{"jsonrpc":"2.0","id":1,"method":"ping"},7]` + "\n\x00\n" + `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"last"}}`)
	f.Fuzz(func(t *testing.T, input string) {
		if byID, others := serveFolder(t, dir, "2025-06-18", input+"\n"+ping); byID["last"] == "" {
			t.Errorf("%q: the last request has no answer: %q, %q", input, byID, others)
		}
	})
}
