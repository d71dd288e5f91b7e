package store

import (
	"context"
	"errors"
	"math/rand/v2"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5/pgconn"
)

// unsetServer makes the environment name no server, whatever this machine has.
func unsetServer(t *testing.T) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "PG") {
			t.Setenv(name, "")
		}
	}
}

func TestRedacted(t *testing.T) {
	unsetServer(t)
	for address, want := range map[string]string{
		"postgres://u:geheim@h/d":                           "postgres://u@h/d",
		"postgresql://u:geheim@h/d":                         "postgres://u@h/d",
		"postgres://u:geheim@h/d#a/b":                       "postgres://u@h/d#a/b",
		"postgres://u@h/d?a=b":                              "postgres://u@h/d",
		"postgres://u@h/d?search_path=a%20b&password=x":     "postgres://u@h/d?search_path=a%20b",
		"postgres://h/d?options=-csearch_path%3Dx#1":        "postgres://h/d?options=-csearch_path%3Dx#1",
		"postgres://u:geheim@h:1,i:2/d?sslmode=disable":     "postgres://u@h:1,i:2/d",
		"postgres://h:1,i/d":                                "postgres://h:1,i/d",
		"postgres://h/d?password=geheim&x=y":                "postgres://h/d",
		"postgres://h/d?pass%77ord=geheim":                  "postgres://h/d",
		"postgres://h/d?sslpassword=geheim&password=geheim": "postgres://h/d",
		"postgres://u:geheim@[::1]:7/d":                     "postgres://u@[::1]:7/d",
		"postgres://%2Frun%2Fpg/d?password=geheim":          "postgres://%2Frun%2Fpg/d",
		"postgres://a%40b:geheim@h/d%2Fe":                   "postgres://a%40b@h/d%2Fe",
		"postgres://u:ge?he#im@h/d#id":                      "postgres://u@h/d#id",
		"postgres://u:ge/he/im@h/d":                         "postgres://…",
		"postgres://u:1/geheim@h/d#id":                      "postgres://…",
		"postgres://u:1@geheim@h/d":                         "postgres://…",
		"postgres://u:geheim@h:99999999/d":                  "postgres://…",
		"postgres://h/d#who@where":                          "postgres://h/d#who@where",
		"postgres://h/d?password=a#geheim":                  "postgres://…",
		"postgres:u:geheim":                                 "postgres://…",
		"mysql://u:geheim@h":                                "mysql://…",
		"file:///a:b/@c":                                    "file:///a:b/@c",
		"file://u:geheim@h/x":                               "file://…",
		"file:a@b:c":                                        "file:a@b:c",
		"file:postgres://u:geheim@h/d#x":                    "file:postgres://…",
		" postgres://u:geheim@h/d":                          " postgres://…",
		"logs/http://u:geheim@h":                            "logs/http://…",
		"logs/http://h":                                     "logs/http://h",
		"file:///a/@b/c":                                    "file:///a/@b/c",
		"host=h user=u password=geheim dbname=d":            "postgres://u@h/d",
		"host=h user=u PASSWORD = 'gehe im'":                "postgres://u@h",
		"host=h user=u password='gehe im":                   "postgres://…",
		".block{ password = 'x' }":                          ".block{ password = 'x' }",
		"a password.json":                                   "a password.json",
		"reset_password=1.json":                             "reset_password=1.json",
		"logs/a.jsonl#x":                                    "logs/a.jsonl#x",
	} {
		got := Redacted(address)
		if got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
		if again := Redacted(got); again != got {
			t.Errorf("%s: %s, then %s", address, got, again)
		}
	}
}

// TestRedactedLaw: whatever a password consists of, and wherever it is in an address, no part of it
// is shown: neither in the address as messages have it, nor in the error of opening it. What is
// shown leads to the same database.
func TestRedactedLaw(t *testing.T) {
	unsetServer(t)
	ctx, cancel := context.WithCancel(t.Context())
	cancel() // connects to no server
	random := rand.New(rand.NewPCG(1, 2))
	parts := []string{"XYZ", "4711", "/", "?", "#", "@", ":", "%", "%2F", "%40", "%zz", "&", "=", "'", " ", ",", ";", "\\", "[", "]", "ü", "\t", ".", "//"}
	for range 3000 {
		var password strings.Builder
		for range 1 + random.IntN(5) {
			password.WriteString(parts[random.IntN(len(parts))])
		}
		secret := password.String()
		if !strings.Contains(secret, "XYZ") && !strings.Contains(secret, "4711") {
			continue
		}
		hidesPassword(ctx, t, secret)
	}
}

// hidesPassword checks that nothing shows a part of the password, which has XYZ or 4711 in it.
func hidesPassword(ctx context.Context, t *testing.T, secret string) {
	t.Helper()
	escaped := url.QueryEscape(secret)
	for _, address := range []string{
		"postgres://u:" + secret + "@h:1/d", "postgres://u:" + secret + "@h/d#id", "postgresql://u:" + secret + "@[::1]:1,i:2/d?search_path=s#id",
		"postgres://u:" + secret + "@h", "postgres://h/d?sslpassword=" + escaped + "#id", "postgres://h:1/d?password=" + escaped,
		"postgres://u:" + escaped + "@h/d#id", "host=h user=u password=" + secret + " dbname=d", "host=h password = '" + secret + "' dbname=d#id",
		"postgres://h/d?password=" + secret, "postgres://u@h/d?sslmode=disable&sslp%61ssword=" + secret + "#id", "postgres://h?sslpassword=" + secret + "&connect_timeout=1#id",
		"jdbc:postgresql://h/d?user=u&password=" + secret, "mysql://h/d?password=" + secret, "Server=h;Password=" + secret,
		"dbname=d sslpassword=" + secret, "mysql://u:" + secret + "@h/d", "postgres:u:" + secret + "@h",
	} {
		shown := []string{Redacted(address)}
		base, _, err := SplitAddress(address)
		if err != nil {
			shown = append(shown, err.Error())
		} else if s, err := Open(ctx, base); err == nil {
			s.Close()
		} else if shown = append(shown, err.Error()); !errors.Is(err, ErrAddress) && !errors.Is(err, context.Canceled) {
			t.Fatalf("%q: %v", address, err)
		}
		for _, text := range shown {
			if strings.Contains(text, "XYZ") || strings.Contains(text, "4711") {
				t.Fatalf("%q: a part of the password is in %q", address, text)
			}
		}
		if a, err := pgconn.ParseConfig(base); err == nil && strings.HasPrefix(base, "postgres") && shown[0] != "postgres://…" {
			again, _, err := SplitAddress(shown[0])
			if err != nil {
				t.Fatalf("%q: %v", shown[0], err)
			}
			b, err := pgconn.ParseConfig(again)
			if err != nil || a.User != b.User || a.Host != b.Host || a.Port != b.Port || a.Database != b.Database || len(a.Fallbacks) != len(b.Fallbacks) {
				t.Fatalf("%q and %q lead to different databases: %v", address, shown[0], err)
			}
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
		if strings.Contains(err.Error(), "geheim") {
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
	if len(seen) != 17 {
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
