package source

import (
	"hash/maphash"
	"slices"
	"strings"
)

// Links are the ids and names that a file may share with others. [File.Links] fills them in.
type Links struct {
	seed maphash.Seed
	keys []key
	refs []string // the names of other files

	hasRecord bool
	session   string   // of the latest record
	answer    string   // of the latest record
	agent     bool     // the first record is of an agent; the file follows the one that started it
	depth     int      // position among files that continue each other
	time      string   // of the first record
	dump      *dump    // what the file has of the requests that are in files of their own; may be nil
	sessions  []string // that the requests in the file name
}

// RecordLinks are the members that link a record of Claude Code with others, empty if missing.
type RecordLinks struct {
	UUID, Parent, LogicalParent, Session, Time string
	// Answer and Request are the ids of the message and the request of the API. The copies of an
	// answer in other files may have other records.
	Answer, Request string

	IsSidechain bool
}

// Record adds a record of Claude Code. It does not retain the strings.
func (x *Links) Record(r RecordLinks) {
	x.join(ofRecord, r.Parent)
	x.join(ofRecord, r.LogicalParent)
	if r.UUID == "" {
		return
	}
	x.keys = append(x.keys, x.key(ofRecord, r.UUID)|isOwn)
	if r.Session != x.session {
		x.session = strings.Clone(r.Session)
		x.join(ofSession, r.Session)
	}
	if r.Answer != "" && r.Answer != x.answer {
		x.answer = strings.Clone(r.Answer)
		k := x.key(ofAnswer, r.Answer)
		if r.Request != "" {
			k ^= x.key(ofRequest, r.Request)
		}
		x.keys = append(x.keys, k|isOwn)
	}
	if !x.hasRecord {
		x.hasRecord, x.agent, x.time = true, r.IsSidechain, strings.Clone(r.Time)
	}
}

// key is the hash of an id and its kind. Its lowest bit is isOwn.
type key uint64

// isOwn marks the key of something that the file contains, and does not only refer to.
const isOwn key = 1

// idKind is the kind of thing that an id identifies.
type idKind uint64

const (
	ofRecord idKind = iota
	ofSession
	ofRollout
	ofTrace
	ofFolder
	ofAnswer
	ofRequest
	ofTask
)

func (x *Links) key(kind idKind, id string) key {
	return key(maphash.String(x.seed, id)^uint64(kind)<<1) &^ isOwn
}

// join records that the file contains an id. It looks for duplicates only among the last two keys,
// because most ids occur twice in a row: as the id of a record and as the parent of the next.
func (x *Links) join(kind idKind, id string) {
	if id == "" {
		return
	}
	k := x.key(kind, id)
	if !slices.ContainsFunc(x.keys[max(len(x.keys)-2, 0):], func(l key) bool { return l&^isOwn == k }) {
		x.keys = append(x.keys, k)
	}
}

// keyTable maps each key to a file. It is a hash table with linear probing, because there are as
// many keys as records, and they are already hashes.
type keyTable struct {
	keys  []key    // with isUsed; 0 in a free slot
	files []uint32 // by slot
	used  int
}

// isUsed is set in the keys of a table, so none of them is 0.
const isUsed key = 1 << 63

// add adds a key of a file. It returns the file that the table has for the key, which may be this
// one, and whether both files contain what the key identifies.
func (t *keyTable) add(k key, file int) (other int, both bool) {
	if t.used >= len(t.keys)/2 {
		t.grow()
	}
	k |= isUsed
	at := t.slot(k)
	if t.keys[at] == 0 {
		t.used++
		t.keys[at], t.files[at] = k, uint32(file)
		return file, false
	}
	both = t.keys[at]&k&isOwn != 0
	t.keys[at] |= k
	return int(t.files[at]), both
}

// find returns the file that the table has for a key.
func (t *keyTable) find(k key) (file int, ok bool) {
	if t.used == 0 {
		return 0, false
	}
	at := t.slot(k | isUsed)
	return int(t.files[at]), t.keys[at] != 0
}

// slot returns the slot of a key, or the free slot for it.
func (t *keyTable) slot(k key) int {
	last := key(len(t.keys) - 1) // the size is a power of two
	at := k >> 1 & last
	for t.keys[at] != 0 && (t.keys[at]^k)&^isOwn != 0 {
		at = (at + 1) & last
	}
	return int(at)
}

func (t *keyTable) grow() {
	old := *t
	size := max(2*len(old.keys), 1<<10)
	t.keys, t.files = make([]key, size), make([]uint32, size)
	for i, k := range old.keys {
		if k != 0 {
			at := t.slot(k)
			t.keys[at], t.files[at] = k, old.files[i]
		}
	}
}
