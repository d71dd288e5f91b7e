package engine

import (
	"cmp"
	"slices"
	"strings"
)

// ReadOptions says what to accept. The zero value reads leniently with the
// default limits.
type ReadOptions struct {
	// Strict makes a broken invariant, and a spec_version of an unknown edition, an error instead of a warning.
	Strict bool
	// Edition overrides what spec_version says.
	Edition *Edition
	// MaxBytes limits a file after decompression; 0 means 512 MiB.
	MaxBytes int64
	// MaxDepth limits nesting, of nodes and of content; 0 means 1,000.
	MaxDepth int
}

func (o ReadOptions) maxBytes() int64 { return cmp.Or(o.MaxBytes, 512<<20) }
func (o ReadOptions) maxDepth() int   { return cmp.Or(o.MaxDepth, defaultDepth) }

// maxCycle keeps cycles and lifetimes far from overflow.
const maxCycle = 1 << 60

// reader reads the snapshots of one timeline.
type reader struct {
	opts     ReadOptions
	sc       *scanner
	index    *index
	head     *home
	count    int32    // of snapshots begun
	block    []record // records not handed out yet
	posted   []posted // entries of the index not handed out yet
	hint     *Edition // from an outer spec_version
	prev     *Snapshot
	warnings []*Error
	replaced []string // nodes whose ttl counts from the working cycle, sorted
	strange  string   // the last spec_version that was warned of
	draft    bool     // ids may be missing
	first    int64    // the cycle of a snapshot that names none
	guessed  bool     // a nodeType was filled in
	guess    Edition  // and this edition's spelling was taken
	tree     rawTree
}

// rawTree is one tree as the file has it, in the order of the file.
type rawTree struct {
	recs   []*record
	up     []int32 // parent
	nth    []int32 // position among the children of the parent
	at     []int   // where the node begins
	levels []int32
	said   []saidParent
	prefix []step // path of the root
}

// saidParent is the parent_id a node came with, which the tree has to agree with.
type saidParent struct {
	node int32
	id   string
}

func (t *rawTree) reset() {
	*t = rawTree{t.recs[:0], t.up[:0], t.nth[:0], t.at[:0], t.levels[:0], t.said[:0], nil}
}

func newReader(opts ReadOptions) *reader {
	return &reader{
		opts:  opts,
		index: newIndex(),
		head:  &home{region: RegionSeq, head: true},
		hint:  opts.Edition,
	}
}

// scanner returns a scanner for a text of the file called name.
func (rd *reader) scanner(name, text string) *scanner {
	s := newScanner(name, text, rd.opts.maxDepth())
	s.option = ", the limit MaxDepth"
	return s
}

func (rd *reader) alloc() *record {
	if len(rd.block) == 0 {
		rd.block = make([]record, 128)
	}
	r := &rd.block[0]
	rd.block = rd.block[1:]
	return r
}

func (rd *reader) allocPosted() *posted {
	if len(rd.posted) == 0 {
		rd.posted = make([]posted, 256)
	}
	p := &rd.posted[0]
	rd.posted = rd.posted[1:]
	return p
}

// document is what one JSON document of the supported forms holds.
type document struct {
	version   string
	cycle     int64
	hasCycle  bool
	extra     []member
	hasRoot   bool
	snapshots []*Snapshot
	isHistory bool
	working   *Snapshot
	cadence   []schedule
	state     *savedState
}

// snapshotMember reads one member of an object that is, or may be, a snapshot.
func (rd *reader) snapshotMember(d *document, name string) error {
	s := rd.sc
	switch name {
	case "spec_version":
		if s.space() != '"' {
			return s.shape("spec_version must be a string")
		}
		at := s.i
		v, err := s.str()
		if d.version = v; err != nil {
			return err
		}
		return rd.checkVersion(v, at)
	case "cycle":
		s.space()
		start := s.i
		text, err := s.value()
		if err != nil || text == "null" { // null stands for a missing cycle
			return err
		}
		i, ok := plainInt(text)
		if !ok || i < 0 || i > maxCycle {
			return s.errorAt(start, ErrHeaderType, "cycle must be an integer from 0 to 2^60")
		}
		d.cycle, d.hasCycle = i, true
		return nil
	case "root":
		if s.space() != '{' {
			return s.shape("root must be an object")
		}
		rd.tree.reset()
		rd.tree.prefix = slices.Clone(s.path)
		rd.count++
		d.hasRoot = true
		return rd.node(-1, 0, 0)
	}
	v, err := s.value()
	d.extra = append(d.extra, member{name, v})
	return err
}

