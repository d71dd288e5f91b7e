package thread

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// Event is what happened to the node at which the common prefix of two threads ends.
type Event string

const (
	Appended Event = "appended" // the newer thread only extends the older one
	Inserted Event = "inserted" // a new node before older ones
	Cadence  Event = "cadence"  // a new node, appended or inserted, that was made by a cadence
	Expired  Event = "expired"  // the lifetime of a node ended
	Removed  Event = "removed"  // a node was pruned or deleted; snapshots cannot distinguish these
	Replaced Event = "replaced" // the content or headers of a node changed
	Redacted Event = "redacted" // a redaction marker refers to the node
	Shifted  Event = "moved"    // the position of a node changed
	Reworded Event = "reworded" // the node is the same, but it is rendered differently
)

// PrefixReport compares the thread of a state with that of the previous state. A provider that
// caches prompts charges the full price for everything after Bytes. Each field is a member of its
// JSON form.
type PrefixReport struct {
	// Bytes is the length of the common prefix of both threads, without closing brackets. Older and
	// Newer are the lengths of the threads up to the end of their last unit.
	Bytes int `json:"bytes"`
	Older int `json:"older_bytes"`
	Newer int `json:"newer_bytes"`
	// Units is the number of complete units in the prefix. OlderUnits and NewerUnits are the
	// numbers of units in the threads.
	Units      int `json:"units"`
	OlderUnits int `json:"older_units"`
	NewerUnits int `json:"newer_units"`
	// Share is the common prefix as a percentage of the older thread: 100 if the newer one only
	// extends it, or if the older one is empty.
	Share float64 `json:"share_percent"`
	// Event is what ended the prefix, and Node the id of the node it happened to. Both are empty if
	// the threads are equal. Node is also empty for a placeholder.
	Event Event  `json:"event,omitempty"`
	Node  string `json:"node,omitempty"`
	// Depth and Segment say where that node is, or was. Depth is -1 in ^sys, 0 in ^ah, and
	// otherwise that of the segment with the id Segment.
	Depth   *int   `json:"depth,omitempty"`
	Segment string `json:"segment,omitempty"`
	// By is the id of the node that caused the event, if there is one: the redaction marker, the
	// overlay, or, if an instance of a key with a cadence expired, the new instance.
	By string `json:"by,omitempty"`
	// Fields are the members of the node that differ, named as by [engine.ChangedFields].
	Fields []string `json:"fields,omitempty"`
	// OlderNode and NewerNode are the ids of the nodes of the first units that differ, empty at the
	// end of a thread. OlderText and NewerText are the next bytes after the prefix, at most 120.
	OlderNode string `json:"older_node,omitempty"`
	NewerNode string `json:"newer_node,omitempty"`
	OlderText string `json:"older_text,omitempty"`
	NewerText string `json:"newer_text,omitempty"`
	// Sealed is the id of the newest segment if only the newer state has it. Sealing alone does not
	// change the thread.
	Sealed string `json:"sealed,omitempty"`
	// Message describes the result in a sentence.
	Message string `json:"message"`
}

// Prefix compares the thread of the state back steps before the newest one with that of the state
// before it, both in compact JSON. If there is no such state, the error has the code
// [engine.ErrSnapshotUnknown]. The cost is that of rendering both threads; to find the cause, it
// may visit all nodes.
func Prefix(t *engine.Timeline, back int, f Format, o RenderOptions) (PrefixReport, error) {
	newer, err := t.Address(back)
	if err != nil {
		return PrefixReport{}, err
	}
	older, err := t.Address(back + 1)
	if err != nil {
		return PrefixReport{}, err
	}
	return prefixOf(older, newer, f, o)
}

