package thread_test

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread"
)

// The fuzz targets of the importers check that nothing panics, every error has a position, every
// history is valid, and a rendering imports and renders as itself.
func FuzzOpenAI(f *testing.F)          { fuzzImport(f, thread.OpenAI) }
func FuzzOpenAIResponses(f *testing.F) { fuzzImport(f, thread.OpenAIResponses) }
func FuzzAnthropic(f *testing.F)       { fuzzImport(f, thread.Anthropic) }
func FuzzGemini(f *testing.F)          { fuzzImport(f, thread.Gemini) }
func FuzzFlat(f *testing.F)            { fuzzImport(f, thread.Flat) }
func FuzzShareGPT(f *testing.F)        { fuzzImport(f, thread.ShareGPT) }
func FuzzClaudeCode(f *testing.F)      { fuzzImport(f, thread.ClaudeCode) }

// FuzzRender renders any tree, including trees with the provenance of an import, and checks that
// the result is JSON and nothing panics.
func FuzzRender(f *testing.F) {
	fixtures, err := filepath.Glob("../testdata/fixtures/*.json")
	if err != nil {
		f.Fatal(err)
	}
	for _, path := range fixtures {
		data, err := os.ReadFile(path)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(data)
	}
	for seed := range uint64(3) {
		for _, format := range thread.Formats() {
			if format.Imports() {
				g := &generator{r: rand.New(rand.NewPCG(seed, uint64(format)))}
				log, name := g.log(format)
				logs, err := thread.Import(f.Context(), name, []byte(log), format, thread.ImportOptions{})
				if err != nil {
					f.Fatal(err)
				}
				f.Add(logs[0].Timeline().At(0).AppendJSON(nil))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		tl, err := engine.Read("f.json", bytes.NewReader(data), engine.ReadOptions{})
		if err != nil {
			return
		}
		for _, f := range thread.Formats() {
			for _, s := range tl.All() {
				renderOf(t, s, f)
				if _, err := thread.PrefixOf(tl.At(tl.Len()-1), s, f, thread.RenderOptions{}); err != nil {
					t.Fatal(err)
				}
			}
		}
	})
}

func fuzzImport(f *testing.F, format thread.Format) {
	for c := range testkit.Load(f, "../testdata/thread/*.txtar") {
		f.Add(c.In.Data)
	}
	if format == thread.ClaudeCode {
		paths, err := filepath.Glob("../testdata/logs/claude-code-log/*.jsonl")
		if err != nil {
			f.Fatal(err)
		}
		for _, path := range paths {
			data, err := os.ReadFile(path)
			if err != nil {
				f.Fatal(err)
			}
			if len(data) < 1<<12 { // TestRealLogs checks the longer ones too
				f.Add(data)
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) > 1<<12 {
			return
		}
		logs, err := thread.Import(t.Context(), "f", data, format, thread.ImportOptions{})
		if err != nil {
			e, ok := errors.AsType[*engine.Error](err)
			if !ok || e.Line < 1 || e.Path == "" || e.File != "f" || !utf8.ValidString(e.Error()) {
				t.Fatalf("an error without a position: %#v", err)
			}
		}
		for _, l := range logs {
			checkLog(t, l, format, oneFormat(len(data)))
		}
	})
}

// oneFormat returns one of the formats. A fuzz target tries many similar logs, so it need not
// render each of them in all formats.
func oneFormat(n int) []thread.Format { return thread.Formats()[n%len(thread.Formats()):][:1] }

// checkLog checks the invariants of every imported log, and that it renders in other formats.
func checkLog(t *testing.T, l thread.Log, format thread.Format, others []thread.Format) {
	t.Helper()
	tl := l.Timeline()
	s := tl.At(0)
	for _, s := range tl.All() {
		if bad := s.Validate(); len(bad) > 0 {
			t.Fatalf("a broken invariant: %v", bad[0])
		}
	}
	for _, n := range l.Notes {
		if n.Line < 1 || n.Path == "" || !utf8.ValidString(n.String()) {
			t.Fatalf("a note without a position: %+v", n)
		}
	}
	first := renderOf(t, s, format)
	export := tl.AppendJSON(nil)
	again, err := engine.Read("export.json", bytes.NewReader(export), engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	if got, err := thread.Render(again.At(0), format, thread.RenderOptions{}); err != nil || !bytes.Equal(first, got.JSON) {
		t.Fatalf("the thread of the export differs: %v\n%s\n%s", err, first, got.JSON)
	}
	name := "again.json"
	if format == thread.ClaudeCode {
		name = "again.jsonl"
	}
	logs, err := thread.Import(t.Context(), name, first, format, thread.ImportOptions{})
	if err != nil || len(logs) != 1 {
		t.Fatalf("reading what was rendered: %d logs, %v\n%s", len(logs), err, first)
	}
	second, err := thread.Render(logs[0].Timeline().At(0), format, thread.RenderOptions{})
	if err != nil || !bytes.Equal(first, second.JSON) && !sameLog(t, format, first, second.JSON) {
		t.Fatalf("a round trip changes the log: %v\n%s\n%s", err, first, second.JSON)
	}
	for _, f := range others {
		if f != format {
			renderOf(t, s, f)
		}
	}
	if tl.Len() > 1 {
		if _, err := thread.Prefix(tl, 0, format, thread.RenderOptions{}); err != nil {
			t.Fatal(err)
		}
	}
}

func renderOf(t *testing.T, s *engine.Snapshot, f thread.Format) []byte {
	t.Helper()
	return rendered(t, s, f).JSON
}

// rendered renders a snapshot and checks its units, compact and pretty.
func rendered(t *testing.T, s *engine.Snapshot, f thread.Format) thread.Rendered {
	t.Helper()
	out, err := thread.Render(s, f, thread.RenderOptions{})
	if err != nil {
		t.Fatal(err)
	}
	pretty, err := thread.Render(s, f, thread.RenderOptions{Pretty: true})
	if err != nil {
		t.Fatal(err)
	}
	if f == thread.ClaudeCode {
		return out
	}
	if compact(t, pretty.JSON) != string(out.JSON) {
		t.Fatalf("%s: %s, pretty %s", f, out.JSON, pretty.JSON)
	}
	for i, u := range out.Units {
		p := pretty.Units[i]
		part, prettyPart := out.JSON[u.Start:u.End], pretty.JSON[p.Start:p.End]
		if u.Node != p.Node || compact(t, prettyPart) != string(part) {
			t.Fatalf("%s: unit %d is %s, pretty %s", f, i, part, prettyPart)
		}
	}
	return out
}

// jsonEqual reports whether two documents have the same value. Numbers are compared as text.
func jsonEqual(t *testing.T, a, b []byte) bool {
	t.Helper()
	x, errX := engine.JSON(a)
	y, errY := engine.JSON(b)
	if errX != nil || errY != nil {
		t.Fatalf("not JSON: %v %v\n%s\n%s", errX, errY, a, b)
	}
	return x == y
}
