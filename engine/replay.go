package engine

import (
	"cmp"
	"slices"
)

// Replayer makes a timeline from the entries of a history. Snapshots share what did not change, so
// the cost of an entry depends on what it changes.
type Replayer struct {
	rd       *timelineReader
	t        Timeline
	begun    bool
	lastID   int64 // the highest number of an id in sealed snapshots
	err      error // the error of the entry that failed
	instants instants
	roles    roleTags
}

// NewReplayer returns a replayer for the history in a file. In errors, name is the name of the
// file.
func NewReplayer(name string, o ReadOptions) *Replayer {
	rd := newReader(o)
	rd.sc = rd.scanner(name, "")
	return &Replayer{rd: rd, roles: roleTags{}}
}

// Add applies the next entry. line, from 1, and path, a JSON path in that line, say where the entry
// is in the file. The first entry must be of kind [EntryHistory]. Errors are of type [*Error];
// after one, every further call fails. The cost depends on what the entry changes.
func (rp *Replayer) Add(s Entry, line int, path string) error {
	if rp.err != nil {
		return fail(ErrFileShape, "an earlier entry failed")
	}
	rd := rp.rd
	rd.sc.setSource(s.Text)
	rd.sc.line0, rd.sc.path = line-1, path
	rd.replaced = nil
	rp.err = rd.sc.located(rp.add(s))
	return rp.err
}

// add applies an entry whose text is in the scanner.
func (rp *Replayer) add(s Entry) error {
	sc := rp.rd.sc
	if sc.Peek() != '{' {
		return sc.shape("an entry must be an object")
	}
	if err := rp.checkNext(s); err != nil {
		return err
	}
	st, err := rp.parse(s)
	if err != nil {
		return err
	}
	switch s.Kind {
	case EntryHistory:
		rp.history(st)
		return nil
	case EntryFork:
		return rp.fork(st)
	}
	next, err := rp.tree(st)
	if err != nil {
		return err
	}
	if s.Kind != EntryWorking {
		for _, r := range rp.rd.tree.recs {
			rp.lastID = max(rp.lastID, idNumber(r.ID))
		}
	}
	if err := rp.finishCadence(st); err != nil {
		return err
	}
	if s.Kind == EntryWorking {
		rp.t.working, rp.t.state = next, st.state
		rp.noteEmptied(st.state)
	} else {
		rp.seal(st, next)
	}
	return nil
}

// checkNext returns an error if an entry must not be the next one: the history begins once, and
// cycles increase.
func (rp *Replayer) checkNext(s Entry) error {
	newest := rp.Last()
	switch {
	case rp.begun == (s.Kind == EntryHistory):
		return rp.rd.sc.errorAt(0, ErrFileShape, "the first entry, and only the first, must be that of the history")
	case s.Kind == EntryHistory:
	case s.Cycle < 0 || s.Cycle > maxCycle:
		return rp.rd.sc.errorAt(0, ErrHeaderType, "cycle must be an integer from 0 to 2^60")
	case newest == nil, s.Kind == EntryFork: // has the cycle of what it follows
	case s.Kind == EntryWorking && s.Cycle != newest.Cycle()+1:
		return rp.rd.sc.errorAt(0, ErrFileShape, "the working state must have cycle %d", newest.Cycle()+1)
	case s.Cycle <= newest.Cycle():
		return rp.rd.sc.errorAt(0, ErrFileShape, "cycle %d does not follow cycle %d", s.Cycle, newest.Cycle())
	}
	return nil
}

// Last returns the newest sealed snapshot, or nil if there is none.
func (rp *Replayer) Last() *Snapshot {
	if n := len(rp.t.sealed); n > 0 {
		return rp.t.sealed[n-1]
	}
	return nil
}

// history applies the first entry.
func (rp *Replayer) history(st *entryText) {
	rp.begun = true
	rp.t.edition, rp.t.extra = rp.rd.editionFor(st), st.extra
	rp.t.version = cmp.Or(st.version, rp.t.edition.SpecVersion())
	rp.rd.hint = &rp.t.edition
	rp.t.index = rp.rd.build.Index
}