// prefixOf compares the threads of any two snapshots like [Prefix].
func prefixOf(older, newer *engine.Snapshot, f Format, o RenderOptions) (PrefixReport, error) {
	o.Pretty = false
	a, err := Render(older, f, o)
	if err != nil {
		return PrefixReport{}, err
	}
	b, err := Render(newer, f, o)
	if err != nil {
		return PrefixReport{}, err
	}
	p := PrefixReport{Older: ends(&a), Newer: ends(&b), OlderUnits: len(a.Units), NewerUnits: len(b.Units), Share: 100}
	same := 0
	for same < len(a.JSON) && same < len(b.JSON) && a.JSON[same] == b.JSON[same] {
		same++
	}
	p.Bytes = min(same, p.Older, p.Newer)
	if p.Older > 0 {
		p.Share = math.Round(1000*float64(p.Bytes)/float64(p.Older)) / 10
	}
	i := 0
	for i < len(a.Units) && i < len(b.Units) && a.Units[i].End <= same && a.Units[i].Start == b.Units[i].Start &&
		a.Units[i].End == b.Units[i].End {
		i++
	}
	p.Units = i
	if older.Segments() > 0 || newer.Segments() > 0 {
		p.Sealed = sealed(older, newer)
	}
	c := comparison{older: older, newer: newer, a: a.Units[i:], b: b.Units[i:], p: &p}
	if len(c.a) > 0 {
		p.OlderNode = c.a[0].Node
		p.OlderText = excerpt(a.JSON[p.Bytes:p.Older])
	}
	if len(c.b) > 0 {
		p.NewerNode = c.b[0].Node
		p.NewerText = excerpt(b.JSON[p.Bytes:p.Newer])
	}
	c.explain()
	return p, nil
}

// ends sorts the units and returns where the last one ends.
func ends(r *Rendered) int {
	slices.SortStableFunc(r.Units, func(x, y Unit) int { return cmp.Or(x.Start-y.Start, y.End-x.End) })
	end := 0
	for _, u := range r.Units {
		end = max(end, u.End)
	}
	return end
}

func excerpt(text []byte) string { return string(text[:min(len(text), 120)]) }

// sealed returns the id of the newest segment if only the newer snapshot has it.
func sealed(older, newer *engine.Snapshot) string {
	n, ok := newer.Segment(1)
	if !ok {
		return ""
	}
	if _, ok := older.Find(n.ID()); ok {
		return ""
	}
	return n.ID()
}

// comparison finds what ended a prefix. a and b are the units after the prefix.
type comparison struct {
	older, newer *engine.Snapshot
	a, b         []Unit
	p            *PrefixReport
}

func (c *comparison) explain() {
	p := c.p
	where := fmt.Sprintf("%d of %d bytes and %d of %d units are shared (%.1f %%)", p.Bytes, p.Older, p.Units, p.OlderUnits, p.Share)
	switch {
	case len(c.a) == 0 && len(c.b) == 0:
		p.Message = where + "; the threads are the same"
		return
	case len(c.a) == 0:
		c.setEvent(Appended, c.b[0].Node, c.newer)
		if n, ok := c.newer.Find(p.Node); ok && c.isNewInstance(n) {
			p.Event = Cadence
		}
		p.Message = fmt.Sprintf("%s; the thread continues with %s", where, name(p.Node))
		return
	case p.OlderNode != "" && p.OlderNode == p.NewerNode:
		c.explainSame(p.OlderNode)
	case p.OlderNode == "" && p.NewerNode == "":
		c.setEvent(Reworded, "", c.newer)
	default:
		c.explainDifferent()
	}
	p.Message = fmt.Sprintf("%s; then %s %s%s", where, name(p.Node), sentence[p.Event], c.location())
	switch {
	case p.By == "":
	case p.Event == Expired:
		p.Message += "; its cadence made " + p.By
	default:
		p.Message += ", by " + p.By
	}
}

var sentence = map[Event]string{
	Inserted: "was inserted", Cadence: "was made by its cadence", Expired: "expired", Removed: "was pruned or deleted",
	Replaced: "was replaced", Redacted: "was redacted", Shifted: "moved", Reworded: "is rendered differently",
	Appended: "was appended",
}

func name(id string) string {
	if id == "" {
		return "a placeholder"
	}
	return id
}

// explainSame finds the event for a node that is in both states but rendered differently or missing
// from the newer thread.
func (c *comparison) explainSame(id string) {
	p := c.p
	c.setEvent(Reworded, id, c.newer)
	x, okX := c.older.Find(id)
	y, okY := c.newer.Find(id)
	switch {
	case !okX || !okY:
	default:
		if p.By = c.marker(y); p.By != "" {
			p.Event = Redacted
			return
		}
		for _, f := range engine.ChangedFields(x, y) {
			if f != "ttl" { // not shown by any format
				p.Fields = append(p.Fields, f)
			}
		}
		if p.By = c.overlay(id); len(p.Fields) > 0 || p.By != "" {
			p.Event = Replaced
		}
	}
}

