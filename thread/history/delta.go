package history

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/series"
)

// object returns an object with the given members, which are JSON, sorted by name.
func object(members map[string]string) string {
	return canonjson.ObjectText(members, func(v string) string { return v })
}

func list(values []string) string {
	n := len("[]")
	for _, v := range values {
		n += len(v) + 1
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteByte('[')
	for i, v := range values {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(v)
	}
	b.WriteByte(']')
	return b.String()
}

func ids(values []string) string {
	n := len("[]")
	for _, v := range values {
		n += len(v) + len(`"",`)
	}
	out := append(make([]byte, 0, n), '[')
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		out = canonjson.AppendString(out, v)
	}
	out = append(out, ']')
	return unsafe.String(unsafe.SliceData(out), len(out)) // nothing else has the bytes
}

// node returns a node. parent is empty if the node is inside its parent.
func (ch *change) node(id, typ, parent string, ns int64, of members, children []engine.NewNode) engine.NewNode {
	n := engine.NewNode{ID: id, Type: typ, Parent: parent, NS: ns, Index: ch.indexOf(id), Members: of, Children: children}
	if base, _, found := strings.Cut(id, ":"); ch.w.begun {
		if found && base == typ {
			n.Type = ""
		}
		return n
	}
	all := slices.Clone(of) // a delta omits members that the engine derives
	all.set("created_at_iso", iso(ns))
	all.set("cycle", strconv.FormatInt(ch.cycle, 10))
	all.set("offset", "0")
	all.set("priority", "0")
	all.set("ttl", "null")
	if role := of.get("role"); role != "" {
		all.set("tag", "["+role+"]")
	}
	n.Members = all
	return n
}

// count assigns creation indexes to new and moved nodes, in the order of their instants.
func (ch *change) count() {
	next := func(id string) {
		if _, ok := ch.index[id]; !ok {
			ch.index[id] = ch.w.index
			ch.w.index++
		}
	}
	if !ch.w.begun {
		for _, id := range [...]string{"root", "^sys", "^seq", "^ah"} {
			next(id)
		}
	}
	for _, b := range ch.sysNew {
		next(b.id)
	}
	for _, i := range ch.next.list[ch.same:ch.end] {
		if ch.isNewTurn[i.turn] {
			next(i.turn.core)
		}
		for _, b := range i.blocks {
			if _, ok := ch.retimed[b.id]; ok || ch.isNew[i] || ch.isReplaced(i) {
				next(b.id)
			}
		}
	}
}

// indexOf returns the creation index of a node. Segments get theirs on first use, after all others.
func (ch *change) indexOf(id string) int64 {
	if n, ok := ch.index[id]; ok {
		return n
	}
	ch.index[id] = ch.w.index
	ch.w.index++
	return ch.index[id]
}

func iso(ns int64) string { return time.Unix(0, ns).UTC().Format(`"2006-01-02T15:04:05.000000000Z"`) }

// itemNodes appends the nodes of the blocks of a message.
func (ch *change) itemNodes(out []engine.NewNode, i *item, parent string) []engine.NewNode {
	for k, b := range i.blocks {
		out = append(out, ch.node(b.id, b.typ, parent, i.ns+int64(k), b.members, nil))
	}
	return out
}

// turnNode returns a new turn with the new messages in it, and the region it belongs to. isTop says
// that it is not inside that region.
func (ch *change) turnNode(t *turn, isTop bool) (n engine.NewNode, parent string) {
	var blocks []engine.NewNode
	first := int64(0)
	for k, i := range ch.inTurn[t] {
		if k == 0 {
			first = i.ns
		}
		if ch.isNew[i] {
			blocks = ch.itemNodes(blocks, i, "")
		}
	}
	topParent := func(p string) string {
		if isTop {
			return p
		}
		return ""
	}
	if t.segment == "" {
		return ch.node(t.core, "cont", topParent("^ah"), first-1, nil, blocks), "^ah"
	}
	core := ch.node(t.core, "cont", "", first-1, nil, blocks)
	return ch.node(t.segment, "seg", topParent("^seq"), t.ns, nil, []engine.NewNode{core}), "^seq"
}

