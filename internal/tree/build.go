package tree

import "slices"

// Builder makes the snapshots of a timeline, oldest first, from whole trees ([Builder.Assemble]) or
// from changes ([Builder.Patch]).
type Builder struct {
	Index   *Index
	head    *Location
	prev    *Snapshot        // empty at first
	trees   int32            // the number of trees that were begun
	few     []string         // the first ids that were claimed in that tree
	claimed map[string]int32 // the tree in which each other id was last claimed
}

// NewBuilder returns a builder for a new timeline. size is the expected number of
// ids.
func NewBuilder(size int) *Builder {
	return &Builder{
		Index: NewIndex(size), head: &Location{Region: RegionSeq, Head: true}, prev: NewSnapshot(nil, 0, false), few: make([]string, 0, 8), claimed: make(map[string]int32, size),
	}
}

// Begin begins the next tree.
func (b *Builder) Begin() {
	b.trees++
	b.few = b.few[:0]
}

// Claim claims an id for a node of the tree that was begun last. It returns false if another node
// of that tree has the id.
func (b *Builder) Claim(id string) bool {
	if len(b.few) < cap(b.few) {
		if slices.Contains(b.few, id) {
			return false
		}
		if b.few = append(b.few, id); len(b.few) == cap(b.few) {
			for _, id := range b.few {
				b.claimed[id] = b.trees
			}
		}
		return true
	}
	free := b.claimed[id] != b.trees
	b.claimed[id] = b.trees
	return free
}

// Assemble divides a tree in document order into the regions and chunks of snap. snap shares what
// did not change with the previous snapshot. Assemble takes over both slices.
func (b *Builder) Assemble(snap *Snapshot, recs []*Record, levels []int32) {
	var parts [NumRegions]Forest
	tops := [RegionRest]*Record{}
	type span struct{ from, to int }
	var rest []span
	for i := 1; i < len(recs); {
		end := i + 1
		for end < len(recs) && levels[end] > 1 {
			end++
		}
		r := recs[i]
		if region, ok := RegionOf(r.Type); ok && tops[region] == nil {
			tops[region] = r
			f := Forest{recs[i+1 : end : end], levels[i+1 : end : end]}
			for k := range f.Levels {
				f.Levels[k] -= 2
			}
			parts[region] = f
		} else {
			if r.Base == BaseRegion { // a second one of its type is an ordinary node
				r.Base = BaseBlock
				r.Freeze()
			}
			rest = append(rest, span{i, end})
		}
		i = end
	}
	slices.SortFunc(rest, func(a, b span) int { return CompareSiblings(recs[a.from], recs[b.from]) })
	for _, sp := range rest {
		for k := sp.from; k < sp.to; k++ {
			parts[RegionRest].Add(recs[k], levels[k]-1)
		}
	}
	snap.SetRoots(recs[0], tops)
	b.link(snap, func(r Region, old Sequence) []*Chunk {
		chunks := Cut(parts[r], r == RegionSeq)
		for i, c := range chunks {
			if same := old.equalChunk(c); same != nil {
				chunks[i] = same
			} else {
				old.shareRecords(c)
				b.register(r, c)
			}
		}
		return chunks
	})
}

// link gives snap the chunks that the function chunks returns for each region, and makes snap the
// newest snapshot. snap shares what it can with the previous snapshot, whose sequence is old.
func (b *Builder) link(snap *Snapshot, chunks func(r Region, old Sequence) []*Chunk) {
	for r := range NumRegions {
		old := b.prev.parts[r]
		snap.parts[r] = sequenceLike(old, chunks(r, old))
	}
	if snap.roots.EqualFunc(b.prev.roots, (*Record).equal) {
		snap.roots = b.prev.roots
	}
	b.prev = snap
}

// SetRoots sets ^root and the regions.
func (s *Snapshot) SetRoots(root *Record, regions [RegionRest]*Record) {
	f := Forest{[]*Record{root}, []int32{0}}
	for r, rec := range regions {
		s.rootAt[r] = -1
		if rec != nil {
			s.rootAt[r] = int8(len(f.Recs))
			f.Add(rec, 1)
		}
	}
	s.roots = NewChunk(f)
}

