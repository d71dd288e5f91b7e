package engine

import (
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// header numbers the members of a node that the engine knows.
type header uint8

const (
	hCad header = iota
	hChildren
	hContent
	hContentHash
	hCreatedISO
	hCreatedNS
	hCreationIndex
	hCycle
	hID
	hKey
	hKind
	hNodeType
	hOffset
	hParentID
	hPinned
	hPriority
	hProvenance
	hRefs
	hRemovable
	hRole
	hTag
	hTTL
	numHeaders
)

// headerNames is sorted, as exports and field lists are.
var headerNames = [numHeaders]string{
	hCad: "cad", hChildren: "children", hContent: "content", hContentHash: "content_hash",
	hCreatedISO: "created_at_iso", hCreatedNS: "created_at_ns", hCreationIndex: "creation_index",
	hCycle: "cycle", hID: "id", hKey: "key", hKind: "kind", hNodeType: "nodeType", hOffset: "offset",
	hParentID: "parent_id", hPinned: "pinned", hPriority: "priority", hProvenance: "provenance",
	hRefs: "refs", hRemovable: "removable", hRole: "role", hTag: "tag", hTTL: "ttl",
}

// headerSlots finds a header by a hash that no two of the names share.
var headerSlots = func() (slots [64]header) {
	for h, name := range headerNames {
		slots[slotOf(name)] = header(h)
	}
	return
}()

func slotOf(name string) int {
	n := len(name)
	return (n + 2*int(name[0]) + 24*int(name[n-1])) % 64
}

func headerOf(name string) (header, bool) {
	if name == "" {
		return 0, false
	}
	h := headerSlots[slotOf(name)]
	return h, headerNames[h] == name
}

// headerSet is a set of headers.
type headerSet uint32

func (s headerSet) has(h header) bool { return s>>h&1 != 0 }
func (s *headerSet) add(h header)     { *s |= 1 << h }

// requiredHeaders stand in every export.
const requiredHeaders headerSet = 1<<hID | 1<<hNodeType | 1<<hParentID | 1<<hOffset | 1<<hTTL |
	1<<hPriority | 1<<hCycle | 1<<hCreatedNS | 1<<hCreatedISO | 1<<hCreationIndex

// never is the expiry of a node without a ttl.
const never = math.MaxInt64

// record is one node without its place. It is immutable once it is part of a
// snapshot, and shared by all snapshots the node is unchanged in.
type record struct {
	id, typ, key, kind, role, iso string
	content                       string // canonical JSON, empty: none

	offset, priority, cycle, ns, index, cad int64
	expiry                                  int64 // the cycle whose commit removes the node
	ttlFrom                                 int64 // the cycle its ttl counts from: that of the node, or of its replacement

	have headerSet // members the node came with
	null headerSet // those of them that are null

	base              Base
	removable, pinned bool
	typeMask, keyMask uint64
	tagMask           uint64
	more              *extras // rarely needed members, nil if there are none
}

type extras struct {
	numbers    []exactNumber // numeric headers that are no 64-bit integers
	tags       []string
	tag        string // the header as it came, canonical JSON
	refs       []string
	refsText   string
	hash       string
	provenance string
	members    []member // custom members, sorted by name
	unnamed    int32    // for a node without an id in the file: its position among its siblings there, from 1
}

type exactNumber struct {
	h    header
	text string
}

type member struct{ name, value string }

var noExtras extras

func (r *record) extra() *extras {
	if r.more != nil {
		return r.more
	}
	return &noExtras
}

// own returns extras that may be written while the record is being made.
func (r *record) own() *extras {
	if r.more == nil {
		r.more = new(extras)
	}
	return r.more
}

// maskOf gives a word its bit in the summaries that let searches skip whole
// parts of a tree.
func maskOf(s string) uint64 {
	h := hashOf(s)
	return 1 << ((h ^ h>>15) & 63)
}

// hashOf is FNV-1a.
func hashOf(s string) uint32 {
	h := uint32(2166136261)
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return h
}

// seal derives what searches need.
func (r *record) seal() {
	if r.key != "" {
		r.keyMask = maskOf(r.key)
	}
	r.tagMask = 0
	for _, t := range r.extra().tags {
		r.tagMask |= maskOf(t)
	}
	base, user := splitType(r.typ)
	if r.base != BaseRegion {
		r.base = base
	}
	r.typeMask = 0
	if user != "" {
		r.typeMask = maskOf(user)
	}
}

// userType returns the user type, "" for a canonical type.
func (r *record) userType() string {
	if r.base == BaseRegion {
		return ""
	}
	_, user := splitType(r.typ)
	return user
}

// number returns a numeric header other than ttl.
func (r *record) number(h header) Number {
	if r.more != nil {
		for _, n := range r.more.numbers {
			if n.h == h {
				return Number{text: n.text}
			}
		}
	}
	return Number{i: *r.integer(h)}
}

// exact tells whether a numeric header is held as text.
func (r *record) exact(h header) bool {
	return r.more != nil && slices.ContainsFunc(r.more.numbers, func(n exactNumber) bool { return n.h == h })
}

func (r *record) integer(h header) *int64 {
	switch h {
	case hOffset:
		return &r.offset
	case hPriority:
		return &r.priority
	case hCycle:
		return &r.cycle
	case hCreatedNS:
		return &r.ns
	case hCreationIndex:
		return &r.index
	case hCad:
		return &r.cad
	}
	return &r.expiry
}

// mortal tells whether the node has a ttl.
func (r *record) mortal() bool { return r.expiry != never || r.more != nil && r.exact(hTTL) }

// ttl returns the lifetime shown in a snapshot of cycle at; the second
// result is false for none. A node made after that cycle (one of the working
// state) still has its whole lifetime; one that is only kept because
// something refers to it shows 0.
func (r *record) ttl(at int64) (Number, bool) {
	if r.more != nil && r.exact(hTTL) {
		return r.number(hTTL), true
	}
	if r.expiry == never {
		return Number{}, false
	}
	return Number{i: r.shownTTL(at)}, true
}

// shownTTL is the ttl of a node that has one as an integer.
func (r *record) shownTTL(at int64) int64 { return max(0, r.expiry-max(at, r.ttlFrom)) }

// liveAs gives a redaction marker the lifetime of its target.
func (r *record) liveAs(target *record) {
	r.expiry, r.ttlFrom = target.expiry, target.ttlFrom
	r.dropNumber(hTTL)
	if target.exact(hTTL) {
		r.own().numbers = append(slices.Clip(r.own().numbers), exactNumber{hTTL, target.number(hTTL).String()})
	}
}

// marks returns the id of the node that a redaction marker refers to; false for
// any other node. A redaction of several nodes is a block like any other.
func (r *record) marks() (target string, ok bool) {
	if r.more == nil || len(r.more.refs) != 1 || r.base != BaseBlock || r.userType() != "redaction" {
		return "", false
	}
	return r.more.refs[0], true
}

// isMarker tells whether a node is a redaction marker.
func (r *record) isMarker() bool {
	_, ok := r.marks()
	return ok
}

// setTTL is the reverse of ttl. A lifetime that cannot be counted in cycles
// is kept as it was written and never ends.
func (r *record) setTTL(n Number, at int64) {
	from := max(at, r.ttlFrom)
	if i, ok := n.Int64(); ok && i >= 0 && i < never-max(from, 0) {
		r.expiry = from + i
		return
	}
	r.expiry = never
	r.own().numbers = append(r.own().numbers, exactNumber{hTTL, n.String()})
}

// compareSiblings is the canonical order: offset, created_at_ns,
// creation_index, id (PACT 0.1, 02 §4.3).
func compareSiblings(a, b *record) int {
	if a.more == nil && b.more == nil {
		switch { // not by cmp.Or, which would compare everything
		case a == b:
			return 0
		case a.offset != b.offset:
			return cmp.Compare(a.offset, b.offset)
		case a.ns != b.ns:
			return cmp.Compare(a.ns, b.ns)
		case a.index != b.index:
			return cmp.Compare(a.index, b.index)
		}
		return strings.Compare(a.id, b.id)
	}
	for _, h := range [...]header{hOffset, hCreatedNS, hCreationIndex} {
		if c := a.number(h).Cmp(b.number(h)); c != 0 {
			return c
		}
	}
	return strings.Compare(a.id, b.id)
}

// compareAge is the order of making: created_at_ns, creation_index, id.
func compareAge(a, b *record) int {
	return cmp.Or(a.number(hCreatedNS).Cmp(b.number(hCreatedNS)),
		a.number(hCreationIndex).Cmp(b.number(hCreationIndex)), strings.Compare(a.id, b.id))
}

// text returns a string header and whether the node has it with a value.
func (r *record) text(h header) (string, bool) {
	var s string
	switch h {
	case hID:
		return r.id, true
	case hNodeType:
		return r.typ, true
	case hKey:
		s = r.key
	case hKind:
		s = r.kind
	case hRole:
		s = r.role
	case hCreatedISO:
		s = r.iso
	case hContentHash:
		s = r.extra().hash
	}
	return s, r.have.has(h) && !r.null.has(h)
}

func (r *record) memberValue(name string) (string, bool) {
	members := r.extra().members
	i, ok := slices.BinarySearchFunc(members, name, func(m member, n string) int { return strings.Compare(m.name, n) })
	if !ok {
		return "", false
	}
	return members[i].value, true
}

// appendHashInput appends the canonical JSON the content hash is taken of:
// content, kind, role and every content_* and data_* member, in Python's
// spelling (PACT 0.1, 08 §2.1). content_hash itself stays out.
func (r *record) appendHashInput(dst []byte) []byte {
	dst = append(dst, `{"content":`...)
	if r.content == "" {
		dst = append(dst, `""`...)
	} else {
		dst = canonjson.AppendPython(dst, r.content)
	}
	for _, m := range r.extra().members {
		if strings.HasPrefix(m.name, "content_") || strings.HasPrefix(m.name, "data_") {
			dst = append(canonjson.AppendString(append(dst, ','), m.name), ':')
			dst = canonjson.AppendPython(dst, m.value)
		}
	}
	dst = r.appendStringOrNull(append(dst, `,"kind":`...), hKind)
	dst = r.appendStringOrNull(append(dst, `,"role":`...), hRole)
	return append(dst, '}')
}

func (r *record) appendStringOrNull(dst []byte, h header) []byte {
	if r.null.has(h) {
		return append(dst, "null"...)
	}
	s, _ := r.text(h)
	return canonjson.AppendString(dst, s)
}

// contentHash computes the hash; it does not look at a stored one.
func (r *record) contentHash() string {
	sum := sha256.Sum256(r.appendHashInput(make([]byte, 0, 128+len(r.content))))
	return hex.EncodeToString(sum[:])
}

// hash returns the stored hash, else the computed one.
func (r *record) hash() string {
	if h, ok := r.text(hContentHash); ok {
		return h
	}
	return r.contentHash()
}
