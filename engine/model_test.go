package engine_test

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
)

// model is the engine written for clarity: a tree of pointers that is copied
// as a whole before every step. It shares no code with the engine.
type model struct {
	root      *mnode
	cycle     int64
	ns, index int64
	nextID    int
	holds     map[string]int
	cadence   map[string]msched
	emptied   []string
	given     map[string]bool // ids of the whole history
	policy    *engine.Policy
}

type mnode struct {
	id, typ, key, content, iso string
	offset, priority           int64
	cycle, ns, index           int64
	ttl, cad                   *int64
	expires, from              int64 // meaningful with ttl, which counts from cycle from
	removable, pinned          bool
	refs                       []string
	kids                       []*mnode
	up                         *mnode
}

type msched struct {
	first, every int64
	core         bool
	node         *mnode
}

const modelStart = 1_700_000_000_000_000_000

func newModel() *model {
	m := &model{cycle: 1, ns: modelStart - 1, holds: map[string]int{}, cadence: map[string]msched{}, given: map[string]bool{}}
	m.root = m.alloc("root", "^root")
	for _, r := range []string{"^sys", "^seq", "^ah"} {
		m.hang(m.root, m.alloc(r, r))
	}
	return m
}

func (m *model) clone() *model {
	c := *m
	c.root = m.root.clone(nil)
	c.holds, c.cadence = maps.Clone(m.holds), maps.Clone(m.cadence)
	c.emptied, c.given = slices.Clone(m.emptied), maps.Clone(m.given)
	return &c
}

func (n *mnode) clone(up *mnode) *mnode {
	c := *n
	c.up, c.kids, c.refs = up, nil, slices.Clone(n.refs)
	for _, k := range n.kids {
		c.kids = append(c.kids, k.clone(&c))
	}
	return &c
}

func (m *model) alloc(id, typ string) *mnode {
	m.ns++
	if id == "" {
		m.nextID++
		base := (&mnode{typ: typ}).base()
		id = fmt.Sprintf("%s:%d", base, m.nextID)
	}
	if m.given[id] {
		panic("the id " + id + " is given twice")
	}
	m.given[id] = true
	n := &mnode{id: id, typ: typ, cycle: m.cycle, from: m.cycle, ns: m.ns, index: m.index, iso: isoOf(m.ns)}
	m.index++
	return n
}

func isoOf(ns int64) string {
	return time.Unix(0, ns).UTC().Format("2006-01-02T15:04:05.000000000Z07:00")
}

func (m *model) hang(up, n *mnode) {
	n.up = up
	up.kids = append(up.kids, n)
	if up != m.root {
		slices.SortFunc(up.kids, func(a, b *mnode) int {
			return cmp.Or(cmp.Compare(a.offset, b.offset), cmp.Compare(a.ns, b.ns), cmp.Compare(a.index, b.index), cmp.Compare(a.id, b.id))
		})
	}
}

func (m *model) unhang(n *mnode) {
	n.up.kids = slices.DeleteFunc(n.up.kids, func(k *mnode) bool { return k == n })
	n.up = nil
}

func (n *mnode) base() string {
	switch head, _, _ := strings.Cut(n.typ, ":"); head {
	case "seg", "cont":
		return head
	}
	return "block"
}

// target is the id of what a redaction marker redacts.
func (n *mnode) target() (string, bool) {
	if n.typ == "redaction" && len(n.refs) == 1 {
		return n.refs[0], true
	}
	return "", false
}

func (n *mnode) isMarker() bool {
	_, ok := n.target()
	return ok
}

// empty tells whether a node has no children but markers and those left out.
func (n *mnode) empty(except *mnode) bool {
	return !slices.ContainsFunc(n.kids, func(k *mnode) bool { return k != except && !k.isMarker() })
}

func (n *mnode) isRegion() bool { return n.up == nil || n.up.up == nil }

func (n *mnode) all() []*mnode {
	out := []*mnode{n}
	for _, k := range n.kids {
		out = append(out, k.all()...)
	}
	return out
}

func (m *model) find(id string) *mnode {
	for _, n := range m.root.all() {
		if n.id == id {
			return n
		}
	}
	return nil
}

func (m *model) region(i int) *mnode { return m.root.kids[i] } // ^sys, ^seq, ^ah

func (m *model) regionOf(n *mnode) *mnode {
	for !n.isRegion() {
		n = n.up
	}
	return n
}

