package pactkit

import (
	"context"
	"io"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/eval"
	"github.com/pactkit/pactkit/parser"
	"github.com/pactkit/pactkit/thread"
)

// Context is a context tree with its history. One that was opened is a record:
// it answers and does not change, a mutation of it is an error of code
// [engine.ErrSealed] (F1). One made by [New] or [Context.Resume] is live. The
// zero Context is neither, and of no use.
//
// Any number of goroutines may use it at once. Mutations happen one after the
// other, each on the state the one before left; readers never wait for them.
type Context struct {
	record *engine.Timeline // of one that is not live
	live   *engine.Context
	mu     sync.Mutex // held from the selection of a mutation to its change
}

// Open reads a recorded history from a file or a folder, see [engine.Load] for
// the forms. The newest snapshot is @t0.
func Open(path string, o engine.ReadOptions) (*Context, error) {
	t, err := engine.Load(path, o)
	if err != nil {
		return nil, err
	}
	return Record(t), nil
}

// Record returns a context of a timeline that was read in another way.
func Record(t *engine.Timeline) *Context { return &Context{record: t} }

// New returns an empty live context.
func New(o engine.Options) (*Context, error) {
	c, err := engine.New(o)
	if err != nil {
		return nil, err
	}
	return Live(c), nil
}

// Live returns a context around one of package engine, such as an importer
// makes.
func Live(c *engine.Context) *Context { return &Context{live: c} }

// Resume returns a live context that goes on at the newest state of this one,
// which stays as it is. In edition 1.0 its working state is @t0, and what was
// @t0 of a record without a working state becomes @t-1. A newest state that
// breaks an invariant is refused.
func (c *Context) Resume(o engine.Options) (*Context, error) {
	t := c.record
	if c.live != nil {
		t = c.live.History()
	}
	next, err := engine.Resume(t, o)
	if err != nil {
		return nil, err
	}
	return Live(next), nil
}

// Engine returns the context of package engine beneath a live one, for what
// has no method here: holds, cadences, attempts. It is nil for a record.
// A mutation made there while one is made here may come between the selection
// of that and its change.
func (c *Context) Engine() *engine.Context { return c.live }

// Timeline returns the states that addresses count over.
func (c *Context) Timeline() *engine.Timeline {
	if c.live != nil {
		return c.live.Timeline()
	}
	return c.record
}

// At returns the snapshot at an address: @t0, @t-1, @c42. The error for one
// that is not there has the code [engine.ErrSnapshotUnknown].
func (c *Context) At(address string) (*engine.Snapshot, error) {
	q, found := parser.ParseSelector(address+" *", parser.Options{})
	if diag.HasErrors(found) || q.Time == nil || q.Time.Kind != ast.TimeAt || q.Time.Bounds().Len() != len(address) {
		return nil, selectorError(address, diag.SelectorInvalid, "this is no address of a snapshot", "write @t0, @t-1 or @c42")
	}
	t, at := c.Timeline(), q.Time.From
	if at.Kind == ast.Relative {
		return t.Address(int(-at.N))
	}
	if s, _ := t.OfCycle(at.N); s != nil {
		return s, nil
	}
	return nil, treeError(engine.ErrSnapshotUnknown, "there is no snapshot %s", address)
}

// Select returns the nodes a selector selects, in its order, each id once. A
// node belongs to the snapshot it was found in. A selector that compares
// snapshots is an error: see [Context.SelectRange].
func (c *Context) Select(ctx context.Context, selector string) ([]engine.Node, error) {
	q, err := read(selector, c.Timeline().Edition())
	if err != nil {
		return nil, err
	}
	if q.compares {
		return nil, selectorError(selector, diag.SelectorInvalid, "this selector compares snapshots and selects no nodes",
			"SelectRange returns what changed; @mode=union asks for the nodes")
	}
	r, err := q.plan.Select(ctx, c.Timeline(), eval.Options{Text: selector})
	if err != nil {
		return nil, located(selector, err)
	}
	return r.Nodes, nil
}

// SelectRange answers a selector of any form with all there is to tell: the
// differences between the snapshots of a range or a pair, or the nodes of any
// other; warnings, and controls that mean nothing to pactkit. o.Text need not be
// set.
func (c *Context) SelectRange(ctx context.Context, selector string, o eval.Options) (*eval.Result, error) {
	q, err := read(selector, c.Timeline().Edition())
	if err != nil {
		return nil, err
	}
	if o.Text == "" {
		o.Text = selector
	}
	r, err := q.plan.Select(ctx, c.Timeline(), o)
	if err != nil {
		return nil, located(selector, err)
	}
	r.Warnings = slices.Concat(q.warnings, r.Warnings)
	return r, nil
}

// Diff compares what a selector selects at two addresses; without a selector,
// the whole trees. Parts the snapshots share are passed over then.
func (c *Context) Diff(ctx context.Context, older, newer, selector string) (engine.Changes, error) {
	a, err := c.At(older)
	if err != nil {
		return engine.Changes{}, err
	}
	b, err := c.At(newer)
	if err != nil {
		return engine.Changes{}, err
	}
	if selector == "" {
		return engine.Diff(a, b), nil
	}
	q, err := read(selector, c.Timeline().Edition())
	if err != nil {
		return engine.Changes{}, err
	}
	was, err := q.on(ctx, selector, a)
	if err != nil {
		return engine.Changes{}, err
	}
	is, err := q.on(ctx, selector, b)
	if err != nil {
		return engine.Changes{}, err
	}
	return engine.DiffNodes(was, is), nil
}

// on runs a query, controls and all, on one snapshot.
func (q *query) on(ctx context.Context, text string, s *engine.Snapshot) ([]engine.Node, error) {
	if !q.now {
		return nil, selectorError(text, diag.SelectorInvalid, "the snapshot is given already, so that the selector has no time to look at",
			"leave the time out, or write @t0")
	}
	r, err := q.plan.Select(ctx, s.Timeline(), eval.Options{Text: text})
	if err != nil {
		return nil, located(text, err)
	}
	return r.Nodes, nil
}

// Export returns the canonical JSON of the snapshot at an address.
func (c *Context) Export(address string) ([]byte, error) {
	s, err := c.At(address)
	if err != nil {
		return nil, err
	}
	return s.AppendJSON(nil), nil
}

// Thread renders the snapshot at an address as the messages a provider is sent.
// What the format cannot hold stands in the notes.
func (c *Context) Thread(address string, f thread.Format, o thread.RenderOptions) (thread.Rendered, error) {
	s, err := c.At(address)
	if err != nil {
		return thread.Rendered{}, err
	}
	return thread.Render(s, f, o)
}

// Save writes what [Context.AppendJSON] appends, and a newline. If [Open] with o
// would not read it back as it is, Save writes nothing and returns why.
func (c *Context) Save(w io.Writer, o engine.ReadOptions) error {
	if c.live != nil {
		return c.live.Save(w, o)
	}
	return c.record.Save(w, o)
}

// AppendJSON appends the whole history, and the working state of a live
// context, as the canonical document that [Open] reads.
func (c *Context) AppendJSON(dst []byte) []byte {
	if c.live != nil {
		return c.live.AppendJSON(dst)
	}
	return c.record.AppendJSON(dst)
}
