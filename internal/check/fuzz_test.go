package check_test

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// FuzzFix corrects mutated files of every kind, starting with the sample project: the bytes outside
// the selectors stay the same, and a second run changes nothing.
func FuzzFix(f *testing.F) {
	sample := os.DirFS(filepath.Join("..", "..", "testdata", "sample"))
	_ = fs.WalkDir(sample, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && host.For(name) != nil && !strings.HasPrefix(name, "fixtures/") {
			data, _ := fs.ReadFile(sample, name)
			f.Add(path.Base(name), string(data), true)
		}
		return err
	})
	f.Add("a.pactsel", "\r\n\ufeff^sys .cb\n", false)
	f.Fuzz(func(t *testing.T, name, src string, unsafe bool) {
		h := host.For(name)
		if h == nil || len(src) > 4000 {
			return
		}
		o := check.Options{Unformatted: true}
		before := check.File(t.Context(), h, src, o)
		fixed, err := check.Fix(t.Context(), h, src, o, unsafe)
		if err != nil {
			t.Fatalf("%s: %v\n%q", name, err, src)
		}
		if was, is := outside(h, src, before.File), outside(h, fixed.Text, fixed.Left.File); was != is {
			t.Errorf("%s: bytes outside of selectors changed\n%q\n%q", name, was, is)
		}
		again, err := check.Fix(t.Context(), h, fixed.Text, o, unsafe)
		if err != nil {
			t.Fatalf("%s: the second time: %v\n%q", name, err, fixed.Text)
		}
		if again.Text != fixed.Text {
			t.Errorf("%s: a second fix changes\n%q to\n%q", name, fixed.Text, again.Text)
		}
	})
}

// outside returns a file without its regions. A YAML value may get the quotes that its new text
// needs.
func outside(h host.Host, src string, f host.File) string {
	quotes := ""
	if h == host.For("x.yaml") {
		quotes = `'"`
	}
	var b strings.Builder
	at := 0
	for _, r := range f.Regions {
		if r.Start < at { // a string inside another one
			continue
		}
		start, end := r.Start, r.End
		if start > at && end < len(src) && strings.IndexByte(quotes, src[start-1]) >= 0 && src[start-1] == src[end] {
			start, end = start-1, end+1
		}
		b.WriteString(src[at:start])
		b.WriteByte(0)
		at = end
	}
	return b.String() + src[at:]
}

// TestFixKeepsErrors checks that no correction moves a byte order mark to the start of a file.
// Elsewhere the mark is an error; there, the selector after it would become valid.
func TestFixKeepsErrors(t *testing.T) {
	for src, want := range map[string]string{
		"\r\n\ufeff^sys .cb\n":       "\r\n\ufeff^sys .block\n",
		"\r\ufeff^sys .cb\n":         "\r\ufeff^sys .block\n",
		"\n\n \t\n\ufeff# c\n.mt\n":  "\n\ufeff# c\n@t0 (*[nodeType='seg'])\n",
		"\ufeff\n\ufeff.mt\n":        "\ufeff\ufeff.seg\n",
		" \ufeff.mt\n":               " \ufeff.seg\n",
		"\n# a comment\n\ufeff.mt\n": "# a comment\n\ufeff.seg\n",
	} {
		h := host.For("a.pactsel")
		fixed, err := check.Fix(t.Context(), h, src, check.Options{}, false)
		if err != nil || fixed.Text != want || len(fixed.Left.Findings) == 0 {
			t.Errorf("%q: got %q, want %q; %v, %d findings left", src, fixed.Text, want, err, len(fixed.Left.Findings))
		}
		formatted, err := check.FormatFile(h, want, check.Options{})
		if err != nil || formatted.Text != want {
			t.Errorf("%q: formatted %q, %v", want, formatted.Text, err)
		}
	}
}
