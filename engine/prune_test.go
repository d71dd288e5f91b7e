package engine_test

import (
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestPolicyScopes applies each scope and unit of a limit to the same tree: two segments with four
// texts each, and one text in ^sys. With the second commit these are thirteen nodes: sys, seg and
// cont with a b c d, and seg and cont with e f g h.
func TestPolicyScopes(t *testing.T) {
	// Four bytes are one token, so each text has one or two.
	tokens := func(n engine.Node) int {
		text, _ := n.Content().Text()
		return len(text) / 4
	}
	tests := []struct {
		name   string
		policy engine.Policy
		want   string // what is left, segment by segment
	}{
		{"none", engine.Policy{}, "sys | a b c d | e f g h"},
		{"nodes of the tree", engine.Policy{Limits: []engine.Limit{{Nodes: 9}}}, "sys | d | e f g"},
		{"tokens of the tree", engine.Policy{Limits: []engine.Limit{{Tokens: 8}}}, "sys | b c d | e f g"},
		{"nodes of the sequence", engine.Policy{Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionSeq, Nodes: 5}}}, "sys |  | g"},
		{"tokens of ^sys", engine.Policy{Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionSys, Tokens: 1}}}, " | a b c d | e f g h"},
		{"each segment", engine.Policy{Limits: []engine.Limit{{Scope: engine.ScopeSegment, Nodes: 4}}}, "sys | b d | f g"},
		{"the head", engine.Policy{Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionHead, Nodes: 3}}}, "sys | b d | f g"},
		{"protected", engine.Policy{KeepSegments: 1, Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionSeq, Nodes: 1}}}, "sys |  | e f g h"},
		{"two limits", engine.Policy{Limits: []engine.Limit{{Scope: engine.ScopeRegion, Region: engine.RegionSys, Tokens: 1}, {Nodes: 9}}}, " | b d | e f g"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			test.policy.Tokens = tokens
			c, err := engine.New(engine.Options{System: true, Clock: steady().Clock, Policy: &test.policy})
			if err != nil {
				t.Fatal(err)
			}
			add := func(depth int, id, text string, priority int64) {
				d := engine.Draft{ID: id, Content: engine.Text(text), Priority: priority}
				if _, err := c.Insert(engine.AtDepth(depth, 0), d); err != nil {
					t.Fatal(err)
				}
			}
			add(-1, "sys", "eight by", 9)
			for i, id := range strings.Split("abcd", "") {
				add(0, id, "four", []int64{0, 2, 1, 2}[i])
			}
			engineCommit(t, c)
			for i, id := range strings.Split("efgh", "") {
				add(0, id, "four", []int64{2, 2, 2, 0}[i])
			}
			s := engineCommit(t, c)
			if got := blocks(s); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

func engineCommit(t *testing.T, c *engine.Context) *engine.Snapshot {
	t.Helper()
	s, err := c.Commit()
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// blocks returns the blocks of ^sys and of each segment.
func blocks(s *engine.Snapshot) string {
	var parts []string
	list := func(n engine.Node) {
		var ids []string
		var walk func(engine.Node)
		walk = func(n engine.Node) {
			if n.Base() == engine.BaseBlock {
				ids = append(ids, n.ID())
			}
			for k := range n.Children() {
				walk(k)
			}
		}
		walk(n)
		parts = append(parts, strings.Join(ids, " "))
	}
	if sys, ok := s.Region(engine.RegionSys); ok {
		list(sys)
	}
	if seq, ok := s.Region(engine.RegionSeq); ok {
		for seg := range seq.Children() {
			list(seg)
		}
	}
	return strings.Join(parts, " | ")
}

// TestPruneReveals removes an overlay by a limit on tokens. The version that it hides is shown
// then, so it counts, and has to go as well.
func TestPruneReveals(t *testing.T) {
	c, err := engine.New(engine.Options{Clock: steady().Clock})
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range []engine.Draft{
		{ID: "old", Key: "note", Priority: 1, Content: engine.Text(strings.Repeat("x", 24))},
		{ID: "kept", Priority: 2, Content: engine.Text(strings.Repeat("x", 20))},
	} {
		if _, err := c.Insert(engine.AtDepth(0, 1), d); err != nil {
			t.Fatal(err)
		}
	}
	engineCommit(t, c)
	if _, err := c.Replace(engine.ByID("old"), engine.Draft{ID: "new", Content: engine.Text("x")}); err != nil {
		t.Fatal(err)
	}
	c.SetPolicy(&engine.Policy{Limits: []engine.Limit{{Tokens: 5}}})
	s := engineCommit(t, c)
	if got, want := blocks(s), " | kept"; !strings.Contains(got, want) {
		t.Errorf("left %q, want %q", got, want)
	}
}
