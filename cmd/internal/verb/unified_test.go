package verb

import (
	"testing"
)

func TestQuoteName(t *testing.T) {
	for name, want := range map[string]string{
		"a/b":   "a/b",
		"a/b c": "a/b c",
		"a/é":   "a/é",
		"a/\n":  `"a/\012"`,
		`a/"\`:  `"a/\042\134"`,
	} {
		if got := quoteName(name); got != want {
			t.Errorf("%q: got %s, want %s", name, got, want)
		}
	}
}

func TestChangedLines(t *testing.T) {
	if n := ChangedLines(UnifiedDiff("f", "a\nb\nc\n", "a\nx\ny\nc\n")); n != 2 {
		t.Errorf("got %d", n)
	}
	if n := ChangedLines(UnifiedDiff("f", "-- a\n", "b\n")); n != 1 {
		t.Errorf("got %d", n)
	}
}
