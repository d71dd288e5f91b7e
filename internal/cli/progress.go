package cli

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

// progress shows on a terminal how many items of long work are done. Elsewhere it does nothing.
type progress struct {
	s     *session
	total int
	what  string
	next  time.Time // of the next update
	shown bool
}

func newProgress(s *session, total int, what string) *progress {
	return &progress{s: s, total: total, what: what, next: time.Now().Add(progressDelay)}
}

// show is called after each item.
func (p *progress) show(done int) {
	if now := time.Now(); p.s.errTerm && !now.Before(p.next) {
		fmt.Fprintf(p.s.err, "%s%d of %s", eraseLine, done, count(p.total, p.what))
		p.next, p.shown = now.Add(progressEvery), true
	}
}

// clear removes the line to make room for other output.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.s.err, eraseLine)
		p.shown = false
	}
}

// byteProgress shows on a terminal how many files, or sessions, of unknown number are done.
type byteProgress struct {
	s     *session
	done  *atomic.Int64 // bytes; nil for sessions that are counted
	files int
	begun time.Time
	next  time.Time // of the next update
	shown bool
}

func newByteProgress(s *session, done *atomic.Int64) *byteProgress {
	now := time.Now()
	return &byteProgress{s: s, done: done, begun: now, next: now.Add(progressDelay)}
}

// show is called after each file.
func (p *byteProgress) show() {
	p.files++
	now := time.Now()
	if !p.s.errTerm || now.Before(p.next) {
		return
	}
	if p.done == nil {
		fmt.Fprintf(p.s.err, "%s%s", eraseLine, count(p.files, "session"))
	} else {
		megabytes := float64(p.done.Load()) / 1e6
		fmt.Fprintf(p.s.err, "%s%s, %.0f MB, %.0f MB/s", eraseLine, count(p.files, "file"), megabytes, megabytes/now.Sub(p.begun).Seconds())
	}
	p.next, p.shown = now.Add(progressEvery), true
}

// clear removes the line to make room for other output.
func (p *byteProgress) clear() {
	if p.shown {
		fmt.Fprint(p.s.err, eraseLine)
		p.shown = false
	}
}

// eraseLine makes a terminal forget the line the cursor is on.
const eraseLine = "\r\x1b[K"

// working shows on a terminal what the program is doing, and for how long, until the returned
// function is called. It is for work that is a single call; nothing else may be printed in the
// meantime. The function what is called from another goroutine.
func (s *session) working(what func() string) (done func()) {
	if !s.errTerm {
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
					fmt.Fprint(s.err, eraseLine)
				}
				return
			case <-tick.C:
				shown = true
				fmt.Fprintf(s.err, "%s%s, %d s", eraseLine, what(), int(time.Since(began).Seconds()))
			}
		}
	}()
	return sync.OnceFunc(func() {
		close(stop)
		<-stopped
	})
}
