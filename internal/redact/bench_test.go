package redact

import (
	"os"
	"strings"
	"testing"
)

// BenchmarkText redacts a text of the file that PACTKIT_TEXT names, in pieces, as a log has them.
func BenchmarkText(b *testing.B) {
	data, err := os.ReadFile(os.Getenv("PACTKIT_TEXT"))
	if err != nil {
		b.Skip(err)
	}
	pieces := strings.SplitAfter(string(data), "\n\n")
	b.SetBytes(int64(len(data)))
	for b.Loop() {
		r := redactor(b, Options{})
		for _, p := range pieces {
			r.First(p, Shape{})
		}
		b.Logf("%s", r.Report())
	}
}
