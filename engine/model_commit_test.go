package engine_test

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// stays reports whether a node is never removed.
func (m *model) stays(n *mnode) bool {
	return n.isRegion() || n.base() == "seg" || n.base() == "cont" && n.offset == 0 && (n.up == m.region(2) || n.up.base() == "seg")
}

// tryRemove removes a subtree unless something keeps it.
func (m *model) tryRemove(n *mnode) bool {
	return m.tryRemoveAll(m.group(n))
}

func (m *model) tryRemoveAll(gone map[*mnode]bool) bool {
	for x := range gone {
		if m.stays(x) || x.pinned || m.holds[x.id] > 0 || m.refsTo(x.id, gone) > 0 {
			return false
		}
	}
	m.remove(gone)
	return true
}

// cascade removes the removable containers that are empty and that nothing keeps.
func (m *model) cascade() bool {
	changed := false
	for i := 0; i < len(m.emptied); i++ {
		if n := m.find(m.emptied[i]); n != nil && n.removable && n.empty(nil) && m.tryRemove(n) {
			changed = true
		}
	}
	return changed
}

func (m *model) commit(seal bool, by int) {
	m.why = "expired"
	defer func() { m.why = "deleted" }()
	for changed := true; changed; {
		changed = false
		for _, n := range m.root.all() {
			if !n.isMarker() && n.ttl != nil && n.expires <= m.cycle && m.find(n.id) == n && m.tryRemove(n) {
				changed = true
			}
		}
		changed = m.cascade() || changed
		if !changed {
			changed = m.expirePairs()
		}
	}
	m.pruneHead(seal)
	sealed := false
	if seal {
		sealed = m.seal()
	}
	if m.policy != nil {
		m.shrink(by)
		m.why = "pruned"
		m.prune()
		if kids := m.region(1).kids; sealed {
			newest := kids[len(kids)-1] // with nothing but what sealing added
			if core := newest.kids[0]; len(newest.all()) == 2 && core.cycle == m.cycle && core.index > newest.index {
				m.unhang(newest)
			}
		}
		for m.cascade() {
		}
	}
	m.emptied = slices.DeleteFunc(m.emptied, func(id string) bool {
		n := m.find(id)
		return n == nil || !n.removable || !n.empty(nil)
	})
}

// expirePairs removes pairs of expired nodes that keep only each other.
func (m *model) expirePairs() bool {
	if m.policy == nil || m.policy.Pair == nil {
		return false // the nodes of the model are no calls
	}
	var due []*mnode
	for _, n := range m.root.all() {
		if !n.isRegion() && !n.isMarker() && n.ttl != nil && n.expires <= m.cycle {
			due = append(due, n)
		}
	}
	var pairs [][]*mnode
	now := map[string]int{}
	for _, n := range due {
		text, _ := engineText(n.content)
		id, begins := pairOf(text)
		if at, ok := now[id]; id != "" && ok && !begins {
			pairs[at] = append(pairs[at], n)
		} else if id != "" {
			now[id] = len(pairs)
			pairs = append(pairs, []*mnode{n})
		}
	}
	changed := false
	for _, pair := range pairs {
		gone := map[*mnode]bool{}
		for _, n := range pair {
			maps.Copy(gone, m.group(n))
		}
		if len(pair) > 1 && m.tryRemoveAll(gone) {
			changed = true
		}
	}
	return changed
}

// seal turns the head into a segment. It reports whether there was anything to seal.
func (m *model) seal() bool {
	if head := m.region(2); len(head.kids) > 0 {
		seg := m.alloc("", m.name("seg"))
		core := m.headCore()
		kids := head.kids
		head.kids = nil
		if core == nil {
			core = m.alloc("", m.name("cont"))
			m.hang(seg, core)
		}
		for _, k := range kids {
			if k.offset == 0 && k != core {
				m.hang(core, k)
			} else {
				m.hang(seg, k)
			}
		}
		m.hang(m.region(1), seg)
		return true
	}
	return false
}

// pruneHead applies the limits on ^ah, before it is sealed.
func (m *model) pruneHead(sealing bool) {
	if m.policy == nil || sealing && m.policy.KeepSegments > 0 {
		return
	}
	m.why = "pruned"
	for _, l := range m.policy.Limits {
		if l.Scope == engine.ScopeRegion && l.Region == engine.RegionHead {
			for m.over(m.region(2), l) && m.pruneOne(m.region(2)) {
			}
		}
	}
}

