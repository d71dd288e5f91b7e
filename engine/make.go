package engine

import (
	"cmp"
	"fmt"
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

// words makes short strings. Many of them share one allocation.
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

// instants formats instants. It keeps the text of the last second, because successive instants are
// usually in the same second.
type instants struct {
	words  words
	second int64
	text   [len("2006-01-02T15:04:05.000000000Z")]byte // an instant in that second; zero at first
}

// of returns the text of an instant, with nine digits after the decimal point.
func (in *instants) of(ns int64) string { return in.words.add(in.format(ns)) }

// format is of in memory that the next call uses again.
func (in *instants) format(ns int64) []byte {
	t := time.Unix(0, ns).UTC()
	if second := t.Unix(); second != in.second || in.text[0] == 0 {
		in.second = second
		t.AppendFormat(in.text[:0], "2006-01-02T15:04:05.")
		in.text[len(in.text)-1] = 'Z'
	}
	for i, rest := len(in.text)-2, t.Nanosecond(); in.text[i] != '.'; i-- {
		in.text[i] = byte('0' + rest%10)
		rest /= 10
	}
	return in.text[:]
}

// tick returns the next instant: that of the clock or, if the clock has not advanced, one
// nanosecond after the last one.
func (tx *tx) tick() int64 {
	switch {
	case tx.lastNS == math.MaxInt64:
		tx.fail(ErrNoRoom, "created_at_ns has reached its last value, 2^63-1")
	case tx.nextIndex == math.MaxInt64:
		tx.fail(ErrNoRoom, "creation_index has reached its last value, 2^63-1")
	default:
		tx.lastNS = max(tx.c.opts.Clock().UnixNano(), tx.lastNS+1)
	}
	return tx.lastNS
}

// newRecord makes a record in the working cycle, with an id, an instant and a creation index.
func (tx *tx) newRecord(id, typ string, offset int64) *tree.Record {
	r := tx.c.newRecord()
	r.Type, r.Offset, r.NS, r.Cycle, r.Index = typ, offset, tx.tick(), tx.s.Cycle(), tx.nextIndex
	r.Expiry, r.TTLFrom, r.Have = tree.Never, r.Cycle, tree.RequiredHeaders
	tx.nextIndex++
	r.ISO = tx.c.instants.of(r.NS)
	r.Base, _ = tree.SplitType(typ)
	r.ID = tx.newID(id, r)
	tx.fresh[r.ID] = true
	return r
}

// newStructure makes and counts the record of a segment or container that the engine itself adds.
func (tx *tx) newStructure(base tree.Base) *tree.Record {
	r := tx.newRecord("", baseName(base, tx.s.Edition()), 0)
	r.Freeze()
	tx.count(r, 1)
	return r
}

// newRecord returns an empty record. A few records share one allocation, because nodes that are
// made one after another live about equally long.
func (c *Context) newRecord() *tree.Record {
	if len(c.room) == 0 {
		c.room = make([]tree.Record, 5)
	}
	r := &c.room[0]
	c.room = c.room[1:]
	return r
}

// newID returns the id that a draft asks for or, if that is "", a free one. It returns "" if the
// change has failed.
func (tx *tx) newID(id string, r *tree.Record) string {
	switch {
	case tx.err != nil:
		return ""
	case id != "" && tx.taken(id, tx.lastID):
		tx.fail(ErrNodeIDDuplicate, "the id %q is taken", id)
		return ""
	case id != "":
		tx.lastID = max(tx.lastID, idNumber(id))
		return id
	}
	var random rand.PCG
	if seed := tx.c.opts.Seed; seed != nil {
		random.Seed(*seed, uint64(r.Cycle))
		random.Seed(random.Uint64(), uint64(r.Index))
	}
	for range 1000 {
		last := tx.lastID
		id := tx.drawID(r, &random)
		if id != "" && utf8.ValidString(id) && !tx.taken(id, last) {
			return id
		}
	}
	tx.fail(ErrNodeIDDuplicate, "no free id was found in 1,000 attempts")
	return ""
}

// drawID returns an id for a new node. The id may be taken. Seeded ids depend on the cycle and the
// index of the node, so a resumed history does not repeat them.
func (tx *tx) drawID(r *tree.Record, random *rand.PCG) (id string) {
	o := &tx.c.opts
	switch {
	case o.NewID != nil:
		id = o.NewID(r.Type)
	case o.Seed != nil:
		id = fmt.Sprintf("%s:%012x", r.Type, random.Uint64()>>16)
	default:
		tx.lastID++
		text := append(make([]byte, 0, 32), baseName(r.Base, o.Edition)...)
		return tx.c.numbered.add(strconv.AppendInt(append(text, ':'), tx.lastID, 10))
	}
	tx.lastID = max(tx.lastID, idNumber(id))
	return id
}

// idNumber returns the number in an id such as block:12, or 0 for any other id.
func idNumber(id string) int64 {
	head, digits, _ := strings.Cut(id, ":")
	if _, ok := tree.CanonicalBase(head); !ok || len(digits) == 0 || len(digits) > 15 {
		return 0
	}
	n, _ := canonjson.Int(digits)
	return max(n, 0)
}

// taken reports whether a node of the tree or of the change has an id. last is the highest number
// in their ids: an id with a higher number, as most new nodes have, needs no search.
func (tx *tx) taken(id string, last int64) bool {
	if idNumber(id) > last {
		return false
	}
	_, ok := tx.s.Find(id)
	return ok || tx.fresh[id]
}

// tagsOf returns the tags of a new node, or nil if it has none. In edition 1.0 the role is also a
// tag, because selectors match roles by tag.
func (tx *tx) tagsOf(d *Draft) *tree.TagList {
	words := slices.Clone(d.Tags)
	if d.Role != "" && tx.s.Edition() == Edition10 && !slices.Contains(words, d.Role) {
		if len(words) == 0 {
			return tx.c.roles.of(d.Role)
		}
		words = append(words, d.Role)
	}
	if words == nil {
		return nil
	}
	return tree.NewTagList(words, listText(words))
}

// roleTags holds one shared list for each role, for nodes whose only tag is their role.
type roleTags map[string]*tree.TagList

// of returns the list of a role.
func (known roleTags) of(role string) *tree.TagList {
	tags := known[role]
	if tags == nil {
		words := []string{role}
		tags = tree.NewTagList(words, listText(words))
		if len(known) < maxSharedTags {
			known[role] = tags
		}
	}
	return tags
}

// fill writes a draft into a new record of the working cycle, except its id, type and position.
func (tx *tx) fill(r *tree.Record, d *Draft) {
	r.Key, r.Kind, r.Role, r.Content = d.Key, d.Kind, d.Role, d.Content.text
	r.Priority, r.Removable, r.Pinned, r.Tags = d.Priority, d.Removable, d.Pinned, tx.tagsOf(d)
	r.Have |= tree.RequiredHeaders
	for _, header := range [...]struct {
		h   tree.Header
		has bool
	}{
		{tree.HeaderKey, d.Key != ""}, {tree.HeaderKind, d.Kind != ""}, {tree.HeaderRole, d.Role != ""},
		{tree.HeaderContent, !d.Content.IsZero()}, {tree.HeaderProvenance, !d.Provenance.IsZero()}, {tree.HeaderTag, r.Tags != nil},
		{tree.HeaderRemovable, d.Removable}, {tree.HeaderPinned, d.Pinned}, {tree.HeaderCad, d.Cad != nil},
	} {
		if header.has {
			r.Have.Add(header.h)
		}
	}
	if len(d.Refs) > 0 {
		setRefs(r, slices.Clone(d.Refs))
	}
	if !d.Provenance.IsZero() {
		r.Own().Provenance = d.Provenance.text
	}
	if d.Cad != nil {
		r.Cad = *d.Cad
	}
	for _, name := range d.memberNames() {
		r.Own().Members = append(r.Own().Members, tree.Member{Name: name, Value: d.Members[name].text})
	}
	if d.TTL != nil {
		r.SetTTL(*d.TTL, tx.s.Cycle())
	}
	if id, ok := r.Marks(); ok {
		switch target, found := tx.s.Find(id); {
		case !found:
			tx.fail(ErrNotFound, "the reference %q names no node", id)
		case target.region() == tree.RegionTop || target.rec().IsMarker():
			tx.fail(ErrPlacement, "%q is a region or a redaction and cannot be redacted", id)
		default:
			r.LiveAs(target.rec())
		}
	}
	r.Freeze()
}

// buildDraft appends the records of a draft to f; the top one is at the given level.
func (tx *tx) buildDraft(f *tree.Forest, d *Draft, offset int64, level int32) {
	r := tx.newRecord(d.ID, cmp.Or(d.Type, baseName(tree.BaseBlock, tx.s.Edition())), offset)
	tx.fill(r, d)
	f.Add(r, level)
	tx.count(r, 1)
	kids := make([]tree.Forest, len(d.Children))
	for i := range d.Children {
		tx.buildDraft(&kids[i], &d.Children[i], d.Children[i].Offset, level+1)
	}
	slices.SortStableFunc(kids, func(a, b tree.Forest) int { return tree.CompareSiblings(a.Recs[0], b.Recs[0]) })
	for _, k := range kids {
		f.Recs, f.Levels = append(f.Recs, k.Recs...), append(f.Levels, k.Levels...)
	}
}
