package engine

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/edition"
	"github.com/pactkit/pactkit/internal/tree"
)

// entryText holds the members of an entry.
type entryText struct {
	Entry
	version    string
	hasVersion bool
	edition    *Edition
	extra      []tree.Member // nil if it is missing
	hasRoot    bool
	live       bool
	verbatim   bool
	lastID     int64
	ttlFrom    map[string]int64
	removed    []string
	moved      []movedText
	changed    []changeText
	ended      []string
	cadenceAt  int // offset of the list; 0 if it is missing
	state      *savedState
	fork       ForkPoint   // of an entry of a fork
	sealed     bool        // no working state follows the fork
	forks      []ForkPoint // before the first snapshot
	gaps       []int64     // for each new node without created_at_ns, how much later than the previous one it was made
}

// movedText is a moved node and its new parent.
type movedText struct {
	id, parent string
	at         int
}

// changeText is a changed node.
type changeText struct {
	id    string
	at    int
	set   int // offset of the members to set; 0 if there are none
	unset []string
}

// parse reads the text of an entry. New nodes go into the tree of the reader.
func (rp *Replayer) parse(s Entry) (*entryText, error) {
	rd, sc := rp.rd, rp.rd.sc
	st := &entryText{Entry: s}
	rd.tree.reset()
	rd.build.Begin()
	allowed := entryMembers[s.Kind]
	err := sc.Object(func(name string, at int) error {
		sc.Peek()
		if !slices.Contains(allowed, name) {
			return sc.errorAt(at, ErrFileShape, "this kind of entry has no member %q", name)
		}
		return rp.member(st, name)
	})
	if err == nil {
		err = sc.End()
	}
	if len(s.Nodes) > 0 && err == nil {
		st.hasRoot = s.Kind == EntrySnapshot
		err = rp.newNodes(s)
	}
	if err == nil && !st.hasRoot && s.Kind == EntrySnapshot {
		err = sc.errorAt(0, ErrFileShape, "the snapshot has no root")
	}
	return st, err
}

// newNodes reads the nodes that an entry has without their text.
func (rp *Replayer) newNodes(s Entry) error {
	level := int32(topLevel)
	if s.Kind == EntrySnapshot {
		level = 0
	}
	for i := range s.Nodes {
		if err := rp.rd.newNode(&s.Nodes[i], -1, int32(i), level); err != nil {
			return err
		}
	}
	rp.rd.sc.setSource(s.Text)
	return nil
}

// The members that each kind of entry can have.
var (
	treeMembers  = []string{"cadence", "cadence_ended", "extra", "spec_version", "ttl_from"}
	diffMembers  = append(slices.Clip(treeMembers), "added", "changed", "moved", "ns", "removed", "verbatim")
	entryMembers = map[EntryKind][]string{
		EntryHistory:  {"edition", "extra", "spec_version"},
		EntrySnapshot: append(slices.Clip(treeMembers), "edition", "forks", "last_id", "live", "root"),
		EntryDelta:    diffMembers,
		EntryWorking:  append(slices.Clip(diffMembers), "edition", "resume", "root"),
		EntryFork:     {"cycle", "history", "sealed"},
	}
)

