package ignore

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

func TestMatch(t *testing.T) {
	for _, c := range []struct {
		patterns string
		path     string // a final slash: a folder
		want     bool
	}{
		{"a", "a", true},
		{"a", "x/a", true},
		{"/a", "x/a", false},
		{"x/a", "x/a", true},
		{"x/a", "y/x/a", false},
		{"a/", "a", false},
		{"a/", "x/a/", true},
		{"*.o\n!keep.o", "keep.o", false},
		{"!keep.o\n*.o", "keep.o", true},
		{"# a", "# a", false},
		{`\#a`, "#a", true},
		{`\!a`, "!a", true},
		{"a  ", "a", true},
		{`a\ `, "a ", true},
		{"a\r\nb\r\n", "a", true},
		{"\uFEFFa", "a", true},
		{"**/a", "a", true},
		{"**/a", "x/y/a", true},
		{"x/**", "x/", false},
		{"x/**", "x/y/z", true},
		{"x/**/z", "x/z", true},
		{"x/**/z", "x/a/b/z", true},
		{"a**b", "a/b", false},
		{"a?b", "a/b", false},
		{"a?b", "aéb", true},
		{"[a-c]x", "bx", true},
		{"[!a-c]x", "bx", false},
		{"[]]x", "]x", true},
		{"[[:digit:]]", "7", true},
		{"x[!a]y", "x/y", false},
		{"x[.-0]y", "x/y", false},
		{"[", "[", false},
		{`a\`, "a", false},
		{"", "", false},
		{"/", "a/", false},
		{"*", "a", true},
	} {
		path, isDir := strings.CutSuffix(c.path, "/")
		if source, got := Parse("", c.patterns).Match(path, isDir); got != c.want {
			t.Errorf("%q on %q: %v, want %v (by %q)", c.patterns, c.path, got, c.want, source)
		}
	}
}

func TestCovers(t *testing.T) {
	l := Parse("", "/build/\n!/build/keep")
	if !l.Covers("build/keep", false) {
		t.Error("a file in an ignored folder was taken back")
	}
	if l.Covers("src/build", false) {
		t.Error("an anchored pattern matched below")
	}
}

// Git is the judge: a tree of files under several ignore files, every answer compared with git
// check-ignore.
func TestAgainstGit(t *testing.T) {
	root, err := filepath.EvalSymlinks(t.TempDir())
	if err != nil {
		t.Fatal(err)
	}
	patterns := []string{
		"*.o", "!keep.o", "/top", "dir/", "a/*/c", "**/deep", "a/**", "!a/b/", "b/**/x", "x?", "[a-c].txt", "[!a]y",
		`\!bang`, `sp\ `, "a/b/*", "!a/b/c", "d*/e", "**", "!*/", "foo**bar", "/*", "!/a", "[[:alpha:]]x", "[]-]", "a[", "[z-a]q", "?", "**/", "a//b", "./a", "b[/]c",
	}
	elements := []string{"a", "b", "c", "dir", "deep", "top", "x", "xy", "ay", "e", "b.txt", "keep.o", "m.o", "!bang", "sp ", "foo1bar", "-", "zq", "ax"}
	git := func(stdin string, args ...string) string {
		cmd := exec.Command("git", args...)
		cmd.Dir, cmd.Stdin = root, strings.NewReader(stdin)
		cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull)
		out, err := cmd.Output()
		if exit, ok := err.(*exec.ExitError); err != nil && (!ok || exit.ExitCode() != 1) {
			t.Fatalf("git %v: %v", args, err)
		}
		return string(out)
	}
	git("", "init", "-q")
	var paths []string
	for _, x := range elements {
		paths = append(paths, x)
		for _, y := range elements {
			paths = append(paths, x+"/"+y)
			for _, z := range elements[:8] {
				paths = append(paths, x+"/"+y+"/"+z)
			}
		}
	}
	// The paths are not files, so git takes each for a file, and what lies above for folders.
	for i := range patterns {
		for _, at := range []string{"", "a"} {
			text := strings.Join([]string{patterns[i], patterns[(i*7+3)%len(patterns)], patterns[(i*5+1)%len(patterns)]}, "\n") + "\n"
			for _, dir := range []string{"", "a"} {
				if err := os.MkdirAll(filepath.Join(root, dir), 0o755); err != nil {
					t.Fatal(err)
				}
				content := "# nothing\n"
				if dir == at {
					content = text
				}
				if err := os.WriteFile(filepath.Join(root, dir, ".gitignore"), []byte(content), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			out := git(strings.Join(paths, "\x00"), "check-ignore", "--no-index", "-z", "--stdin")
			ignored := strings.Split(strings.TrimSuffix(out, "\x00"), "\x00")
			tree := NewTree()
			for _, p := range paths {
				isDir := p == "a"
				got := tree.Ignored(filepath.Join(root, p), isDir) != ""
				if want := slices.Contains(ignored, p); got != want {
					t.Fatalf("%q in %q: %s ignored = %v, git says %v", text, at, p, got, want)
				}
			}
		}
	}
}

func TestTree(t *testing.T) {
	root := t.TempDir()
	for name, text := range map[string]string{
		".gitignore":          "*.a\nnested/\n",
		".ignore":             "!keep.a\n",
		"sub/.pactignore":     "*.b\n",
		"nested/repo/.git/x":  "",
		"sub/other/.git":      "gitdir: elsewhere\n",
		"sub/other/.gitigore": "",
	} {
		file := filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	tree := NewTree()
	for path, want := range map[string]string{
		"x.a":             ".gitignore:1",
		"keep.a":          "",
		"sub/x.a":         ".gitignore:1",
		"sub/x.b":         "sub/.pactignore:1",
		"x.b":             "",
		"nested/x":        ".gitignore:2",
		"nested/repo/x":   "", // a separate repository
		"sub/other/x.a":   "",
		"missing/sub/x.a": ".gitignore:1",
	} {
		if want != "" {
			want = filepath.Join(root, want)
		}
		if got := tree.Ignored(filepath.Join(root, path), false); got != want {
			t.Errorf("%s: %q, want %q", path, got, want)
		}
	}
}

func FuzzParse(f *testing.F) {
	f.Add("a/**/[!x-z]*\n!b", "a/b")
	f.Fuzz(func(_ *testing.T, text, path string) {
		Parse("f", text).Covers(path, false)
	})
}
