package series

import (
	"slices"
	"strings"
)

// stream is the state of the requests with one ConversationID. Requests without one share a stream
// and are separated into conversations by their messages.
type stream struct {
	separated bool                        // the requests have a ConversationID
	format    string                      // of the latest request
	list      []Item                      // of the latest request
	messages  []*Message                  // in it
	starts    []int                       // the positions in list at which they begin
	scratch   []Item                      // of the request that is being added
	byFirst   map[partKey][]*conversation // by the key of the first part that is not of a system message
	recent    []*conversation             // most recent first
	last      *conversation               // of the latest request
}

// conversation is the state of a conversation after its latest step, not counting side calls. It
// has all that the next step needs to know of the earlier ones.
type conversation struct {
	number   int
	list     []Item // of that step
	isShared bool   // the array of list is also that of the longer list of a side call
	settings []Setting
	request  *Request         // of the latest call or stated event; nil before the first one
	sent     []Item           // its list
	reply    []*Message       // to that call
	after    []*Message       // recorded after that
	fresh    map[partKey]bool // the parts of both; computed on demand
	answered bool             // the states of these are made
	origin   Origin           // of the latest call
	cycle    int64            // of the latest call
	calls    int              // not counting side calls
	first    int              // length of the first request; -1 if that contains an answer of the model
	firstKey partKey
	keys     map[partKey]bool // of the latest list; computed on demand
	pending  *pending
	left     departed
	held     map[partKey]Entry // nodes that since the latest call are in no step but side calls, by key
	// sideReplies has the answers to side calls since the latest call or stated event.
	sideReplies []string
}

// departed has the nodes that left a conversation and have not come back (C3).
type departed struct {
	byID  map[record]*Node
	byKey map[partKey][]*Node // the latest one last; those without an id in the source
}

// part remembers the nodes that left.
func (c *conversation) part(step *Step) {
	for _, d := range step.Left {
		if c.left.byID == nil {
			c.left = departed{map[record]*Node{}, map[partKey][]*Node{}}
		}
		if d.Part.ID != "" {
			c.left.byID[d.Part.record()] = d.Node
		} else {
			k := d.Part.key()
			c.left.byKey[k] = append(c.left.byKey[k], d.Node)
		}
	}
}

// back returns the node of a part that left earlier and is sent again, or nil.
func (c *conversation) back(p *Part) *Node {
	if p.ID != "" {
		n := c.left.byID[p.record()]
		delete(c.left.byID, p.record())
		return n
	}
	list := c.left.byKey[p.key()]
	if len(list) == 0 {
		return nil
	}
	n := list[len(list)-1]
	c.left.byKey[p.key()] = list[:len(list)-1]
	return n
}

// pending is a call that may turn out to be a side call.
type pending struct {
	step *Step
	list []Item
	lost bool   // it lacks something of the answer to the call before it
	was  []Item // the end of the list of the conversation, which list has overwritten
}

// sent is a request as a list of items: those that it shares with the previous request of the
// stream, and the rest, without nodes.
type sent struct {
	*Request
	shared []Item
	rest   []Item
	base   int // messages in shared
}

// sent returns the items of a request. The cost depends on the messages that it does not share with
// the previous request.
func (s *stream) sent(r *Request) *sent {
	base, list := r.Base, r.Messages
	for base < len(s.messages) && len(list) > 0 && s.messages[base] == list[0] {
		base, list = base+1, list[1:]
	}
	end := len(s.list)
	if base < len(s.starts) {
		end = s.starts[base]
	}
	s.scratch = flatten(s.scratch[:0], list, r.Format)
	return &sent{r, s.list[:end], s.scratch, base}
}

// keep makes a list of items that of the latest request.
func (s *stream) keep(v *sent, list []Item) {
	s.format = v.Format
	s.list, s.starts, s.messages = list, s.starts[:v.base], s.messages[:v.base]
	for n, i := range v.rest {
		if i.Index() == 0 {
			s.starts, s.messages = append(s.starts, len(v.shared)+n), append(s.messages, i.Message())
		}
	}
}

func (v *sent) length() int { return len(v.shared) + len(v.rest) }

// at returns the item at position n.
func (v *sent) at(n int) Item {
	if n < len(v.shared) {
		return v.shared[n]
	}
	return v.rest[n-len(v.shared)]
}

// from returns the items from position n on.
func (v *sent) from(n int) []Item {
	if n >= len(v.shared) {
		return v.rest[n-len(v.shared):]
	}
	return slices.Concat(v.shared[n:], v.rest)
}

// common returns the length of the prefix that a request shares with a list, and of that the length
// of the prefix that is written in the same way. Lists with the same underlying array have the same
// items, so a request that only appends costs nothing.
func (v *sent) common(list []Item) (equal, identical int) {
	n := 0
	if shared := min(len(v.shared), len(list)); shared > 0 && &v.shared[0] == &list[0] {
		n = shared
	}
	total := min(v.length(), len(list))
	for n < total && isIdentical(list[n], v.at(n)) {
		n++
	}
	for identical = n; n < total && isSame(list[n].Part, v.at(n).Part); n++ {
	}
	return n, identical
}