// prune removes one node after another, and looks at the whole tree each time.
func (m *model) prune() {
	for _, l := range m.policy.Limits {
		if l.Scope == engine.ScopeRegion && l.Region == engine.RegionHead {
			continue
		}
		scopes := []*mnode{m.root}
		switch l.Scope {
		case engine.ScopeRegion:
			scopes = []*mnode{m.region(int(l.Region))}
		case engine.ScopeSegment:
			scopes = m.region(1).kids
		}
		for _, scope := range scopes {
			for m.over(scope, l) && m.pruneOne(scope) {
			}
		}
	}
}

func (m *model) over(scope *mnode, l engine.Limit) bool {
	nodes, tokens := 0, 0
	for _, n := range scope.all() {
		if !n.isRegion() {
			nodes++
			tokens += m.shown(n)
		}
	}
	return l.Nodes > 0 && nodes > l.Nodes || l.Tokens > 0 && tokens > l.Tokens
}

func engineText(content string) (string, bool) {
	var s string
	err := json.Unmarshal([]byte(content), &s)
	return s, err == nil
}

func (m *model) pruneOne(scope *mnode) bool {
	list := scope.all()
	slices.SortFunc(list, func(a, b *mnode) int {
		return cmp.Or(cmp.Compare(a.priority, b.priority), cmp.Compare(a.ns, b.ns), cmp.Compare(a.id, b.id))
	})
	for _, n := range list {
		if !n.empty(nil) || n.isRegion() || n.isMarker() {
			continue
		}
		if d := m.depth(n); d > 0 && d <= m.policy.KeepSegments || m.keeps(n) {
			continue
		}
		if m.take(n) {
			return true
		}
	}
	return false
}

// take removes a node with its pair, and the containers that become empty.
func (m *model) take(n *mnode) bool {
	var list, ups []*mnode
	gone := map[*mnode]bool{}
	for _, x := range m.together(n) {
		d := m.depth(x)
		if !x.empty(nil) || d > 0 && d <= m.policy.KeepSegments || m.keeps(x) {
			return false
		}
		list, ups = append(list, x), append(ups, x.up)
		maps.Copy(gone, m.group(x))
	}
	if !m.tryRemoveAll(gone) {
		return false
	}
	for i := range list {
		up := ups[i]
		if m.find(up.id) == up && !up.isRegion() && up.empty(nil) && up.removable {
			m.take(up)
		}
	}
	return true
}

// pairOf pairs nodes by the length of their contents.
func pairOf(text string) (id string, begins bool) {
	if len(text) == 0 || len(text) > 7 {
		return "", false
	}
	return fmt.Sprint(len(text) % 3), len(text)%2 == 0
}

// together returns the nodes that are removed with n.
func (m *model) together(n *mnode) []*mnode {
	var pair []*mnode
	if m.policy.Pair == nil {
		return []*mnode{n}
	}
	text, _ := engineText(n.content)
	id, _ := pairOf(text)
	found := false
	for _, x := range m.root.all() {
		text, _ := engineText(x.content)
		other, begins := pairOf(text)
		if x.isRegion() || x.isMarker() || other == "" || other != id {
			continue
		}
		if begins && !found {
			pair = nil
		} else if begins {
			break
		}
		found = found || x == n
		pair = append(pair, x)
	}
	if !found {
		return []*mnode{n}
	}
	return pair
}

func (m *model) startCycle(newHead bool) {
	m.cycle++
	m.index = 0
	for key, s := range m.cadence {
		if m.cycle > s.first && (m.cycle-s.first)%s.every == 0 {
			m.due[key] = true
		}
	}
	if newHead {
		m.instances()
	}
}

// instances puts the instances of the cadences that are due into the head.
func (m *model) instances() {
	for _, key := range slices.Sorted(maps.Keys(m.due)) {
		delete(m.due, key)
		s := m.cadence[key]
		parent := m.region(2)
		second := s.node.base() == "cont" && s.node.offset == 0
		if core := m.headCore(); core != nil && (s.core || second) {
			parent = core
		} else if s.core {
			parent = m.alloc("", m.name("cont"))
			m.hang(m.region(2), parent)
		}
		m.hang(parent, m.instance(s.node))
	}
}

func (m *model) instance(t *mnode) *mnode {
	n := m.alloc("", t.typ)
	i := *t
	i.id, i.cycle, i.ns, i.index, i.iso, i.kids, i.up = n.id, n.cycle, n.ns, n.index, n.iso, nil, nil
	if i.from = m.cycle; t.ttl != nil {
		i.expires = m.cycle + t.expires - t.from
	}
	i.refs = slices.DeleteFunc(slices.Clone(t.refs), func(id string) bool { return m.find(id) == nil })
	if t.refs != nil && i.refs == nil {
		i.refs = []string{}
	}
	for _, k := range t.kids {
		m.hang(&i, m.instance(k))
	}
	return &i
}
