package engine

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/tree"
)

// schedule is the cadence of a key. A new head gets an instance of the template when a multiple of
// every cycles has passed since the cycle first.
type schedule struct {
	key          string
	first, every int64
	core         bool // the instance goes into the core container
	template     tree.Forest
}

// due reports whether the head that begins in a cycle gets an instance. The previous turn began in
// the cycle turn; if the cadence was due several times since then, there is only one instance.
func (s *schedule) due(turn, cycle int64) bool {
	last := cycle - (cycle-s.first)%s.every
	return last > max(turn, s.first)
}

// cadences holds the schedules of a timeline by key. It is immutable: with and without return
// copies.
type cadences map[string]schedule

// with returns a copy to which the schedules of more are added. They replace those with the same
// key.
func (c cadences) with(more cadences) cadences {
	next := cadences{}
	maps.Copy(next, c)
	maps.Copy(next, more)
	return next
}

// without returns a copy without the schedule of a key.
func (c cadences) without(key string) cadences {
	next := maps.Clone(c)
	delete(next, key)
	return next
}

// sorted returns the schedules, sorted by key.
func (c cadences) sorted() []schedule {
	return slices.SortedFunc(maps.Values(c), func(a, b schedule) int { return strings.Compare(a.key, b.key) })
}

// appendJSON appends a list of the schedules.
func (c cadences) appendJSON(dst []byte) []byte {
	return canonjson.AppendList(dst, c.sorted(), func(dst []byte, s schedule) []byte {
		dst = strconv.AppendBool(append(dst, `{"core":`...), s.core)
		dst = strconv.AppendInt(append(dst, `,"every":`...), s.every, 10)
		dst = strconv.AppendInt(append(dst, `,"first":`...), s.first, 10)
		dst = canonjson.AppendString(append(dst, `,"key":`...), s.key)
		w := treeWriter{dst: append(dst, `,"node":[`...), ttlAt: 0}
		w.subtree((*Snapshot)(nil).node(tree.RegionSeq, 0, tree.NewChunk(s.template), 0), "")
		return append(w.dst, ']', '}')
	})
}

// schedules reads the list of cadences of a history file.
func (rd *timelineReader) schedules() (cadences, error) {
	s := rd.sc
	out := cadences{}
	err := s.array("cadence", func(int) error {
		start := s.start()
		one := schedule{}
		fields := map[string]func(v string) bool{
			"core":  into(&one.core, func(v string) (bool, bool) { return v == "true", v == "true" || v == "false" }),
			"every": into(&one.every, cycleOf),
			"first": into(&one.first, cycleOf),
			"key":   into(&one.key, func(v string) (string, bool) { return Value{v}.Text() }),
		}
		err := s.object("a cadence", func(name string, _ int) error {
			if name == "node" && s.Peek() == '[' {
				return rd.template(&one)
			}
			return s.field(name, "a cadence", fields)
		})
		if err != nil {
			return err
		}
		if _, again := out[one.key]; again || one.key == "" || one.every < 1 || len(one.template.Recs) == 0 {
			return s.errorAt(start, ErrFileShape, "a cadence needs a unique key, every >= 1, first and a node")
		}
		out[one.key] = one
		return nil
	})
	return out, err
}

// template reads the node of a cadence, in a list of one.
func (rd *timelineReader) template(one *schedule) error {
	s, t := rd.sc, &rd.tree
	t.reset()
	rd.build.Begin()
	err := s.Array(func(n int) error {
		if n > 0 {
			return s.errorAt(s.Offset(), ErrFileShape, "a cadence has one node")
		}
		return rd.node(-1, 0, topLevel)
	})
	if err != nil || len(t.recs) == 0 {
		return err
	}
	for i, r := range t.recs {
		// A template is not part of a tree, so only its types are filled in.
		if r.Type == "" {
			r.Type = baseName(tree.BaseBlock, rd.editionOf(""))
		}
		startTTL(r, r.Cycle, nil, r.Cycle)
		r.Freeze()
		// Instances of a template that no draft could make would violate invariants.
		d, err := draftOf(r)
		if err == nil {
			err = d.check(0)
		}
		switch up := t.up[i]; {
		case err != nil:
			return s.errorAt(t.at[i], ErrFileShape, "this node cannot be repeated: %v", err)
		case d.base() == tree.BaseSeg:
			return s.errorAt(t.at[i], ErrFileShape, "a segment cannot be repeated")
		case up >= 0 && t.recs[up].Base == tree.BaseBlock:
			return s.errorAt(t.at[i], ErrFileShape, "a block cannot have children")
		}
	}
	one.template = t.subtree(0, len(t.recs))
	return nil
}

