// Package budget limits the memory of a process.
//
// Nothing is counted: the memory is measured whenever another piece of text has been read, because
// all that pactkit keeps is made of text. A reader that meets [Over] gives up. A program also calls
// [Watch], for the memory that results take. All functions may be called concurrently.
package budget

import (
	"context"
	"errors"
	"fmt"
	"math"
	"runtime"
	"runtime/debug"
	"runtime/metrics"
	"strconv"
	"strings"
	"sync/atomic"
	"time"
)

// ErrOver is the error of a reader that gives up.
var ErrOver = errors.New("the memory budget is used up")

// step is how much text is read between two measurements.
const step = 64 << 10

const (
	// program is the memory of the program itself, which the runtime does not count.
	program = 48 << 20
	// slack is how much more than its limit the runtime may use for a moment.
	slack = program / 2
	// worker is the memory for each reader but the first.
	worker = 512 << 20
)

var (
	limit  atomic.Int64 // in bytes; 0 means unlimited
	unread atomic.Int64 // bytes since the last measurement
	over   atomic.Bool
)

// Set limits the memory of the process to a number of bytes. 0 removes the limit.
func Set(bytes int64) {
	limit.Store(bytes)
	over.Store(false)
	if bytes == 0 {
		bytes = math.MaxInt64
	}
	debug.SetMemoryLimit(goal(bytes))
}

// Refusal returns what is wrong when more memory is needed.
func Refusal() string {
	return fmt.Sprintf("more memory is needed than the limit of %d MiB", limit.Load()>>20)
}

// Buffer returns how many bytes a single text may have, most or less: while it is read, there are
// two copies for a moment, and what was read of it before is garbage.
func Buffer(most int64) int64 {
	if n := limit.Load(); n > 0 {
		return min(most, heap(n)/3)
	}
	return most
}

// Fits reports whether so many bytes more are likely to be within the limit. It collects garbage
// if that makes the room for them.
func Fits(bytes int) bool {
	n := limit.Load()
	if n > 0 && (objects()+int64(bytes) > goal(n) || live()+int64(bytes) > heap(n)) {
		runtime.GC()
	}
	return n == 0 || live()+int64(bytes) <= heap(n)
}

// Workers returns how many readers may run at a time, at most most: each has texts in memory.
func Workers(most int) int {
	if n := limit.Load(); n > 0 {
		return int(min(int64(most), 1+n/worker))
	}
	return most
}

// goal is the memory limit of the runtime.
func goal(limit int64) int64 { return max(limit-program-slack, limit/2) }

// heap is how much of a limit live objects may take. With less room for garbage, the collector
// would run all the time.
func heap(limit int64) int64 { return goal(limit) * 3 / 4 }

// Note tells that so many bytes of text are being read.
func Note(bytes int) {
	if unread.Add(int64(bytes)) < step {
		return
	}
	unread.Store(0)
	n := limit.Load()
	if n == 0 || over.Load() {
		return
	}
	if objects() > goal(n) {
		runtime.GC() // on a busy machine it falls behind
	}
	if live() <= heap(n) {
		return
	}
	if runtime.GC(); live() > heap(n) { // what was measured may be garbage by now
		over.Store(true)
	}
}

// live returns the size of the objects that were in use when the garbage collector ran last. It
// runs often when the memory nears the limit.
func live() int64 { return measured("/gc/heap/live:bytes") }

// objects returns the size of all objects, of which some may be garbage.
func objects() int64 { return measured("/memory/classes/heap/objects:bytes") }

func measured(name string) int64 {
	sample := []metrics.Sample{{Name: name}}
	metrics.Read(sample)
	return int64(sample[0].Value.Uint64())
}

// Watch calls exceeded when the process needs more than its limit although all garbage has been
// collected. No reader has to notice that: it is also for memory that is not made of text that is
// being read. The less memory is left, the more often it looks; it collects garbage a little before
// the limit, since the process takes more while that runs. It ends after the call, or with ctx.
func Watch(ctx context.Context, exceeded func()) {
	const fastest = 8 << 30 // bytes a second, to be expected at most
	for ctx.Err() == nil {
		n := limit.Load()
		if n == 0 {
			n = math.MaxInt64 / 2
		}
		most := max(n-program, n/2+slack)
		pause := time.Duration(float64(most-used()) / fastest * float64(time.Second))
		if now := used(); now > most-slack/2 {
			if now > most {
				over.Store(true)
			}
			began := time.Now()
			if debug.FreeOSMemory(); used() > most {
				exceeded()
				return
			}
			pause = time.Since(began) // others get half of the time
		}
		select {
		case <-ctx.Done():
		case <-time.After(min(max(pause, 2*time.Millisecond), 200*time.Millisecond)):
		}
	}
}

// used returns how much memory the process has from the system, without the program itself.
func used() int64 {
	return measured("/memory/classes/total:bytes") - measured("/memory/classes/heap/released:bytes")
}

// Over reports whether the budget is used up. It stays so until [Reset].
func Over() bool { return over.Load() }

// Err returns [ErrOver] if the budget is used up.
func Err() error {
	if over.Load() {
		return ErrOver
	}
	return nil
}

// Reset tells that a reader begins, after what an earlier one read has become garbage. That is
// collected now, if it is much of the limit: the runtime would collect it while the reader takes
// more.
func Reset() {
	over.Store(false)
	if n := limit.Load(); n > 0 && objects()-live() > heap(n)/4 {
		runtime.GC()
	}
}

// units are the endings of sizes, longest first.
var units = []struct {
	name string
	size float64
}{{"KiB", 1 << 10}, {"MiB", 1 << 20}, {"GiB", 1 << 30}, {"kB", 1e3}, {"KB", 1e3}, {"MB", 1e6}, {"GB", 1e9}, {"K", 1 << 10}, {"M", 1 << 20}, {"G", 1 << 30}, {"", 1}}

// ParseSize reads a size such as 256MiB, 1.5G or 268435456.
func ParseSize(text string) (int64, error) {
	for _, u := range units {
		digits, ok := strings.CutSuffix(text, u.name)
		if !ok {
			continue
		}
		if n, err := strconv.ParseFloat(strings.TrimSpace(digits), 64); err == nil && n >= 0 && n*u.size < math.MaxInt64 {
			return int64(n * u.size), nil
		}
		break
	}
	return 0, fmt.Errorf("%q is not a size, such as 256MiB or 2GiB", text)
}

// smallest is the smallest limit that a program takes.
const smallest = 128 << 20

// Flag is the flag of a program that calls [Set].
type Flag struct{}

// String returns "": the default depends on the machine.
func (Flag) String() string { return "" }

// Type returns the name of the value.
func (Flag) Type() string { return "SIZE" }

// Set reads a size; 0 means no limit.
func (Flag) Set(text string) error {
	n, err := ParseSize(text)
	if err == nil && n > 0 && n < smallest {
		err = fmt.Errorf("the program needs at least %d MiB", smallest>>20)
	}
	if err == nil {
		Set(n)
	}
	return err
}
