package lsp

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/url"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestCases runs the cases of testdata/lsp, archives in the form of package testkit. The source is
// a script, the other files are the workspace, and want is the transcript of what the server
// answered. Lines of the script:
//
//	client NAME             selects the capabilities of an editor, from testdata/lsp/clients; it must
//	                        be the first line (default vscode)
//	open PATH [LANGUAGE]    opens a file of the workspace
//	change PATH RANGE TEXT  replaces a range, TEXT being a Go string
//	write PATH TEXT         changes a file on disk, and tells the server
//	close PATH
//	configure JSON          changes the settings of the user
//	fixAll PATH             applies source.fixAll.pactkit, as on saving
//	diagnostics PATH        prints the diagnostics of the newest version, pulled or pushed
//	findings PATH           prints the same, one per line
//	METHOD PATH RANGE [JSON]  sends a textDocument/METHOD request; JSON has further parameters
//	actions PATH RANGE [JSON] prints the code actions of a range: kind, title, edits; JSON is the
//	                          context of the request
//	labels PATH RANGE       prints the completions, the ranges they replace, and the resulting text
//	sent                    prints the messages the server sent by itself, except diagnostics
//	request METHOD JSON     sends any request; $ws in the JSON is the URI of the workspace
//
// A RANGE is LINE:COLUMN from 1, in UTF-16 units, or two of them with - between; or /TEXT/ for the
// first occurrence of a text, with +N after it for the position N units after its start. Ranges in
// answers are printed the same way.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, filepath.Join("..", "testdata", "lsp", "*.txtar")) {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			ws := t.TempDir()
			for _, f := range c.Inputs() {
				if f.Name != c.In.Name {
					writeFile(t, filepath.Join(ws, f.Name), f.Data)
				}
			}
			c.Golden(t, testkit.Want("", runScript(t, ws, c.Source())))
		})
	}
}

func writeFile(t *testing.T, path string, data []byte) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, data, 0o644); err != nil {
		t.Fatal(err)
	}
}

func runScript(t *testing.T, ws, script string) string {
	t.Helper()
	lines := strings.Split(strings.TrimSpace(script), "\n")
	name := "vscode"
	if rest, ok := strings.CutPrefix(lines[0], "client "); ok {
		name, lines = rest, lines[1:]
	}
	e := startEditor(t, ws, name)
	defer e.stop()
	var b strings.Builder
	for _, line := range lines {
		if line == "" || line[0] == '#' {
			continue
		}
		fmt.Fprintf(&b, "> %s\n", line)
		b.WriteString(e.do(line))
	}
	return b.String()
}

func (e *editor) uri(path string) string { return fileuri.Of(filepath.Join(e.ws, path)) }

