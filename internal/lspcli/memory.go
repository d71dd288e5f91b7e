package lspcli

import (
	"runtime"
	"runtime/debug"
	"runtime/metrics"
)

// The heap may grow by mostPercent between two garbage collections: what is found in a document is made anew after every
// keystroke, and with the default of 100 every second keystroke would pay for a collection. A large heap grows by garbageBytes,
// so that a large document or fixture does not take five times its size, and by 100 percent at least.
const (
	mostPercent  = 400
	garbageBytes = 64 << 20
)

// gcPercent returns how much a heap may grow, given what is live in it.
func gcPercent(live uint64) int {
	return int(min(max(garbageBytes*100/max(live, 1), 100), mostPercent))
}

// spareCollections sets how often garbage is collected, anew after each collection.
func spareCollections() {
	now := mostPercent
	debug.SetGCPercent(now)
	sample := []metrics.Sample{{Name: "/gc/heap/live:bytes"}}
	var arm func()
	collected := func(struct{}) {
		metrics.Read(sample)
		if p := gcPercent(sample[0].Value.Uint64()); p != now {
			now = p
			debug.SetGCPercent(p)
		}
		arm()
	}
	arm = func() { runtime.AddCleanup(new([64]byte), collected, struct{}{}) }
	arm()
}
