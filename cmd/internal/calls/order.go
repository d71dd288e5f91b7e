package calls

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// entry is a block in the order of the thread.
type entry struct {
	node      engine.Node // of the first call that had it in this state
	isCounted bool        // tokens and media are known
	tokens    int
	media     int  // images and the like that tokens leaves out
	system    bool // below ^sys
	redacted  bool
	message   string // what tells the messages apart; "" for a block that is a message of its own, "-" for a block that is not part of a message
	part      part   // it belongs to; zero if that was not requested
	// sums over the entries up to and including this one
	messages int
	sum      int64 // of tokens, once counted
	allMedia int
}

func (e *entry) id() string { return e.node.ID() }

// order holds the blocks of a state in thread order. It is updated with the difference of two
// states.
type order struct {
	list   []entry
	at     map[string]int // position by id
	summed int            // how many entries have sums of tokens
}

// edit is one change of an order, which [order.undo] takes back.
type edit struct {
	first int     // where the order changes
	old   []entry // from there on
	same  int     // length of the common prefix
	// summed is how many entries had sums of tokens before.
	summed int
	// what happened, by id
	removed, changed, placed map[string]bool
}

// shown reports whether a node is a block that the thread shows.
func shown(n engine.Node) bool {
	region, below := n.Region()
	return below && region != engine.RegionRest && n.Base() == engine.BaseBlock && !isMarker(n)
}

// isMarker reports whether a node is a redaction marker.
func isMarker(n engine.Node) bool {
	return n.UserType() == "redaction" && n.Base() == engine.BaseBlock && len(n.Refs()) > 0
}

// positional are the members of a node that say where and when it is, and nothing about its
// content.
var positional = map[string]bool{
	"offset": true, "parent": true, "created_at_ns": true, "created_at_iso": true, "creation_index": true,
	"cycle": true, "ttl": true, "priority": true, "cad": true, "pinned": true, "removable": true, "provenance": true,
}

// moves are those that decide the order of nodes.
var moves = map[string]bool{"offset": true, "parent": true, "created_at_ns": true, "creation_index": true}

// apply changes the order to that of the newer state of a diff, and returns the edit. The cost
// depends on what differs, and on what follows the first difference.
//
// make makes the entry of a node. marked are the nodes that may be redacted now, or no longer.
func (o *order) apply(d engine.Changes, marked []engine.Node, make func(engine.Node) entry) *edit {
	e := &edit{first: len(o.list), summed: o.summed, removed: map[string]bool{}, changed: map[string]bool{}, placed: map[string]bool{}}
	inserted, fresh := o.differences(e, d)
	for _, n := range marked {
		if o.touch(e, n.ID()) {
			fresh[n.ID()] = n
		}
	}
	groups := o.groups(e, inserted)
	e.old = slices.Clone(o.list[e.first:])
	o.list, o.summed = o.list[:e.first], min(o.summed, e.first)
	for _, x := range e.old {
		delete(o.at, x.id())
	}
	add := func(anchor string) {
		for _, n := range groups[anchor] {
			o.put(make(n))
		}
	}
	anchor := ""
	if e.first > 0 {
		anchor = o.list[e.first-1].id()
	}
	add(anchor)
	for _, x := range e.old {
		id := x.id()
		if e.removed[id] || e.placed[id] {
			continue
		}
		if n, ok := fresh[id]; ok {
			x = make(n)
		}
		o.put(x)
		add(id)
	}
	for e.same = e.first; e.same < len(o.list) && e.same-e.first < len(e.old); e.same++ {
		a, b := &e.old[e.same-e.first], &o.list[e.same]
		if a.id() != b.id() || e.changed[b.id()] || a.redacted != b.redacted {
			break
		}
	}
	return e
}

// touch notes that the order changes at a block, and reports whether the block is in the order.
func (o *order) touch(e *edit, id string) bool {
	at, ok := o.at[id]
	if ok {
		e.first = min(e.first, at)
	}
	return ok
}

