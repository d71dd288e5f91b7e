package lsp

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"testing"
)

// client drives one server. It looks only at the part of a message that identifies it, so a long
// message costs time in the server, not in the client.
type client struct {
	b      *testing.B
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	number int // the id of the last request

	document
}

// document is the text to edit. Characters are typed into its lines, one after the other, and
// deleted again.
type document struct {
	uri, language, text string
	line                func(i int) int
	character           int
}

// start starts a server and opens the document in it.
func start(b *testing.B, command []string, folder string, d document, options any, pull bool) *client {
	b.Helper()
	c := &client{b: b, document: d, cmd: exec.Command(command[0], command[1:]...)}
	c.cmd.Dir, c.cmd.Stderr = folder, os.Stderr
	var out io.Reader
	var err1, err2 error
	c.in, err1 = c.cmd.StdinPipe()
	out, err2 = c.cmd.StdoutPipe()
	if err := errors.Join(err1, err2, c.cmd.Start()); err != nil {
		b.Fatal(err)
	}
	c.out = bufio.NewReaderSize(out, 1<<16)
	text := map[string]any{"publishDiagnostics": map[string]any{"versionSupport": true}}
	if pull {
		text["diagnostic"] = map[string]any{}
	}
	c.call("initialize", map[string]any{
		"processId": os.Getpid(), "rootUri": "file://" + folder, "initializationOptions": options,
		"workspaceFolders": []any{map[string]any{"uri": "file://" + folder, "name": "bench"}},
		"capabilities":     map[string]any{"textDocument": text, "workspace": map[string]any{"diagnostics": map[string]any{}}},
	})
	c.notify("initialized", map[string]any{})
	if d.text != "" {
		c.notify("textDocument/didOpen", map[string]any{
			"textDocument": map[string]any{"uri": d.uri, "languageId": d.language, "version": 0, "text": d.text},
		})
	}
	return c
}

func (c *client) send(message map[string]any) {
	c.b.Helper()
	message["jsonrpc"] = "2.0"
	data, err := json.Marshal(message)
	if err == nil {
		_, err = fmt.Fprintf(c.in, "Content-Length: %d\r\n\r\n%s", len(data), data)
	}
	if err != nil {
		c.b.Fatal(err)
	}
}

// read reads a message.
func (c *client) read() []byte {
	c.b.Helper()
	size := 0
	for {
		line, err := c.out.ReadString('\n')
		if err != nil {
			c.b.Fatal(err)
		}
		if line == "\r\n" {
			break
		}
		if length, ok := strings.CutPrefix(line, "Content-Length: "); ok {
			size, _ = strconv.Atoi(strings.TrimSpace(length))
		}
	}
	body := make([]byte, size)
	if _, err := io.ReadFull(c.out, body); err != nil {
		c.b.Fatal(err)
	}
	return body
}

// ends returns the beginning and the end of a message, which contain its short members.
func ends(body []byte) []byte {
	const near = 400
	if len(body) <= 2*near {
		return body
	}
	return append(bytes.Clone(body[:near]), body[len(body)-near:]...)
}

// await reads messages until one contains a text near its beginning or end. Meanwhile it answers
// requests of the server.
func (c *client) await(text string) []byte {
	c.b.Helper()
	for {
		body := c.read()
		head := ends(body)
		if bytes.Contains(head, []byte(text)) && !bytes.Contains(head, []byte(`"method":"window/`)) {
			return body
		}
		var asked struct {
			ID     json.RawMessage
			Method string
			Params struct{ Items []any }
		}
		if len(body) < 4096 && json.Unmarshal(body, &asked) == nil && asked.ID != nil && asked.Method != "" {
			var result any
			if asked.Params.Items != nil {
				result = make([]any, len(asked.Params.Items))
			}
			c.send(map[string]any{"id": asked.ID, "result": result})
		}
	}
}

// call sends a request and waits for the answer.
func (c *client) call(method string, params any) []byte {
	c.b.Helper()
	id := c.request(method, params)
	body := c.await(fmt.Sprintf(`"id":%d`, id))
	if bytes.Contains(ends(body), []byte(`"error":{"code"`)) {
		c.b.Fatalf("%s: %s", method, ends(body))
	}
	return body
}

// request sends a request and returns its id, which occurs in no other message.
func (c *client) request(method string, params any) int {
	c.b.Helper()
	c.number++
	id := 1_000_000 + c.number
	c.send(map[string]any{"id": id, "method": method, "params": params})
	return id
}

func (c *client) notify(method string, params any) {
	c.b.Helper()
	c.send(map[string]any{"method": method, "params": params})
}

// pushed waits for the diagnostics of a version of the document.
func (c *client) pushed(version int) {
	c.b.Helper()
	want := fmt.Sprintf(`"version":%d`, version)
	for {
		body := c.await(want)
		head := ends(body)
		if at := bytes.Index(head, []byte(want)); bytes.Contains(head, []byte("publishDiagnostics")) && (head[at+len(want)] < '0' || head[at+len(want)] > '9') {
			return
		}
	}
}

func (c *client) stop() {
	c.b.Helper()
	c.call("shutdown", nil)
	c.notify("exit", nil)
	_, _ = io.Copy(io.Discard, c.out) // returns when the server exits
	if err := c.cmd.Wait(); err != nil {
		c.b.Fatal(err)
	}
}

// spent stops the server and reports its processor time per request, which does not depend on the
// load of the machine.
func (c *client) spent() {
	c.b.Helper()
	c.stop()
	took := c.cmd.ProcessState.UserTime() + c.cmd.ProcessState.SystemTime()
	c.b.ReportMetric(float64(took.Microseconds())/1000/float64(c.b.N), "cpu-ms/op")
}

func position(line, character int) map[string]any {
	return map[string]any{"line": line, "character": character}
}

// edit types a character into a line, or deletes it, and returns its position.
func (c *client) edit(i int) map[string]any {
	c.b.Helper()
	at, text := position(c.line(i), c.character), "x"
	if i%2 == 1 {
		at, text = position(c.line(i-1), c.character), ""
	}
	c.notify("textDocument/didChange", map[string]any{
		"textDocument": map[string]any{"uri": c.uri, "version": i + 1},
		"contentChanges": []any{map[string]any{
			"range": map[string]any{"start": at, "end": position(at["line"].(int), c.character+i%2)}, "text": text,
		}},
	})
	return at
}
