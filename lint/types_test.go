package lint_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/lint"
)

// countedWords counts the questions about words.
type countedWords struct {
	knownWords
	asked *int
}

func (w countedWords) Known(kind lint.WordKind, name string) (known, sure bool) {
	*w.asked++
	return w.knownWords.Known(kind, name)
}

// TestManyDots checks that a type of many unknown parts does not take time for each way to divide
// it.
func TestManyDots(t *testing.T) {
	for _, dots := range []int{20, 1000} {
		asked := 0
		src := "." + strings.Repeat("x.", dots) + "x"
		if found := lint.CheckSelector(t.Context(), src, lint.Options{Facts: countedWords{asked: &asked}}).Findings; len(found) != 1 {
			t.Errorf("%d dots: got %v, want one unknown type", dots, found)
		}
		if asked > 2000 {
			t.Errorf("%d dots: looked up %d words", dots, asked)
		}
	}
}
