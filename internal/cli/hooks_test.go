package cli

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/host"
)

// TestHooks: the hooks for pre-commit name the files that hosts read, and no others, for a file of an unknown kind that
// is named is an error.
func TestHooks(t *testing.T) {
	root := filepath.Join("..", "..")
	hooks, err := os.ReadFile(filepath.Join(root, ".pre-commit-hooks.yaml"))
	if err != nil {
		t.Fatal(err)
	}
	line := func(key string) []*regexp.Regexp {
		var out []*regexp.Regexp
		for _, m := range regexp.MustCompile(`(?m)^  `+key+`: '(.*)'$`).FindAllSubmatch(hooks, -1) {
			out = append(out, regexp.MustCompile(string(m[1])))
		}
		return out
	}
	files, exclude := line("files"), line("exclude")
	if n := strings.Count(string(hooks), "- id: "); len(files) != n || len(exclude) != n {
		t.Fatalf("%d hooks, %d with files, %d with exclude", n, len(files), len(exclude))
	}
	page, err := os.ReadFile(filepath.Join(root, "docs", "reference", "hosts.md"))
	if err != nil {
		t.Fatal(err)
	}
	names := []string{"a.txt", "a.c", "Makefile", "a.sh", ".pactkit.toml", "sub/.pactkit-baseline.json", "a.pactselx", "a.gox"}
	table, _, _ := strings.Cut(string(page), "\n## ")
	for _, m := range regexp.MustCompile("`(\\.[a-z]+)`").FindAllStringSubmatch(table, -1) {
		names = append(names, "folder/a"+m[1])
	}
	known := 0
	for _, name := range names {
		reads := host.For(name) != nil
		if reads {
			known++
		}
		for i := range files {
			if takes := files[i].MatchString(name) && !exclude[i].MatchString(name); takes != reads {
				t.Errorf("hook %d takes %s: %t, and there is a host: %t", i+1, name, takes, reads)
			}
		}
	}
	if known < 20 {
		t.Errorf("only %d names have a host", known)
	}
}
