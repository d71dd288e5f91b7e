package selectors

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log"
	"maps"
	"net"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/sourcegraph/jsonrpc2"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/lsp"
)

// client is a client of a language server in this process.
type client struct {
	*verb.Run
	ctx   context.Context
	conn  *jsonrpc2.Conn
	texts map[string]string // the texts of files, by path

	mu    sync.Mutex
	notes []string
}

// The types of the protocol; positions are in bytes.
type (
	position struct {
		Line      int `json:"line"`
		Character int `json:"character"`
	}
	span struct {
		Start position `json:"start"`
		End   position `json:"end"`
	}
	location struct {
		URI   string `json:"uri"`
		Range span   `json:"range"`
	}
	textEdit struct {
		Range span   `json:"range"`
		Text  string `json:"newText"`
	}
)

// navigate starts a server for the working folder, and calls ask with a client of it.
func navigate(ctx context.Context, r *verb.Run, ask func(*client) error) error {
	ours, theirs := net.Pipe()
	ctx, stop := context.WithCancel(ctx)
	done := make(chan struct{})
	go func() {
		defer close(done)
		lsp.Serve(ctx, theirs, lsp.Options{Version: verb.BuildVersion()})
	}()
	defer func() {
		stop()
		_ = ours.Close()
		<-done
	}()
	c := &client{Run: r, ctx: ctx, texts: map[string]string{}}
	c.conn = jsonrpc2.NewConn(ctx, jsonrpc2.NewBufferedStream(ours, jsonrpc2.VSCodeObjectCodec{}), c, jsonrpc2.SetLogger(log.New(io.Discard, "", 0)))
	params := map[string]any{
		"rootUri":          fileuri.Of(r.Folder),
		"workspaceFolders": []any{map[string]any{"uri": fileuri.Of(r.Folder), "name": "folder"}},
		"capabilities":     map[string]any{"general": map[string]any{"positionEncodings": []string{"utf-8"}}, "textDocument": map[string]any{"diagnostic": map[string]any{}}},
	}
	if err := c.call("initialize", params, nil); err != nil {
		return err
	}
	err := ask(c)
	c.mu.Lock()
	defer c.mu.Unlock()
	for _, text := range c.notes {
		r.Note("%s", verb.Visible(text))
	}
	return err
}

// Handle implements [jsonrpc2.Handler]. It prints messages of the server as notes.
func (c *client) Handle(ctx context.Context, conn *jsonrpc2.Conn, req *jsonrpc2.Request) {
	var p struct {
		Message string `json:"message"`
	}
	if req.Method == "window/showMessage" && req.Params != nil && json.Unmarshal(*req.Params, &p) == nil {
		c.mu.Lock()
		c.notes = append(c.notes, p.Message)
		c.mu.Unlock()
	}
	if !req.Notif {
		_ = conn.Reply(ctx, req.ID, nil)
	}
}

// call sends a request. Its error has the message of the server.
func (c *client) call(method string, params, result any) error {
	err := c.conn.Call(c.ctx, method, params, result)
	if e, ok := errors.AsType[*jsonrpc2.Error](err); ok {
		return errors.New(e.Message)
	}
	return err
}

// text returns the text of a file. It reads each file once.
func (c *client) text(path string) (string, error) {
	if text, ok := c.texts[path]; ok {
		return text, nil
	}
	data, err := atomicfile.Read(path, verb.MaxFileSize)
	if err != nil {
		return "", fmt.Errorf("%s: %s", c.Name(path), atomicfile.Reason(err))
	}
	c.texts[path] = string(data)
	return string(data), nil
}

// document reads FILE or FILE:LINE:COLUMN.
func (c *client) document(arg string) (map[string]any, error) {
	if placeForm.MatchString(arg) {
		return c.at(arg)
	}
	if _, err := c.text(c.Abs(arg)); err != nil {
		return nil, err
	}
	return map[string]any{"textDocument": map[string]any{"uri": fileuri.Of(c.Abs(arg))}}, nil
}

var placeForm = regexp.MustCompile(`^(.+):(\d+):(\d+)$`)

