package engine

import (
	"math"
	"slices"
)

// Insert makes a node, with its children, at a position and returns it.
func (c *Context) Insert(pos Position, d Draft) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		if err := d.check(0); err != nil {
			return "", err
		}
		if err := tx.checkRefs(&d); err != nil {
			return "", err
		}
		return tx.insert(pos, &d)
	})
}

// place is a resolved position.
type place struct {
	region Region
	depth  int
	at     int   // chunk in the region, -1 for a new one
	parent int   // node in the chunk, -1: the region itself
	offset int64 // of the new node in its parent
	core   bool  // the core container of the head has to be made first
	splice bool  // a new segment at depth
}

// locate finds the place of a node of a base.
func (tx *tx) locate(pos Position, base Base) (place, error) {
	if pos.parent != "" {
		return tx.locateUnder(pos, base)
	}
	switch {
	case pos.depth < -1:
		return place{}, fail(ErrNotFound, "there is nothing at depth %d", pos.depth)
	case pos.depth == -1:
		if err := tx.system(); err != nil {
			return place{}, err
		}
		if base == BaseSeg {
			return place{}, fail(ErrPlacement, "a segment lies below ^seq only")
		}
		return place{region: RegionSys, depth: -1, at: -1, parent: -1, offset: pos.offset}, nil
	case pos.depth == 0:
		return tx.locateHead(pos.offset, base)
	}
	n := tx.s.Segments()
	p := place{region: RegionSeq, depth: pos.depth, at: n - pos.depth, parent: 0, offset: pos.offset}
	if p.splice = base == BaseSeg || pos.offset == 0; p.splice {
		if base == BaseSeg && pos.offset != 0 {
			return place{}, fail(ErrPlacement, "a segment has offset 0")
		}
		n++
	}
	if pos.depth > n {
		return place{}, fail(ErrNotFound, "there is nothing at depth %d: the sequence has %d segments", pos.depth, tx.s.Segments())
	}
	return p, nil
}

func (tx *tx) system() error {
	if tx.c.opts.System {
		return nil
	}
	return fail(ErrForbiddenRegion, "^sys may not be changed without the System capability")
}

// locateHead finds a place in ^ah. Blocks at offset 0 go into its core.
func (tx *tx) locateHead(offset int64, base Base) (place, error) {
	p := place{region: RegionHead, at: -1, parent: -1, offset: offset}
	if base == BaseSeg {
		return p, fail(ErrPlacement, "a segment lies below ^seq only")
	}
	if offset != 0 {
		return p, nil
	}
	at, core := tx.headCore()
	switch {
	case base == BaseCont && at >= 0:
		return p, fail(ErrPlacement, "the active head has a core container already")
	case base == BaseBlock && at >= 0:
		p.at, p.parent = at, core
	case base == BaseBlock:
		p.core = true
	}
	return p, nil
}

// beforeCore sorts before any sibling at offset 0.
var beforeCore = record{ns: math.MinInt64, index: math.MinInt64}

// headCore returns the chunk and number of the core container of ^ah, -1 if
// there is none.
func (tx *tx) headCore() (at, i int) {
	part := &tx.s.parts[RegionHead]
	if part.len() == 0 {
		return -1, -1
	}
	first := max(part.find(&beforeCore), 0)
	for at, c := range part.within(first, part.len()) {
		for i := 0; i < len(c.recs); i = c.End(i) {
			switch r := c.recs[i]; r.number(hOffset).Cmp(Number{}) {
			case 0:
				if r.base == BaseCont {
					return at, i
				}
			case 1:
				return -1, -1
			}
		}
	}
	return -1, -1
}

// isCore tells whether a node is the core container of ^ah.
func (tx *tx) isCore(region Region, at, i int) bool {
	coreAt, core := tx.headCore()
	return region == RegionHead && coreAt >= 0 && at == coreAt && i == core
}

func (tx *tx) locateUnder(pos Position, base Base) (place, error) {
	n, ok := tx.find(pos.parent)
	if !ok {
		return place{}, fail(ErrNotFound, "no node has the id %q", pos.parent)
	}
	if base == BaseSeg {
		return place{}, fail(ErrPlacement, "a segment is placed by its depth")
	}
	depth, placed := n.Depth()
	if n.region() == regionTop {
		if !placed {
			return place{}, fail(ErrInvalidParent, "%q takes no such children", pos.parent)
		}
		return tx.locate(AtDepth(depth, pos.offset), base)
	}
	switch {
	case n.region() == RegionRest:
		return place{}, fail(ErrInvalidParent, "%q lies outside the regions", pos.parent)
	case n.Base() == BaseBlock:
		return place{}, fail(ErrParentNotContainer, "%q is a block", pos.parent)
	case n.region() == RegionSys:
		if err := tx.system(); err != nil {
			return place{}, err
		}
	case n.region() == RegionSeq && (n.inCore() || n.i == 0 && pos.offset == 0):
		return place{}, fail(ErrSealed, "the core of a sealed segment does not change")
	}
	return place{region: n.region(), depth: depth, at: int(n.at()), parent: int(n.i), offset: pos.offset}, nil
}

