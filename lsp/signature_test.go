package lsp

import "testing"

// TestOpenParen checks that parentheses in strings do not count, and that an apostrophe in a
// comment does not begin a string.
func TestOpenParen(t *testing.T) {
	for src, want := range map[string]int{
		".a:nth(":                    6,
		".a:nth(2)":                  -1,
		"(d1, (.a) ":                 0,
		".a{x='('}":                  -1,
		`.a{x="\"("} (`:              12,
		".a # don't\n  > .b:nth(":    21,
		".a{x='open\n  } > .b:nth(2": 23,
	} {
		if got := openParen(src); got != want {
			t.Errorf("%q: got %d, want %d", src, got, want)
		}
	}
}
