package corpus

import (
	"strings"
	"testing"
)

// TestLiteral checks that a literal is found where package strings finds it, however frequent its bytes are.
func TestLiteral(t *testing.T) {
	texts := []string{
		"", "E", "an error", "no such words", "no such word", "wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww no such words", strings.Repeat("such no words ", 50),
		strings.Repeat("中文", 40) + "文字", `\"quoted\"`, "Zebra", "a", "aaaa",
	}
	for _, want := range texts {
		l := newLiteral(want)
		for _, s := range texts {
			for _, s := range []string{s, s + s, s + want, want + s, s[:len(s)/2]} {
				if got := l.in(s); got != strings.Contains(s, want) {
					t.Errorf("%q in %q: %v", want, s, got)
				}
			}
		}
	}
}
