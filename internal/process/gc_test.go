package process

import (
	"runtime/debug"
	"testing"
)

func TestPercent(t *testing.T) {
	for live, want := range map[uint64]int{0: 800, 1 << 20: 800, 4 << 20: 800, 16 << 20: 200, 32 << 20: 100, 64 << 20: 100, 128 << 20: 50, 1 << 30: 33} {
		if got := percent(live); got != want {
			t.Errorf("with %d bytes: %d, not %d", live, got, want)
		}
	}
}

// TestEnvironment starts with a setting of the user's, which stays.
func TestEnvironment(t *testing.T) {
	was := debug.SetGCPercent(123)
	defer debug.SetGCPercent(was)
	for _, name := range []string{"GOGC", "GOMEMLIMIT"} {
		t.Run(name, func(t *testing.T) {
			t.Setenv("GOGC", "")
			t.Setenv("GOMEMLIMIT", "")
			t.Setenv(name, "150")
			TuneGC()
			if got := debug.SetGCPercent(123); got != 123 {
				t.Errorf("the percentage is %d", got)
			}
		})
	}
}