// inCore tells whether the node is the core container of its segment, or lies
// in it; so does content at offset 0 of a segment without one.
func (n Node) inCore() bool {
	if n.region() != RegionSeq || n.i == 0 {
		return false
	}
	i := n.i
	for n.c.nav[i].level > 1 {
		i = n.c.nav[i].parent
	}
	return n.c.recs[i].number(hOffset).Cmp(Int(0)) == 0
}

func (tx *tx) insert(pos Position, d *Draft) (string, error) {
	p, err := tx.locate(pos, d.base())
	if err != nil {
		return "", err
	}
	if p.region != RegionSys {
		if err := tx.makeWay(d, p); err != nil {
			return "", err
		}
	}
	if len(tx.added) > 0 { // what made way may have been what the place was counted by
		before := p.depth
		if p, err = tx.locate(pos, d.base()); err != nil {
			return "", err
		}
		if p.depth != before {
			return "", fail(ErrOverlap, "the parent of the new node has, or lies in, an older node of its key")
		}
	}
	if p.splice {
		return tx.splice(p, d)
	}
	if p.core {
		if p, err = tx.makeCore(); err != nil {
			return "", err
		}
	}
	f := tx.forest()
	if err := tx.make(&f, d, p.offset, 0); err != nil {
		return "", err
	}
	if d.Cad != nil {
		tx.schedule(f, tx.isCore(p.region, p.at, p.parent))
	}
	tx.put(p, f)
	return f.recs[0].id, nil
}

// makeCore makes the core container of the head (E2).
func (tx *tx) makeCore() (place, error) {
	r, err := tx.newRecord("", BaseCont.name(tx.s.edition), 0)
	if err != nil {
		return place{}, err
	}
	r.seal()
	tx.add(r)
	tx.put(place{region: RegionHead, at: -1, parent: -1}, forest{[]*record{r}, []int32{0}})
	at, i := tx.headCore()
	return place{region: RegionHead, at: at, parent: i}, nil
}

// room returns how many more nodes a chunk that has to be copied should have
// room for: the head grows by one node after another, a segment does only if
// it is large already.
func (p *place) room(c *Chunk) int {
	n := len(c.recs) / 8
	if p.region == RegionHead {
		n = max(len(c.recs)/2, chunkTarget/4)
	}
	return n
}

// put hangs a forest, whose nodes are in tx.added, into the tree.
func (tx *tx) put(p place, f forest) {
	part := &tx.s.parts[p.region]
	top := f.recs[0]
	switch {
	case p.at >= 0:
		c := part.at(p.at)
		owner := p.parent
		for owner >= 0 && c.nav[owner].parent >= 0 {
			owner = int(c.nav[owner].parent)
		}
		top = c.recs[owner]
		i := c.place(p.parent, f.recs[0])
		c = c.insert(p.parent, i, f, p.room(c))
		*part = part.set(p.at, c)
		tx.placed = tx.s.Node(p.region, p.at, c, i)
	case part.len() == 0:
		*part = part.append(newChunk(f.clone()))
	default:
		tx.putTop(p, f)
	}
	if p.region == RegionHead {
		return
	}
	h := &home{region: p.region}
	h.top.Store(top)
	tx.settle(h, f.recs...)
}

// putTop adds a child of a region, cutting a chunk that grows too large.
func (tx *tx) putTop(p place, f forest) {
	part := &tx.s.parts[p.region]
	at := max(part.find(f.recs[0]), 0)
	c := part.at(at)
	i := c.place(-1, f.recs[0])
	c = c.insert(-1, i, f, chunkTarget/4)
	if len(c.recs) <= 2*chunkTarget {
		*part = part.set(at, c)
		tx.placed = tx.s.Node(p.region, at, c, i)
		return
	}
	pieces := cut(c.forest(), false)
	*part = part.set(at, pieces[0])
	for i, piece := range pieces[1:] {
		*part = part.insert(at+1+i, piece)
	}
}

