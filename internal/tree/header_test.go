package tree

import (
	"slices"
	"testing"
)

// TestHeaderOf checks that the switch of HeaderOf has each name of HeaderNames, and no other that
// looks like one.
func TestHeaderOf(t *testing.T) {
	if !slices.IsSorted(HeaderNames[:]) {
		t.Error("the names are not sorted")
	}
	for want, name := range HeaderNames {
		if h, ok := HeaderOf(name); !ok || h != Header(want) {
			t.Errorf("HeaderOf(%q) = %d, %t, not %d", name, h, ok, want)
		}
		for _, other := range []string{name[1:], name[:len(name)-1], name + "_", " " + name} {
			if h, ok := HeaderOf(other); ok && HeaderNames[h] != other {
				t.Errorf("HeaderOf(%q) = %q", other, HeaderNames[h])
			}
		}
	}
	if _, ok := HeaderOf(""); ok {
		t.Error("no name is a header")
	}
}
