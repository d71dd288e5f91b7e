package host

import (
	"errors"
	"io"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"
)

// TestYAMLErrors checks what is read in the texts of the library's errors.
func TestYAMLErrors(t *testing.T) {
	for src, want := range map[string]struct {
		line        int
		lacksAnchor bool
	}{
		"a: 1\nb: 'x\n":             {1, false}, // of the scanner
		"a: 1\nb: \"\\z\"\n":        {1, false},
		"a: 1\nb: [\n":              {1, false}, // of the parser
		"a: 1\n\nb: 1\n  c: 2\n":    {3, false},
		"a: 1\n---\nb: @x\n":        {2, false}, // in the second document
		"b: \"\\z\"\n":              {0, false}, // in the first line
		"a: 1\nb: \x01\n":           {0, false}, // of the encoding
		"a: 1\nb: *line2\n":         {0, true},
		"a: &x 1\n---\nb: [*y, *x]": {0, true},
	} {
		var err error
		for dec := yaml.NewDecoder(strings.NewReader(src)); err == nil; {
			err = dec.Decode(&yaml.Node{})
		}
		if errors.Is(err, io.EOF) || yamlErrorAt(err) != want.line || lacksAnchor(err) != want.lacksAnchor {
			t.Errorf("%q: %v: line %d, lacks an anchor: %v", src, err, yamlErrorAt(err), lacksAnchor(err))
		}
	}
}
