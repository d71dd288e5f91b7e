package lspcli

import "testing"

func TestGCPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 400, 1 << 20: 400, 16 << 20: 400, 32 << 20: 200, 64 << 20: 100, 1 << 30: 100} {
		if got := gcPercent(live); got != want {
			t.Errorf("with %d bytes: %d, not %d", live, got, want)
		}
	}
}