// splice puts a new segment at a depth (E3): its instant is halfway between
// its neighbours', so that canonical order is the order of depths.
func (tx *tx) splice(p place, d *Draft) (string, error) {
	seg := *d
	if d.base() != BaseSeg {
		inner := *d
		inner.Offset = 0
		if d.base() == BaseBlock {
			inner = Draft{Type: BaseCont.name(tx.s.edition), Children: []Draft{inner}}
		}
		seg = Draft{Type: BaseSeg.name(tx.s.edition), Children: []Draft{inner}}
	}
	var f forest
	if err := tx.make(&f, &seg, 0, 0); err != nil {
		return "", err
	}
	seq := &tx.s.parts[RegionSeq]
	at := seq.len() - p.depth + 1
	if at < seq.len() {
		low, high := int64(0), seq.at(at).recs[0].ns
		if at > 0 {
			low = seq.at(at - 1).recs[0].ns
		}
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return "", fail(ErrNoRoom, "no instant is left between the segments at depth %d and %d", p.depth-1, p.depth)
		}
		f.recs[0].ns = mid
		f.recs[0].iso = tx.c.iso.format(mid)
	}
	*seq = seq.insert(at, newChunk(f))
	h := &home{region: RegionSeq}
	h.top.Store(f.recs[0])
	tx.settle(h, f.recs...)
	if d.Cad != nil {
		node := slices.IndexFunc(f.recs, func(r *record) bool { return r.key == d.Key })
		tx.schedule(newChunk(f).subtree(node), d.base() == BaseBlock)
	}
	for _, r := range f.recs {
		if d.Key != "" && r.key == d.Key {
			return r.id, nil
		}
	}
	i := 0
	switch {
	case d.base() == BaseCont:
		i = 1
	case d.base() == BaseBlock:
		i = 2
	}
	return f.recs[i].id, nil
}

// makeWay keeps the order of instances of a key (ODI): older ones lie
// strictly deeper than the new one. One in the active head is moved to the
// post-context of the newest segment.
func (tx *tx) makeWay(d *Draft, p place) error {
	var keys []string
	d.keys(func(k string) bool { keys = append(keys, k); return true })
	for i, key := range keys {
		if slices.Contains(keys[:i], key) {
			return fail(ErrOverlap, "two nodes of one draft have the key %q", key)
		}
		for _, id := range slices.Clone(tx.c.keys[key]) {
			if err := tx.demote(id, key, p); err != nil {
				return err
			}
		}
	}
	return nil
}

func (tx *tx) demote(id, key string, p place) error {
	n, ok := tx.find(id)
	if !ok {
		return nil
	}
	depth, placed := n.Depth()
	if !placed || depth < 0 || depth > p.depth || p.splice && depth == p.depth {
		return nil
	}
	refuse := fail(ErrOverlap, "%q has the key %q at depth %d, which is not below depth %d", id, key, depth, p.depth)
	if depth > 0 || p.depth > 0 || tx.s.Segments() == 0 || n.region() == regionTop {
		return refuse
	}
	if r := n.rec(); r.base == BaseCont && r.offset == 0 && n.c.nav[n.i].parent < 0 {
		return refuse
	}
	offset := n.rec().offset
	if offset <= 0 {
		offset = 1
	}
	tx.relocate(n, place{region: RegionSeq, depth: 1, at: tx.s.Segments() - 1, parent: 0, offset: offset})
	return nil
}

// relocate moves a subtree to a place outside it.
func (tx *tx) relocate(n Node, p place) {
	f := n.c.subtree(int(n.i))
	if r := f.recs[0]; r.exact(hOffset) || r.offset != p.offset {
		moved := *r
		moved.offset = p.offset
		moved.dropNumber(hOffset)
		f.recs[0] = &moved
	}
	tx.added = append(tx.added, f.recs...)
	tx.settle(nil, f.recs...)
	if n.region() == p.region && p.at >= int(n.at()) {
		switch {
		case p.at > int(n.at()) && len(n.c.recs) == len(f.recs):
			p.at-- // the chunk the node leaves will be gone
		case p.at == int(n.at()) && p.parent > int(n.i):
			p.parent -= len(f.recs)
		}
	}
	tx.cutOut(n)
	tx.put(p, f)
}

// cutOut takes a subtree out of the tree.
func (tx *tx) cutOut(n Node) {
	part := &tx.s.parts[n.region()]
	c := n.c.without(int(n.i))
	if p := n.c.nav[n.i].parent; p >= 0 && n.c.end(p) == n.c.end(n.i) && n.i == p+1 {
		tx.emptied = append(tx.emptied, n.c.recs[p].id)
	}
	*part = part.set(int(n.at()), c)
}

