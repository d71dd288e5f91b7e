package main

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// The generated files in the repository are those that the program would write, and no others.
func TestFresh(t *testing.T) {
	pages, err := render()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		got, err := os.ReadFile(filepath.Join(root, name))
		if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
			t.Errorf("%s is stale: run `go run ./cmd/internal/gendocs`, or `make generate`: %v\n%s", name, err, diff)
		}
	}
	manuals, err := filepath.Glob(filepath.Join(root, "docs/man/*"))
	if err != nil {
		t.Fatal(err)
	}
	for _, m := range manuals {
		if pages["docs/man/"+filepath.Base(m)] == nil {
			t.Errorf("%s belongs to no command: remove it", m)
		}
	}
}
