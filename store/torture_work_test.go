//go:build unix

package store

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
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
	case "fork", "rewind":
		if a.id == a.forkID() {
			return nil
		}
		if a.verb == "fork" {
			return w.fork(ctx, a)
		}
		return w.rewind(ctx, a)
	}
	return err
}

func (w *worker) newMark(id string) *mark {
	x := w.run
	x.step++
	m := &mark{id: id, text: fmt.Sprintf("mark %d of the history %s", x.step, id), there: maybe, began: x.step}
	m.whole = m.text + "." + strings.Repeat(" and more", 20*(x.step%3))
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
	w.run.setErased(m.text, maybe)
	_, err := Erase(ctx, w.store, a.id, m.text)
	w.run.setErased(m.text, written(err))
	if err == nil {
		w.run.wantErased("right after erase")
	}
	return err
}

// setErased records what is known about the erasure of a text, which forks have, too.
func (x *tortured) setErased(text string, f fate) {
	for _, m := range x.marks {
		if m.text == text && m.erased != yes {
			m.erased = f
		}
	}
}

// forkID returns the history that a fork or a rewind begins.
func (a action) forkID() string { return []string{"f", "g"}[a.n%2] }

// fork begins a history with everything that another one has.
func (w *worker) fork(ctx context.Context, a action) error {
	copies := w.begin(a.id, a.forkID())
	_, err := w.store.Fork(ctx, a.id, Newest, a.forkID())
	w.begun(copies, err)
	return err
}

// original is the mark that a copy was made of: now, and as it was then.
type original struct {
	*mark
	was mark
}

// begin notes that a history begins with the texts of another one. The copies have no step until
// it is known what became of them.
func (w *worker) begin(id, fork string) map[*mark]original {
	w.run.step++
	copies := map[*mark]original{}
	w.run.marks = slices.DeleteFunc(w.run.marks, func(m *mark) bool { return m.id == fork && m.there == no && m.erased == no })
	for _, m := range slices.Clone(w.run.marks) {
		if m.id == id && m.there != no {
			c := &mark{id: fork, text: m.text, whole: m.whole, there: maybe, erased: m.erased}
			w.run.marks = append(w.run.marks, c)
			copies[c] = original{m, *m}
		}
	}
	return copies
}

// begun records what became of the copies. A copy stays doubtful if its text was doubtful, or was
// erased or deleted in the meantime.
func (w *worker) begun(copies map[*mark]original, err error) {
	w.run.step++
	did := written(err)
	for c, of := range copies {
		c.end = math.MaxInt // their order is unknown
		switch {
		case c.doubtful:
		case did != yes:
			c.there = did
		case of.was.there == yes && of.was.end > 0 && of.there == yes:
			c.there = yes
		}
	}
	if errors.Is(err, ErrConflict) { // the history is not theirs
		w.run.marks = slices.DeleteFunc(w.run.marks, func(m *mark) bool { _, mine := copies[m]; return mine })
	}
}

// rewind makes a history continue from a snapshot, and keeps the old history under another name.
func (w *worker) rewind(ctx context.Context, a action) error {
	l, err := Attach(ctx, w.store, a.id, still)
	if err != nil {
		return err
	}
	t := l.Context().History()
	if t.Len() < 3 {
		return nil
	}
	to := t.At(t.Len() - 1)
	stays := map[string]bool{}
	for n := range to.All() {
		if text, ok := n.Content().Text(); ok {
			stays[text] = true
		}
	}
	copies := w.begin(a.id, a.forkID())
	defer w.removing(a.id)()
	before := map[*mark]fate{}
	for _, m := range w.run.marks {
		if m.id == a.id && m.there != no && !stays[m.whole] {
			before[m], m.there = m.there, maybe
		}
	}
	_, err = w.store.Rewind(ctx, a.id, to.Cycle(), a.forkID())
	for _, m := range w.run.marks {
		was, known := before[m]
		switch did := written(err); {
		case m.id != a.id || m.there == no || stays[m.whole]:
		case known && m.end > 0 && did == yes && w.run.alone():
			m.there = no
		case known && m.end > 0 && did == no && w.run.alone():
			m.there = was
		default:
			m.there, m.doubtful = maybe, true
		}
	}
	if err == nil {
		w.begun(copies, nil)
	} else {
		w.begun(copies, ErrUnknown) // the other history may stay
	}
	return err
}

// alone reports whether one process runs, so nothing happens in the meantime.
func (x *tortured) alone() bool {
	return !slices.ContainsFunc(x.list, func(a action) bool { return a.process != x.list[0].process })
}

// removing notes that something may be removed from a history until the returned function is
// called.
func (w *worker) removing(id string) func() {
	if w.run.removing == nil {
		w.run.removing = map[string]int{}
	}
	w.run.removing[id]++
	return func() { w.run.removing[id]-- }
}

func (w *worker) delete(ctx context.Context, id string) error {
	defer w.removing(id)()
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
		case known && did == no && !errors.Is(err, ErrNotFound) && !m.doubtful:
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
