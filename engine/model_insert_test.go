package engine_test

import (
	"cmp"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// mplace is where a node is put: under a parent, or in a new segment at a depth.
type mplace struct {
	parent *mnode
	depth  int
	offset int64
	ns     int64 // 0: that of the clock
	core   bool
	splice bool
}

func (m *model) locate(o op, base string) (mplace, engine.Code) {
	switch {
	case o.before != "":
		return m.locateBefore(o, base)
	case o.inCore && base == "seg":
		return mplace{}, engine.ErrPlacement
	case o.inCore:
		core := m.headCore()
		return mplace{parent: core, offset: o.offset, core: core == nil}, ""
	}
	if o.parent != "" {
		n := m.find(o.parent)
		switch {
		case n == nil:
			return mplace{}, engine.ErrNotFound
		case base == "seg":
			return mplace{}, engine.ErrPlacement
		case n == m.root || n == m.region(1):
			return mplace{}, engine.ErrInvalidParent
		case n.isRegion():
			o.parent = ""
			o.depth = m.depth(n)
			return m.locate(o, base)
		case n.base() == "block":
			return mplace{}, engine.ErrParentNotContainer
		case m.regionOf(n) == m.region(1) && (m.inCore(n) || n.up == m.region(1) && o.offset == 0):
			return mplace{}, engine.ErrSealed
		}
		return mplace{parent: n, depth: m.depth(n), offset: o.offset}, ""
	}
	switch {
	case o.depth < -1:
		return mplace{}, engine.ErrNotFound
	case o.depth == -1 && base == "seg":
		return mplace{}, engine.ErrPlacement
	case o.depth == -1:
		return mplace{parent: m.region(0), depth: -1, offset: o.offset}, ""
	case o.depth == 0:
		p := mplace{parent: m.region(2), offset: o.offset}
		core := m.headCore()
		switch {
		case base == "seg", base == "cont" && o.offset == 0 && core != nil:
			return p, engine.ErrPlacement
		case base == "block" && o.offset == 0 && core != nil:
			p.parent = core
		case base == "block" && o.offset == 0:
			p.core = true
		}
		return p, ""
	}
	p := mplace{depth: o.depth, offset: o.offset, splice: base == "seg" || o.offset == 0}
	n := len(m.region(1).kids)
	if base == "seg" && o.offset != 0 {
		return p, engine.ErrPlacement
	}
	if o.depth > n+1 || !p.splice && o.depth > n {
		return p, engine.ErrNotFound
	}
	if !p.splice {
		p.parent = m.segment(o.depth)
	}
	return p, ""
}

// locateBefore finds an instant before a node by trying all of them.
func (m *model) locateBefore(o op, base string) (mplace, engine.Code) {
	n := m.find(o.before)
	switch {
	case n == nil:
		return mplace{}, engine.ErrNotFound
	case n.isRegion():
		return mplace{}, engine.ErrInvalidParent
	case n.up == m.region(2) && n.offset == 0:
		return mplace{}, engine.ErrPlacement
	}
	p, code := m.locate(op{parent: n.up.id, offset: n.offset}, base)
	if code != "" {
		return p, code
	}
	low := int64(0)
	if at := slices.Index(n.up.kids, n); at > 0 {
		if before := n.up.kids[at-1]; before.offset == n.offset || before.ns < n.ns {
			low = before.ns
		}
	}
	isFree := func(ns int64) bool {
		return !slices.ContainsFunc(m.root.all(), func(x *mnode) bool { return x.cycle == m.cycle && x.ns == ns })
	}
	mid := low + (n.ns-low)/2
	for _, way := range []int64{1, -1} {
		for ns := mid; ns > low && ns < n.ns; ns += way {
			if isFree(ns) {
				p.ns = ns
				return p, ""
			}
		}
	}
	return p, engine.ErrNoRoom
}

// op is a step of both the engine and the model.
type op struct {
	kind   string
	target string
	key    string // target by key
	parent string
	depth  int
	offset int64
	before string // the position before a node
	inCore bool   // the position in the core of the head
	draft  engine.Draft
	side   bool // of a commit or step
}

func (m *model) insert(o op) engine.Code {
	d := o.draft
	for _, ref := range d.Refs {
		if m.find(ref) == nil {
			return engine.ErrNotFound
		}
	}
	probe := &mnode{typ: cmp.Or(d.Type, "block")}
	p, code := m.locate(o, probe.base())
	if code != "" {
		return code
	}
	if p.depth >= 0 && d.Key != "" {
		if code := m.makeWay(d.Key, p.depth, p.splice); code != "" {
			return code
		}
		before := p.depth
		if p, code = m.locate(o, probe.base()); code != "" {
			return code
		}
		if p.depth != before {
			return engine.ErrOverlap
		}
	}
	core := false
	switch {
	case p.splice:
		return m.splice(p, d, probe.base())
	case p.core:
		c := m.alloc("", m.name("cont"))
		m.hang(m.region(2), c)
		p.parent = c
	}
	core = p.parent == m.headCore()
	n, code := m.make(d, p.offset)
	if code != "" {
		return code
	}
	if p.ns != 0 {
		n.ns, n.iso = p.ns, isoOf(p.ns)
	}
	m.hang(p.parent, n)
	m.schedule(n, core)
	return ""
}

func (m *model) make(d engine.Draft, offset int64) (*mnode, engine.Code) {
	n := m.alloc(d.ID, cmp.Or(d.Type, m.name("block")))
	n.offset = offset
	n.removable = d.Removable
	return n, m.fill(n, d)
}

// fill does not set what a replacement must not change.
func (m *model) fill(n *mnode, d engine.Draft) engine.Code {
	n.key, n.priority, n.pinned = d.Key, d.Priority, d.Pinned
	n.content, n.kind, n.role = d.Content.String(), d.Kind, d.Role
	n.ttl, n.cad = d.TTL, d.Cad
	n.refs = slices.Clone(d.Refs)
	if d.TTL != nil {
		n.expires, n.from = m.cycle+*d.TTL, m.cycle
	}
	if id, ok := n.target(); ok {
		n.ttl = nil // it shows that of its target
		if t := m.find(id); t.isRegion() || t.isMarker() {
			return engine.ErrPlacement
		}
	}
	return ""
}

func (m *model) schedule(n *mnode, core bool) {
	if n.cad != nil {
		core = core || n.base() == "block" && n.offset == 0
		template := n.clone(nil)
		for _, x := range template.all() {
			x.from = max(x.from, m.cycle-1)
			x.expires = max(x.expires, x.from)
		}
		m.cadence[n.key] = msched{m.cycle, *n.cad, core, template}
		delete(m.due, n.key)
	}
}

func (m *model) splice(p mplace, d engine.Draft, base string) engine.Code {
	seg := m.alloc("", m.name("seg"))
	up := seg
	if base != "cont" {
		up = m.alloc("", m.name("cont"))
		m.hang(seg, up)
	}
	n, code := m.make(d, 0)
	if code != "" {
		return code
	}
	m.hang(up, n)
	m.schedule(n, base == "block")
	return m.hangSegment(seg, p.depth)
}

func (m *model) hangSegment(seg *mnode, depth int) engine.Code {
	if depth > 1 {
		kids := m.region(1).kids
		at := len(kids) - depth + 1
		low, high := int64(0), kids[at].ns
		if at > 0 {
			low = kids[at-1].ns
		}
		mid := low + (high-low)/2
		if mid == low || mid == high {
			return engine.ErrNoRoom
		}
		seg.ns, seg.iso = mid, isoOf(mid)
	}
	m.hang(m.region(1), seg)
	return ""
}

// makeWay demotes or refuses (ODI).
func (m *model) makeWay(key string, depth int, splice bool) engine.Code {
	for _, n := range m.byAge() {
		if n.key != key || n.isRegion() {
			continue
		}
		d := m.depth(n)
		if d < 0 || d > depth || splice && d == depth {
			continue
		}
		newest := m.segment(1)
		if d > 0 || depth > 0 || newest == nil {
			return engine.ErrOverlap
		}
		if m.relocate(n, op{parent: newest.id, offset: max(n.offset, 1)}) != "" {
			return engine.ErrOverlap
		}
	}
	return ""
}
