package doctest

import (
	"os"
	"path/filepath"
	"testing"
)

// maxProgram is how large a program may be, without what only debuggers read.
const maxProgram = 45_000_000

// TestProgramSize checks that no program has grown beyond what one downloads without a thought.
// Reflection by name, as in templates, makes the linker keep every method, and tables of Go take
// ten times the space of compressed data.
func TestProgramSize(t *testing.T) {
	dir := programs(t)
	for _, name := range []string{"pactkit", "pactfmt", "pact-lsp"} {
		info, err := os.Stat(filepath.Join(dir, name))
		if err != nil {
			t.Fatal(err)
		}
		if info.Size() > maxProgram {
			t.Errorf("%s has %.1f MB; at most %.1f", name, float64(info.Size())/1e6, float64(maxProgram)/1e6)
		}
	}
}
