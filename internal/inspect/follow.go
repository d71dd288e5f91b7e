package inspect

import (
	"bytes"
	"context"
	"os"
	"time"

	"github.com/pactkit/pactkit/internal/sessions"
)

// pollInterval is how often a file that is followed is looked at.
const pollInterval = 500 * time.Millisecond

// stamp tells whether the files of a session have changed: their size together, and when the last of them did.
type stamp struct {
	size int64
	time time.Time
}

func stampOf(files []string) stamp {
	var s stamp
	for _, file := range files {
		info, err := os.Stat(file)
		if err != nil {
			return stamp{}
		}
		s.size += info.Size()
		if t := info.ModTime(); t.After(s.time) {
			s.time = t
		}
	}
	return s
}

// next waits until the file of a session has changed and can be read, and returns the session as it is then. What is not a file
// does not change. The only error is that of the context.
func (s *Source) next(ctx context.Context, h *history) (*history, error) {
	tick := time.NewTicker(pollInterval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-tick.C:
		}
		now := stampOf(h.files)
		if now == (stamp{}) || now == h.stamp {
			continue
		}
		one, err := sessions.One(ctx, s.address[h.session], s.options)
		if err != nil {
			h.stamp = now // half written, or replaced by something else: wait for the next change
			continue
		}
		return s.keep(ctx, h.session, one, now)
	}
}

// common returns how many steps two readings of a session share. The state after the last call is not one of them, because a
// call may have taken its place.
func common(older, newer *history) int {
	n := len(older.states)
	if older.end {
		n--
	}
	if n = min(n, len(newer.states)); n == 0 || !bytes.Equal(older.states[n-1].AppendJSON(nil), newer.states[n-1].AppendJSON(nil)) {
		return 0
	}
	return n
}
