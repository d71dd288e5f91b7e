package store

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestRedacted(t *testing.T) {
	for address, want := range map[string]string{
		"postgres://u:geheim@h/d":                           "postgres://u:xxxxx@h/d",
		"postgres://u@h/d?a=b":                              "postgres://u@h/d?a=b",
		"postgres://h:1,i:2/d":                              "postgres://h:1,i:2/d",
		"postgres://u:geheim@h:1,i:2/d?sslmode=x":           "postgres://u:xxxxx@h:1,i:2/d?sslmode=x",
		"postgres://h/d?password=geheim&x=y":                "postgres://h/d?password=xxxxx&x=y",
		"postgres://h/d?sslpassword=geheim&password=geheim": "postgres://h/d?sslpassword=xxxxx&password=xxxxx",
		"mysql://u:geheim@h":                                "mysql://u:xxxxx@h",
	} {
		if got := redacted(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}

func TestAddresses(t *testing.T) {
	for _, id := range unusualIDs {
		store, got, err := SplitAddress(JoinAddress("file:a#b", id))
		if store != "file:a#b" || got != id || err != nil {
			t.Errorf("%q: %q, %q, %v", id, store, got, err)
		}
	}
	for address, want := range map[string][2]string{
		"file:x":                     {"file:x", ""},
		"file:x#a b":                 {"file:x", "a b"},
		"file:x#%41%00":              {"file:x", "A\x00"},
		"postgres://h/d?a=b#team/17": {"postgres://h/d?a=b", "team/17"},
	} {
		store, id, err := SplitAddress(address)
		if store != want[0] || id != want[1] || err != nil {
			t.Errorf("%s: %q, %q, %v", address, store, id, err)
		}
	}
	for address, want := range map[string]Code{"file:x#": ErrID, "file:x#%ff": ErrID, "file:x#%4": ErrAddress, "file:x#%zz": ErrAddress} {
		_, _, err := SplitAddress(address)
		wantCode(t, want, err)
	}
	for text, want := range map[string]bool{"file:x": true, "postgres://h": true, "postgresql://h": true, "x": false, "C:\\x": false, "postgres": false, "https://h": false, "my:file": false} {
		if IsAddress(text) != want {
			t.Errorf("%q is an address: %v", text, !want)
		}
	}
}

func TestOpenRefuses(t *testing.T) {
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, address := range []string{"", "x", "mysql://u:geheim@h", "file:", "file://host/x", "file:" + file, "file:" + file + "/x", "postgres://h:x/d", "postgres://u:geheim@h:99999999/d", "postgres://h?sslmode=geheim"} {
		s, err := Open(t.Context(), address)
		if err == nil {
			t.Errorf("%s is opened", address)
			s.Close()
			continue
		}
		wantCode(t, ErrAddress, err)
		if strings.Contains(err.Error(), "geheim") && !strings.Contains(address, "sslmode") {
			t.Errorf("a password is shown: %v", err)
		}
	}
	s, err := Open(t.Context(), "file://"+filepath.ToSlash(filepath.Dir(file)))
	if err != nil {
		t.Fatal(err)
	}
	grow(t, s, "a", 1)
	if _, err := os.Stat(filepath.Join(filepath.Dir(file), "a.jsonl")); err != nil {
		t.Error(err)
	}
}

// TestCodes checks that every code is documented, and that errors.Is finds the code of an error.
func TestCodes(t *testing.T) {
	seen := map[Code]bool{}
	for c := range Codes() {
		if c.Doc == "" || seen[c.Code] || !strings.HasPrefix(string(c.Code), "E_STORE_") {
			t.Errorf("%+v", c)
		}
		seen[c.Code] = true
	}
	if len(seen) != 16 {
		t.Errorf("%d codes", len(seen))
	}
	err := error(&Error{Code: ErrFull, Store: "file:x", ID: "a\x00b", Msg: "m", Err: os.ErrClosed})
	if !errors.Is(err, ErrFull) || !errors.Is(err, os.ErrClosed) || errors.Is(err, ErrID) {
		t.Error(err)
	}
	if want := `file:x#"a\x00b": m: file already closed [E_STORE_FULL]`; err.Error() != want {
		t.Errorf("%s, want %s", err, want)
	}
}
