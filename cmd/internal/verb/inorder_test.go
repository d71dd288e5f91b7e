package verb

import (
	"context"
	"runtime"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestInOrder(t *testing.T) {
	items := make([]int, 500)
	for i := range items {
		items[i] = i
	}
	var running, most atomic.Int32
	got := slices.Collect(InOrder(t.Context(), items, func(_ context.Context, i int) int {
		n := running.Add(1)
		for m := most.Load(); n > m && !most.CompareAndSwap(m, n); m = most.Load() {
		}
		if i%7 == 0 {
			time.Sleep(time.Millisecond)
		}
		running.Add(-1)
		return i
	}))
	if diff := cmp.Diff(items, got); diff != "" {
		t.Errorf("results are lost or out of order (-want +got):\n%s", diff)
	}
	if limit := int32(runtime.GOMAXPROCS(0) + 2); most.Load() > limit {
		t.Errorf("%d at a time, want at most %d", most.Load(), limit)
	}
}

// After an interrupt no item begins, and those that began end before the sequence does.
func TestInOrderStops(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var begun, ended atomic.Int32
	n := 0
	for range InOrder(ctx, make([]int, 1000), func(context.Context, int) int {
		begun.Add(1)
		time.Sleep(time.Millisecond)
		ended.Add(1)
		return 0
	}) {
		n++
		if n == 3 {
			cancel()
		}
	}
	if begun.Load() == 1000 || begun.Load() != ended.Load() || int(ended.Load()) < n {
		t.Errorf("%d begun, %d ended, %d yielded", begun.Load(), ended.Load(), n)
	}
}
