package tree

import (
	"hash/maphash"
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

// postingMap maps a word to the locations it was seen in, newest first. base is
// written by one goroutine while a file is read, and never afterwards. Later entries
// are in hash tables that are read without a lock; there are many of them, so
// none takes long to grow.
type postingMap struct {
	base   map[string]*posted
	seed   maphash.Seed
	mu     sync.Mutex // held to write the fields below
	room   []entry    // for the next entries
	tables atomic.Pointer[[256]atomic.Pointer[table]]
}

type posted struct {
	location *Location // nil while the tree it belongs to is being read
	next     *posted
	seen     int32 // the snapshot the word was last read in; the reader's own
	hint     int32 // the number the node had in its chunk, which may have changed
}

// entry holds a word and where it was seen last.
type entry struct {
	posted
	word string
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

func newPostingMap() postingMap {
	return postingMap{base: map[string]*posted{}, seed: maphash.MakeSeed()}
}

// NewIndex returns an empty index.
func NewIndex() *Index { return &Index{ids: newPostingMap(), keys: newPostingMap()} }

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

// fill puts a word into an empty slot.
func (s *slot) fill(e *entry, hash uint32) {
	s.hash = hash
	s.entry.Store(e)
}

func (m *postingMap) lookup(word string) *posted {
	if tables := m.tables.Load(); tables != nil {
		which, hash := m.hash(word)
		if t := tables[which].Load(); t != nil {
			if e := t.slot(word, hash).entry.Load(); e != nil {
				return &e.posted
			}
		}
	}
	return m.base[word]
}

// add records a location, and a number in it, after the file was read.
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
	if t == nil || 2*(t.used+1) > len(t.slots) {
		t = t.grown()
		tables[which].Store(t)
	}
	s := t.slot(word, hash)
	known := s.entry.Load()
	if known != nil {
		if known.location != h {
			s.entry.Store(m.newEntry(word, posted{location: h, next: &known.posted, hint: hint}))
		}
		return
	}
	old := m.base[word]
	if old != nil && old.location == h {
		return
	}
	t.used++
	s.fill(m.newEntry(word, posted{location: h, next: old, hint: hint}), hash)
}

// newEntry makes an entry. All of them stay, so they share their memory.
func (m *postingMap) newEntry(word string, p posted) *entry {
	if len(m.room) == 0 {
		m.room = make([]entry, 12)
	}
	e := &m.room[0]
	m.room = m.room[1:]
	e.posted, e.word = p, word
	return e
}

// grown returns a copy of t with twice the slots. Readers of t still find everything
// that it held.
func (t *table) grown() *table {
	if t == nil {
		return &table{slots: make([]slot, 8)}
	}
	more := &table{t.used, make([]slot, 2*len(t.slots))}
	for i := range t.slots {
		s := &t.slots[i]
		if e := s.entry.Load(); e != nil {
			more.slot(e.word, s.hash).fill(e, s.hash)
		}
	}
	return more
}

// addBase records a location while a file is read.
func (m *postingMap) addBase(word string, h *Location, hint int32) {
	old := m.base[word]
	if old == nil {
		m.base[word] = &posted{location: h, hint: hint}
		return
	}
	if old.location == nil {
		old.location, old.hint = h, hint
		return
	}
	if old.location == h {
		return
	}
	// The entry the map has stays first: no word is stored twice.
	older := *old
	old.location, old.next, old.hint = h, &older, hint
}

// Add adds a location of a node, and the number hint that the node has in its chunk.
func (x *Index) Add(r *Record, h *Location, hint int32) {
	x.ids.add(r.ID, h, hint)
	if r.Key != "" {
		x.keys.add(r.Key, h, hint)
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
