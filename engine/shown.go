package engine

import (
	"slices"

	"github.com/pactkit/pactkit/internal/tree"
)

// StandIns returns the redaction markers whose content renderings show in place of that of their
// target, by the id of the target (E81). If a node has several markers, the newest counts, unless
// one has no content: then the node has none. Nodes in redacted containers have no stand-ins. The
// cost is a pass over the tree.
func (s *Snapshot) StandIns() map[string]Node {
	var list map[string]Node
	blank, marked := map[string]bool{}, map[string]bool{}
	for n := range s.All() {
		id, ok := n.rec().Marks()
		marked[id] = ok
		switch {
		case !ok:
		case n.rec().Content == "":
			blank[id] = true
		default:
			if list == nil {
				list = map[string]Node{}
			}
			if old, again := list[id]; !again || tree.CompareAge(old.rec(), n.rec()) < 0 {
				list[id] = n
			}
		}
	}
	for id := range list {
		n, ok := s.Find(id)
		for up, more := n, ok; more; up, more = up.Parent() {
			if blank[up.ID()] || marked[up.ID()] && up != n {
				ok = false
			}
		}
		if !ok || n.Base() != BaseBlock {
			delete(list, id)
		}
	}
	return list
}

// isStandIn reports whether a policy made a redaction marker.
func isStandIn(r *tree.Record) bool {
	return r.IsMarker() && slices.Contains(standInKinds[:], r.Kind)
}

// standInKinds are the kinds of the markers that policies make, which are the causes of the change.
var standInKinds = [...]string{CauseCleared, CauseTruncated, CauseDeduplicated}

// hides reports whether a rendering of s does not show the content of n, because n, a container
// around it, or what n stands for is redacted, or because something newer is shown instead.
func (l *ledger) hides(s *Snapshot, n Node) bool {
	if n.region() == tree.RegionTop {
		return false
	}
	if target, ok := n.rec().Marks(); ok {
		t, found := s.Find(target)
		return !found || l.covers(t) || l.isOutdated(s, t) || slices.ContainsFunc(l.markers[target], func(id string) bool {
			m, ok := s.Find(id)
			return ok && (m.rec().Content == "" || tree.CompareAge(m.rec(), n.rec()) > 0)
		})
	}
	return len(l.markers[n.ID()]) > 0 || l.covers(n) || l.isOutdated(s, n)
}

// covers reports whether a container around n is redacted.
func (l *ledger) covers(n Node) bool {
	if len(l.markers) > 0 {
		for up := range n.upward() {
			if up != n && len(l.markers[up.ID()]) > 0 {
				return true
			}
		}
	}
	return false
}

// isOutdated reports whether n has a newer version.
func (l *ledger) isOutdated(s *Snapshot, n Node) bool {
	r := n.rec()
	if r.Key == "" || n.region() != tree.RegionSeq {
		return false
	}
	return slices.ContainsFunc(l.keys[r.Key], func(id string) bool {
		m, ok := s.Find(id)
		return ok && !l.dead[m.rec()] && m.chunk() == n.chunk() && !m.rec().IsMarker() && tree.CompareAge(m.rec(), r) > 0 && m.first() == n.first()
	})
}

// shown returns how many tokens a rendering of s shows of n.
func (l *ledger) shown(s *Snapshot, n Node, p *Policy) int {
	if l.hides(s, n) {
		return 0
	}
	return l.sizes.of(n, p)
}

// count returns how many tokens a rendering of s shows. l must be its ledger.
func (l *ledger) count(s *Snapshot, p *Policy) (sum int) {
	for n := range s.All() {
		if n.region() != tree.RegionTop && n.region() != tree.RegionRest {
			sum += l.shown(s, n, p)
		}
	}
	return sum
}

// sizes remembers the tokens of nodes, whose records do not change.
type sizes map[*tree.Record]int

// maxSizes is how many sizes are remembered. Then all are forgotten, because most may be of nodes
// that are gone.
const maxSizes = 1 << 16

func (known sizes) of(n Node, p *Policy) int {
	if p.Tokens == nil { // as fast as looking it up
		return p.tokens(n)
	}
	size, ok := known[n.rec()]
	if !ok {
		if len(known) >= maxSizes {
			clear(known)
		}
		size = p.tokens(n)
		known[n.rec()] = size
	}
	return size
}

// textTokens returns how many tokens a block with a text would have.
func (p *Policy) textTokens(text Value) int {
	return p.tokens(detached(&tree.Record{Content: text.text}))
}

// textTokens is [Policy.textTokens] with a cache, because many nodes are shown with the same text.
func (c *Context) textTokens(text Value, p *Policy) int {
	n, ok := c.texts[text]
	if !ok {
		if c.texts == nil || len(c.texts) >= maxSizes {
			c.texts = map[Value]int{}
		}
		n = p.textTokens(text)
		c.texts[text] = n
	}
	return n
}

// detached returns a node that is in no tree.
func detached(r *tree.Record) Node {
	return (*Snapshot)(nil).node(tree.RegionSeq, 0, tree.NewChunk(tree.Forest{Recs: []*tree.Record{r}, Levels: []int32{0}}), 0)
}

// usageOf returns the newest call of a timeline whose usage is known, and its snapshot, or nil.
func (t *Timeline) usageOf() (*Snapshot, *Usage) {
	for _, s := range slices.Backward(t.main) {
		if call := s.info().Call; call != nil && call.Usage != nil && call.Usage.Input > 0 {
			return s, call.Usage
		}
	}
	return nil, nil
}

// correction returns what the provider counted in addition to the tokens of the newest snapshot
// whose usage is known (E82). It may be negative. The cost is that of counting that snapshot, once.
func (c *Context) correction(t *Timeline, p *Policy) int {
	s, usage := t.usageOf()
	if s == nil {
		return 0
	}
	if c.corrected != s {
		l := newLedger()
		l.sizes = c.sizes
		for n := range s.All() {
			l.tally(n.rec(), 1)
		}
		c.corrected, c.surplus = s, int(usage.Input)-l.count(s, p)
	}
	return c.surplus
}
