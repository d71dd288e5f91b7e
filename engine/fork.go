package engine

import (
	"slices"
	"sort"
	"strconv"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// ForkPoint is where a history begins that was forked from another one.
type ForkPoint struct {
	History string // the name of the other history; "" if it has none
	Cycle   int64  // of its snapshot that is the last one both have
}

// Forks returns where the history was forked, oldest first: the last point is that of the history
// itself, the one before that of the history it was forked from. The slice is shared and must not
// be modified.
func (t *Timeline) Forks() []ForkPoint { return t.forks }

// pastState is what the tree of a sealed snapshot does not show.
type pastState struct {
	cadence cadences
	turn    int64    // the cycle in which its head began
	emptied []string // removable containers that lost their last child
}

// Fork returns a history that begins with the snapshots of t up to one, which it shares with t, and
// has no uncommitted changes (E75). If t has no snapshot of the cycle, the error has the code
// [ErrSnapshotUnknown]. The cost does not depend on the size of the trees; it is linear in the
// number of snapshots since the head of that cycle began.
func (t *Timeline) Fork(from ForkPoint) (*Timeline, error) {
	i, ok := slices.BinarySearchFunc(t.sealed, from.Cycle, compareCycle)
	if !ok {
		return nil, fail(ErrSnapshotUnknown, "there is no snapshot of cycle %d to fork", from.Cycle)
	}
	next, last := *t, t.sealed[i]
	next.warnings, next.working, next.state, next.past = nil, nil, nil, nil
	next.cadence = t.cadenceAt(i)
	if missing := len(t.sealed) - len(t.past); i >= missing {
		next.past = t.past[: i+1-missing : i+1-missing]
		if last.info().Step { // the turn continues, also if its head is empty
			past := next.past[i-missing]
			next.working, next.state = last.next(), &savedState{turn: past.turn, emptied: past.emptied}
		}
	}
	next.sealed = t.sealed[: i+1 : i+1]
	main := sort.Search(len(t.main), func(k int) bool { return t.main[k].Cycle() > from.Cycle })
	if next.main = t.main[:main:main]; main == 0 { // so far there are only side calls
		next.main = next.sealed
	}
	next.turn = turnBefore(from.Cycle+1, next.sealed)
	older := sort.Search(len(t.forks), func(k int) bool { return t.forks[k].Cycle > from.Cycle })
	next.forks = append(t.forks[:older:older], from)
	return &next, nil
}

// Fork returns a context that continues at the snapshot of a cycle, with the options of c; see
// [Timeline.Fork]. Both change independently of each other. Further errors, and the cost, are those
// of [Resume].
func (c *Context) Fork(from ForkPoint) (*Context, error) {
	t, err := c.History().Fork(from)
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	opts := c.opts
	c.mu.Unlock()
	return Resume(t, opts)
}

// cadenceAt returns the cadences after sealed snapshot i. If they were not recorded, it returns
// those of the newest state that had begun.
func (t *Timeline) cadenceAt(i int) cadences {
	if i == len(t.sealed)-1 && t.working == nil {
		return t.cadence
	}
	if k := i - (len(t.sealed) - len(t.past)); k >= 0 {
		return t.past[k].cadence
	}
	begun := cadences{}
	for key, s := range t.cadence {
		if s.first <= t.sealed[i].Cycle() {
			begun[key] = s
		}
	}
	return begun
}

// members returns the members of a fork point in an entry or a file.
func (p ForkPoint) members() (list members) {
	list.add("cycle", strconv.FormatInt(p.Cycle, 10))
	if p.History != "" {
		list.text("history", p.History)
	}
	return list
}

// forkEntries returns the entries of the forks before a cycle that were not recorded yet.
func (rc *Recorder) forkEntries(t *Timeline, before int64) (list []Entry) {
	for len(rc.known.forks) < len(t.forks) && t.forks[len(rc.known.forks)].Cycle < before {
		p := t.forks[len(rc.known.forks)]
		rc.known.forks = t.forks[: len(rc.known.forks)+1 : len(rc.known.forks)+1]
		list = append(list, Entry{Kind: EntryFork, Cycle: p.Cycle, Text: p.members().String()})
	}
	return list
}

// fork applies the entry of a fork.
func (rp *Replayer) fork(st *entryText) error {
	newest := rp.Last()
	if newest == nil || newest.Cycle() != st.fork.Cycle {
		return rp.rd.sc.errorAt(0, ErrFileShape, "the fork begins at cycle %d, which is not that of the newest snapshot", st.fork.Cycle)
	}
	rp.t.forks = append(slices.Clip(rp.t.forks), st.fork)
	switch {
	case st.sealed:
		rp.t.working, rp.t.state = nil, nil
	case rp.t.state != nil && rp.t.state.holds != nil: // holds stay with the base
		state := *rp.t.state
		state.holds = nil
		rp.t.state = &state
	}
	return nil
}

// takeForks removes the member "forks" from the members of a history file and returns its points. A
// member of that name with any other value is custom data.
func takeForks(extra []Member) ([]Member, []ForkPoint) {
	for i, m := range extra {
		var again members
		if m.Name != "forks" {
			continue
		}
		list, ok := forkPoints(m.Value)
		if again.forkPoints(list); ok && len(again) == 1 && string(again[0].value(nil)) == m.Value {
			return slices.Delete(slices.Clone(extra), i, i+1), list
		}
	}
	return extra, nil
}

// forkPoints reads a list of fork points, oldest first.
func forkPoints(v string) (list []ForkPoint, ok bool) {
	s := canonjson.NewScanner(v, len(v))
	if v[0] != '[' {
		return nil, false
	}
	ok = true
	_ = s.Array(func(int) error { // canonical text cannot fail
		text, err := s.Canonical()
		var p ForkPoint
		ok = ok && p.read(text)
		ok = ok && (len(list) == 0 || list[len(list)-1].Cycle <= p.Cycle)
		list = append(list, p)
		return err
	})
	return list, ok
}

// read reads a fork point from a canonical object, and reports whether it is one.
func (p *ForkPoint) read(v string) bool {
	list, ok := membersOf(v)
	for _, m := range list {
		switch m.Name {
		case "cycle":
			n, whole := canonjson.Int(m.Value)
			p.Cycle, ok = n, ok && whole && n >= 0 && n <= maxCycle
		case "history":
			s := canonjson.NewScanner(m.Value, 1)
			text, err := s.Text()
			p.History, ok = text, ok && err == nil
		default:
			ok = false
		}
	}
	return ok && len(list) > 0 && list[0].Name == "cycle"
}
