package tree

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// Never is the expiry of a node without a ttl.
const Never = math.MaxInt64

// Record is a node without its position. Once it is part of a snapshot, it is immutable, and all
// snapshots in which the node is the same share it. It has a field for each header that most nodes
// have; More has the rest.
type Record struct {
	ID, Type, Key, Kind, Role, ISO string
	Content                        string // canonical JSON; "" if there is none

	Offset, Priority, Cycle, NS, Index, Cad int64
	Expiry                                  int64 // the cycle whose commit removes the node
	TTLFrom                                 int64 // the cycle from which the ttl counts: that of the node or of its replacement

	Have HeaderSet // the headers with which the node was read or made
	Null HeaderSet // those of them that are null

	Base              Base
	Removable, Pinned bool
	typeMask, keyMask uint64
	Tags              *TagList // shared by nodes with the same tags; nil if there are none
	More              *extras  // members that few nodes have; nil if there are none
}

// extras are the members that few nodes have.
type extras struct {
	Numbers    []ExactNumber // numeric headers that are not 64-bit integers
	Refs       []string
	RefsText   string
	Hash       string
	Provenance string
	Members    []Member // custom members, sorted by name
	Unnamed    int32    // if the node has no id in the file: its position among its siblings there, from 1
}

// TagList is the header tag of a node.
type TagList struct {
	Words []string
	Text  string // the header as canonical JSON: a list or one string
	mask  uint64
}

// NewTagList returns a list of words; text is its canonical JSON.
func NewTagList(words []string, text string) *TagList {
	t := &TagList{Words: words, Text: text}
	for _, w := range words {
		t.mask |= maskOf(w)
	}
	return t
}

var noTags TagList

// TagList returns the tags, or an empty list if the node has none.
func (r *Record) TagList() *TagList { return cmp.Or(r.Tags, &noTags) }

// ExactNumber is a numeric header that is stored as it was written.
type ExactNumber struct {
	Header Header
	Text   string
}

// Member is a member of an object; its value is canonical JSON.
type Member struct{ Name, Value string }

var noExtras extras

// Extra returns the members that few nodes have. They must not be modified.
func (r *Record) Extra() *extras {
	if r.More != nil {
		return r.More
	}
	return &noExtras
}

// Own is Extra for a record that is being made. The result may be modified.
func (r *Record) Own() *extras {
	if r.More == nil {
		r.More = new(extras)
	}
	return r.More
}

// Copy returns a copy that does not share its extras, from which a new record can be made.
func (r *Record) Copy() *Record {
	next := *r
	if r.More != nil {
		e := *r.More
		e.Numbers, e.Members = slices.Clone(e.Numbers), slices.Clone(e.Members)
		next.More = &e
	}
	return &next
}

// maskOf returns the bit of a word in summaries, or 0 for the empty word. With these, searches skip
// whole parts of a tree.
func maskOf(s string) uint64 {
	if s == "" {
		return 0
	}
	h := uint32(2166136261) // FNV-1a
	for i := range len(s) {
		h = (h ^ uint32(s[i])) * 16777619
	}
	return 1 << ((h ^ h>>15) & 63)
}

// Freeze sets the base and the masks of a record whose headers are complete.
func (r *Record) Freeze() {
	base, user := SplitType(r.Type)
	if r.Base != BaseRegion {
		r.Base = base
	}
	r.typeMask, r.keyMask = maskOf(user), maskOf(r.Key)
}

// UserType returns the user type, or "" for a canonical type.
func (r *Record) UserType() string {
	if r.Base == BaseRegion {
		return ""
	}
	_, user := SplitType(r.Type)
	return user
}

// ExactText returns a numeric header that is stored as text. For others, it returns false.
func (r *Record) ExactText(h Header) (string, bool) {
	for _, n := range r.Extra().Numbers {
		if n.Header == h {
			return n.Text, true
		}
	}
	return "", false
}

// CompareHeader compares a numeric header of two nodes by value.
func (r *Record) CompareHeader(o *Record, h Header) int {
	if r.More == nil && o.More == nil || !r.Exact(h) && !o.Exact(h) { // as in most nodes
		return cmp.Compare(*r.Integer(h), *o.Integer(h))
	}
	return canonjson.CompareNumbers(r.numberText(h), o.numberText(h))
}

// numberText returns a numeric header as text.
func (r *Record) numberText(h Header) string {
	text, ok := r.ExactText(h)
	if !ok {
		text = strconv.FormatInt(*r.Integer(h), 10)
	}
	return text
}

// OffsetSign returns -1, 0 or +1 for a negative, zero or positive offset.
func (r *Record) OffsetSign() int { return r.CompareHeader(&atZero, HeaderOffset) }

var atZero Record

// Exact reports whether a numeric header is stored as text.
func (r *Record) Exact(h Header) bool {
	_, ok := r.ExactText(h)
	return ok
}

// Has reports whether the node has a header with a value other than null.
func (r *Record) Has(h Header) bool { return r.Have.Has(h) && !r.Null.Has(h) }

// Integer returns where a numeric header is stored. For ttl, that is the expiry.
func (r *Record) Integer(h Header) *int64 {
	switch h {
	case HeaderOffset:
		return &r.Offset
	case HeaderPriority:
		return &r.Priority
	case HeaderCycle:
		return &r.Cycle
	case HeaderCreatedNS:
		return &r.NS
	case HeaderCreationIndex:
		return &r.Index
	case HeaderCad:
		return &r.Cad
	}
	return &r.Expiry
}

// hasTTL reports whether the node has a ttl.
func (r *Record) hasTTL() bool { return r.Expiry != Never || r.More != nil && r.Exact(HeaderTTL) }