// marker returns the id of the redaction marker, of a node or one of its ancestors, that only the
// newer state has.
func (c *comparison) marker(n engine.Node) string {
	up := map[string]bool{}
	for ok := true; ok; n, ok = n.Parent() {
		up[n.ID()] = true
	}
	return c.referring(func(m engine.Node, ref string) bool { return isMarker(m) && up[ref] })
}

// overlay returns the id of an overlay of a node that only the newer state has.
func (c *comparison) overlay(id string) string {
	return c.referring(func(m engine.Node, ref string) bool {
		_, ok := m.Original()
		return ok && ref == id
	})
}

func (c *comparison) referring(is func(m engine.Node, ref string) bool) string {
	for m := range c.newer.All() {
		for _, ref := range m.Refs() {
			if _, old := c.older.Find(m.ID()); !old && is(m, ref) {
				return m.ID()
			}
		}
	}
	return ""
}

// explainDifferent finds the event if the first units that differ come from different nodes.
func (c *comparison) explainDifferent() {
	was, is := c.p.OlderNode, c.p.NewerNode
	gone, wasThere := c.older.Find(was)
	made, isThere := c.newer.Find(is)
	_, stays := c.newer.Find(was)
	_, isOld := c.older.Find(is)
	switch {
	case wasThere && !stays:
		// A removed node ends the prefix, whatever replaced it.
		c.setEvent(Removed, was, c.older)
		if ttl, ok := gone.TTL(); ok {
			if n, ok := ttl.Int64(); ok && n <= max(1, c.newer.Cycle()-c.older.Cycle()) {
				c.p.Event = Expired
				c.p.By = c.newInstance(gone)
			}
		}
	case wasThere && !c.shown(was, c.b):
		// The node is in the tree but not in the thread: redacted, half of a pair, or replaced by
		// an overlay.
		c.explainSame(was)
	case isThere && !isOld:
		c.setEvent(Inserted, is, c.newer)
		if c.isNewInstance(made) {
			c.p.Event = Cadence
		}
	case isThere && isOld && !c.shown(is, c.a):
		c.setEvent(Reworded, is, c.newer)
	case isThere && isOld:
		// Both threads have both nodes, in a different order. The node whose position changed has
		// moved. If both or neither changed, it is the one that is now first.
		c.setEvent(Shifted, is, c.newer)
		if wasThere && c.isInPlace(is) && !c.isInPlace(was) {
			c.setEvent(Shifted, was, c.newer)
		}
	default:
		c.setEvent(Reworded, cmp.Or(was, is), c.newer)
	}
}

// isNewInstance reports whether a new node is an instance, made by a cadence, of an existing key.
func (c *comparison) isNewInstance(n engine.Node) bool {
	key, _ := n.Key()
	_, ok := n.Cad()
	return ok && key != "" && len(c.older.Keyed(key)) > 0
}

// newInstance returns the id of the instance that the cadence of an expired node made.
func (c *comparison) newInstance(n engine.Node) string {
	key, _ := n.Key()
	if _, ok := n.Cad(); !ok || key == "" {
		return ""
	}
	for _, m := range c.newer.Keyed(key) {
		if _, old := c.older.Find(m.ID()); !old {
			return m.ID()
		}
	}
	return ""
}

func (c *comparison) shown(id string, units []Unit) bool {
	return slices.ContainsFunc(units, func(u Unit) bool { return u.Node == id })
}

// isInPlace reports whether a node has the same parent and offset in both states.
func (c *comparison) isInPlace(id string) bool {
	x, okX := c.older.Find(id)
	y, okY := c.newer.Find(id)
	if !okX || !okY {
		return false
	}
	px, _ := x.ParentID()
	py, _ := y.ParentID()
	return px == py && x.Offset().Cmp(y.Offset()) == 0
}

// setEvent records an event and where its node is.
func (c *comparison) setEvent(e Event, id string, s *engine.Snapshot) {
	c.p.Event, c.p.Node, c.p.Depth, c.p.Segment = e, id, nil, ""
	n, ok := s.Find(id)
	if !ok {
		return
	}
	if d, ok := n.Depth(); ok {
		c.p.Depth = &d
	}
	for ; ok; n, ok = n.Parent() {
		if n.Base() == engine.BaseSeg {
			c.p.Segment = n.ID()
		}
	}
}

func (c *comparison) location() string {
	switch d := c.p.Depth; {
	case d == nil:
		return ""
	case *d < 0:
		return " in ^sys"
	case *d == 0:
		return " in ^ah"
	default:
		return fmt.Sprintf(" in %s at depth %d", c.p.Segment, *d)
	}
}
