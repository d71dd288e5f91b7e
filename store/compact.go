package store

import (
	"context"
	"math"

	"github.com/pactkit/pactkit/store/journal"
)

// Compact keeps the newest cycles of a history, keep of them, and the snapshot
// before them, which stands for everything that is older. The head stays, and so
// do all digests of what is kept: contexts that are attached go on. See
// [journal.Compact] for what stays where an append has several commits.
//
// It reads the history twice; others may append meanwhile.
func Compact(ctx context.Context, s Store, id string, keep int) error {
	upTo, frames, err := journal.Compact(s.Read(ctx, id, 0, math.MaxInt64), max(keep, 0))
	if err != nil || len(frames) == 0 {
		return err
	}
	_, err = s.Replace(ctx, id, upTo, frames...)
	return err
}