// ShownTTL returns the ttl that a state shows whose lifetimes count from the cycle at. The node
// must have a ttl that is an integer.
func (r *Record) ShownTTL(at int64) int64 { return max(0, r.Expiry-max(at, r.TTLFrom)) }

// LiveAs gives a redaction marker the lifetime of its target.
func (r *Record) LiveAs(target *Record) {
	r.Expiry, r.TTLFrom = target.Expiry, target.TTLFrom
	r.Have.Add(HeaderTTL)
	r.Null &^= 1 << HeaderTTL
	r.DropNumber(HeaderTTL)
	if text, ok := target.ExactText(HeaderTTL); ok {
		r.Own().Numbers = append(slices.Clip(r.Own().Numbers), ExactNumber{HeaderTTL, text})
	}
}

// Marks returns the id of the node that a redaction marker redacts. For any other node, it returns
// false. A block of type redaction that refers to several nodes is not a marker.
func (r *Record) Marks() (target string, ok bool) {
	if r.More == nil || len(r.More.Refs) != 1 || r.Base != BaseBlock || r.UserType() != "redaction" {
		return "", false
	}
	return r.More.Refs[0], true
}

// IsMarker reports whether a node is a redaction marker.
func (r *Record) IsMarker() bool {
	_, ok := r.Marks()
	return ok
}

// SetTTL sets the expiry for a ttl that is shown in a state whose lifetimes count from the cycle
// at. If the ttl is too large for that, it is stored as text, and the node never expires.
func (r *Record) SetTTL(ttl, at int64) {
	from := max(at, r.TTLFrom)
	if ttl < Never-max(from, 0) {
		r.Expiry = from + ttl
		return
	}
	r.Expiry = Never
	r.Own().Numbers = append(r.Own().Numbers, ExactNumber{HeaderTTL, strconv.FormatInt(ttl, 10)})
}

// DropNumber removes the text of a numeric header.
func (r *Record) DropNumber(h Header) {
	if !r.Exact(h) {
		return
	}
	e := *r.More
	e.Numbers = slices.DeleteFunc(slices.Clone(e.Numbers), func(n ExactNumber) bool { return n.Header == h })
	r.More = &e
}

// CompareSiblings compares siblings in canonical order: by offset, created_at_ns, creation_index
// and id (PACT 0.1, 02 §4.3).
func CompareSiblings(a, b *Record) int {
	if a == b {
		return 0
	}
	if c := ComparePositions(a, b); c != 0 {
		return c
	}
	return strings.Compare(a.ID, b.ID)
}

// ComparePositions is CompareSiblings without the id.
func ComparePositions(a, b *Record) int {
	if len(a.Extra().Numbers) == 0 && len(b.Extra().Numbers) == 0 {
		switch { // cmp.Or would compare everything
		case a.Offset != b.Offset:
			return cmp.Compare(a.Offset, b.Offset)
		case a.NS != b.NS:
			return cmp.Compare(a.NS, b.NS)
		}
		return cmp.Compare(a.Index, b.Index)
	}
	return cmp.Or(a.CompareHeader(b, HeaderOffset), a.CompareHeader(b, HeaderCreatedNS), a.CompareHeader(b, HeaderCreationIndex))
}

// CompareAge compares nodes by age, oldest first: by cycle and creation_index, then by
// created_at_ns and id. The instant alone does not tell the age of a node that was put between two
// others (E49).
func CompareAge(a, b *Record) int {
	return cmp.Or(a.CompareHeader(b, HeaderCycle), a.CompareHeader(b, HeaderCreationIndex),
		a.CompareHeader(b, HeaderCreatedNS), strings.Compare(a.ID, b.ID))
}

// Text returns the value of a string header, and reports whether the node has it and it is not
// null.
func (r *Record) Text(h Header) (string, bool) {
	has := h == HeaderID || h == HeaderNodeType || r.Has(h)
	if h == HeaderContentHash {
		return r.Extra().Hash, has
	}
	if field := r.Field(h); field != nil {
		return *field, has
	}
	return "", has
}

// Field returns where the text of content, or of a string header other than content_hash and
// parent_id, is stored. For any other header, it returns nil.
func (r *Record) Field(h Header) *string {
	switch h {
	case HeaderContent:
		return &r.Content
	case HeaderCreatedISO:
		return &r.ISO
	case HeaderID:
		return &r.ID
	case HeaderKey:
		return &r.Key
	case HeaderKind:
		return &r.Kind
	case HeaderNodeType:
		return &r.Type
	case HeaderRole:
		return &r.Role
	}
	return nil
}

// MemberValue returns the value of the custom member with the given name, and reports whether it
// exists.
func (r *Record) MemberValue(name string) (string, bool) {
	members := r.Extra().Members
	i, ok := slices.BinarySearchFunc(members, name, func(m Member, n string) int { return strings.Compare(m.Name, n) })
	if !ok {
		return "", false
	}
	return members[i].Value, true
}

// Reset removes a header from a record that is being made. The record must not share its extras.
func (r *Record) Reset(h Header) {
	r.Have &^= 1 << h
	r.Null &^= 1 << h
	r.DropNumber(h)
	e := cmp.Or(r.More, &extras{})
	switch h {
	case HeaderContentHash:
		e.Hash = ""
	case HeaderKey:
		r.Key, r.keyMask = "", 0
	case HeaderPinned:
		r.Pinned = false
	case HeaderProvenance:
		e.Provenance = ""
	case HeaderRefs:
		e.Refs, e.RefsText = nil, ""
	case HeaderRemovable:
		r.Removable = false
	case HeaderTag:
		r.Tags = nil
	case HeaderTTL:
		r.Expiry = Never
	default:
		if NumericHeaders.Has(h) {
			*r.Integer(h) = 0
		} else if field := r.Field(h); field != nil {
			*field = ""
		}
	}
}
