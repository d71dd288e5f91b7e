// Package process has what all programs do as processes: they end in order at signals, and collect
// garbage seldom.
package process

import (
	"os"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// Between two collections the heap may grow by its own size, but at least by garbageBytes: most
// runs of a program end before the first collection; with the default of Go, which begins at 4 MB,
// they would pay for a dozen. A large heap, such as that of a long log, may grow by largeBytes, or
// by a third of its size if that is more: doubling it would cost more memory than it saves time.
const (
	garbageBytes = 32 << 20
	largeBytes   = 2 * garbageBytes
)

// mostPercent is the growth that is allowed at first, when Go assumes a heap of 4 MB.
const mostPercent = garbageBytes * 100 / (4 << 20)

// percent returns how much a heap may grow, given what is live in it.
func percent(live uint64) int {
	live = max(live, 1)
	if live > largeBytes {
		return int(max(largeBytes*100/live, 33))
	}
	return int(min(max(garbageBytes*100/live, 100), mostPercent))
}

// TuneGC applies the rule to this process, unless GOGC or GOMEMLIMIT is set in its environment:
// that is the user's choice.
func TuneGC() {
	if os.Getenv("GOGC") != "" || os.Getenv("GOMEMLIMIT") != "" {
		return
	}
	now := mostPercent
	debug.SetGCPercent(now)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var arm func()
	collected := func(*large) {
		metrics.Read(sample)
		if p := percent(sample[0].Value.Uint64()); p != now {
			now = p
			debug.SetGCPercent(p)
		}
		arm()
	}
	arm = func() { runtime.SetFinalizer(new(large), collected) }
	arm()
}

// large is an object whose finalizer runs soon after each collection, because large objects are
// swept first. A cleanup would wait until all is swept, which on a busy machine lasts until the
// next collection: until then the heap would grow by the rule for its size before.
type large [33 << 10]byte
