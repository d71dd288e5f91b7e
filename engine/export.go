package engine

import (
	"bytes"
	"cmp"
	"crypto/sha256"
	"io"
	"math/bits"
	"slices"
	"strconv"
	"strings"
	"sync"
	"unsafe"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// appendHeader appends the value of a header that the node has, or of a required header. h must not
// be parent_id or children.
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

// AppendJSON appends the canonical JSON of the snapshot. It holds every member of every node, and
// the required headers even where they are missing. Members are sorted by code point, children are
// in canonical order, numbers are as they were written, and there is neither white space nor any
// character beyond ASCII. Reading the text and exporting it again gives the same bytes. The cost is
// linear in the size of the snapshot.
func (s *Snapshot) AppendJSON(dst []byte) []byte {
	return s.appendDocument(dst, s.SpecVersion(), nil, nil)
}

// WriteTo writes what AppendJSON appends, without having all of it in memory. It stops at the first
// error of w, and returns the number of bytes written.
func (s *Snapshot) WriteTo(w io.Writer) (n int64, err error) {
	buf := buffers.Get().(*[]byte)
	write := func(piece []byte) {
		if err == nil {
			var written int
			written, err = w.Write(piece)
			n += int64(written)
		}
	}
	rest := s.appendDocument((*buf)[:0], s.SpecVersion(), nil, write)
	write(rest)
	putBuffer(buf, rest)
	return n, err
}

// Sum returns the SHA-256 and the length of what AppendJSON appends, without having all of it in
// memory.
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

// buffers holds buffers for texts that are copied or hashed at once.
var buffers = sync.Pool{New: func() any { return new([]byte) }}

// mostKept is the largest capacity of a buffer that is kept.
const mostKept = 1 << 20

// putBuffer returns a buffer to the pool. It may have grown into text.
func putBuffer(buf *[]byte, text []byte) {
	if *buf = text[:0]; cap(text) <= mostKept {
		buffers.Put(buf)
	}
}

// written returns what write appends.
func written(write func(dst []byte) []byte) string {
	buf := buffers.Get().(*[]byte)
	dst := write((*buf)[:0])
	if cap(dst) > mostKept { // the buffer is not used again
		return unsafe.String(unsafe.SliceData(dst), len(dst))
	}
	text := string(dst)
	putBuffer(buf, dst)
	return text
}

// appendDocument appends the snapshot. If version is "", it has no spec_version. It has the
// marks in marks, which may be nil. If pass is not nil, it receives the text of the tree in
// pieces, and the result holds only the rest.
func (s *Snapshot) appendDocument(dst []byte, version string, marks *CommitInfo, pass func([]byte)) []byte {
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
	before := len(list)
	if marks.appendMarks(&list); len(list) > before { // a document cannot have two members with the same name
		added := list[before:]
		extra = slices.DeleteFunc(slices.Clone(extra), func(m tree.Member) bool {
			return slices.ContainsFunc(added, func(a member) bool { return a.name == m.Name })
		})
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
	pass      func([]byte) // receives what was written; nil keeps it; see [Snapshot.appendDocument]
}

// passAt is the size from which text is passed on.
const passAt = 1 << 15

// comma writes the comma before every child except the first. A node may also be the value of a
// member.
func (w *treeWriter) comma() {
	if c := w.dst[len(w.dst)-1]; c != '[' && c != ':' {
		w.dst = append(w.dst, ',')
	}
}

// subtree writes a node with all its members, and its descendants.
func (w *treeWriter) subtree(n Node, parentID string) {
	show := (n.rec().Have | tree.RequiredHeaders) &^ (1 << tree.HeaderChildren)
	if w.reference {
		show = n.rec().Have & referenceHeaders
	}
	if _, has := n.LastChild(); has {
		show.Add(tree.HeaderChildren)
	}
	w.object(n.rec(), show, parentID, "", func() {
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

// object writes a node with the headers in show and its custom members. kids writes the children.
// If provenance is not empty, it is written instead of that of the node.
func (w *treeWriter) object(r *tree.Record, show tree.HeaderSet, parentID, provenance string, kids func()) {
	dst := append(w.dst, '{')
	custom := r.Extra().Members
	if w.reference {
		custom = nil
	}
	for h := tree.Header(0); show>>h != 0; h++ {
		h += tree.Header(bits.TrailingZeros32(uint32(show >> h)))
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
		w.pass(dst[:last]) // except the last byte, which comma looks at
		dst[0], dst = '}', dst[:1]
	}
	w.dst = dst
}

// memberStarts holds the quoted name of each header, followed by a colon.
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

// referenceHeaders are the headers that the reference implementation writes.
const referenceHeaders tree.HeaderSet = 1<<tree.HeaderChildren | 1<<tree.HeaderContent | 1<<tree.HeaderCreatedISO | 1<<tree.HeaderCreatedNS |
	1<<tree.HeaderCycle | 1<<tree.HeaderID | 1<<tree.HeaderKind | 1<<tree.HeaderNodeType | 1<<tree.HeaderOffset | 1<<tree.HeaderPriority |
	1<<tree.HeaderRole | 1<<tree.HeaderTTL

// AppendReference appends the bytes that serialize_snapshot of PACT 0.1, 08 §6, writes: the root
// with only the members that it knows, without defaults, and with numbers as Python prints them.
// Siblings are in canonical order, even regions; a missing id sorts as the empty string, and equal
// siblings stay in the order of the file. ttl has the value that this snapshot shows.
func (s *Snapshot) AppendReference(dst []byte) []byte {
	w := treeWriter{dst: dst, ttlAt: s.tree().TTLAt(), asRead: true, reference: true}
	w.subtree(s.Root(), "")
	return w.dst
}

// compareInFile compares siblings in canonical order, with the ids that they have in the file.
func compareInFile(a, b *tree.Record) int {
	return cmp.Or(tree.ComparePositions(a, b), strings.Compare(idInFile(a), idInFile(b)), cmp.Compare(a.Extra().Unnamed, b.Extra().Unnamed))
}

// idInFile returns the id that a node has in its file, or "" if it has none.
func idInFile(r *tree.Record) string {
	if r.Extra().Unnamed > 0 {
		return ""
	}
	return r.ID
}
