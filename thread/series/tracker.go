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
		s = &stream{separated: r.ConversationID != "", byFirst: map[string][]*conversation{}}
		t.streams[r.ConversationID] = s
	}
	if r.Base < 0 || r.Base > len(s.list) {
		return nil, fmt.Errorf("a request continues the first %d messages of the previous one, which has %d", r.Base, len(s.list))
	}
	if r.Event != nil {
		list := slices.Clone(s.list[:r.Base])
		for _, m := range r.Messages {
			list = append(list, Item{Message: m})
		}
		s.list, s.why = list, append(s.why, r.Why...)
		return nil, nil
	}
	if len(s.why) > 0 {
		r.Why, s.why = append(s.why, r.Why...), nil
	}
	c := t.conversationOf(s, r)
	var out []*Call
	if w := t.waiting; w == c {
		out = append(out, c.decide(s, r))
		t.waiting = nil
	} else {
		out = t.Flush()
	}
	call, list := t.compare(s, c, r)
	s.list = list
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
func (t *Tracker) compare(s *stream, c *conversation, r *Request) (*Call, []Item) {
	old := c.list
	same := s.common(r, old)
	call := &Call{Request: r, Conversation: c.number, Length: r.Base + len(r.Messages), Same: same}
	call.ChangedSettings = compareSettings(c.settings, r.Settings)
	rest := s.from(r, same)
	if same == len(old) {
		list := old
		for _, m := range rest {
			n, returned := t.node(c, m, r.Origin)
			item := Item{n, m}
			call.Entered = append(call.Entered, Entry{len(list), item, returned})
			list = append(list, item)
		}
		t.unsent(c, call, rest)
		return call, list
	}
	a := align(old[same:], rest, c.isReplied(rest))
	list := make([]Item, call.Length)
	copy(list, old[:same])
	for j, i := range a.oldOf {
		at := same + j
		if i < 0 {
			n, returned := t.node(c, a.new[j], r.Origin)
			list[at] = Item{n, a.new[j]}
			call.Entered = append(call.Entered, Entry{at, list[at], returned})
			continue
		}
		was := a.old[i]
		list[at] = Item{was.Node, a.new[j]}
		if !a.inOrder[j] {
			call.Moved = append(call.Moved, Move{same + i, at, was})
		}
		if was.Message != a.new[j] && was.Message.Value != a.new[j].Value {
			call.Changed = append(call.Changed, Change{At: at, Item: list[at], Before: was.Message})
		}
	}
	c.explain(call, a)
	t.unsent(c, call, rest)
	return call, list
}

// unsent finds the answers to the latest call that are not in rest, the messages after the common
// prefix.
func (t *Tracker) unsent(c *conversation, call *Call, rest []*Message) {
	for _, m := range c.reply {
		if isIn(m, rest) {
			continue
		}
		d := Departure{At: -1, Reason: Unknown, Inferred: true}
		if n := len(call.Left); n > 0 {
			d.Reason, d.By, d.Inferred = call.Left[n-1].Reason, call.Left[n-1].By, call.Left[n-1].Inferred
		} else if len(call.Why) > 0 {
			d.Reason, d.Inferred = call.Why[0].Cause, false
		}
		for _, e := range call.Entered {
			if e.Message.Summary {
				d.Reason, d.By, d.Inferred = Compacted, e.Node, false
			}
		}
		n, _ := t.node(c, m, c.origin)
		d.Item = Item{n, m}
		call.Unsent = append(call.Unsent, d)
	}
}

// isReplied reports whether messages contain the answer to the latest call.
func (c *conversation) isReplied(rest []*Message) bool {
	return len(c.reply) > 0 && isIn(c.reply[0], rest)
}

// isIn reports whether a list of messages contains an answer. A client may write it differently
// than the provider did, so the same id, tool call or text is enough.
func isIn(reply *Message, list []*Message) bool {
	text, calls := reply.text(), reply.callKey()
	return slices.ContainsFunc(list, func(m *Message) bool {
		return m.Role == reply.Role && (m.Value == reply.Value || m.ID != "" && m.ID == reply.ID || calls != "" && m.callKey() == calls ||
			calls == "" && text != "" && m.text() == text)
	})
}

// node returns the node of a message that is not in the previous call, and whether it was in an
// earlier one.
func (t *Tracker) node(c *conversation, m *Message, at Origin) (*Node, bool) {
	if n := c.sideNodes[m.key()]; n != nil {
		delete(c.sideNodes, m.key())
		return n, false
	}
	if m.ID != "" {
		if n := c.left[m.ID]; n != nil {
			delete(c.left, m.ID)
			return n, true
		}
	}
	id := m.ID
	for id == "" || t.ids[id] {
		t.nodes++
		id = "message:" + strconv.Itoa(t.nodes)
	}
	t.ids[id] = true
	return &Node{ID: id, First: at}, false
}