// editionFor returns the edition of an entry.
func (rd *timelineReader) editionFor(st *entryText) Edition {
	if rd.opts.Edition == nil && st.edition != nil {
		return *st.edition
	}
	return rd.editionOf(st.version)
}

// whole makes a snapshot from an entry with a whole tree.
func (rp *Replayer) whole(st *entryText) (*Snapshot, error) {
	rd := rp.rd
	rd.ttlFrom = st.ttlFrom
	next, err := rd.finish(&document{cycle: st.Cycle, Timeline: Timeline{extra: st.extra}}, rd.editionFor(st), st.Kind == EntryWorking)
	if err != nil {
		return nil, err
	}
	next.origin().Version = rp.t.version
	if st.hasVersion {
		next.origin().Version = st.version
	}
	return next, nil
}

// seal adds a sealed snapshot.
func (rp *Replayer) seal(st *entryText, next *Snapshot) {
	next.tree().SetAbout(st.Info.sorted())
	rp.t.push(next)
	rp.t.past = append(rp.t.past, pastState{cadence: rp.t.cadence, turn: cmp.Or(rp.t.turn, next.Cycle())})
	rp.t.lastID = max(rp.t.lastID, st.lastID)
	rp.t.forks = append(slices.Clip(rp.t.forks), st.forks...)
	if st.live { // from here on, a working state follows each snapshot
		rp.t.working = next
	}
	rp.t.follow(next)
}

// noteEmptied notes which containers were empty after the newest snapshot: those in the first
// working state after it. A fork ignores the ones that still had children in the snapshot.
func (rp *Replayer) noteEmptied(st *savedState) {
	if i := len(rp.t.past) - 1; i >= 0 && st != nil && len(st.emptied) > 0 && rp.t.past[i].emptied == nil {
		rp.t.past = slices.Clone(rp.t.past) // timelines share it
		rp.t.past[i].emptied = st.emptied
	}
}

// finishCadence applies the cadences of an entry.
func (rp *Replayer) finishCadence(st *entryText) error {
	if st.cadenceAt > 0 {
		rp.rd.sc.Reset(st.cadenceAt)
		list, err := rp.rd.schedules()
		if err != nil {
			return err
		}
		rp.t.cadence = rp.t.cadence.with(list)
	}
	for _, key := range st.ended {
		if _, found := rp.t.cadence[key]; !found {
			return rp.rd.sc.errorAt(0, ErrFileShape, "the key %q has no cadence to end", key)
		}
		rp.t.cadence = rp.t.cadence.without(key)
	}
	return nil
}

// Timeline returns the history so far. It checks the newest state as [Read] checks every state:
// violated invariants are warnings or, with Strict, an error of code [ErrInvariant]. If there is no
// snapshot, the error has the code [ErrFileShape]. The replayer can continue; the timeline does not
// change. The cost is a pass over the nodes of the newest state.
func (rp *Replayer) Timeline() (*Timeline, error) {
	t, sc := rp.t, rp.rd.sc
	t.clip()
	if t.At(0) == nil {
		return nil, &Error{Code: ErrFileShape, File: sc.file, Path: "$", Line: 1, Msg: "no snapshot in this file"}
	}
	t.warnings = slices.Clone(rp.rd.warnings)
	for _, err := range t.At(0).Validate() {
		err.File, err.Path, err.Line = sc.file, "$", sc.line0+1
		if rp.rd.opts.Strict {
			return nil, err
		}
		if known := func(w *Error) bool { return w.Msg == err.Msg }; len(t.warnings) < maxFindings && !slices.ContainsFunc(t.warnings, known) {
			t.warnings = append(t.warnings, err)
		}
	}
	return &t, nil
}

// Recorder returns a recorder that continues after the entries.
func (rp *Replayer) Recorder() Recorder {
	known := rp.t
	known.sealed, known.main, known.past = nil, nil, nil
	return Recorder{begun: rp.begun, known: known, last: rp.Last(), lastID: max(rp.lastID, rp.t.lastID)}
}
