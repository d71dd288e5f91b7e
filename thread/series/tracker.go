package series

import (
	"fmt"
	"slices"
	"strconv"
)

// Tracker compares the requests of one source: a file, or one sample in it. The zero value is ready
// for use. It is not safe for concurrent use.
//
// It keeps the latest request of each conversation, and pointers to the messages of earlier ones.
// The cost of a request depends on its difference from the previous one, plus a copy of the items
// if there is any difference other than appended messages.
type Tracker struct {
	streams       map[string]*stream
	conversations int
	nodes         int // that were given an id
	ids           map[string]bool
	waiting       *conversation // with a call that may be a side call
}

// Add takes the next request and returns the calls that are now known, in order: usually its own. A
// call that may be a side call is returned with the next request, or by [Tracker.Flush]. Add fails
// if Base is negative or larger than the previous request.
func (t *Tracker) Add(r *Request) ([]*Call, error) {
	if t.streams == nil {
		t.streams, t.ids = map[string]*stream{}, map[string]bool{}
	}
	s := t.streams[r.ConversationID]
	if s == nil {
		s = &stream{separated: r.ConversationID != "", byFirst: map[partKey][]*conversation{}}
		t.streams[r.ConversationID] = s
	}
	if r.Base < 0 || r.Base > len(s.starts) {
		return nil, fmt.Errorf("a request continues the first %d messages of the previous one, which has %d", r.Base, len(s.starts))
	}
	v := s.sent(r)
	if r.Event != nil {
		s.keep(v, slices.Concat(v.shared, v.rest))
		s.why = append(s.why, r.Why...)
		return nil, nil
	}
	if len(s.why) > 0 {
		r.Why, s.why = append(s.why, r.Why...), nil
	}
	c := t.conversationOf(s, v)
	var out []*Call
	if w := t.waiting; w == c {
		out = append(out, c.decide(v))
		t.waiting = nil
	} else {
		out = t.Flush()
	}
	call, list := t.compare(c, v)
	s.keep(v, list)
	switch {
	case r.Side != "" && c.calls > 0:
		c.makeSide(call, r.Side)
	case c.mayBeSide(call):
		c.pending, t.waiting = &pending{call, list}, c
		return out, nil
	default:
		c.accept(call, list)
	}
	s.markLatest(c)
	return append(out, call), nil
}

// Flush returns the call that is still pending, if there is one. Call it after the last request.
func (t *Tracker) Flush() []*Call {
	c := t.waiting
	if c == nil {
		return nil
	}
	t.waiting = nil
	p := c.pending
	if c.losesTools(p.call.Request) {
		c.makeSide(p.call, "")
	} else {
		c.accept(p.call, p.list)
	}
	return []*Call{p.call}
}

// compare finds how a request differs from the latest call of its conversation.
func (t *Tracker) compare(c *conversation, r *sent) (*Call, []Item) {
	old := c.list
	_, same := r.common(old)
	call := &Call{Request: r.Request, Conversation: c.number, Length: r.length(), Same: same}
	call.ChangedSettings = compareSettings(c.settings, r.Settings)
	rest := r.from(same)
	if same == len(old) {
		list := old
		for _, item := range rest {
			n, returned := t.node(c, item.Part, r.Origin)
			item.Node = n
			call.Entered = append(call.Entered, Entry{len(list), item, returned})
			list = append(list, item)
		}
		t.unsent(c, call, rest)
		return call, list
	}
	a := compareLists(old[same:], rest, c.isReplied(rest))
	list := make([]Item, call.Length)
	copy(list, old[:same])
	for j, i := range a.oldOf {
		at, item := same+j, a.new[j]
		if i < 0 {
			n, returned := t.node(c, item.Part, r.Origin)
			item.Node = n
			list[at] = item
			call.Entered = append(call.Entered, Entry{at, item, returned})
			continue
		}
		was := a.old[i]
		item.Node = was.Node
		list[at] = item
		if !a.inOrder[j] {
			call.Moved = append(call.Moved, Move{same + i, at, was})
		}
		switch {
		case !isEqual(was.Part, item.Part):
			call.Changed = append(call.Changed, Change{At: at, Item: item, Before: was.Part})
		case was.Index() != item.Index() || was.Message() != item.Message() && was.Message().Value != item.Message().Value:
			call.Reformed = append(call.Reformed, Reform{at, item, was})
		}
	}
	c.explain(call, a)
	t.unsent(c, call, rest)
	return call, list
}

// unsent finds the texts, calls and results of the answer to the latest call that are not in rest,
// the items after the common prefix.
func (t *Tracker) unsent(c *conversation, call *Call, rest []Item) {
	for _, item := range flatten(nil, c.reply, c.format) {
		if item.Part.isOpaque() || isIn(item, rest) {
			continue
		}
		d := Departure{At: -1, Reason: Unknown, Inferred: true}
		if n := len(call.Left); n > 0 {
			d.Reason, d.By, d.Inferred = call.Left[n-1].Reason, call.Left[n-1].By, call.Left[n-1].Inferred
		} else if len(call.Why) > 0 {
			d.Reason, d.Inferred = call.Why[0].Cause, false
		}
		for _, e := range call.Entered {
			if e.Part.Summary {
				d.Reason, d.By, d.Inferred = Compacted, e.Node, false
			}
		}
		item.Node, _ = t.node(c, item.Part, c.origin)
		d.Item = item
		call.Unsent = append(call.Unsent, d)
	}
}

// isReplied reports whether items contain the answer to the latest call.
func (c *conversation) isReplied(rest []Item) bool {
	return slices.ContainsFunc(flatten(nil, c.reply, c.format), func(i Item) bool { return isIn(i, rest) })
}

// isIn reports whether a list of items contains a part of an answer. A client may write it
// differently than the provider did, so the same id, tool call or text is enough.
func isIn(reply Item, list []Item) bool {
	p := reply.Part
	text, whole, calls := p.text(), "", p.callKey()
	if reply.Index() > 0 || len(reply.Message().split(p.format)) > 1 {
		whole = reply.Message().text()
	}
	return slices.ContainsFunc(list, func(i Item) bool {
		q := i.Part
		if q.Role != p.Role {
			return false
		}
		if isEqual(p, q) || p.ID != "" && p.ID == q.ID || calls != "" && q.callKey() == calls {
			return true
		}
		return calls == "" && q.callKey() == "" && (text != "" && q.text() == text || whole != "" && i.Message().text() == whole)
	})
}

// node returns the node of a part that is not in the previous call, and whether it was in an
// earlier one.
func (t *Tracker) node(c *conversation, p *Part, at Origin) (*Node, bool) {
	if len(c.sideNodes) > 0 {
		if n := c.sideNodes[p.key()]; n != nil {
			delete(c.sideNodes, p.key())
			return n, false
		}
	}
	if len(c.left.byID)+len(c.left.byKey) > 0 {
		if n := c.back(p); n != nil {
			return n, true
		}
	}
	id := p.ID
	for id == "" || t.ids[id] {
		t.nodes++
		id = "message:" + strconv.Itoa(t.nodes)
	}
	t.ids[id] = true
	return &Node{ID: id, First: at}, false
}
