package engine

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// rawTree is a tree in the order of the file.
type rawTree struct {
	recs   []*tree.Record
	up     []int32 // parent
	nth    []int32 // position among the children of the parent
	at     []int   // offset of the node
	levels []int32
	stated []statedParent
}

// statedParent is the parent_id that a node has in the file. It must be the id of the enclosing
// node.
type statedParent struct {
	node int32
	id   string
}

// topLevel is the level of the top node of a subtree that is read by itself: in a tree, the root
// and a region are above it.
const topLevel = 2

// subtree returns the nodes [from, to), a subtree that was read by itself, in document order.
func (t *rawTree) subtree(from, to int) tree.Forest {
	f := t.forest(from, to)
	for i := range f.Levels {
		f.Levels[i] -= topLevel
	}
	return f
}

func (t *rawTree) reset() {
	*t = rawTree{t.recs[:0], t.up[:0], t.nth[:0], t.at[:0], t.levels[:0], t.stated[:0]}
}

// record adds a record to the tree. at is its offset.
func (rd *timelineReader) record(parent, nth, level int32, at int) *tree.Record {
	t := &rd.tree
	if len(rd.block) == 0 {
		rd.block = make([]tree.Record, 128)
	}
	r := &rd.block[0]
	rd.block, r.Expiry = rd.block[1:], tree.Never
	t.recs = append(t.recs, r)
	t.up = append(t.up, parent)
	t.nth = append(t.nth, nth)
	t.at = append(t.at, at)
	t.levels = append(t.levels, level)
	return r
}

// newNode reads a node that is not text, and its descendants.
func (rd *timelineReader) newNode(n *NewNode, parent, nth, level int32) error {
	self := int32(len(rd.tree.recs))
	r := rd.record(parent, nth, level, 0)
	r.ID, r.Type, r.NS, r.Index = n.ID, n.Type, n.NS, n.Index
	r.Have = 1<<tree.HeaderID | 1<<tree.HeaderCreatedNS | 1<<tree.HeaderCreationIndex
	if n.Type != "" {
		r.Have.Add(tree.HeaderNodeType)
	}
	if n.Parent != "" {
		r.Have.Add(tree.HeaderParentID)
		rd.tree.stated = append(rd.tree.stated, statedParent{self, n.Parent})
	}
	for i, m := range n.Members {
		rd.sc.setSource(m.Value)
		if h, ok := tree.HeaderOf(m.Name); ok {
			r.Have.Add(h)
			if err := rd.header(r, h, self, level); err != nil {
				return err
			}
			continue
		}
		v, err := rd.sc.Canonical()
		if err != nil {
			return err
		}
		e := r.Own()
		if e.Members == nil {
			e.Members = make([]tree.Member, 0, len(n.Members)-i)
		}
		e.Members = append(e.Members, tree.Member{Name: m.Name, Value: v})
	}
	for i := range n.Children {
		if err := rd.newNode(&n.Children[i], self, int32(i), level+1); err != nil {
			return err
		}
	}
	if !rd.build.Claim(r.ID) {
		return rd.sc.errorAt(0, ErrNodeIDDuplicate, "two nodes have the id %q", r.ID)
	}
	return nil
}

// node reads a node and its descendants.
func (rd *timelineReader) node(parent, nth, level int32) error {
	s, t := rd.sc, &rd.tree
	c := s.Peek()
	start := s.Offset()
	if int(level) >= rd.opts.maxDepth() {
		return s.errorAt(start, ErrTreeDepth, "nodes are nested deeper than %d levels%s", rd.opts.maxDepth(), s.option)
	}
	if c != '{' {
		return s.shape("a node must be an object")
	}
	if stop := rd.opts.Stop; stop != nil {
		if err := stop(); err != nil {
			return err
		}
	}
	idAt, self := start, int32(len(t.recs))
	r := rd.record(parent, nth, level, start)
	err := s.Object(func(name string, at int) error {
		h, ok := tree.HeaderOf(name)
		if !ok {
			v, err := s.Canonical()
			e := r.Own()
			if e.Members == nil {
				e.Members = make([]tree.Member, 0, 4)
			}
			e.Members = append(e.Members, tree.Member{Name: name, Value: v})
			return err
		}
		r.Have.Add(h)
		if h == tree.HeaderID {
			idAt = at
		}
		return rd.header(r, h, self, level)
	})
	if err != nil {
		return err
	}
	if r.More != nil {
		slices.SortFunc(r.More.Members, func(a, b tree.Member) int { return strings.Compare(a.Name, b.Name) })
	}
	if r.ID == "" {
		if rd.draft {
			return nil
		}
		switch _, isRegion := tree.RegionOf(r.Type); {
		case level == 0:
			r.ID = "root"
		case level == 1 && isRegion:
			r.ID = r.Type
		default:
			return s.errorAt(start, ErrNodeIDMissing, "the node has no id")
		}
		r.Own().Unnamed = nth + 1
	}
	if !rd.build.Claim(r.ID) {
		return s.errorOn(idAt, s.errorAt(start, "", "").Path, ErrNodeIDDuplicate, "two nodes have the id %q", r.ID)
	}
	return nil
}

