// Package failfs is a file system in memory for tests of what survives. A crash loses writes and
// names that were not flushed, any call can fail, and processes share locks.
package failfs

import (
	"crypto/sha256"
	"errors"
	"fmt"
	"iter"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"syscall"
)

// Kind is how a call fails.
type Kind int

const (
	IOError     Kind = iota // the call fails with EIO
	Full                    // with ENOSPC
	Interrupted             // with EINTR
	Short                   // a write fails with ENOSPC after half of its bytes, another call with EIO
	Dead                    // this call and all later ones fail with EIO
	Crash                   // the machine stops before or after the call
	Kill                    // the process that makes the call stops before or after it
)

// Kinds are the names of the kinds.
var Kinds = [...]string{"EIO", "ENOSPC", "EINTR", "short write", "dead disk", "crash", "kill"}

// ErrStopped is the error of each call of a process that was killed, or of a machine that crashed.
var ErrStopped = errors.New("the process has stopped")

var errDeadlock = errors.New("every process waits for a lock")

// Fault makes one call fail. Calls count from 1; with Call 0 none fails.
type Fault struct {
	Call int
	Kind Kind
}

// Disk is the disk of a machine. Everything random follows from its seed.
type Disk struct {
	Fault Fault
	Calls int // so far

	rand    *rand.Rand
	mu      sync.Mutex
	root    *node
	crashed bool
}

// New returns an empty disk.
func New(seed uint64) *Disk {
	return &Disk{rand: rand.New(rand.NewPCG(seed, 1)), root: newFolder()}
}

// Process is a process on the machine. Its System has the files of the disk.
type Process struct {
	disk  *Disk
	dead  bool                    // its locks are released
	next  func() (struct{}, bool) // goes on until the next call, or returns false at its end
	pause func()                  // until the next turn; nil outside of a [Disk.Run]
	wants *node                   // whose lock the process waits for
}

// Process starts a process.
func (d *Disk) Process() *Process { return &Process{disk: d} }

// Run runs each function as a process of its own until all have returned. Only one runs at a time:
// at each call the disk draws which one goes on. If all of them wait for locks, Run stops the
// machine and returns an error. A process must make its calls in one goroutine.
func (d *Disk) Run(list ...func(*Process)) (err error) {
	var live []*Process
	for _, f := range list {
		p := &Process{disk: d}
		p.next, _ = iter.Pull(func(yield func(struct{}) bool) {
			p.pause = func() { yield(struct{}{}) }
			f(p)
			p.dead = true
		})
		live = append(live, p)
	}
	for len(live) > 0 {
		var able []*Process
		for _, p := range live {
			if p.wants == nil || !p.wants.locked() || d.crashed || p.dead {
				able = append(able, p)
			}
		}
		if len(able) == 0 {
			err, able = errDeadlock, live
			d.crashed = true // lets them end
		}
		p := able[d.rand.IntN(len(able))]
		if _, goes := p.next(); !goes {
			live = slices.DeleteFunc(live, func(q *Process) bool { return p == q })
		}
	}
	return err
}

// yield waits for the next turn.
func (p *Process) yield() {
	if p.pause != nil {
		p.pause()
	}
}

// call makes a call: run, unless it fails. half makes a part of a write; it may be nil.
func (p *Process) call(run func() error, half func()) error {
	p.yield()
	d := p.disk
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.crashed || p.dead {
		return ErrStopped
	}
	d.Calls++
	fault := d.Fault
	if fault.Call == 0 || d.Calls != fault.Call && (fault.Kind != Dead || d.Calls < fault.Call) {
		return run()
	}
	switch fault.Kind {
	case Crash, Kill:
		if d.rand.IntN(2) == 0 {
			_ = run() // nobody learns the result
		}
		if d.crashed = fault.Kind == Crash; !d.crashed {
			p.dead = true
		}
		return ErrStopped
	case Full:
		return syscall.ENOSPC
	case Interrupted:
		return syscall.EINTR
	case Short:
		if half != nil {
			half()
			return syscall.ENOSPC
		}
	}
	return syscall.EIO
}

// Reboot starts the machine again after a crash, which it makes if there was none. Each write and
// each name that was not flushed is lost with the probability lose, or is there in part. What
// happens follows from the seed and the [Disk.State].
func (d *Disk) Reboot(seed uint64, lose float64) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.rand = rand.New(rand.NewPCG(seed, 2))
	d.root.crash(d.rand, lose)
	d.crashed, d.Fault = false, Fault{}
}

// State returns a hash of everything that is on the disk, flushed or not, and of whether the
// machine has crashed.
func (d *Disk) State() [sha256.Size]byte {
	d.mu.Lock()
	defer d.mu.Unlock()
	h := sha256.New()
	d.root.hash(h, map[*node]int{})
	fmt.Fprint(h, d.crashed)
	return [sha256.Size]byte(h.Sum(nil))
}

// Files returns the content of every file by its path.
func (d *Disk) Files() map[string]string {
	d.mu.Lock()
	defer d.mu.Unlock()
	files := map[string]string{}
	d.root.list("", files)
	return files
}

// lookup returns what a path names, or nil.
func (d *Disk) lookup(path string) *node {
	at := d.root
	for part := range strings.SplitSeq(path, "/") {
		if part == "" || part == "." {
			continue
		}
		if at == nil || at.names == nil {
			return nil
		}
		at = at.names[part]
	}
	return at
}

// Stopped reports whether the machine has crashed and was not started again.
func (d *Disk) Stopped() bool { return d.crashed }