// whole returns the first tree.
func (ch *change) whole() []engine.NewNode {
	ns := ch.next.start()
	var sys, seq, ah []engine.NewNode
	for k, b := range ch.sysNew { // all are new
		sys = append(sys, ch.node(b.id, b.typ, "", ns+int64(4+k), b.members, nil))
	}
	for _, i := range ch.next.list {
		if i.turn == nil {
			sys = ch.itemNodes(sys, i, "")
		}
	}
	for _, t := range ch.newTurns {
		n, parent := ch.turnNode(t, false)
		if parent == "^ah" {
			ah = append(ah, n)
		} else {
			seq = append(seq, n)
		}
	}
	regions := []engine.NewNode{
		ch.node("^sys", "^sys", "", ns+1, nil, sys), ch.node("^seq", "^seq", "", ns+2, nil, seq), ch.node("^ah", "^ah", "", ns+3, nil, ah),
	}
	return []engine.NewNode{ch.node("root", "^root", "", ns, nil, regions)}
}

// start returns an instant before all messages, with room for the other nodes in ^sys.
func (s *state) start() int64 {
	if len(s.list) == 0 {
		return firstInstant.UnixNano() - 1_000_000
	}
	return s.list[0].ns - 1_000_000
}

// delta returns the JSON of the differences between the trees, without the new nodes.
func (ch *change) delta() string {
	var out members
	if removed := ch.removed(); len(removed) > 0 {
		out.set("removed", ids(removed))
	}
	if changed := ch.changes(); len(changed) > 0 {
		out.set("changed", list(changed))
	}
	for _, t := range ch.sealed {
		if !ch.isNewTurn[t] {
			ch.moved[t.segment] = append(ch.moved[t.segment], t.core)
		}
	}
	if ch.reopened != nil {
		ch.moved["^ah"] = append(ch.moved["^ah"], ch.reopened.core)
	}
	if len(ch.moved) > 0 {
		var moved members
		for _, parent := range slices.Sorted(maps.Keys(ch.moved)) {
			moved = append(moved, engine.Member{Name: parent, Value: ids(ch.moved[parent])})
		}
		out.set("moved", objectOf(moved))
	}
	return objectOf(out)
}

func (ch *change) added() []engine.NewNode {
	out := make([]engine.NewNode, 0, len(ch.sysNew)+len(ch.newTurns)+ch.end-ch.same)
	for k, b := range ch.sysNew {
		out = append(out, ch.node(b.id, b.typ, "^sys", ch.next.start()+int64(100+k), b.members, nil))
	}
	for _, t := range ch.newTurns {
		n, _ := ch.turnNode(t, true)
		out = append(out, n)
	}
	for _, t := range ch.sealed {
		if !ch.isNewTurn[t] {
			out = append(out, ch.node(t.segment, "seg", "^seq", t.ns, nil, nil))
		}
	}
	for _, i := range ch.next.list[ch.same:ch.end] {
		if !ch.isNewTurn[i.turn] && ch.isNew[i] || ch.isReplaced(i) {
			out = ch.itemNodes(out, i, parentOf(i))
		}
	}
	return out
}

func parentOf(i *item) string {
	if i.turn == nil {
		return "^sys"
	}
	return i.turn.core
}

// isReplaced reports whether a changed message has new nodes instead of its previous ones.
func (ch *change) isReplaced(i *item) bool {
	before, ok := ch.changed[i]
	return ok && (len(before) == 0 || len(i.blocks) == 0 || before[0].id != i.blocks[0].id)
}

func (ch *change) removed() []string {
	out := slices.Clone(ch.sysGone)
	gone := map[*turn]bool{}
	for _, t := range ch.goneTurns {
		gone[t] = true
		if t.segment != "" {
			out = append(out, t.segment)
		} else {
			out = append(out, t.core)
		}
	}
	if ch.dropped != "" {
		out = append(out, ch.dropped)
	}
	for _, i := range ch.gone {
		if i.turn == nil || !gone[i.turn] {
			for _, b := range i.blocks {
				out = append(out, b.id)
			}
		}
	}
	for _, i := range ch.next.list[ch.same:ch.end] {
		if was, moved := ch.wasIn[i]; ch.isReplaced(i) && !(moved && was != nil && gone[was]) {
			for _, b := range ch.changed[i] {
				out = append(out, b.id)
			}
		}
	}
	return out
}

