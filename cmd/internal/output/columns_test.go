package output

import (
	"math/rand/v2"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestColumns compares with counting, on long lines of characters of every length and of broken
// ones.
func TestColumns(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	parts := []string{"a", "é", "日", "😀", "\xff", "\xe6\x97", "\x80"}
	for _, head := range []string{"", "\ufeff", "x\n"} {
		var b strings.Builder
		b.WriteString(head)
		for b.Len() < 20_000 {
			b.WriteString(parts[r.IntN(len(parts))])
		}
		src := b.String() + "\nlast"
		c := NewColumns(src)
		for offset := len(head); offset <= len(src); offset++ {
			if offset < len(src) && !utf8.RuneStart(src[offset]) {
				continue // inside of a character nothing begins
			}
			start := strings.LastIndexByte(src[:offset], '\n') + 1
			want := utf8.RuneCountInString(strings.TrimPrefix(src[start:offset], "\ufeff")) + 1
			if _, got := c.Position(offset); got != want {
				t.Fatalf("%q at %d: column %d, want %d", head, offset, got, want)
			}
		}
	}
}
