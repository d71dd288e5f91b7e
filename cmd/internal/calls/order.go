package calls

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/engine"
)

// entry is a block in the order of the thread.
type entry struct {
	id        string
	at        int         // its position in the order
	edit      int         // the number of the edit that put it there
	node      engine.Node // of the first call that had it in this state
	isCounted bool        // tokens and media are known
	tokens    int
	media     int  // images and the like that tokens leaves out
	system    bool // below ^sys
	redacted  bool
	standIn   engine.Node // the node that is shown instead of a redacted block; zero for others (decision E81)
	isMarked  bool        // the block has a marker for the cache of the provider
	message   string      // the message of the block; "" if the block is a whole message, "-" if it is not part of a message
	share     *amount     // the amount of its part; nil if shares were not requested
	// sums over the entries up to and including this one
	messages int
	sum      int64 // of tokens, once counted
	allMedia int
}

// order holds the blocks of a state in thread order. It is updated with the difference of two
// states.
type order struct {
	list   []*entry
	at     map[string]*entry // by id
	summed int               // how many entries have sums of tokens
	edits  int               // how many there were
}

// sent returns the node whose content is sent, or the zero Node.
func (x *entry) sent() engine.Node {
	if x.redacted {
		return x.standIn
	}
	return x.node
}

// isShownLike reports whether two entries of a block with the same content are sent in the same
// form.
func (x *entry) isShownLike(y *entry) bool {
	if x.redacted != y.redacted || x.standIn.IsZero() != y.standIn.IsZero() {
		return false
	}
	return x.standIn.IsZero() || x.standIn.Content().String() == y.standIn.Content().String()
}

// edit is one change of an order, which [order.undo] takes back.
type edit struct {
	number     int
	first      int      // where the order changes
	old        []*entry // from there on
	gone, made []*entry // that are only in the old or only in the new order
	same       int      // length of the common prefix
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
// depends on what differs. Entries that only move along cost no more than their numbers.
//
// make makes the entry of a node. marked are the nodes that may be redacted now, or no longer.
func (o *order) apply(d engine.Changes, marked []engine.Node, make func(engine.Node) *entry) *edit {
	o.edits++
	e := &edit{number: o.edits, first: len(o.list), removed: map[string]bool{}, changed: map[string]bool{}, placed: map[string]bool{}}
	inserted, fresh := o.differences(e, d)
	for _, n := range marked {
		if o.touch(e, n.ID()) {
			fresh[n.ID()] = n
		}
	}
	groups := o.groups(e, inserted)
	e.old = slices.Clone(o.list[e.first:])
	o.list = o.list[:e.first]
	add := func(list ...engine.Node) {
		for _, n := range list {
			x := make(n)
			x.edit = e.number
			e.made, o.list = append(e.made, x), append(o.list, x)
		}
	}
	anchor := ""
	if e.first > 0 {
		anchor = o.list[e.first-1].id
	}
	add(groups[anchor]...)
	done := 0
	for _, k := range o.marks(e, fresh, groups) {
		x := e.old[k]
		o.list, done = append(o.list, e.old[done:k]...), k+1
		n, isFresh := fresh[x.id]
		isGone := e.removed[x.id] || e.placed[x.id]
		switch {
		case isGone || isFresh:
			if e.gone = append(e.gone, x); !isGone {
				add(n)
			}
		default:
			o.list = append(o.list, x)
		}
		if !isGone {
			add(groups[x.id]...)
		}
	}
	o.list = append(o.list, e.old[done:]...)
	o.replace(e, e.gone, e.made)
	for e.same = e.first; e.same < len(o.list) && e.same-e.first < len(e.old); e.same++ {
		a, b := e.old[e.same-e.first], o.list[e.same]
		if a != b && (a.id != b.id || e.changed[b.id] || !a.isShownLike(b)) {
			break
		}
	}
	return e
}

// marks returns the places in the old entries of an edit at which it does anything, in order.
func (o *order) marks(e *edit, fresh map[string]engine.Node, groups map[string][]engine.Node) []int {
	var out []int
	note := func(id string) {
		if x := o.at[id]; x != nil && x.at >= e.first {
			out = append(out, x.at-e.first)
		}
	}
	for _, ids := range [...]map[string]bool{e.removed, e.placed} {
		for id := range ids {
			note(id)
		}
	}
	for id := range fresh {
		note(id)
	}
	for id := range groups {
		note(id)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// replace notes which entries are gone and which are made, and numbers those from the first change
// of an edit on.
func (o *order) replace(e *edit, gone, made []*entry) {
	for _, x := range gone {
		delete(o.at, x.id)
	}
	for _, x := range made {
		o.at[x.id] = x
	}
	o.summed = min(o.summed, e.first)
	messages, message := 0, ""
	if e.first > 0 {
		last := o.list[e.first-1]
		messages, message = last.messages, last.message
	}
	for i, x := range o.list[e.first:] {
		if x.message == "" || x.message != "-" && x.message != message {
			messages++
		}
		message = x.message
		x.at, x.messages = e.first+i, messages
	}
}

// touch notes that the order changes at a block, and reports whether the block is in the order.
func (o *order) touch(e *edit, id string) bool {
	x := o.at[id]
	if x != nil {
		e.first = min(e.first, x.at)
	}
	return x != nil
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
			} else if x := o.at[anchor]; x != nil {
				e.first = min(e.first, x.at+1)
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
	o.list = append(o.list[:e.first], e.old...)
	o.replace(e, e.made, e.gone)
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