// depth is that of a node below a region.
func (m *model) depth(n *mnode) int {
	switch m.regionOf(n) {
	case m.region(0):
		return -1
	case m.region(2):
		return 0
	}
	for n.up != m.region(1) {
		n = n.up
	}
	return len(m.region(1).kids) - slices.Index(m.region(1).kids, n)
}

func (m *model) segment(depth int) *mnode {
	kids := m.region(1).kids
	if depth < 1 || depth > len(kids) {
		return nil
	}
	return kids[len(kids)-depth]
}

// inCore tells whether a node is, or lies in, the child at offset 0 of a segment.
func (m *model) inCore(n *mnode) bool {
	if m.regionOf(n) != m.region(1) || n.up == m.region(1) {
		return false
	}
	for n.up.up != m.region(1) {
		n = n.up
	}
	return n.offset == 0
}

func (m *model) headCore() *mnode {
	for _, k := range m.region(2).kids {
		if k.base() == "cont" && k.offset == 0 {
			return k
		}
	}
	return nil
}

// mplace is where a node goes: a parent, or a new segment at a depth.
type mplace struct {
	parent *mnode
	depth  int
	offset int64
	core   bool
	splice bool
}

func (m *model) locate(o op, base string) (mplace, engine.Code) {
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

// op is one step, for the engine and the model alike.
type op struct {
	kind   string
	target string
	key    string // target by key
	parent string
	depth  int
	offset int64
	draft  engine.Draft
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
		if p, _ = m.locate(o, probe.base()); p.depth != before {
			return engine.ErrOverlap
		}
	}
	core := false
	switch {
	case p.splice:
		return m.splice(p, d, probe.base())
	case p.core:
		c := m.alloc("", "cont")
		m.hang(m.region(2), c)
		p.parent, p.offset = c, 0
	}
	core = p.parent == m.headCore()
	n, code := m.make(d, p.offset)
	if code != "" {
		return code
	}
	m.hang(p.parent, n)
	m.schedule(n, core)
	return ""
}

func (m *model) make(d engine.Draft, offset int64) (*mnode, engine.Code) {
	n := m.alloc(d.ID, cmp.Or(d.Type, "block"))
	n.offset = offset
	n.removable = d.Removable
	return n, m.fill(n, d)
}

// fill leaves alone what a replacement must not change.
func (m *model) fill(n *mnode, d engine.Draft) engine.Code {
	n.key, n.priority, n.pinned = d.Key, d.Priority, d.Pinned
	n.content = d.Content.String()
	n.ttl, n.cad = d.TTL, d.Cad
	n.refs = slices.Clone(d.Refs)
	if d.TTL != nil {
		n.expires, n.from = m.cycle+*d.TTL, m.cycle
	}
	if id, ok := n.target(); ok {
		n.ttl = nil // shows that of its target
		if t := m.find(id); t.isRegion() || t.isMarker() {
			return engine.ErrPlacement
		}
	}
	return ""
}

func (m *model) schedule(n *mnode, core bool) {
	if n.cad != nil {
		core = core || n.base() == "block" && n.offset == 0
		m.cadence[n.key] = msched{m.cycle, *n.cad, core, n.clone(nil)}
	}
}

