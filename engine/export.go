package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// appendHeader appends the value of a header that the node has, or of a required
// one. h must not be parent_id or children.
func appendHeader(dst []byte, r *tree.Record, h tree.Header, ttlAt int64) []byte {
	if r.Null.Has(h) && !tree.RequiredHeaders.Has(h) {
		return append(dst, "null"...)
	}
	switch h {
	case tree.HeaderContent:
		return append(dst, r.Content...)
	case tree.HeaderTTL:
		if n, ok := ttlOf(r, ttlAt); ok {
			return appendNumber(dst, n)
		}
		return append(dst, "null"...)
	case tree.HeaderOffset, tree.HeaderPriority, tree.HeaderCycle, tree.HeaderCreatedNS, tree.HeaderCreationIndex, tree.HeaderCad:
		if r.More == nil {
			return strconv.AppendInt(dst, *r.Integer(h), 10)
		}
		return appendNumber(dst, numberOf(r, h))
	case tree.HeaderTag:
		return append(dst, r.Tags.Text...)
	case tree.HeaderRefs:
		return append(dst, r.More.RefsText...)
	case tree.HeaderProvenance:
		return append(dst, r.More.Provenance...)
	case tree.HeaderRemovable:
		return strconv.AppendBool(dst, r.Removable)
	case tree.HeaderPinned:
		return strconv.AppendBool(dst, r.Pinned)
	}
	s, ok := r.Text(h)
	if !ok && h == tree.HeaderCreatedISO {
		return append(dst, "null"...)
	}
	return canonjson.AppendString(dst, s)
}

func appendNumber(dst []byte, n Number) []byte {
	if n.text != "" {
		return append(dst, n.text...)
	}
	return strconv.AppendInt(dst, n.i, 10)
}

// AppendJSON appends the canonical JSON of the snapshot: every member of
// every node, required headers always, keys sorted by code point, no white
// space, ASCII only, numbers as they were written, children in canonical
// order, no newline at the end. Reading it again and exporting that gives the
// same bytes.
func (s *Snapshot) AppendJSON(dst []byte) []byte {
	return s.appendDocument(dst, s.SpecVersion(), nil, nil)
}

// Sum returns the SHA-256 of what AppendJSON appends, and its length, without
// holding all of it.
func (s *Snapshot) Sum() (sum [sha256.Size]byte, size int64) {
	h := sha256.New()
	buf := buffers.Get().(*[]byte)
	add := func(piece []byte) {
		size += int64(len(piece))
		h.Write(piece)
	}
	rest := s.appendDocument((*buf)[:0], s.SpecVersion(), nil, add)
	add(rest)
	putBuffer(buf, rest)
	h.Sum(sum[:0])
	return sum, size
}

// buffers holds buffers for texts that are copied or hashed as soon as they are complete.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// mostKept is the capacity of the largest buffer to keep.
const mostKept = 1 << 20

// putBuffer gives back a buffer, which may have grown into text.
func putBuffer(buf *[]byte, text []byte) {
	if *buf = text[:0]; cap(text) <= mostKept {
		buffers.Put(buf)
	}
}

// written returns what write appends as a string.
func written(write func(dst []byte) []byte) string {
	buf := buffers.Get().(*[]byte)
	dst := write((*buf)[:0])
	text := string(dst)
	putBuffer(buf, dst)
	return text
}

// appendDocument writes the snapshot, without spec_version if version is "", and
// with the mark of a side call if side is not nil. If pass is not nil, it gets the
// text of the tree in pieces, and the result holds only the rest.
func (s *Snapshot) appendDocument(dst []byte, version string, side *Side, pass func([]byte)) []byte {
	var list members
	list.add("cycle", strconv.FormatInt(s.Cycle(), 10))
	list.put("root", func(d []byte) []byte {
		w := treeWriter{dst: d, ttlAt: s.tree().TTLAt(), pass: pass}
		w.subtree(s.Root(), "")
		return w.dst
	})
	if version != "" {
		list.text("spec_version", version)
	}
	extra := s.origin().Extra
	if side != nil {
		list.put(sideMember, side.appendJSON)
		// A document has no two members of one name.
		extra = slices.DeleteFunc(slices.Clone(extra), func(m tree.Member) bool { return m.Name == sideMember })
	}
	list.addAll(extra)
	return list.append(dst)
}

// treeWriter writes nodes as canonical JSON.
type treeWriter struct {
	dst       []byte
	ttlAt     int64
	asRead    bool         // a null stays null, and a missing id is empty
	reference bool         // numbers as Python prints them, and no custom members
	pass      func([]byte) // takes what was written, nil to keep it; see [Snapshot.appendDocument]
}

// passAt is the size at which a piece is passed on.
const passAt = 1 << 15

// comma writes the comma before any child but the first.
func (w *treeWriter) comma() {
	if w.dst[len(w.dst)-1] != '[' {
		w.dst = append(w.dst, ',')
	}
}

