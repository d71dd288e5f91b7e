package gendocs

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const root = "../../.."

// TestFresh: the generated files in the repository are those of the command tree, and no others.
func TestFresh(t *testing.T) {
	pages, err := render()
	if err != nil {
		t.Fatal(err)
	}
	for name, want := range pages {
		if os.Getenv("PACTKIT_UPDATE") == "1" {
			if err := os.WriteFile(filepath.Join(root, name), want, 0o644); err != nil {
				t.Error(err)
			}
			continue
		}
		got, err := os.ReadFile(filepath.Join(root, name))
		if diff := cmp.Diff(string(want), string(got)); err != nil || diff != "" {
			t.Errorf("%s is stale: run `make generate`: %v\n%s", name, err, diff)
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