// differences notes in e what two states differ in. It returns the nodes that are new in the order
// or have another position in it, and by id those with different content.
func (o *order) differences(e *edit, d engine.Changes) (inserted []engine.Node, fresh map[string]engine.Node) {
	fresh = map[string]engine.Node{}
	remove := func(n engine.Node) {
		if o.touch(e, n.ID()) {
			e.removed[n.ID()] = true
		}
	}
	place := func(n engine.Node) {
		if _, ok := o.at[n.ID()]; ok && shown(n) && !e.placed[n.ID()] {
			e.placed[n.ID()] = true
			o.touch(e, n.ID())
			inserted = append(inserted, n)
		}
	}
	for _, n := range d.Removed {
		remove(n)
	}
	for _, n := range d.Added {
		if shown(n) {
			inserted = append(inserted, n)
		}
	}
	for _, c := range d.Changed {
		moved := slices.ContainsFunc(c.Fields, func(f string) bool { return moves[f] })
		switch was, is := shown(c.Old), shown(c.New); {
		case !was && is:
			inserted = append(inserted, c.New)
		case was && !is:
			remove(c.New)
		case !is && moved:
			below(c.New, place) // they move with it
		case is:
			if slices.ContainsFunc(c.Fields, func(f string) bool { return f == "provenance" || !positional[f] }) {
				fresh[c.New.ID()] = c.New // it may be in another message
				o.touch(e, c.New.ID())
				e.changed[c.New.ID()] = isChange(c)
			}
			if moved {
				place(c.New)
			}
		}
	}
	return inserted, fresh
}

// put appends an entry and counts the messages up to it.
func (o *order) put(x entry) {
	last := entry{}
	if n := len(o.list); n > 0 {
		last = o.list[n-1]
	}
	if x.messages = last.messages; x.message == "" || x.message != "-" && x.message != last.message {
		x.messages++
	}
	o.at[x.id()] = len(o.list)
	o.list = append(o.list, x)
}

// groups finds where new nodes go: after which node that keeps its position, "" for the beginning.
// The nodes of a group are in document order.
func (o *order) groups(e *edit, inserted []engine.Node) map[string][]engine.Node {
	slices.SortFunc(inserted, engine.Node.Compare)
	isNew := make(map[string]string, len(inserted)) // id to anchor
	out := map[string][]engine.Node{}
	for _, n := range inserted {
		anchor, ok := before(n)
		if ok {
			if a, chained := isNew[anchor]; chained {
				anchor = a
			} else {
				e.first = min(e.first, o.at[anchor]+1)
			}
		} else {
			e.first = 0
		}
		isNew[n.ID()] = anchor
		out[anchor] = append(out[anchor], n)
	}
	return out
}

// undo undoes an edit.
func (o *order) undo(e *edit) {
	for _, x := range o.list[e.first:] {
		delete(o.at, x.id())
	}
	if o.list = append(o.list[:e.first], e.old...); e.summed > e.first {
		o.summed = e.summed
	} else {
		o.summed = min(o.summed, e.first)
	}
	for i, x := range e.old {
		o.at[x.id()] = e.first + i
	}
}

// before returns the id of the block of the thread that comes before a node.
func before(n engine.Node) (string, bool) {
	for m := range n.Before() {
		if shown(m) {
			return m.ID(), true
		}
	}
	return "", false
}

// messageOf returns what identifies the message of a block: its number in the log.
func messageOf(n engine.Node) string {
	_, rest, ok := strings.Cut(n.Header("provenance").String(), `"message":`)
	if !ok {
		return ""
	}
	return rest[:max(strings.IndexAny(rest, ",}"), 0)]
}

// isBeside reports whether a node of ^sys is a system prompt outside the messages of a request, as
// in the APIs of Anthropic and Gemini, and the instructions of the Responses API.
func isBeside(n engine.Node) bool {
	from := n.Header("provenance").String()
	for _, part := range [...]string{`"from":"anthropic"`, `"from":"gemini"`, `"type":"instructions"`} {
		if strings.Contains(from, part) {
			return true
		}
	}
	return false
}
