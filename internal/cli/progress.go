package cli

import (
	"fmt"
	"time"
)

const (
	// progressDelay is how long work must last before its progress is shown.
	progressDelay = time.Second
	// progressEvery is the time between two updates.
	progressEvery = 100 * time.Millisecond
)

// progress is a line on a terminal that tells how far long work has come. Elsewhere it is nothing.
type progress struct {
	s     *session
	total int
	next  time.Time // of the next update
	shown bool
}

func newProgress(s *session, total int) *progress {
	return &progress{s: s, total: total, next: time.Now().Add(progressDelay)}
}

// show is called after each item.
func (p *progress) show(done int) {
	if now := time.Now(); p.s.errTerm && !now.Before(p.next) {
		fmt.Fprintf(p.s.err, "%s%d of %s", eraseLine, done, count(p.total, "file"))
		p.next, p.shown = now.Add(progressEvery), true
	}
}

// clear removes the line, so that something else can be printed.
func (p *progress) clear() {
	if p.shown {
		fmt.Fprint(p.s.err, eraseLine)
		p.shown = false
	}
}

// eraseLine makes a terminal forget the line the cursor is on.
const eraseLine = "\r\x1b[K"
