package engine

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// Draft describes a node to be made. The engine adds the headers that say
// when and where.
type Draft struct {
	ID         string // empty: the engine chooses
	Type       string // empty: a block
	Key        string
	Kind       string
	Role       string
	Tags       []string
	Offset     int64  // of a child in its parent; for the node itself the position says it
	TTL        *int64 // lifetime in cycles, nil for none
	Cad        *int64 // cadence in cycles, at least 1; needs a key
	Priority   int64
	Content    Value
	Removable  bool
	Pinned     bool
	Refs       []string // ids of live nodes
	Provenance Value
	Members    map[string]Value // custom members
	Children   []Draft
}

// ParseDraft reads a draft written as a node of a snapshot. Headers that the
// engine sets itself (parent_id, cycle, created_at_ns, created_at_iso,
// creation_index, content_hash) are left out. Errors are those of [Read].
func ParseDraft(data []byte) (Draft, error) {
	rd := newReader(ReadOptions{})
	rd.draft = true
	rd.build.Begin()
	rd.sc = newScanner("", string(data), canonjson.DefaultDepth)
	err := rd.node(-1, 0, 2)
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
		drafts[i].set(d)
		if up := rd.tree.up[i]; up >= 0 {
			drafts[up].Children = slices.Insert(drafts[up].Children, 0, drafts[i])
		}
	}
	return drafts[0], nil
}

// set takes everything of o but its children.
func (d *Draft) set(o Draft) {
	o.Children = d.Children
	*d = o
}

