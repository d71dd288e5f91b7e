package check_test

import (
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// TestReadingIsNotWriting reads files of D3, jQuery, Playwright, BeautifulSoup, Kubernetes, Ansible
// and others, which pass CSS selectors to functions with the same names as those of PACT. The test
// inserts the word pact in several forms. That does not prove that they are selectors of PACT: no
// string may be edited, and findings have the level info and no fix.
func TestReadingIsNotWriting(t *testing.T) {
	files, regions := 0, 0
	err := filepath.WalkDir(filepath.Join("..", "..", "testdata", "host", "css-corpus"), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		h := host.For(filepath.ToSlash(path))
		if h == nil || !strings.Contains(string(data), "items") {
			t.Fatalf("%s: no host, or no word to replace", path)
		}
		files++
		for _, word := range []string{"pact", "pacts", "Pact", "PACT", "pactkit"} {
			src := strings.ReplaceAll(string(data), "items", word)
			t.Run(d.Name()+"/"+word, func(t *testing.T) { regions += untouched(t, h, src) })
		}
		return nil
	})
	if err != nil || files < 15 || regions < 100 {
		t.Errorf("%d files, %d regions, %v", files, regions, err)
	}
}

// untouched checks that neither fixes nor the formatter edit a source, and returns the number of
// its regions.
func untouched(t *testing.T, h host.Host, src string) int {
	t.Helper()
	for _, style := range []format.Style{format.Canonical, format.Compact} {
		o := check.Options{Unformatted: true, Format: format.Options{Style: style}}
		for _, f := range check.File(t.Context(), h, src, o).Findings {
			if f.Severity < diag.Info || len(f.Fixes) > 0 {
				t.Errorf("%s: %v %s, with fixes %v", f.Span.Text(src), f.Severity, f.Message, f.Fixes)
			}
		}
		fixed, err := check.Fix(t.Context(), h, src, o, true)
		if diff := cmp.Diff(src, fixed.Text); err != nil || diff != "" {
			t.Errorf("fixed: %v %s", err, diff)
		}
		formatted, err := check.FormatFile(h, src, o)
		if diff := cmp.Diff(src, formatted.Text); err != nil || diff != "" || diag.HasErrors(formatted.Found) {
			t.Errorf("formatted: %v %v %s", err, formatted.Found, diff)
		}
	}
	f := h.Find(src, nil)
	return len(f.Regions)
}
