package names_test

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/internal/names"
)

func TestUnique(t *testing.T) {
	used := names.Set{}
	var got []string
	for _, base := range []string{"a", "a-2", "a", "a", "a-2", "b-2", "b", "b", "a", ""} {
		got = append(got, used.Add(base))
	}
	want := []string{"a", "a-2", "a-3", "a-4", "a-2-2", "b-2", "b", "b-3", "a-5", ""}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	allocated := func(n int) float64 {
		return testing.AllocsPerRun(1, func() {
			used := names.Set{}
			for range n {
				used.Add("a")
			}
		})
	}
	if one, ten := allocated(1000), allocated(10_000); ten > 11*one {
		t.Errorf("10,000 equal names allocate %v times, 1,000 %v", ten, one)
	}
}
