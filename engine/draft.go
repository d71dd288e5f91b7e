package engine

import (
	"cmp"
	"maps"
	"slices"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Draft describes a node to make. It has a field for each header that the caller chooses; the
// engine adds those for the time and the position.
type Draft struct {
	ID         string // if it is empty, the engine chooses one
	Type       string // if it is empty, the node is a block
	Key        string
	Kind       string
	Role       string
	Tags       []string
	Offset     int64  // of a child in its parent, or of an overlay; an inserted node has that of its position
	TTL        *int64 // lifetime in cycles; nil for none
	Cad        *int64 // cadence in cycles, at least 1; requires a key; starts no cadence in an overlay or a child
	Priority   int64
	Content    Value
	Removable  bool
	Pinned     bool
	Refs       []string // ids of live nodes
	Provenance Value
	Members    map[string]Value // custom members
	Children   []Draft
}

// ParseDraft reads a draft that is written as a node of a snapshot. It ignores the headers that the
// engine sets (parent_id, cycle, created_at_ns, created_at_iso, creation_index, content_hash).
// Errors are those of [Read]; a number that is not a 64-bit integer has the code [ErrHeaderType].
// The cost is linear in the size of data.
func ParseDraft(data []byte) (Draft, error) {
	rd := newReader(ReadOptions{})
	rd.draft = true
	rd.build.Begin()
	rd.sc = newScanner("", string(data), canonjson.DefaultDepth)
	err := rd.node(-1, 0, topLevel)
	if err == nil {
		err = rd.sc.End()
	}
	if err != nil {
		return Draft{}, rd.sc.located(err)
	}
	drafts := make([]Draft, len(rd.tree.recs))
	for i := len(drafts) - 1; i >= 0; i-- { // children before their parents
		d, err := draftOf(rd.tree.recs[i])
		if err != nil {
			return Draft{}, err
		}
		d.Children = drafts[i].Children
		slices.Reverse(d.Children)
		drafts[i] = d
		if up := rd.tree.up[i]; up >= 0 {
			drafts[up].Children = append(drafts[up].Children, d)
		}
	}
	return drafts[0], nil
}

// draftOf returns the draft of a record that was just read.
func draftOf(r *tree.Record) (Draft, error) {
	e := r.Extra()
	if len(e.Numbers) > 0 {
		return Draft{}, fail(ErrHeaderType, "%s must be a 64-bit integer, and ttl not negative", tree.HeaderNames[e.Numbers[0].Header])
	}
	d := Draft{
		ID: r.ID, Type: r.Type, Key: r.Key, Kind: r.Kind, Role: r.Role, Tags: r.TagList().Words, Offset: r.Offset,
		Priority: r.Priority, Content: Value{r.Content}, Removable: r.Removable, Pinned: r.Pinned,
		Refs: e.Refs, Provenance: Value{e.Provenance},
	}
	if r.Has(tree.HeaderTTL) {
		d.TTL = new(r.Expiry)
	}
	if r.Has(tree.HeaderCad) {
		d.Cad = new(r.Cad)
	}
	for _, m := range e.Members {
		if d.Members == nil {
			d.Members = map[string]Value{}
		}
		d.Members[m.Name] = Value{m.Value}
	}
	return d, nil
}

// base returns the base of the type of a draft.
func (d *Draft) base() tree.Base {
	b, _ := tree.SplitType(d.Type)
	return b
}

// isRedaction reports whether a draft has the type of redaction markers.
func (d *Draft) isRedaction() bool {
	base, user := tree.SplitType(d.Type)
	return base == tree.BaseBlock && user == "redaction"
}

// check returns an error for a draft that is invalid in every position.
func (d *Draft) check(level int) error {
	names := d.memberNames()
	notUTF8, invalid := d.invalid(names)
	bad := slices.IndexFunc(names, func(name string) bool { return IsHeader(name) || d.Members[name].IsZero() })
	_, isRegion := tree.RegionOf(d.Type)
	switch {
	case level > canonjson.DefaultDepth:
		return fail(ErrTreeDepth, "the draft is nested deeper than %d levels", canonjson.DefaultDepth)
	case invalid:
		return fail(ErrFileEncoding, "%q is not valid UTF-8", notUTF8)
	case isRegion || d.Type == "^root":
		return fail(ErrPlacement, "a node of type %s cannot be created: there is exactly one", d.Type)
	case d.TTL != nil && (*d.TTL < 0 || *d.TTL > maxCycle):
		return fail(ErrInvariant, "ttl: %d is not in the range from 0 to 2^60", *d.TTL)
	case d.Cad != nil && (*d.Cad < 1 || *d.Cad > maxCycle):
		return fail(ErrInvariant, "cad: %d is not in the range from 1 to 2^60", *d.Cad)
	case d.Cad != nil && d.base() == tree.BaseSeg:
		return fail(ErrPlacement, "a segment cannot be repeated")
	case d.Cad != nil && d.Key == "":
		return fail(ErrInvariant, "cad: a cadence needs a key")
	case bad >= 0 && IsHeader(names[bad]):
		return fail(ErrHeaderType, "%s is a header, not a custom member", names[bad])
	case bad >= 0:
		return fail(ErrHeaderType, "the member %q has no value", names[bad])
	case len(d.Children) > 0 && d.base() == tree.BaseBlock:
		return fail(ErrParentNotContainer, "a %s cannot have children", cmp.Or(d.Type, "block"))
	}
	cores := 0
	for i := range d.Children {
		k := &d.Children[i]
		if k.base() == tree.BaseSeg {
			return fail(ErrPlacement, "a segment can only be a child of ^seq")
		}
		if k.base() == tree.BaseCont && k.Offset == 0 {
			cores++
		}
		if err := k.check(level + 1); err != nil {
			return err
		}
	}
	if d.base() == tree.BaseSeg && cores != 1 {
		return fail(ErrPlacement, "a segment has one core container at offset 0, this one has %d", cores)
	}
	return nil
}

// IsHeader reports whether name is the name of a header of nodes. Custom members cannot have such a
// name.
func IsHeader(name string) bool {
	_, ok := tree.HeaderOf(name)
	return ok
}

// memberNames returns the sorted names of the custom members.
func (d *Draft) memberNames() []string {
	if len(d.Members) == 0 { // most drafts have none, and iterators allocate
		return nil
	}
	return slices.Sorted(maps.Keys(d.Members))
}

// invalid returns the first string of a draft that is not valid UTF-8. names are the names of its
// custom members.
func (d *Draft) invalid(names []string) (string, bool) {
	one := [...]string{d.ID, d.Type, d.Key, d.Kind, d.Role}
	for _, list := range [...][]string{one[:], d.Tags, d.Refs, names} {
		for _, s := range list {
			if !utf8.ValidString(s) {
				return s, true
			}
		}
	}
	return "", false
}

// appendKeys appends the keys of a draft and its children.
func (d *Draft) appendKeys(keys []string) []string {
	if d.Key != "" {
		keys = append(keys, d.Key)
	}
	for i := range d.Children {
		keys = d.Children[i].appendKeys(keys)
	}
	return keys
}

// height returns the number of levels below a draft.
func (d *Draft) height() int {
	h := 0
	for i := range d.Children {
		h = max(h, 1+d.Children[i].height())
	}
	return h
}

// setRefs sets the references of a record that is being made.
func setRefs(r *tree.Record, refs []string) {
	e := r.Own()
	e.Refs, e.RefsText = refs, listText(refs)
	r.Have.Add(tree.HeaderRefs)
}
