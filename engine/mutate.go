package engine

import (
	"math"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
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
	if err := tx.checkDepth(p, d.base(), d.height()); err != nil {
		return "", err
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

// checkDepth refuses a node that a reader with the default limit would not
// reach, where it is or, in the head, where it will be sealed. height is the
// number of levels below it.
func (tx *tx) checkDepth(p place, base Base, height int) error {
	level := 2 // of a child of a region
	switch {
	case p.splice:
		level += [...]int{BaseBlock: 2, BaseCont: 1, BaseSeg: 0}[base]
	case p.parent >= 0:
		level += int(tx.s.parts[p.region].at(p.at).nav[p.parent].level) + 1
	}
	if p.region == RegionHead {
		level += 2 // a segment, and perhaps a core
	}
	if level+height >= canonjson.DefaultDepth {
		return fail(ErrTreeDepth, "the tree would be nested deeper than %d levels, and a saved one could not be read", canonjson.DefaultDepth)
	}
	return nil
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
	if err := tx.putSegment(p.depth, f); err != nil {
		return "", err
	}
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

// putSegment puts a segment, whose nodes are in tx.added, at a depth.
func (tx *tx) putSegment(depth int, f forest) error {
	seq := &tx.s.parts[RegionSeq]
	at := seq.len() - depth + 1
	if at < seq.len() {
		low, high := int64(0), seq.at(at).recs[0].ns
		if at > 0 {
			low = seq.at(at - 1).recs[0].ns
		}
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return fail(ErrNoRoom, "no instant is left between the segments at depth %d and %d", depth-1, depth)
		}
		f.recs[0].ns = mid
		f.recs[0].iso = tx.c.iso.format(mid)
	}
	*seq = seq.insert(at, newChunk(f))
	h := &home{region: RegionSeq}
	h.top.Store(f.recs[0])
	tx.settle(h, f.recs...)
	return nil
}

// makeWay keeps the order of instances of a key (ODI): older ones lie
// strictly deeper than the new one. One in the active head is moved to the
// post-context of the newest segment.
func (tx *tx) makeWay(d *Draft, p place) error {
	var keys []string
	d.keys(func(k string) bool { keys = append(keys, k); return true })
	seen := make(map[string]bool, len(keys))
	for _, key := range keys {
		if seen[key] {
			return fail(ErrOverlap, "two nodes of one draft have the key %q", key)
		}
		seen[key] = true
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
	if depth > 0 || p.depth > 0 || tx.s.Segments() == 0 {
		return refuse
	}
	newest := tx.s.parts[RegionSeq].at(tx.s.Segments() - 1).recs[0]
	if tx.move(n, Under(newest.id, max(n.rec().offset, 1))) != nil {
		return refuse
	}
	return nil
}

// subtreeAt returns n and what is below it, n with another offset.
func (n Node) subtreeAt(offset int64) forest {
	f := n.c.subtree(int(n.i))
	if r := f.recs[0]; r.exact(hOffset) || r.offset != offset {
		moved := *r
		moved.offset = offset
		moved.dropNumber(hOffset)
		f.recs[0] = &moved
	}
	return f
}

// relocate moves a subtree to a place outside it.
func (tx *tx) relocate(n Node, p place) {
	f := n.subtreeAt(p.offset)
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
	if up := n; n.c.nav[n.i].parent >= 0 {
		up.i = n.c.nav[n.i].parent
		cl := collector{dead: map[*record]bool{n.rec(): true}}
		if up.rec().removable && cl.isEmpty(up) {
			tx.emptied = append(tx.emptied, up.ID())
		}
	}
	part := &tx.s.parts[n.region()]
	*part = part.set(int(n.at()), n.c.without(int(n.i)))
}

// split moves a subtree into a segment of its own at a depth.
func (tx *tx) split(n Node, depth int) error {
	seg, err := tx.newRecord("", BaseSeg.name(tx.s.edition), 0)
	if err != nil {
		return err
	}
	made := forest{[]*record{seg}, []int32{0}}
	if n.Base() == BaseBlock {
		core, err := tx.newRecord("", BaseCont.name(tx.s.edition), 0)
		if err != nil {
			return err
		}
		made.add(core, 1)
	}
	for _, r := range made.recs {
		r.seal()
		tx.add(r)
	}
	f := n.subtreeAt(0)
	tx.added = append(tx.added, f.recs...)
	shift := int32(len(made.recs))
	for i, r := range f.recs {
		made.add(r, f.levels[i]+shift)
	}
	tx.cutOut(n)
	return tx.putSegment(depth, made)
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
	if n.region() == RegionSeq && p.region != RegionSeq {
		return fail(ErrSealed, "%q is sealed, and does not become part of the working state again", n.ID())
	}
	if err := tx.keepsRedaction(n, p); err != nil {
		return err
	}
	if err := tx.keepsOrder(n, p); err != nil {
		return err
	}
	if err := tx.checkDepth(p, n.Base(), n.height()); err != nil {
		return err
	}
	if p.splice {
		return tx.split(n, p.depth)
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
	case n.rec().isMarker():
		return fail(ErrPlacement, "the redaction %q stays where it is", n.ID())
	case n.inCore():
		return fail(ErrSealed, "%q is part of a sealed core", n.ID())
	case n.region() == RegionSys:
		return tx.system()
	}
	return nil
}

// height returns how many levels lie below a node.
func (n Node) height() int {
	h := int32(0)
	for _, p := range n.c.nav[n.i:n.c.end(n.i)] {
		h = max(h, p.level-n.c.nav[n.i].level)
	}
	return int(h)
}

// keepsRedaction checks that what lies in a redacted container stays in it.
func (tx *tx) keepsRedaction(n Node, p place) error {
	if len(tx.c.markers) == 0 {
		return nil
	}
	for _, up := range n.appendAbove(nil) {
		inside := !p.splice && p.region == n.region() && p.at == int(n.at()) && p.parent >= int(up.i) && p.parent < int(up.c.end(up.i))
		if !inside && len(tx.c.markers[up.ID()]) > 0 {
			return fail(ErrSealed, "%q lies in %q, which is redacted", n.ID(), up.ID())
		}
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
			if p.splice && depth >= p.depth {
				depth++
			}
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
	if id, ok := n.rec().marks(); ok && n.rec().cycle != tx.s.cycle {
		if _, found := tx.find(id); found {
			return fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
		}
	}
	cl := tx.newCollector()
	group := cl.group(n)
	inside := references(group)
	for _, m := range group {
		if cl.referred(m.rec(), inside) {
			return fail(ErrReferenced, "%q is referred to", m.ID())
		}
	}
	cl.kill(group, inside)
	cl.apply()
	return nil
}

// redact adds redaction markers for a node and, if that has overlays or is one,
// for the other versions of it. It returns the first.
func (tx *tx) redact(n Node) (string, error) {
	if id, ok := n.rec().marks(); ok {
		return "", fail(ErrSealed, "the redaction %q stays as long as %q does", n.ID(), id)
	}
	first := ""
	list := slices.DeleteFunc(tx.versions(n), func(v Node) bool { return v.ID() == n.ID() })
	for _, v := range append([]Node{n}, list...) {
		d := Draft{Type: "redaction", Refs: []string{v.ID()}}
		id, err := tx.annotate(v, &d)
		if err != nil {
			return "", err
		}
		if first == "" {
			first = id
		}
	}
	return first, nil
}

// annotate adds a block to the post-context of the segment of n.
func (tx *tx) annotate(n Node, d *Draft) (string, error) {
	offset := d.Offset
	if offset <= 0 {
		offset = 1
	}
	f := tx.forest()
	if err := tx.make(&f, d, offset, 0); err != nil {
		return "", err
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
	if d.Key == "" {
		d.Key = n.rec().key
	}
	if d.Key != n.rec().key {
		if err := tx.makeWay(d, place{region: RegionSeq, depth: depth}); err != nil {
			return "", err
		}
	} else if d.Key != "" {
		if d.ID != "" && tx.taken(d.ID) {
			return "", fail(ErrNodeIDDuplicate, "the id %q is taken", d.ID)
		}
		n = tx.removeOverlays(n, d)
	}
	if !slices.Contains(d.Refs, n.ID()) {
		d.Refs = append(slices.Clip(d.Refs), n.ID())
	}
	return tx.annotate(n, d)
}

// original returns the node that a node with a key is an overlay of.
func (tx *tx) original(n Node) (Node, bool) {
	r := n.rec()
	for _, ref := range r.extra().refs {
		o, ok := tx.find(ref)
		if r.key != "" && ok && o.region() == RegionSeq && !o.rec().isMarker() && o.rec().key == r.key && compareAge(o.rec(), r) < 0 {
			return o, true
		}
	}
	return Node{}, false
}

// versions returns the node that n is, or is an overlay of, and its overlays,
// oldest first. Without a key there is n alone.
func (tx *tx) versions(n Node) []Node {
	if n.rec().key == "" {
		return []Node{n}
	}
	first := func(n Node) Node {
		for o, ok := tx.original(n); ok; o, ok = tx.original(n) {
			n = o
		}
		return n
	}
	var list []Node
	root := first(n)
	for _, id := range tx.c.keys[n.rec().key] {
		if m, ok := tx.find(id); ok && m.region() == RegionSeq && first(m) == root {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Node) int { return compareAge(a.rec(), b.rec()) })
	return list
}

// removeOverlays removes the overlays of the node that n is, or is an overlay
// of, and returns that node. What something keeps, or d refers to, stays.
func (tx *tx) removeOverlays(n Node, d *Draft) Node {
	list := tx.versions(n)
	cl := tx.newCollector()
	for _, m := range list[1:] {
		if !slices.Contains(d.Refs, m.ID()) {
			cl.remove(m)
		}
	}
	cl.apply()
	root, _ := tx.find(list[0].ID())
	return root
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
	if id, ok := old.marks(); ok && old.cycle != tx.s.cycle {
		return fail(ErrSealed, "the redaction of %q does not change", id)
	}
	if d.Key == "" {
		d.Key = old.key
	}
	d.Removable = old.removable
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
		index: old.index, expiry: never, ttlFrom: tx.s.cycle}
	for _, x := range old.extra().numbers {
		if x.h != hTTL && x.h != hPriority && x.h != hCad {
			r.own().numbers = append(r.own().numbers, x)
		}
	}
	if err := tx.fill(r, d); err != nil {
		return err
	}
	tx.count(r, 1)
	tx.setRecord(n, r)
	for _, id := range tx.c.markers[r.id] {
		if m, ok := tx.find(id); ok {
			marker := *m.rec()
			extra := *marker.more
			marker.more = &extra
			marker.liveAs(r)
			tx.setRecord(m, &marker)
		}
	}
	if d.Cad != nil {
		n, _ = tx.find(r.id)
		tx.schedule(n.c.subtree(int(n.i)), tx.isCore(n.region(), int(n.at()), int(n.c.nav[n.i].parent)))
	}
	return nil
}

// setRecord puts another record into the place of that of n.
func (tx *tx) setRecord(n Node, r *record) {
	tx.added = append(tx.added, r)
	part := &tx.s.parts[n.region()]
	*part = part.set(int(n.at()), n.c.with(int(n.i), r))
	if n.region() == RegionHead {
		tx.settle(nil, r)
		return
	}
	i := n.i
	for n.c.nav[i].parent >= 0 {
		i = n.c.nav[i].parent
	}
	h := &home{region: n.region()}
	h.top.Store(n.c.recs[i])
	tx.settle(h, r)
}
