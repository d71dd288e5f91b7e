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
// The cost of a request depends on its difference from the previous one. A side call that differs
// in more than appended messages, and what follows a side call, also cost a copy of the items.
type Tracker struct {
	streams map[string]*stream
	all     []*conversation // by number
	nodes   int             // that were given an id
	ids     map[string]bool
	waiting *conversation // with a call that may be a side call
	cycle   int64         // of the latest step
	callers map[int]int64 // the cycles of calls that started conversations, by their numbers
}

// Add takes the next request and returns the steps that are now known, in order: usually its own,
// after the state that the answer to the previous call left if this request lacks any of it. A call
// that may be a side call is returned with the next request, or by [Tracker.Flush]. Add fails if
// Base is negative or larger than the previous request.
func (t *Tracker) Add(r *Request) ([]*Step, error) {
	if t.streams == nil {
		t.streams, t.ids, t.callers = map[string]*stream{}, map[string]bool{}, map[int]int64{}
	}
	s := t.streams[r.ConversationID]
	if s == nil {
		s = &stream{separated: r.ConversationID != "", byFirst: map[partKey][]*conversation{}}
		t.streams[r.ConversationID] = s
	}
	if r.Base < 0 || r.Base > len(s.starts) {
		return nil, fmt.Errorf("a request continues the first %d messages of the previous one, which has %d", r.Base, len(s.starts))
	}
	if r.Event != nil && r.Format == "" {
		copied := *r
		copied.Format = s.format
		r = &copied
	}
	v := s.sent(r)
	c := t.conversationOf(s, v)
	s.last = c
	var out []*Step
	if t.waiting == c {
		out = t.settle(c.isSide(v))
	} else {
		out = t.settleLast()
	}
	if r.Event != nil {
		out = append(out, t.answers(c)...)
		v.Request = c.stated(r)
		step, list := t.compare(c, v)
		s.keep(v, list)
		c.accept(t.number(step), list)
		s.markLatest(c)
		return append(out, step), nil
	}
	same, identical := v.common(c.list)
	lost, mayBeSide := c.loses(v.from(same)), c.mayBeSide(v)
	var was []Item
	if mayBeSide {
		was = slices.Clone(c.list[identical:])
	}
	if lost && r.Side == "" && !mayBeSide {
		out = append(out, t.answers(c)...)
	}
	step, list := t.compare(c, v)
	s.keep(v, list)
	switch {
	case r.Side != "" && c.calls > 0:
		c.makeSide(t.number(step), r.Side)
	case mayBeSide:
		c.pending, t.waiting, c.isShared = &pending{step, list, lost, was}, c, true
		return out, nil
	default:
		c.accept(t.number(step), list)
	}
	s.markLatest(c)
	return append(out, step), nil
}

// Flush returns the steps that are known at the end of the source: the call that is still pending,
// and the state of each conversation after its last answer. Call it after the last request.
func (t *Tracker) Flush() []*Step {
	out := t.settleLast()
	for _, c := range t.all {
		out = append(out, t.answers(c)...)
	}
	return out
}

// settleLast settles the pending call, if there is one, when no later request tells what it is.
func (t *Tracker) settleLast() []*Step {
	if c := t.waiting; c != nil {
		return t.settle(c.losesTools(c.pending.step.Request), "")
	}
	return nil
}

// settle makes the pending call, if there is one, a side call or a call of its conversation.
func (t *Tracker) settle(isSide bool, kind string) []*Step {
	c := t.waiting
	if c == nil {
		return nil
	}
	p := c.pending
	t.waiting, c.pending = nil, nil
	if len(p.was) > 0 && (isSide || p.lost) {
		c.list = slices.Concat(p.list[:p.step.Same], p.was)
		c.sent = c.list[:len(c.sent)]
	}
	if isSide {
		c.makeSide(t.number(p.step), kind)
		return []*Step{p.step}
	}
	var out []*Step
	if p.lost {
		for _, e := range p.step.Entered {
			c.hold(e)
		}
		out = t.answers(c)
		p.step, p.list = t.compare(c, &sent{Request: p.step.Request, shared: p.list})
	}
	c.accept(t.number(p.step), p.list)
	return append(out, p.step)
}

// number gives a step the next cycle.
func (t *Tracker) number(s *Step) *Step {
	t.cycle++
	s.Cycle = t.cycle
	if s.Event == nil && len(s.Starts) > 0 {
		t.callers[s.Number] = s.Cycle
	}
	if s.By != nil {
		s.Caller = t.callers[s.By.Number]
	}
	return s
}

// answers makes the states that the answers to the latest call left, unless they are made or there
// is nothing in them: one for each of several choices, the one that was chosen last.
func (t *Tracker) answers(c *conversation) []*Step {
	if c.answered || c.request == nil {
		return nil
	}
	c.answered = true
	var out []*Step
	for n := range len(c.request.Choices) + 1 {
		list := slices.Concat(c.reply, c.after)
		if n < len(c.request.Choices) {
			list = c.request.Choices[n]
		}
		if len(list) == 0 {
			continue
		}
		r := c.stated(&Request{
			Event: &Event{Kind: "answer"}, ConversationID: c.request.ConversationID, Messages: list,
			Origin: Origin{File: c.origin.File, Sample: c.origin.Sample}, Time: c.request.Time,
		})
		step, next := t.compare(c, &sent{Request: r, shared: c.sent, rest: flatten(nil, list, r.Format)})
		c.accept(t.number(step), next)
		out = append(out, step)
	}
	return out
}

// compare finds how a request differs from the latest step of its conversation.
func (t *Tracker) compare(c *conversation, r *sent) (*Step, []Item) {
	old := c.list
	_, same := r.common(old)
	call := &Step{Request: r.Request, Conversation: c.number, Length: r.length(), Same: same}
	call.ChangedSettings = compareSettings(c.settings, r.Settings)
	rest := r.from(same)
	from := r.Origin
	if r.Event != nil {
		from = c.origin
	}
	if same == len(old) {
		list := old
		call.Entered = make([]Entry, 0, len(rest))
		if r.Event != nil && c.isShared {
			list = slices.Clip(list)
		}
		for _, item := range rest {
			n, returned := t.node(c, item, from)
			item.Node = n
			call.Entered = append(call.Entered, Entry{len(list), item, returned})
			list = append(list, item)
		}
		return call, list
	}
	a := compareLists(slices.Clone(old[same:]), rest, func() bool { return c.isReplied(rest) })
	list := old[:same]
	if r.Side != "" || c.isShared {
		list = slices.Clip(list) // the previous list stays that of the conversation
	}
	list = slices.Grow(list, call.Length-same)[:call.Length]
	for j, i := range a.oldOf {
		at, item := same+a.at(j), a.new[j]
		if i < 0 {
			n, returned := t.node(c, item, from)
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
	copy(list[same+a.from:], a.run)
	c.explain(call, a)
	return call, list
}

// node returns the node of an item that is not in the previous step, and whether it was in an
// earlier one. A part without an id that the model has just answered with, or that was just
// recorded, is new.
func (t *Tracker) node(c *conversation, item Item, at Origin) (*Node, bool) {
	p := item.Part
	if len(c.held) > 0 { // keys cost a pass over the part
		if e, ok := c.held[p.key()]; ok {
			delete(c.held, p.key())
			return e.Node, e.Returned
		}
	}
	if len(c.left.byID)+len(c.left.byKey) > 0 && (p.ID != "" || !c.isFresh(p)) {
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
