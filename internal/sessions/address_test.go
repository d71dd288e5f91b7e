package sessions

import (
	"os"
	"path/filepath"
	"testing"
)

// TestRooted makes arguments relative to a folder, and finds the files that they are read from.
func TestRooted(t *testing.T) {
	dir := t.TempDir()
	for _, name := range []string{"a.json", "b#c.json", "d+"} {
		if err := os.WriteFile(filepath.Join(dir, name), nil, 0o600); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct{ arg, rooted, file string }{
		{"a.json", dir + "/a.json", dir + "/a.json"},
		{"x/../a.json", dir + "/a.json", dir + "/a.json"},
		{"a.json#2", dir + "/a.json#2", dir + "/a.json"},
		{"a.json#x//../y", dir + "/a.json#x//../y", dir + "/a.json"},
		{"b#c.json", dir + "/b#c.json", dir + "/b#c.json"},
		{"b#c.json#2", dir + "/b#c.json#2", dir + "/b#c.json"},
		{"a.json+", dir + "/a.json+", dir + "/a.json"},
		{"a.json+#1", dir + "/a.json+#1", dir + "/a.json"},
		{"d+", dir + "/d+", dir + "/d+"},
		{"/x/a.json#1", "/x/a.json#1", "/x/a.json"},
		{"file:s#A/b", "file:" + dir + "/s#A/b", dir + "/s/!a%2fb.jsonl"},
		{"file:/x#7", "file:/x#7", "/x/7.jsonl"},
		{"file:///x#7", "file:///x#7", "/x/7.jsonl"},
		{"file:s", "file:" + dir + "/s", dir + "/s"},
		{"file://host/x#7", "file://host/x#7", ""},
		{"file:s#%zz", "file:" + dir + "/s#%zz", ""},
		{"postgres://me@host/db#7", "postgres://me@host/db#7", ""},
		{"postgresql://host/db", "postgresql://host/db", ""},
	} {
		if got := Rooted(c.arg, dir); got != c.rooted {
			t.Errorf("%s is rooted at %s, want %s", c.arg, got, c.rooted)
		} else if got := FileOf(got); got != c.file {
			t.Errorf("%s is read from %q, want %q", c.arg, got, c.file)
		}
	}
}
