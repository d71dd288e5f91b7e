package engine

import (
	"cmp"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Options configures a live context. The zero value is a context of edition
// 1.0 with the clock of the machine and numbered ids.
type Options struct {
	Edition Edition
	// Clock gives the time of new nodes; nil means time.Now. It is called
	// once for every node that is made.
	Clock func() time.Time
	// NewID gives an id for a node of a type. The engine asks again while an
	// id is taken. nil means the base of the type and a number: block:1.
	NewID func(nodeType string) string
	// System allows mutations of ^sys.
	System bool
	// Policy says what to prune at a commit; nil prunes nothing.
	Policy *Policy
}

// Context is a live tree: mutations change its working state, commits seal
// it. One call changes it at a time, the others wait; readers never wait and
// always see a state between two calls. A call that fails changes nothing.
type Context struct {
	opts     Options
	view     atomic.Pointer[view]
	mu       sync.Mutex // guards what follows, and writing view
	refs     map[string]int
	holds    map[string]int
	keys     map[string][]string // key → ids of live nodes
	head     *home
	clock    clockState
	emptied  []string // containers that lost their last child since the commit
	attempts []Attempt
	iso      isoClock
	room     []record // of records to come
	scratch  tx       // of the change going on, kept for its memory
}

// view is what readers see. A change stores a new one whole.
type view struct {
	sealed  *Timeline // without the working state
	working Snapshot
	shown   atomic.Pointer[Timeline] // with it, made for the first reader who asks
}

// timeline returns what [Context.Timeline] does.
func (v *view) timeline() *Timeline {
	if v.sealed.edition != Edition1_0 {
		return v.sealed
	}
	if v.shown.Load() == nil {
		t := *v.sealed
		t.working = &v.working
		v.shown.CompareAndSwap(nil, &t)
	}
	return v.shown.Load()
}

type clockState struct {
	lastNS    int64
	nextIndex int64
}

// New returns an empty context: ^root with ^sys, ^seq and ^ah. Its working
// state is that of cycle 1.
func New(opts Options) (*Context, error) {
	x := newIndex()
	c := newContext(opts)
	from := &origin{edition: opts.Edition, version: opts.Edition.SpecVersion(), index: x}
	tx := c.begin(&Snapshot{origin: from, cycle: 1, working: true})
	for r := range numRegions {
		tx.s.parts[r] = newSequence(nil)
	}
	tx.s.tops = newChunk(forest{})
	var tops [RegionRest]*record
	root, err := tx.newRecord("root", "^root", 0)
	if err != nil {
		return nil, err
	}
	root.base = BaseRegion
	for r := range tops {
		if tops[r], err = tx.newRecord(regionTypes[r], regionTypes[r], 0); err != nil {
			return nil, err
		}
		tops[r].base = BaseRegion
	}
	tx.s.setTops(root, tops)
	tx.publish(&Timeline{edition: opts.Edition, version: from.version, index: x})
	return c, nil
}

func newContext(opts Options) *Context {
	if opts.Clock == nil {
		opts.Clock = time.Now
	}
	if opts.NewID == nil {
		next, out := int64(0), new(words)
		opts.NewID = func(nodeType string) string {
			base, _ := splitType(nodeType)
			next++
			id := append(make([]byte, 0, 32), base.name(opts.Edition)...)
			return out.add(strconv.AppendInt(append(id, ':'), next, 10))
		}
	}
	return &Context{
		opts: opts, refs: map[string]int{}, holds: map[string]int{}, keys: map[string][]string{},
		head: &home{region: RegionSeq, head: true},
	}
}

// Resume returns a context that goes on where a timeline ends: at its working
// state, else after its newest snapshot. The edition is that of the timeline.
// A timeline whose end breaks an invariant is refused. It costs a pass over
// the newest state.
func Resume(t *Timeline, opts Options) (*Context, error) {
	last := t.working
	if last == nil && len(t.sealed) > 0 {
		last = t.sealed[len(t.sealed)-1]
	}
	if last == nil {
		return nil, fail(ErrSnapshotUnknown, "a timeline without a snapshot has no end to go on from")
	}
	if bad := last.Validate(); len(bad) > 0 {
		return nil, bad[0]
	}
	opts.Edition = t.edition
	c := newContext(opts)
	s := *last
	if !last.working {
		s.working, s.ttlAt, s.cycle = true, last.cycle, last.cycle+1
	}
	tx := c.begin(&s)
	for n := range s.All() {
		r := n.rec()
		if r.exact(hCreatedNS) || r.exact(hCreationIndex) {
			return nil, fail(ErrInvariant, "order: %q was made at an instant that is no 64-bit integer", r.id)
		}
		tx.lastNS = max(tx.lastNS, r.ns)
		if r.cycle == s.cycle {
			if r.index == math.MaxInt64 {
				return nil, fail(ErrNoRoom, "%q has the last creation_index of its cycle", r.id)
			}
			tx.nextIndex = max(tx.nextIndex, r.index+1)
		}
		tx.count(r, 1)
		if n.region() == RegionHead {
			s.index.add(r, c.head, n.i)
		}
	}
	next := *t
	next.warnings, next.working = nil, nil
	next.sealed = slices.Clip(t.sealed) // t may be resumed more than once
	if !last.working {
		if err := tx.cadence(next.cadence); err != nil {
			return nil, err
		}
	}
	tx.publish(&next)
	return c, nil
}

// Timeline returns the states readers may address: in edition 1.0 the working
// state in front, in edition 0.1 the sealed snapshots alone.
func (c *Context) Timeline() *Timeline { return c.view.Load().timeline() }

// Working returns the working state, in either edition.
func (c *Context) Working() *Snapshot { return &c.view.Load().working }

// AppendJSON appends the whole state as a canonical history document, the
// working state included, which [Read] and [Resume] take up again. Held
// references and attempts are not part of it.
func (c *Context) AppendJSON(dst []byte) []byte {
	v := c.view.Load()
	t := *v.sealed
	t.working = &v.working
	return t.AppendJSON(dst)
}

// Hold keeps a node from expiry and pruning until it is released as often as
// it was held.
func (c *Context) Hold(id string) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if _, ok := c.Working().Find(id); !ok {
		return fail(ErrNotFound, "no node has the id %q", id)
	}
	c.holds[id]++
	return nil
}

