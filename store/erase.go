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

	// Found are the files in the folder of a journal that still have an erased text: the journal
	// itself if other nodes quote it, other histories, copies. Unsearched are the files that may be
	// copies and were not searched, since they are compressed, cannot be read, or are too large;
	// the folder, if the search of it was interrupted.
	Found, Unsearched []string

	frames []Frame
	texts  []string
}

// Erase erases nodes of a history for good, from every snapshot: their content is gone, and the
// header lists their ids. See [journal.Erase] for which other nodes are affected. All digests
// change, so an attached context gets [ErrConflict] from its next commit, and [Live.Reload] brings
// it to the new history. If something is appended in the meantime, the error has the code
// [ErrConflict], and nothing is erased.
//
// In a folder, the temporary files of interrupted runs are removed first; if one remains, or the
// journal has further hard links, the error has the code [ErrRemains], and nothing is erased. Then
// the folder is searched for the erased texts, see [Erasure].
//
// The cost depends on the whole history and on the folder. Backups, and the log of the database,
// keep the old content.
func Erase(ctx context.Context, s Store, id string, nodes ...string) (Erasure, error) {
	e, err := PlanErase(ctx, s, id, nodes...)
	if err != nil {
		return e, err
	}
	if _, err = s.Replace(ctx, id, e.Before, e.frames...); err != nil {
		return e, err
	}
	if d, ok := s.(*dirStore); ok {
		e.Found, e.Unsearched = d.search(ctx, id, e.texts)
	}
	return e, nil
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
	less, err := journal.Erase(iter.Seq2[Frame, error](all), nodes...)
	if err != nil {
		return Erasure{}, err
	}
	e.frames, e.Others, e.texts = less.Frames, less.Others, less.Texts
	e.Nodes = slices.Compact(slices.Sorted(slices.Values(nodes)))
	e.Head = e.frames[len(e.frames)-1].Version()
	return e, nil
}
