package host

import (
	"testing"

	"github.com/pactkit/pactkit/internal/test/testkit"
)

// FuzzHosts checks the laws for any bytes that a file may have: nothing panics, regions and maps
// are correct, and formatting all that can be formatted does not change any other token.
func FuzzHosts(f *testing.F) {
	for c := range testkit.Load(f, "../testdata/host/*.txtar") {
		f.Add(c.In.Name, unescape(c.Source()))
	}
	f.Fuzz(func(t *testing.T, name, src string) {
		h := For(name)
		if h == nil || !h.Embeds() || len(src) > 10_000 {
			return
		}
		checkLaws(t, h, src)
		m := typedMarkers()
		found := h.Find(src, m)
		if found.Broken() {
			return
		}
		out, _ := formatAll(t, h, src, found, m)
		if again, _ := formatAll(t, h, out, h.Find(out, m), m); again != out {
			t.Errorf("formatting is not idempotent:\n%q\n%q\n%q", src, out, again)
		}
	})
}