// Release takes one hold back.
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

// tx is one change in the making: a copy of the working state with what has
// to be known beside it. Nothing of it is seen before publish.
type tx struct {
	c    *Context
	s    *Snapshot // becomes the working state; that of next
	next *view
	clockState
	added   []*record        // new, or in a new place
	fresh   map[string]*home // where those are, by id; nil: the active head
	undo    []counted
	emptied []string
	cad     []schedule // begun in this change
	placed  Node       // what was put into the tree last, if into a chunk that was there

	recs   [8]*record // the memory of small forests
	levels [8]int32
}

// forest returns an empty forest for the nodes of one draft. The next one has
// the same memory, so that who keeps it has to copy it.
func (tx *tx) forest() forest { return forest{tx.recs[:0], tx.levels[:0]} }

type counted struct {
	r  *record
	by int
}

// scratchMax is how many entries the memory of one change may have to be used
// for the next: clearing more costs more than it saves.
const scratchMax = 16

// begin starts a change of s, which stays as it is.
func (c *Context) begin(s *Snapshot) *tx {
	next := &view{working: *s}
	added, undo, fresh := c.scratch.added, c.scratch.undo, c.scratch.fresh
	if fresh == nil || max(len(added), len(undo)) > scratchMax {
		added, undo, fresh = nil, nil, map[string]*home{}
	}
	clear(added)
	clear(undo)
	clear(fresh)
	c.scratch = tx{c: c, s: &next.working, next: next, clockState: c.clock, added: added[:0], undo: undo[:0], fresh: fresh}
	return &c.scratch
}

