package store

import (
	"crypto/sha256"
	"fmt"
	"path/filepath"
	"strings"
	"testing"
	"testing/quick"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"
)

func TestFileName(t *testing.T) {
	long := strings.Repeat("A", 80) + "é"
	for _, c := range []struct{ id, want string }{
		{"session-1_a.b", "session-1_a.b.jsonl"},
		{"Session", "!session.jsonl"},
		{"!session", "%21session.jsonl"},
		{"../../etc/passwd", "%2e.%2f..%2fetc%2fpasswd.jsonl"},
		{"a\\b\x00c\nd", "a%5cb%00c%0ad.jsonl"},
		{"会話", "%e4%bc%9a%e8%a9%b1.jsonl"},
		{"con", "%63on.jsonl"},
		{"NUL.txt", "%4e!u!l.txt.jsonl"},
		{"com1.x", "%63om1.x.jsonl"},
		{"com", "com.jsonl"},
		{"a~b", "a%7eb.jsonl"},
		{long, fmt.Sprintf("%s~%x.jsonl", strings.Repeat("!a", 48), sha256.Sum256([]byte(long)))},
	} {
		got := fileName(c.id)
		if got != c.want {
			t.Errorf("%q: %q, want %q", c.id, got, c.want)
		}
	}
}

// unusualIDs are ids that must work in every store.
var unusualIDs = []string{
	"a", "A", "é", "e\u0301", "a/b", "/", "..", ".", "../x", "a\\b", "C:\\x", "a\x00b", "\x00", "con", "CON", "aux.txt", "a b", " a", "a ", "a.", ".a",
	"a%2fb", "%", "!", "!a", "~", "#", "?", "*", "'; drop table pactkit_head; --", `"`, "`", "$1", "日本語", "🙂", "עברית", "\u202e", "\n", "\r\n", "\t",
	strings.Repeat("x", 300), strings.Repeat("X", 300), strings.Repeat("x", 512), strings.Repeat("x", 513), strings.Repeat("x", 512) + "y",
	strings.Repeat("長", 3500), strings.Repeat("長", 3500) + "a", strings.Repeat("/", 10<<10),
}

// TestFileNames checks the laws of file names for unusual ids and for random ones.
func TestFileNames(t *testing.T) {
	seen := map[string]string{}
	law := func(id string) bool {
		id = strings.ToValidUTF8(id, "")
		if checkID(id) != "" {
			return true
		}
		name := fileName(id)
		if other, ok := seen[strings.ToLower(name)]; ok && other != id {
			t.Errorf("%q and %q have the name %q", id, other, name)
			return false
		}
		seen[strings.ToLower(name)] = id
		back, whole, ok := fileID(name)
		return ok && (!whole || back == id) && len(name) <= 170 && filepath.Base(name) == name && filepath.IsLocal(name) &&
			name[0] != '.' && utf8.ValidString(name) && strings.ToLower(name) == name
	}
	for _, id := range unusualIDs {
		if !law(id) {
			t.Errorf("%q has the name %q", id, fileName(id))
		}
	}
	if err := quick.Check(law, &quick.Config{MaxCount: 5000}); err != nil {
		t.Error(err)
	}
}

func TestForeignNames(t *testing.T) {
	for _, name := range []string{"x", ".jsonl", "A.jsonl", "%41.jsonl", "%zz.jsonl", "%4", "!", "a!.jsonl", "%2E.jsonl", ".a.jsonl", "a~b.jsonl", "x.jsonl.gz", "con.jsonl"} {
		if id, _, ok := fileID(name); ok {
			t.Errorf("%q is taken for the file of %q", name, id)
		}
	}
}

// TestKeys checks that different ids have different keys, and that the keys of ids with a prefix
// are in its range.
func TestKeys(t *testing.T) {
	keys := map[string]string{}
	for _, id := range unusualIDs {
		key := sortKey(id)
		if other, ok := keys[key]; ok {
			t.Errorf("%q and %q have one key", id, other)
		}
		keys[key] = id
		if len(key) > 600 {
			t.Errorf("the key of %q has %d bytes", id, len(key))
		}
		for n := range min(len(id), 600) {
			if from, to := keyRange(id[:n]); key < from || to != "" && key >= to {
				t.Errorf("%q is outside of the range of its first %d bytes", id, n)
			}
		}
	}
	from, to := keyRange("a\xff\xff")
	if diff := cmp.Diff([]string{"a\xff\xff", "b"}, []string{from, to}); diff != "" {
		t.Error(diff)
	}
}
