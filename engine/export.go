package engine

import (
	"cmp"
	"slices"
	"strconv"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// appendHeader appends the value of a member the node has, or a required
// one, parent_id and children excepted.
func (r *record) appendHeader(dst []byte, h header, ttlAt int64) []byte {
	if r.null.has(h) && !requiredHeaders.has(h) {
		return append(dst, "null"...)
	}
	switch h {
	case hContent:
		return append(dst, r.content...)
	case hTTL:
		if n, ok := r.ttl(ttlAt); ok {
			return appendNumber(dst, n)
		}
		return append(dst, "null"...)
	case hOffset, hPriority, hCycle, hCreatedNS, hCreationIndex, hCad:
		if r.more == nil {
			return strconv.AppendInt(dst, *r.integer(h), 10)
		}
		return appendNumber(dst, r.number(h))
	case hTag:
		return append(dst, r.more.tag...)
	case hRefs:
		return append(dst, r.more.refsText...)
	case hProvenance:
		return append(dst, r.more.provenance...)
	case hRemovable:
		return strconv.AppendBool(dst, r.removable)
	case hPinned:
		return strconv.AppendBool(dst, r.pinned)
	case hCreatedISO:
		if _, ok := r.text(h); !ok {
			return append(dst, "null"...)
		}
	}
	s, _ := r.text(h)
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
	return s.appendDocument(dst, s.version)
}

// appendDocument writes the snapshot, without spec_version if that is "".
func (s *Snapshot) appendDocument(dst []byte, version string) []byte {
	type part struct {
		name  string
		write func([]byte) []byte
	}
	parts := []part{
		{"cycle", func(d []byte) []byte { return strconv.AppendInt(d, s.cycle, 10) }},
		{"root", s.appendRoot},
	}
	if version != "" {
		parts = append(parts, part{"spec_version", func(d []byte) []byte { return canonjson.AppendString(d, version) }})
	}
	for _, m := range s.extra {
		parts = append(parts, part{m.name, func(d []byte) []byte { return append(d, m.value...) }})
	}
	slices.SortFunc(parts, func(a, b part) int {
		if a.name < b.name {
			return -1
		}
		return 1
	})
	sep := byte('{')
	for _, p := range parts {
		dst = p.write(append(canonjson.AppendString(append(dst, sep), p.name), ':'))
		sep = ','
	}
	return append(dst, '}')
}

func (s *Snapshot) appendRoot(dst []byte) []byte {
	w := treeWriter{dst: dst, ttlAt: s.ttlAt}
	root := s.tops.recs[0]
	hasKids := len(s.tops.recs) > 1 || s.parts[RegionRest].len() > 0
	w.node(root, "", hasKids, func() {
		for r := range numRegions {
			if r == RegionRest {
				w.part(&s.parts[r], root.id)
			} else if i := s.where[r]; i >= 0 {
				w.comma()
				top := s.tops.recs[i]
				w.node(top, root.id, s.parts[r].len() > 0, func() { w.part(&s.parts[r], top.id) })
			}
		}
	})
	return w.dst
}

// treeWriter writes nodes as canonical JSON.
type treeWriter struct {
	dst   []byte
	ttlAt int64
}

// comma writes the comma before any child but the first.
func (w *treeWriter) comma() {
	if w.dst[len(w.dst)-1] != '[' {
		w.dst = append(w.dst, ',')
	}
}

func (w *treeWriter) part(seq *sequence, parentID string) {
	for _, c := range seq.all() {
		for i := 0; i < len(c.recs); i = c.End(i) {
			w.subtree(c, i, parentID)
		}
	}
}

func (w *treeWriter) subtree(c *Chunk, i int, parentID string) {
	w.comma()
	r, end := c.recs[i], c.End(i)
	if end == i+1 {
		w.node(r, parentID, false, nil)
		return
	}
	w.node(r, parentID, true, func() {
		for k := i + 1; k < end; k = c.End(k) {
			w.subtree(c, k, r.id)
		}
	})
}

// node writes one node; kids writes what stands in its list of children.
func (w *treeWriter) node(r *record, parentID string, hasKids bool, kids func()) {
	dst := append(w.dst, '{')
	members := r.extra().members
	show := r.have | requiredHeaders
	show &^= 1 << hChildren
	if hasKids {
		show.add(hChildren)
	}
	for h := range numHeaders {
		if !show.has(h) {
			continue
		}
		for len(members) > 0 && members[0].name < headerNames[h] {
			dst = append(append(append(canonjson.AppendString(dst, members[0].name), ':'), members[0].value...), ',')
			members = members[1:]
		}
		dst = append(append(append(dst, '"'), headerNames[h]...), '"', ':')
		switch h {
		case hChildren:
			w.dst = append(dst, '[')
			kids()
			dst = append(w.dst, ']')
		case hParentID:
			if parentID == "" {
				dst = append(dst, "null"...)
			} else {
				dst = canonjson.AppendString(dst, parentID)
			}
		case hID, hNodeType:
			s, _ := r.text(h)
			dst = canonjson.AppendString(dst, s)
		default:
			dst = r.appendHeader(dst, h, w.ttlAt)
		}
		dst = append(dst, ',')
	}
	for _, m := range members {
		dst = append(append(append(canonjson.AppendString(dst, m.name), ':'), m.value...), ',')
	}
	dst[len(dst)-1] = '}'
	w.dst = dst
}

// referenceHeaders are the members the reference implementation serialises,
// children apart; sorted, as it prints them.
var referenceHeaders = [...]header{
	hContent, hCreatedISO, hCreatedNS, hCycle, hID, hKind, hNodeType, hOffset, hPriority, hRole, hTTL,
}

// AppendReference appends the bytes of the reference serialize_snapshot of
// PACT 0.1, 08 §6: the root with only the members it knows, as they came,
// without defaults, numbers as Python prints them. Siblings stand in canonical
// order even where they are regions; a missing id sorts as the empty string,
// and what is equal stays in the order of the file. ttl is what this snapshot
// shows.
func (s *Snapshot) AppendReference(dst []byte) []byte {
	return s.Root().appendReference(dst)
}

// compareInFile is the canonical order of siblings with the ids they have in the file.
func compareInFile(a, b *record) int {
	ua, ub := a.extra().unnamed, b.extra().unnamed
	if ua == 0 && ub == 0 {
		return compareSiblings(a, b)
	}
	for _, h := range [...]header{hOffset, hCreatedNS, hCreationIndex} {
		if c := a.number(h).Cmp(b.number(h)); c != 0 {
			return c
		}
	}
	switch { // the one without an id comes first
	case ua == 0:
		return 1
	case ub == 0:
		return -1
	}
	return cmp.Compare(ua, ub)
}

func (n Node) appendReference(dst []byte) []byte {
	r := n.rec()
	kids := slices.SortedFunc(n.Children(), func(a, b Node) int { return compareInFile(a.rec(), b.rec()) })
	dst = append(dst, '{')
	if len(kids) > 0 || r.have.has(hChildren) {
		dst = append(dst, `"children":[`...)
		for i, k := range kids {
			if i > 0 {
				dst = append(dst, ',')
			}
			dst = k.appendReference(dst)
		}
		dst = append(dst, ']', ',')
	}
	for _, h := range referenceHeaders {
		if !r.have.has(h) {
			continue
		}
		dst = append(append(append(dst, '"'), headerNames[h]...), '"', ':')
		switch {
		case r.null.has(h):
			dst = append(dst, "null"...)
		case h == hID && r.extra().unnamed > 0:
			dst = append(dst, `""`...)
		case h == hContent:
			dst = canonjson.AppendPython(dst, r.content)
		default:
			dst = canonjson.AppendPython(dst, string(r.appendHeader(nil, h, n.s.ttlAt)))
		}
		dst = append(dst, ',')
	}
	if dst[len(dst)-1] == ',' {
		dst = dst[:len(dst)-1]
	}
	return append(dst, '}')
}
