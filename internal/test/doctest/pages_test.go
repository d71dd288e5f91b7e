//go:build unix

package doctest

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"

	"github.com/google/go-cmp/cmp"
)

var link = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// Every link to a file of the repository has a target, and so has every link to a heading.
func TestLinks(t *testing.T) {
	for _, page := range pages(t) {
		src, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range link.FindAllStringSubmatch(prose(string(src)), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			path, anchor, _ := strings.Cut(m[1], "#")
			target := filepath.Join(root, page)
			if path != "" {
				target = filepath.Join(root, filepath.Dir(page), path)
			}
			data, err := os.ReadFile(target)
			if info, statErr := os.Stat(target); statErr == nil && info.IsDir() {
				err = nil
			}
			if err != nil {
				t.Errorf("%s: %s leads nowhere", page, m[1])
			} else if anchor != "" && !anchors(string(data))[anchor] {
				t.Errorf("%s: %s names no heading", page, m[1])
			}
		}
	}
}

// prose is a page without its blocks and without text in backquotes.
func prose(src string) string {
	for _, f := range fences(src) {
		src = strings.Replace(src, f.text, "", 1)
	}
	return regexp.MustCompile("`[^`\n]*`").ReplaceAllString(src, "``")
}

// anchors are the headings of a page as links name them.
func anchors(src string) map[string]bool {
	found := map[string]bool{}
	for l := range strings.Lines(prose(src)) {
		title, ok := strings.CutPrefix(strings.TrimLeft(l, "#"), " ")
		if !ok || !strings.HasPrefix(l, "#") {
			continue
		}
		found[strings.Map(func(r rune) rune {
			switch {
			case unicode.IsLetter(r) || unicode.IsDigit(r) || r == '-' || r == '_':
				return unicode.ToLower(r)
			case r == ' ':
				return '-'
			}
			return -1
		}, strings.TrimSpace(title))] = true
	}
	return found
}

// TestGo checks that a block of Go is a part of an example, which is compiled and run, or a case of
// the tests of package host.
func TestGo(t *testing.T) {
	var examples strings.Builder
	for _, pattern := range []string{"example_test.go", filepath.Join("*", "example_test.go"), filepath.Join("examples", "*", "main.go")} {
		files, err := filepath.Glob(filepath.Join(root, pattern))
		if err != nil {
			t.Fatal(err)
		}
		for _, file := range files {
			data, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for l := range strings.Lines(string(data)) {
				examples.WriteString(strings.TrimSpace(l) + "\n")
			}
		}
	}
	for _, page := range pages(t) {
		src, err := os.ReadFile(filepath.Join(root, page))
		if err != nil {
			t.Fatal(err)
		}
		blocks := fences(string(src))
		for i, f := range blocks {
			if f.lang != "go" || i+1 < len(blocks) && blocks[i+1].lang == "found" {
				continue
			}
			var block strings.Builder
			for l := range strings.Lines(f.text) {
				block.WriteString(strings.TrimSpace(l) + "\n")
			}
			if !strings.Contains(examples.String(), block.String()) {
				t.Errorf("%s:%d: no example holds this code", page, f.line)
			}
		}
	}
}

// The test fails for a page with other output.
func TestMatches(t *testing.T) {
	for _, test := range []struct {
		shown, got string
		want       bool
	}{
		{"", "", true}, {"a\n", "a\n", true}, {"a\n", "b\n", false}, {"", "a\n", false}, {"a\n", "", false},
		{"...\n", "", true}, {"...\n", "a\nb\n", true}, {"a\n...\n", "a\nb\nc\n", true}, {"a\n...\n", "b\n", false},
		{"...\nc\n", "a\nb\nc\n", true}, {"...\nc\n", "a\ncc\n", false}, {"a\n...\nc\n", "a\nc\n", true}, {"a\n...\nc\n", "ab\nc\n", false},
		{"a\n...\nb\n...\nc\n", "a\nx\nb\ny\nc\n", true}, {"a\n...\nb\n...\nc\n", "a\nx\ny\nc\n", false}, {"a\n...\na\n", "a\n", false},
	} {
		if got := matches(test.shown, test.got); got != test.want {
			t.Errorf("%q shows %q: %t", test.shown, test.got, got)
		}
	}
	page := "a\n````markdown\n```go\n```\n````\n```sh\nb\n```\n"
	if got := fences(page); len(got) != 2 || got[0].text != "```go\n```\n" || got[1].text != "b\n" || got[1].line != 7 {
		t.Errorf("%q has the blocks %+v", page, got)
	}
	s := &shell{dir: t.TempDir()}
	block := "$ printf 'a\\nb\\n'\na\n$ false\n$ echo $?\n0\n$ cat <<'END'\n> x\n> END\nx\n"
	want := "$ printf 'a\\nb\\n'\na\nb\n$ false\n$ echo $?\n1\n$ cat <<'END'\n> x\n> END\nx\n"
	if diff := cmp.Diff(want, s.console(t, "page", fence{text: block})); diff != "" {
		t.Errorf("-want +got:\n%s", diff)
	}
}
