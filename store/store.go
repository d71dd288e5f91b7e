// Package store keeps the histories of many live contexts, in a folder or in PostgreSQL, for
// servers and fleets of servers.
//
//	s, err := store.Open(ctx, "postgres://agents@db/agents")
//	live, err := store.Attach(ctx, s, "session-17", engine.Options{})
//	…
//	snapshot, err := live.Commit(ctx) // durable when it returns
//
// A history is a list of frames, see package journal. A [Store] appends to it with
// compare-and-swap: if several processes append to one history at the same time, one succeeds and
// the others get [ErrConflict].
//
// Errors are an [*Error] with a [Code], an error of package journal or engine,
// or the error of a [context.Context] that is done.
package store

import (
	"context"
	"fmt"
	"iter"
	"time"
	"unicode/utf8"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// Version and Frame are those of package journal.
type (
	Version = journal.Version
	Frame   = journal.Frame
)

// Store keeps histories by id. An id is any text of 1 to 65,536 bytes of UTF-8. A Store is safe for
// concurrent use, also by several processes. Iterators end with the first error they yield.
type Store interface {
	// Append adds frames to a history, all or none of them, and returns once they are durable.
	// after is the head they follow: if the head is not that version, the error has the code
	// [ErrConflict]. The zero Version begins a history. Its first frames must be a header, and a
	// snapshot or working state. Only the last frame has the end mark, except at the beginning of a
	// history, so a whole history can be copied.
	Append(ctx context.Context, id string, after Version, f ...Frame) (Version, error)

	// Head returns the version of the last frame.
	Head(ctx context.Context, id string) (Version, error)

	// Read yields the header, and then the frames up to cycle to, beginning with
	// the newest snapshot of a cycle up to from, or with the oldest frame.
	Read(ctx context.Context, id string, from, to int64) iter.Seq2[Frame, error]

	// Since yields the frames after a version. The cost depends on how many there are.
	Since(ctx context.Context, id string, after Version) iter.Seq2[Frame, error]

	// Watch yields the frames after a version, and then each one that is
	// appended, until the context is done or the history deleted.
	Watch(ctx context.Context, id string, after Version) iter.Seq2[Frame, error]

	// List yields the histories whose id has a prefix, sorted by id. (Ids that
	// share their first 512 bytes are sorted by their SHA-256.)
	List(ctx context.Context, prefix string) iter.Seq2[Info, error]

	// Replace replaces all frames up to a version by new ones, for retention ([Compact]) and
	// erasure. Frames appended after that version stay; if there are any, the digest of the last
	// new frame must be that of the version. Forks keep the old frames, as with Delete. Otherwise
	// it is like Append.
	Replace(ctx context.Context, id string, upTo Version, f ...Frame) (Version, error)

	// Delete removes a history. Its forks stay whole: the store gives them what they share with it,
	// at the cost of that.
	Delete(ctx context.Context, id string) error

	// Fork begins a history with the frames of another one, the base, up to the snapshot of a
	// cycle, or all of them if cycle is [Newest]. A frame of kind [journal.Fork], which says where
	// it came from, follows them. The fork shares the frames of the base, and stores only its own,
	// so neither the cost nor the size depends on how many there are. If the base
	// lacks the snapshot, the error has the code [engine.ErrSnapshotUnknown]; if id exists, the
	// error has the code [ErrConflict].
	Fork(ctx context.Context, base string, cycle int64, id string) (Version, error)

	// Rewind lets a history go on from its snapshot of a cycle. Everything that it had is kept as
	// another history, a fork at its end, of which the history is a fork from then on. Errors are
	// those of Fork, where keep is the id that must not exist. If the history is appended to
	// meanwhile, the error has the code [ErrConflict], and only the other history stays.
	Rewind(ctx context.Context, id string, cycle int64, keep string) (Version, error)

	// Close releases the resources of the store. Calls in progress fail.
	Close() error
}

// Newest, as the cycle of a fork, stands for everything that the base has, its working state
// included.
const Newest int64 = -1

// Info describes a history.
type Info struct {
	ID      string
	Head    Version
	Bytes   int64     // of its own frames, as lines of a journal, without those shared with another history
	Changed time.Time // of the last append, by the clock of the store
	Err     error     // why the rest is unknown, such as a damaged journal
}

// checkFrames returns why frames cannot follow a version, in a sentence, or "".
func checkFrames(after Version, frames []Frame) string {
	begins := after == Version{}
	if len(frames) == 0 {
		return "there are no frames to append"
	}
	if begins && (len(frames) < 2 || frames[0].Kind != journal.Header || frames[1].Kind == journal.Delta) {
		return "a history begins with a header and a snapshot or working state"
	}
	for i, f := range frames {
		switch {
		case f.Kind == journal.Header && !(begins && i == 0), f.Kind == journal.Fork && !begins:
			return "a header is the first frame of a history, and a fork begins with the frames of another one"
		case !isText(f.Body):
			return "the body of a frame is not canonical JSON"
		case f.Digest != journal.Chain(after.Digest, f.Body):
			return "the digest of a frame does not fit the frame before"
		case f.Cycle < after.Cycle:
			return "a cycle goes back"
		case f.End && !begins && i < len(frames)-1:
			return "a frame before the last one has an end mark"
		}
		after = f.Version()
	}
	if !frames[len(frames)-1].End {
		return "the last frame has no end mark"
	}
	return ""
}

// errNoSnapshot is the error of a fork at a cycle that has no snapshot.
func errNoSnapshot(base string, cycle int64) error {
	msg := fmt.Sprintf("the history %q has no snapshot of cycle %d", shownID(base), cycle)
	if cycle == Newest {
		msg = fmt.Sprintf("the history %q has no snapshot", shownID(base))
	}
	return &engine.Error{Code: engine.ErrSnapshotUnknown, Msg: msg}
}

// conflictMessage is the message for a lost race.
func conflictMessage(after, head Version) string {
	switch {
	case head == Version{}:
		return fmt.Sprintf("there is no history to continue at cycle %d", after.Cycle)
	case after == Version{}:
		return fmt.Sprintf("the history exists, and is at cycle %d", head.Cycle)
	}
	return fmt.Sprintf("the history is at cycle %d (%.12s), and the frames follow cycle %d (%.12s)", head.Cycle, head.Digest, after.Cycle, after.Digest)
}

// isText reports whether a text is UTF-8 without control characters, as canonical JSON is.
func isText(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == 0x7f {
			return false
		}
	}
	return utf8.ValidString(s)
}

