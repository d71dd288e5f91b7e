package tokens

import (
	"bufio"
	"encoding/json"
	"os"
	"strings"
	"testing"
)

// TestTiktoken compares counts with those of PyPI's tiktoken; see testdata/make.py. The variable
// PACTKIT_TIKTOKEN can name a larger file in the same format.
func TestTiktoken(t *testing.T) {
	name := "testdata/tiktoken.jsonl"
	if other := os.Getenv("PACTKIT_TIKTOKEN"); other != "" {
		name = other
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	o200k, cl100k := For("gpt-4o"), For("gpt-4")
	lines := 0
	for in := bufio.NewScanner(f); in.Scan(); lines++ {
		var want struct {
			Text   string `json:"text"`
			O200k  int    `json:"o200k_base"`
			Cl100k int    `json:"cl100k_base"`
		}
		if err := json.Unmarshal(in.Bytes(), &want); err != nil {
			t.Fatal(err)
		}
		if got := o200k.Count(want.Text); got != want.O200k {
			t.Errorf("line %d: %q has %d tokens of o200k_base, want %d", lines+1, want.Text, got, want.O200k)
		}
		if got := cl100k.Count(want.Text); got != want.Cl100k {
			t.Errorf("line %d: %q has %d tokens of cl100k_base, want %d", lines+1, want.Text, got, want.Cl100k)
		}
	}
	if lines < 400 {
		t.Errorf("%d texts in %s", lines, name)
	}
}

func TestFor(t *testing.T) {
	for _, c := range []struct {
		model, encoding string
		exact           bool
	}{
		{"gpt-4o", "o200k_base", true},
		{"gpt-4o-2024-08-06", "o200k_base", true},
		{"openai/gpt-4o-mini", "o200k_base", true},
		{"ft:gpt-4o:acme:support:7p4lURel", "o200k_base", true},
		{"ft:gpt-3.5-turbo-0125:acme", "cl100k_base", true},
		{"gpt-3.5-turbo", "cl100k_base", true},
		{"gpt-35-turbo", "cl100k_base", true},
		{"gpt-4-turbo", "cl100k_base", true},
		{"gpt-4.1-nano", "o200k_base", true},
		{"GPT-5", "o200k_base", true},
		{"o3", "o200k_base", true},
		{"o1-preview", "o200k_base", true},
		{"claude-sonnet-4-5", "o200k_base", false},
		{"gemini-2.5-pro", "o200k_base", false},
		{"o1000", "o200k_base", false},
		{"gpt-40", "o200k_base", false},
		{"", "o200k_base", false},
	} {
		if got := For(c.model); got.Encoding() != c.encoding || got.Exact() != c.exact {
			t.Errorf("For(%q) has %s, exact %v; want %s, %v", c.model, got.Encoding(), got.Exact(), c.encoding, c.exact)
		}
	}
}

// TestLong counts texts that are cut. Cuts between words do not change the count; any other cut
// adds at most one token.
func TestLong(t *testing.T) {
	c := For("gpt-4o")
	words := strings.Repeat("the quick brown fox jumps over the lazy dog ", 3*window/44)
	if got, n := c.Count(words), c.vocabulary.count(words); got != n {
		t.Errorf("%d tokens in pieces, %d at once", got, n)
	}
	for _, text := range []string{strings.Repeat("a", window+17), strings.Repeat("語", window), strings.Repeat("\xff", window)} {
		if n := c.vocabulary.count(strings.ToValidUTF8(text, "\uFFFD")); c.Count(text) < n || c.Count(text) > n+3 {
			t.Errorf("%d tokens in pieces of %.3q…, %d at once", c.Count(text), text, n)
		}
	}
}
