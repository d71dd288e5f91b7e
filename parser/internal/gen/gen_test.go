package gen

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestLL1 counts the calls that need more than one token of lookahead.
func TestLL1(t *testing.T) {
	files, err := filepath.Glob("pact_*.go")
	if err != nil || len(files) == 0 {
		t.Fatal("no generated code", err)
	}
	for _, name := range files {
		code, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if n := strings.Count(string(code), "AdaptivePredict"); n != 0 {
			t.Errorf("%s calls AdaptivePredict %d times: the grammar is not LL(1)", name, n)
		}
	}
}
