package thread

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// Event is what happened to the node that ended a shared prefix.
type Event string

const (
	Appended Event = "appended" // the thread goes on after the older one; nothing was lost
	Inserted Event = "inserted" // a new node between older ones
	Cadence  Event = "cadence"  // a new node, appended or inserted, that a cadence made
	Expired  Event = "expired"  // the lifetime of a node was over
	Removed  Event = "removed"  // a node was pruned or deleted; snapshots do not tell which
	Replaced Event = "replaced" // a node has other content or headers
	Redacted Event = "redacted" // a redaction marker refers to the node
	Shifted  Event = "moved"    // a node is elsewhere
	Reworded Event = "reworded" // the node is the same, what the format makes of it is not
)

// PrefixReport compares the thread of a state with that of the previous state. A provider that
// caches prompts charges again for everything after Bytes. It has a field for each member of its JSON.
type PrefixReport struct {
	// Bytes is the length of the common prefix of both threads, without closing brackets. Older and
	// Newer are the lengths of the threads up to the end of their last unit.
	Bytes int `json:"bytes"`
	Older int `json:"older_bytes"`
	Newer int `json:"newer_bytes"`
	// Units is the number of whole units in the prefix.
	Units      int `json:"units"`
	OlderUnits int `json:"older_units"`
	NewerUnits int `json:"newer_units"`
	// Share is the common prefix as a percentage of the older thread: 100 if the newer one only
	// extends it, or if the older one is empty.
	Share float64 `json:"share_percent"`
	// Event and Node say what ended the prefix; both are empty when the threads are
	// equal. Node is the id of the node it happened to.
	Event Event  `json:"event,omitempty"`
	Node  string `json:"node,omitempty"`
	// Depth and Segment say where that node is, or was: -1 in ^sys, 0 in ^ah, else
	// the depth of the segment with that id.
	Depth   *int   `json:"depth,omitempty"`
	Segment string `json:"segment,omitempty"`
	// By is the node that caused it, if there is one: the redaction marker, the overlay, or the new
	// instance of a key with a cadence whose old one expired.
	By string `json:"by,omitempty"`
	// Fields are the members of the node that differ, as [engine.ChangedFields]
	// names them.
	Fields []string `json:"fields,omitempty"`
	// OlderNode and NewerNode are the nodes of the first units that differ, empty if a thread has
	// ended. OlderText and NewerText are the bytes from there on, at most 120.
	OlderNode string `json:"older_node,omitempty"`
	NewerNode string `json:"newer_node,omitempty"`
	OlderText string `json:"older_text,omitempty"`
	NewerText string `json:"newer_text,omitempty"`
	// Sealed is the segment that only the newer state has, empty if no turn was sealed between
	// them. Sealing alone changes no byte.
	Sealed string `json:"sealed,omitempty"`
	// Message says all this in a sentence.
	Message string `json:"message"`
}

// Prefix compares the thread of the state back steps before the newest, in compact JSON, with that
// of the one before it. If there is no such state, the error has the code
// [engine.ErrSnapshotUnknown].
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

// prefixOf compares the threads of any two snapshots as [Prefix] does.
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

// sealed returns the newest segment that only the newer snapshot has.
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

// comparison finds what ended a prefix. a and b are the units after it.
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
		p.Message = fmt.Sprintf("%s; the thread goes on with %s", where, name(p.Node))
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
	Replaced: "was replaced", Redacted: "was redacted", Shifted: "moved", Reworded: "is written in another way",
	Appended: "was appended",
}

func name(id string) string {
	if id == "" {
		return "a placeholder"
	}
	return id
}

// explainSame explains a node of both states whose bytes in the thread differ or are gone.
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

// marker returns the redaction marker, of a node or one of its ancestors, that the older state does
// not have.
func (c *comparison) marker(n engine.Node) string {
	up := map[string]bool{}
	for ok := true; ok; n, ok = n.Parent() {
		up[n.ID()] = true
	}
	return c.referring(func(m engine.Node, ref string) bool { return isMarker(m) && up[ref] })
}

// overlay returns a block that refers to a node and that the older state does not have.
func (c *comparison) overlay(id string) string {
	return c.referring(func(m engine.Node, ref string) bool { return ref == id && !isMarker(m) })
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

// explainDifferent explains two nodes where there was one.
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
		// Both nodes are on both sides, in another order. The one whose position differs has moved;
		// if both or neither differ, the one that is now first.
		c.setEvent(Shifted, is, c.newer)
		if wasThere && c.isInPlace(is) && !c.isInPlace(was) {
			c.setEvent(Shifted, was, c.newer)
		}
	default:
		c.setEvent(Reworded, cmp.Or(was, is), c.newer)
	}
}

// isNewInstance reports whether a new node is an instance of a key that existed before.
func (c *comparison) isNewInstance(n engine.Node) bool {
	key, _ := n.Key()
	_, ok := n.Cad()
	return ok && key != "" && len(c.older.Keyed(key)) > 0
}

// newInstance returns the instance that the cadence of an expired node made.
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
