package tree

import (
	"hash/maphash"
	"math/bits"
	"sync"
	"sync/atomic"
)

// Index maps ids and keys to locations of nodes. All snapshots of a timeline share it,
// and it only ever grows: an entry is a hint, which the snapshot that asks must
// confirm. So a mutation that fails need not take anything back, and readers need
// no lock.
type Index struct {
	ids, keys postingMap
}

// postingMap maps a word to the locations it was seen in, newest first. Its hash tables
// are read without a lock; there are many of them, so none takes long to grow.
type postingMap struct {
	seed   maphash.Seed
	first  int        // slots of a new table
	mu     sync.Mutex // held to write the fields below
	room   []entry    // for the next entries
	tables atomic.Pointer[[256]atomic.Pointer[table]]
}

// entry is a word and a location that it was seen in.
type entry struct {
	word     string
	location *Location
	next     *entry // of the same word, older
	hint     int32  // the number the node had in its chunk, which may have changed
}

// table is a hash table with open addressing. Slots are filled and replaced,
// never emptied. At least half of them stay empty: each further word that a search
// has to look at is likely to be far away in memory.
type table struct {
	used  int
	slots []slot // a power of two
}

// slot is one slot of a table. Its hash is written before its entry, and makes most
// comparisons of words unnecessary.
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

// hash returns which table a word belongs into, and its hash in there.
func (m *postingMap) hash(word string) (which uint8, hash uint32) {
	h := maphash.String(m.seed, word)
	return uint8(h >> 56), uint32(h)
}

// slot returns the slot of a word, or the empty one it may have.
func (t *table) slot(word string, hash uint32) *slot {
	for i := hash; ; i++ {
		s := &t.slots[i&uint32(len(t.slots)-1)]
		if e := s.entry.Load(); e == nil || s.hash == hash && e.word == word {
			return s
		}
	}
}

// lookup returns the newest entry of a word, nil if there is none.
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

// add records a location, and a number in it.
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
		m.room = make([]entry, 12) // all of them stay, so they share their memory
	}
	e := &m.room[0]
	m.room = m.room[1:]
	*e = entry{word, h, known, hint}
	s.entry.Store(e)
}

// grown returns a copy of t with twice the slots. Readers of t still find everything
// that it held.
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

// Add adds a location of a node, and the number hint that the node has in its chunk.
func (x *Index) Add(r *Record, h *Location, hint int32) {
	x.ids.add(r.ID, h, hint)
	if r.Key != "" {
		x.keys.add(r.Key, h, hint)
	}
}

// AddAll adds a location of some nodes. The first has the number hint in its chunk, and the others follow it.
func (x *Index) AddAll(recs []*Record, h *Location, hint int) {
	for i, r := range recs {
		x.Add(r, h, int32(hint+i))
	}
}

// Location names a part of the trees of a timeline: the subtree of one child of a
// region, found by its canonical position, or the active head of one cycle, which
// becomes a segment when it is sealed.
type Location struct {
	Region Region
	Head   bool         // the active head; after sealing also the segment top
	at     atomic.Int32 // the position where it was found last
	Top    topRecord
}

// NewLocation returns the location of the subtree of top, a child of a region.
func NewLocation(r Region, top *Record) *Location {
	h := &Location{Region: r}
	h.Top.Store(top)
	return h
}
