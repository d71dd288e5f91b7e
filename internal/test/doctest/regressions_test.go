package doctest

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestRegressions checks that each row of docs/regressions.md says who found it, and names tests or
// cases that exist.
func TestRegressions(t *testing.T) {
	data, err := os.ReadFile(filepath.Join(root, "docs", "regressions.md"))
	if err != nil {
		t.Fatal(err)
	}
	tests, rows := testNames(t), 0
	for line := range strings.Lines(string(data)) {
		cells := strings.Split(strings.TrimSpace(line), "|")
		if len(cells) != 5 || strings.HasPrefix(line, "|---") || strings.HasPrefix(line, "| what") {
			continue
		}
		rows++
		if strings.TrimSpace(cells[2]) == "" || !strings.Contains(cells[3], "`") {
			t.Errorf("%s: it needs a finder and a test", line)
		}
		checkCases(t, strings.TrimSpace(cells[1]), cells[3], tests)
	}
	if rows < 25 {
		t.Errorf("%d rows", rows)
	}
}
