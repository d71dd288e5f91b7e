// Package testkit reads the txtar cases of tests and compares them with the results.
//
// A case is one archive. Its comment says in a sentence what the case shows. Lines of the form
//
//	#key: value
//
// in the comment are settings. The section in, or in.EXT where the kind of the file matters, is the
// source. The sections want and want.NAME are the expected results; an empty result has no section.
// All other sections are further input.
package testkit

import (
	"bytes"
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"
)

// Case is one archive of testdata.
type Case struct {
	Path    string // of the archive
	Name    string // the file name without .txtar
	Archive *txtar.Archive
	In      txtar.File // the source: the section in or in.EXT
	header  [][2]string
}

// Load yields the cases that match a pattern, by path. It fails the test if there are none, or if
// one has no sentence or no source.
func Load(t testing.TB, pattern string) iter.Seq[*Case] {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", pattern, err)
	}
	return func(yield func(*Case) bool) {
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			c, err := newCase(path, a)
			if err != nil {
				t.Fatalf("%s: %v", path, err)
			}
			if !yield(c) {
				return
			}
		}
	}
}

func newCase(path string, a *txtar.Archive) (*Case, error) {
	c := &Case{Path: path, Name: strings.TrimSuffix(filepath.Base(path), ".txtar"), Archive: a}
	prose := false
	for line := range strings.Lines(string(a.Comment)) {
		line = strings.TrimSpace(line)
		setting, isSetting := strings.CutPrefix(line, "#")
		if !isSetting {
			prose = prose || line != ""
			continue
		}
		key, value, ok := strings.Cut(setting, ": ")
		if !ok {
			return nil, fmt.Errorf("header line %q: settings are written #key: value", line)
		}
		c.header = append(c.header, [2]string{key, value})
	}
	if !prose {
		return nil, fmt.Errorf("the header does not say what the case shows")
	}
	i := slices.IndexFunc(a.Files, isSource)
	if i < 0 {
		return nil, fmt.Errorf("no section is named in or in.EXT, as the source of a case is")
	}
	c.In = a.Files[i]
	return c, nil
}

func isSource(f txtar.File) bool { return f.Name == "in" || strings.HasPrefix(f.Name, "in.") }

func isExpected(f txtar.File) bool { return f.Name == "want" || strings.HasPrefix(f.Name, "want.") }

// Inputs returns the sections except those with expected results.
func (c *Case) Inputs() []txtar.File {
	return slices.DeleteFunc(slices.Clone(c.Archive.Files), isExpected)
}

// Source returns the text of the source.
func (c *Case) Source() string { return string(c.In.Data) }

// Settings calls, for each line #key: value, the function of the key with the value. The test fails
// if a key has no function, or if a function returns false.
func (c *Case) Settings(t testing.TB, set map[string]func(value string) bool) {
	t.Helper()
	for _, s := range c.header {
		if f := set[s[0]]; f == nil || !f(s[1]) {
			t.Fatalf("%s: header line #%s: %s", c.Path, s[0], s[1])
		}
	}
}

// Section returns the text of a section, and whether it exists.
func (c *Case) Section(name string) (string, bool) {
	for _, f := range c.Archive.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// Want is a section with an expected result: want.NAME, or want without a name.
func Want(name, text string) txtar.File {
	return txtar.File{Name: strings.TrimSuffix("want."+name, "."), Data: []byte(text)}
}

// Golden compares the expected results of a case with the actual ones. A difference fails the test.
// With PACTKIT_UPDATE=1, Golden writes the actual results into the case, unless the test has failed
// for another reason. With PACTKIT_UPDATE=diff it only shows the difference.
func (c *Case) Golden(t *testing.T, want ...txtar.File) {
	t.Helper()
	files := c.Inputs()
	for _, f := range want {
		if len(f.Data) > 0 {
			files = append(files, f)
		}
	}
	c.replace(t, files)
}

// GoldenSource is [Case.Golden] for a case whose source has the expected results between its lines.
func (c *Case) GoldenSource(t *testing.T, source string) {
	t.Helper()
	files := slices.Clone(c.Archive.Files)
	files[slices.IndexFunc(files, isSource)].Data = []byte(source)
	c.replace(t, files)
}

func (c *Case) replace(t *testing.T, files []txtar.File) {
	t.Helper()
	have := txtar.Format(c.Archive)
	want := txtar.Format(&txtar.Archive{Comment: c.Archive.Comment, Files: files})
	if bytes.Equal(have, want) {
		return
	}
	switch os.Getenv("PACTKIT_UPDATE") {
	case "1":
		if t.Failed() {
			return
		}
		if err := os.WriteFile(c.Path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	case "diff":
		t.Logf("%s", diff.Diff("case", have, "result", want))
	default:
		t.Errorf("the case and the result differ; PACTKIT_UPDATE=1 rewrites the case\n%s", diff.Diff("case", have, "result", want))
	}
}
