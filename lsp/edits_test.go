package lsp

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	stdutf16 "unicode/utf16"

	"github.com/google/go-cmp/cmp"
	"github.com/sourcegraph/jsonrpc2"
	protocol "github.com/tliron/glsp/protocol_3_16"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/internal/check"
	"github.com/pactkit/pactkit/internal/test/gentest"
)

// model is the text of a client as UTF-16 units: an independent implementation of edits.
type model struct{ units []uint16 }

// at returns the index of a position: past the end of a line its end, past the last line the end,
// inside a surrogate pair its start.
func (m *model) at(p protocol.Position) int {
	start := 0
	for line := uint32(0); line < p.Line; line++ {
		end, next := m.line(start)
		if next == end {
			return len(m.units)
		}
		start = next
	}
	end, _ := m.line(start)
	i := end
	if int64(p.Character) < int64(end-start) {
		i = start + int(p.Character)
	}
	if i > start && i < end && stdutf16.IsSurrogate(rune(m.units[i])) && m.units[i] >= 0xdc00 && m.units[i-1] >= 0xd800 && m.units[i-1] < 0xdc00 {
		i--
	}
	return i
}

// line returns where the line that starts at an index ends, and where the next one starts. For the
// last line, both are the same.
func (m *model) line(start int) (end, next int) {
	for i := start; i < len(m.units); i++ {
		switch {
		case m.units[i] == '\r' && i+1 < len(m.units) && m.units[i+1] == '\n':
			return i, i + 2
		case m.units[i] == '\n' || m.units[i] == '\r':
			return i, i + 1
		}
	}
	return len(m.units), len(m.units)
}

func (m *model) edit(r protocol.Range, text string) {
	from, to := m.at(r.Start), m.at(r.End)
	to = max(from, to)
	m.units = append(append(append([]uint16{}, m.units[:from]...), stdutf16.Encode([]rune(text))...), m.units[to:]...)
}

func (m *model) String() string { return string(stdutf16.Decode(m.units)) }

var scraps = []string{"", "a", ".cb", "\n", "\r\n", "\r", "𝄞", "ä", "😀😀", "^seq .seg > .block\n", "\"", "'", "{", "+x", "\u2028", "# c\n", "\\"}

// editRun makes edits that pick chooses, on a server that has a session, and compares the texts
// after each edit. If thorough is set, the edits are sent as messages, and findings and formatting
// are compared after each edit too. Otherwise the methods of the server are called, findings are
// compared after the last edit, and formatting if pick says so. In between, editRun sends requests
// and cancels some of them.
func editRun(t *testing.T, s *server, pick func(n int) int, steps int, thorough bool) {
	t.Helper()
	s.ctx = t.Context()
	s.phase = live
	s.client.pull = !thorough // a push waits, and runs beside the edits
	piece := func() string {
		var b strings.Builder
		for range pick(4) {
			b.WriteString(scraps[pick(len(scraps))])
		}
		return b.String()
	}
	uri := "untitled:x"
	format := pick(2) == 0
	m := &model{}
	m.edit(protocol.Range{}, piece())
	notify(t, s, thorough, "textDocument/didOpen", (*server).didOpen, &protocol.DidOpenTextDocumentParams{
		TextDocument: protocol.TextDocumentItem{URI: uri, LanguageID: languageID, Version: 1, Text: m.String()},
	})
	position := func() protocol.Position {
		if pick(12) == 0 {
			far := []uint32{0, 1000, math.MaxInt32, math.MaxUint32}
			return protocol.Position{Line: far[pick(len(far))], Character: far[pick(len(far))]}
		}
		return protocol.Position{Line: uint32(pick(6)), Character: uint32(pick(12))}
	}
	for step := range steps {
		p := &changeParams{}
		for range 1 + pick(3) { // each follows the one before, overlapping or not
			if pick(30) == 0 || len(m.units) > 2000 {
				m = &model{}
				text := piece()
				m.edit(protocol.Range{}, text)
				p.Changes = append(p.Changes, change{Text: text})
				continue
			}
			at := &protocol.Range{Start: position(), End: position()}
			text := piece()
			m.edit(*at, text)
			p.Changes = append(p.Changes, change{Range: at, Text: text})
		}
		p.TextDocument.URI, p.TextDocument.Version = uri, int32(pick(100))
		notify(t, s, thorough, "textDocument/didChange", (*server).didChange, p)
		if got := s.docs.get(uri).src; got != m.String() {
			t.Fatalf("step %d: the server has %q, the client %q, after %s", step, got, m.String(), must(json.Marshal(p)))
		}
		if thorough || step == steps-1 {
			compareFindings(t, s, uri)
		}
		if thorough || step == steps-1 && format {
			compareFormatting(t, s, uri)
		}
		if pick(4) == 0 {
			ctx, stop := context.WithCancel(t.Context())
			if pick(3) == 0 {
				stop()
			}
			at := position()
			ask(t, s, ctx, documentMethods[pick(len(documentMethods))], uri, at)
			stop()
		}
	}
	s.requests.Wait()
}

