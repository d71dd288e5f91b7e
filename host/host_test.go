package host

import "testing"

func TestFor(t *testing.T) {
	for path, want := range map[string]string{
		"a/b.pactsel":  "selector file",
		"b.pactsel.go": "",
		"pactsel":      "",
		"":             "",
	} {
		name := ""
		if h := For(path); h != nil {
			name = h.Name()
		}
		if name != want {
			t.Errorf("%s: %q, want %q", path, name, want)
		}
	}
}

func TestSelectorFileIsOneRegion(t *testing.T) {
	regions, ds := SelectorFile{}.Regions(".a\n.b\n")
	if len(ds) > 0 || len(regions) != 1 || !regions[0].Many || regions[0].Len() != 6 {
		t.Errorf("got %v, %v", regions, ds)
	}
}
