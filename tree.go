package pactkit

import (
	"cmp"
	"context"
	"io"
	"math"
	"slices"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
)

// Tree is a context tree with its history.
//
// A tree made by [New] or [Tree.Resume] is live: it can be changed. One that was opened is
// recorded: it can be queried, but a mutation fails with the code [engine.ErrSealed] (F1). The zero
// Tree is not usable.
//
// A Tree is safe for concurrent use. Mutations happen one after the other, each on the state that
// the previous one left; readers never wait for them.
type Tree struct {
	record *engine.Timeline // of a recorded tree
	live   *engine.Context  // of a live one
	mu     sync.Mutex       // held while a mutation selects a node and changes it
	// source has the histories that attachments refer to, and show returns a timeline with them;
	// both are nil if attachments stay empty.
	source engine.Source
	show   func(context.Context, *engine.Timeline) (*engine.Timeline, error)
}

// Open reads a recorded history from a file or a folder: a journal, see [journal.Load], or another
// format, see [engine.Load]. The newest snapshot is @t0. An interrupted append to a journal is
// ignored.
func Open(path string, o engine.ReadOptions) (*Tree, error) {
	history, _, err := journal.Load(path, o)
	if err != nil {
		return nil, err
	}
	return FromTimeline(history), nil
}

// Save writes the history of the tree to a file, as a whole or not at all: a journal, or one
// document if the name ends in .json. A live tree is saved with its working state, and everything
// that [Tree.Resume] needs. To store every commit of a live tree, see package store.
func (t *Tree) Save(path string) error {
	if strings.HasSuffix(path, ".json") {
		return atomicfile.WriteFrom(path, func(w io.Writer) error { return t.history().Save(w, engine.ReadOptions{MaxBytes: math.MaxInt64}) })
	}
	data, err := t.AppendJournal(nil, journal.About{})
	if err != nil {
		return err
	}
	return atomicfile.Write(path, data)
}

// FromTimeline returns a recorded tree for a timeline that was read in another way, such as by
// [engine.Read].
func FromTimeline(history *engine.Timeline) *Tree { return &Tree{record: history} }

// New returns an empty live tree.
func New(o engine.Options) (*Tree, error) {
	c, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	return FromContext(c), nil
}

// FromContext returns a live tree over a context of package engine, such as one that an importer
// made.
func FromContext(c *engine.Context) *Tree { return &Tree{live: c} }

// Resume returns a live tree that continues from the newest state of this one, which does not
// change. In edition 1.0 its working state is @t0, and the @t0 of a recorded tree without a working
// state becomes @t-1. Its attachments refer to the same histories. Resume fails if the newest state
// breaks an invariant.
func (t *Tree) Resume(o engine.Options) (*Tree, error) {
	next, err := engine.Resume(t.history(), o)
	if err != nil {
		return nil, err
	}
	tree := FromContext(next)
	if t.source != nil {
		tree.SetSource(t.source)
	}
	return tree, nil
}

// Engine returns the context of package engine under a live tree, for everything that has no method
// here: holds, cadences, attempts. It is nil for a recorded tree. A concurrent mutation made there
// may come between the selection and the change of a mutation made here.
func (t *Tree) Engine() *engine.Context { return t.live }

// Timeline returns the states that addresses such as @t-1 refer to.
func (t *Tree) Timeline() *engine.Timeline {
	if t.live != nil {
		return t.live.Timeline()
	}
	return t.record
}

// history returns the whole history, with everything that [Tree.Resume] needs.
func (t *Tree) history() *engine.Timeline {
	if t.live != nil {
		return t.live.History()
	}
	return t.record
}

// At returns the snapshot at an address such as @t0, @t-1 or @c42. The error has the code
// [engine.ErrSnapshotUnknown] if the tree has no such snapshot.
func (t *Tree) At(address string) (*engine.Snapshot, error) { return at(t.Timeline(), address) }

// at returns the snapshot at an address of a timeline.
func at(t *engine.Timeline, address string) (*engine.Snapshot, error) {
	i, found := parser.ParseInstant(address)
	if len(found) > 0 {
		return nil, &SelectorError{address, found}
	}
	return compiled.Instant(t, i)
}

// Select returns the nodes that a selector selects, in its order, each id once. A node belongs to
// the snapshot in which it was found. A selector that compares snapshots is an error: see
// [Tree.SelectRange].
func (t *Tree) Select(ctx context.Context, selector string) ([]engine.Node, error) {
	q, err := t.read(selector)
	if err != nil {
		return nil, err
	}
	if q.Compares {
		return nil, selectorError(selector, diag.SelectorInvalid, "this selector compares snapshots and selects no nodes",
			"SelectRange returns what changed; @mode=union asks for the nodes")
	}
	timeline, err := t.Shown(ctx)
	if err != nil {
		return nil, err
	}
	r, err := q.Plan.Select(ctx, timeline, eval.Options{Text: selector})
	if err != nil {
		return nil, located(selector, err)
	}
	return r.Nodes, nil
}