// register adds the nodes of a chunk to the index.
func (b *Builder) register(r Region, c *Chunk) {
	h := b.head
	for i, rec := range c.Recs() {
		if r != RegionHead && c.Nav[i].Level == 0 {
			h = NewLocation(r, rec)
		}
		b.Index.Add(rec, h, int32(i))
	}
}

// Joiner puts snapshots of several timelines into one, oldest first. They share one index, and
// equal parts.
type Joiner struct {
	build   *Builder
	adopted map[*Chunk]*Chunk // the replacement of each chunk that was seen
	origins map[*Origin]*Origin
}

// NewJoiner returns a joiner for a new timeline.
func NewJoiner() *Joiner {
	return &Joiner{NewBuilder(0), map[*Chunk]*Chunk{}, map[*Origin]*Origin{}}
}

// Index returns the index of the timeline.
func (j *Joiner) Index() *Index { return j.build.Index }

// Add returns s as the next snapshot of the timeline. The cost is linear in the number of chunks,
// and in the size of those that it sees for the first time.
func (j *Joiner) Add(s *Snapshot) *Snapshot {
	next := *s
	if j.origins[s.origin] == nil {
		o := *s.origin
		o.Index = j.build.Index
		j.origins[s.origin] = &o
	}
	next.origin = j.origins[s.origin]
	j.build.link(&next, func(r Region, old Sequence) []*Chunk {
		chunks := make([]*Chunk, 0, s.parts[r].Len())
		for _, c := range s.parts[r].All() {
			if j.adopted[c] == nil {
				j.adopted[c] = old.equalChunk(c)
			}
			if j.adopted[c] == nil {
				j.adopted[c] = c
				j.build.register(r, c)
			}
			chunks = append(chunks, j.adopted[c])
		}
		return chunks
	})
	return &next
}

// equalChunk returns the chunk of the sequence that has the same nodes as c, or nil if there is
// none.
func (s Sequence) equalChunk(c *Chunk) *Chunk {
	if at := s.Find(c.Rec(0)); at >= 0 {
		if o := s.At(at); slices.Equal(o.Nav, c.Nav) && o.EqualFunc(c, (*Record).equal) {
			return o
		}
	}
	return nil
}

// shareRecords replaces records of a new chunk with equal ones of the chunk of the sequence that
// begins with the same node.
func (s Sequence) shareRecords(c *Chunk) {
	at := s.Find(c.Rec(0))
	if at < 0 || s.At(at).Rec(0).ID != c.Rec(0).ID {
		return
	}
	for i := range min(c.Len(), s.At(at).Len()) {
		if r := s.At(at).Rec(i); r.equal(c.flat[i]) {
			c.flat[i] = r
		}
	}
}

// sequenceLike returns a sequence of chunks that shares as much as possible with old.
func sequenceLike(old Sequence, chunks []*Chunk) Sequence {
	if old.Len() > len(chunks) || old.Len() == 0 {
		return NewSequence(chunks)
	}
	var changed []int
	for i, c := range old.All() {
		if c != chunks[i] {
			changed = append(changed, i)
		}
	}
	if len(changed)+len(chunks)-old.Len() > len(chunks)/4+4 {
		return NewSequence(chunks)
	}
	for _, i := range changed {
		old = old.Set(i, chunks[i])
	}
	for _, c := range chunks[old.Len():] {
		old = old.Append(c)
	}
	return old
}

// equal reports whether two records would have the same export in every snapshot.
func (r *Record) equal(o *Record) bool {
	if r == o {
		return true
	}
	like, a, b := *o, r.Extra(), o.Extra()
	if like.Tags, like.More = r.Tags, r.More; r.Expiry == Never {
		like.TTLFrom = r.TTLFrom
	}
	return *r == like && r.TagList().Text == o.TagList().Text && (a == b ||
		a.RefsText == b.RefsText && a.Hash == b.Hash && a.Provenance == b.Provenance && a.Unnamed == b.Unnamed &&
			slices.Equal(a.Numbers, b.Numbers) && slices.Equal(a.Members, b.Members))
}
