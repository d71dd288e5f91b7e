package store

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"iter"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgconn"
)

const (
	// channel carries the names of the histories that have new frames.
	channel = "pactkit"
	// announceEvery is the minimum time between two announcements. A NOTIFY takes a server-wide
	// lock at commit, so appends do not contain one.
	announceEvery = 10 * time.Millisecond
	// pollEvery is the time between two polls of a watcher, pollAlone the same if the server cannot
	// notify.
	pollEvery, pollAlone = time.Second, 200 * time.Millisecond
)

// payload returns the name of a history in announcements.
func payload(key []byte) string {
	sum := sha256.Sum256(key)
	return hex.EncodeToString(sum[:16])
}

// notifier announces new frames to watchers, several appends at a time. If an announcement is lost
// in a crash, watchers find the frames by polling.
type notifier struct {
	mu   sync.Mutex
	due  map[string]bool // payloads
	wake chan struct{}   // has a buffer of one
}

func (n *notifier) start(ctx context.Context, s *pgStore) {
	n.due, n.wake = map[string]bool{}, make(chan struct{}, 1)
	s.running.Go(func() {
		for {
			select {
			case <-ctx.Done():
				return
			case <-n.wake:
			}
			if !n.send(ctx, s) {
				return // the server does not support NOTIFY
			}
			select {
			case <-ctx.Done():
				return
			case <-time.After(announceEvery):
			}
		}
	})
}

// announce records that a history has new frames.
func (n *notifier) announce(key []byte) {
	n.mu.Lock()
	n.due[payload(key)] = true
	n.mu.Unlock()
	select {
	case n.wake <- struct{}{}:
	default:
	}
}

// send announces what is due. It returns false if the server does not support that.
func (n *notifier) send(ctx context.Context, s *pgStore) bool {
	n.mu.Lock()
	due := make([]string, 0, len(n.due))
	for p := range n.due {
		due = append(due, p)
	}
	clear(n.due)
	n.mu.Unlock()
	_, err := execute(ctx, s.pool, "select pg_notify($1, p) from unnest($2::text[]) as p", channel, due)
	return err == nil || lost(err) || codeOfError(err) == ErrReadOnly
}

// listener wakes the watchers of a store. It listens on a separate connection while there are any.
type listener struct {
	mu           sync.Mutex
	watchers     map[string]map[chan struct{}]bool // by payload
	begun        chan struct{}                     // closed by the first watcher
	once         sync.Once
	cannotNotify bool // the server cannot notify
}

func (l *listener) start(ctx context.Context, s *pgStore) {
	l.watchers, l.begun = map[string]map[chan struct{}]bool{}, make(chan struct{})
	s.running.Go(func() {
		select {
		case <-ctx.Done():
			return
		case <-l.begun:
		}
		for try := 0; ctx.Err() == nil; try++ {
			listened, err := l.listen(ctx, s)
			if listened {
				try = 0
			} else if !lost(err) {
				l.setCannotNotify(true)
				return
			}
			l.setCannotNotify(true) // until it listens again
			if pause(ctx, try+4) != nil {
				return
			}
		}
	})
}

// listen passes on notifications until the connection breaks. listened reports whether it listened
// at all.
func (l *listener) listen(ctx context.Context, s *pgStore) (listened bool, err error) {
	c, err := s.pool.connect(ctx, func(_ *pgconn.PgConn, n *pgconn.Notification) {
		l.mu.Lock()
		defer l.mu.Unlock()
		for w := range l.watchers[n.Payload] {
			wake(w)
		}
	})
	if err != nil {
		return false, err
	}
	defer c.Close(context.WithoutCancel(ctx))
	if _, err := execute(ctx, c, "listen "+channel); err != nil {
		return false, err
	}
	l.setCannotNotify(false)
	for {
		if err := c.WaitForNotification(ctx); err != nil {
			return true, err
		}
	}
}

// setCannotNotify changes how watchers wait, and wakes all of them.
func (l *listener) setCannotNotify(cannotNotify bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.cannotNotify = cannotNotify
	for _, list := range l.watchers {
		for w := range list {
			wake(w)
		}
	}
}

func wake(w chan struct{}) {
	select {
	case w <- struct{}{}:
	default:
	}
}

// watch returns a channel that receives a value after each announcement of a history, and a
// function that ends that.
func (l *listener) watch(key []byte) (chan struct{}, func()) {
	l.once.Do(func() { close(l.begun) })
	w, p := make(chan struct{}, 1), payload(key)
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.watchers[p] == nil {
		l.watchers[p] = map[chan struct{}]bool{}
	}
	l.watchers[p][w] = true
	return w, func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		if delete(l.watchers[p], w); len(l.watchers[p]) == 0 {
			delete(l.watchers, p)
		}
	}
}

// patience returns how long a watcher waits before it polls.
func (l *listener) patience() time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.cannotNotify {
		return pollAlone
	}
	return pollEvery
}

// Watch checks the head after each announcement, and from time to time.
func (s *pgStore) Watch(ctx context.Context, id string, after Version) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		w, done := s.listener.watch([]byte(sortKey(id)))
		defer done()
		follow(ctx, s, id, after, yield, func() error {
			select {
			case <-ctx.Done():
				return ctx.Err()
			case <-w:
			case <-time.After(s.listener.patience()):
			}
			return nil
		})
	}
}
