package host

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestReference checks the examples of the reference. Each is followed by a block "found" that
// lists its proven selectors, one per line, with ⏎ for line endings.
func TestReference(t *testing.T) {
	data, err := os.ReadFile("../docs/reference/hosts.md")
	if err != nil {
		t.Fatal(err)
	}
	src := string(data)
	blocks, _ := fences(src)
	shown := map[string]bool{}
	for i, block := range blocks {
		if block.language != "found" {
			continue
		}
		text := func(f fence) string { return f.region(src).Text }
		h := markdown{}.inner(blocks[i-1].language, defaultMarkers())
		if h == nil {
			t.Errorf("no host for %s", blocks[i-1].language)
			continue
		}
		shown[h.Name()] = true
		f := h.Find(text(blocks[i-1]), nil)
		var got []string
		for _, r := range f.Regions {
			if r.Kind != Holed && r.Grade() == Proven {
				got = append(got, strings.ReplaceAll(r.Text, "\n", "⏎"))
			}
		}
		want := strings.Split(strings.TrimSuffix(text(block), "\n"), "\n")
		if diff := cmp.Diff(want, got); diff != "" || f.Broken() {
			t.Errorf("%s: %v; selectors of the example (-want +got):\n%s", h.Name(), f.Diagnostics, diff)
		}
	}
	for _, h := range hosts {
		if own := shown[h.Name()] || !h.Embeds() || h == (markdown{}); !own {
			t.Errorf("docs/reference/hosts.md has no example of a %s: a block of code in it, and after it a block \"found\"", h.Name())
		}
	}
}
