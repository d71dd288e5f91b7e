package store

import (
	"context"
	"math"

	"github.com/pactkit/pactkit/store/journal"
)

// Compaction says what [Compact] removed from a history.
type Compaction struct {
	Cycles  []int64 // of the removed snapshots, in increasing order
	Stands  int64   // the cycle of the snapshot that replaces them
	Removed int64   // bytes of the removed lines, minus those of that snapshot; may be negative
	Head    Version // of the history, which does not change
	upTo    Version // the version that the frames represent
	frames  []Frame
}

// Compact keeps the newest cycles of a history, keep of them, and the snapshot before them, which
// replaces everything older. The head stays, and so do all digests of what is kept: attached
// contexts continue to work. See [journal.Compact] for what is kept if an append has several
// commits.
//
// A short history may grow, because the snapshot that replaces the older ones is whole: Removed is
// then negative, which [PlanCompact] tells before.
//
// It reads the history twice. Other writers may append in the meantime.
func Compact(ctx context.Context, s Store, id string, keep int) (Compaction, error) {
	c, err := PlanCompact(ctx, s, id, keep)
	if err == nil {
		err = c.Do(ctx, s, id)
	}
	return c, err
}

// Do changes a history as [PlanCompact] says. Its errors are those of [Store.Replace].
func (c Compaction) Do(ctx context.Context, s Store, id string) error {
	if len(c.frames) == 0 {
		return nil
	}
	_, err := s.Replace(ctx, id, c.upTo, c.frames...)
	return err
}

// PlanCompact returns what [Compact] would remove, and changes nothing.
func PlanCompact(ctx context.Context, s Store, id string, keep int) (Compaction, error) {
	var c Compaction
	var list []Frame // without their bodies
	var sizes []int64
	frames := func(yield func(Frame, error) bool) {
		list, sizes = list[:0], sizes[:0]
		for f, err := range s.Read(ctx, id, 0, math.MaxInt64) {
			sizes = append(sizes, lineLen(f))
			list = append(list, Frame{Kind: f.Kind, Cycle: f.Cycle, Digest: f.Digest})
			if !yield(f, err) {
				return
			}
		}
	}
	var err error
	if c.upTo, c.frames, err = journal.Compact(frames, max(keep, 0)); err != nil {
		return c, err
	}
	if c.Head, err = s.Head(ctx, id); err != nil || len(c.frames) == 0 {
		return c, err
	}
	c.Stands = c.upTo.Cycle
	for i, f := range list {
		c.Removed += sizes[i]
		if f.Digest == c.upTo.Digest {
			break
		}
		if f.Kind == journal.Snapshot || f.Kind == journal.Delta {
			c.Cycles = append(c.Cycles, f.Cycle)
		}
	}
	for _, f := range c.frames {
		c.Removed -= lineLen(f)
	}
	return c, nil
}
