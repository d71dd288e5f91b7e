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

// FuzzFix corrects mutated files of every kind, the sample project first: what is outside of the selectors keeps its
// bytes, and a second run changes nothing.
func FuzzFix(f *testing.F) {
	sample := os.DirFS(filepath.Join("..", "..", "testdata", "sample"))
	_ = fs.WalkDir(sample, ".", func(name string, d fs.DirEntry, err error) error {
		if err == nil && host.For(name) != nil && !strings.HasPrefix(name, "fixtures/") {
			data, _ := fs.ReadFile(sample, name)
			f.Add(path.Base(name), string(data), true)
		}
		return err
	})
	f.Fuzz(func(t *testing.T, name, src string, unsafe bool) {
		h := host.For(name)
		if h == nil || len(src) > 4000 {
			return
		}
		o := check.Options{Unformatted: true}
		before := check.File(h, src, o)
		fixed, err := check.Fix(h, src, o, unsafe)
		if err != nil {
			t.Fatalf("%s: %v\n%q", name, err, src)
		}
		if was, is := outside(src, before.File), outside(fixed.Text, fixed.Left.File); was != is {
			t.Errorf("%s: bytes outside of selectors changed\n%q\n%q", name, was, is)
		}
		again, err := check.Fix(h, fixed.Text, o, unsafe)
		if err != nil {
			t.Fatalf("%s: the second time: %v\n%q", name, err, fixed.Text)
		}
		if again.Text != fixed.Text {
			t.Errorf("%s: a second fix changes\n%q to\n%q", name, fixed.Text, again.Text)
		}
	})
}

// outside is a file without its regions.
func outside(src string, f host.File) string {
	var b strings.Builder
	at := 0
	for _, r := range f.Regions {
		if r.Start < at { // a string in the hole of another
			continue
		}
		b.WriteString(src[at:r.Start])
		b.WriteByte(0)
		at = r.End
	}
	return b.String() + src[at:]
}
