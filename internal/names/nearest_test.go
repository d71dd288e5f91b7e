package names

import (
	"slices"
	"strings"
	"testing"
)

func TestNearest(t *testing.T) {
	words := []string{"canonical", "compact", "ttl", "tag", "first", "in"}
	for written, want := range map[string]string{
		"canonicl":               "canonical",
		"Compact":                "compact",
		"frist":                  "first",
		"tll":                    "ttl",
		"tga":                    "tag",
		"first":                  "first",
		"x":                      "",
		"xx":                     "",
		"":                       "",
		"entirely":               "",
		strings.Repeat("a", 1e6): "",
	} {
		if got := Nearest(written, slices.Values(words)); got != want {
			t.Errorf("%.20q: got %q, want %q", written, got, want)
		}
	}
}
