package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"path/filepath"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/fileuri"
	"github.com/pactkit/pactkit/lint"
)

// TestManyWords checks that, if there are too many words, those that begin with the typed text are
// offered, and the list is incomplete.
func TestManyWords(t *testing.T) {
	ws := t.TempDir()
	var tags []string
	for i := range 2000 {
		tags = append(tags, fmt.Sprintf("%q", fmt.Sprintf("tag%04d", i)))
	}
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("known.tags = ["+strings.Join(tags, ", ")+"]\n"))
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte(".block+\n.block+tag012\n"))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	e.do("open a.pactsel pact-selector")
	for _, c := range []struct {
		line, column, words int
		cut                 bool
	}{{0, 7, maxWords, true}, {1, 13, 10, true}} {
		var list completionList
		if err := json.Unmarshal(must(e.call("textDocument/completion", map[string]any{
			"textDocument": map[string]any{"uri": e.uri("a.pactsel")}, "position": map[string]any{"line": c.line, "character": c.column},
		})), &list); err != nil {
			t.Fatal(err)
		}
		list.Items = slices.DeleteFunc(list.Items, func(it item) bool { return !strings.HasPrefix(it.Label, "+tag") })
		if list.Incomplete != c.cut || len(list.Items) != c.words {
			t.Errorf("line %d: %d words, incomplete %t", c.line, len(list.Items), list.Incomplete)
		}
	}
}

// TestIncluded scans files that are selector files only because of the configuration, in several
// concurrent requests.
func TestIncluded(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("include = [\"*.sel\"]\n"))
	for i := range 20 {
		writeFile(t, filepath.Join(ws, fmt.Sprintf("%d.sel", i)), []byte(".cb+user\n"))
	}
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	e.do("open 0.sel plaintext")
	var wait sync.WaitGroup
	for range 4 {
		wait.Go(func() {
			r, err := e.call("textDocument/references", map[string]any{
				"textDocument": map[string]any{"uri": e.uri("0.sel")}, "position": map[string]any{"line": 0, "character": 6},
			})
			if n := strings.Count(string(r), `"uri"`); err != nil || n != 20 {
				t.Errorf("%d places, %v", n, err)
			}
		})
	}
	wait.Wait()
}

// TestLargeFixture checks the answers while a large fixture is being read, and afterwards.
func TestLargeFixture(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("fixtures = \"f.json\"\n"))
	writeFile(t, filepath.Join(ws, "f.json"), []byte(`{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah"}]}}`+strings.Repeat(" ", largeFixture)))
	s := newServer(Options{Log: discard()})
	var reading []func(context.Context)
	s.session.background = func(read func(context.Context)) { reading = append(reading, read) }
	s.session.reload([]string{ws})
	evaluate := func() string {
		sn := s.session.snapshot()
		d := newDocument(fileuri.Of(filepath.Join(ws, "a.pactsel")), "pact-selector", 0, "^sys\n+nothing\n", utf16)
		a := d.analyze(t.Context(), sn)
		return fmt.Sprint(len(a.result(t.Context()).Findings), " findings", s.evaluated(t.Context(), s.now(), a, a.selectorAt(t.Context(), 0)))
	}
	if text := evaluate(); !strings.HasPrefix(text, "0 findings") || !strings.Contains(text, "`f.json` is being read.") {
		t.Errorf("while it is read: %s", text)
	}
	if len(reading) != 1 {
		t.Fatalf("%d readings", len(reading))
	}
	reading[0](t.Context())
	s.session.again()
	if text := evaluate(); strings.HasPrefix(text, "0 findings") || !strings.Contains(text, "f.json: 1 node") {
		t.Errorf("afterwards: %s", text)
	}
}

// TestCanceledWords checks that a request that was canceled leaves no incomplete list of words
// behind, which would make a later rename miss uses.
func TestCanceledWords(t *testing.T) {
	s := newServer(Options{Log: discard()})
	s.session.reload(nil)
	d := newDocument("untitled:x", languageID, 0, "+a\n+b\n+a\n", utf16)
	a := d.analyze(t.Context(), s.session.snapshot())
	canceled, stop := context.WithCancel(t.Context())
	stop()
	a.words(canceled)
	if diff := cmp.Diff(map[string]int{"a": 2, "b": 1}, a.words(t.Context())[lint.TagWord]); diff != "" {
		t.Errorf("after a canceled request (-want +got):\n%s", diff)
	}
}

// TestNodeAt finds the node around the first | of a text, which may be nested so deep that
// recursion would overflow the stack.
func TestNodeAt(t *testing.T) {
	defer debug.SetMaxStack(debug.SetMaxStack(8 << 20))
	const deep = 1 << 20
	for text, want := range map[string]string{
		`{"id":"a","x":[{"id":"b"|},{"id":"c"}]}`:                   "b",
		`{"id":"a","x":[{"id":"b"},|{"id":"c"}]}`:                   "c",
		"{\"id\":\"a\",\"x\":[{\"id\":\"b\"},\n|  {\"id\":\"c\"}]}": "c",
		`{"id":"a","x":[|[1,{"id":"b"}]]}`:                          "a",
		`{"id":"a","x":{"id":2|}}`:                                  "a",
		`{"id":"a","x":[{"id":"b|"}, oops]}`:                        "b",
		`{"id":"a"|`:                                                "",
		"|" + strings.Repeat("[", deep):                             "",
		`{"x":{"id":"a"|},"y":` + strings.Repeat(`{"":`, deep):      "a",
		`{"x":{"id":"a"|},"y":` + strings.Repeat(`[`, 5000) + strings.Repeat(`]`, 5000) + `,"id":"b"}`: "a",
	} {
		before, after, _ := strings.Cut(text, "|")
		if got := nodeAt(before+after, len(before)); got != want {
			t.Errorf("%.80s: node %q, not %q", text, got, want)
		}
	}
}

