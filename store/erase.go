package store

import (
	"context"
	"iter"
	"math"
	"slices"

	"github.com/pactkit/pactkit/store/journal"
)

// Erasure says what [Erase] erased from a history.
type Erasure struct {
	Nodes  []string // ids of the named nodes, sorted
	Others []string // ids of the nodes that refer only to one of them or have the same content, sorted
	Before Version  // the head that the history had
	Head   Version  // the head of the history that took its place
	frames []Frame
}

// Erase erases nodes of a history for good, from every snapshot: their content is gone, and the
// header lists their ids. See [journal.Erase] for which other nodes are affected. All digests
// change, so an attached context gets [ErrConflict] from its next commit, and [Live.Reload] brings
// it to the new history. If something is appended in the meantime, the error has the code
// [ErrConflict], and nothing is erased.
//
// The cost depends on the whole history. Backups, and the log of the database, keep the old
// content.
func Erase(ctx context.Context, s Store, id string, nodes ...string) (Erasure, error) {
	e, err := PlanErase(ctx, s, id, nodes...)
	if err != nil {
		return e, err
	}
	_, err = s.Replace(ctx, id, e.Before, e.frames...)
	return e, err
}

// PlanErase returns what [Erase] would erase, and changes nothing.
func PlanErase(ctx context.Context, s Store, id string, nodes ...string) (Erasure, error) {
	var e Erasure
	all := func(yield func(Frame, error) bool) {
		for f, err := range s.Read(ctx, id, 0, math.MaxInt64) {
			if e.Before = f.Version(); !yield(f, err) {
				return
			}
		}
	}
	var err error
	e.frames, e.Others, err = journal.Erase(iter.Seq2[Frame, error](all), nodes...)
	if err != nil {
		return Erasure{}, err
	}
	e.Nodes = slices.Compact(slices.Sorted(slices.Values(nodes)))
	e.Head = e.frames[len(e.frames)-1].Version()
	return e, nil
}