// do runs one line of a script and returns its output.
func (e *editor) do(line string) string {
	words := strings.SplitN(line, " ", 4)
	for len(words) < 4 {
		words = append(words, "")
	}
	uri := e.uri(words[1])
	switch words[0] {
	case "open":
		data := must(os.ReadFile(filepath.Join(e.ws, words[1])))
		d := newDocument(uri, words[2], 1, string(data), e.enc)
		e.docs[uri] = d
		e.forget(uri)
		e.notify("textDocument/didOpen", map[string]any{"textDocument": map[string]any{"uri": uri, "languageId": words[2], "version": 1, "text": d.src}})
		return ""
	case "close":
		delete(e.docs, uri)
		e.notify("textDocument/didClose", map[string]any{"textDocument": map[string]any{"uri": uri}})
		return ""
	case "change":
		d := e.docs[uri]
		r, rest := e.target(d, words[2]+" "+words[3])
		text := must(strconv.Unquote(strings.TrimSpace(rest)))
		at := d.span(r)
		e.docs[uri] = newDocument(uri, d.language, d.version+1, d.src[:at.Start]+text+d.src[at.End:], e.enc)
		e.forget(uri)
		e.notify("textDocument/didChange", map[string]any{
			"textDocument":   map[string]any{"uri": uri, "version": d.version + 1},
			"contentChanges": []any{map[string]any{"range": r, "text": text}},
		})
		return ""
	case "write":
		writeFile(e.t, filepath.Join(e.ws, words[1]), []byte(must(strconv.Unquote(strings.TrimSpace(words[2]+" "+words[3])))))
		e.notify("workspace/didChangeWatchedFiles", map[string]any{"changes": []any{map[string]any{"uri": uri, "type": 2}}})
		return ""
	case "configure":
		_, settings, _ := strings.Cut(line, " ")
		e.notify("workspace/didChangeConfiguration", map[string]any{"settings": map[string]any{"pactkit": json.RawMessage(settings)}})
		return ""
	case "fixAll":
		return e.fixAll(uri)
	case "diagnostics":
		return e.print(e.diagnostics(uri), nil)
	case "findings":
		return e.findings(uri)
	case "request":
		rest := strings.TrimSpace(strings.ReplaceAll(words[2]+" "+words[3], "$ws", fileuri.Of(e.ws)))
		return e.print(e.call(words[1], json.RawMessage(rest)))
	}
	if words[0] == "labels" {
		return e.labels(uri, line, words)
	}
	if words[0] == "actions" {
		return e.actions(uri, line, words)
	}
	if words[0] == "sent" {
		return e.sent()
	}
	d := e.docs[uri]
	params := map[string]any{"textDocument": map[string]any{"uri": uri}}
	if words[2] != "" {
		r, rest := e.target(d, strings.TrimSpace(words[2]+" "+words[3]))
		params["position"], params["range"] = r.Start, r
		if rest = strings.TrimSpace(rest); rest != "" {
			if err := json.Unmarshal([]byte(rest), &params); err != nil {
				e.t.Fatalf("%s: %v", line, err)
			}
		}
	}
	return e.print(e.call("textDocument/"+words[0], params))
}

// labels prints the labels of completion, grouped by the range that they replace, and the line
// after applying the first one of each group.
func (e *editor) labels(uri, line string, words []string) string {
	d := e.docs[uri]
	r, _ := e.target(d, strings.TrimSpace(words[2]+" "+words[3]))
	raw, err := e.call("textDocument/completion", map[string]any{"textDocument": map[string]any{"uri": uri}, "position": r.Start})
	if err != nil {
		e.t.Fatalf("%s: %v", line, err)
	}
	var list completionList
	if err := json.Unmarshal(raw, &list); err != nil {
		e.t.Fatalf("%s: %v", line, err)
	}
	for i := range list.Items {
		if it := &list.Items[i]; it.Edit == nil {
			it.Edit = &protocol.TextEdit{Range: list.Defaults.Range, NewText: it.Text}
		}
	}
	var b strings.Builder
	for i, it := range list.Items {
		at := d.span(it.Edit.Range)
		if i == 0 || it.Edit.Range != list.Items[i-1].Edit.Range {
			n, start := d.lines.Line(at.Start)
			fmt.Fprintf(&b, "%s: %s%s%s\n ", must(json.Marshal(readable(toAny(it.Edit.Range)))), d.src[start:at.Start], it.Edit.NewText, d.src[at.End:max(at.End, d.lineEnd(n))])
		}
		fmt.Fprintf(&b, " %s", it.Label)
		if i == len(list.Items)-1 || it.Edit.Range != list.Items[i+1].Edit.Range {
			b.WriteByte('\n')
		}
	}
	return b.String()
}

func toAny(v any) any {
	d := json.NewDecoder(bytes.NewReader(must(json.Marshal(v))))
	d.UseNumber()
	var out any
	if err := d.Decode(&out); err != nil {
		panic(err)
	}
	return out
}

// sent prints the sorted messages that the server has sent by itself, without duplicates. It sends
// a request first: whatever was sent before the answer has arrived.
func (e *editor) sent() string {
	_, _ = e.call("workspace/executeCommand", map[string]any{"command": stateCommand})
	time.Sleep(100 * time.Millisecond) // messages sent outside the loop
	e.mu.Lock()
	defer e.mu.Unlock()
	list := slices.Compact(slices.Sorted(slices.Values(e.received)))
	e.received = nil
	return e.neutral(strings.Join(append(list, ""), "\n"))
}