// snapshot reads one snapshot object; missing is its cycle when it has none.
func (rd *reader) snapshot(missing int64, working bool) (*Snapshot, error) {
	s := rd.sc
	if s.space() != '{' {
		return nil, s.shape("a snapshot must be an object")
	}
	start := s.i
	var d document
	var seen memberSet
	err := s.object(func(name string, at int) error {
		if err := seen.add(s, name, at); err != nil {
			return err
		}
		return rd.snapshotMember(&d, name)
	})
	if err != nil {
		return nil, err
	}
	if !d.hasRoot {
		return nil, s.errorAt(start, ErrFileShape, "a snapshot without a root")
	}
	if !d.hasCycle {
		d.cycle = missing
	}
	return rd.finish(&d, working, start)
}

// memberSet finds duplicates among the members of a snapshot or history,
// which are few.
type memberSet []string

func (m *memberSet) add(s *scanner, name string, at int) error {
	if slices.Contains(*m, name) {
		return s.errorAt(at, ErrFileSyntax, "the member %q stands twice in one object", name)
	}
	if len(*m) >= 100 {
		return s.errorAt(at, ErrFileLimit, "more than 100 members around a tree")
	}
	*m = append(*m, name)
	return nil
}

// document reads a whole file that holds a snapshot or a history.
func (rd *reader) document() (*document, error) {
	s := rd.sc
	if s.space() != '{' {
		return nil, s.wrongValue(ErrFileShape, "neither a snapshot nor a history")
	}
	start := s.i
	d := &document{}
	var seen memberSet
	workingAt, resumeAt := -1, -1
	err := s.object(func(name string, at int) error {
		if err := seen.add(s, name, at); err != nil {
			return err
		}
		switch name {
		case "snapshots":
			if s.space() != '[' {
				return s.shape("snapshots must be a list")
			}
			if d.hasRoot {
				return s.errorAt(at, ErrFileShape, "both a root and snapshots")
			}
			d.isHistory = true
			return s.array(func(n int) error {
				s.space()
				start := s.i
				snap, err := rd.snapshot(int64(n), false)
				if err != nil {
					return err
				}
				d.snapshots = append(d.snapshots, snap)
				return rd.rising(d.snapshots, start)
			})
		case "working":
			// The cycle of the working state follows from the newest
			// snapshot, which may stand behind it.
			s.space()
			workingAt = s.i
			most := s.maxDepth
			s.maxDepth = 3*most + 2 // two for each level of nodes, and the content of the last
			_, err := s.value()
			s.maxDepth = most
			return err
		case "resume": // of a history; a snapshot may have a member of that name
			s.space()
			resumeAt = s.i
			return rd.snapshotMember(d, name)
		case "cadence":
			list, err := rd.schedules()
			d.cadence = list
			return err
		case "root":
			if d.isHistory {
				return s.errorAt(at, ErrFileShape, "both a root and snapshots")
			}
		}
		return rd.snapshotMember(d, name)
	})
	if err != nil {
		return nil, err
	}
	if err := s.end(); err != nil {
		return nil, err
	}
	if rd.opts.Edition == nil && d.version != "" {
		e, _ := editionOf(d.version)
		rd.hint = &e
	}
	switch {
	case d.isHistory:
		if rd.guessed && rd.hint != nil && *rd.hint != rd.guess {
			return nil, errAgain
		}
	case d.hasRoot:
		if !d.hasCycle {
			d.cycle = rd.first
		}
		snap, err := rd.finish(d, false, start)
		if err != nil {
			return nil, err
		}
		d.snapshots = []*Snapshot{snap}
	default:
		return nil, s.errorAt(start, ErrFileShape, "neither a snapshot (root) nor a history (snapshots)")
	}
	if resumeAt >= 0 && d.isHistory {
		if workingAt < 0 {
			return nil, s.errorAt(resumeAt, ErrFileShape, "resume goes with a working state, and there is none")
		}
		d.extra = slices.DeleteFunc(d.extra, func(m member) bool { return m.name == "resume" })
		s.i = resumeAt
		s.push("resume", -1)
		if d.state, err = rd.savedState(); err != nil {
			return nil, err
		}
		s.pop()
	}
	if workingAt >= 0 {
		s.i = workingAt
		s.push("working", -1)
		next := int64(1)
		if n := len(d.snapshots); n > 0 {
			next = d.snapshots[n-1].cycle + 1
		}
		if d.working, err = rd.snapshot(next, true); err != nil {
			return nil, err
		}
		if len(d.snapshots) > 0 && d.working.cycle != next {
			return nil, s.errorAt(workingAt, ErrFileShape, "the working state must be of cycle %d", next)
		}
		s.pop()
	}
	return d, nil
}

