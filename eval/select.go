package eval

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// Select answers the query over a timeline, with its time and its controls. An error is an
// [*Error], the error of a context that is done, or an error of [engine.DiffContent].
//
// If a range or a pair has no answer because of an [*Error], there is a result as well: it holds
// that error, what the range resolved to, and the differences found before (decision D54).
func (p *Plan) Select(ctx context.Context, t *engine.Timeline, o Options) (*Result, error) {
	r, err := p.answer(ctx, t, o)
	if err == nil {
		return r, nil
	}
	e, ok := errors.AsType[*Error](err)
	if !ok || !p.compares() {
		return nil, err
	}
	if r == nil {
		r = &Result{Range: o.newRange(nil, nil)}
	}
	r.Kind, r.Range.Mode = KindRange, cmp.Or(p.mode, ModePairwise)
	for _, d := range e.Diagnostics {
		r.Range.Errors = append(r.Range.Errors, RangeError{d.Code, d.Message, true})
	}
	return r, err
}

// compares reports whether the result holds differences.
func (p *Plan) compares() bool {
	return p.time != nil && p.time.Kind != ast.TimeAt && p.time.Kind != ast.TimeEvery && p.mode != ModeUnion && p.mode != ModeLatest
}

// answer is Select. With an error, it returns nil or a result that holds a part of the answer.
func (p *Plan) answer(ctx context.Context, t *engine.Timeline, o Options) (*Result, error) {
	if err := o.check(); err != nil {
		return nil, err
	}
	list, warnings, err := states(t, p.time)
	if err != nil {
		return nil, err
	}
	r, run := &Result{Controls: p.unknownControls, Warnings: warnings}, p.over(t)
	switch {
	case p.time == nil || p.time.Kind == ast.TimeAt:
		r.Nodes, err = run.controlled(ctx, list[0].snap)
	case p.time.Kind != ast.TimeEvery && o.MaxSnapshots > 0 && len(list) > o.MaxSnapshots:
		r.Range = o.newRange(nil, warnings)
		err = fail(diag.Diagnostic{
			Code: diag.RangeLimit, Span: p.time.Bounds(),
			Message: fmt.Sprintf("the range covers %d snapshots; the limit MaxSnapshots is %d", len(list), o.MaxSnapshots),
			Hint:    "ask for a shorter range, or raise maxSnapshots",
		})
	case p.time.Kind == ast.TimeEvery || p.mode == ModeUnion:
		r.Nodes, err = firstSeen(ctx, run, list, o.Again, func(n engine.Node, _ *state) engine.Node { return n })
	case p.mode == ModeLatest:
		r.Kind = KindLatest
		r.Latest, err = firstSeen(ctx, run, list, nil, func(n engine.Node, st *state) Latest { return Latest{n, st.ref} })
	default:
		r.Kind = KindRange
		r.Range, err = run.compare(ctx, list, o, warnings)
	}
	if r.Range == nil && err != nil {
		return nil, err
	}
	return r, err
}

// check returns an error for invalid options.
func (o Options) check() error {
	invalid := func(message, hint string) error {
		return fail(diag.Diagnostic{Code: diag.ControlInvalid, Message: message, Hint: hint})
	}
	if !slices.Contains([]engine.ContentMode{"", engine.ModeUnified, engine.ModeJSONPatch, engine.ModeTokens}, o.ContentMode) {
		return invalid(fmt.Sprintf("contentMode is %q", o.ContentMode), "use unified, jsonpatch or tokens")
	}
	for _, name := range o.Materialize {
		if !slices.Contains([]string{"content", "mime", "encoding", "content_hash"}, name) {
			return invalid(fmt.Sprintf("materialize names %q", name), "use content, mime, encoding or content_hash")
		}
	}
	if o.MaxSnapshots < 0 || o.MaxChanges < 0 || o.ContextLines != nil && *o.ContextLines < 0 {
		return invalid("maxSnapshots, maxChanges and contextLines cannot be negative", "")
	}
	return nil
}

// controlled returns what the query selects on one snapshot, with its controls applied.
func (r run) controlled(ctx context.Context, s *engine.Snapshot) ([]engine.Node, error) {
	nodes, err := r.ordered(ctx, s)
	if err != nil {
		return nil, err
	}
	return cut(r.Plan, nodes)
}

// ordered returns what the query selects on one snapshot, in the order that @order asks for.
func (r run) ordered(ctx context.Context, s *engine.Snapshot) ([]engine.Node, error) {
	nodes, err := r.nodes(ctx, nil, s, nil)
	if err == nil && r.order != nil {
		r.order(ctx, nodes)
		err = ctx.Err() // which ends a long sort early
	}
	return nodes, err
}

// cut applies @unique, @skip, @p and @limit, in this order.
func cut[E any](p *Plan, list []E) ([]E, error) {
	if p.unique != nil && len(list) > 1 {
		return nil, fail(diag.Diagnostic{
			Code: diag.SelectorCardinality, Span: *p.unique,
			Message: fmt.Sprintf("`@unique` allows one result, and there are %d", len(list)),
			Hint:    "narrow the selector, or take the first result with `@first`",
		})
	}
	list = list[min(p.skip, int64(len(list))):]
	if p.page > 1 && p.limited {
		// The product might overflow: a page beyond the end is empty.
		if p.limit > 0 && p.page-1 > int64(len(list))/p.limit {
			return list[:0], nil
		}
		list = list[min((p.page-1)*p.limit, int64(len(list))):]
	}
	if p.limited {
		list = list[:min(p.limit, int64(len(list)))]
	}
	return list, nil
}

// firstSeen runs the query on each snapshot of the list, newest first, and returns of(node, state)
// for every id, at the first snapshot that selects it, and at later ones for which again, if it is
// not nil, returns true.
func firstSeen[E any](ctx context.Context, r run, list []state, again func(older, newer engine.Node) bool, of func(engine.Node, *state) E) ([]E, error) {
	var out []E
	seen := map[string]engine.Node{}
	var newer *state
	for i := range list {
		st := &list[i]
		nodes, err := r.unseen(ctx, newer, *st)
		if err != nil {
			return nil, err
		}
		newer = st
		for _, n := range nodes {
			id := n.ID()
			if last, ok := seen[id]; !ok || again != nil && again(n, last) {
				seen[id] = n
				out = append(out, of(n, st))
			}
		}
	}
	return cut(r.Plan, out)
}
