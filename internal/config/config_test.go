package config

import (
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/rogpeppe/go-internal/txtar"

	"github.com/pactkit/pactkit/host"
	"github.com/pactkit/pactkit/internal/prices"
)

// tree writes the files of a txtar text into a new folder, at which the search for configurations
// stops.
func tree(t *testing.T, text string) string {
	t.Helper()
	dir, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	if err := txtar.Write(txtar.Parse([]byte(text)), dir); err != nil {
		t.Fatal(err)
	}
	return dir
}

func TestLayers(t *testing.T) {
	dir := tree(t, `
-- .pactkit.toml --
root = true
edition = "0.1"
exclude = ["/gen/", "*.tmp.pactsel"]
[format]
style = "compact"
[[overrides]]
paths = ["special/**", "!special/not.pactsel"]
format.style = "canonical"
[[overrides]]
paths = ["special/last.pactsel"]
edition = "1.0"
-- near/.pactkit.toml --
extends = ["../base.toml"]
edition = "1.0"
-- alone/.pactkit.toml --
root = true
-- base.toml --
edition = "0.1"
format.style = "canonical"
include = ["near/*.sel"]
`)
	for path, want := range map[string]string{
		"x":                    "0.1 compact",
		"special/x":            "0.1 canonical",
		"special/not.pactsel":  "0.1 compact",
		"special/last.pactsel": "1.0 canonical",
		"near/x":               "1.0 canonical",
		"near/deep/x":          "1.0 canonical",
		"near/x.sel":           "1.0 canonical included",
		"alone/x":              "1.0 auto",
		"gen/deep/x":           "0.1 compact excluded",
		"a/b.tmp.pactsel":      "0.1 compact excluded",
		"near/b.tmp.pactsel":   "1.0 canonical excluded",
		"alone/b.tmp.pactsel":  "1.0 auto",
	} {
		abs := filepath.Join(dir, path)
		c, problems := NewResolver(Options{Folder: dir}).For(abs)
		if len(problems) > 0 {
			t.Fatalf("%s: %v", path, problems)
		}
		got := c.Edition().String() + " " + c.Style()
		if included, _ := c.Included(abs); included {
			got += " included"
		}
		if c.Excluded(abs, false) {
			got += " excluded"
		}
		if got != want {
			t.Errorf("%s: %s, want %s", path, got, want)
		}
	}
}

func TestCommandLineWins(t *testing.T) {
	dir := tree(t, "-- .pactkit.toml --\nedition = '0.1'\n-- other.toml --\nformat.style = 'compact'\n")
	for _, c := range []struct {
		options Options
		want    string
	}{
		{Options{}, "0.1 auto"},
		{Options{Isolated: true}, "1.0 auto"},
		{Options{Args: []string{"other.toml"}}, "1.0 compact"},
		{Options{Args: []string{"edition=1.0"}}, "1.0 auto"},
		{Options{Args: []string{`edition="1.0"`, "format.style = compact"}}, "1.0 compact"},
		{Options{Args: []string{"other.toml", "format.style=canonical"}}, "1.0 canonical"},
	} {
		c.options.Folder = dir
		cfg, problems := NewResolver(c.options).For(filepath.Join(dir, "x"))
		if len(problems) > 0 {
			t.Fatalf("%v: %v", c.options, problems)
		}
		if got := cfg.Edition().String() + " " + cfg.Style(); got != c.want {
			t.Errorf("%v: %s, want %s", c.options, got, c.want)
		}
	}
}

