package tree

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
)

// Index maps ids and keys to locations of nodes. All snapshots of a timeline share it, and it only
// grows: an entry is a hint that a snapshot must confirm. So a mutation that fails does not have to
// undo anything, and readers do not need a lock.
type Index struct {
	ids, keys postingMap
}

// postingMap maps a word to the locations in which it was seen, newest first. Its hash tables are
// read without a lock. There are many of them, so growing one does not take long.
type postingMap struct {
	seed   maphash.Seed
	first  int        // the number of slots of a new table
	mu     sync.Mutex // held while the fields below are written
	room   []entry    // unused entries
	tables atomic.Pointer[[256]atomic.Pointer[table]]
}

// entry is a word and a location in which it was seen.
type entry struct {
	word     string
	location *Location
	next     *entry // the next older one of the word
	hint     int32  // the number that the node had in its chunk; it may have changed
}

// table is a hash table with open addressing. Slots are filled and replaced, but never emptied. At
// least half of them are empty, because each further word that a search must look at is probably
// far away in memory.
type table struct {
	used  int
	slots []slot // the length is a power of two
}

// slot is a slot of a table. Its hash, which is written before its entry, makes most comparisons of
// words unnecessary.
type slot struct {
	entry atomic.Pointer[entry]
	hash  uint32
}

// NewIndex returns an empty index. size is the expected number of ids.
func NewIndex(size int) *Index {
	return &Index{
		ids:  postingMap{seed: maphash.MakeSeed(), first: max(8, 1<<bits.Len(uint(size)/128))},
		keys: postingMap{seed: maphash.MakeSeed(), first: 8},
	}
}

// hash returns the number of the table of a word, and the hash of the word in that table.
func (m *postingMap) hash(word string) (which uint8, hash uint32) {
	h := maphash.String(m.seed, word)
	return uint8(h >> 56), uint32(h)
}

// slot returns the slot of a word or, if it has none, the empty slot that it would get.
func (t *table) slot(word string, hash uint32) *slot {
	for i := hash; ; i++ {
		s := &t.slots[i&uint32(len(t.slots)-1)]
		if e := s.entry.Load(); e == nil || s.hash == hash && e.word == word {
			return s
		}
	}
}

// lookup returns the newest entry of a word, or nil if there is none.
func (m *postingMap) lookup(word string) *entry {
	tables := m.tables.Load()
	if tables == nil {
		return nil
	}
	which, hash := m.hash(word)
	if t := tables[which].Load(); t != nil {
		return t.slot(word, hash).entry.Load()
	}
	return nil
}

// add adds a location of a word, with a hint.
func (m *postingMap) add(word string, h *Location, hint int32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	tables := m.tables.Load()
	if tables == nil {
		tables = new([256]atomic.Pointer[table])
		m.tables.Store(tables)
	}
	which, hash := m.hash(word)
	t := tables[which].Load()
	switch {
	case t == nil:
		t = &table{slots: make([]slot, m.first)}
		tables[which].Store(t)
	case 2*(t.used+1) > len(t.slots):
		t = t.grown()
		tables[which].Store(t)
	}
	s := t.slot(word, hash)
	known := s.entry.Load()
	switch {
	case known == nil:
		t.used++
		s.hash = hash
	case known.location == h:
		return
	}
	if len(m.room) == 0 {
		m.room = make([]entry, 12) // entries are never freed, so they can share an allocation
	}
	e := &m.room[0]
	m.room = m.room[1:]
	*e = entry{word, h, known, hint}
	s.entry.Store(e)
}

// grown returns a copy of t with twice as many slots. Readers can still use t.
func (t *table) grown() *table {
	more := &table{t.used, make([]slot, 2*len(t.slots))}
	for i := range t.slots {
		s := &t.slots[i]
		if e := s.entry.Load(); e != nil {
			to := more.slot(e.word, s.hash)
			to.hash = s.hash
			to.entry.Store(e)
		}
	}
	return more
}

// Add adds a location of a node. hint is the number of the node in its chunk.
func (x *Index) Add(r *Record, h *Location, hint int32) {
	x.ids.add(r.ID, h, hint)
	if r.Key != "" {
		x.keys.add(r.Key, h, hint)
	}
}

// AddAll adds a location of consecutive nodes. hint is the number of the first one in its chunk.
func (x *Index) AddAll(recs []*Record, h *Location, hint int) {
	for i, r := range recs {
		x.Add(r, h, int32(hint+i))
	}
}

// Location names a part of the trees of a timeline: either the subtree of a child of a region,
// which is found by its canonical position, or an active head, which becomes a segment when it is
// sealed.
type Location struct {
	Region Region
	Head   bool                   // an active head; after sealing, also the segment Top
	at     atomic.Int32           // the position where it was last found
	Top    atomic.Pointer[Record] // the top node; nil in an active head
}

// NewLocation returns the location of the subtree of top, a child of a region.
func NewLocation(r Region, top *Record) *Location {
	h := &Location{Region: r}
	h.Top.Store(top)
	return h
}