// SelectRange returns the full result of any selector: the differences between the snapshots of a
// range or a pair, or the nodes of any other selector; warnings, and controls that pactkit does not
// know. o.Text need not be set.
func (t *Tree) SelectRange(ctx context.Context, selector string, o eval.Options) (*eval.Result, error) {
	q, err := t.read(selector)
	if err != nil {
		return nil, err
	}
	o.Text = cmp.Or(o.Text, selector)
	timeline, err := t.Shown(ctx)
	if err != nil {
		return nil, err
	}
	r, err := q.Plan.Select(ctx, timeline, o)
	if err != nil {
		return nil, located(selector, err)
	}
	r.Warnings = slices.Concat(q.Warnings, r.Warnings)
	return r, nil
}

// RangeDiffLatest returns the differences between the snapshots of a range or a pair, as
// ctx.rangeDiffLatest of PACT 0.1 does (decision F9). If they cannot be computed, the result holds
// the error and whatever was found before, except when the selector itself is at fault: a selector
// that does not compare snapshots is an error. o.Text need not be set.
func (t *Tree) RangeDiffLatest(ctx context.Context, selector string, o eval.Options) (*eval.Range, error) {
	q, err := t.read(selector)
	if err != nil {
		return nil, err
	}
	o.Text = cmp.Or(o.Text, selector)
	timeline, err := t.Shown(ctx)
	if err != nil {
		return nil, err
	}
	r, err := q.Plan.Select(ctx, timeline, o)
	switch {
	case r == nil:
		return nil, located(selector, err)
	case r.Kind != eval.KindRange:
		return nil, selectorError(selector, diag.SelectorInvalid, "this selector does not compare snapshots",
			"begin with a range such as `@t0..@t-5` or a pair such as `@t0,@t-1`, and leave out @mode")
	}
	r.Range.Warnings = slices.Concat(q.Warnings, r.Range.Warnings)
	if err != nil {
		return r.Range, located(selector, err)
	}
	return r.Range, nil
}

// Diff compares what a selector selects at two addresses; without a selector, it compares the whole
// trees, skipping the parts that the snapshots share.
func (t *Tree) Diff(ctx context.Context, older, newer, selector string) (engine.Changes, error) {
	timeline, err := t.Shown(ctx) // loaded once: a commit in between would shift the addresses
	if err != nil {
		return engine.Changes{}, err
	}
	a, err := at(timeline, older)
	if err != nil {
		return engine.Changes{}, err
	}
	b, err := at(timeline, newer)
	if err != nil {
		return engine.Changes{}, err
	}
	if selector == "" {
		return engine.Diff(a, b), nil
	}
	q, err := t.read(selector)
	if err != nil {
		return engine.Changes{}, err
	}
	old, err := runOn(ctx, q, a)
	if err != nil {
		return engine.Changes{}, err
	}
	current, err := runOn(ctx, q, b)
	if err != nil {
		return engine.Changes{}, err
	}
	return engine.DiffNodes(old, current), nil
}

// read prepares a selector for queries.
func (t *Tree) read(selector string) (*compiled.Query, error) {
	q, wrong := compiled.Select(selector, t.Timeline().Edition())
	if q == nil {
		return nil, &SelectorError{selector, wrong}
	}
	return q, nil
}

// runOn runs a query, controls and all, on one snapshot.
func runOn(ctx context.Context, q *compiled.Query, s *engine.Snapshot) ([]engine.Node, error) {
	if !q.Now {
		return nil, selectorError(q.Text, diag.SelectorInvalid, "the snapshot is given, so the selector must not have a time",
			"leave the time out, or write @t0")
	}
	r, err := q.Plan.Select(ctx, s.Timeline(), eval.Options{Text: q.Text})
	if err != nil {
		return nil, located(q.Text, err)
	}
	return r.Nodes, nil
}

// Export returns the canonical JSON of the snapshot at an address.
func (t *Tree) Export(address string) ([]byte, error) {
	s, err := t.At(address)
	if err != nil {
		return nil, err
	}
	return s.AppendJSON(nil), nil
}

// Thread renders the snapshot at an address as messages for a provider. The notes report what the
// format cannot express.
func (t *Tree) Thread(address string, f thread.Format, o thread.RenderOptions) (thread.Rendered, error) {
	timeline, err := t.Shown(context.Background())
	if err != nil {
		return thread.Rendered{}, err
	}
	s, err := at(timeline, address)
	if err != nil {
		return thread.Rendered{}, err
	}
	return thread.Render(s, f, o)
}

// AppendJournal appends the whole history, and the working state of a live tree, as a journal,
// which [Open] reads. The cost depends on what is new in each snapshot. To store a history that
// grows, see package store.
func (t *Tree) AppendJournal(dst []byte, about journal.About) ([]byte, error) {
	dst, _, err := journal.Append(dst, t.history(), about)
	return dst, err
}

// AppendJSON appends the whole history, and the working state of a live
// tree, as the canonical document that [Open] reads.
func (t *Tree) AppendJSON(dst []byte) []byte {
	if t.live != nil {
		return t.live.AppendJSON(dst)
	}
	return t.record.AppendJSON(dst)
}
