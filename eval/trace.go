package eval

import (
	"context"
	"math/bits"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// TraceStep reports how many nodes one step of a selector leaves.
type TraceStep struct {
	Span     ast.Span // of the step in the selector
	Fragment int      // the member of the union, from 0
	Chain    int      // the side of ??, from 0
	Step     int      // from 0; a group in parentheses counts as its steps
	Words    string   // the step in words
	Count    int      // nodes that are left after it
	Skipped  bool     // not evaluated, since an earlier side of ?? found something
	Empty    bool     // the first step of its side that leaves nothing
}

// Trace reports how many nodes each step leaves in the newest snapshot that the query asks for.
// Other snapshots are not evaluated.
func (p *Plan) Trace(ctx context.Context, t *engine.Timeline) ([]TraceStep, error) {
	list, _, err := states(t, p.time)
	if err != nil || len(list) == 0 {
		return nil, err
	}
	m := newMatcher(list[0].snap, p.over(t).lives)
	defer m.release()
	var out []TraceStep
	for f, chains := range p.union {
		answered := false
		for c, side := range chains {
			counts := make([]int, len(side.steps))
			if !answered {
				if counts, err = m.count(ctx, side); err != nil {
					return nil, err
				}
			}
			empty := answered
			for i, s := range side.steps {
				ts := TraceStep{Span: s.span, Fragment: f, Chain: c, Step: i, Words: s.words(), Count: counts[i], Skipped: answered}
				ts.Empty = !empty && ts.Count == 0
				empty = empty || ts.Empty
				out = append(out, ts)
			}
			answered = answered || counts[len(counts)-1] > 0
		}
	}
	return out, nil
}

// count returns how many nodes each step of a chain finds. Unlike a search it looks everywhere:
// later steps do not narrow what earlier ones find.
func (m *matcher) count(ctx context.Context, c *chain) ([]int, error) {
	m.counts = make([]int, len(c.steps))
	defer func() { m.counts = nil }()
	m.forget()
	m.findRoots(ctx, c)
	for i, roots := range m.roots {
		m.counts[i] = bits.OnesCount8(uint8(roots))
	}
	open := &chain{steps: c.steps, positional: c.positional, implies: c.implies, patterns: c.patterns, scope: everywhere}
	m.search(ctx, open)
	return m.counts, m.err
}
