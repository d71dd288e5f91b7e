package store

import (
	"context"
	"errors"
	"iter"
	"maps"
	"math"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// Erasure says what [Erase] erased from a history.
type Erasure struct {
	Nodes  []string // ids of the named nodes, sorted
	Others []string // ids of the nodes that refer only to one of them or have the same content, sorted
	Before Version  // the head that the history had
	Head   Version  // the head of the history that took its place

	// Related are the histories of the store that were forked from this one, or this one from them,
	// and in which nodes were erased too.
	Related []string

	// Found are the files in the folder of a journal that still have an erased text: the journal
	// itself if other nodes quote it, other histories, copies. Unsearched are the files that may be
	// copies and were not searched, since they are compressed, cannot be read, or are too large;
	// the folder, if the search of it was interrupted.
	Found, Unsearched []string

	frames []Frame
	texts  []string
	marks  map[engine.Mark]bool
	forks  []engine.ForkPoint
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
// Then the nodes are erased from every fork of the history, from the history it was forked from,
// and so on; each of them stores all of its frames from then on (J12). Appends to them do not stop
// this. If it fails there, Erase can be called again, for any of them.
//
// The cost depends on the whole history, its forks, and on the folder. Backups, and the log of the
// database, keep the old content.
func Erase(ctx context.Context, s Store, id string, nodes ...string) (Erasure, error) {
	e, err := planErase(ctx, s, id, nodes)
	if err != nil {
		return e, err
	}
	if _, err = s.Replace(ctx, id, e.Before, e.frames...); err != nil {
		return e, err
	}
	if err = e.related(context.WithoutCancel(ctx), s, id, true); err != nil {
		half := &Error{Code: ErrUnknown, ID: id, Msg: "the nodes are erased from this history, but perhaps not from all related ones: erase them again", Err: err}
		if cause, ok := errors.AsType[*Error](err); ok {
			half.Store = cause.Store
		}
		return e, half
	}
	if d, ok := s.(*dirStore); ok {
		e.Found, e.Unsearched = d.search(ctx, id, e.texts)
	}
	return e, nil
}

// PlanErase returns what [Erase] would erase, and changes nothing.
func PlanErase(ctx context.Context, s Store, id string, nodes ...string) (Erasure, error) {
	e, err := planErase(ctx, s, id, nodes)
	if err == nil {
		plan := e
		plan.marks = maps.Clone(e.marks)
		err = plan.related(ctx, s, id, false)
		e.Related = plan.Related
	}
	return e, err
}

// planErase is PlanErase for just one history.
func planErase(ctx context.Context, s Store, id string, nodes []string) (Erasure, error) {
	e := Erasure{marks: map[engine.Mark]bool{}}
	less, err := journal.Erase(readAll(ctx, s, id, &e.Before), nodes...)
	if err != nil {
		return Erasure{}, err
	}
	e.add(less)
	e.frames, e.Others = less.Frames, less.Others
	e.Nodes = slices.Compact(slices.Sorted(slices.Values(nodes)))
	e.Head = e.frames[len(e.frames)-1].Version()
	return e, nil
}

// readAll yields all frames of a history, and notes the version of the last one.
func readAll(ctx context.Context, s Store, id string, last *Version) iter.Seq2[Frame, error] {
	return func(yield func(Frame, error) bool) {
		for f, err := range s.Read(ctx, id, 0, math.MaxInt64) {
			if *last = f.Version(); !yield(f, err) {
				return
			}
		}
	}
}

// add notes what was erased.
func (e *Erasure) add(less journal.Erasure) {
	for _, m := range less.Marks {
		e.marks[m] = true
	}
	e.texts, e.forks = append(e.texts, less.Texts...), less.Forks
}

// related erases the nodes that are already erased in one history from the related ones, if do is
// set. What is erased there with them can mark more nodes, so it goes around until nothing is new.
func (e *Erasure) related(ctx context.Context, s Store, id string, do bool) error {
	known := []string{id}
	for seen := -1; seen < len(e.marks); {
		first := seen < 0
		seen = len(e.marks)
		for i := 0; i < len(known); i++ {
			of, in := known[i], s
			if d, ok := s.(*dirStore); ok && d.file != "" && i > 0 {
				in = OpenFile(d.fileOf(of))
			}
			if i > 0 || !first {
				if err := e.eraseMarked(ctx, in, of, do); err != nil {
					return err
				}
			}
			var near []string
			if k, ok := in.(interface {
				kin(context.Context, string) ([]string, error)
			}); ok {
				var err error
				if near, err = k.kin(ctx, of); err != nil {
					return err
				}
			}
			for _, p := range e.forks {
				near = append(near, p.History)
			}
			for _, other := range near {
				if !slices.Contains(known, other) && checkID(other) == "" {
					known = append(known, other)
				}
			}
		}
	}
	slices.Sort(e.Related)
	e.Related = slices.DeleteFunc(slices.Compact(e.Related), func(of string) bool { return of == id })
	return nil
}

// eraseMarked erases the marked nodes from a history, whoever appends to it meanwhile.
func (e *Erasure) eraseMarked(ctx context.Context, s Store, id string, do bool) error {
	for try := 0; ; try++ {
		var before Version
		less, err := journal.EraseMarked(readAll(ctx, s, id, &before), slices.Collect(maps.Keys(e.marks)))
		if errors.Is(err, ErrNotFound) {
			e.forks = nil
			return nil
		}
		if err == nil && do && len(less.Frames) > 0 {
			_, err = s.Replace(ctx, id, before, less.Frames...)
		}
		switch {
		case err == nil:
			if e.add(less); len(less.Frames) > 0 {
				e.Related = append(e.Related, id)
			}
			return nil
		case !errors.Is(err, ErrConflict) && !errors.Is(err, ErrChanged) || try == maxConflicts:
			return err
		}
		if err := pause(ctx, min(try, 5)); err != nil {
			return err
		}
	}
}
