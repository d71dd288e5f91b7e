package eval

import (
	"context"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// Plan is a compiled query: names are resolved, patterns are compiled, and the parts of a tree that
// can hold its nodes are known. It is immutable, safe for concurrent use, and does not keep the
// syntax tree in memory.
type Plan struct {
	time  *ast.Time  // nil means @t0
	union [][]*chain // the members, each a list of alternatives (??); the first with a result counts

	mode            Mode      // of @mode; empty for the default
	order           sorter    // of @order; nil for the default
	unique          *ast.Span // of @unique
	skip            int64
	page            int64 // from 1; 0 for all
	limit           int64 // when limited is set
	limited         bool
	unknownControls []Control
	local           bool   // see isLocal
	life            bool   // a test uses the life of a node
	direct          *chain // the only chain, if its nodes can be looked up
}

// Nodes returns the nodes that the query selects on one snapshot, each once and in order. It
// ignores the time and the controls of the query. The snapshot counts as the only one of its
// history, so all nodes entered with it and none has left. The only error is that of a context that
// is done.
func (p *Plan) Nodes(ctx context.Context, s *engine.Snapshot) ([]engine.Node, error) {
	return p.AppendNodes(ctx, nil, s)
}

// AppendNodes appends the result of [Plan.Nodes] to dst.
func (p *Plan) AppendNodes(ctx context.Context, dst []engine.Node, s *engine.Snapshot) ([]engine.Node, error) {
	r := run{Plan: p}
	if p.life { // other plans need no timeline
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

// nodes appends the nodes that the query selects on one snapshot, each once and in order. If in is
// not nil, it searches only these chunks, the root and the regions.
func (r run) nodes(ctx context.Context, dst []engine.Node, s *engine.Snapshot, in *parts) ([]engine.Node, error) {
	if err := ctx.Err(); err != nil {
		return dst, err
	}
	if r.direct != nil {
		return r.direct.appendDirect(ctx, r.lives, dst, s)
	}
	m := newMatcher(s, r.lives)
	defer m.release()
	m.in = in
	return m.appendUnion(ctx, dst, r.union)
}
