package format

import (
	"testing"

	"github.com/pactkit/pactkit/ast"
)

// FuzzFormat checks the laws on any input, seeded with the cases.
func FuzzFormat(f *testing.F) {
	for _, a := range cases(f) {
		f.Add(section(a, "in.pactsel"), false)
		f.Add(section(a, "in.pactsel"), true)
	}
	f.Fuzz(func(t *testing.T, src string, old bool) {
		o := Options{}
		if old {
			o.Edition = ast.Edition01
		}
		if err := checkLaws(src, o); err != nil {
			t.Error(err)
		}
	})
}
