package testkit

import (
	"iter"
	"path/filepath"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"
)

// Cases is [Load] for the packages that are not converted yet.
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
	return (&Case{Archive: a}).Section(name)
}

// Golden compares a case with the files it should hold.
func Golden(t *testing.T, path string, a *txtar.Archive, files []txtar.File) {
	t.Helper()
	(&Case{Path: path, Archive: a}).replace(t, files)
}