// follow repeatedly yields the new frames after a version. wait returns when there may be more.
func follow(ctx context.Context, s Store, id string, after Version, yield func(Frame, error) bool, wait func() error) {
	for {
		for f, err := range s.Since(ctx, id, after) {
			if !yield(f, err) || err != nil {
				return
			}
			after = f.Version()
		}
		if err := wait(); err != nil {
			yield(Frame{}, err)
			return
		}
	}
}

// checkReplacement returns why frames cannot be the beginning of a history, in a sentence, or "".
// It cannot verify the digest of a snapshot that replaces older frames, because that is the digest
// of the last of them.
func checkReplacement(frames []Frame) string {
	if len(frames) < 2 || frames[0].Kind != journal.Header || frames[1].Kind == journal.Delta {
		return "a history begins with a header and a snapshot or working state"
	}
	if !frames[len(frames)-1].End {
		return "the last frame has no end mark"
	}
	for _, f := range frames {
		if !isText(f.Body) {
			return "the body of a frame is not canonical JSON"
		}
	}
	return ""
}

// goneMessage is the message for a version that is not in a history.
func goneMessage(v Version) string {
	return fmt.Sprintf("the history has no frame of cycle %d with the digest %.12s; it has been compacted, erased or deleted since", v.Cycle, v.Digest)
}

// lineLen returns how long the line of a frame is.
func lineLen(f Frame) int64 { return int64(len(f.Body) + journal.LineOverhead) }
