//go:build unix

package store

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/test/failfs"
)

// tortureVariable says for how long [TestTorture] runs; without it, a few seconds. fromVariable
// says which list it begins with.
const tortureVariable, fromVariable = "PACTKIT_TORTURE", "PACTKIT_TORTURE_FROM"

// Of the first lists of the torture every call fails, of the next ones, and all others, 20.
const eachCall, someCalls = 300, 10_000

// TestTorture runs generated lists of operations on a disk whose calls fail and which crashes.
// After each run and a crash, what was acknowledged is there, and nothing else.
func TestTorture(t *testing.T) {
	var end time.Time
	var total torture
	lists := uint64(3)
	if text := os.Getenv(tortureVariable); text != "" {
		long, err := time.ParseDuration(text)
		if err != nil {
			t.Fatal(err)
		}
		end, lists = time.Now().Add(long), math.MaxUint64
		if text = os.Getenv(fromVariable); text != "" {
			from, err := strconv.ParseUint(text, 10, 64)
			if err != nil {
				t.Fatal(err)
			}
			total.lists.Store(from)
		}
	} else if testing.Short() {
		lists = 1
	}
	began := time.Now()
	var group sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		group.Go(func() {
			for total.findings.Load() < 10 && (end.IsZero() || time.Now().Before(end)) {
				seed := total.lists.Add(1) - 1
				if seed >= lists {
					break
				}
				if total.list(t, seed); total.done.Add(1) == eachCall+someCalls {
					total.report(t, began)
				}
			}
		})
	}
	group.Wait()
	total.report(t, began)
}

// TestTortureFound runs the shortest lists in which the torture once found something, with six
// seeds from the given one. Each call fails once.
func TestTortureFound(t *testing.T) {
	for name, c := range map[string]struct {
		kind failfs.Kind
		seed uint64
		list []action
	}{
		"a folder that was made and not flushed":              {failfs.Interrupted, 0, []action{{0, "append", "a", 0}, {0, "copy", "b", 1}}},
		"a folder that a killed process made":                 {failfs.Kill, 0, []action{{0, "append", "a", 0}, {1, "append", "a", 0}}},
		"a fork of what a killed process did not flush":       {failfs.Kill, 0, []action{{0, "append", "a", 0}, {1, "copy", "a", 1}, {1, "fork", "a", 2}}},
		"an append that could not be flushed":                 {failfs.IOError, 0, []action{{0, "append", "a", 0}, {0, "append", "a", 0}}},
		"a deletion that could not be flushed":                {failfs.IOError, 0, []action{{0, "append", "a", 0}, {0, "delete", "a", 0}}},
		"a deletion that could not be flushed to a dead disk": {failfs.Dead, 0, []action{{0, "append", "a", 0}, {1, "delete", "a", 0}}},
		"a fork and a rewind for one name":                    {failfs.Interrupted, 25, []action{{0, "append", "a", 0}, {1, "copy", "a", 0}, {1, "rewind", "a", 1}, {0, "fork", "a", 3}}},
		"a reader of a first append that is undone":           {failfs.Short, 14597, []action{{0, "append", "a", 0}, {1, "fork", "a", 0}, {1, "compact", "a", 2}, {1, "read", "a", 3}}},
		"a rewind that waits for an append that is undone":    {failfs.Short, 16351, []action{{0, "append", "a", 0}, {1, "delete", "a", 2}, {2, "append", "a", 2}, {2, "append", "a", 0}, {2, "checkpoint", "a", 3}, {2, "rewind", "a", 1}, {1, "list", "a", 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			for seed := range uint64(6) {
				x := &tortured{seed: c.seed + seed, list: c.list, seen: map[[sha256.Size]byte]bool{}}
				for k := x.run(); k > 0 && x.found == ""; k-- {
					x = &tortured{seed: x.seed, list: c.list, seen: x.seen, fault: failfs.Fault{Call: k, Kind: c.kind}}
					x.run()
				}
				if x.found != "" {
					t.Fatal(x)
				}
			}
		})
	}
}

// torture counts what was done.
type torture struct{ lists, done, faults, runs, states, calls, findings atomic.Uint64 }

func (o *torture) report(t *testing.T, began time.Time) {
	var use syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &use); err != nil {
		t.Error(err)
	}
	cpu := time.Duration(use.Utime.Nano() + use.Stime.Nano())
	t.Logf("torture: %d lists, %d distinct calls that fail, %d runs of %d calls to %d states in %v (%v of CPU time): %d findings", o.done.Load(), o.faults.Load(),
		o.runs.Load(), o.calls.Load(), o.states.Load(), time.Since(began).Round(time.Second), cpu.Round(time.Second), o.findings.Load())
}

