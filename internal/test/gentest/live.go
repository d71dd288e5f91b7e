package gentest

import (
	"math/rand/v2"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// Live returns a context after random mutations and commits. Mutations that the engine refuses
// change nothing.
func Live(t testing.TB, r *rand.Rand, size int) *engine.Context {
	t.Helper()
	return Grow(t, r, 1+r.IntN(6), size)
}

// Grow is [Live] with a given number of commits.
func Grow(t testing.TB, r *rand.Rand, turns, size int) *engine.Context {
	t.Helper()
	now := time.Unix(1_700_000_000, 0)
	opts := engine.Options{System: true, Clock: func() time.Time {
		now = now.Add(time.Duration(r.IntN(3)) * time.Millisecond)
		return now
	}}
	if r.IntN(2) == 0 {
		opts.Edition = engine.Edition01
	}
	if one(r, 4) {
		opts.Policy = &engine.Policy{Limits: []engine.Limit{{Nodes: size}}, KeepSegments: 1}
	}
	c, err := engine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	g := &grower{r: r, old: opts.Edition == engine.Edition01}
	for range turns {
		for range 1 + r.IntN(size/turns+1) {
			step(g, c)
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	for range r.IntN(4) {
		step(g, c)
	}
	return c
}

// step tries one mutation. The engine may refuse it.
func step(g *grower, c *engine.Context) {
	r := g.r
	position := func() engine.Position {
		if n := anyNode(r, c.Working()); one(r, 3) {
			return engine.Under(n.ID(), int64(r.IntN(4)-1))
		}
		return engine.AtDepth(pick(r, 0, 0, 0, 0, 1, 2, -1), int64(r.IntN(4)-1))
	}
	target := func() engine.Target { return engine.ByID(anyNode(r, c.Working()).ID()) }
	// A refused mutation changes nothing, so the errors do not matter.
	switch r.IntN(10) {
	case 0:
		_, _ = c.Replace(target(), g.draft(0))
	case 1:
		_, _ = c.Move(target(), position())
	case 2:
		_, _ = c.Delete(target())
	default:
		_, _ = c.Insert(position(), g.draft(2))
	}
}

func anyNode(r *rand.Rand, s *engine.Snapshot) engine.Node {
	i := r.IntN(s.Len())
	for n := range s.All() {
		if i == 0 {
			return n
		}
		i--
	}
	return s.Root()
}

func (g *grower) draft(levels int) engine.Draft {
	r := g.r
	d := engine.Draft{Type: g.nodeType(), Offset: int64(r.IntN(4) - 1)}
	if one(r, 2) {
		d.Type = ""
	}
	if one(r, 3) {
		d.Key = pick(r, keys...)
	}
	if one(r, 3) {
		d.Tags = append(d.Tags, pick(r, tags...))
	}
	if one(r, 6) {
		d.Tags = append(d.Tags, pick(r, tags...))
	}
	if one(r, 3) {
		d.TTL = new(int64(1 + r.IntN(4)))
	}
	if one(r, 6) && d.Key != "" {
		d.Cad = new(int64(1 + r.IntN(3)))
	}
	if one(r, 3) {
		d.Kind = pick(r, kinds...)
	}
	if one(r, 3) {
		d.Role = pick(r, "user", "assistant")
	}
	if one(r, 3) {
		d.Priority = int64(r.IntN(10))
	}
	if one(r, 2) {
		d.Content = engine.Text(pick(r, "Hello", "line one\nline two\n", "error: no"))
	}
	if one(r, 4) {
		if v, err := engine.JSON([]byte(g.value())); err == nil {
			d.Members = map[string]engine.Value{pick(r, "status", "n"): v}
		}
	}
	if levels > 0 && one(r, 4) {
		d.Type = pick(r, "cont", "seg", "cont:section")
		for range 1 + r.IntN(3) {
			d.Children = append(d.Children, g.draft(levels-1))
		}
	}
	return d
}