// TestManyActions requests the actions of a document with very many findings and selectors.
func TestManyActions(t *testing.T) {
	s := newServer(Options{Log: discard()})
	s.session.reload(nil)
	d := newDocument("untitled:x", languageID, 0, strings.Repeat(".cb\n", 3000), utf16)
	for kind, want := range map[string]int{"quickfix": maxActions, rewriteKind: maxActions + 1} { // one merges the selectors
		p := &actionParams{Range: d.rangeOf(ast.Span{Start: 0, End: len(d.src)})}
		p.Context.Only = []string{kind}
		if n := len(s.actionsAt(t.Context(), s.now(), d, p)); n != want {
			t.Errorf("%s: %d actions, not %d", kind, n, want)
		}
	}
}

// TestForgottenFiles reads a file in the folder of the workspace and one outside, which is
// forgotten when the files of the workspace are read.
func TestForgottenFiles(t *testing.T) {
	ws, out := t.TempDir(), filepath.Join(t.TempDir(), "b.pactsel")
	in := filepath.Join(ws, "a.pactsel")
	s := newServer(Options{Log: discard()})
	s.session.reload([]string{ws})
	for _, path := range []string{in, out} {
		writeFile(t, path, []byte(".block\n"))
		if _, err := s.document(s.now(), fileuri.Of(path)); err != nil {
			t.Fatal(err)
		}
	}
	for range s.files(t.Context(), s.now(), scanTitle) {
	}
	if diff := cmp.Diff([]string{in}, slices.Collect(maps.Keys(s.disk.read))); diff != "" {
		t.Error(diff)
	}
}

// TestMessageLimit checks that the memory limit also limits the size of messages.
func TestMessageLimit(t *testing.T) {
	defer budget.Set(0)
	for _, c := range []struct{ memory, first, later int64 }{{0, maxFirst, maxFrame}, {1 << 30, maxFirst, maxFrame}, {160 << 20, maxFirst, 22 << 20}} {
		budget.Set(c.memory)
		if first, later := (&codec{}).limit(), (&codec{initialized: true}).limit(); int64(first) != c.first || int64(later) != c.later {
			t.Errorf("with %d MiB of memory: %d and %d bytes", c.memory>>20, first, later)
		}
	}
}

// TestDocumentMemory opens documents until their selectors exceed the memory limit. Later documents
// are not checked and report that, until the earlier ones are closed.
func TestDocumentMemory(t *testing.T) {
	defer budget.Set(0)
	budget.Set(128 << 20)
	s := newServer(Options{Log: discard()})
	s.client.pull = true
	s.session.reload([]string{t.TempDir()})
	for _, c := range []struct{ ending, language, selector string }{
		{".pactsel", languageID, ".block+user [name=\"x%d\"]\n"},
		{".md", "markdown", "```pactsel\n.block+user [x=%d]\n```\n"},
	} {
		checked := func(uri string) bool {
			r := string(must(json.Marshal(must(s.pullDiagnostics(t.Context(), s.now(), &pullParams{docParams: docParams{protocol.TextDocumentIdentifier{URI: uri}}})))))
			return !strings.Contains(r, `"E_MEMORY"`)
		}
		open := func(i int) string {
			var b strings.Builder
			for n := range 10_000 {
				fmt.Fprintf(&b, c.selector, i*10_000+n)
			}
			p := &protocol.DidOpenTextDocumentParams{TextDocument: protocol.TextDocumentItem{URI: fmt.Sprintf("file:///%d%s", i, c.ending), LanguageID: c.language, Text: b.String()}}
			if err := s.didOpen(t.Context(), p); err != nil {
				t.Fatal(err)
			}
			return p.TextDocument.URI
		}
		uris := []string{open(0)}
		for ; checked(uris[len(uris)-1]) && len(uris) < 20; uris = append(uris, open(len(uris))) {
		}
		if len(uris) < 2 || len(uris) == 20 {
			t.Errorf("%s: of %d documents, the last is refused: %t", c.ending, len(uris), !checked(uris[len(uris)-1]))
		}
		if !checked(uris[0]) {
			t.Errorf("%s: the first document is refused", c.ending)
		}
		for i, uri := range uris {
			if i == len(uris)-1 && !checked(uri) {
				t.Errorf("%s: the last document is refused although the others are closed", c.ending)
			}
			if err := s.didClose(t.Context(), &protocol.DidCloseTextDocumentParams{TextDocument: protocol.TextDocumentIdentifier{URI: uri}}); err != nil {
				t.Fatal(err)
			}
		}
	}
}

// TestManyLenses counts the lenses of a document with more selectors than anybody reads.
func TestManyLenses(t *testing.T) {
	ws := t.TempDir()
	writeFile(t, filepath.Join(ws, ".pactkit.toml"), []byte("fixtures = \"tree.json\"\n"))
	writeFile(t, filepath.Join(ws, "tree.json"), []byte(`[{"role":"user","content":"hi"}]`))
	writeFile(t, filepath.Join(ws, "a.pactsel"), []byte(strings.Repeat(".block\n", maxLenses)))
	e := startEditor(t, ws, "vscode")
	defer e.stop()
	e.do("open a.pactsel pact-selector")
	var list []json.RawMessage
	if err := json.Unmarshal(must(e.call("textDocument/codeLens", map[string]any{"textDocument": map[string]any{"uri": e.uri("a.pactsel")}})), &list); err != nil {
		t.Fatal(err)
	}
	if len(list) < maxLenses || len(list) > maxLenses+2 {
		t.Errorf("%d lenses", len(list))
	}
}
