package gen

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// method matches the first line of a method of the parser, which has the name of its rule.
var method = regexp.MustCompile(`^func \(p \*\w+\) (\w+)\(`)

// TestLL1 fails for rules that need more than one token of lookahead: the code that ANTLR generates
// for them calls AdaptivePredict.
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
		rule := ""
		for line := range strings.Lines(string(code)) {
			if m := method.FindStringSubmatch(line); m != nil {
				rule = m[1]
			}
			if strings.Contains(line, "AdaptivePredict") {
				t.Errorf("%s: the rule %s is not LL(1): one token does not decide how it goes on", name, rule)
			}
		}
	}
}
