package eval

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/tree"
)

// appendDirect appends the nodes of a chain of one step that requires an id or a key, which it
// looks up.
func (c *chain) appendDirect(ctx context.Context, lives *engine.Lives, dst []engine.Node, s *engine.Snapshot) ([]engine.Node, error) {
	if c.direct.kind == testID {
		if n, ok := s.Find(c.direct.text); ok && c.passes(ctx, lives, n) {
			if dst == nil {
				return []engine.Node{n}, nil
			}
			dst = append(dst, n)
		}
		return dst, c.interrupted(ctx)
	}
	start := len(dst)
	dst = tree.AppendKeyed(dst, treeOf(s), c.direct.text)
	kept := start
	for i := start; i < len(dst); i++ {
		if err := c.interrupted(ctx); err != nil {
			return dst[:start], err
		}
		if c.passes(ctx, lives, dst[i]) {
			if kept < i {
				dst[kept] = dst[i]
			}
			kept++
		}
	}
	clear(dst[kept:])
	if found := dst[start:kept]; len(found) > 1 {
		slices.SortFunc(found, compareSameKey)
	}
	return dst[:kept], c.interrupted(ctx)
}

// interrupted returns the error of a context that is done if the chain has a pattern, which the
// context can have interrupted.
func (c *chain) interrupted(ctx context.Context) error {
	if !c.patterns {
		return nil
	}
	return ctx.Err()
}

// passes reports whether a node that was looked up lies in a region and passes the other tests.
func (c *chain) passes(ctx context.Context, lives *engine.Lives, n engine.Node) bool {
	if _, inRegion := n.Region(); !inRegion {
		return false
	}
	for _, t := range c.steps[0].parts[0].tests {
		if t != c.direct && !t.node(ctx, lives, n) {
			return false
		}
	}
	return true
}