// changes returns the changed members of nodes as JSON.
func (ch *change) changes() []string {
	if len(ch.changed)+len(ch.retimed)+len(ch.sysSet)+len(ch.sysUnset) == 0 {
		return nil
	}
	set, unset := map[string]members{}, map[string][]string{}
	maps.Copy(set, ch.sysSet)
	maps.Copy(unset, ch.sysUnset)
	for i, before := range ch.changed {
		if ch.isReplaced(i) {
			continue
		}
		for k, b := range i.blocks {
			new, gone := differ(before[k].members, b.members)
			if len(new) > 0 {
				set[b.id] = new
			}
			if len(gone) > 0 {
				unset[b.id] = gone
			}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(ch.retimed)) { // indexOf counts in this order
		ns, m := ch.retimed[id], set[id]
		m.set("created_at_ns", strconv.FormatInt(ns, 10))
		m.set("created_at_iso", iso(ns))
		m.set("cycle", strconv.FormatInt(ch.cycle, 10))
		m.set("creation_index", strconv.FormatInt(ch.indexOf(id), 10))
		set[id] = m
	}
	names := map[string]bool{}
	for id := range set {
		names[id] = true
	}
	for id := range unset {
		names[id] = true
	}
	var out []string
	for _, id := range slices.Sorted(maps.Keys(names)) {
		entry := members{{Name: "id", Value: quote(id)}}
		if len(set[id]) > 0 {
			entry = append(entry, engine.Member{Name: "set", Value: objectOf(set[id])})
		}
		if len(unset[id]) > 0 {
			entry = append(entry, engine.Member{Name: "unset", Value: ids(unset[id])})
		}
		out = append(out, objectOf(entry))
	}
	return out
}

// objectOf returns an object with the given members.
func objectOf(m members) string {
	if len(m) == 0 {
		return "{}"
	}
	n := len("{}")
	for _, x := range m {
		n += len(x.Name) + len(x.Value) + len(`"":,`)
	}
	out := make([]byte, 0, n)
	for _, x := range m {
		out = append(canonjson.AppendString(append(out, ','), x.Name), ':')
		out = append(out, x.Value...)
	}
	out[0] = '{'
	out = append(out, '}')
	return unsafe.String(unsafe.SliceData(out), len(out)) // nothing else has the bytes
}

// info describes the step: the origin of the call or the event, and why nodes left.
func (ch *change) info() *engine.CommitInfo {
	c := ch.call
	info := &engine.CommitInfo{Step: len(ch.sealed) == 0}
	if c.Side != nil {
		info.Side = &engine.Side{Of: c.Side.Of, Kind: c.Side.Kind}
	}
	if e := c.Event; e != nil {
		info.Event = &engine.Event{Kind: e.Kind, Trigger: e.Trigger, Before: e.Before, After: e.After}
	} else if c.Origin.File != "" {
		info.Call = &engine.Call{
			Model: c.Model, File: c.Origin.File, Line: c.Origin.Line, Sample: c.Origin.Sample, Number: c.Origin.Call, Usage: usageOf(c.Format, c.Usage),
			Recorded: c.Recorded, Missing: c.Missing, Failed: c.Failed, FromCache: c.FromCache, Window: c.Window,
		}
		if c.Failed != "" || c.FromCache {
			info.Call.Usage = nil
		}
		if !c.Time.IsZero() {
			info.Call.Time = c.Time.Format(time.RFC3339Nano)
		}
		for _, s := range c.Starts {
			info.Call.Starts = append(info.Call.Starts, engine.Start{Call: s.Call, History: s.ConversationID})
		}
		if by := c.Request.By; by != nil {
			info.Call.By = &engine.StartedBy{History: by.ConversationID, Cycle: c.Caller, Call: by.Call}
		}
	}
	if len(c.Left)+len(c.Changed) == 0 {
		return info
	}
	gone, by := map[*series.Node]*item{}, map[*series.Node]string{}
	for _, i := range ch.gone {
		gone[i.node] = i
	}
	for _, i := range ch.next.list[ch.same:ch.end] {
		if len(i.blocks) > 0 {
			by[i.node] = i.blocks[0].id
		}
	}
	for _, d := range c.Left {
		if i := gone[d.Node]; i != nil && d.Reason != "" {
			for _, b := range i.blocks {
				info.Causes = append(info.Causes, engine.Cause{ID: b.id, Cause: string(d.Reason), By: by[d.By], Inferred: d.Inferred})
			}
		}
	}
	for _, x := range c.Changed {
		if i := ch.next.list[x.At]; len(i.blocks) > 0 {
			for _, b := range i.blocks {
				info.Causes = append(info.Causes, engine.Cause{ID: b.id, Cause: string(x.Reason), Inferred: x.Inferred})
			}
		}
	}
	return info
}