// errAgain asks for a second reading, with the edition that turned up behind
// nodes whose type had to be filled in.
var errAgain = fail(ErrFileShape, "read again")

func (rd *reader) rising(snaps []*Snapshot, at int) error {
	n := len(snaps)
	if n > 1 && snaps[n-1].cycle <= snaps[n-2].cycle {
		return rd.sc.errorAt(at, ErrFileShape, "cycle %d does not follow cycle %d: snapshots stand oldest first",
			snaps[n-1].cycle, snaps[n-2].cycle)
	}
	return nil
}

// node reads one node and what is below it.
func (rd *reader) node(parent, nth, level int32) error {
	s, t := rd.sc, &rd.tree
	if int(level) >= rd.opts.maxDepth() {
		return s.errorAt(s.i, ErrTreeDepth, "nodes are nested deeper than %d levels%s", rd.opts.maxDepth(), s.option)
	}
	if s.space() != '{' {
		return s.shape("a node must be an object")
	}
	start, idAt := s.i, s.i
	self := int32(len(t.recs))
	r := rd.alloc()
	r.expiry = never
	t.recs = append(t.recs, r)
	t.up = append(t.up, parent)
	t.nth = append(t.nth, nth)
	t.at = append(t.at, start)
	t.levels = append(t.levels, level)
	err := s.object(func(name string, at int) error {
		h, ok := headerOf(name)
		if !ok {
			v, err := s.value()
			r.own().members = append(r.own().members, member{name, v})
			return err
		}
		if r.have.has(h) {
			return s.errorAt(at, ErrFileSyntax, "the member %q stands twice in one object", name)
		}
		r.have.add(h)
		if h == hID {
			idAt = at
		}
		return rd.header(r, h, self, level)
	})
	if err != nil {
		return err
	}
	if r.more != nil && len(r.more.members) > 1 {
		m := r.more.members
		slices.SortFunc(m, func(a, b member) int { return strings.Compare(a.name, b.name) })
		for i := 1; i < len(m); i++ {
			if m[i].name == m[i-1].name {
				return s.twice(start)
			}
		}
	}
	if r.id == "" && rd.draft {
		return nil
	}
	if r.id == "" {
		r.id = rd.defaultID(r, level)
		if r.id == "" {
			return s.errorAt(start, ErrNodeIDMissing, "a node without an id")
		}
		r.own().unnamed = nth + 1
	}
	p := rd.index.ids.base[r.id]
	if p == nil {
		p = rd.allocPosted()
		rd.index.ids.base[r.id] = p
	}
	if p.seen == rd.count {
		return s.errorAt(idAt, ErrNodeIDDuplicate, "the id %q stands on two nodes", r.id)
	}
	p.seen = rd.count
	return nil
}

func (rd *reader) defaultID(r *record, level int32) string {
	if level == 0 {
		return "root"
	}
	if _, ok := regionOf(r.typ); ok && level == 1 {
		return r.typ
	}
	return ""
}