func (r *record) dropNumber(h header) {
	if !r.exact(h) {
		return
	}
	e := *r.more
	e.numbers = slices.DeleteFunc(slices.Clone(e.numbers), func(n exactNumber) bool { return n.h == h })
	r.more = &e
}

// Move takes a node, with what is below it, to another place. Segments and
// regions stay where they are, and sealed cores as they are.
func (c *Context) Move(t Target, pos Position) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		n, err := tx.resolve(t)
		if err != nil {
			return "", err
		}
		return n.ID(), tx.move(n, pos)
	})
}

func (tx *tx) move(n Node, pos Position) error {
	if err := tx.mayMove(n); err != nil {
		return err
	}
	if pos.parent != "" {
		if up, ok := tx.find(pos.parent); ok && up.c == n.c && up.i >= n.i && up.i < n.c.end(n.i) {
			return fail(ErrCycleDetected, "%q would lie inside itself", n.ID())
		}
	}
	p, err := tx.locate(pos, n.Base())
	if err != nil {
		return err
	}
	if p.splice {
		return fail(ErrSealed, "the core of a sealed segment does not change")
	}
	if err := tx.keepsOrder(n, p); err != nil {
		return err
	}
	if p.core {
		if _, err = tx.makeCore(); err != nil {
			return err
		}
		n, _ = tx.find(n.ID())
		if p, err = tx.locate(pos, n.Base()); err != nil {
			return err
		}
	}
	tx.relocate(n, p)
	return nil
}

// mayMove tells whether a node may leave its place.
func (tx *tx) mayMove(n Node) error {
	switch {
	case n.region() == regionTop:
		return fail(ErrPlacement, "%q is a region or the root", n.ID())
	case n.Base() == BaseSeg:
		return fail(ErrPlacement, "the segment %q stays where it is", n.ID())
	case n.inCore():
		return fail(ErrSealed, "%q is part of a sealed core", n.ID())
	case n.region() == RegionSys:
		return tx.system()
	}
	return nil
}

// keepsOrder checks, for every key in a subtree about to move, that older
// instances stay strictly deeper and younger ones strictly shallower.
func (tx *tx) keepsOrder(n Node, p place) error {
	if p.region == RegionSys {
		return nil
	}
	for _, r := range n.c.recs[n.i:n.c.end(n.i)] {
		if r.key == "" {
			continue
		}
		for _, id := range tx.c.keys[r.key] {
			o, ok := tx.find(id)
			if !ok || id == r.id || o.region() == RegionSys || o.region() == regionTop {
				continue
			}
			depth, _ := o.Depth()
			if o.c == n.c && o.i >= n.i && o.i < n.c.end(n.i) {
				depth = p.depth
			}
			older := compareAge(o.rec(), r) < 0
			if older && depth <= p.depth || !older && depth >= p.depth {
				return fail(ErrOverlap, "%q has the key %q at depth %d", id, r.key, depth)
			}
		}
	}
	return nil
}

// Delete takes a node away. In the working state (and, with the capability,
// in ^sys) it is dropped with what is below it. In a sealed segment it stays,
// and a redaction marker in the post-context refers to it; the marker is what
// Delete returns then.
func (c *Context) Delete(t Target) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		n, err := tx.resolve(t)
		if err != nil {
			return "", err
		}
		switch n.region() {
		case regionTop:
			return "", fail(ErrPlacement, "%q is a region or the root", n.ID())
		case RegionSeq:
			return tx.redact(n)
		case RegionSys:
			if err := tx.system(); err != nil {
				return "", err
			}
		}
		return "", tx.drop(n)
	})
}

func (tx *tx) drop(n Node) error {
	gone := n.c.recs[n.i:n.c.end(n.i)]
	inside := map[string]int{}
	for _, r := range gone {
		for _, ref := range r.extra().refs {
			inside[ref]++
		}
	}
	for _, r := range gone {
		if tx.c.refs[r.id] > inside[r.id] || tx.c.holds[r.id] > 0 {
			return fail(ErrReferenced, "%q is referred to", r.id)
		}
	}
	for _, r := range gone {
		tx.count(r, -1)
	}
	tx.cutOut(n)
	return nil
}

// redact adds a redaction marker. It lives as long as its target.
func (tx *tx) redact(n Node) (string, error) {
	d := Draft{Type: "redaction", Refs: []string{n.ID()}}
	return tx.annotate(n, &d, n.rec().expiry)
}

