package engine

import (
	"math"
	"slices"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
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
	region tree.Region
	depth  int
	at     int   // chunk in the region, -1 for a new one
	parent int   // node in the chunk, -1: the region itself
	offset int64 // of the new node in its parent
	core   bool  // the core container of the head has to be made first
	splice bool  // a new segment at depth
}

// locate finds the place of a node of a base.
func (tx *tx) locate(pos Position, base tree.Base) (place, error) {
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
		if base == tree.BaseSeg {
			return place{}, fail(ErrPlacement, "a segment lies below ^seq only")
		}
		return place{region: tree.RegionSys, depth: -1, at: -1, parent: -1, offset: pos.offset}, nil
	case pos.depth == 0:
		return tx.locateHead(pos.offset, base)
	}
	n := tx.s.Segments()
	p := place{region: tree.RegionSeq, depth: pos.depth, at: n - pos.depth, parent: 0, offset: pos.offset}
	if p.splice = base == tree.BaseSeg || pos.offset == 0; p.splice {
		if base == tree.BaseSeg && pos.offset != 0 {
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
func (tx *tx) locateHead(offset int64, base tree.Base) (place, error) {
	p := place{region: tree.RegionHead, at: -1, parent: -1, offset: offset}
	if base == tree.BaseSeg {
		return p, fail(ErrPlacement, "a segment lies below ^seq only")
	}
	if offset != 0 {
		return p, nil
	}
	at, core := tx.headCore()
	switch {
	case base == tree.BaseCont && at >= 0:
		return p, fail(ErrPlacement, "the active head has a core container already")
	case base == tree.BaseBlock && at >= 0:
		p.at, p.parent = at, core
	case base == tree.BaseBlock:
		p.core = true
	}
	return p, nil
}

// beforeCore sorts before any sibling at offset 0.
var beforeCore = tree.Record{NS: math.MinInt64, Index: math.MinInt64}

// headCore returns the chunk and number of the core container of ^ah, -1 if
// there is none.
func (tx *tx) headCore() (at, i int) {
	part := &tx.s.Parts[tree.RegionHead]
	if part.Len() == 0 {
		return -1, -1
	}
	first := max(part.Find(&beforeCore), 0)
	for at, c := range part.Within(first, part.Len()) {
		for i := 0; i < len(c.Recs); i = c.End(i) {
			switch r := c.Recs[i]; r.OffsetSign() {
			case 0:
				if r.Base == tree.BaseCont {
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
func (tx *tx) isCore(region tree.Region, at, i int) bool {
	coreAt, core := tx.headCore()
	return region == tree.RegionHead && coreAt >= 0 && at == coreAt && i == core
}

func (tx *tx) locateUnder(pos Position, base tree.Base) (place, error) {
	n, ok := tx.find(pos.parent)
	if !ok {
		return place{}, fail(ErrNotFound, "no node has the id %q", pos.parent)
	}
	if base == tree.BaseSeg {
		return place{}, fail(ErrPlacement, "a segment is placed by its depth")
	}
	depth, placed := n.Depth()
	if n.region() == tree.RegionTop {
		if !placed {
			return place{}, fail(ErrInvalidParent, "%q takes no such children", pos.parent)
		}
		return tx.locate(AtDepth(depth, pos.offset), base)
	}
	switch {
	case n.region() == tree.RegionRest:
		return place{}, fail(ErrInvalidParent, "%q lies outside the regions", pos.parent)
	case n.Base() == tree.BaseBlock:
		return place{}, fail(ErrParentNotContainer, "%q is a block", pos.parent)
	case n.region() == tree.RegionSys:
		if err := tx.system(); err != nil {
			return place{}, err
		}
	case n.region() == tree.RegionSeq && (n.inCore() || n.I == 0 && pos.offset == 0):
		return place{}, fail(ErrSealed, "the core of a sealed segment does not change")
	}
	return place{region: n.region(), depth: depth, at: int(n.at()), parent: int(n.I), offset: pos.offset}, nil
}

// inCore tells whether the node is the core container of its segment, or lies
// in it; so does content at offset 0 of a segment without one.
func (n Node) inCore() bool {
	if n.region() != tree.RegionSeq || n.I == 0 {
		return false
	}
	i := n.I
	for n.Chunk.Nav[i].Level > 1 {
		i = n.Chunk.Nav[i].Parent
	}
	return n.Chunk.Recs[i].OffsetSign() == 0
}

func (tx *tx) insert(pos Position, d *Draft) (string, error) {
	p, err := tx.locate(pos, d.base())
	if err != nil {
		return "", err
	}
	if p.region != tree.RegionSys {
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
	return f.Recs[0].ID, nil
}

// checkDepth refuses a node that a reader with the default limit would not
// reach, where it is or, in the head, where it will be sealed. height is the
// number of levels below it.
func (tx *tx) checkDepth(p place, base tree.Base, height int) error {
	level := 2 // of a child of a region
	switch {
	case p.splice:
		level += [...]int{tree.BaseBlock: 2, tree.BaseCont: 1, tree.BaseSeg: 0}[base]
	case p.parent >= 0:
		level += int(tx.s.Parts[p.region].At(p.at).Nav[p.parent].Level) + 1
	}
	if p.region == tree.RegionHead {
		level += 2 // a segment, and perhaps a core
	}
	if level+height >= canonjson.DefaultDepth {
		return fail(ErrTreeDepth, "the tree would be nested deeper than %d levels, and a saved one could not be read", canonjson.DefaultDepth)
	}
	return nil
}

// makeCore makes the core container of the head (E2).
func (tx *tx) makeCore() (place, error) {
	r, err := tx.newRecord("", baseName(tree.BaseCont, tx.s.Edition()), 0)
	if err != nil {
		return place{}, err
	}
	r.Freeze()
	tx.add(r)
	tx.put(place{region: tree.RegionHead, at: -1, parent: -1}, tree.Forest{Recs: []*tree.Record{r}, Levels: []int32{0}})
	at, i := tx.headCore()
	return place{region: tree.RegionHead, at: at, parent: i}, nil
}

// room returns how many more nodes a chunk that has to be copied should have
// room for: the head grows by one node after another, a segment does only if
// it is large already.
func (p *place) room(c *tree.Chunk) int {
	n := len(c.Recs) / 8
	if p.region == tree.RegionHead {
		n = max(len(c.Recs)/2, tree.ChunkTarget/4)
	}
	return n
}

// put hangs a forest, whose nodes are in tx.added, into the tree.
func (tx *tx) put(p place, f tree.Forest) {
	part := &tx.s.Parts[p.region]
	top := f.Recs[0]
	switch {
	case p.at >= 0:
		c := part.At(p.at)
		owner := p.parent
		for owner >= 0 && c.Nav[owner].Parent >= 0 {
			owner = int(c.Nav[owner].Parent)
		}
		top = c.Recs[owner]
		i := c.InsertionIndex(p.parent, f.Recs[0])
		c = c.Insert(p.parent, i, f, p.room(c))
		*part = part.Set(p.at, c)
		tx.placed = tx.s.node(p.region, p.at, c, i)
	case part.Len() == 0:
		*part = part.Append(tree.NewChunk(f.Clone()))
	default:
		tx.putTop(p, f)
	}
	if p.region == tree.RegionHead {
		return
	}
	h := &tree.Location{Region: p.region}
	h.Top.Store(top)
	tx.settle(h, f.Recs...)
}

// putTop adds a child of a region, cutting a chunk that grows too large.
func (tx *tx) putTop(p place, f tree.Forest) {
	part := &tx.s.Parts[p.region]
	at := max(part.Find(f.Recs[0]), 0)
	c := part.At(at)
	i := c.InsertionIndex(-1, f.Recs[0])
	c = c.Insert(-1, i, f, tree.ChunkTarget/4)
	if len(c.Recs) <= 2*tree.ChunkTarget {
		*part = part.Set(at, c)
		tx.placed = tx.s.node(p.region, at, c, i)
		return
	}
	pieces := tree.Cut(c.Forest(), false)
	*part = part.Set(at, pieces[0])
	for i, piece := range pieces[1:] {
		*part = part.Insert(at+1+i, piece)
	}
}

// splice puts a new segment at a depth (E3): its instant is halfway between
// its neighbours', so that canonical order is the order of depths.
func (tx *tx) splice(p place, d *Draft) (string, error) {
	seg := *d
	if d.base() != tree.BaseSeg {
		inner := *d
		inner.Offset = 0
		if d.base() == tree.BaseBlock {
			inner = Draft{Type: baseName(tree.BaseCont, tx.s.Edition()), Children: []Draft{inner}}
		}
		seg = Draft{Type: baseName(tree.BaseSeg, tx.s.Edition()), Children: []Draft{inner}}
	}
	var f tree.Forest
	if err := tx.make(&f, &seg, 0, 0); err != nil {
		return "", err
	}
	if err := tx.putSegment(p.depth, f); err != nil {
		return "", err
	}
	if d.Cad != nil {
		node := slices.IndexFunc(f.Recs, func(r *tree.Record) bool { return r.Key == d.Key })
		tx.schedule(tree.NewChunk(f).Subtree(node), d.base() == tree.BaseBlock)
	}
	for _, r := range f.Recs {
		if d.Key != "" && r.Key == d.Key {
			return r.ID, nil
		}
	}
	i := 0
	switch {
	case d.base() == tree.BaseCont:
		i = 1
	case d.base() == tree.BaseBlock:
		i = 2
	}
	return f.Recs[i].ID, nil
}

// putSegment puts a segment, whose nodes are in tx.added, at a depth.
func (tx *tx) putSegment(depth int, f tree.Forest) error {
	seq := &tx.s.Parts[tree.RegionSeq]
	at := seq.Len() - depth + 1
	if at < seq.Len() {
		low, high := int64(0), seq.At(at).Recs[0].NS
		if at > 0 {
			low = seq.At(at - 1).Recs[0].NS
		}
		mid := low + (high-low)/2
		if mid <= low || mid >= high {
			return fail(ErrNoRoom, "no instant is left between the segments at depth %d and %d", depth-1, depth)
		}
		f.Recs[0].NS = mid
		f.Recs[0].ISO = tx.c.iso.format(mid)
	}
	*seq = seq.Insert(at, tree.NewChunk(f))
	h := &tree.Location{Region: tree.RegionSeq}
	h.Top.Store(f.Recs[0])
	tx.settle(h, f.Recs...)
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
	newest := tx.s.Parts[tree.RegionSeq].At(tx.s.Segments() - 1).Recs[0]
	if tx.move(n, Under(newest.ID, max(n.rec().Offset, 1))) != nil {
		return refuse
	}
	return nil
}

// subtreeAt returns n and what is below it, n with another offset.
func (n Node) subtreeAt(offset int64) tree.Forest {
	f := n.Chunk.Subtree(int(n.I))
	if r := f.Recs[0]; r.Exact(tree.HeaderOffset) || r.Offset != offset {
		moved := *r
		moved.Offset = offset
		moved.DropNumber(tree.HeaderOffset)
		f.Recs[0] = &moved
	}
	return f
}

// relocate moves a subtree to a place outside it.
func (tx *tx) relocate(n Node, p place) {
	f := n.subtreeAt(p.offset)
	tx.added = append(tx.added, f.Recs...)
	tx.settle(nil, f.Recs...)
	if n.region() == p.region && p.at >= int(n.at()) {
		switch {
		case p.at > int(n.at()) && len(n.Chunk.Recs) == len(f.Recs):
			p.at-- // the chunk the node leaves will be gone
		case p.at == int(n.at()) && p.parent > int(n.I):
			p.parent -= len(f.Recs)
		}
	}
	tx.cutOut(n)
	tx.put(p, f)
}

// cutOut takes a subtree out of the tree.
func (tx *tx) cutOut(n Node) {
	if up := n; n.Chunk.Nav[n.I].Parent >= 0 {
		up.I = n.Chunk.Nav[n.I].Parent
		cl := collector{dead: map[*tree.Record]bool{n.rec(): true}}
		if up.rec().Removable && cl.isEmpty(up) {
			tx.emptied = append(tx.emptied, up.ID())
		}
	}
	part := &tx.s.Parts[n.region()]
	*part = part.Set(int(n.at()), n.Chunk.Without(int(n.I)))
}

// split moves a subtree into a segment of its own at a depth.
func (tx *tx) split(n Node, depth int) error {
	seg, err := tx.newRecord("", baseName(tree.BaseSeg, tx.s.Edition()), 0)
	if err != nil {
		return err
	}
	made := tree.Forest{Recs: []*tree.Record{seg}, Levels: []int32{0}}
	if n.Base() == tree.BaseBlock {
		core, err := tx.newRecord("", baseName(tree.BaseCont, tx.s.Edition()), 0)
		if err != nil {
			return err
		}
		made.Add(core, 1)
	}
	for _, r := range made.Recs {
		r.Freeze()
		tx.add(r)
	}
	f := n.subtreeAt(0)
	tx.added = append(tx.added, f.Recs...)
	shift := int32(len(made.Recs))
	for i, r := range f.Recs {
		made.Add(r, f.Levels[i]+shift)
	}
	tx.cutOut(n)
	return tx.putSegment(depth, made)
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
		if up, ok := tx.find(pos.parent); ok && up.Chunk == n.Chunk && up.I >= n.I && up.I < n.Chunk.EndOf(n.I) {
			return fail(ErrCycleDetected, "%q would lie inside itself", n.ID())
		}
	}
	p, err := tx.locate(pos, n.Base())
	if err != nil {
		return err
	}
	if n.region() == tree.RegionSeq && p.region != tree.RegionSeq {
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
	case n.region() == tree.RegionTop:
		return fail(ErrPlacement, "%q is a region or the root", n.ID())
	case n.Base() == tree.BaseSeg:
		return fail(ErrPlacement, "the segment %q stays where it is", n.ID())
	case n.rec().IsMarker():
		return fail(ErrPlacement, "the redaction %q stays where it is", n.ID())
	case n.inCore():
		return fail(ErrSealed, "%q is part of a sealed core", n.ID())
	case n.region() == tree.RegionSys:
		return tx.system()
	}
	return nil
}

// height returns how many levels lie below a node.
func (n Node) height() int {
	h := int32(0)
	for _, p := range n.Chunk.Nav[n.I:n.Chunk.EndOf(n.I)] {
		h = max(h, p.Level-n.Chunk.Nav[n.I].Level)
	}
	return int(h)
}

// keepsRedaction checks that what lies in a redacted container stays in it.
func (tx *tx) keepsRedaction(n Node, p place) error {
	if len(tx.c.markers) == 0 {
		return nil
	}
	for _, up := range n.appendAbove(nil) {
		inside := !p.splice && p.region == n.region() && p.at == int(n.at()) && p.parent >= int(up.I) && p.parent < int(up.Chunk.EndOf(up.I))
		if !inside && len(tx.c.markers[up.ID()]) > 0 {
			return fail(ErrSealed, "%q lies in %q, which is redacted", n.ID(), up.ID())
		}
	}
	return nil
}

// keepsOrder checks, for every key in a subtree about to move, that older
// instances stay strictly deeper and younger ones strictly shallower.
func (tx *tx) keepsOrder(n Node, p place) error {
	if p.region == tree.RegionSys {
		return nil
	}
	for _, r := range n.Chunk.Recs[n.I:n.Chunk.EndOf(n.I)] {
		if r.Key == "" {
			continue
		}
		for _, id := range tx.c.keys[r.Key] {
			o, ok := tx.find(id)
			if !ok || id == r.ID || o.region() == tree.RegionSys || o.region() == tree.RegionTop {
				continue
			}
			depth, _ := o.Depth()
			if p.splice && depth >= p.depth {
				depth++
			}
			if o.Chunk == n.Chunk && o.I >= n.I && o.I < n.Chunk.EndOf(n.I) {
				depth = p.depth
			}
			older := tree.CompareAge(o.rec(), r) < 0
			if older && depth <= p.depth || !older && depth >= p.depth {
				return fail(ErrOverlap, "%q has the key %q at depth %d", id, r.Key, depth)
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
		case tree.RegionTop:
			return "", fail(ErrPlacement, "%q is a region or the root", n.ID())
		case tree.RegionSeq:
			return tx.redact(n)
		case tree.RegionSys:
			if err := tx.system(); err != nil {
				return "", err
			}
		}
		return "", tx.drop(n)
	})
}

func (tx *tx) drop(n Node) error {
	if id, ok := n.rec().Marks(); ok && n.rec().Cycle != tx.s.CommitCycle {
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
	if id, ok := n.rec().Marks(); ok {
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
	tx.put(place{region: tree.RegionSeq, depth: depth, at: int(n.at()), parent: 0}, f)
	return f.Recs[0].ID, nil
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
		case tree.RegionTop:
			return "", fail(ErrPlacement, "%q is a region or the root", n.ID())
		case tree.RegionSeq:
			return tx.overlay(n, &d)
		case tree.RegionSys:
			if err := tx.system(); err != nil {
				return "", err
			}
		}
		return n.ID(), tx.rewrite(n, &d)
	})
}

func (tx *tx) overlay(n Node, d *Draft) (string, error) {
	if d.base() != tree.BaseBlock {
		return "", fail(ErrPlacement, "an overlay is a block")
	}
	depth, _ := n.Depth()
	if d.Key == "" {
		d.Key = n.rec().Key
	}
	if d.Key != n.rec().Key {
		if err := tx.makeWay(d, place{region: tree.RegionSeq, depth: depth}); err != nil {
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
	for _, ref := range r.Extra().Refs {
		o, ok := tx.find(ref)
		if r.Key != "" && ok && o.region() == tree.RegionSeq && !o.rec().IsMarker() && o.rec().Key == r.Key && tree.CompareAge(o.rec(), r) < 0 {
			return o, true
		}
	}
	return Node{}, false
}

// versions returns the node that n is, or is an overlay of, and its overlays,
// oldest first. Without a key there is n alone.
func (tx *tx) versions(n Node) []Node {
	if n.rec().Key == "" {
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
	for _, id := range tx.c.keys[n.rec().Key] {
		if m, ok := tx.find(id); ok && m.region() == tree.RegionSeq && first(m) == root {
			list = append(list, m)
		}
	}
	slices.SortFunc(list, func(a, b Node) int { return tree.CompareAge(a.rec(), b.rec()) })
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
		typ = old.Type
	}
	base, _ := tree.SplitType(typ)
	switch {
	case d.ID != "" && d.ID != old.ID:
		return fail(ErrPlacement, "a replacement keeps the id %q", old.ID)
	case base != old.Base:
		return fail(ErrPlacement, "a replacement keeps the base of its type")
	case len(d.Children) > 0:
		return fail(ErrPlacement, "a replacement keeps the children")
	case slices.Contains(d.Refs, old.ID):
		return fail(ErrCycleDetected, "%q would refer to itself", old.ID)
	}
	if id, ok := old.Marks(); ok && old.Cycle != tx.s.CommitCycle {
		return fail(ErrSealed, "the redaction of %q does not change", id)
	}
	if d.Key == "" {
		d.Key = old.Key
	}
	d.Removable = old.Removable
	depth, _ := n.Depth()
	tx.count(old, -1)
	if n.region() != tree.RegionSys && n.region() != tree.RegionRest {
		if err := tx.makeWay(d, place{region: n.region(), depth: depth}); err != nil {
			return err
		}
		before := n.region()
		if n, _ = tx.find(old.ID); n.region() != before {
			return fail(ErrOverlap, "%q lies in an older node of its key", old.ID)
		}
	}
	r := &tree.Record{ID: old.ID, Type: typ, Base: old.Base, Offset: old.Offset, Cycle: old.Cycle, NS: old.NS, ISO: old.ISO,
		Index: old.Index, Expiry: tree.Never, TTLFrom: tx.s.CommitCycle}
	for _, x := range old.Extra().Numbers {
		if x.Header != tree.HeaderTTL && x.Header != tree.HeaderPriority && x.Header != tree.HeaderCad {
			r.Own().Numbers = append(r.Own().Numbers, x)
		}
	}
	if err := tx.fill(r, d); err != nil {
		return err
	}
	tx.count(r, 1)
	tx.setRecord(n, r)
	for _, id := range tx.c.markers[r.ID] {
		if m, ok := tx.find(id); ok {
			marker := *m.rec()
			extra := *marker.More
			marker.More = &extra
			marker.LiveAs(r)
			tx.setRecord(m, &marker)
		}
	}
	if d.Cad != nil {
		n, _ = tx.find(r.ID)
		tx.schedule(n.Chunk.Subtree(int(n.I)), tx.isCore(n.region(), int(n.at()), int(n.Chunk.Nav[n.I].Parent)))
	}
	return nil
}

// setRecord puts another record into the place of that of n.
func (tx *tx) setRecord(n Node, r *tree.Record) {
	tx.added = append(tx.added, r)
	part := &tx.s.Parts[n.region()]
	*part = part.Set(int(n.at()), n.Chunk.WithRecord(int(n.I), r))
	if n.region() == tree.RegionHead {
		tx.settle(nil, r)
		return
	}
	i := n.I
	for n.Chunk.Nav[i].Parent >= 0 {
		i = n.Chunk.Nav[i].Parent
	}
	h := &tree.Location{Region: n.region()}
	h.Top.Store(n.Chunk.Recs[i])
	tx.settle(h, r)
}