// list runs the list of a seed without failures, and with a failure and a stop at each call.
func (o *torture) list(t *testing.T, seed uint64) {
	actions := generate(seed)
	seen := map[[sha256.Size]byte]bool{}
	run := func(f failfs.Fault) int {
		x := &tortured{seed: seed, list: actions, fault: f, seen: seen}
		size := x.run()
		o.runs.Add(1)
		o.calls.Add(uint64(size))
		if x.found != "" {
			o.findings.Add(1)
			t.Error(x.shrink())
		}
		return size
	}
	defer func() { o.states.Add(uint64(len(seen))) }()
	r := rand.New(rand.NewPCG(seed, 2))
	which := r.Perm(run(failfs.Fault{}))
	if seed >= eachCall {
		which = which[:min(20, len(which))]
	}
	for _, k := range which {
		if o.findings.Load() >= 10 {
			return
		}
		o.faults.Add(1)
		run(failfs.Fault{Call: k + 1, Kind: failfs.Kind(r.IntN(int(failfs.Crash)))})
		run(failfs.Fault{Call: k + 1, Kind: failfs.Crash + failfs.Kind(r.IntN(2))})
	}
}

// action is an operation of a list.
type action struct {
	process int
	verb    string
	id      string
	n       int
}

// begins reports whether the operation begins a history. It fails if the history exists.
func (a action) begins() bool { return slices.Contains([]string{"copy", "fork", "rewind"}, a.verb) }

func (a action) String() string { return fmt.Sprintf("%d:%s %s %d", a.process, a.verb, a.id, a.n) }

// tortureIDs are the ids of the histories. The last two begin as forks or with an append.
var tortureIDs = []string{"a", "b", "f", "g"}

// generate makes a list of operations of one to three processes on four histories.
func generate(seed uint64) []action {
	r := rand.New(rand.NewPCG(seed, 3))
	processes := 1 + r.IntN(3)
	verbs := []string{"append", "append", "append", "append", "append", "read", "compact", "erase", "erase", "delete", "reopen", "copy", "checkpoint", "list", "fork", "fork", "rewind"}
	list := []action{{0, "append", "a", 0}}
	for range 4 + r.IntN(8) {
		id := "a"
		if r.IntN(3) == 0 {
			id = tortureIDs[1+r.IntN(3)]
		}
		list = append(list, action{r.IntN(processes), verbs[r.IntN(len(verbs))], id, r.IntN(4)})
	}
	return list
}

// tortured is one run of a list.
type tortured struct {
	seed  uint64
	list  []action
	fault failfs.Fault
	found string // what went wrong

	disk  *failfs.Disk
	step  int
	marks []*mark

	// removing counts the operations in progress that may remove texts of a history.
	removing map[string]int

	// seen has the states after which the list was found to go on well. It may be nil.
	seen map[[sha256.Size]byte]bool
}

// fate is what is known of a change.
type fate int

const (
	no fate = iota
	maybe
	yes
)

// mark is a text that one operation inserts into a history.
type mark struct {
	id, text   string
	there      fate
	doubtful   bool // a deletion ended while it was inserted
	erased     fate
	began, end int // steps
	whole      string
}

func (x *tortured) String() string {
	how := "without a failure"
	if x.fault.Call > 0 {
		how = fmt.Sprintf("%s at call %d", failfs.Kinds[x.fault.Kind], x.fault.Call)
	}
	return fmt.Sprintf("seed %d, %s, %v:\n%s", x.seed, how, x.list, x.found)
}

func (x *tortured) fail(format string, args ...any) {
	if x.found == "" {
		x.found = fmt.Sprintf(format, args...)
	}
}

// shrink looks for a shorter list that fails, too.
func (x *tortured) shrink() *tortured {
	for i := len(x.list) - 1; i >= 0; i-- {
		shorter := slices.Delete(slices.Clone(x.list), i, i+1)
		size := 1
		if x.fault.Call > 0 {
			size = (&tortured{seed: x.seed, list: shorter}).run()
		}
		for k := 1; k <= size; k++ {
			again := &tortured{seed: x.seed, list: shorter, fault: failfs.Fault{Call: min(k, x.fault.Call*k), Kind: x.fault.Kind}}
			if again.run(); again.found != "" {
				x, i = again, min(i, len(shorter))
				break
			}
		}
	}
	return x
}