// header reads the value of a known member.
func (rd *reader) header(r *record, h header, self, level int32) error {
	s := rd.sc
	c := s.space()
	start := s.i
	wrong := func(want string) error {
		s.i = start
		return s.wrongValue(ErrHeaderType, headerNames[h]+" must be "+want)
	}
	if c == 'n' && h != hContent && h != hProvenance && h != hChildren {
		r.null.add(h)
		_, err := s.word()
		return err
	}
	switch h {
	case hChildren:
		if c != '[' {
			return s.shape("children must be a list")
		}
		return s.array(func(n int) error { return rd.node(self, int32(n), level+1) })
	case hContent, hProvenance:
		v, err := s.value()
		if h == hContent {
			r.content = v
		} else {
			r.own().provenance = v
		}
		return err
	case hRemovable, hPinned:
		if c != 't' && c != 'f' {
			return wrong("true or false")
		}
		w, err := s.word()
		if err != nil {
			return err
		}
		if h == hRemovable {
			r.removable = w == "true"
		} else {
			r.pinned = w == "true"
		}
		return nil
	case hTag, hRefs:
		if c != '"' && c != '[' {
			return wrong("a string or a list of strings")
		}
		return rd.list(r, h)
	case hOffset, hTTL, hPriority, hCycle, hCreatedNS, hCreationIndex, hCad:
		if c != '-' && c-'0' > 9 {
			return wrong("a number")
		}
		text, err := s.number()
		if err != nil {
			return err
		}
		i, ok := plainInt(text)
		if !ok || h == hTTL && i < 0 {
			e := r.own()
			e.numbers = append(e.numbers, exactNumber{h, text})
			return nil
		}
		*r.integer(h) = i
		return nil
	}
	if c != '"' {
		return wrong("a string")
	}
	text, err := s.str()
	switch h {
	case hID:
		r.id = text
	case hNodeType:
		r.typ = text
	case hKey:
		r.key = text
	case hKind:
		r.kind = text
	case hRole:
		r.role = text
	case hCreatedISO:
		r.iso = text
	case hContentHash:
		r.own().hash = text
	case hParentID:
		rd.tree.said = append(rd.tree.said, saidParent{self, text})
	}
	return err
}

// list reads tag or refs: a string or a list of strings. Members of a tag
// list that are no strings are kept but are no tags; a draft, which has tags
// only, cannot keep them.
func (rd *reader) list(r *record, h header) error {
	s := rd.sc
	start := s.i
	v, err := s.value()
	if err != nil {
		return err
	}
	words, odd := listWords(v)
	if odd && (h == hRefs || rd.draft) {
		return s.errorAt(start, ErrHeaderType, "%s must be a string or a list of strings", headerNames[h])
	}
	e := r.own()
	if h == hTag {
		e.tags, e.tag = words, v
		return nil
	}
	e.refs, e.refsText = words, v
	return nil
}

// listWords returns the strings of a canonical string or list, and whether
// the list holds anything else.
func listWords(v string) (words []string, odd bool) {
	if v[0] == '"' {
		return []string{unquoteValid(v[1 : len(v)-1])}, false
	}
	s := newScanner("", v, defaultDepth)
	_ = s.array(func(int) error { // canonical text cannot fail
		if s.space() != '"' {
			odd = true
			_, err := s.value()
			return err
		}
		w, err := s.str()
		words = append(words, w)
		return err
	})
	return words, odd
}

// finish makes the snapshot of the tree that was read last.
func (rd *reader) finish(d *document, working bool, at int) (*Snapshot, error) {
	edition := Edition1_0
	switch {
	case rd.opts.Edition != nil:
		edition = *rd.opts.Edition
	case d.version != "":
		edition, _ = editionOf(d.version)
	case rd.hint != nil:
		edition = *rd.hint
	}
	snap := &Snapshot{
		origin: &origin{edition, d.version, d.version != "", d.extra, rd.index},
		cycle:  d.cycle, ttlAt: d.cycle, working: working,
	}
	if working {
		snap.ttlAt--
	}
	t := &rd.tree
	for i, r := range t.recs {
		rd.defaults(r, i, snap)
	}
	if working {
		rd.bindMarkers(t, snap.ttlAt)
	}
	if err := rd.check(t, snap); err != nil {
		return nil, err
	}
	recs, levels := t.ordered()
	rd.assemble(snap, recs, levels)
	rd.prev = snap
	return snap, nil
}

