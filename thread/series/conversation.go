package series

import (
	"slices"
	"strings"
)

// stream is the state of the requests with one ConversationID. Requests without one share a stream
// and are separated into conversations by their messages.
type stream struct {
	separated bool                       // the requests have a ConversationID
	list      []Item                     // of the latest request
	byFirst   map[string][]*conversation // by the key of the first message that is not a system message
	recent    []*conversation            // most recent first
}

// conversation is the state of a conversation after its latest step that is no side call.
type conversation struct {
	number   int
	list     []Item // of that step
	settings []Setting
	request  *Request   // of the latest call or stated event; nil before the first one
	sent     []Item     // its list
	reply    []*Message // to that call
	after    []*Message // recorded after that
	answered bool       // the states of these are made
	origin   Origin     // of the latest call
	cycle    int64      // of the latest call
	calls    int        // not counting side calls
	first    int        // length of the first request; -1 if that contains an answer of the model
	firstKey string
	keys     map[string]bool // of the latest list; computed on demand
	pending  *pending
	gone     map[string][]gone // nodes that left, by key, in the order in which they left
	held     map[string]Entry  // nodes that since the latest call are in no step but side calls, by key
	// sideReplies has the answers to side calls since the latest call or stated event.
	sideReplies []string
}

// gone is a node that is not in the conversation, but was.
type gone struct {
	node *Node
	at   int64 // the cycle in which it left
	sent bool  // it was in a step that is no side call
}

// pending is a call that may turn out to be a side call.
type pending struct {
	step *Step
	list []Item
	lost bool // it lacks something of the answer to the call before it
}

// at returns the message at position n of a request.
func (s *stream) at(r *Request, n int) *Message {
	if n < r.Base {
		return s.list[n].Message
	}
	return r.Messages[n-r.Base]
}

// from returns the messages of a request from position n on.
func (s *stream) from(r *Request, n int) []*Message {
	if n >= r.Base {
		return r.Messages[n-r.Base:]
	}
	out := make([]*Message, 0, r.Base-n+len(r.Messages))
	for _, i := range s.list[n:r.Base] {
		out = append(out, i.Message)
	}
	return append(out, r.Messages...)
}

// common returns the length of the prefix that a request shares with a list. Lists with the same
// underlying array have the same items, so a request that only appends costs nothing.
func (s *stream) common(r *Request, list []Item) int {
	n := 0
	if shared := min(r.Base, len(list)); shared > 0 && &s.list[0] == &list[0] {
		n = shared
	}
	for total := min(r.Base+len(r.Messages), len(list)); n < total && isSame(list[n].Message, s.at(r, n)); n++ {
	}
	return n
}

// maxRecent limits how many conversations are examined for a request: of those with the same
// beginning, or, if there are none, of the most recent ones.
const maxRecent = 8

// conversationOf returns the conversation of a request: the one that shares the longest prefix with
// it, otherwise one that it continues in another way, otherwise a new one.
func (t *Tracker) conversationOf(s *stream, r *Request) *conversation {
	if s.separated && len(s.recent) > 0 {
		return s.recent[0]
	}
	key := s.firstKey(r)
	var best *conversation
	longest := 0
	for _, c := range slices.Backward(s.byFirst[key]) {
		n := s.common(r, c.latest())
		if best == nil || n > longest || n == longest && n == len(c.latest()) && n < len(best.latest()) {
			best, longest = c, n
		}
	}
	total := r.Base + len(r.Messages)
	switch {
	case best == nil && (len(r.Why) > 0 || r.Event != nil) && len(s.recent) > 0:
		best = s.recent[0]
	case best != nil && r.Event == nil && best.first == total && longest == total && len(best.latest()) > total:
		best = nil // a second run begins as the first one did
	case best == nil:
		for _, c := range s.recent {
			if c.continuesIn(s, r) {
				best = c
				break
			}
		}
	}
	if best == nil {
		best = &conversation{number: len(t.all)}
		t.all = append(t.all, best)
		s.markLatest(best)
	}
	return best
}

// markLatest makes a conversation the most recent of its stream, and indexes it by its first
// message.
func (s *stream) markLatest(c *conversation) {
	if at := slices.Index(s.recent, c); at != 0 {
		if at > 0 {
			s.recent = slices.Delete(s.recent, at, at+1)
		}
		s.recent = slices.Insert(s.recent, 0, c)
		s.recent = s.recent[:min(len(s.recent), maxRecent)]
	}
	key := ""
	for _, i := range c.latest() {
		if i.Message.Role != System {
			key = i.Message.key()
			break
		}
	}
	if key == c.firstKey || key == "" {
		return
	}
	c.firstKey = key
	list := append(s.byFirst[key], c)
	s.byFirst[key] = list[max(0, len(list)-maxRecent):]
}

// firstKey returns the key of the first message of a request that is not a system message, or "".
func (s *stream) firstKey(r *Request) string {
	for n := range r.Base + len(r.Messages) {
		if m := s.at(r, n); m.Role != System {
			return m.key()
		}
	}
	return ""
}

// latest returns the list of the latest call, which may be pending.
func (c *conversation) latest() []Item {
	if c.pending != nil {
		return c.pending.list
	}
	return c.list
}

