package engine

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/pactkit/pactkit/internal/tree"
)

// Options configures a live context. The zero value means edition 1.0, the system clock and
// numbered ids. A context calls the functions of its options while it is locked, so they must not
// call its methods, except Timeline and Working. If one of them panics, the change is undone.
type Options struct {
	Edition Edition
	// Clock returns the time of new nodes; nil means time.Now. It is called once for each new node.
	Clock func() time.Time
	// NewID returns an id for a node of a type. While the id is taken, the engine calls it again,
	// up to 1,000 times. nil means the base of the type and the number after the highest one in the
	// history, such as block:1.
	NewID func(nodeType string) string
	// Seed, if NewID is nil, makes ids random. The same seed gives the same ids for the same
	// history, and different ids in every cycle.
	Seed *uint64
	// System allows mutations of ^sys.
	System bool
	// Policy limits the size of the tree after a commit; nil means no limit.
	Policy *Policy
}

// Context is a live tree: mutations change its working state, and commits seal it. One call at a
// time changes it; other changes wait. Readers never wait, and see the state before or after a
// change, never a state in between. A call that fails changes nothing.
type Context struct {
	// The rule of concurrency: view is the only field that is read without mu, and what it points
	// to does not change, so readers take no lock. Every other call holds mu. Those that change the
	// tree call update, which alone uses the fields from instants on; those that only look
	// something up write no field. The functions of opts and the keep of [Context.CommitWith] run
	// with mu held.
	view atomic.Pointer[view]
	mu   sync.Mutex
	opts Options
	ledger
	attempts []Attempt
	about    *CommitInfo // of the next commit
	refused  bool        // a refused commit may be in the spare capacity of the lists of sealed states

	committed chan struct{} // closed by the next commit; nil if nobody waits

	instants instants // as created_at_iso
	numbered words    // numbered ids
	roles    roleTags
	room     []tree.Record   // unused records
	scratch  tx              // the change that began last; kept to reuse its memory
	recs     [8]*tree.Record // recs and levels are memory for small forests
	levels   [8]int32
}

// ledger holds what a context knows about its working state in addition to the tree.
type ledger struct {
	refs    map[string]int      // references to each id
	holds   map[string]int64    // number of holds of each id
	keys    map[string][]string // key → ids of live nodes
	markers map[string][]string // id → ids of its redaction markers
	head    *tree.Location
	sizes   sizes
	texts   map[Value]int         // the tokens of texts of stand-ins
	dead    map[*tree.Record]bool // nodes that hide no older version, because they are removed
	// surplus is what the provider counted in addition to the tokens of the snapshot corrected.
	corrected *Snapshot
	surplus   int
	progress
}

// progress is the part of a ledger that a change copies, and writes back when it is published.
type progress struct {
	clockState
	emptied []string // removable containers that lost their last child
	gone    []Cause  // of nodes that are in the newest snapshot but not in the working state
}

// view is what readers see. Each change stores a new one.
type view struct {
	sealed  *Timeline // without the working state
	working Snapshot
	shown   atomic.Pointer[Timeline] // with the working state; created on first use
}

// timeline returns what [Context.Timeline] does.
func (v *view) timeline() *Timeline {
	if v.sealed.edition != Edition10 {
		return v.sealed
	}
	if v.shown.Load() == nil {
		t := *v.sealed
		t.working = &v.working
		v.shown.CompareAndSwap(nil, &t)
	}
	return v.shown.Load()
}

// clockState holds the last values of the numbers that new nodes get.
type clockState struct {
	lastNS    int64
	nextIndex int64
	lastID    int64 // the highest number of an id
}

// New returns an empty context: the working state of cycle 1, with ^root, ^sys, ^seq and ^ah. It
// returns an error if opts.NewID returns no free id ([ErrNodeIDDuplicate]) or opts.Clock no usable
// instant ([ErrNoRoom]).
func New(opts Options) (*Context, error) {
	x := tree.NewIndex(0)
	c := newContext(opts)
	from := &tree.Origin{Edition: opts.Edition, Version: opts.Edition.SpecVersion(), Index: x}
	tx := c.begin(&view{
		sealed:  &Timeline{edition: opts.Edition, version: from.Version, index: x, turn: 1},
		working: Snapshot(*tree.NewSnapshot(from, 1, true)),
	})
	var tops [tree.RegionRest]*tree.Record
	root := tx.newRecord("root", "^root", 0)
	root.Base = tree.BaseRegion
	for r := range tops {
		tops[r] = tx.newRecord(tree.RegionTypes[r], tree.RegionTypes[r], 0)
		tops[r].Base = tree.BaseRegion
	}
	tx.s.tree().SetRoots(root, tops)
	if tx.err != nil {
		return nil, tx.err
	}
	tx.publish()
	return c, nil
}