// Each line is a document and, after the arrow, its error: position, message and hint.
func TestProblems(t *testing.T) {
	for doc, want := range map[string]string{
		`editoin = "1.0"`:                                `0-7 unknown key "editoin" | did you mean "edition"?`,
		`style = "compact"`:                              `0-5 unknown key "style" | did you mean "format.style"?`,
		`[formt]`:                                        `1-6 unknown key "formt" | did you mean "format"?`,
		`override = 1`:                                   `0-8 unknown key "override" | did you mean "overrides"?`,
		`colour = true`:                                  `0-6 unknown key "colour" |`,
		"[format]\nstile = 'compact'":                    `9-14 unknown key "format.stile" | did you mean "format.style"?`,
		`format.style = "compat"`:                        `15-23 format.style is one of "auto" "canonical" "compact" | did you mean "compact"?`,
		`edition = 1.0`:                                  `10-13 edition is one of "1.0" "0.1" | put the value in quotes`,
		`edition = "2.0"`:                                `10-15 edition is one of "1.0" "0.1" | did you mean "1.0"?`,
		`root = "yes"`:                                   `7-12 root is true or false |`,
		`format = "compact"`:                             `9-18 format is a table: write [format] and its keys below |`,
		`extract.calls = "x"`:                            `16-19 extract.calls is a list of texts |`,
		`extract.calls = [1]`:                            `17-18 extract.calls is a list of texts, and this is not a string |`,
		`extract.calls = ["a.select", "a b"]`:            `29-34 "a b" is not a call: write NAME, RECEIVER.NAME or *.NAME, such as "ctx.select(1, selector)" |`,
		`extract.call = []`:                              `8-12 unknown key "extract.call" | did you mean "extract.calls"?`,
		`calls = []`:                                     `0-5 unknown key "calls" | did you mean "extract.calls"?`,
		`exclude = "x"`:                                  `10-13 exclude is a list of patterns |`,
		`exclude = ["x", 1]`:                             `16-17 exclude is a list of patterns, and this is not a string |`,
		`exclude = [""]`:                                 `11-13 an empty text or one with a line break is not a path |`,
		`overrides = 1`:                                  `12-13 overrides are tables: write [[overrides]] with two brackets on each side |`,
		`overrides = [1]`:                                `13-14 overrides are tables, and this is not one |`,
		`[overrides]`:                                    `1-10 overrides are tables: write [[overrides]] with two brackets on each side |`,
		"[[overrides]]\nedition = '0.1'":                 `2-11 paths is missing: it says for which files the table holds |`,
		"[[overrides]]\npaths = ['x']\nroot = true":      `28-32 root cannot differ from file to file: it cannot stand in [[overrides]] |`,
		"[[overrides]]\npath = ['x']\n":                  `2-11 paths is missing: it says for which files the table holds |; 14-18 unknown key "path" | did you mean "paths"?`,
		"a = ":                                           `3-3 expected value, not end of input |`,
		"edition = '1.0'\nedition = '0.1'":               `16-16 key edition is already defined |`,
		"\uFEFFeditoin = '1.0'":                          `3-10 unknown key "editoin" | did you mean "edition"?`,
		"x = 1979-05-27\nedition = 1979-05-27 # 1.0":     `0-1 unknown key "x" |; 25-35 edition is one of "1.0" "0.1" |`,
		"[[overrides]]\npaths = ['x']\nexclud = ['y']\n": `28-34 unknown key "exclud" |`,
	} {
		_, problems := readDocument("f", "/", doc)
		var got []string
		for _, p := range problems {
			d := p.Diagnostic
			got = append(got, strings.TrimSpace(fmt.Sprintf("%d-%d %s | %s", d.Span.Start, d.Span.End, d.Message, d.Hint)))
		}
		if g := strings.Join(got, "; "); g != want {
			t.Errorf("%s\n got %s\nwant %s", doc, g, want)
		}
	}
}

func TestExtendsLimits(t *testing.T) {
	dir := tree(t, `
-- circle.toml --
extends = "b.toml"
-- b.toml --
edition = "1.0"
extends = ["./circle.toml"]
-- missing.toml --
extends = "nowhere.toml"
-- many.toml --
extends = ["m1.toml", "m1.toml", "m1.toml", "m1.toml"]
-- m1.toml --
extends = ["m2.toml", "m2.toml", "m2.toml", "m2.toml"]
-- m2.toml --
extends = ["m3.toml", "m3.toml", "m3.toml", "m3.toml"]
-- m3.toml --
extends = ["m4.toml", "m4.toml", "m4.toml", "m4.toml"]
-- m4.toml --
edition = "1.0"
`)
	for name, want := range map[string]string{
		"circle.toml":  "forms a cycle",
		"missing.toml": "no such file",
		"many.toml":    "more than 64 files",
		".":            "not a regular file",
	} {
		_, problems := NewResolver(Options{Folder: dir, Args: []string{name}}).For(filepath.Join(dir, "x"))
		if len(problems) == 0 || !strings.Contains(problems[0].Diagnostic.Message, want) {
			t.Errorf("%s: %v, want %q", name, problems, want)
		}
	}
}

