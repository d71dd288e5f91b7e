package host

import (
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/internal/test/testkit"
)

// fuzzHost checks the laws for any bytes that a file of a kind may have: there is no panic, regions
// and maps are correct, and formatting all that can be formatted does not change any other token.
func fuzzHost(f *testing.F, name string) {
	h := For(name)
	for c := range testkit.Load(f, "../testdata/host/*.txtar") {
		if filepath.Ext(c.In.Name) == filepath.Ext(name) || For(c.In.Name) == h {
			f.Add(unescape(c.Source()))
		}
	}
	f.Fuzz(func(t *testing.T, src string) {
		if len(src) > 10_000 {
			return
		}
		checkLaws(t, h, src)
		m := typedMarkers()
		found := h.Find(src, m)
		if found.Broken() {
			return
		}
		out, _ := formatAll(t, h, src, found, m)
		if again, _ := formatAll(t, h, out, h.Find(out, m), m); again != out {
			t.Errorf("formatting is not idempotent:\n%q\n%q\n%q", src, out, again)
		}
	})
}

func FuzzGo(f *testing.F)         { fuzzHost(f, "x.go") }
func FuzzPython(f *testing.F)     { fuzzHost(f, "x.py") }
func FuzzJavaScript(f *testing.F) { fuzzHost(f, "x.js") }
func FuzzTypeScript(f *testing.F) { fuzzHost(f, "x.ts") }
func FuzzRust(f *testing.F)       { fuzzHost(f, "x.rs") }
func FuzzJava(f *testing.F)       { fuzzHost(f, "x.java") }
func FuzzRuby(f *testing.F)       { fuzzHost(f, "x.rb") }
func FuzzJSON(f *testing.F)       { fuzzHost(f, "x.json") }
func FuzzYAML(f *testing.F)       { fuzzHost(f, "x.yaml") }
func FuzzTOML(f *testing.F)       { fuzzHost(f, "x.toml") }
func FuzzMarkdown(f *testing.F)   { fuzzHost(f, "x.md") }
