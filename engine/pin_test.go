package engine_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestPin: a pinned node outlives its ttl and a policy, until it is unpinned (E90).
func TestPin(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	ttl := int64(1)
	n, err := c.Insert(engine.AtDepth(0, 1), engine.Draft{Role: "user", Content: engine.Text("kept"), TTL: &ttl})
	if err != nil {
		t.Fatal(err)
	}
	before := n.Header("content").String() + n.Header("ttl").String() + n.Header("created_at_ns").String()
	if n, err = c.Pin(engine.ByID(n.ID()), true); err != nil || !n.Pinned() || n.Header("pinned").String() != "true" {
		t.Fatalf("%v: %v", n.Header("pinned"), err)
	}
	if after := n.Header("content").String() + n.Header("ttl").String() + n.Header("created_at_ns").String(); after != before {
		t.Errorf("%s became %s", before, after)
	}
	for range 3 {
		if _, err := c.Step(); err != nil {
			t.Fatal(err)
		}
	}
	if _, ok := c.Working().Find(n.ID()); !ok {
		t.Error("a pinned node expired")
	}
	if n, err = c.Pin(engine.ByID(n.ID()), false); err != nil || n.Pinned() || !n.Header("pinned").IsZero() {
		t.Errorf("%v: %v", n.Header("pinned"), err)
	}
	if _, err := c.Step(); err != nil {
		t.Fatal(err)
	}
	if _, ok := c.Working().Find(n.ID()); ok {
		t.Error("an unpinned node did not expire")
	}
	m, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Role: "user"})
	if err == nil {
		_, err = c.Commit()
	}
	if err != nil {
		t.Fatal(err)
	}
	if _, err := c.Pin(engine.ByID(m.ID()), true); !errors.Is(err, engine.ErrSealed) {
		t.Errorf("a sealed node: %v", err)
	}
	if _, err := c.Pin(engine.ByID("^sys"), true); err == nil {
		t.Error("a region was pinned")
	}
}

// TestSetPolicy: another policy applies from the next commit on.
func TestSetPolicy(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for range 3 {
		if _, err := c.Insert(engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text(strings.Repeat("word ", 20))}); err != nil {
			t.Fatal(err)
		}
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
	}
	sixty := func(n engine.Node) int {
		if n.Base() == engine.BaseBlock {
			return 60
		}
		return 0
	}
	for _, limit := range []struct {
		policy *engine.Policy
		blocks int
	}{{nil, 3}, {&engine.Policy{Limits: []engine.Limit{{Tokens: 60}}}, 2}, {&engine.Policy{Limits: []engine.Limit{{Tokens: 60}}, Tokens: sixty}, 1}, {nil, 1}} {
		c.SetPolicy(limit.policy)
		s, err := c.Step()
		if err != nil {
			t.Fatal(err)
		}
		blocks := 0
		for n := range s.All() {
			if n.Base() == engine.BaseBlock {
				blocks++
			}
		}
		if blocks != limit.blocks {
			t.Errorf("%d blocks, want %d", blocks, limit.blocks)
		}
	}
}
