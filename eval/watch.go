package eval

import (
	"context"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// Watcher follows what a plan selects as a history grows. It is not safe for concurrent use.
type Watcher struct {
	plan *Plan
	last *engine.Snapshot // nil at the beginning
	res  results
}

// Watch returns a watcher. The error is an [*Error] if the query has a time other than @t0, because
// a watcher chooses the snapshots itself.
func (p *Plan) Watch() (*Watcher, error) {
	if t := p.time; t != nil && (t.Kind != ast.TimeAt || t.From.Kind != ast.Relative || t.From.N != 0) {
		return nil, fail(diag.Diagnostic{
			Code: diag.SelectorInvalid, Span: t.Bounds(),
			Message: "a selector that is watched has no time: each commit gives the next",
			Hint:    "leave the time out, or write @t0",
		})
	}
	return &Watcher{plan: p}, nil
}

// Next compares the result on the newest sealed snapshot of a timeline with the result of the
// previous call. It returns the [engine.DiffNodes] of the two; the first call returns all nodes as
// added. Next ignores working states. Errors are those of [Plan.Select]; after an error, the next
// call compares with the same snapshot again.
//
// The cost depends on the number of changes between the two snapshots, and not on the size of the
// tree. A lifetime that counts down is a change. A query costs as much as a Select if it has ??,
// positional pseudos, depths from 1 on, an id, a key, the attributes depth or age, or one of
// @order, @unique, @skip, @p and @limit.
func (w *Watcher) Next(ctx context.Context, t *engine.Timeline) (engine.Changes, error) {
	sealed := t.Recorded()
	snap := sealed.At(0)
	if snap == nil || snap == w.last {
		return engine.Changes{}, ctx.Err()
	}
	var in, out []engine.Node
	var err error
	w.res.run = w.plan.over(sealed)
	if w.last == nil {
		in, err = w.res.controlled(ctx, snap)
		w.res.snap, w.res.found = snap, in
	} else {
		in, out, err = w.since(ctx, snap)
	}
	if err != nil {
		return engine.Changes{}, err
	}
	w.last = snap
	return engine.DiffNodes(out, in), nil
}

// since returns the results of the query in a snapshot and in the last one. It may omit nodes that
// do not differ from both.
func (w *Watcher) since(ctx context.Context, snap *engine.Snapshot) (in, out []engine.Node, err error) {
	if w.plan.local && !w.plan.life { // the lives in an older snapshot change, too
		if inNew, inOld, ok := w.res.unshared(ctx, state{snap: snap}, state{snap: w.last, back: 1}); ok {
			w.res.snap, w.res.found = nil, nil
			if in, err = w.res.nodes(ctx, nil, snap, &inNew); err == nil {
				out, err = w.res.nodes(ctx, nil, w.last, &inOld)
			}
			return in, out, err
		}
	}
	if out = w.res.found; w.res.snap != w.last {
		if out, err = w.res.controlled(ctx, w.last); err != nil {
			return nil, nil, err
		}
	}
	if in, err = w.res.controlled(ctx, snap); err == nil {
		w.res.snap, w.res.found = snap, in
	}
	return in, out, err
}
