// Package testkit reads the txtar cases of tests and compares them with what they should hold.
package testkit

import (
	"bytes"
	"iter"
	"os"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/diff"
	"github.com/rogpeppe/go-internal/txtar"
)

// Cases yields the archives that a pattern names, by path. It fails the test when there are none.
func Cases(t testing.TB, pattern string) iter.Seq2[string, *txtar.Archive] {
	t.Helper()
	paths, err := filepath.Glob(pattern)
	if err != nil || len(paths) == 0 {
		t.Fatalf("no cases in %s: %v", pattern, err)
	}
	return func(yield func(string, *txtar.Archive) bool) {
		for _, path := range paths {
			a, err := txtar.ParseFile(path)
			if err != nil {
				t.Fatal(err)
			}
			if !yield(path, a) {
				return
			}
		}
	}
}

// Section returns the text of a file of an archive, and whether it is there.
func Section(a *txtar.Archive, name string) (string, bool) {
	for _, f := range a.Files {
		if f.Name == name {
			return string(f.Data), true
		}
	}
	return "", false
}

// Golden compares a case with the files it should hold; a difference is an error. With PACTKIT_UPDATE=1 the case
// is rewritten instead, unless the test has failed for another reason; with PACTKIT_UPDATE=diff the difference
// is shown and nothing else happens.
func Golden(t *testing.T, path string, a *txtar.Archive, files []txtar.File) {
	t.Helper()
	have := txtar.Format(a)
	want := txtar.Format(&txtar.Archive{Comment: a.Comment, Files: files})
	if bytes.Equal(have, want) {
		return
	}
	switch os.Getenv("PACTKIT_UPDATE") {
	case "1":
		if t.Failed() {
			return
		}
		if err := os.WriteFile(path, want, 0o644); err != nil {
			t.Fatal(err)
		}
	case "diff":
		t.Logf("%s", diff.Diff("case", have, "result", want))
	default:
		t.Errorf("the case and the result differ; PACTKIT_UPDATE=1 rewrites the case\n%s", diff.Diff("case", have, "result", want))
	}
}
