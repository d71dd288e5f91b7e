package engine

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// rawTree is one tree as the file has it, in the order of the file.
type rawTree struct {
	recs   []*record
	up     []int32 // parent
	nth    []int32 // position among the children of the parent
	at     []int   // where the node begins
	levels []int32
	stated []statedParent
}

// statedParent is the parent_id a node came with, which the tree has to agree with.
type statedParent struct {
	node int32
	id   string
}

func (t *rawTree) reset() {
	*t = rawTree{t.recs[:0], t.up[:0], t.nth[:0], t.at[:0], t.levels[:0], t.stated[:0]}
}

// node reads one node and what is below it.
func (rd *reader) node(parent, nth, level int32) error {
	s, t := rd.sc, &rd.tree
	c := s.Peek()
	start := s.Offset()
	if int(level) >= rd.opts.maxDepth() {
		return s.errorAt(start, ErrTreeDepth, "nodes are nested deeper than %d levels%s", rd.opts.maxDepth(), s.option)
	}
	if c != '{' {
		return s.shape("a node must be an object")
	}
	idAt, self := start, int32(len(t.recs))
	r := rd.alloc()
	r.expiry = never
	t.recs = append(t.recs, r)
	t.up = append(t.up, parent)
	t.nth = append(t.nth, nth)
	t.at = append(t.at, start)
	t.levels = append(t.levels, level)
	err := s.Object(func(name string, at int) error {
		h, ok := headerOf(name)
		if !ok {
			v, err := s.Canonical()
			r.own().members = append(r.own().members, member{name, v})
			return err
		}
		r.have.add(h)
		if h == hID {
			idAt = at
		}
		return rd.header(r, h, self, level)
	})
	if err != nil {
		return err
	}
	if r.more != nil {
		slices.SortFunc(r.more.members, func(a, b member) int { return strings.Compare(a.name, b.name) })
	}
	if r.id == "" {
		if rd.draft {
			return nil
		}
		r.id = rd.defaultID(r, level)
		if r.id == "" {
			return s.errorAt(start, ErrNodeIDMissing, "a node without an id")
		}
		r.own().unnamed = nth + 1
	}
	p := rd.index.ids.base[r.id]
	if p == nil {
		p = rd.allocPosted()
		rd.index.ids.base[r.id] = p
	}
	if p.seen == rd.count {
		return s.errorOn(idAt, s.errorAt(start, "", "").Path, ErrNodeIDDuplicate, "the id %q stands on two nodes", r.id)
	}
	p.seen = rd.count
	return nil
}

func (rd *reader) defaultID(r *record, level int32) string {
	if level == 0 {
		return "root"
	}
	if _, ok := regionOf(r.typ); ok && level == 1 {
		return r.typ
	}
	return ""
}

// header reads the value of a known member.
func (rd *reader) header(r *record, h header, self, level int32) error {
	s := rd.sc
	c := s.Peek()
	if c == 'n' && h != hContent && h != hProvenance && h != hChildren {
		r.null.add(h)
		_, err := s.Literal()
		return err
	}
	var err error
	switch h {
	case hChildren:
		if c != '[' {
			return s.shape("children must be a list")
		}
		return s.Array(func(n int) error { return rd.node(self, int32(n), level+1) })
	case hContent:
		r.content, err = s.Canonical()
		return err
	case hProvenance:
		r.own().provenance, err = s.Canonical()
		return err
	case hRemovable:
		r.removable, err = rd.boolean(h)
		return err
	case hPinned:
		r.pinned, err = rd.boolean(h)
		return err
	case hTag, hRefs:
		return rd.list(r, h)
	case hOffset, hTTL, hPriority, hCycle, hCreatedNS, hCreationIndex, hCad:
		return rd.number(r, h)
	}
	if c != '"' {
		return rd.wrongHeader(h, "a string")
	}
	text, err := s.Text()
	switch h {
	case hID:
		r.id = text
	case hNodeType:
		r.typ = text
	case hKey:
		r.key = text
	case hKind:
		r.kind = text
	case hRole:
		r.role = text
	case hCreatedISO:
		r.iso = text
	case hContentHash:
		r.own().hash = text
	case hParentID:
		rd.tree.stated = append(rd.tree.stated, statedParent{self, text})
	}
	return err
}

// wrongHeader returns the error of a header whose next value is of the wrong type.
func (rd *reader) wrongHeader(h header, want string) error {
	return rd.sc.wrongValue(ErrHeaderType, headerNames[h]+" must be "+want)
}

func (rd *reader) boolean(h header) (bool, error) {
	if c := rd.sc.Peek(); c != 't' && c != 'f' {
		return false, rd.wrongHeader(h, "true or false")
	}
	w, err := rd.sc.Literal()
	return w == "true", err
}

func (rd *reader) number(r *record, h header) error {
	if c := rd.sc.Peek(); c != '-' && c-'0' > 9 {
		return rd.wrongHeader(h, "a number")
	}
	text, err := rd.sc.Number()
	if err != nil {
		return err
	}
	i, ok := canonjson.Int(text)
	if !ok || h == hTTL && i < 0 {
		e := r.own()
		e.numbers = append(e.numbers, exactNumber{h, text})
		return nil
	}
	*r.integer(h) = i
	return nil
}

// list reads tag or refs: a string or a list of strings. Members of a tag
// list that are not strings are kept but are not tags; a draft, which has tags
// only, cannot keep them.
func (rd *reader) list(r *record, h header) error {
	s := rd.sc
	const want = "a string or a list of strings"
	if c := s.Peek(); c != '"' && c != '[' {
		return rd.wrongHeader(h, want)
	}
	start := s.Offset()
	v, err := s.Canonical()
	if err != nil {
		return err
	}
	words, odd := listWords(v)
	if odd && (h == hRefs || rd.draft) {
		return s.errorAt(start, ErrHeaderType, "%s must be %s", headerNames[h], want)
	}
	e := r.own()
	if h == hTag {
		e.tags, e.tag = words, v
		return nil
	}
	e.refs, e.refsText = words, v
	return nil
}

// listWords returns the strings of a canonical string or list, and whether
// the list holds anything else.
func listWords(v string) (words []string, odd bool) {
	if v[0] == '"' {
		return []string{canonjson.Unquote(v)}, false
	}
	s := canonjson.NewScanner(v, canonjson.DefaultDepth)
	_ = s.Array(func(int) error { // canonical text cannot fail
		if s.Peek() != '"' {
			odd = true
			return s.Skip()
		}
		w, err := s.Text()
		words = append(words, w)
		return err
	})
	return words, odd
}
