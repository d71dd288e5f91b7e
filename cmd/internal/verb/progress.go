package verb

import (
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

const (
	// progressDelay is how long work must last before its progress is shown.
	progressDelay = time.Second
	// progressEvery is the time between two updates.
	progressEvery = 100 * time.Millisecond
)

// Progress shows on a terminal how many items of long work are done. Elsewhere it does nothing.
type Progress struct {
	s     *Run
	total int
	what  string
	next  time.Time // of the next update
	shown bool
}

func NewProgress(r *Run, total int, what string) *Progress {
	return &Progress{s: r, total: total, what: what, next: time.Now().Add(progressDelay)}
}

// Show is called after each item.
func (p *Progress) Show(done int) {
	if now := time.Now(); p.s.ErrTerm && !now.Before(p.next) {
		fmt.Fprintf(p.s.Err, "%s%d of %s", EraseLine, done, Count(p.total, p.what))
		p.next, p.shown = now.Add(progressEvery), true
	}
}

// Clear removes the line to make room for other output.
func (p *Progress) Clear() {
	if p.shown {
		fmt.Fprint(p.s.Err, EraseLine)
		p.shown = false
	}
}

// ByteProgress shows on a terminal how many files, or sessions, of unknown number are done.
type ByteProgress struct {
	s     *Run
	done  *atomic.Int64 // bytes; nil for sessions that are counted
	files int
	begun time.Time
	next  time.Time // of the next update
	shown bool
}

func NewByteProgress(r *Run, done *atomic.Int64) *ByteProgress {
	now := time.Now()
	return &ByteProgress{s: r, done: done, begun: now, next: now.Add(progressDelay)}
}

// Show is called after each file.
func (p *ByteProgress) Show() {
	p.files++
	now := time.Now()
	if !p.s.ErrTerm || now.Before(p.next) {
		return
	}
	if p.done == nil {
		fmt.Fprintf(p.s.Err, "%s%s", EraseLine, Count(p.files, "session"))
	} else {
		megabytes := float64(p.done.Load()) / 1e6
		fmt.Fprintf(p.s.Err, "%s%s, %.0f MB, %.0f MB/s", EraseLine, Count(p.files, "file"), megabytes, megabytes/now.Sub(p.begun).Seconds())
	}
	p.next, p.shown = now.Add(progressEvery), true
}

// Clear removes the line to make room for other output.
func (p *ByteProgress) Clear() {
	if p.shown {
		fmt.Fprint(p.s.Err, EraseLine)
		p.shown = false
	}
}

// EraseLine makes a terminal forget the line the cursor is on.
const EraseLine = "\r\x1b[K"

// Working shows on a terminal what the program is doing, and for how long, until the returned
// function is called. It is for work that is a single call; nothing else may be printed in the
// meantime. The function what is called from another goroutine.
func (r *Run) Working(what func() string) (done func()) {
	if !r.ErrTerm {
		return func() {}
	}
	stop, stopped := make(chan struct{}), make(chan struct{})
	began := time.Now()
	go func() {
		defer close(stopped)
		tick := time.NewTicker(progressDelay)
		defer tick.Stop()
		shown := false
		for {
			select {
			case <-stop:
				if shown {
					fmt.Fprint(r.Err, EraseLine)
				}
				return
			case <-tick.C:
				shown = true
				fmt.Fprintf(r.Err, "%s%s, %d s", EraseLine, what(), int(time.Since(began).Seconds()))
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