// schedule starts or restarts the cadence of the first node of f. Its instances get the remaining
// lifetimes of the nodes, because files do not record the cycle from which a lifetime counts.
func (tx *tx) schedule(f tree.Forest, core bool) {
	f = f.Clone()
	for i, r := range f.Recs {
		if at := tx.s.tree().TTLAt(); r.Expiry != tree.Never && r.TTLFrom < at {
			template := *r
			template.TTLFrom, template.Expiry = at, max(at, r.Expiry)
			f.Recs[i] = &template
		}
	}
	r := f.Recs[0]
	core = core || r.Base == tree.BaseBlock && r.Offset == 0
	s := schedule{key: r.Key, first: tx.s.Cycle(), every: r.Cad, core: core, template: f}
	next := tx.timeline()
	next.cadence = next.cadence.with(cadences{s.key: s})
}

// StopCadence ends the cadence of a key. Existing instances stay. If the key has no cadence, the
// error has the code [ErrNotFound]. The cost is linear in the number of cadences.
func (c *Context) StopCadence(key string) error {
	return c.update(func(tx *tx) error {
		next := tx.timeline()
		if _, ok := next.cadence[key]; !ok {
			return fail(ErrNotFound, "the key %q has no cadence", key)
		}
		next.cadence = next.cadence.without(key)
		return nil
	})
}

// Cadences returns the sorted keys that have a cadence.
func (c *Context) Cadences() []string {
	return slices.Sorted(maps.Keys(c.view.Load().sealed.cadence))
}

// cadence puts instances of the cadences that are due into the head. turn is the cycle in which the
// previous turn began.
func (tx *tx) cadence(list cadences, turn int64) {
	for _, s := range list.sorted() {
		if s.due(turn, tx.s.Cycle()) {
			tx.instance(&s)
		}
	}
}

// instance makes an instance of the template with new ids and instants. It drops references to
// nodes that no longer exist.
func (tx *tx) instance(s *schedule) {
	p, top := tx.headCore(), s.template.Recs[0]
	switch isCore := top.Base == tree.BaseCont && top.OffsetSign() == 0; {
	case s.core && p.at < 0:
		p = tx.makeCore()
	case !s.core && !isCore: // a second core container would go into the first
		p = childOfHead
	}
	f := tree.Forest{Recs: make([]*tree.Record, len(s.template.Recs)), Levels: s.template.Levels}
	for i, t := range s.template.Recs {
		made := tx.newRecord("", t.Type, t.Offset)
		r := t.Copy()
		r.ID, r.NS, r.ISO, r.Cycle, r.Index = made.ID, made.NS, made.ISO, made.Cycle, made.Index
		if t.IsMarker() {
			r.Expiry = tree.Never
		} else if t.Expiry != tree.Never {
			r.Expiry = made.Cycle + t.Expiry - t.TTLFrom
		}
		r.TTLFrom = made.Cycle
		if refs := r.Extra().Refs; len(refs) > 0 {
			setRefs(r, slices.DeleteFunc(slices.Clone(refs), func(id string) bool {
				_, ok := tx.s.Find(id)
				return !ok
			}))
			if id, ok := r.Marks(); ok {
				target, _ := tx.s.Find(id)
				r.LiveAs(target.rec())
			}
		}
		r.Have |= tree.RequiredHeaders
		r.Null &^= tree.RequiredHeaders
		f.Recs[i] = r
		tx.count(r, 1)
	}
	tx.put(p, f)
}
