package engine_test

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

func (m *model) byAge() []*mnode {
	list := m.root.all()
	slices.SortFunc(list, compareAge)
	return list
}

// compareAge compares nodes by when they were made. The instant of a node says where it is.
func compareAge(a, b *mnode) int {
	return cmp.Or(cmp.Compare(a.cycle, b.cycle), cmp.Compare(a.index, b.index))
}

func (m *model) noteEmptied(n *mnode) {
	if n.up.removable && n.up.empty(n) {
		m.emptied = append(m.emptied, n.up.id)
	}
}

func (m *model) resolve(o op) (*mnode, engine.Code) {
	if o.key == "" {
		if n := m.find(o.target); n != nil {
			return n, ""
		}
		return nil, engine.ErrNotFound
	}
	var found []*mnode
	for _, n := range m.root.all() {
		if n.key == o.key {
			found = append(found, n)
		}
	}
	switch len(found) {
	case 0:
		return nil, engine.ErrNotFound
	case 1:
		return found[0], ""
	}
	for _, n := range found {
		if m.first(n) != m.first(found[0]) {
			return nil, engine.ErrAmbiguousKey
		}
	}
	return slices.MaxFunc(found, compareAge), ""
}

// versions returns a node and its overlays with its key, oldest first.
func (m *model) versions(n *mnode) []*mnode {
	if n.key == "" {
		return []*mnode{n}
	}
	var list []*mnode
	for _, x := range m.byAge() {
		if x.key == n.key && m.first(x) == m.first(n) {
			list = append(list, x)
		}
	}
	return list
}

// first returns the original of a node, of that, and so on, as long as they have its key.
func (m *model) first(n *mnode) *mnode {
	for o := m.original(n); o != nil && n.key != "" && o.key == n.key; o = m.original(n) {
		n = o
	}
	return n
}

// original returns the node of which n is an overlay.
func (m *model) original(n *mnode) *mnode {
	if n.isRegion() || n.up.up != m.region(1) || n.base() != "block" || n.offset == 0 || len(n.refs) != 1 || n.isMarker() {
		return nil
	}
	for _, o := range n.up.all() {
		if o.id == n.refs[0] && !o.isMarker() && compareAge(o, n) < 0 {
			return o
		}
	}
	return nil
}

func (m *model) annotate(n *mnode, d engine.Draft) engine.Code {
	offset := d.Offset
	if offset <= 0 {
		offset = 1
	}
	seg := m.segment(m.depth(n))
	a, code := m.make(d, offset)
	m.hang(seg, a)
	return code
}

func (m *model) delete(o op) engine.Code {
	n, code := m.resolve(o)
	switch {
	case code != "":
		return code
	case n.isRegion():
		return engine.ErrPlacement
	case m.regionOf(n) == m.region(1):
		if n.isMarker() {
			return engine.ErrSealed
		}
		list := slices.DeleteFunc(m.versions(n), func(v *mnode) bool { return v == n || v.isMarker() })
		for _, v := range append([]*mnode{n}, list...) {
			m.annotate(v, engine.Draft{Type: "redaction", Refs: []string{v.id}})
		}
		return ""
	case n.isMarker() && n.cycle != m.cycle:
		return engine.ErrSealed
	}
	gone := m.group(n)
	for x := range gone {
		if m.holds[x.id] > 0 || m.refsTo(x.id, gone) > 0 {
			return engine.ErrReferenced
		}
	}
	m.remove(gone)
	return ""
}

// group returns the nodes that are removed with a node: its subtree, except markers of other nodes,
// and the markers of these nodes.
func (m *model) group(n *mnode) map[*mnode]bool {
	gone := map[*mnode]bool{n: true}
	for _, x := range n.all() {
		if !x.isMarker() {
			gone[x] = true
		}
	}
	for _, x := range m.root.all() { // a marker cannot have a marker
		if id, ok := x.target(); ok && gone[m.find(id)] {
			gone[x] = true
		}
	}
	return gone
}

// remove removes a group. Markers in it that stay move up.
func (m *model) remove(gone map[*mnode]bool) {
	var orphans []*mnode
	for _, x := range m.root.all() {
		lives := x
		if id, ok := x.target(); ok {
			lives = m.find(id)
		}
		isOver := m.why == "expired" && lives.ttl != nil && lives.expires <= m.cycle // its ttl shows why it left
		if gone[x] && x.cycle != m.cycle && !isOver {
			m.causes[x.id] = m.why
		}
		if x.up != nil && !gone[x] && gone[x.up] {
			orphans = append(orphans, x)
		}
	}
	for _, x := range orphans {
		up := x.up
		for gone[up] {
			up = up.up
		}
		m.unhang(x)
		if x.offset == 0 && (up.base() == "seg" || up == m.region(2)) {
			x.offset = 1
		}
		m.hang(up, x)
	}
	for _, x := range m.root.all() {
		if gone[x] {
			up := x.up
			m.unhang(x)
			if !gone[up] && up.removable && up.empty(nil) {
				m.emptied = append(m.emptied, up.id)
			}
		}
	}
}

// refsTo counts the references to a node from outside a set, except those of markers.
func (m *model) refsTo(id string, except map[*mnode]bool) int {
	count := 0
	for _, n := range m.root.all() {
		for _, ref := range n.refs {
			if ref == id && !except[n] && !n.isMarker() {
				count++
			}
		}
	}
	return count
}

