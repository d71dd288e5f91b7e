package host

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/test/testkit"
)

// broadMarkers mark many strings of ordinary programs and data, to test the hosts on them.
func broadMarkers(t *testing.T) *Markers {
	m, err := NewMarkers(Patterns{
		Calls: []string{
			"*.Errorf(1, 2)", "*.Fatalf", "*.Printf", "*.Sprintf", "*.Contains(1, 2)", "*.HasPrefix(2)", "*.Get", "*.New",
			"require", "*.get", "*.append", "*.join", "*.format", "*.log", "*.push", "*.replace(1)", "*.startswith", "print", "puts",
			"*.expect", "*.println", "*.unwrap_or", "*.split", "*.test", "*.Error", "panic", "assert_eq(3)", "*.equals", "*.add",
		},
		Keys:     []string{"name", "version", "description", "files[]", "type", "path", "run", "uses", "resolved", "license", "title"},
		Comments: []string{"pact"}, Tags: []string{"html", "css"}, Fences: []string{"text", "sh", "console"},
	})
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// TestCorpus runs the hosts on public source code. PACTKIT_CORPUS names the folders; without it, a
// part of the standard library is read. None of this code uses PACT, so the default markers must
// find nothing; with markers that are everywhere, the laws must hold.
func TestCorpus(t *testing.T) {
	goroot, err := exec.Command("go", "env", "GOROOT").Output() // with -trimpath, go/build does not have it
	if err != nil {
		t.Fatal(err)
	}
	root := filepath.Join(strings.TrimSpace(string(goroot)), "src")
	folders, limit := []string{filepath.Join(root, "net"), filepath.Join(root, "go")}, 300
	if list := os.Getenv("PACTKIT_CORPUS"); list != "" {
		folders, limit = filepath.SplitList(list), 1<<30
	}
	loud := broadMarkers(t)
	var files, size, regions, broken, skipped int
	var quiet, read time.Duration
	kinds := map[string]int{}
	for _, folder := range folders {
		err := filepath.WalkDir(folder, func(path string, d fs.DirEntry, err error) error {
			if err != nil || !d.Type().IsRegular() || files >= limit {
				return err
			}
			h := For(filepath.ToSlash(path))
			if h == nil || !h.Embeds() {
				return nil
			}
			data, err := os.ReadFile(path)
			if err != nil || len(data) > 2<<20 || !utf8.Valid(data) {
				skipped++
				return nil
			}
			src := string(data)
			files++
			size += len(src)
			kinds[h.Name()]++
			start := time.Now()
			f := h.Find(src, nil)
			quiet += time.Since(start)
			for i := range f.Regions {
				t.Errorf("%s: %s %q", path, testkit.Range(src, f.Regions[i].Span), f.Regions[i].Text)
			}
			for _, d := range f.Diagnostics {
				t.Errorf("%s: %s %s", path, testkit.Range(src, d.Span), d.Message)
			}
			start = time.Now()
			f = h.Find(src, loud)
			read += time.Since(start)
			regions += len(f.Regions)
			if f.Broken() {
				broken++
			}
			if !strings.Contains(src, holeText) && len(src) < 200<<10 {
				checkFile(t, h, src, loud)
			}
			return nil
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	t.Logf("%d files, %d bytes, %d skipped: %v", files, size, skipped, kinds)
	t.Logf("nothing to find: %v; with %d regions, %d files with an error of their own: %v", quiet, regions, broken, read)
}
