package engine_test

import (
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/gentest"
)

// Before yields, in reverse, what All yields before a node, except ^root and the regions.
func TestBefore(t *testing.T) {
	for seed := range uint64(50) {
		for _, s := range slices.Collect(gentest.Timeline(t, gentest.Rand(seed), 40).Sealed()) {
			var earlier []string
			for n := range s.All() {
				var got []string
				for m := range n.Before() {
					got = append(got, m.ID())
				}
				slices.Reverse(got)
				if n.Base() == engine.BaseRegion {
					if got != nil {
						t.Errorf("seed %d: %v before %s", seed, got, n.ID())
					}
					continue
				}
				if d := cmp.Diff(earlier, got); d != "" {
					t.Fatalf("seed %d, before %s (-want +got):\n%s", seed, n.ID(), d)
				}
				earlier = append(earlier, n.ID())
			}
		}
	}
}
