package eval

import (
	"context"

	"github.com/pactkit/pactkit/engine"
)

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
