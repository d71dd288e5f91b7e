package format

import (
	"testing"

	"github.com/pactkit/pactkit/ast"

	"github.com/pactkit/pactkit/internal/test/testkit"
)

// FuzzFormat checks the laws on any input, seeded with the cases.
func FuzzFormat(f *testing.F) {
	for c := range testkit.Load(f, casesPattern) {
		src := c.Source()
		f.Add(src, false)
		f.Add(src, true)
	}
	f.Fuzz(func(t *testing.T, src string, old bool) {
		if len(src) > 128 {
			return // the fuzzer would try for a minute to shorten it
		}
		o := Options{}
		if old {
			o.Edition = ast.Edition01
		}
		if err := checkLaws(src, o); err != nil {
			t.Error(err)
		}
	})
}
