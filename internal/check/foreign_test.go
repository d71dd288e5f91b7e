package check_test

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/format"
	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/check"
)

// corpus yields the files of a folder of txtar files below testdata/host.
func corpus(t *testing.T, folder string) (files []txtar.File) {
	t.Helper()
	paths, err := filepath.Glob(filepath.Join("..", "..", "testdata", "host", folder, "*.txtar"))
	if err != nil || len(paths) != 11 {
		t.Fatalf("%d languages, %v", len(paths), err)
	}
	for _, path := range paths {
		a, err := txtar.ParseFile(path)
		if err != nil {
			t.Fatal(err)
		}
		files = append(files, a.Files...)
	}
	return files
}

// mentions are what a test puts at the top of a file, by its extension: the word pact, which makes
// its strings candidates, imports of other projects with such a name, and imports of PACT.
var mentions = map[string][]string{
	".py": {
		"# pact\n\n", "import pactkit\n", "from pact import Consumer\n", "import pactsel\n", "from pactsel import History, open, read\n",
		"import pactsel as page, pactkit\nfrom pact import Consumer\n", "from pactsel import *\n",
	},
	".js": {
		"// about pact\n", "import { Pact } from '@pact-foundation/pact'\n", "import { History, open, read, grep } from '@pactkit/cli'\n",
		"import * as pact from '@pactkit/cli'\n", "const pactkit = require('@pactkit/cli')\n", "import '@pactkit/cli/vitest'\n",
	},
	".go": {
		"// about pact\n", "import \"github.com/pact-foundation/pact-go\"\n", "import \"github.com/pactkit/pactkit\"\n",
		"import . \"github.com/pactkit/pactkit\"\n", "import (\n\tpage \"github.com/pactkit/pactkit\"\n\t_ \"github.com/pactkit/pactkit/engine\"\n)\n",
	},
	".rs":   {"// about pact\n", "use pact::Context;\n", "use pactkit::*;\n", "use pactsel;\n"},
	".java": {"// about pact\n", "import com.example.pact.Context;\n", "import pactkit.*;\n"},
	".rb":   {"# about pact\n", "require 'pact'\n", "require 'pactkit'\n", "require \"pactsel\"\n"},
	".json": {""}, ".jsonc": {"// about pact\n"},
	".yaml": {"# about pact\n", "pactkit: 1\n"}, ".toml": {"# about pact\n", "pactsel = 1\n"},
	".md": {"About PACT.\n\n", "```python\nimport pactsel\n```\n\n", "```pact\n# a comment\n```\n\n"},
}

// mentioned returns the variants of a source that mention PACT.
func mentioned(f *txtar.File) []string {
	src, ext := string(f.Data), filepath.Ext(f.Name)
	same := map[string]string{
		".ts": ".js", ".tsx": ".js", ".jsx": ".js", ".mjs": ".js", ".cjs": ".js", ".rake": ".rb", ".yml": ".yaml", ".markdown": ".md",
	}
	if s := same[ext]; s != "" {
		ext = s
	}
	out := []string{src}
	for _, head := range mentions[ext] {
		if clause, body, ok := strings.Cut(src, "\n\n"); ok && ext == ".go" {
			out = append(out, clause+"\n\n"+head+"\n"+body)
		} else {
			out = append(out, head+src)
		}
	}
	return out
}

// TestForeign reads a hundred files whose strings are not selectors of PACT, although they are
// where selectors may be, with and without imports of PACT: none changes, and no finding is above
// info.
func TestForeign(t *testing.T) {
	files := corpus(t, "foreign")
	if len(files) != 100 {
		t.Errorf("%d files, not 100", len(files))
	}
	candidates := 0
	for _, f := range files {
		h := host.For(f.Name)
		for i, src := range mentioned(&f) {
			t.Run(fmt.Sprintf("%s/%d", f.Name, i), func(t *testing.T) {
				found := h.Find(src, nil)
				candidates += len(found.Regions)
				for _, style := range []format.Style{format.Canonical, format.Compact} {
					untouchedBy(t, h, src, check.Options{Unformatted: true, Format: format.Options{Style: style}})
				}
			})
		}
	}
	if candidates < 700 {
		t.Errorf("only %d strings were candidates", candidates)
	}
}

func untouchedBy(t *testing.T, h host.Host, src string, o check.Options) {
	t.Helper()
	lines := map[int]int{}
	for _, f := range check.File(t.Context(), h, src, o).Findings {
		if f.Severity < diag.Info || len(f.Fixes) > 0 {
			t.Errorf("%q: %v %s %s, %d fixes", f.Span.Text(src), f.Severity, f.Rule.ID, f.Message, len(f.Fixes))
		}
		if lines[f.Span.Start]++; lines[f.Span.Start] > 1 {
			t.Errorf("%q has several findings", f.Span.Text(src))
		}
	}
	fixed, err := check.Fix(t.Context(), h, src, o, false)
	if err != nil || fixed.Text != src {
		t.Errorf("fixed, %v:\n%s", err, fixed.Text)
	}
	formatted, err := check.FormatFile(h, src, o)
	if err != nil || formatted.Text != src || diag.HasErrors(formatted.Found) {
		t.Errorf("formatted, %v, %v:\n%s", err, formatted.Found, formatted.Text)
	}
}

// TestOwn reads files whose strings are proven to be selectors, in all ways. All are checked and
// formatted.
func TestOwn(t *testing.T) {
	proofs := map[host.Proof]bool{}
	for _, f := range corpus(t, "own") {
		t.Run(f.Name, func(t *testing.T) {
			h, src := host.For(f.Name), string(f.Data)
			found := h.Find(src, nil)
			o := check.Options{Unformatted: true, Format: format.Options{Style: format.Compact}}
			for _, r := range found.Regions {
				proofs[r.Proof] = true
				if r.Grade() != host.Proven {
					t.Errorf("%q is %s: %s; %s", r.Text, r.Grade(), r.Proof, r.Because)
				}
			}
			want := strings.Count(src, "  .mt") + strings.Count(src, "  .cb") + strings.Count(src, "  end") - strings.Count(src, "# no mark")
			if warned := check.File(t.Context(), h, src, o).Findings; len(found.Regions) != want || len(warned) < want {
				t.Errorf("%d regions of %d, %d findings", len(found.Regions), want, len(warned))
			}
			formatted, err := check.FormatFile(h, src, o)
			if left := strings.Count(formatted.Text, "  .") - strings.Count(src, "# no mark"); err != nil || left != strings.Count(formatted.Text, "\n  .") {
				t.Errorf("%v, %d left:\n%s", err, left, formatted.Text)
			}
			fixed, err := check.Fix(t.Context(), h, src, o, false)
			if err != nil || fixed.Text == src || slices.ContainsFunc(fixed.Left.Findings, func(f check.Finding) bool { return f.Severity < diag.Info }) {
				t.Errorf("%v, %v:\n%s", err, fixed.Left.Findings, fixed.Text)
			}
		})
	}
	for p := range host.NoImport {
		if p.Grade() == host.Proven && !proofs[p] && p != host.BySelectorFile && p != host.ByPattern {
			t.Errorf("no file has a string of which one can say: %s", p)
		}
	}
}
