package calls

import (
	"cmp"
	"math"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

const unknown = "unknown"

// call makes the record of a call.
func (w *walk) call(s *engine.Snapshot, info *engine.CommitInfo, st *state, causes map[string]engine.Cause) *Call {
	c := &Call{
		History: w.opts.History, Cycle: s.Cycle(), Model: w.model, Snapshot: s,
		Added: []string{}, Left: []Departure{}, Changed: []Change{},
	}
	if info.Side != nil {
		c.Side = &Side{Of: info.Side.Of, Kind: info.Side.Kind}
	}
	if info.Call != nil {
		c.Time, c.Recorded, c.Missing, c.Failed = info.Call.Time, info.Call.Recorded, info.Call.Missing, info.Call.Failed
		c.FromCache = info.Call.FromCache
		c.Source = &Source{File: info.Call.File, Sample: info.Call.Sample, Call: info.Call.Number, Line: info.Call.Line}
		for _, x := range info.Call.Starts {
			c.Starts = append(c.Starts, Start{x.History, x.Call})
		}
		if by := info.Call.By; by != nil {
			c.By = &StartedBy{by.History, by.Cycle, by.Call}
		}
	}
	if n := len(w.order.list); n > 0 {
		c.Messages = w.order.list[n-1].messages
	}
	w.fill(c, info, st, causes)
	gone := w.compare(c, st, causes)
	for _, why := range info.Causes {
		_, isThere := w.order.at[why.ID]
		if !gone[why.ID] && !isThere && !st.edit.removed[why.ID] && !w.wasMarker(why.ID) {
			c.Unsent = append(c.Unsent, ChangeOf(why).Departure())
		}
	}
	for _, x := range st.changes {
		c.Settings = append(c.Settings, x.name)
	}
	var stated int64
	if info.Call != nil {
		stated = info.Call.Window
	}
	c.Window = w.window(c, stated, st.settings)
	w.cache(c, st)
	w.miss(c)
	w.price(c)
	if w.wantsShares(s) {
		c.Tokens.Shares = w.sharesOf(c, st)
	}
	return c
}

// between makes the record of a state between calls.
func (w *walk) between(s *engine.Snapshot, e *engine.Event, st *state, causes map[string]engine.Cause) *Call {
	c := &Call{
		History: w.opts.History, Cycle: s.Cycle(), Snapshot: s, Event: &State{e.Kind, e.Trigger, e.Before, e.After, 0},
		Added: []string{}, Left: []Departure{}, Changed: []Change{},
	}
	if n := len(w.order.list); n > 0 {
		c.Messages = w.order.list[n-1].messages
	}
	w.compare(c, st, causes)
	if w.before != nil && e.Kind != "answer" {
		c.Event.Full, c.Window = w.full(e), w.before.Window
	}
	if w.wantsShares(s) {
		if c.Tokens.Counted = w.whole(st); w.before != nil {
			c.Missing = w.before.Missing
		}
		c.Tokens.In, c.Tokens.Label = c.Tokens.Counted.In+max(w.rests[w.model].tokens, 0), Estimated
		c.Tokens.Shares = w.sharesOf(c, st)
	}
	return c
}

// cause returns the cause of most of what left or changed at a state, "" if nothing did.
func (c *Call) cause() string {
	count, most := map[string]int{}, ""
	for _, d := range c.Left {
		if count[d.Cause]++; count[d.Cause] > count[most] {
			most = d.Cause
		}
	}
	if most == "" && len(c.Changed) > 0 {
		most = c.Changed[0].Cause
	}
	return most
}

// compare finds in what a line differs from the one before it, and returns the ids of what left.
func (w *walk) compare(c *Call, st *state, causes map[string]engine.Cause) (gone map[string]bool) {
	diff, changed := st.diff, st.edit.changed
	if w.last != nil && w.last != st.base {
		diff, changed = engine.Diff(w.last, c.Snapshot), map[string]bool{}
		for _, d := range diff.Changed {
			if shown(d.Old) && shown(d.New) && isChange(d) {
				changed[d.New.ID()] = true
			}
		}
	}
	gone = map[string]bool{}
	for _, n := range diff.Removed {
		if shown(n) {
			gone[n.ID()] = true
			c.Left = append(c.Left, w.departure(n, c.Snapshot, causes))
		}
	}
	for _, n := range diff.Added {
		if shown(n) {
			c.Added = append(c.Added, n.ID())
		}
	}
	for _, d := range diff.Changed {
		if id := d.New.ID(); changed[id] {
			why := causes[id]
			c.Changed = append(c.Changed, Change{id, cmp.Or(why.Cause, "edited"), "", why.Inferred || why.Cause == "", policyOf(why)})
		}
	}
	for _, m := range diff.Added {
		if id, ok := w.standsFor(m); ok {
			c.Changed = slices.DeleteFunc(c.Changed, func(x Change) bool { return x.ID == id })
			c.Changed = append(c.Changed, shownBy(m, causes[id], id))
		}
	}
	return gone
}

// standsFor returns the id of the node that a marker stands for in the request.
func (w *walk) standsFor(m engine.Node) (string, bool) {
	if !isMarker(m) {
		return "", false
	}
	id := m.Refs()[0]
	x := w.order.at[id]
	return id, x != nil && !x.standIn.IsZero() && x.standIn.ID() == m.ID()
}

// shownBy returns the change of a node to the content of a stand-in. If no cause is recorded, it
// infers the cause from the kind of the stand-in.
func shownBy(m engine.Node, why engine.Cause, id string) Change {
	if why.By == m.ID() {
		return ChangeOf(why)
	}
	kind, _ := m.Kind()
	switch kind {
	case engine.CauseCleared, engine.CauseTruncated, engine.CauseDeduplicated:
		return Change{ID: id, Cause: kind, By: m.ID()}
	}
	return Change{ID: id, Cause: engine.CauseCleared, By: m.ID(), Inferred: true}
}

// ReasonOf returns why a request shows a node with the content of a stand-in.
func ReasonOf(t *engine.Timeline, n, standIn engine.Node) Change {
	var why engine.Cause
	cycle, _ := standIn.Cycle().Int64()
	if s, _ := t.OfCycle(cycle); s != nil && s.Info() != nil {
		for _, c := range s.Info().Causes {
			if c.ID == n.ID() {
				why = c
			}
		}
	}
	return shownBy(standIn, why, n.ID())
}

// wasMarker reports whether a node of the latest call or state is a redaction marker.
func (w *walk) wasMarker(id string) bool {
	for _, s := range [...]*engine.Snapshot{w.main, w.last} {
		if s != nil {
			if n, ok := s.Find(id); ok && isMarker(n) {
				return true
			}
		}
	}
	return false
}

// departure says why a node left. If nothing records that, an expired lifetime is the cause.
func (w *walk) departure(n engine.Node, now *engine.Snapshot, causes map[string]engine.Cause) Departure {
	if why, ok := causes[n.ID()]; ok {
		return ChangeOf(why).Departure()
	}
	if ttl, ok := n.TTL(); ok {
		if left, ok := ttl.Int64(); ok && left <= max(1, now.Cycle()-n.Snapshot().Cycle()) {
			return Departure{ID: n.ID(), Cause: "expired", Inferred: true}
		}
	}
	return Departure{ID: n.ID(), Cause: unknown, Inferred: true}
}

// cache compares the call with the previous one.
func (w *walk) cache(c *Call, st *state) {
	c.Cache.Read = c.Tokens.Cached
	if w.main == nil || w.before == nil {
		return
	}
	e := st.edit
	c.Cache.Before = w.before.Tokens.In
	c.Cache.Same = c.Cache.Before
	begins := func(n int) int64 { return w.begins(st, n) }
	same := e.same
	if node, at := w.overlaid(st); at < same {
		same, c.Cache.Same = at, begins(at)
		c.Cache.Broken = &Break{By: "node", Node: node, Event: "replaced", Resent: w.resent(e, at+1, false)}
		if w.order.list[at].system {
			c.Cache.Broken.By = "system"
		}
	} else if same < w.length(e) {
		if c.Cache.Same = begins(same); !w.isAfterMarkers(e) {
			c.Cache.Broken = w.broken(c, e)
		}
	}
	systemEnd := 0
	for systemEnd < len(w.order.list) && w.order.list[systemEnd].system {
		systemEnd++
	}
	for _, x := range st.changes {
		from := 0
		switch x.effect {
		case onNothing:
			continue
		case onMessages:
			if from = systemEnd; same <= from && c.Cache.Broken != nil {
				continue
			}
			c.Cache.Same = begins(from)
		case onAll:
			c.Cache.Same = 0
		}
		by := "parameters"
		if isTools(x.name) {
			by = "tools"
		}
		c.Cache.Broken = &Break{By: by, Setting: x.name, Event: x.event, Resent: w.resent(e, from, from == 0 && by != "tools")}
		if x.effect == onAll {
			if w.opts.Cache && w.before.Tokens.Label != Counted { // what only the provider counted is sent again, too
				c.Cache.Broken.Resent += max(w.rests[w.before.Model].tokens, 0)
			}
			break
		}
	}
}

// begins returns how many tokens of the previous call are up to its block n. It counts the smaller
// of the two parts.
func (w *walk) begins(st *state, n int) int64 {
	if !w.opts.Cache || w.opts.NoTokens {
		return 0
	}
	e, before := st.edit, w.before.Tokens.In
	if n <= w.length(e)/2 || w.before.Tokens.Label == Counted {
		sum, _ := w.sum(n)
		if sum += w.toolTokens(st.settings); w.before.Tokens.Label != Counted {
			sum += w.rests[w.before.Model].tokens
		}
		return min(max(sum, 0), before)
	}
	for i := n; i < w.length(e); i++ {
		if i < e.first {
			before -= w.tokensOf(w.order.list[i])
		} else {
			before -= w.tokensOf(e.old[i-e.first])
		}
	}
	return max(before, 0)
}

// overlaid returns the first block that an overlay has replaced, or no longer replaces, since the
// previous call, and its index; math.MaxInt if there is none. In the request the block has other
// content, though the node is the same.
func (w *walk) overlaid(st *state) (id string, at int) {
	at = math.MaxInt
	look := func(n engine.Node) {
		if o, ok := original(n); ok {
			if x := w.order.at[o.ID()]; x != nil && x.at < at {
				id, at = x.id, x.at
			}
		}
	}
	for _, n := range st.diff.Added {
		look(n)
	}
	for _, n := range st.diff.Removed {
		look(n)
	}
	return id, at
}

// original returns the node that an overlay replaces in a request, see T7 in the reference: the
// node of its key, or a call or a result.
func original(n engine.Node) (engine.Node, bool) {
	o, ok := n.Original()
	if !ok || !shown(n) || !shown(o) {
		return engine.Node{}, false
	}
	key, hasKey := n.Key()
	k, _ := o.Key()
	kind, hasKind := n.Kind()
	of, _ := o.Kind()
	_, hasRole := n.Role()
	_, hasTags := n.Tags()
	isPart := of == "call" || of == "result"
	return o, hasKey && k == key || isPart && (kind == of || !hasKind && !hasRole && !hasTags)
}

// broken says what ended the common prefix within the blocks.
func (w *walk) broken(c *Call, e *edit) *Break {
	old := e.old[e.same-e.first]
	b := &Break{By: "node", Node: old.id, Event: "moved", Resent: w.resent(e, e.same, false)}
	if old.system {
		b.By = "system"
	}
	_, stays := w.order.at[old.id]
	switch {
	case !stays:
		b.Event = cmp.Or(w.causes[b.Node].Cause, unknown) // also at a state between the calls
		for _, d := range c.Left {
			if d.ID == b.Node {
				b.Event = d.Cause
			}
		}
	case e.changed[b.Node], w.order.list[e.same].id == b.Node:
		b.Event = "redacted"
		for _, d := range c.Changed {
			if d.ID == b.Node {
				b.Event = d.Cause
			}
		}
	case e.placed[b.Node]: // it moved
	case e.placed[w.order.list[e.same].id]:
		b.Node = w.order.list[e.same].id
	default:
		b.Node, b.Event = w.order.list[e.same].id, "inserted"
	}
	return b
}

// resent counts the tokens from a position on that were also in the previous call.
func (w *walk) resent(e *edit, from int, withTools bool) int64 {
	if !w.opts.Cache {
		return 0
	}
	old := map[string]bool{}
	for _, x := range e.gone {
		old[x.id] = true
	}
	n := int64(0)
	if withTools {
		n = w.toolTokens(w.settings)
	}
	for _, x := range w.order.list[min(from, len(w.order.list)):] {
		if x.edit != e.number || old[x.id] && !e.changed[x.id] {
			n += w.tokensOf(x)
		}
	}
	return n
}
