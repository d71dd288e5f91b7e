package tokens_test

import (
	"os"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/tokens"
)

// TestCache checks that a cache has the same counts, and that one with a limit is close to them and
// says that it estimates.
func TestCache(t *testing.T) {
	license, err := os.ReadFile("../LICENSE") // which does not change
	if err != nil {
		t.Fatal(err)
	}
	for _, text := range []string{string(license), strings.Repeat("some words of a text, ", 1000), strings.Repeat("日本語の文章です。", 1000)} {
		plain := tokens.For("gpt-4o")
		want := plain.Count(text)
		for _, cache := range []*tokens.Cache{{}, tokens.NewCache(len(text))} {
			c := plain.With(cache)
			if first, again := c.Count(text), c.Count(text); first != want || again != want || !c.Exact() || cache.Sampled() {
				t.Errorf("%d and %d tokens, want %d; exact=%v", first, again, want, c.Exact())
			}
		}
		small := tokens.NewCache(len(text) - 1)
		c := plain.With(small)
		got := c.Count(text)
		if ratio := float64(got) / float64(want); ratio < 0.85 || ratio > 1.15 || !small.Sampled() || c.Exact() {
			t.Errorf("%d tokens, want about %d; exact=%v", got, want, c.Exact())
		}
	}
	none := tokens.NewCache(0)
	if n := tokens.For("gpt-4o").With(none).Count("short"); n != 1 || none.Sampled() {
		t.Errorf("a short text has %d tokens; estimated: %v", n, none.Sampled())
	}
}
