package store

import (
	"context"
	"iter"
	"math"

	"github.com/pactkit/pactkit/store/journal"
)

// Erase erases nodes of a history for good, from every snapshot: their content
// is gone, and the header lists their ids. See [journal.Erase] for what else has
// the same content. All digests are other ones afterwards, so a context that is
// attached gets [ErrConflict] from its next commit, and [Live.Reload] brings it
// to the new history. An append in the meantime is an error of the code
// [ErrConflict], and nothing is erased.
//
// It costs the whole history. Backups, and a log of the database, keep what they
// have.
func Erase(ctx context.Context, s Store, id string, nodes ...string) error {
	var head Version
	all := func(yield func(Frame, error) bool) {
		for f, err := range s.Read(ctx, id, 0, math.MaxInt64) {
			if head = f.Version(); !yield(f, err) {
				return
			}
		}
	}
	frames, err := journal.Erase(iter.Seq2[Frame, error](all), nodes...)
	if err != nil {
		return err
	}
	_, err = s.Replace(ctx, id, head, frames...)
	return err
}