// defaults fills in what the file left out.
func (rd *reader) defaults(r *record, i int, snap *Snapshot) {
	t := &rd.tree
	up := t.up[i]
	if up < 0 || up == 0 && r.isRegion() {
		r.base = BaseRegion
	}
	if r.typ == "" {
		switch {
		case up < 0:
			r.typ = "^root"
		case t.up[up] == 0 && t.recs[up].typ == "^seq":
			r.typ = BaseSeg.name(snap.edition)
			rd.guessed, rd.guess = true, snap.edition
		default:
			r.typ = BaseBlock.name(snap.edition)
			rd.guessed, rd.guess = true, snap.edition
		}
	}
	if (!r.have.has(hCycle) || r.null.has(hCycle)) && !r.exact(hCycle) {
		r.cycle = snap.cycle
	}
	r.ttlFrom = r.cycle
	if snap.working && len(rd.replaced) > 0 {
		if _, found := slices.BinarySearch(rd.replaced, r.id); found {
			r.ttlFrom = snap.cycle
		}
	}
	if r.have.has(hTTL) && !r.null.has(hTTL) && !r.exact(hTTL) {
		r.setTTL(Int(r.expiry), snap.ttlAt)
	}
	r.seal()
}

func (r *record) isRegion() bool {
	_, ok := regionOf(r.typ)
	return ok
}

// ordered returns the tree in document order. A file in that order, as every
// export is, is only looked through.
func (t *rawTree) ordered() ([]*record, []int32) {
	n := len(t.recs)
	last := make([]int32, n) // the latest child seen of every node, +1
	sorted := true
	for i := 1; i < n && sorted; i++ {
		up := t.up[i]
		if l := last[up]; l > 0 && up > 0 {
			sorted = compareSiblings(t.recs[l-1], t.recs[i]) < 0
		}
		last[up] = int32(i) + 1
	}
	if sorted {
		return slices.Clone(t.recs), slices.Clone(t.levels)
	}
	kids := make([][]int32, n)
	for i := 1; i < n; i++ {
		kids[t.up[i]] = append(kids[t.up[i]], int32(i))
	}
	recs, levels := make([]*record, 0, n), make([]int32, 0, n)
	var emit func(i int32)
	emit = func(i int32) {
		recs, levels = append(recs, t.recs[i]), append(levels, t.levels[i])
		if i > 0 {
			slices.SortFunc(kids[i], func(a, b int32) int { return compareSiblings(t.recs[a], t.recs[b]) })
		}
		for _, k := range kids[i] {
			emit(k)
		}
	}
	emit(0)
	return recs, levels
}

// assemble cuts a tree in document order into regions and chunks, sharing
// with the snapshot before whatever did not change.
func (rd *reader) assemble(snap *Snapshot, recs []*record, levels []int32) {
	if snap.version == "" {
		snap.version = snap.edition.SpecVersion()
	}
	var parts [numRegions]forest
	tops := [RegionRest]*record{}
	type span struct{ from, to int }
	var rest []span
	for i := 1; i < len(recs); {
		end := i + 1
		for end < len(recs) && levels[end] > 1 {
			end++
		}
		r := recs[i]
		if region, ok := regionOf(r.typ); ok && tops[region] == nil {
			tops[region] = r
			f := forest{recs[i+1 : end : end], levels[i+1 : end : end]}
			for k := range f.levels {
				f.levels[k] -= 2
			}
			parts[region] = f
		} else {
			r.demoteRegion()
			rest = append(rest, span{i, end})
		}
		i = end
	}
	slices.SortFunc(rest, func(a, b span) int { return compareSiblings(recs[a.from], recs[b.from]) })
	for _, sp := range rest {
		for k := sp.from; k < sp.to; k++ {
			parts[RegionRest].add(recs[k], levels[k]-1)
		}
	}
	snap.setTops(recs[0], tops)
	for r := range numRegions {
		chunks := cut(parts[r], r == RegionSeq)
		var old sequence
		if rd.prev != nil {
			old = rd.prev.parts[r]
			shareChunks(old, chunks)
		}
		snap.parts[r] = sequenceLike(old, chunks)
		for _, c := range chunks {
			rd.register(r, c)
		}
	}
	if rd.prev != nil && slices.EqualFunc(snap.tops.recs, rd.prev.tops.recs, (*record).equal) {
		snap.tops = rd.prev.tops
	}
}