// at reads FILE:LINE:COLUMN.
func (c *client) at(arg string) (map[string]any, error) {
	m := placeForm.FindStringSubmatch(arg)
	if m == nil {
		return nil, fmt.Errorf("%s is not a place: write FILE:LINE:COLUMN", arg)
	}
	path := c.Abs(m[1])
	text, err := c.text(path)
	if err != nil {
		return nil, err
	}
	line, _ := strconv.Atoi(m[2])
	column, _ := strconv.Atoi(m[3])
	lines := ast.NewLines(text)
	at, left := 0, column-1
	if line >= 1 && line <= lines.Count() {
		rest := strings.TrimRight(text[lines.Start(line-1):lines.Start(line)], "\r\n")
		for ; left > 0 && at < len(rest); left-- {
			_, n := utf8.DecodeRuneInString(rest[at:])
			at += n
		}
	}
	if line < 1 || line > lines.Count() || left != 0 {
		return nil, fmt.Errorf("%s has no line %d, or no column %d there", m[1], line, column)
	}
	return map[string]any{"textDocument": map[string]any{"uri": fileuri.Of(path)}, "position": position{line - 1, at}}, nil
}

// place is a part of a file, with positions from 1 that count characters.
type place struct {
	Path     string    `json:"path"`
	Start    linePlace `json:"start"`
	End      linePlace `json:"end"`
	Selector string    `json:"selector,omitempty"` // in its shortest form
	Text     string    `json:"text"`               // the line, or what is around the place in a long one
}

type linePlace struct {
	Line   int `json:"line"`
	Column int `json:"column"`
}

// place returns the place for a location. It returns false if it cannot read the file.
func (c *client) place(l location) (place, bool) {
	path := fileuri.Path(l.URI)
	text, err := c.text(path)
	if err != nil {
		return place{}, false
	}
	lines := ast.NewLines(text)
	at := func(p position) linePlace {
		start := lines.Start(p.Line)
		return linePlace{p.Line + 1, 1 + utf8.RuneCountInString(text[start:min(start+p.Character, len(text))])}
	}
	line := text[lines.Start(l.Range.Start.Line):lines.Start(l.Range.Start.Line+1)]
	return place{
		Path: filepath.ToSlash(c.Name(path)), Start: at(l.Range.Start), End: at(l.Range.End), Text: excerpt(line, l.Range.Start.Character),
	}, true
}

// excerpt returns a line, or 100 bytes before and after a place in a longer one, as in a history.
func excerpt(line string, at int) string {
	const around = 100
	start, end, at := 0, len(line), min(at, len(line))
	before, after := "", ""
	if at > 2*around {
		start, before = at-around, "…"
	}
	if end > at+2*around {
		end, after = at+around, "…"
	}
	return before + strings.ToValidUTF8(strings.TrimSpace(line[start:end]), "") + after
}

// print prints places, one per line or as JSON.
func (c *client) print(list []place, asJSON bool) {
	if asJSON {
		c.PrintJSON(map[string]any{"places": append([]place{}, list...)})
		return
	}
	for _, p := range list {
		text := p.Text
		if p.Selector != "" {
			text = p.Selector
		}
		fmt.Fprintf(c.Out, "%s:%d:%d: %s\n", verb.Visible(p.Path), p.Start.Line, p.Start.Column, verb.Visible(text))
	}
}

// apply writes edits to the files, or prints them as a patch.
func (c *client) apply(changes map[string][]textEdit, write bool) {
	for _, uri := range slices.Sorted(maps.Keys(changes)) {
		path := fileuri.Path(uri)
		before, err := c.text(path)
		if err != nil {
			c.Fail("%v", err)
			continue
		}
		lines := ast.NewLines(before)
		var edits []diag.Edit
		for _, e := range changes[uri] {
			at := func(p position) int { return lines.Start(p.Line) + p.Character }
			edits = append(edits, diag.Edit{Span: ast.Span{Start: at(e.Range.Start), End: at(e.Range.End)}, Text: e.Text})
		}
		slices.SortFunc(edits, func(a, b diag.Edit) int { return a.Span.Start - b.Span.Start })
		after, ok := diag.Apply(before, edits)
		switch {
		case !ok:
			c.FailFile(c.Name(path), verb.InternalError(errors.New("the edits overlap")))
		case !write:
			fmt.Fprint(c.Out, verb.UnifiedDiff(c.PatchName(path), before, after))
		default:
			if err := atomicfile.Replace(path, []byte(before), []byte(after)); err != nil {
				c.FailFile(c.Name(path), fmt.Errorf("cannot write: %s", atomicfile.Reason(err)))
				continue
			}
			c.Note("%s: %s renamed", verb.Visible(c.Name(path)), verb.Count(len(edits), "use"))
		}
	}
}
