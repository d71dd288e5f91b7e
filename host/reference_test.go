package host

import (
	"os"
	"slices"
	"strings"
	"testing"
)

// TestReference holds the examples of the reference against what is found in them: behind each stands a block
// "found" with a selector a line, line endings of its text written as ⏎.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("../docs/reference/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	src := string(data)
	blocks := fences(src)
	examples := 0
	for i, block := range blocks {
		if block.language != "found" {
			continue
		}
		examples++
		text := func(f fence) string { return f.region(src).Text }
		h := markdown{}.inner(blocks[i-1].language, DefaultMarkers())
		if h == nil {
			t.Errorf("no host for %s", blocks[i-1].language)
			continue
		}
		f := h.Find(text(blocks[i-1]), nil)
		var got []string
		for _, r := range f.Regions {
			if r.Kind != Holed {
				got = append(got, strings.ReplaceAll(r.Text, "\n", "⏎"))
			}
		}
		if want := strings.Split(strings.TrimSuffix(text(block), "\n"), "\n"); !slices.Equal(got, want) || f.Broken() {
			t.Errorf("%s: %q, want %q; %v", h.Name(), got, want, f.Diagnostics)
		}
	}
	if examples < len(hosts)-2 {
		t.Errorf("%d examples for %d hosts", examples, len(hosts))
	}
	for _, h := range hosts {
		if l, ok := h.(*language); ok {
			for _, e := range l.extensions {
				if !strings.Contains(src, "`"+e+"`") {
					t.Errorf("the reference does not name %s", e)
				}
			}
		}
	}
}