func newContext(opts Options) *Context {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	return &Context{opts: opts, roles: roleTags{}, ledger: newLedger()}
}

func newLedger() ledger {
	return ledger{
		refs: map[string]int{}, holds: map[string]int64{}, keys: map[string][]string{}, markers: map[string][]string{},
		head: newHead(), sizes: sizes{},
	}
}

// newHead returns the location of the nodes in a new active head.
func newHead() *tree.Location { return &tree.Location{Region: tree.RegionSeq, Head: true} }

// Resume returns a context that continues a timeline: from its working state or, if it has none,
// after its newest snapshot. The edition is that of the timeline. If the timeline is empty, the
// error has the code [ErrSnapshotUnknown]; if its newest state violates an invariant,
// [ErrInvariant]. The cost is a pass over the newest state and over what the older ones do not
// share with it.
func Resume(t *Timeline, opts Options) (*Context, error) {
	last := t.working
	if last == nil && len(t.sealed) > 0 {
		last = t.sealed[len(t.sealed)-1]
	}
	if last == nil {
		return nil, fail(ErrSnapshotUnknown, "a timeline without a snapshot cannot be resumed")
	}
	if bad := last.Validate(); len(bad) > 0 {
		return nil, bad[0]
	}
	opts.Edition = t.edition
	c := newContext(opts)
	s := *last
	if !last.Working() {
		s = *last.next()
	}
	next := *t
	next.warnings, next.working, next.state = nil, nil, nil
	next.clip() // t may be resumed more than once
	next.turn = turnBefore(s.Cycle(), next.sealed)
	tx := c.begin(&view{sealed: &next, working: s})
	for n := range s.All() {
		r := n.rec()
		if r.Exact(tree.HeaderCreatedNS) || r.Exact(tree.HeaderCreationIndex) {
			return nil, fail(ErrInvariant, "order: %q has a created_at_ns or creation_index that is not a 64-bit integer", r.ID)
		}
		if n.region() == tree.RegionSeq && n.up() < 0 && r.OffsetSign() != 0 {
			return nil, fail(ErrInvariant, "order: the segment %q is not at offset 0, so no new segment could follow it", r.ID)
		}
		if r.Cycle == s.Cycle() && r.Index == math.MaxInt64 {
			return nil, fail(ErrNoRoom, "%q has the last creation_index of its cycle", r.ID)
		}
		tx.see(r, s.Cycle())
		tx.count(r, 1)
		if n.region() == tree.RegionHead {
			s.origin().Index.Add(r, c.head, n.i())
		}
	}
	tx.lastID = max(t.highestID(), t.lastID)
	if state := t.state; state != nil && last.Working() {
		saved := state.clockState
		tx.clockState = clockState{max(tx.lastNS, saved.lastNS), max(tx.nextIndex, saved.nextIndex), max(tx.lastID, saved.lastID)}
		tx.emptied = slices.Clip(state.emptied)
		maps.Copy(c.holds, state.holds)
	}
	switch {
	case last.Working():
		if n := len(t.sealed); n > 0 {
			_, removed, _ := matchRecords(t.sealed[n-1], last, false)
			for _, n := range removed { // only a deletion removes nodes from a working state
				tx.gone = append(tx.gone, Cause{ID: n.ID(), Cause: CauseDeleted})
			}
		}
		if t.state != nil && t.state.turn > 0 {
			next.turn = t.state.turn
		}
	case next.turn == s.Cycle(): // the newest snapshot sealed its head
		turn := turnBefore(last.Cycle(), next.sealed[:len(next.sealed)-1])
		if n := len(t.past); n > 0 { // the snapshots do not show whether a policy emptied the head, or Seal ended it
			turn, tx.emptied = t.past[n-1].turn, t.past[n-1].emptied
		}
		if tx.cadence(next.cadence, turn); tx.err != nil {
			return nil, tx.err
		}
	}
	tx.publish()
	return c, nil
}

// Reset makes the context continue a timeline, as [Resume] does. It is for callers that store the
// history elsewhere and find that another writer was faster. Uncommitted changes are lost, and so
// is the info set by [Context.Describe]; attempts stay. Errors are those of Resume; they leave the
// context unchanged.
func (c *Context) Reset(t *Timeline) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	next, err := Resume(t, c.opts)
	if err != nil {
		return err
	}
	c.opts.Edition, c.ledger, c.about = next.opts.Edition, next.ledger, nil
	c.view.Store(next.view.Load())
	c.wake()
	return nil
}