// header reads the value of a header.
func (rd *timelineReader) header(r *tree.Record, h tree.Header, self, level int32) error {
	s := rd.sc
	c := s.Peek()
	if c == 'n' && h != tree.HeaderContent && h != tree.HeaderProvenance && h != tree.HeaderChildren {
		r.Null.Add(h)
		return s.Skip()
	}
	var err error
	switch h {
	case tree.HeaderChildren:
		return s.array("children", func(n int) error {
			r.Have &^= 1 << tree.HeaderChildren // it is set only for an empty list
			return rd.node(self, int32(n), level+1)
		})
	case tree.HeaderContent:
		r.Content, err = s.Canonical()
		return err
	case tree.HeaderProvenance:
		r.Own().Provenance, err = s.Canonical()
		return err
	case tree.HeaderRemovable:
		r.Removable, err = rd.boolean(h)
		return err
	case tree.HeaderPinned:
		r.Pinned, err = rd.boolean(h)
		return err
	case tree.HeaderTag, tree.HeaderRefs:
		return rd.list(r, h)
	}
	if tree.NumericHeaders.Has(h) {
		return rd.number(r, h)
	}
	if c != '"' {
		return rd.wrongHeader(h, "a string")
	}
	text, err := s.Text()
	switch h {
	case tree.HeaderContentHash:
		r.Own().Hash = text
	case tree.HeaderParentID:
		rd.tree.stated = append(rd.tree.stated, statedParent{self, text})
	default:
		*r.Field(h) = text
	}
	return err
}

// wrongHeader returns the error for a header whose value, which is next, has the wrong type.
func (rd *timelineReader) wrongHeader(h tree.Header, want string) error {
	return rd.sc.wrongValue(ErrHeaderType, tree.HeaderNames[h]+" must be "+want)
}

func (rd *timelineReader) boolean(h tree.Header) (bool, error) {
	if c := rd.sc.Peek(); c != 't' && c != 'f' {
		return false, rd.wrongHeader(h, "true or false")
	}
	w, err := rd.sc.Raw()
	return w == "true", err
}

func (rd *timelineReader) number(r *tree.Record, h tree.Header) error {
	if c := rd.sc.Peek(); c != '-' && c-'0' > 9 {
		return rd.wrongHeader(h, "a number")
	}
	text, err := rd.sc.Raw()
	if err != nil {
		return err
	}
	i, ok := canonjson.Int(text)
	if !ok || h == tree.HeaderTTL && i < 0 {
		e := r.Own()
		e.Numbers = append(e.Numbers, tree.ExactNumber{Header: h, Text: text})
		return nil
	}
	*r.Integer(h) = i
	return nil
}

// list reads tag or refs: a string or a list of strings. Elements of a tag list that are not
// strings are kept, but are not tags. A draft cannot keep them.
func (rd *timelineReader) list(r *tree.Record, h tree.Header) error {
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
	if h == tree.HeaderTag && rd.tags[v] != nil {
		r.Tags = rd.tags[v]
		return nil
	}
	words, odd := listWords(v)
	if odd && (h == tree.HeaderRefs || rd.draft) {
		return s.errorAt(start, ErrHeaderType, "%s must be %s", tree.HeaderNames[h], want)
	}
	if h == tree.HeaderRefs {
		r.Own().Refs, r.Own().RefsText = words, v
		return nil
	}
	r.Tags = tree.NewTagList(words, v)
	if len(rd.tags) < maxSharedTags {
		rd.tags[v] = r.Tags
	}
	return nil
}

// listWords returns the strings of a canonical string or list, and reports whether the list holds
// anything else.
func listWords(v string) (words []string, odd bool) {
	if v[0] == '"' {
		return []string{canonjson.Unquote(v)}, false
	}
	s := canonjson.NewScanner(v, len(v))
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