// demoteRegion turns a second region of a kind into an ordinary node.
func (r *record) demoteRegion() {
	if r.base == BaseRegion {
		r.base = BaseBlock
		r.seal()
	}
}

func (s *Snapshot) setTops(root *record, regions [RegionRest]*record) {
	f := forest{[]*record{root}, []int32{0}}
	for r, rec := range regions {
		s.where[r] = -1
		if rec != nil {
			s.where[r] = int8(len(f.recs))
			f.add(rec, 1)
		}
	}
	s.tops = newChunk(f)
}

// register makes the nodes of a chunk findable.
func (rd *reader) register(r Region, c *Chunk) {
	if c.lazy.registered {
		return
	}
	c.lazy.registered = true
	h := rd.head
	for i, rec := range c.recs {
		if r != RegionHead && c.nav[i].level == 0 {
			h = &home{region: r}
			h.top.Store(rec)
		}
		rd.index.ids.addBase(rec.id, h, int32(i))
		if rec.key != "" {
			rd.index.keys.addBase(rec.key, h, int32(i))
		}
	}
}

// shareChunks replaces chunks, and records in changed ones, by their equals
// in old.
func shareChunks(old sequence, chunks []*Chunk) {
	for i, c := range chunks {
		at := old.find(c.recs[0])
		if at < 0 {
			continue
		}
		o := old.at(at)
		if o.recs[0].id != c.recs[0].id {
			continue
		}
		same := len(o.recs) == len(c.recs)
		for k, r := range c.recs {
			same = same && o.nav[k] == c.nav[k]
			if k < len(o.recs) && o.recs[k].equal(r) {
				c.recs[k] = o.recs[k]
			} else {
				same = false
			}
		}
		if same {
			chunks[i] = o
		}
	}
}

// sequenceLike makes a sequence of chunks that shares as much as it can with
// old.
func sequenceLike(old sequence, chunks []*Chunk) sequence {
	if old.root == nil || old.len() > len(chunks) || old.len() == 0 {
		return newSequence(chunks)
	}
	var changed []int
	for i, c := range old.all() {
		if c != chunks[i] {
			changed = append(changed, i)
		}
	}
	if len(changed)+len(chunks)-old.len() > len(chunks)/4+4 {
		return newSequence(chunks)
	}
	for _, i := range changed {
		old = old.set(i, chunks[i])
	}
	for _, c := range chunks[old.len():] {
		old = old.append(c)
	}
	return old
}

// equal tells whether two records would be exported alike in every snapshot.
func (r *record) equal(o *record) bool {
	if r == o {
		return true
	}
	if r.id != o.id || r.typ != o.typ || r.key != o.key || r.kind != o.kind || r.role != o.role ||
		r.iso != o.iso || r.content != o.content || r.offset != o.offset || r.priority != o.priority ||
		r.cycle != o.cycle || r.ns != o.ns || r.index != o.index || r.cad != o.cad || r.expiry != o.expiry || r.expiry != never && r.ttlFrom != o.ttlFrom ||
		r.have != o.have || r.null != o.null || r.removable != o.removable || r.pinned != o.pinned || r.base != o.base {
		return false
	}
	a, b := r.extra(), o.extra()
	return a == b || a.tag == b.tag && a.refsText == b.refsText && a.hash == b.hash && a.provenance == b.provenance && a.unnamed == b.unnamed &&
		slices.Equal(a.numbers, b.numbers) && slices.Equal(a.members, b.members)
}
