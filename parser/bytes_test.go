package parser

import (
	"strings"
	"testing"
)

// TestClassifyBytes compares eight bytes at once with one at a time, for every byte at every place of short sources.
func TestClassifyBytes(t *testing.T) {
	for size := range 20 {
		for at := range size {
			for c := range 256 {
				src := []byte(strings.Repeat(".", size))
				src[at] = byte(c)
				wantPlain := 0 < c && c < 128
				plain, hyphen := classifyBytes(string(src))
				if plain != wantPlain || plain && hyphen != (c == '-') {
					t.Fatalf("%q: plain %t, hyphen %t", src, plain, hyphen)
				}
			}
		}
	}
}
