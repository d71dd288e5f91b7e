package engine

import "sync"

// index tells where nodes may be found by id and by key. It is shared by all
// snapshots of a timeline and only ever grows: an entry is a hint, which the
// snapshot that asks must confirm. That is why a mutation that fails needs
// not take anything back, and why readers need no lock.
type index struct {
	ids, keys postingMap
}

// postingMap maps a word to the homes it was seen in, newest first. base is
// written while a file is read, by one goroutine, and never afterwards.
type postingMap struct {
	base map[string]*posted
	live sync.Map // string → *posted
}

type posted struct {
	home *home // nil while the tree it belongs to is being read
	next *posted
	seen int32 // the snapshot the word was last read in; the reader's own
}

func newIndex() *index {
	return &index{ids: postingMap{base: map[string]*posted{}}, keys: postingMap{base: map[string]*posted{}}}
}

func (m *postingMap) lookup(word string) *posted {
	if p, ok := m.live.Load(word); ok {
		return p.(*posted)
	}
	return m.base[word]
}

// add records a home after the file was read.
func (m *postingMap) add(word string, h *home) {
	for {
		current, ok := m.live.Load(word)
		old := m.base[word]
		if ok {
			old = current.(*posted)
		}
		if old != nil && old.home == h {
			return
		}
		next := &posted{home: h, next: old}
		if !ok {
			if _, taken := m.live.LoadOrStore(word, next); !taken {
				return
			}
		} else if m.live.CompareAndSwap(word, current, next) {
			return
		}
	}
}

// addBase records a home while a file is read.
func (m *postingMap) addBase(word string, h *home) {
	old := m.base[word]
	if old == nil {
		m.base[word] = &posted{home: h}
		return
	}
	if old.home == nil {
		old.home = h
		return
	}
	if old.home == h {
		return
	}
	// The entry the map has stays first, so that no word is stored twice.
	older := *old
	old.home, old.next = h, &older
}

func (x *index) add(r *record, h *home) {
	x.ids.add(r.id, h)
	if r.key != "" {
		x.keys.add(r.key, h)
	}
}

// home is a stable name for a place: the subtree of one child of a region,
// found by its canonical position, or the active head of one cycle, which
// becomes a segment when it is sealed.
type home struct {
	region Region
	head   bool // the active head; after sealing also the segment top
	top    topRecord
}
