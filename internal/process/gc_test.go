package process

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
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

// TestRule allocates on one processor, which leaves the runtime little time to sweep in the
// background. The rule for the heap of a collection must apply long before the next one.
func TestRule(t *testing.T) {
	t.Setenv("GOGC", "")
	t.Setenv("GOMEMLIMIT", "")
	defer debug.SetGCPercent(debug.SetGCPercent(100))
	defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(1))
	TuneGC()
	sample := []metrics.Sample{{Name: "/gc/cycles/total:gc-cycles"}, {Name: "/gc/gogc:percent"}, {Name: "/gc/heap/live:bytes"}}
	metrics.Read(sample)
	const piece = 16 << 10
	var kept [][]byte
	late, cycles := 0, 0
	for since := 0; cycles < 20; since += piece {
		if kept = append(kept, make([]byte, piece)); len(kept) > 1<<10 {
			kept = nil // the heap is small, then large
		}
		if since%(1<<20) == 0 {
			runtime.Gosched()
		}
		was := sample[0].Value
		metrics.Read(sample)
		if sample[0].Value.Uint64() != was.Uint64() {
			cycles++
			since = 0
		}
		if cycles > 0 && since == garbageBytes/2 && sample[1].Value.Uint64() != uint64(percent(sample[2].Value.Uint64())) {
			late++
		}
	}
	if late > 0 {
		t.Errorf("after %d of %d collections the rule applies late", late, cycles)
	}
}
