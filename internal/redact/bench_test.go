package redact

import (
	"os"
	"strings"
	"testing"
)

// BenchmarkText redacts a page of the reference in pieces, as a log has texts.
func BenchmarkText(b *testing.B) {
	data, err := os.ReadFile("../../docs/reference/sources.md")
	if err != nil {
		b.Fatal(err)
	}
	pieces := strings.SplitAfter(string(data), "\n\n")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := redactor(b, Options{})
		for _, p := range pieces {
			r.first(p, Shape{})
		}
		b.Logf("%s", r.Report())
	}
}