func (m *model) replace(o op) engine.Code {
	n, code := m.resolve(o)
	d := o.draft
	if code != "" {
		return code
	}
	for _, ref := range d.Refs {
		if m.find(ref) == nil {
			return engine.ErrNotFound
		}
	}
	probe := &mnode{typ: cmp.Or(d.Type, "block")}
	switch {
	case n.isRegion():
		return engine.ErrPlacement
	case m.regionOf(n) == m.region(1):
		if probe.base() != "block" {
			return engine.ErrPlacement
		}
		original, marks := n, probe.typ == "redaction"
		if !marks {
			d.Key = cmp.Or(d.Key, n.key)
		}
		isVersion := !marks && d.Key != "" && d.Key == n.key && !n.isMarker()
		if isVersion {
			original = m.first(n)
		}
		for _, ref := range d.Refs {
			if ref != n.id && ref != original.id {
				return engine.ErrPlacement
			}
		}
		if isVersion {
			for _, x := range m.versions(original)[1:] {
				m.tryRemoveAll(m.group(x))
			}
		} else if d.Key != "" {
			if code := m.makeWay(d.Key, m.depth(n), false); code != "" {
				return code
			}
		}
		n, d.Refs = original, []string{original.id}
		return m.annotate(n, d)
	}
	typ := cmp.Or(d.Type, n.typ)
	switch {
	case d.ID != "" && d.ID != n.id, (&mnode{typ: typ}).base() != n.base():
		return engine.ErrPlacement
	case slices.Contains(d.Refs, n.id):
		return engine.ErrCycleDetected
	}
	if n.isMarker() && n.cycle != m.cycle {
		return engine.ErrSealed
	}
	d.Key = cmp.Or(d.Key, n.key)
	if m.depth(n) == 0 && d.Key != "" {
		n.key = ""
		if code := m.makeWay(d.Key, 0, false); code != "" {
			return code
		}
		if m.depth(n) != 0 {
			return engine.ErrOverlap
		}
	}
	n.typ = typ
	if code := m.fill(n, d); code != "" {
		return code
	}
	if n.isMarker() && slices.ContainsFunc(m.root.all(), func(x *mnode) bool { id, ok := x.target(); return ok && id == n.id }) {
		return engine.ErrPlacement
	}
	for _, x := range m.markersOf(n) {
		if x.kind == "cleared" && (m.holds[x.id] > 0 || m.refsTo(x.id, nil) > 0) {
			return engine.ErrReferenced
		}
		if x.kind == "cleared" && x.cycle != m.cycle {
			m.causes[x.id] = "deleted"
		}
	}
	m.removeStandIns([]string{n.id})
	m.schedule(n, n.up == m.headCore())
	return ""
}

func (m *model) move(o op) engine.Code {
	n, code := m.resolve(o)
	if code != "" {
		return code
	}
	return m.relocate(n, o)
}

func (m *model) relocate(n *mnode, o op) engine.Code {
	switch {
	case n.isRegion() || n.base() == "seg" || n.isMarker():
		return engine.ErrPlacement
	case m.inCore(n):
		return engine.ErrSealed
	}
	if o.before != "" {
		return engine.ErrPlacement
	}
	if o.inCore && n == m.headCore() {
		return engine.ErrCycleDetected
	}
	if to := m.find(o.parent); to != nil && slices.Contains(n.all(), to) {
		return engine.ErrCycleDetected
	}
	p, code := m.locate(o, n.base())
	if code != "" {
		return code
	}
	if m.regionOf(n) == m.region(1) && p.depth <= 0 {
		return engine.ErrSealed
	}
	for up := n.up; !up.isRegion(); up = up.up {
		inside := p.parent != nil && slices.Contains(up.all(), p.parent)
		for _, x := range m.root.all() {
			if id, ok := x.target(); ok && id == up.id && !inside {
				return engine.ErrSealed
			}
		}
	}
	if p.depth >= 0 {
		isOverlay := m.original(n) != nil
		stays := !p.splice && p.depth > 0 && m.depth(n) == p.depth && (!isOverlay || p.parent == m.segment(p.depth) && p.offset != 0)
		for _, x := range n.all() {
			for _, y := range m.root.all() {
				if x.key == "" || y == x || y.key != x.key || y.isRegion() || m.depth(y) < 0 {
					continue
				}
				d := m.depth(y)
				if p.splice && d >= p.depth {
					d++
				}
				if slices.Contains(n.all(), y) {
					d = p.depth
				}
				ageX, ageY := x, m.first(y)
				if stays {
					ageX = m.first(x)
				} else if slices.Contains(n.all(), ageY) {
					ageY = y
				}
				if age := compareAge(ageY, ageX); age < 0 && d <= p.depth || age > 0 && d >= p.depth {
					return engine.ErrOverlap
				}
			}
		}
	}
	if p.splice {
		seg := m.alloc("", m.name("seg"))
		up := seg
		if n.base() == "block" {
			up = m.alloc("", m.name("cont"))
			m.hang(seg, up)
		}
		m.noteEmptied(n)
		m.unhang(n)
		n.offset = 0
		m.hang(up, n)
		return m.hangSegment(seg, p.depth)
	}
	if p.core {
		c := m.alloc("", m.name("cont"))
		m.hang(m.region(2), c)
		p.parent = c
	}
	m.noteEmptied(n)
	m.unhang(n)
	n.offset = p.offset
	m.hang(p.parent, n)
	return ""
}