// subtree writes a node with all its members, and what is below it.
func (w *treeWriter) subtree(n Node, parentID string) {
	show := (n.rec().Have | tree.RequiredHeaders) &^ (1 << tree.HeaderChildren)
	if w.reference {
		show = n.rec().Have & referenceHeaders
	}
	if _, has := n.LastChild(); has {
		show.Add(tree.HeaderChildren)
	}
	w.object(n.rec(), &show, parentID, "", func() {
		kids := n.Children()
		if w.reference {
			kids = slices.Values(slices.SortedFunc(kids, func(a, b Node) int { return compareInFile(a.rec(), b.rec()) }))
		}
		for k := range kids {
			w.comma()
			w.subtree(k, n.ID())
		}
	})
}

// object writes a node with some headers and its custom members. kids writes the children and may change the set of
// headers for those that come after them. provenance, if it is not empty, is written instead of that of the node.
func (w *treeWriter) object(r *tree.Record, show *tree.HeaderSet, parentID, provenance string, kids func()) {
	dst := append(w.dst, '{')
	custom := r.Extra().Members
	if w.reference {
		custom = nil
	}
	for h := tree.Header(0); *show>>h != 0; h++ {
		h += tree.Header(bits.TrailingZeros32(uint32(*show >> h)))
		for len(custom) > 0 && custom[0].Name < tree.HeaderNames[h] {
			dst = appendMember(dst, custom[0])
			custom = custom[1:]
		}
		dst = append(dst, memberStarts[h]...)
		switch {
		case h == tree.HeaderChildren:
			w.dst = append(dst, '[')
			kids()
			dst = append(w.dst, ']')
		case h == tree.HeaderParentID && parentID != "":
			dst = canonjson.AppendString(dst, parentID)
		case h == tree.HeaderParentID || w.asRead && r.Null.Has(h):
			dst = append(dst, "null"...)
		case h == tree.HeaderProvenance && provenance != "":
			dst = append(dst, provenance...)
		case h == tree.HeaderID && w.asRead:
			dst = canonjson.AppendString(dst, idInFile(r))
		case w.reference:
			dst = canonjson.AppendPython(dst, string(appendHeader(nil, r, h, w.ttlAt)))
		default:
			dst = appendHeader(dst, r, h, w.ttlAt)
		}
		dst = append(dst, ',')
	}
	for _, m := range custom {
		dst = appendMember(dst, m)
	}
	dst = append(bytes.TrimSuffix(dst, []byte{','}), '}')
	if last := len(dst) - 1; w.pass != nil && last > passAt {
		w.pass(dst[:last]) // except the last byte, which decides what may follow
		dst[0], dst = '}', dst[:1]
	}
	w.dst = dst
}

// memberStarts holds the quoted name and colon of each header.
var memberStarts = func() (starts [tree.NumHeaders]string) {
	for h, name := range tree.HeaderNames {
		starts[h] = `"` + name + `":`
	}
	return
}()

// appendMember appends a custom member and a comma.
func appendMember(dst []byte, m tree.Member) []byte {
	return append(append(append(canonjson.AppendString(dst, m.Name), ':'), m.Value...), ',')
}

// referenceHeaders are the members that the reference implementation writes.
const referenceHeaders tree.HeaderSet = 1<<tree.HeaderChildren | 1<<tree.HeaderContent | 1<<tree.HeaderCreatedISO | 1<<tree.HeaderCreatedNS |
	1<<tree.HeaderCycle | 1<<tree.HeaderID | 1<<tree.HeaderKind | 1<<tree.HeaderNodeType | 1<<tree.HeaderOffset | 1<<tree.HeaderPriority |
	1<<tree.HeaderRole | 1<<tree.HeaderTTL

// AppendReference appends the bytes of the reference serialize_snapshot of
// PACT 0.1, 08 §6: the root with only the members it knows, as they came,
// without defaults, numbers as Python prints them. Siblings stand in canonical
// order even where they are regions; a missing id sorts as the empty string,
// and what is equal stays in the order of the file. ttl is what this snapshot
// shows.
func (s *Snapshot) AppendReference(dst []byte) []byte {
	w := treeWriter{dst: dst, ttlAt: s.tree().TTLAt(), asRead: true, reference: true}
	w.subtree(s.Root(), "")
	return w.dst
}

// compareInFile is the canonical order of siblings with the ids they have in the file. A node
// without one comes first.
func compareInFile(a, b *tree.Record) int {
	return cmp.Or(tree.ComparePositions(a, b), strings.Compare(idInFile(a), idInFile(b)), cmp.Compare(a.Extra().Unnamed, b.Extra().Unnamed))
}

func idInFile(r *tree.Record) string {
	if r.Extra().Unnamed > 0 {
		return ""
	}
	return r.ID
}