// draftOf returns what a record just read says.
func draftOf(r *tree.Record) (Draft, error) {
	e := r.Extra()
	if len(e.Numbers) > 0 {
		return Draft{}, fail(ErrHeaderType, "%s must be a 64-bit integer, and ttl not negative", tree.HeaderNames[e.Numbers[0].Header])
	}
	d := Draft{
		ID: r.ID, Type: r.Type, Key: r.Key, Kind: r.Kind, Role: r.Role, Tags: e.Tags, Offset: r.Offset,
		Priority: r.Priority, Content: Value{r.Content}, Removable: r.Removable, Pinned: r.Pinned,
		Refs: e.Refs, Provenance: Value{e.Provenance},
	}
	if r.Have.Has(tree.HeaderTTL) && !r.Null.Has(tree.HeaderTTL) {
		d.TTL = new(r.Expiry)
	}
	if r.Have.Has(tree.HeaderCad) && !r.Null.Has(tree.HeaderCad) {
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

// Position says where a node goes: see [AtDepth] and [Under].
type Position struct {
	parent string
	depth  int
	offset int64
}

// AtDepth is the place at an offset of a depth: 0 is the active head, k the
// k-th newest segment, -1 ^sys. At offset 0 of the head a block goes into the
// core container. Inserting at offset 0 of k > 0, or inserting a segment,
// splices a new segment in at depth k.
func AtDepth(depth int, offset int64) Position { return Position{depth: depth, offset: offset} }

// Under is the place at an offset below the node with the given id.
func Under(parentID string, offset int64) Position {
	return Position{parent: parentID, offset: offset}
}

// Target names an existing node: see [ByID] and [ByKey].
type Target struct{ id, key string }

// ByID names the node with an id.
func ByID(id string) Target { return Target{id: id} }

// ByKey names the only live node with a key.
func ByKey(key string) Target { return Target{key: key} }

// base returns the canonical kind a draft will have.
func (d *Draft) base() tree.Base {
	b, _ := tree.SplitType(d.Type)
	return b
}

// check finds what no node may be, wherever it goes.
func (d *Draft) check(level int) error {
	if level > canonjson.DefaultDepth {
		return fail(ErrTreeDepth, "a draft nested deeper than %d levels", canonjson.DefaultDepth)
	}
	if bad, ok := d.invalid(); ok {
		return fail(ErrFileEncoding, "%q is no valid UTF-8", bad)
	}
	if _, region := tree.RegionOf(d.Type); region || d.Type == "^root" {
		return fail(ErrPlacement, "a node of type %s cannot be made: there is exactly one", d.Type)
	}
	if d.TTL != nil && (*d.TTL < 0 || *d.TTL > maxCycle) {
		return fail(ErrInvariant, "ttl: %d is not in the range from 0 to 2^60", *d.TTL)
	}
	if d.Cad != nil && (*d.Cad < 1 || *d.Cad > maxCycle) {
		return fail(ErrInvariant, "cad: %d is not in the range from 1 to 2^60", *d.Cad)
	}
	if d.Cad != nil && d.base() == tree.BaseSeg {
		return fail(ErrPlacement, "a segment cannot be repeated")
	}
	if d.Cad != nil && d.Key == "" {
		return fail(ErrInvariant, "cad: a cadence needs a key to be stopped by")
	}
	for _, name := range d.memberNames() {
		if _, known := tree.HeaderOf(name); known {
			return fail(ErrHeaderType, "%s is a header, not a custom member", name)
		}
		if d.Members[name].IsZero() {
			return fail(ErrHeaderType, "the member %q has no value", name)
		}
	}
	if len(d.Children) > 0 && d.base() == tree.BaseBlock {
		return fail(ErrParentNotContainer, "a %s holds no children", cmp.Or(d.Type, "block"))
	}
	cores := 0
	for i := range d.Children {
		k := &d.Children[i]
		if k.base() == tree.BaseSeg {
			return fail(ErrPlacement, "a segment lies below ^seq only")
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

// IsHeader tells whether a member of that name is a header of nodes, and so no
// custom member.
func IsHeader(name string) bool {
	_, ok := tree.HeaderOf(name)
	return ok
}

// memberNames returns the names of the custom members, sorted.
func (d *Draft) memberNames() []string {
	if len(d.Members) == 0 {
		return nil
	}
	return slices.Sorted(maps.Keys(d.Members))
}

// invalid returns the first string of a draft that is no UTF-8.
func (d *Draft) invalid() (string, bool) {
	one := [...]string{d.ID, d.Type, d.Key, d.Kind, d.Role}
	for _, list := range [...][]string{one[:], d.Tags, d.Refs, d.memberNames()} {
		for _, s := range list {
			if !utf8.ValidString(s) {
				return s, true
			}
		}
	}
	return "", false
}

// keys yields the keys of a draft and its children.
func (d *Draft) keys(yield func(string) bool) bool {
	if d.Key != "" && !yield(d.Key) {
		return false
	}
	for i := range d.Children {
		if !d.Children[i].keys(yield) {
			return false
		}
	}
	return true
}

// fill writes into r what the draft says, identity and place apart.
//
// In edition 1.0 the role is a tag, too, because selectors ask for that.
func (d *Draft) fill(r *tree.Record, e Edition) {
	r.Have |= tree.RequiredHeaders
	set := func(h tree.Header, dst *string, s string) {
		if s != "" {
			*dst = s
			r.Have.Add(h)
		}
	}
	set(tree.HeaderKey, &r.Key, d.Key)
	set(tree.HeaderKind, &r.Kind, d.Kind)
	set(tree.HeaderRole, &r.Role, d.Role)
	set(tree.HeaderContent, &r.Content, d.Content.text)
	tags := slices.Clone(d.Tags)
	if e == Edition10 && d.Role != "" && !slices.Contains(tags, d.Role) {
		tags = append(tags, d.Role)
	}
	if tags != nil {
		e := r.Own()
		e.Tags, e.Tag = tags, listText(tags)
		r.Have.Add(tree.HeaderTag)
	}
	if len(d.Refs) > 0 {
		setRefs(r, slices.Clone(d.Refs))
	}
	if !d.Provenance.IsZero() {
		r.Own().Provenance = d.Provenance.text
		r.Have.Add(tree.HeaderProvenance)
	}
	if r.Removable = d.Removable; d.Removable {
		r.Have.Add(tree.HeaderRemovable)
	}
	if r.Pinned = d.Pinned; d.Pinned {
		r.Have.Add(tree.HeaderPinned)
	}
	if d.Cad != nil {
		r.Cad = *d.Cad
		r.Have.Add(tree.HeaderCad)
	}
	r.Priority = d.Priority
	for _, name := range d.memberNames() {
		e := r.Own()
		e.Members = append(e.Members, tree.Member{Name: name, Value: d.Members[name].text})
	}
}

func setRefs(r *tree.Record, refs []string) {
	e := r.Own()
	e.Refs, e.RefsText = refs, listText(refs)
	r.Have.Add(tree.HeaderRefs)
}

func listText(words []string) string {
	dst := []byte{'['}
	for i, w := range words {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = canonjson.AppendString(dst, w)
	}
	return string(append(dst, ']'))
}

// isoClock writes instants. Most are of the same second as the one before.
type isoClock struct {
	out    words
	second int64
	text   [len("2006-01-02T15:04:05.000000000Z")]byte // of that second; empty at first
}

func (c *isoClock) format(ns int64) string {
	t := time.Unix(0, ns).UTC()
	if second := t.Unix(); second != c.second || c.text[0] == 0 {
		c.second = second
		// The layouts of package time with such a fraction are slow ones.
		t.AppendFormat(c.text[:0], "2006-01-02T15:04:05.")
		c.text[len(c.text)-1] = 'Z'
	}
	for i, rest := len(c.text)-2, t.Nanosecond(); c.text[i] != '.'; i-- {
		c.text[i] = byte('0' + rest%10)
		rest /= 10
	}
	return c.out.add(c.text[:])
}

// words keeps short strings that are made one after another in one piece of
// memory for many.
type words struct{ b strings.Builder }

func (w *words) add(text []byte) string {
	if w.b.Cap()-w.b.Len() < len(text) {
		w.b = strings.Builder{}
		w.b.Grow(max(512, len(text)))
	}
	w.b.Write(text)
	all := w.b.String()
	return all[len(all)-len(text):]
}

// tick returns the next instant: that of the clock, or one nanosecond after
// the last where the clock did not move on.
func (tx *tx) tick() (int64, error) {
	if tx.lastNS == math.MaxInt64 {
		return 0, fail(ErrNoRoom, "the last instant of the 64-bit clock is taken")
	}
	tx.lastNS = max(tx.c.opts.Clock().UnixNano(), tx.lastNS+1)
	return tx.lastNS, nil
}

// newRecord makes a record of the working cycle with an id, an instant and an
// index.
func (tx *tx) newRecord(id, typ string, offset int64) (*tree.Record, error) {
	ns, err := tx.tick()
	if err != nil {
		return nil, err
	}
	r := tx.c.newRecord()
	r.Type, r.Offset, r.NS, r.Cycle, r.Index = typ, offset, ns, tx.s.CommitCycle, tx.nextIndex
	r.Expiry, r.TTLFrom, r.Have = tree.Never, r.Cycle, tree.RequiredHeaders
	tx.nextIndex++
	r.ISO = tx.c.iso.format(ns)
	r.Base, _ = tree.SplitType(typ)
	if r.ID, err = tx.newID(id, r); err != nil {
		return nil, err
	}
	return r, nil
}

// newRecord returns an empty record. Nodes that are made one after another stay
// about as long as each other, so that a few share their memory.
func (c *Context) newRecord() *tree.Record {
	if len(c.room) == 0 {
		c.room = make([]tree.Record, 5)
	}
	r := &c.room[0]
	c.room = c.room[1:]
	return r
}

// newID takes the id a draft asks for, or finds a free one.
func (tx *tx) newID(id string, r *tree.Record) (string, error) {
	if id != "" {
		if tx.taken(id) {
			return "", fail(ErrNodeIDDuplicate, "the id %q is taken", id)
		}
		tx.lastID = max(tx.lastID, idNumber(id))
		return id, nil
	}
	draw := tx.idSource(r)
	for range 1000 {
		id := draw()
		if id != "" && utf8.ValidString(id) && !tx.taken(id) {
			tx.lastID = max(tx.lastID, idNumber(id))
			return id, nil
		}
	}
	return "", fail(ErrNodeIDDuplicate, "the source of ids gave no free one in 1,000 calls")
}

// idSource returns where the id of a new node comes from. Seeded ids depend on
// the cycle and the index of the node, so a history that is resumed does not
// draw them again.
func (tx *tx) idSource(r *tree.Record) func() string {
	o := &tx.c.opts
	switch {
	case o.NewID != nil:
		return func() string { return o.NewID(r.Type) }
	case o.Seed != nil:
		ids := rand.NewPCG(*o.Seed, uint64(r.Cycle))
		ids.Seed(ids.Uint64(), uint64(r.Index))
		return func() string { return fmt.Sprintf("%s:%012x", r.Type, ids.Uint64()>>16) }
	}
	return func() string {
		tx.lastID++
		id := append(make([]byte, 0, 32), baseName(r.Base, o.Edition)...)
		return tx.c.numbered.add(strconv.AppendInt(append(id, ':'), tx.lastID, 10))
	}
}

// idNumber returns the number of an id such as block:12, 0 for any other id.
func idNumber(id string) int64 {
	head, digits, _ := strings.Cut(id, ":")
	if _, ok := tree.CanonicalBase(head); !ok || len(digits) == 0 || len(digits) > 15 {
		return 0
	}
	n, ok := canonjson.Int(digits)
	if !ok {
		return 0
	}
	return max(n, 0)
}

func (tx *tx) taken(id string) bool {
	if _, ok := tx.fresh[id]; ok {
		return true
	}
	_, ok := tx.s.Find(id)
	return ok
}

// fill writes a draft into a new record of the working cycle.
func (tx *tx) fill(r *tree.Record, d *Draft) error {
	d.fill(r, tx.s.Edition())
	if d.TTL != nil {
		r.SetTTL(*d.TTL, tx.s.CommitCycle)
	}
	if id, ok := r.Marks(); ok {
		target, found := tx.find(id)
		switch {
		case !found:
			return fail(ErrNotFound, "the reference %q names no node", id)
		case target.region() == tree.RegionTop || target.rec().IsMarker():
			return fail(ErrPlacement, "%q is a region or a redaction, which is not redacted", id)
		}
		r.LiveAs(target.rec())
	}
	r.Freeze()
	return nil
}

// height returns how many levels lie below a draft.
func (d *Draft) height() int {
	h := 0
	for i := range d.Children {
		h = max(h, 1+d.Children[i].height())
	}
	return h
}

// make turns a draft into records, appended to f from level on.
func (tx *tx) make(f *tree.Forest, d *Draft, offset int64, level int32) error {
	typ := d.Type
	if typ == "" {
		typ = baseName(tree.BaseBlock, tx.s.Edition())
	}
	r, err := tx.newRecord(d.ID, typ, offset)
	if err != nil {
		return err
	}
	if err := tx.fill(r, d); err != nil {
		return err
	}
	f.Add(r, level)
	tx.add(r)
	kids := make([]tree.Forest, len(d.Children))
	for i := range d.Children {
		if err := tx.make(&kids[i], &d.Children[i], d.Children[i].Offset, level+1); err != nil {
			return err
		}
	}
	slices.SortStableFunc(kids, func(a, b tree.Forest) int { return tree.CompareSiblings(a.Recs[0], b.Recs[0]) })
	for _, k := range kids {
		f.Recs, f.Levels = append(f.Recs, k.Recs...), append(f.Levels, k.Levels...)
	}
	return nil
}