var rangeForm = regexp.MustCompile(`^(?:/((?:[^/\\]|\\.)*)/(?:\+(\d+))?|(\d+):(\d+)(?:-(\d+):(\d+))?)`)

// target reads a range, and returns it with the rest of the line.
func (e *editor) target(d *document, s string) (protocol.Range, string) {
	m := rangeForm.FindStringSubmatch(s)
	if m == nil || d == nil {
		e.t.Fatalf("%q is not a range of an open document", s)
	}
	number := func(s string) uint32 { n, _ := strconv.Atoi(s); return uint32(n) }
	var r protocol.Range
	if m[3] != "" {
		r.Start = protocol.Position{Line: number(m[3]) - 1, Character: number(m[4]) - 1}
		r.End = r.Start
		if m[5] != "" {
			r.End = protocol.Position{Line: number(m[5]) - 1, Character: number(m[6]) - 1}
		}
	} else {
		text := strings.ReplaceAll(m[1], `\/`, "/")
		i := strings.Index(d.src, text)
		if i < 0 {
			e.t.Fatalf("%q does not occur", text)
		}
		r = protocol.Range{Start: d.position(i), End: d.position(i + len(text))}
		if m[2] != "" {
			r.Start.Character += number(m[2])
			r.End = r.Start
		}
	}
	return r, s[len(m[0]):]
}

// diagnostics returns the findings in the newest version of a document.
func (e *editor) diagnostics(uri string) json.RawMessage {
	if e.pull {
		return must(e.call("textDocument/diagnostic", map[string]any{"textDocument": map[string]any{"uri": uri}}))
	}
	// A push for this version begins before the server answers a request that is sent now.
	_, _ = e.call("textDocument/formatting", map[string]any{"textDocument": map[string]any{"uri": uri}})
	key := uri
	if e.versioned {
		key = fmt.Sprintf("%s#%d", uri, e.docs[uri].version)
	}
	deadline := time.AfterFunc(10*time.Second, func() { e.more.Broadcast() })
	defer deadline.Stop()
	e.mu.Lock()
	defer e.mu.Unlock()
	for end := time.Now().Add(10 * time.Second); e.pushed[key] == nil && time.Now().Before(end); {
		e.more.Wait()
	}
	return e.pushed[key]
}

// findings prints the diagnostics of a document, a line for each.
func (e *editor) findings(uri string) string {
	var list []diagnostic
	raw := e.diagnostics(uri)
	var report struct {
		Items json.RawMessage `json:"items"`
	}
	if e.pull {
		if err := json.Unmarshal(raw, &report); err != nil {
			e.t.Fatal(err)
		}
		raw = report.Items
	}
	if err := json.Unmarshal(raw, &list); err != nil {
		e.t.Fatal(err)
	}
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "%s %s %s: %s\n", readable(toAny(x.Range)), severityNames[x.Severity], x.Code, strings.ReplaceAll(x.Message, "\n", "; "))
	}
	return b.String()
}

var severityNames = []string{"", "error", "warning", "info", "hint"}

// actions prints the kind, the title and the edits of each code action.
func (e *editor) actions(uri, line string, words []string) string {
	r, rest := e.target(e.docs[uri], strings.TrimSpace(words[2]+" "+words[3]))
	if rest = strings.TrimSpace(rest); rest == "" {
		rest = `{"diagnostics":[]}`
	}
	raw, err := e.call("textDocument/codeAction", map[string]any{
		"textDocument": map[string]any{"uri": uri}, "range": r, "context": json.RawMessage(rest),
	})
	if err != nil {
		e.t.Fatalf("%s: %v", line, err)
	}
	var list []action
	if err := json.Unmarshal(raw, &list); err != nil {
		e.t.Fatalf("%s: %v", line, err)
	}
	var b strings.Builder
	for _, x := range list {
		fmt.Fprintf(&b, "%s: %s", x.Kind, x.Title)
		if x.Preferred {
			b.WriteString(" (preferred)")
		}
		b.WriteByte('\n')
		if x.Edit == nil {
			continue
		}
		for _, d := range append(x.Edit.DocumentChanges, documentChange{TextDocument: &edited{URI: uri}, Edits: x.Edit.Changes[uri]}) {
			where := ""
			if d.Kind != "" {
				fmt.Fprintf(&b, "  %s %s\n", d.Kind, d.URI)
			} else if d.TextDocument.URI != uri {
				where = d.TextDocument.URI + " "
			}
			for _, edit := range d.Edits {
				text := ""
				if edit.NewText != nil {
					text = strconv.Quote(*edit.NewText)
				} else {
					text = "snippet " + strconv.Quote(edit.Snippet.Value)
				}
				fmt.Fprintf(&b, "  %s%s %s\n", where, readable(toAny(edit.Range)), text)
			}
		}
	}
	return e.neutral(b.String())
}