// SetPolicy replaces [Options].Policy from the next commit on; nil means no limit.
func (c *Context) SetPolicy(p *Policy) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.opts.Policy, c.sizes, c.texts, c.corrected, c.surplus = p, sizes{}, nil, nil, 0
}

// Committed returns a channel that is closed when the next commit or step has become visible, or
// [Context.Reset] has replaced the history. Call it before reading the timeline; then no commit is
// missed. It waits for a change in progress.
func (c *Context) Committed() <-chan struct{} {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.committed == nil {
		c.committed = make(chan struct{})
	}
	return c.committed
}

// wake closes the channel of [Context.Committed]. The caller holds mu.
func (c *Context) wake() {
	if c.committed != nil {
		close(c.committed)
		c.committed = nil
	}
}

// Timeline returns the states that readers may address: in edition 1.0 the working state and the
// sealed snapshots, in edition 0.1 only the sealed snapshots.
func (c *Context) Timeline() *Timeline { return c.view.Load().timeline() }

// Working returns the working state, in both editions.
func (c *Context) Working() *Snapshot { return &c.view.Load().working }

// History returns everything that [Resume] needs to continue: the sealed snapshots, the working
// state in both editions, holds and cadences. It does not include attempts. It waits for a change
// in progress.
func (c *Context) History() *Timeline {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.history(c.view.Load(), &c.progress)
}

// history implements [Context.History] for a view and its progress.
func (c *Context) history(v *view, p *progress) *Timeline {
	t := *v.sealed
	t.working = &v.working
	t.state = &savedState{
		clockState: p.clockState, emptied: slices.Compact(slices.Sorted(slices.Values(p.emptied))), holds: maps.Clone(c.holds), turn: t.turn,
	}
	return &t
}

// AppendJSON appends [Context.History] as a canonical document, which [Read] can read and [Resume]
// can continue.
func (c *Context) AppendJSON(dst []byte) []byte { return c.History().AppendJSON(dst) }

// Resolve returns the live node that t names. The error has the code [ErrNotFound] if no node
// matches, and [ErrAmbiguousKey] if several nodes have the key, other than a node and its overlays.
// Resolve waits for a change in progress. The cost is that of [Snapshot.Find] for each node with
// the key.
func (c *Context) Resolve(t Target) (Node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.resolve(c.Working(), t)
}

// Hold protects a node from expiry, pruning and deletion until [Context.Release] has been called as
// often as Hold. If no live node has the id, the error has the code [ErrNotFound]. The cost is that
// of [Snapshot.Find].
func (c *Context) Hold(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.Working().Find(id); !ok {
		return fail(ErrNotFound, "no node has the id %q", id)
	}
	c.holds[id]++
	return nil
}

// Release undoes one [Context.Hold]. If the id is not held, the error has the code [ErrNotFound].
func (c *Context) Release(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.holds[id] == 0 {
		return fail(ErrNotFound, "nothing holds the id %q", id)
	}
	if c.holds[id]--; c.holds[id] == 0 {
		delete(c.holds, id)
	}
	return nil
}

// update runs f as one change. It publishes the result or, if f fails or panics, undoes everything.
func (c *Context) update(f func(*tx) error) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	head, done := c.head, false
	tx := c.begin(c.view.Load())
	defer func() {
		if done {
			return
		}
		c.head = head
		c.head.Top.Store(nil)
		for _, u := range slices.Backward(tx.undo) {
			tx.c.tally(u.r, -u.by)
		}
	}()
	if err := f(tx); err != nil {
		return err
	}
	sealed := len(c.view.Load().sealed.sealed)
	tx.publish()
	done = true
	if len(tx.next.sealed.sealed) != sealed {
		c.wake()
	}
	return nil
}

// change runs the mutation f, which returns the id of the node to return.
func (c *Context) change(f func(*tx) (string, error)) (n Node, err error) {
	err = c.update(func(tx *tx) error {
		id, err := f(tx)
		if err = cmp.Or(tx.err, err); err != nil {
			return err
		}
		if n = tx.placed; n.IsZero() || n.ID() != id {
			n, _ = tx.s.Find(id)
		}
		return nil
	})
	return n, err
}

// changeNode calls change with the node that t names.
func (c *Context) changeNode(t Target, f func(*tx, Node) (string, error)) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		n, err := c.resolve(tx.s, t)
		if err != nil {
			return "", err
		}
		return f(tx, n)
	})
}