// annotate adds a block to the post-context of the segment of n.
func (tx *tx) annotate(n Node, d *Draft, expiry int64) (string, error) {
	offset := d.Offset
	if offset <= 0 {
		offset = 1
	}
	f := tx.forest()
	if err := tx.make(&f, d, offset, 0); err != nil {
		return "", err
	}
	if expiry != never {
		f.recs[0].expiry = max(expiry, f.recs[0].cycle)
	}
	depth, _ := n.Depth()
	tx.put(place{region: RegionSeq, depth: depth, at: int(n.at()), parent: 0}, f)
	return f.recs[0].id, nil
}

// Replace gives a node new content and headers. In the working state (and,
// with the capability, in ^sys) that happens in place: id, offset, children and
// the headers that say when it was made stay. In a sealed segment the node
// stays, and an overlay block in the post-context refers to it; the overlay is
// what Replace returns then.
func (c *Context) Replace(t Target, d Draft) (Node, error) {
	return c.change(func(tx *tx) (string, error) {
		if err := d.check(0); err != nil {
			return "", err
		}
		n, err := tx.resolve(t)
		if err != nil {
			return "", err
		}
		if err := tx.checkRefs(&d); err != nil {
			return "", err
		}
		switch n.region() {
		case regionTop:
			return "", fail(ErrPlacement, "%q is a region or the root", n.ID())
		case RegionSeq:
			return tx.overlay(n, &d)
		case RegionSys:
			if err := tx.system(); err != nil {
				return "", err
			}
		}
		return n.ID(), tx.rewrite(n, &d)
	})
}

func (tx *tx) overlay(n Node, d *Draft) (string, error) {
	if d.base() != BaseBlock {
		return "", fail(ErrPlacement, "an overlay is a block")
	}
	depth, _ := n.Depth()
	if d.Key != "" && d.Key != n.rec().key {
		if err := tx.makeWay(d, place{region: RegionSeq, depth: depth}); err != nil {
			return "", err
		}
	}
	if !slices.Contains(d.Refs, n.ID()) {
		d.Refs = append(slices.Clip(d.Refs), n.ID())
	}
	return tx.annotate(n, d, never)
}

func (tx *tx) rewrite(n Node, d *Draft) error {
	old := n.rec()
	typ := d.Type
	if typ == "" {
		typ = old.typ
	}
	base, _ := splitType(typ)
	switch {
	case d.ID != "" && d.ID != old.id:
		return fail(ErrPlacement, "a replacement keeps the id %q", old.id)
	case base != old.base:
		return fail(ErrPlacement, "a replacement keeps the base of its type")
	case len(d.Children) > 0:
		return fail(ErrPlacement, "a replacement keeps the children")
	case slices.Contains(d.Refs, old.id):
		return fail(ErrCycleDetected, "%q would refer to itself", old.id)
	}
	depth, _ := n.Depth()
	tx.count(old, -1)
	if n.region() != RegionSys && n.region() != RegionRest {
		if err := tx.makeWay(d, place{region: n.region(), depth: depth}); err != nil {
			return err
		}
		before := n.region()
		if n, _ = tx.find(old.id); n.region() != before {
			return fail(ErrOverlap, "%q lies in an older node of its key", old.id)
		}
	}
	r := &record{id: old.id, typ: typ, base: old.base, offset: old.offset, cycle: old.cycle, ns: old.ns, iso: old.iso,
		index: old.index, expiry: never}
	for _, x := range old.extra().numbers {
		if x.h != hTTL && x.h != hPriority && x.h != hCad {
			r.own().numbers = append(r.own().numbers, x)
		}
	}
	d.fill(r)
	if d.TTL != nil {
		r.setTTL(Int(*d.TTL), tx.s.cycle)
	}
	r.seal()
	tx.add(r)
	part := &tx.s.parts[n.region()]
	*part = part.set(int(n.at()), n.c.with(int(n.i), r))
	if n.region() != RegionHead {
		i := n.i
		for n.c.nav[i].parent >= 0 {
			i = n.c.nav[i].parent
		}
		h := &home{region: n.region()}
		h.top.Store(n.c.recs[i])
		tx.settle(h, r)
	}
	if d.Cad != nil {
		f := n.c.subtree(int(n.i))
		f.recs[0] = r
		tx.schedule(f, tx.isCore(n.region(), int(n.at()), int(n.c.nav[n.i].parent)))
	}
	return nil
}