// TestPrices reads prices and refuses invalid ones.
func TestPrices(t *testing.T) {
	const src = "[prices.'gpt-4.1']\ninput = 2\noutput = 8.0\n'cache-read' = 0.5\n[prices.claude-sonnet-4]\ninput = 3\n"
	doc, problems := readDocument("f", "/", src)
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := (&Config{settings: doc.settings}).Prices()
	want := prices.Table{
		"gpt-4.1":         {Input: 2, Output: 8, CacheRead: 0.5, CacheWrite: 2, CacheWrite1h: 2},
		"claude-sonnet-4": {Input: 3, CacheRead: 3, CacheWrite: 3, CacheWrite1h: 3},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if again, problems := readDocument("f", "/", "prices = "+Literal(got)); len(problems) > 0 || !cmp.Equal(got, again.settings["prices"].data) {
		t.Errorf("%s is not read again: %v", Literal(got), problems)
	}
	for src, want := range map[string]string{
		"prices = 3":                  "prices is a table of models",
		"[prices]\ninput = 3":         "prices.input is not a table",
		"[prices.gpt-4.1]\ninput = 3": "unknown key \"prices.gpt-4.1\"",
		"[prices.x]\ncache_read = 1":  "unknown key \"prices.x.cache_read\"",
		"[prices.x]\ninput = -1":      "not negative",
		"[prices.x]\ninput = 'free'":  "not negative",
		"[prices.x]\noutput = inf":    "not negative",
		"[[overrides]]\npaths = ['x']\n[overrides.prices.x]\ninput = 1": "cannot differ from file to file",
	} {
		_, problems := readDocument("f", "/", src)
		if len(problems) == 0 || !strings.Contains(problems[0].Diagnostic.Message, want) {
			t.Errorf("%q: %v, want %q", src, problems, want)
		}
	}
}

func TestKeysAreComplete(t *testing.T) {
	for k := range Keys() {
		if k.Doc == "" || k.Default == nil || (k.Type == Enum) != (len(k.Values) > 0) || (k.Type == Texts || k.Type == Text) != (k.Check != nil) {
			t.Errorf("the row of %s is incomplete", k.Name)
		}
	}
}

func FuzzReadDocument(f *testing.F) {
	f.Add("root = true\nextends = ['a']\n[format]\nstyle = 'compact'\n[[overrides]]\npaths = ['a']\nedition = '0.1'\n")
	f.Add("overrides = [{paths = ['x'], format = {style = 'x'}}]\na.b.c = 1979-05-27")
	f.Fuzz(func(t *testing.T, src string) {
		_, problems := readDocument("f", "/", src)
		for _, p := range problems {
			s := p.Diagnostic.Span
			if s.Start < 0 || s.End < s.Start || s.End > len(src) || p.Diagnostic.Message == "" {
				t.Errorf("bad problem %v in %d bytes", p.Diagnostic, len(src))
			}
		}
		_, again := readDocument("f", "/", src)
		if diff := cmp.Diff(problems, again); diff != "" {
			t.Errorf("two readings differ:\n%s", diff)
		}
	})
}

// TestMarkersShared checks that files share their markers if and only if their lists are the same,
// wherever the lists are set.
func TestMarkersShared(t *testing.T) {
	dir := tree(t, `
-- .pactkit.toml --
root = true
-- a/.pactkit.toml --
extract.comments = ["x", "y"]
-- b/.pactkit.toml --
[extract]
comments = ["x", "y"]
-- joined/.pactkit.toml --
extract.comments = ["x1:y"]
-- shifted/.pactkit.toml --
extract.comments = ["x"]
extract.fences = ["y"]
-- empty/.pactkit.toml --
extract.comments = []
`)
	r := NewResolver(Options{Folder: dir})
	markers := map[string]*host.Markers{}
	for _, folder := range []string{"default", "none", "a", "b", "joined", "shifted", "empty"} {
		c, problems := r.For(filepath.Join(dir, folder, "x.go"))
		if problems != nil {
			t.Fatal(problems)
		}
		markers[folder] = c.Markers()
	}
	for x, of := range markers {
		for y, other := range markers {
			same := x == y || x+y == "ab" || x+y == "ba" || x+y == "defaultnone" || x+y == "nonedefault"
			if (of == other) != same {
				t.Errorf("%s and %s: shared is %v", x, y, !same)
			}
		}
	}
}

// TestWindows reads windows and refuses invalid ones.
func TestWindows(t *testing.T) {
	doc, problems := readDocument("f", "/", "[windows]\n'gpt-4.1' = 900_000\nclaude-opus-4-6 = 200000\n")
	if len(problems) > 0 {
		t.Fatal(problems)
	}
	got := (&Config{settings: doc.settings}).Windows()
	if diff := cmp.Diff(prices.Windows{"gpt-4.1": 900000, "claude-opus-4-6": 200000}, got); diff != "" {
		t.Errorf("-want +got\n%s", diff)
	}
	if again, problems := readDocument("f", "/", "windows = "+Literal(got)); len(problems) > 0 || !cmp.Equal(got, again.settings["windows"].data) {
		t.Errorf("%s is not read again: %v", Literal(got), problems)
	}
	for _, src := range []string{"windows = 3", "[windows]\nx = 0", "[windows]\nx = 1.5", "[windows]\nx = 'many'", "[windows]\ngpt-4.1 = 9", "[windows]\nx = inf", "[windows]\nx = 1e30"} {
		if _, problems := readDocument("f", "/", src); len(problems) == 0 {
			t.Errorf("%q is accepted", src)
		}
	}
}