// continuesIn reports whether a request with another beginning continues a conversation: it has
// half of the conversation's messages, or half of its own messages are from the conversation, or it
// has a summary of the conversation. A few common messages are not evidence, because the
// conversations of one program share greetings and results.
func (c *conversation) continuesIn(s *stream, r *Request) bool {
	if c.keys == nil {
		c.keys = map[string]bool{}
		for _, i := range c.latest() {
			if i.Message.Role != System {
				c.keys[i.Message.key()] = true
			}
		}
	}
	latest := c == s.recent[0]
	mayBeSummary := latest && len(compareSettings(c.settings, r.Settings)) == 0
	if p := c.pending; p != nil && mayBeSummary && c.losesTools(p.step.Request) {
		return true // a call of a summarizer precedes a summary
	}
	mayBeSummary = mayBeSummary && len(c.keys) > 3
	list := slices.DeleteFunc(slices.Clone(s.from(r, 0)), func(m *Message) bool { return m.Role == System })
	missing := max(1, (min(len(list), len(c.keys))+1)/2)
	for _, m := range list {
		if c.keys[m.key()] {
			missing--
		}
		if missing == 0 || c.answers(m) || latest && m.Summary || mayBeSummary && m.Role == User && readsAsSummary(m.text()) {
			return true
		}
		if p := c.pending; p != nil && containsReply(m, p.step.Reply) || slices.ContainsFunc(c.sideReplies, func(text string) bool { return containsText(m, text) }) {
			return true
		}
		mayBeSummary = false // only the first message may be a summary
	}
	return false
}

// answers reports whether a message has the result of a tool call in the answer to the latest call.
func (c *conversation) answers(m *Message) bool {
	return len(m.Answers) > 0 && slices.ContainsFunc(c.reply, func(reply *Message) bool { return slices.Contains(reply.Calls, m.Answers[0]) })
}

// containsReply reports whether a message quotes an answer of the model, in a longer text or with
// another role.
func containsReply(m *Message, reply []*Message) bool {
	return len(reply) > 0 && m.Value != reply[0].Value && containsText(m, reply[0].text())
}

// containsText reports whether a message contains a text, which must be long enough to be
// significant.
func containsText(m *Message, text string) bool {
	return len(text) >= 12 && strings.Contains(m.text(), text)
}

// mayBeSide reports whether a request may be a side call: it has the whole context of its
// conversation and ends with a new prompt.
func (c *conversation) mayBeSide(s *stream, r *Request) bool {
	total := r.Base + len(r.Messages)
	if c.calls == 0 || r.Side != "" || total <= len(c.list) || s.common(r, c.list) < len(c.list) {
		return false
	}
	last := s.at(r, total-1)
	return last.Role == User && !last.Summary
}

// losesTools reports whether a request offers no tools although its conversation does.
func (c *conversation) losesTools(r *Request) bool {
	return hasTools(c.settings) && !hasTools(r.Settings)
}

// isSide decides whether the pending call is a side call, and of which kind, now that the next
// request is known.
func (c *conversation) isSide(s *stream, r *Request) (bool, string) {
	p := c.pending
	if p == nil || s.common(r, p.list) == len(p.list) {
		return false, ""
	}
	kind, repeats, prompt := "", false, p.list[len(p.list)-1].Message
	for _, m := range s.from(r, min(p.step.Same, s.common(r, p.list))) {
		if isSame(prompt, m) {
			return false, ""
		}
		repeats = repeats || m.Role != Assistant && containsReply(m, p.step.Reply)
		if m.Summary || repeats {
			kind = "summary"
		}
	}
	return repeats || c.losesTools(p.step.Request), kind
}

// accept makes a step the latest one of its conversation.
func (c *conversation) accept(step *Step, list []Item) {
	for _, d := range step.Left {
		c.leave(d.Message.key(), gone{d.Node, step.Cycle, true})
	}
	c.list, c.keys, c.pending = list, nil, nil
	if step.Event != nil && step.Event.Kind == "answer" {
		return
	}
	c.request, c.settings, c.sent, c.reply, c.after, c.answered = step.Request, step.Settings, list, step.Reply, step.After, false
	c.sideReplies = nil
	if step.Event != nil {
		return
	}
	for k, e := range c.held {
		if k[0] == '#' {
			c.leave(k, gone{e.Node, step.Cycle, e.Returned})
		}
	}
	c.held = nil
	if c.calls == 0 {
		c.first = step.Length
		if slices.ContainsFunc(list, func(i Item) bool { return i.Message.Role == Assistant }) {
			c.first = -1
		}
	}
	c.origin, c.cycle = step.Origin, step.Cycle
	c.calls++
}

// leave records that a node is not in the conversation.
func (c *conversation) leave(key string, g gone) {
	if c.gone == nil {
		c.gone = map[string][]gone{}
	}
	c.gone[key] = append(c.gone[key], g)
}

// hold records a node that is in no step but a side call.
func (c *conversation) hold(e Entry) {
	if c.held == nil {
		c.held = map[string]Entry{}
	}
	c.held[e.Message.key()] = e
}

// stated returns the request of a state with what it has in common with the latest call, and with
// the cause that its event implies if the source states no other.
func (c *conversation) stated(r *Request) *Request {
	next := *r
	if last := c.request; last != nil {
		if next.Settings == nil {
			next.Settings = c.settings
		}
		if next.List == "" {
			next.List = last.List
		}
		if next.Format == "" {
			next.Format = last.Format
		}
	}
	if cause := eventCauses[r.Event.Kind]; len(r.Why) == 0 && cause != "" {
		next.Why = []Reason{{Cause: cause}}
	}
	return &next
}

// makeSide makes a call a side call of the latest call of its conversation.
func (c *conversation) makeSide(step *Step, kind string) {
	step.Side = &Side{Of: c.cycle, Kind: kind}
	for i := range step.Left {
		step.Left[i].Reason, step.Left[i].By, step.Left[i].Inferred = "", nil, false
	}
	for _, e := range step.Entered {
		c.hold(e)
	}
	text := ""
	if len(step.Reply) > 0 {
		text = step.Reply[0].text()
	}
	c.sideReplies = append(c.sideReplies, text)
	c.pending, c.keys = nil, nil
}