// member reads one member of an entry.
func (rp *Replayer) member(st *entryText, name string) (err error) {
	rd, sc := rp.rd, rp.rd.sc
	start := sc.Offset()
	switch name {
	case "root", "added":
		if len(rd.tree.recs) > 0 {
			return sc.errorAt(start, ErrFileShape, "an entry cannot have both root and added")
		}
		if st.hasRoot = name == "root"; st.hasRoot {
			return rd.root()
		}
		return sc.array("added", func(n int) error { return rd.node(-1, int32(n), topLevel) })
	case "cadence":
		st.cadenceAt = start
		return rd.skip()
	case "changed":
		return sc.array("changed", func(int) error { return rp.changeText(st) })
	case "moved":
		return sc.object(name, func(parent string, at int) error {
			var ids []string
			err := sc.words(name, &ids)
			for _, id := range ids {
				st.moved = append(st.moved, movedText{id, parent, at})
			}
			return err
		})
	case "ns":
		return sc.array(name, func(int) error {
			return sc.whole(func(v string) bool {
				n, ok := canonjson.Int(v)
				st.gaps = append(st.gaps, n)
				return ok
			}, "ns must be a list of 64-bit integers")
		})
	case "cadence_ended":
		return sc.words(name, &st.ended)
	case "removed":
		return sc.words(name, &st.removed)
	case "resume":
		st.state, err = rd.savedState()
		return err
	case "history":
		st.fork.History, err = sc.string("history must be a string")
		return err
	case "spec_version":
		st.hasVersion = true
		st.version, err = rd.version()
		return err
	}
	isTrue := func(v string) (is, ok bool) { return true, v == "true" }
	return sc.whole(map[string]func(v string) bool{
		"cycle":    into(&st.fork.Cycle, canonjson.Int),
		"edition":  into(&st.edition, namedEdition),
		"extra":    into(&st.extra, st.extraOf),
		"forks":    into(&st.forks, forkPoints),
		"last_id":  into(&st.lastID, canonjson.Int),
		"live":     into(&st.live, isTrue),
		"sealed":   into(&st.sealed, isTrue),
		"verbatim": into(&st.verbatim, isTrue),
		"ttl_from": into(&st.ttlFrom, countsIn(-maxCycle, maxCycle)),
	}[name], "%s has an invalid value", name)
}

// namedEdition reads the name of an edition.
func namedEdition(v string) (*Edition, bool) {
	e, ok := edition.Parse(strings.Trim(v, `"`))
	return &e, ok && v[0] == '"'
}

// membersOf returns the members of a canonical object.
func membersOf(v string) ([]tree.Member, bool) {
	list := []tree.Member{}
	if v[0] != '{' {
		return nil, false
	}
	s := canonjson.NewScanner(v, len(v))
	_ = s.Object(func(name string, _ int) error { // canonical text cannot fail
		text, err := s.Canonical()
		list = append(list, tree.Member{Name: name, Value: text})
		return err
	})
	return list, true
}

// extraOf reads the unknown members of a document. It returns false if one of them has the name of
// a known member.
func (st *entryText) extraOf(v string) ([]tree.Member, bool) {
	list, ok := membersOf(v)
	return list, ok && !slices.ContainsFunc(list, func(m tree.Member) bool {
		isCycle := m.Name == "cycle" && st.Kind != EntryHistory
		return isCycle || slices.Contains([]string{"cadence", "root", "snapshots", "spec_version", "working"}, m.Name)
	})
}

// countsIn returns a function that reads an object that maps ids to cycles or counts from least to
// most.
func countsIn(least, most int64) func(v string) (map[string]int64, bool) {
	return func(v string) (map[string]int64, bool) {
		list, ok := membersOf(v)
		counts := make(map[string]int64, len(list))
		for _, m := range list {
			n, whole := canonjson.Int(m.Value)
			ok = ok && whole && n >= least && n <= most
			counts[m.Name] = n
		}
		return counts, ok
	}
}

// changeText reads an element of the member "changed".
func (rp *Replayer) changeText(st *entryText) error {
	sc := rp.rd.sc
	c := changeText{at: sc.start()}
	err := sc.object("a change", func(name string, at int) (err error) {
		sc.Peek()
		switch name {
		case "id":
			c.id, err = sc.string("id must be a string")
			return err
		case "set":
			if sc.Peek() != '{' {
				return sc.shape("set must be an object")
			}
			c.set = sc.Offset()
			return rp.rd.skip()
		case "unset":
			return sc.words(name, &c.unset)
		}
		return sc.errorAt(at, ErrFileShape, "%q is not a member of a change", name)
	})
	if err == nil && c.id == "" {
		err = sc.errorAt(c.at, ErrFileShape, "the change has no id")
	}
	st.changed = append(st.changed, c)
	return err
}