// print shows an answer: ranges in short form, the workspace as $ws.
func (e *editor) print(r json.RawMessage, err error) string {
	if err != nil {
		if je, ok := errors.AsType[*jsonrpc2.Error](err); ok {
			return fmt.Sprintf("error %d: %s\n", je.Code, strings.ReplaceAll(je.Message, fileuri.Of(e.ws), "$ws"))
		}
		return fmt.Sprintf("error: %v\n", err)
	}
	d := json.NewDecoder(strings.NewReader(e.neutral(string(r)))) // before laying out, so that lines do not depend on the folder
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return "nothing\n"
	}
	var b strings.Builder
	layOut(&b, readable(v), "")
	return b.String() + "\n"
}

var profileTime = regexp.MustCompile(` *\d+\.\d{3} ms`)

// neutral replaces the path of the workspace by $ws, however it is escaped, and the times of
// profiles.
func (e *editor) neutral(s string) string {
	uri := fileuri.Of(e.ws)
	s = profileTime.ReplaceAllString(s, " T ms")
	return strings.NewReplacer(uri, "$ws", url.QueryEscape(uri), "$ws", e.ws, "$ws", `\u0026`, "&").Replace(s)
}

// layOut writes JSON on one line if it fits, otherwise one member per line.
func layOut(b *strings.Builder, v any, indent string) {
	var flat bytes.Buffer
	enc := json.NewEncoder(&flat)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		b.WriteString(err.Error())
		return
	}
	line := strings.TrimSpace(flat.String())
	deeper := indent + "  "
	m, isMap := v.(map[string]any)
	list, isList := v.([]any)
	numbers := isList && len(list) > 0
	for _, x := range list {
		_, ok := x.(json.Number)
		numbers = numbers && ok
	}
	switch {
	case len(indent)+len(line) <= 110 || numbers || !isMap && !isList:
		b.WriteString(line)
	case isMap:
		b.WriteString("{\n")
		for _, k := range slices.Sorted(maps.Keys(m)) {
			fmt.Fprintf(b, "%s%q: ", deeper, k)
			layOut(b, m[k], deeper)
			b.WriteString("\n")
		}
		b.WriteString(indent + "}")
	default:
		b.WriteString("[\n")
		for _, x := range list {
			b.WriteString(deeper)
			layOut(b, x, deeper)
			b.WriteString("\n")
		}
		b.WriteString(indent + "]")
	}
}

// readable replaces ranges and positions by their short form.
func readable(v any) any {
	switch v := v.(type) {
	case []any:
		for i := range v {
			v[i] = readable(v[i])
		}
		return v
	case map[string]any:
		if p, ok := positionText(v); ok {
			return p
		}
		start, ok1 := v["start"].(map[string]any)
		end, ok2 := v["end"].(map[string]any)
		if ok1 && ok2 && len(v) == 2 {
			from, ok1 := positionText(start)
			to, ok2 := positionText(end)
			if ok1 && ok2 {
				return from + "-" + to
			}
		}
		for k := range v {
			v[k] = readable(v[k])
		}
	}
	return v
}

func positionText(v map[string]any) (string, bool) {
	line, ok1 := v["line"].(json.Number)
	character, ok2 := v["character"].(json.Number)
	if !ok1 || !ok2 || len(v) != 2 {
		return "", false
	}
	l, _ := line.Int64()
	c, _ := character.Int64()
	return fmt.Sprintf("%d:%d", l+1, c+1), true
}