// change runs one mutation.
func (c *Context) change(f func(*tx) (string, error)) (Node, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	v := c.view.Load()
	tx := c.begin(&v.working)
	id, err := f(tx)
	if err != nil {
		tx.rollback()
		return Node{}, err
	}
	n := tx.placed
	if n.IsZero() || n.ID() != id {
		n, _ = tx.find(id)
	}
	tx.publish(v.sealed)
	return n, nil
}

// publish makes the change visible, on top of the sealed states of t.
func (tx *tx) publish(t *Timeline) {
	c := tx.c
	for _, r := range tx.added {
		hint := int32(0)
		if !tx.placed.IsZero() && tx.placed.rec() == r {
			hint = tx.placed.i
		}
		tx.s.index.add(r, cmp.Or(tx.fresh[r.id], c.head), hint)
	}
	c.clock = tx.clockState
	c.emptied = append(c.emptied, tx.emptied...)
	if len(tx.cad) > 0 {
		more := *t
		more.cadence = withSchedules(t.cadence, tx.cad)
		t = &more
	}
	tx.next.sealed = t
	c.view.Store(tx.next)
}

// rollback takes back what was counted.
func (tx *tx) rollback() {
	for _, u := range slices.Backward(tx.undo) {
		tx.tally(u.r, -u.by)
	}
}

// add notes a new node.
func (tx *tx) add(r *record) {
	tx.settle(nil, r)
	tx.added = append(tx.added, r)
	tx.count(r, 1)
}

// settle notes where nodes of tx.added are; nil is the active head.
func (tx *tx) settle(h *home, recs ...*record) {
	for _, r := range recs {
		tx.fresh[r.id] = h
	}
}

// count adds a node to, or takes it from, what is known of keys and refs.
func (tx *tx) count(r *record, by int) {
	tx.undo = append(tx.undo, counted{r, by})
	tx.tally(r, by)
}

func (tx *tx) tally(r *record, by int) {
	c := tx.c
	for _, ref := range r.extra().refs {
		if c.refs[ref] += by; c.refs[ref] == 0 {
			delete(c.refs, ref)
		}
	}
	if r.key == "" {
		return
	}
	ids := c.keys[r.key]
	if by > 0 {
		c.keys[r.key] = append(slices.Clip(ids), r.id)
		return
	}
	i := slices.Index(ids, r.id)
	if ids = slices.Concat(ids[:i], ids[i+1:]); len(ids) == 0 {
		delete(c.keys, r.key)
	} else {
		c.keys[r.key] = ids
	}
}

// find looks a node up in the changing tree, of which the index does not know
// everything before it is published.
func (tx *tx) find(id string) (Node, bool) {
	if h, ok := tx.fresh[id]; ok {
		for n := range tx.s.homeChunks(cmp.Or(h, tx.c.head)) {
			if i := n.c.index(id, 0, false); i >= 0 {
				n.i = int32(i)
				return n, true
			}
		}
	}
	return tx.s.Find(id)
}

// resolve finds what a target names.
func (tx *tx) resolve(t Target) (Node, error) {
	id := t.id
	if t.key != "" {
		ids := tx.c.keys[t.key]
		switch len(ids) {
		case 0:
			return Node{}, fail(ErrNotFound, "no live node has the key %q", t.key)
		case 1:
			id = ids[0]
		default:
			sorted := slices.Sorted(slices.Values(ids))
			return Node{}, fail(ErrAmbiguousKey, "the key %q is on %s", t.key, strings.Join(sorted[:min(len(sorted), 5)], ", "))
		}
	}
	n, ok := tx.find(id)
	if !ok {
		return Node{}, fail(ErrNotFound, "no node has the id %q", id)
	}
	return n, nil
}

// checkRefs makes sure that what a draft refers to is there.
func (tx *tx) checkRefs(d *Draft) error {
	for _, ref := range d.Refs {
		if _, ok := tx.find(ref); !ok {
			return fail(ErrNotFound, "the reference %q names no node", ref)
		}
	}
	for i := range d.Children {
		if err := tx.checkRefs(&d.Children[i]); err != nil {
			return err
		}
	}
	return nil
}

// Keys returns the keys of live nodes, sorted.
func (c *Context) Keys() []string {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Sorted(maps.Keys(c.keys))
}
