package eval

import (
	"context"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Plan is a query made ready to run: names are resolved, patterns compiled, and it is known where in a tree its
// nodes can be. It is immutable and safe for concurrent use, and keeps nothing of the tree it was made of.
type Plan struct {
	time  *ast.Time // nil means @t0
	union []*fragment

	mode            Mode      // of @mode; empty for the default
	order           sorter    // of @order; nil for the default
	unique          *ast.Span // of @unique
	skip            int64
	page            int64 // from 1; 0 for all
	limit           int64 // when limited is set
	limited         bool
	unknownControls []Control
	local           bool   // what is found in a chunk depends on little else
	life            bool   // a test uses the life of a node
	direct          *chain // the only chain, if it finds its nodes directly
}

// Nodes returns what the query selects on one snapshot, each node once and in order, whatever time the query has
// written: as if there were no others, so all nodes entered with it and none has left. Controls are not applied. An
// error is that of a context that is done.
func (p *Plan) Nodes(ctx context.Context, s *engine.Snapshot) ([]engine.Node, error) {
	return p.AppendNodes(ctx, nil, s)
}

// AppendNodes is [Plan.Nodes] into a slice of the caller's.
func (p *Plan) AppendNodes(ctx context.Context, dst []engine.Node, s *engine.Snapshot) ([]engine.Node, error) {
	r := run{Plan: p}
	if p.life { // only then is the snapshot made a timeline of its own
		r = p.over(s.Timeline())
	}
	return r.nodes(ctx, dst, s, nil)
}

// run is an evaluation of a plan over a timeline.
type run struct {
	*Plan
	lives *engine.Lives // nil unless a test asks for the life of a node
}

func (p *Plan) over(t *engine.Timeline) run {
	r := run{Plan: p}
	if p.life {
		r.lives = t.Lives()
	}
	return r
}

// nodes appends what the query selects on one snapshot, each node once and in order. If in is not nil, it looks only at
// these chunks, and at the root and the regions.
func (r run) nodes(ctx context.Context, dst []engine.Node, s *engine.Snapshot, in *parts) ([]engine.Node, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	if c := r.direct; c != nil {
		start := len(dst)
		dst, err := c.appendDirect(ctx, r.lives, dst, s)
		if len(dst)-start > 1 {
			sortFound(c, dst[start:])
		}
		return dst, err
	}
	m := newMatcher(s, r.lives)
	defer m.release()
	m.in = in
	return m.appendUnion(ctx, dst, r.union)
}