func (m *model) splice(p mplace, d engine.Draft, base string) engine.Code {
	seg := m.alloc("", "seg")
	up := seg
	if base != "cont" {
		up = m.alloc("", "cont")
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

func (m *model) byAge() []*mnode {
	list := m.root.all()
	slices.SortFunc(list, func(a, b *mnode) int { return cmp.Compare(a.ns, b.ns) })
	return list
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
	originals := 0
	for _, n := range found {
		if !slices.ContainsFunc(found, func(o *mnode) bool { return o != n && slices.Contains(n.refs, o.id) }) {
			originals++
		}
	}
	if originals == 1 {
		return slices.MaxFunc(found, func(a, b *mnode) int { return cmp.Compare(a.ns, b.ns) }), ""
	}
	return nil, engine.ErrAmbiguousKey
}

// versions are a node and its overlays, oldest first.
func (m *model) versions(n *mnode) []*mnode {
	if n.key == "" {
		return []*mnode{n}
	}
	first := func(n *mnode) *mnode {
		for o := m.original(n); o != nil; o = m.original(n) {
			n = o
		}
		return n
	}
	var list []*mnode
	for _, x := range m.byAge() {
		if x.key == n.key && m.regionOf(x) == m.region(1) && first(x) == first(n) {
			list = append(list, x)
		}
	}
	return list
}

// original is the node that n is an overlay of.
func (m *model) original(n *mnode) *mnode {
	for _, ref := range n.refs {
		if o := m.find(ref); o != nil && !o.isMarker() && n.key != "" && o.key == n.key && m.regionOf(o) == m.region(1) && o.ns < n.ns {
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
		list := slices.DeleteFunc(m.versions(n), func(v *mnode) bool { return v == n })
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

// group is what goes with a node: what is below it, except for markers of
// others, and the markers of all of that.
func (m *model) group(n *mnode) map[*mnode]bool {
	gone := map[*mnode]bool{n: true}
	for _, x := range n.all() {
		if !x.isMarker() {
			gone[x] = true
		}
	}
	for _, x := range m.root.all() { // a marker has no marker
		if id, ok := x.target(); ok && gone[m.find(id)] {
			gone[x] = true
		}
	}
	return gone
}

// remove takes a group out. Markers in it that stay move upwards.
func (m *model) remove(gone map[*mnode]bool) {
	var orphans []*mnode
	for _, x := range m.root.all() {
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

// refsTo counts references to a node from outside a set; markers keep nothing.
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
		d.Key = cmp.Or(d.Key, n.key)
		if d.Key != n.key {
			if code := m.makeWay(d.Key, m.depth(n), false); code != "" {
				return code
			}
		} else if d.Key != "" {
			list := m.versions(n)
			n = list[0]
			for _, x := range list[1:] {
				if !slices.Contains(d.Refs, x.id) {
					m.tryRemove(x)
				}
			}
		}
		if !slices.Contains(d.Refs, n.id) {
			d.Refs = append(slices.Clip(d.Refs), n.id)
		}
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
				if y.ns < x.ns && d <= p.depth || y.ns > x.ns && d >= p.depth {
					return engine.ErrOverlap
				}
			}
		}
	}
	if p.splice {
		seg := m.alloc("", "seg")
		up := seg
		if n.base() == "block" {
			up = m.alloc("", "cont")
			m.hang(seg, up)
		}
		m.noteEmptied(n)
		m.unhang(n)
		n.offset = 0
		m.hang(up, n)
		return m.hangSegment(seg, p.depth)
	}
	if p.core {
		c := m.alloc("", "cont")
		m.hang(m.region(2), c)
		p.parent = c
	}
	m.noteEmptied(n)
	m.unhang(n)
	n.offset = p.offset
	m.hang(p.parent, n)
	return ""
}

// stays tells what outlives everything.
func (m *model) stays(n *mnode) bool {
	return n.isRegion() || n.base() == "seg" || n.base() == "cont" && n.offset == 0 && (n.up == m.region(2) || n.up.base() == "seg")
}

// tryRemove removes a subtree unless something keeps it.
func (m *model) tryRemove(n *mnode) bool {
	gone := m.group(n)
	for x := range gone {
		if m.stays(x) || x.pinned || m.holds[x.id] > 0 || m.refsTo(x.id, gone) > 0 {
			return false
		}
	}
	m.remove(gone)
	return true
}

// cascade removes what is removable, emptied and not kept.
func (m *model) cascade() bool {
	changed := false
	for i := 0; i < len(m.emptied); i++ {
		if n := m.find(m.emptied[i]); n != nil && n.removable && n.empty(nil) && m.tryRemove(n) {
			changed = true
		}
	}
	return changed
}

func (m *model) commit() {
	for changed := true; changed; {
		changed = false
		for _, n := range m.root.all() {
			if !n.isMarker() && n.ttl != nil && n.expires <= m.cycle && m.find(n.id) == n && m.tryRemove(n) {
				changed = true
			}
		}
		changed = m.cascade() || changed
	}
	if m.policy != nil {
		m.prune()
		for m.cascade() {
		}
	}
	m.emptied = slices.DeleteFunc(m.emptied, func(id string) bool {
		n := m.find(id)
		return n == nil || !n.removable || !n.empty(nil)
	})
	if head := m.region(2); len(head.kids) > 0 {
		seg := m.alloc("", "seg")
		core := m.headCore()
		kids := head.kids
		head.kids = nil
		if core == nil {
			core = m.alloc("", "cont")
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
	}
}

// prune takes one victim after the other, looking at everything each time.
func (m *model) prune() {
	for _, l := range m.policy.Limits {
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
			text, _ := engineText(n.content)
			tokens += (len(text) + 3) / 4
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
		if d := m.depth(n); d > 0 && d <= m.policy.KeepSegments {
			continue
		}
		up := n.up
		if !m.tryRemove(n) {
			continue
		}
		for n = up; !n.isRegion() && n.empty(nil) && n.removable; n = up {
			if up = n.up; !m.tryRemove(n) {
				break
			}
		}
		return true
	}
	return false
}

func (m *model) startCycle() {
	m.cycle++
	m.index = 0
	for _, key := range slices.Sorted(maps.Keys(m.cadence)) {
		s := m.cadence[key]
		if m.cycle <= s.first || (m.cycle-s.first)%s.every != 0 {
			continue
		}
		parent := m.region(2)
		second := s.node.base() == "cont" && s.node.offset == 0
		if core := m.headCore(); core != nil && (s.core || second) {
			parent = core
		} else if s.core {
			parent = m.alloc("", "cont")
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

// json writes a tree the slow way; at is the cycle lifetimes are counted from.
func (m *model) json(n *mnode, at int64) map[string]any {
	out := map[string]any{
		"id": n.id, "nodeType": n.typ, "parent_id": nil, "offset": n.offset, "ttl": nil, "priority": n.priority,
		"cycle": n.cycle, "created_at_ns": n.ns, "created_at_iso": n.iso, "creation_index": n.index,
	}
	if n.up != nil {
		out["parent_id"] = n.up.id
	}
	living := n
	if id, ok := n.target(); ok {
		living = m.find(id)
	}
	if living.ttl != nil {
		out["ttl"] = max(0, living.expires-max(at, living.from))
	}
	if n.key != "" {
		out["key"] = n.key
	}
	if n.content != "" {
		out["content"] = json.RawMessage(n.content)
	}
	if n.cad != nil {
		out["cad"] = *n.cad
	}
	if n.removable {
		out["removable"] = true
	}
	if n.pinned {
		out["pinned"] = true
	}
	if n.refs != nil {
		out["refs"] = n.refs
	}
	var kids []map[string]any
	for _, k := range n.kids {
		kids = append(kids, m.json(k, at))
	}
	if kids != nil {
		out["children"] = kids
	}
	return out
}

func (m *model) export(cycle, at int64) []byte {
	data, err := json.Marshal(map[string]any{"cycle": cycle, "root": m.json(m.root, at), "spec_version": "PACT/1.0.0"})
	if err != nil {
		panic(err)
	}
	return data
}

// diff compares two exports member by member.
func diffExports(older, newer []byte) string {
	a, b := flatten(older), flatten(newer)
	added, removed, changed := []string{}, []string{}, []map[string]any{}
	for _, n := range b.order {
		old, ok := a.nodes[n]
		if !ok {
			added = append(added, n)
			continue
		}
		var fields []string
		for name := range b.nodes[n] {
			if name != "children" && !gocmp.Equal(old[name], b.nodes[n][name]) {
				fields = append(fields, name)
			}
		}
		for name := range old {
			if _, ok := b.nodes[n][name]; !ok && name != "children" {
				fields = append(fields, name)
			}
		}
		for i, f := range fields {
			fields[i] = map[string]string{"parent_id": "parent", "content": "content_hash"}[f]
			fields[i] = cmp.Or(fields[i], f)
		}
		if slices.Sort(fields); len(fields) > 0 {
			changed = append(changed, map[string]any{"id": n, "fields": fields})
		}
	}
	for _, n := range a.order {
		if _, ok := b.nodes[n]; !ok {
			removed = append(removed, n)
		}
	}
	out := func(v any) string { data, _ := json.Marshal(v); return string(data) }
	list := make([]string, len(changed))
	for i, c := range changed {
		list[i] = fmt.Sprintf(`{"id":%s,"fields":%s}`, out(c["id"]), out(c["fields"]))
	}
	return fmt.Sprintf(`{"added":%s,"removed":%s,"changed":[%s]}`, out(added), out(removed), strings.Join(list, ","))
}

type flat struct {
	order []string
	nodes map[string]map[string]any
}

func flatten(export []byte) flat {
	var doc struct{ Root map[string]any }
	dec := json.NewDecoder(bytes.NewReader(export))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		panic(err)
	}
	f := flat{nodes: map[string]map[string]any{}}
	f.add(doc.Root)
	return f
}

func (f *flat) add(n map[string]any) {
	id := n["id"].(string)
	f.order = append(f.order, id)
	f.nodes[id] = n
	kids, _ := n["children"].([]any)
	for _, k := range kids {
		f.add(k.(map[string]any))
	}
}

// walker draws random steps from a source of bytes.
type walker struct {
	pick func(n int) int
	ids  int
}

var modelKeys = []string{"a", "b", "goal", "note"}

func (w *walker) draft(m *model) engine.Draft {
	w.ids++
	d := engine.Draft{ID: fmt.Sprintf("n%d", w.ids)}
	switch w.pick(12) {
	case 0, 1:
		d.Type = "cont"
		d.Removable = w.pick(2) == 0
	case 2:
		d.Type = "block:summary"
	case 3:
		d.Type = "note"
	case 4:
		d.Type, d.Refs = "redaction", []string{w.anyID(m)}
	}
	if w.pick(3) == 0 {
		d.Key = modelKeys[w.pick(len(modelKeys))]
		if w.pick(3) == 0 {
			d.Cad = new(int64(w.pick(3) + 1))
		}
	}
	if w.pick(2) == 0 {
		d.TTL = new(int64(w.pick(4)))
	}
	if w.pick(2) == 0 {
		d.Content = engine.Text(strings.Repeat("x", w.pick(20)))
	}
	d.Priority = int64(w.pick(3))
	d.Pinned = w.pick(12) == 0
	if w.pick(6) == 0 && d.Refs == nil {
		d.Refs = []string{w.anyID(m)}
	}
	return d
}

func (w *walker) anyID(m *model) string {
	list := m.root.all()
	if w.pick(30) == 0 {
		return "nowhere"
	}
	return list[w.pick(len(list))].id
}

func (w *walker) step(m *model) op {
	o := op{target: w.anyID(m), depth: w.pick(5) - 1, offset: int64(w.pick(4) - 1)}
	if w.pick(3) == 0 {
		o.parent = w.anyID(m)
	}
	if w.pick(6) == 0 {
		o.key = modelKeys[w.pick(len(modelKeys))]
	}
	switch k := w.pick(20); {
	case k < 8:
		o.kind, o.draft = "insert", w.draft(m)
		if w.pick(2) == 0 {
			o.parent, o.depth = "", 0
		}
	case k < 10:
		o.kind, o.draft = "replace", w.draft(m)
		o.draft.ID = ""
		o.draft.Offset = int64(w.pick(4) - 1)
	case k < 12:
		o.kind = "move"
	case k < 14:
		o.kind = "delete"
	case k < 15:
		o.kind = []string{"hold", "release", "stop"}[w.pick(3)]
	default:
		o.kind = "commit"
	}
	return o
}

func (m *model) apply(o op) engine.Code {
	switch o.kind {
	case "insert":
		return m.insert(o)
	case "replace":
		return m.replace(o)
	case "move":
		return m.move(o)
	case "delete":
		return m.delete(o)
	case "hold":
		if m.find(o.target) == nil {
			return engine.ErrNotFound
		}
		m.holds[o.target]++
	case "release":
		if m.holds[o.target] == 0 {
			return engine.ErrNotFound
		}
		m.holds[o.target]--
	case "stop":
		key := cmp.Or(o.key, "a")
		if _, ok := m.cadence[key]; !ok {
			return engine.ErrNotFound
		}
		delete(m.cadence, key)
	case "commit":
		m.commit()
	}
	return ""
}

func applyEngine(c *engine.Context, o op) error {
	pos := engine.AtDepth(o.depth, o.offset)
	if o.parent != "" {
		pos = engine.Under(o.parent, o.offset)
	}
	target := engine.ByID(o.target)
	if o.key != "" {
		target = engine.ByKey(o.key)
	}
	var err error
	switch o.kind {
	case "insert":
		_, err = c.Insert(pos, o.draft)
	case "replace":
		_, err = c.Replace(target, o.draft)
	case "move":
		_, err = c.Move(target, pos)
	case "delete":
		_, err = c.Delete(target)
	case "hold":
		err = c.Hold(o.target)
	case "release":
		err = c.Release(o.target)
	case "stop":
		err = c.StopCadence(cmp.Or(o.key, "a"))
	case "commit":
		_, err = c.Commit()
	}
	return err
}

// walk runs steps on both and compares everything after each.
func walk(t *testing.T, w *walker, steps int, policy *engine.Policy) {
	t.Helper()
	opts := engine.Options{
		Clock:  func() time.Time { return time.Unix(0, modelStart) },
		System: true, Policy: policy,
	}
	ctx, err := engine.New(opts)
	if err != nil {
		t.Fatal(err)
	}
	m := newModel()
	m.policy = policy
	var trace []string
	var last []byte
	for i := range steps {
		o := w.step(m)
		trace = append(trace, fmt.Sprintf("%+v", o))
		saved := m.clone()
		before := ctx.Working().AppendJSON(nil)
		err := applyEngine(ctx, o)
		code := m.apply(o)
		problem := func(format string, args ...any) {
			t.Helper()
			t.Fatalf("step %d: %s\n%s", i, fmt.Sprintf(format, args...), strings.Join(trace[max(0, len(trace)-6):], "\n"))
		}
		if code != "" {
			m = saved
			e, _ := err.(*engine.Error)
			if e == nil || e.Code != code {
				problem("error %v, want %s", err, code)
			}
			if after := ctx.Working().AppendJSON(nil); !bytes.Equal(before, after) {
				problem("a failed step changed the tree")
			}
			continue
		}
		if err != nil {
			problem("error %v, want none", err)
		}
		if o.kind == "commit" {
			snap := ctx.Timeline().At(1)
			want := m.export(m.cycle, m.cycle)
			if got := snap.AppendJSON(nil); !bytes.Equal(got, want) {
				problem("snapshot%s", firstDifference(got, want))
			}
			if bad := snap.Validate(); len(bad) > 0 {
				problem("broken invariant: %v", bad[0])
			}
			if last != nil {
				got := engine.Diff(ctx.Timeline().At(2), snap).AppendJSON(nil)
				if want := diffExports(last, want); string(got) != want {
					problem("diff\n got %s\nwant %s", got, want)
				}
			}
			last = want
			m.startCycle()
		}
		if w.pick(8) == 0 { // a run that is cut and resumed gives the bytes of one run
			ctx = saveAndResume(t, ctx, opts)
		}
		got, want := ctx.Working().AppendJSON(nil), m.export(m.cycle, m.cycle-1)
		if !bytes.Equal(got, want) {
			problem("working state%s", firstDifference(got, want))
		}
		for _, n := range m.root.all() {
			if h, ok := ctx.Working().Find(n.id); !ok || h.ID() != n.id {
				problem("the node %s is not found by its id", n.id)
			}
		}
	}
}

// firstDifference shows where two texts part.
func firstDifference(got, want []byte) string {
	i := 0
	for i < min(len(got), len(want)) && got[i] == want[i] {
		i++
	}
	from := max(0, i-200)
	return fmt.Sprintf(" at byte %d\n got …%s\nwant …%s", i, got[from:min(len(got), i+300)], want[from:min(len(want), i+300)])
}

// saveAndResume goes on with a context read from what the old one saved.
func saveAndResume(t *testing.T, old *engine.Context, opts engine.Options) *engine.Context {
	t.Helper()
	saved := old.AppendJSON(nil)
	tl, err := engine.Read("saved.json", bytes.NewReader(saved), engine.ReadOptions{Strict: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := engine.Resume(tl, opts)
	if err != nil {
		t.Fatal(err)
	}
	if again := ctx.AppendJSON(nil); !bytes.Equal(saved, again) {
		t.Fatalf("resumed state%s", firstDifference(again, saved))
	}
	return ctx
}

// TestModel compares the engine with the model over random steps.
func TestModel(t *testing.T) {
	policies := []*engine.Policy{
		nil,
		{Limits: []engine.Limit{{Nodes: 25}}, KeepSegments: 1},
		{Limits: []engine.Limit{{Scope: engine.ScopeSegment, Nodes: 5}, {Scope: engine.ScopeRegion, Region: engine.RegionSys, Tokens: 8}}},
	}
	runs, steps := 300, 100
	if testing.Short() {
		runs = 20
	}
	for seed := range runs {
		r := rand.New(rand.NewPCG(uint64(seed), 7))
		walk(t, &walker{pick: r.IntN}, steps, policies[seed%len(policies)])
	}
}

// FuzzModel lets the fuzzer choose the steps.
func FuzzModel(f *testing.F) {
	for seed := range uint64(8) {
		r := rand.New(rand.NewPCG(seed, 11))
		data := make([]byte, 400)
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		f.Add(data)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		steps := min(len(data)/12, 60)
		walk(t, &walker{pick: func(n int) int {
			if len(data) == 0 {
				return 0
			}
			b := data[0]
			data = data[1:]
			return int(b) % n
		}}, steps, nil)
	})
}
