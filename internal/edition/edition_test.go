package edition_test

import (
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/edition"
)

func TestNames(t *testing.T) {
	got := map[string]string{}
	for _, name := range []string{"1.0", "0.1", "", "1.1", "PACT/1.0"} {
		e, ok := edition.Parse(name)
		got[name] = fmt.Sprint(e, " ", ok)
	}
	want := map[string]string{"1.0": "1.0 true", "0.1": "0.1 true", "": "1.0 false", "1.1": "1.0 false", "PACT/1.0": "1.0 false"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
}

func TestOfSpec(t *testing.T) {
	got := map[string]string{}
	for _, version := range []string{"PACT/1.0", "PACT/1.0.2", "PACT/0.1", "PACT/0.1.0", "0.1", "PACT/1.00", "PACT/2.0", "", "1"} {
		e, ok := edition.OfSpec(version)
		got[version] = fmt.Sprint(e, " ", ok)
	}
	want := map[string]string{
		"PACT/1.0": "1.0 true", "PACT/1.0.2": "1.0 true", "PACT/0.1": "0.1 true", "PACT/0.1.0": "0.1 true", "0.1": "0.1 true",
		"PACT/1.00": "1.0 false", "PACT/2.0": "1.0 false", "": "1.0 false", "1": "1.0 false",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	for _, e := range []edition.Edition{edition.V10, edition.V01} {
		if back, ok := edition.OfSpec(e.SpecVersion()); back != e || !ok {
			t.Errorf("%q is read as %v, %t", e.SpecVersion(), back, ok)
		}
	}
}
