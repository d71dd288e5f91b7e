//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/test/failfs"
	"github.com/pactkit/pactkit/store/journal"
)

// worker is a process that works on the list.
type worker struct {
	run   *tortured
	p     *failfs.Process
	store Store
	live  map[string]*Live
}

// written says what an error means for a change.
func written(err error) fate {
	switch {
	case err == nil:
		return yes
	case errors.Is(err, failfs.ErrStopped), errors.Is(err, ErrUnknown):
		return maybe
	}
	return no
}

func (w *worker) do(a action) error {
	var err error
	if w.store == nil || a.verb == "reopen" {
		clear(w.live)
		if w.store, err = openDirOn(atomicfile.New(w.p.System()), "s"); err != nil {
			w.store = nil
			return err
		}
	}
	ctx := context.Background()
	switch a.verb {
	case "append", "checkpoint":
		return w.append(ctx, a)
	case "copy":
		return w.copy(ctx, a)
	case "read":
		return w.read(ctx, a.id)
	case "list":
		_, err = collect(w.store.List(ctx, ""))
	case "compact":
		_, err = Compact(ctx, w.store, a.id, a.n)
	case "erase":
		return w.erase(ctx, a)
	case "delete":
		return w.delete(ctx, a.id)
	}
	return err
}

func (w *worker) newMark(id string) *mark {
	x := w.run
	x.step++
	m := &mark{id: id, text: fmt.Sprintf("mark %d of the history %s", len(x.marks), id), there: maybe, began: x.step}
	m.whole = m.text + "." + strings.Repeat(" and more", 20*(len(x.marks)%3))
	x.marks = append(x.marks, m)
	return m
}

func (w *worker) attach(ctx context.Context, id string) (l *Live, err error) {
	if l = w.live[id]; l == nil {
		if l, err = Attach(ctx, w.store, id, still); err == nil {
			w.live[id] = l
		}
	}
	return l, err
}

func (w *worker) append(ctx context.Context, a action) error {
	m := w.newMark(a.id)
	var err error = ErrConflict
	for try := 0; errors.Is(err, ErrConflict) && try < 3; try++ {
		var l *Live
		if l, err = w.attach(ctx, a.id); err != nil {
			break
		}
		if _, err = l.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: m.text, Content: engine.Text(m.whole)}); err != nil {
			w.run.fail("%v: %v", a, err)
			break
		}
		if a.verb == "checkpoint" {
			err = l.Checkpoint(ctx)
		} else {
			_, err = l.Commit(ctx)
		}
		if err != nil {
			delete(w.live, a.id) // its working state has the text
		}
	}
	w.settle(m, err)
	return err
}

func (w *worker) settle(m *mark, err error) {
	w.run.step++
	m.end = w.run.step
	if !m.doubtful {
		m.there = written(err)
	}
}

// copy writes a whole history at once.
func (w *worker) copy(ctx context.Context, a action) error {
	m := w.newMark(a.id)
	c, err := engine.New(still)
	if err != nil {
		return err
	}
	head := journal.NewHead(journal.About{ID: a.id})
	var frames []Frame
	for _, d := range []engine.Draft{{ID: "first", Content: engine.Text("first")}, {ID: m.text, Content: engine.Text(m.whole)}} {
		_, err = c.Insert(engine.AtDepth(0, 0), d)
		if err == nil {
			_, err = c.Commit()
		}
		var more []Frame
		if err == nil {
			more, head, err = head.Append(c.History())
		}
		if err != nil {
			w.run.fail("%v: %v", a, err)
			return err
		}
		frames = append(frames, more...)
	}
	_, err = w.store.Append(ctx, a.id, Version{}, frames...)
	w.settle(m, err)
	return err
}

func (w *worker) erase(ctx context.Context, a action) error {
	var m *mark
	for _, candidate := range w.run.marks {
		if candidate.id == a.id && candidate.there == yes && candidate.erased == no {
			if m = candidate; a.n == 0 {
				break
			}
			a.n--
		}
	}
	if m == nil {
		return nil
	}
	m.erased = maybe
	_, err := Erase(ctx, w.store, a.id, m.text)
	if m.erased == maybe {
		m.erased = written(err)
	}
	if err == nil {
		w.run.wantErased("right after erase")
	}
	return err
}

func (w *worker) delete(ctx context.Context, id string) error {
	before := map[*mark]fate{} // of the marks that were acknowledged before
	for _, m := range w.run.marks {
		if m.id == id && m.end > 0 && m.there != no {
			before[m], m.there = m.there, maybe
		}
	}
	err := w.store.Delete(ctx, id)
	for _, m := range w.run.marks {
		was, known := before[m]
		switch did := written(err); {
		case m.id != id || m.there == no:
		case known && did == yes:
			m.there = no
		case known && did == no && !errors.Is(err, ErrNotFound):
			m.there = was
		case did != no:
			m.there, m.doubtful = maybe, true
		}
	}
	return err
}

// read checks that a history has what was there before the read and still is.
func (w *worker) read(ctx context.Context, id string) error {
	before := w.run.known(id)
	l, err := Attach(ctx, w.store, id, still)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return w.unavailable(err)
	}
	after := w.run.known(id)
	maps.DeleteFunc(before, func(m *mark, was bool) bool { now, ok := after[m]; return !ok || now != was })
	w.run.compare("in a read", id, textsOf(l), before)
	return nil
}

// unavailable accepts an error of the disk, and not one that says that the journal is damaged.
func (w *worker) unavailable(err error) error {
	if w.run.fault.Call == 0 || isJournalError(err) {
		w.run.fail("the history cannot be read: %v", err)
	}
	return err
}

// textsOf returns the contents of the newest state of a history, in order, or nil for an empty
// history.
func textsOf(l *Live) []string {
	if l == nil {
		return nil
	}
	var list []string
	for n := range l.Context().Working().All() {
		if text, ok := n.Content().Text(); ok {
			list = append(list, text)
		}
	}
	return list
}