// maxRecent limits how many conversations are examined for a request: of those with the same
// beginning, or, if there are none, of the most recent ones.
const maxRecent = 8

// conversationOf returns the conversation of a request: the one that shares the longest prefix with
// it, otherwise one that it continues in another way, otherwise a new one.
func (t *Tracker) conversationOf(s *stream, r *sent) *conversation {
	if s.separated && len(s.recent) > 0 {
		return s.recent[0]
	}
	if r.Event != nil && s.last != nil {
		return s.last
	}
	key := r.firstKey()
	var best *conversation
	longest := 0
	for _, c := range slices.Backward(s.byFirst[key]) {
		if c.isOther(r) {
			continue
		}
		n, _ := r.common(c.latest())
		if best == nil || n > longest || n == longest && n == len(c.latest()) && n < len(best.latest()) {
			best, longest = c, n
		}
	}
	total := r.length()
	switch {
	case best == nil && len(r.Why) > 0 && len(s.recent) > 0:
		best = s.recent[0]
	case best != nil && best.first == total && longest == total && len(best.latest()) > total:
		best = nil // a second run begins as the first one did
	case best == nil:
		for _, c := range s.recent {
			if !c.isOther(r) && c.continuesIn(s, r) {
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
	key := firstKey(c.latest())
	if key == c.firstKey || key == (partKey{}) {
		return
	}
	c.firstKey = key
	list := append(s.byFirst[key], c)
	s.byFirst[key] = list[max(0, len(list)-maxRecent):]
}

// firstKey returns the key of the first item that is not of a system message, or the zero key.
func (v *sent) firstKey() partKey {
	if key := firstKey(v.shared); key != (partKey{}) {
		return key
	}
	return firstKey(v.rest)
}

func firstKey(list []Item) partKey {
	for _, i := range list {
		if i.Part.Role != System {
			return i.Part.key()
		}
	}
	return partKey{}
}

// latest returns the list of the latest call, which may be pending.
func (c *conversation) latest() []Item {
	if c.pending != nil {
		return c.pending.list
	}
	return c.list
}

// isOther reports whether a request begins another conversation, though both may begin with the
// same texts: it has no answer of the model, and other tools or another user, as the requests of an
// agent and those of the next session of a program do. Before the first answer it also needs
// another prompt, because a client may change the tools and try again.
func (c *conversation) isOther(r *sent) bool {
	isAnswer := func(i Item) bool { return i.Part.Role == Assistant || i.Part.Role == Tool }
	if slices.ContainsFunc(r.shared, isAnswer) || slices.ContainsFunc(r.rest, isAnswer) {
		return false
	}
	if list := c.latest(); len(c.reply) == 0 && !slices.ContainsFunc(list, isAnswer) {
		for _, prompt := range slices.Backward(list) {
			if prompt.Part.Role == User {
				isPrompt := func(i Item) bool { return isSame(i.Part, prompt.Part) }
				if slices.ContainsFunc(r.shared, isPrompt) || slices.ContainsFunc(r.rest, isPrompt) {
					return false
				}
				break
			}
		}
	}
	return slices.ContainsFunc(compareSettings(c.settings, r.Settings), func(x SettingChange) bool {
		return x.Kind == Tools && x.After != "" || x.Name == "metadata" && x.Before != "" && x.After != ""
	})
}

// continuesIn reports whether a request with another beginning continues a conversation: it has
// half of the conversation's messages, or half of its own messages are from the conversation, or it
// has a summary of the conversation. A few common messages are not evidence, because the
// conversations of one program share greetings and results.
func (c *conversation) continuesIn(s *stream, r *sent) bool {
	if c.keys == nil {
		c.keys = map[partKey]bool{}
		for _, i := range c.latest() {
			if i.Part.Role != System {
				c.keys[i.Part.key()] = true
			}
		}
	}
	latest := c == s.recent[0]
	mayBeSummary := latest && !slices.ContainsFunc(compareSettings(c.settings, r.Settings), func(x SettingChange) bool { return x.Kind == Tools })
	if p := c.pending; p != nil && mayBeSummary && c.losesTools(p.step.Request) {
		return true // a call of a summarizer precedes a summary
	}
	mayBeSummary = mayBeSummary && len(c.keys) > 3
	list := slices.DeleteFunc(slices.Clone(r.from(0)), func(i Item) bool { return i.Part.Role == System })
	missing := max(1, (min(len(list), len(c.keys))+1)/2)
	for _, i := range list {
		p := i.Part
		if c.keys[p.key()] {
			missing--
		}
		if missing == 0 || c.answers(p) || latest && p.Summary || mayBeSummary && p.Role == User && readsAsSummary(p.text()) {
			return true
		}
		if w := c.pending; w != nil && containsReply(i, w.step.Reply) || slices.ContainsFunc(c.sideReplies, func(text string) bool { return containsText(p, text) }) {
			return true
		}
		mayBeSummary = false // only the first part may be a summary
	}
	return false
}

// answers reports whether a part is the result of a tool call in the answer to the latest call.
func (c *conversation) answers(p *Part) bool {
	return p.Answer != "" && slices.ContainsFunc(c.reply, func(reply *Message) bool { return slices.Contains(reply.Calls, p.Answer) })
}

// containsReply reports whether an item quotes an answer of the model, in a longer text or with
// another role.
func containsReply(i Item, reply []*Message) bool {
	return len(reply) > 0 && i.Message().Value != reply[0].Value && containsText(i.Part, spokenText(reply, i.Part.format))
}

// spokenText returns the text of an answer, without what the model thought.
func spokenText(reply []*Message, format string) string {
	var b strings.Builder
	for _, m := range reply {
		for _, p := range m.split(format) {
			if p.form.Kind == "text" {
				b.WriteString(p.text())
				b.WriteByte('\n')
			}
		}
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// significant is the length, in bytes, from which a text that occurs in another one is taken for a
// quotation.
const significant = 12

// containsText reports whether a part contains a text, or, as clients cut their summaries out of an
// answer, most of its lines.
func containsText(p *Part, text string) bool {
	if len(text) < significant {
		return false
	}
	whole := p.text()
	if strings.Contains(whole, text) {
		return true
	}
	in, of := 0, 0
	for line := range strings.SplitSeq(text, "\n") {
		line = strings.TrimSpace(tags.Replace(line))
		if len(line) < significant {
			continue
		}
		if of += len(line); strings.Contains(whole, line) {
			in += len(line)
		}
	}
	return of > 0 && in > of/2
}

// tags are what models are told to put around summaries.
var tags = strings.NewReplacer("<summary>", "", "</summary>", "")

// mayBeSide reports whether a request may be a side call: it has the whole context of its
// conversation and ends with a new prompt.
func (c *conversation) mayBeSide(v *sent) bool {
	total := v.length()
	if c.calls == 0 || v.Side != "" || total <= len(c.list) {
		return false
	}
	if same, _ := v.common(c.list); same < len(c.list) {
		return false
	}
	last := v.at(total - 1).Part
	return last.Role == User && !last.Summary
}

// losesTools reports whether a request offers no tools although its conversation does.
func (c *conversation) losesTools(r *Request) bool {
	return hasTools(c.settings) && !hasTools(r.Settings)
}

// isSide decides whether the pending call is a side call, and of which kind, now that the next
// request is known.
func (c *conversation) isSide(r *sent) (bool, string) {
	p := c.pending
	if p == nil {
		return false, ""
	}
	same, _ := r.common(p.list)
	if same == len(p.list) {
		return false, ""
	}
	kind, repeats, prompt := "", false, p.list[len(p.list)-1].Part
	rest := r.from(min(p.step.Same, same))
	if slices.ContainsFunc(rest, func(i Item) bool { return i.Part == prompt }) {
		return false, ""
	}
	for _, i := range rest {
		if isSame(prompt, i.Part) {
			return false, ""
		}
		repeats = repeats || i.Part.Role != Assistant && containsReply(i, p.step.Reply)
		if i.Part.Summary || repeats {
			kind = "summary"
		}
	}
	return repeats || c.losesTools(p.step.Request), kind
}

// accept makes a step the latest one of its conversation.
func (c *conversation) accept(step *Step, list []Item) {
	c.part(step)
	step.Thoughts = c.thoughts(step, list)
	c.list, c.isShared, c.keys, c.pending = list, false, nil, nil
	if step.Event != nil && step.Event.Kind == "answer" {
		return
	}
	c.request, c.settings, c.sent, c.reply, c.after, c.fresh, c.answered = step.Request, step.Settings, list, step.Reply, step.After, nil, false
	c.sideReplies = nil
	if step.Event != nil {
		return
	}
	c.held = nil
	if c.calls == 0 {
		c.first = step.Length
		if slices.ContainsFunc(list, func(i Item) bool { return i.Part.Role == Assistant }) {
			c.first = -1
		}
	}
	c.origin, c.cycle = step.Origin, step.Cycle
	c.calls++
}

// hold records a node that is in no step but a side call.
func (c *conversation) hold(e Entry) {
	if c.held == nil {
		c.held = map[partKey]Entry{}
	}
	c.held[e.Part.key()] = e
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
	c.sideReplies = append(c.sideReplies, spokenText(step.Reply, step.Format))
	c.pending, c.keys, c.isShared = nil, nil, true
}