// run runs the list, crashes the machine, and checks what is there. It returns how many calls the
// list made.
func (x *tortured) run() (calls int) {
	x.disk = failfs.New(x.seed)
	x.disk.Fault = x.fault
	var open []action // those that a failure interrupted
	var processes []func(*failfs.Process)
	for i := range 3 {
		processes = append(processes, func(p *failfs.Process) {
			w := &worker{run: x, p: p, live: map[string]*Live{}}
			for _, a := range x.list {
				if a.process != i {
					continue
				}
				if errors.Is(w.do(a), failfs.ErrStopped) {
					open = append(open, a)
					return
				}
			}
		})
	}
	if err := x.disk.Run(processes...); err != nil {
		x.fail("%v", err)
	}
	calls = x.disk.Calls
	state := x.state(open)
	if x.found == "" && x.seen[state] {
		return calls
	}
	x.check("at the end", false)
	x.disk.Reboot(binary.BigEndian.Uint64(state[:]), []float64{0, 0.5, 1}[x.seed%3])
	x.check("after a crash", true)
	w := &worker{run: x, p: x.disk.Process(), live: map[string]*Live{}}
	for _, a := range append(open, action{0, "append", "a", 0}, action{0, "append", "b", 0}) {
		if err := w.do(a); err != nil && !errors.Is(err, ErrNotFound) && !(a.begins() && (errors.Is(err, ErrConflict) || errors.Is(err, engine.ErrSnapshotUnknown))) {
			x.fail("%v, again after the crash: %v", a, err)
		}
	}
	x.check("after going on", true)
	for path := range x.disk.Files() {
		if strings.HasSuffix(path, ".tmp") {
			x.fail("%s is left after going on", path)
		}
	}
	if x.seen != nil && x.found == "" {
		x.seen[state] = true
	}
	return calls
}

// state returns a hash of everything that the rest of a run depends on. Most calls of an operation
// that fail leave the same state.
func (x *tortured) state(open []action) [sha256.Size]byte {
	h := sha256.New()
	disk := x.disk.State()
	h.Write(disk[:])
	fmt.Fprintln(h, open, x.step)
	for _, m := range x.marks {
		fmt.Fprintln(h, *m)
	}
	return [sha256.Size]byte(h.Sum(nil))
}

// known returns the marks of a history that are known to be there, or not to be. Forks that were
// made one after the other under one name may each have a mark of the same text. While something is
// being removed, nothing is known to be there: also what was acknowledged since may be gone.
func (x *tortured) known(id string) map[*mark]bool {
	list, possible := map[*mark]bool{}, map[string]bool{}
	for _, m := range x.marks {
		if m.id == id && m.there != no {
			possible[m.text] = true
		}
	}
	for _, m := range x.marks {
		if m.id == id && m.erased == no && (m.there == yes && x.removing[id] == 0 || m.there == no && !possible[m.text]) {
			list[m] = m.there == yes
		}
	}
	return list
}

func (x *tortured) compare(when, id string, texts []string, want map[*mark]bool) {
	for _, m := range x.marks {
		n := 0
		for _, text := range texts {
			if text == m.whole {
				n++
			}
		}
		is, ok := want[m]
		switch {
		case n > 1:
			x.fail("%s, history %s has %q %d times", when, id, m.text, n)
		case ok && is && n == 0:
			x.fail("%s, history %s has lost %q", when, id, m.text)
		case ok && !is && n > 0:
			x.fail("%s, history %s has %q, which was not written", when, id, m.text)
		case m.erased == yes && n > 0:
			x.fail("%s, history %s has the erased %q", when, id, m.text)
		}
	}
	last := 0
	for _, text := range texts {
		for _, m := range x.marks {
			if m.whole == text && want[m] {
				if m.end < last {
					x.fail("%s, %q of history %s comes too late", when, m.text, id)
				}
				last = max(last, m.began)
			}
		}
	}
}

// wantErased searches all files for what was erased.
func (x *tortured) wantErased(when string) {
	for path, data := range x.disk.Files() {
		for _, m := range x.marks {
			if m.erased == yes && strings.Contains(data, m.text+".") {
				x.fail("%s, %s has the erased %q", when, path, m.text)
			}
		}
	}
}

// check reads everything as a new process does. After a crash, what was unknown becomes known.
func (x *tortured) check(when string, crashed bool) {
	x.disk.Fault = failfs.Fault{}
	if x.disk.Stopped() {
		return
	}
	w := &worker{run: x, p: x.disk.Process(), live: map[string]*Live{}}
	s, err := openDirOn(atomicfile.New(w.p.System()), "s")
	if err != nil {
		x.fail("%s: %v", when, err)
		return
	}
	for _, id := range tortureIDs {
		l, err := Attach(context.Background(), s, id, still)
		if err != nil && !errors.Is(err, ErrNotFound) {
			x.fail("%s: %v", when, err)
			return
		}
		texts := textsOf(l)
		x.compare(when, id, texts, x.known(id))
		for _, m := range x.marks {
			if crashed && m.id == id && m.there == maybe && m.erased == no {
				m.there, m.end = no, x.step
				if slices.Contains(texts, m.whole) {
					m.there = yes
				}
			}
		}
	}
	x.wantErased(when)
}