// notify sends a notification, or calls the method that handles it.
func notify[P any](t *testing.T, s *server, send bool, method string, handle func(*server, context.Context, *P) error, params *P) {
	t.Helper()
	var err error
	if send {
		raw := json.RawMessage(must(json.Marshal(params)))
		_, err = s.dispatch(t.Context(), s.now(), &jsonrpc2.Request{Method: method, Params: &raw, Notif: true})
	} else {
		err = handle(s, t.Context(), params)
	}
	if err != nil {
		t.Fatal(err)
	}
}

// compareFindings compares what the server finds in a document with what the command line finds in
// a file of the same text.
func compareFindings(t *testing.T, s *server, uri string) {
	t.Helper()
	d := s.docs.get(uri)
	a := d.analyze(t.Context(), s.session.snapshot())
	type finding struct {
		at                  ast.Span
		rule, message, hint string
	}
	list := func(found []check.Finding) []finding {
		var out []finding
		for _, f := range found {
			out = append(out, finding{f.Span, f.Rule.ID, f.Message, f.Hint})
		}
		return out
	}
	o := a.options
	o.Memo = nil
	want, got := list(check.File(t.Context(), d.host, d.src, o).Findings), list(a.result(t.Context()).Findings)
	if !slices.Equal(want, got) {
		t.Fatalf("%q\n(-file +server):\n%s", d.src, cmp.Diff(want, got, cmp.AllowUnexported(finding{})))
	}
}

// compareFormatting compares how the server formats a document with how the command line formats a
// file of the same text.
func compareFormatting(t *testing.T, s *server, uri string) {
	t.Helper()
	d := s.docs.get(uri)
	o := d.analyze(t.Context(), s.session.snapshot()).options
	o.Memo = nil
	formatted, err := check.FormatFile(d.host, d.src, o)
	if err != nil {
		t.Logf("left as it is: %q: %v", d.src, err)
	}
	var edits []diag.Edit
	for _, e := range s.formatted(t.Context(), s.now(), d, []ast.Span{{Start: 0, End: len(d.src)}}) {
		edits = append(edits, diag.Edit{Span: d.span(e.Range), Text: e.NewText})
	}
	if text, ok := diag.Apply(d.src, edits); !ok || text != formatted.Text {
		t.Fatalf("%q: formatting makes %q of it, not %q", d.src, text, formatted.Text)
	}
}

// documentMethods are the requests about a document that never fail, whatever its text is.
var documentMethods = slices.DeleteFunc(slices.Sorted(maps.Keys(methodTable())), func(name string) bool {
	about, ok := strings.CutPrefix(name, "textDocument/")
	return !ok || strings.HasPrefix(about, "did") || name == protocol.MethodTextDocumentRename
})

// ask sends one of the documentMethods.
func ask(t *testing.T, s *server, ctx context.Context, method, uri string, at protocol.Position) {
	t.Helper()
	position := fmt.Sprintf(`{"line":%d,"character":%d}`, at.Line, at.Character)
	raw := json.RawMessage(fmt.Sprintf(`{"textDocument":{"uri":%q},"position":%s,"positions":[%[2]s],"range":{"start":{"line":0,"character":0},"end":%[2]s},
		"context":{"only":["quickfix","source"]}}`, uri, position))
	if _, err := s.dispatch(ctx, s.now(), &jsonrpc2.Request{Method: method, Params: &raw}); err != nil && ctx.Err() == nil {
		t.Fatalf("%s: %v in %q", method, err, s.docs.get(uri).src)
	}
}

// TestEdits compares the text of the server with that of the client after each of 5,000 random
// edits.
func TestEdits(t *testing.T) {
	for seed := range uint64(50) {
		s := newServer(Options{Log: discard()})
		s.session.reload(nil)
		editRun(t, s, rand.New(rand.NewPCG(seed, 1)).IntN, 100, true)
	}
}

// FuzzEdits lets the fuzzer choose the edits. For speed, runs are short, and the servers share the
// snapshot of an empty workspace.
func FuzzEdits(f *testing.F) {
	var empty session
	empty.reload(nil)
	gentest.AddBytes(f, 60)
	f.Fuzz(func(t *testing.T, data []byte) {
		s := newServer(Options{Log: discard()})
		s.session.newest.Store(empty.snapshot())
		editRun(t, s, gentest.Picker(data), min(len(data)/20, 6), false)
	})
}
