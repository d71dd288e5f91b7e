package source

import (
	"cmp"
	"slices"
	"sort"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// maxDepth limits how many ancestors of a span are examined.
const maxDepth = 1000

// ancestors calls each with the ancestors of a span, the nearest first, until it returns false.
func (x *export) ancestors(s *span, each func(*span) bool) {
	for range maxDepth {
		if s.parent == "" || s.parent == s.id {
			return
		}
		if s = x.byID[spanID{s.trace, s.parent}]; s == nil || !each(s) {
			return
		}
	}
}

// within returns the nearest agent that a span is in, or nil.
func (x *export) within(s *span) (agent *span) {
	x.ancestors(s, func(a *span) bool {
		if a.kind == agentSpan {
			agent = a
		}
		return agent == nil
	})
	return agent
}

// place finds the sample of each call, and which calls belong to an agent that another call
// started. The calls are in the order of their starts.
func (x *export) place(calls []*span) {
	named := map[string]string{} // the first conversation that a span of a trace names
	hasParents, hasAgents := map[string]bool{}, map[string]bool{}
	traces := map[string][]*span{}
	for _, s := range x.spans {
		if s.conversation != "" && named[s.trace] == "" {
			named[s.trace] = s.conversation
		}
		hasParents[s.trace] = hasParents[s.trace] || s.parent != ""
		hasAgents[s.trace] = hasAgents[s.trace] || s.kind == agentSpan
		traces[s.trace] = append(traces[s.trace], s)
	}
	scopes := map[*span]*span{} // the agent of each call
	for _, s := range calls {
		s.sample = s.conversation
		x.ancestors(s, func(a *span) bool {
			s.sample = a.conversation
			return s.sample == ""
		})
		if s.conversation != "" {
			s.sample = s.conversation
		}
		s.sample = cmp.Or(s.sample, named[s.trace], s.trace)
		scopes[s] = x.within(s)
	}
	for trace := range hasAgents {
		if hasAgents[trace] && !hasParents[trace] {
			x.adopt(traces[trace], scopes)
		}
	}
	inScope := map[scope][]*span{}
	for _, s := range calls {
		k := scope{s.trace, scopes[s]}
		inScope[k] = append(inScope[k], s)
	}
	started := map[*span]*span{} // the call that started each agent; nil if none did
	names := map[*span]string{}
	used := map[agentName]int{} // the latest number of each name
	for _, s := range calls {
		agent := scopes[s]
		if agent == nil {
			continue
		}
		by, known := started[agent]
		if !known {
			by = starter(agent, inScope[scope{agent.trace, x.within(agent)}])
			started[agent] = by
			if by != nil {
				base := agentName{s.sample, "agent " + agent.agent}
				k := base
				for used[k] > 0 {
					used[base]++
					k.name = base.name + " " + strconv.Itoa(used[base])
				}
				used[k], names[agent] = 1, k.name
			}
		}
		if by == nil {
			continue
		}
		r := s.call.Request
		if r.ConversationID = names[agent]; !known {
			x.link(by, agent, s)
		}
	}
}

// adopt gives an agent without calls, in a trace whose spans lost their parents, the first call
// after it if that begins something new.
func (x *export) adopt(trace []*span, scopes map[*span]*span) {
	var agent *span
	var before []*span
	for _, s := range trace {
		if s.kind == agentSpan {
			agent = s
		}
		if _, isCall := scopes[s]; !isCall {
			continue
		}
		if agent != nil && len(before) > 0 && !slices.ContainsFunc(before, func(b *span) bool { return x.shares(s, b) }) {
			scopes[s] = agent
		}
		before, agent = append(before, s), nil
	}
}

// scope is an agent of a trace, or what is around all agents.
type scope struct {
	trace string
	agent *span
}

// agentName is the name of an agent of a sample.
type agentName struct{ sample, name string }

// starter returns the call that started an agent: the latest one of the agent or program around it,
// whose calls are given in the order of their starts, that began before it.
func starter(agent *span, calls []*span) *span {
	n := sort.Search(len(calls), func(i int) bool { return calls[i].start.After(agent.start) })
	if n == 0 {
		return nil
	}
	return calls[n-1]
}

// link records that the answer to a call started an agent, whose first call is given. The tool call
// is that of the span around the agent, otherwise the only one of the answer.
func (x *export) link(by, agent, first *span) {
	id := ""
	tools := []*span{agent}
	x.ancestors(agent, func(a *span) bool {
		tools = append(tools, a)
		return a.kind != agentSpan && a.kind != callSpan
	})
	var calls []string
	for _, m := range by.call.Reply {
		calls = append(calls, m.Calls...)
	}
	for _, t := range tools {
		if id == "" && t.tool != "" {
			id = t.tool
		}
	}
	if id == "" && len(calls) == 1 {
		id = calls[0]
	}
	first.by, first.byCall = by, id
	by.call.Starts = append(by.call.Starts, series.Start{Call: id, ConversationID: first.call.ConversationID})
}

// shares reports whether two calls have a message in common, other than the system prompt.
func (x *export) shares(a, b *span) bool {
	has := map[string]bool{}
	for _, list := range [...][]*series.Message{b.call.Messages, b.call.Reply} {
		for _, m := range list {
			if m.Role != series.System {
				has[x.key(m, b.call.Format)] = true
			}
		}
	}
	return slices.ContainsFunc(a.call.Messages, func(m *series.Message) bool { return has[x.key(m, a.call.Format)] })
}

// thread is what join knows about the calls with one conversation of a sample.
type otelThread struct {
	calls      []*span
	byResponse map[string]*span
	byToolCall map[string]*span // the call whose answer made it
	last       *span
	overhead   int             // tokens of the first call beyond its messages
	compacted  map[string]bool // by the key of the compaction
	isCompact  bool            // the source says that the conversation was compacted
	edited     latest          // what the provider left out so far
}

// join completes the requests of a sample: a call that records only its new messages was also sent
// those of the call before it, and a compaction stands for what precedes it.
func (x *export) join(list []*span) {
	threads := map[string]*otelThread{}
	numbers := map[*span]int{} // of the calls so far
	for i, s := range list {
		c := s.call
		if n, ok := numbers[s.by]; ok {
			c.By = &series.StartedBy{ConversationID: s.by.call.ConversationID, Call: s.byCall, Number: n}
		}
		numbers[s] = i
		t := threads[c.ConversationID]
		if t == nil {
			t = &otelThread{byResponse: map[string]*span{}, byToolCall: map[string]*span{}, compacted: map[string]bool{}}
			threads[c.ConversationID] = t
		}
		if c.managed.raw != "" {
			cleared := false
			if c.Messages, cleared = x.edited(c.managed, c.Messages, c.edits, c.Reply != nil, &t.edited); cleared {
				c.Why = append(c.Why, series.Reason{Cause: series.Cleared, Line: c.Origin.Line, Path: c.Origin.Path})
			}
		}
		x.compact(t, s)
		s.delta = x.before(t, s)
		s.total = len(c.Messages)
		if p := s.delta; p != nil {
			x.noteOnce(thread.Kept, "", s.at, "a span has only the new messages of its call; those of the call before it are put before them")
			fresh := slices.Concat(p.call.Reply, slices.DeleteFunc(slices.Clone(c.Messages), func(m *series.Message) bool { return m.Role == series.System && x.repeats(m, p) }))
			s.first = p.root()
			if s.total = p.total + len(fresh); p == t.last {
				c.Base, c.Messages = p.total, fresh
			} else {
				c.Messages = append(x.whole(p), fresh...)
			}
			s.own = fresh
		} else {
			s.own = c.Messages
			continues := ""
			switch {
			case c.previous != "":
				continues = "the request continues a response that is not in the log; the provider prepended its messages"
			case firstSpoken(c.Messages) != nil && len(firstSpoken(c.Messages).Answers) > 0:
				continues = "the request begins with the result of a call; the provider prepended the messages of an earlier response"
			}
			if continues != "" {
				x.noteOnce(thread.Kept, "", s.at, continues)
				c.Missing = append(c.Missing, keptHistory)
			}
		}
		if t.last == nil && c.tokens[0] > 0 {
			t.overhead = c.tokens[0] - roughTokens(c.Messages)
		}
		t.last = s
		t.calls = append(t.calls, s)
		if c.response != "" {
			t.byResponse[c.response] = s
		}
		for _, m := range c.Reply {
			for _, id := range m.Calls {
				t.byToolCall[id] = s
			}
		}
	}
}

// repeats reports whether a message of a call is in the first of the calls that another one goes on
// from.
func (x *export) repeats(m *series.Message, p *span) bool {
	return slices.ContainsFunc(p.root().own, func(o *series.Message) bool { return o == m || x.key(o, p.call.Format) == x.key(m, p.call.Format) })
}

func (s *span) root() *span { return cmp.Or(s.first, s) }

// whole returns all messages of a call.
func (x *export) whole(s *span) []*series.Message {
	var lists [][]*series.Message
	for ; s != nil; s = s.delta {
		lists = append(lists, s.own)
	}
	slices.Reverse(lists)
	return slices.Concat(lists...)
}

// before returns the call whose messages and answer the provider put before those of a call, or
// nil. It is the one that the call names, or the one that made the first tool call it has the
// result of. Of calls that the source says are of one conversation it is the one after which the
// counts of tokens leave the least unexplained, less than if the call had no more messages.
func (x *export) before(t *otelThread, s *span) *span {
	c := s.call
	if c.previous != "" {
		return t.byResponse[c.previous]
	}
	first := firstSpoken(c.Messages)
	if first == nil {
		return nil
	}
	if len(first.Answers) > 0 {
		return t.byToolCall[first.Answers[0]]
	}
	if s.conversation == "" || c.compacted || first.Summary || c.tokens[0] == 0 {
		return nil
	}
	own := roughTokens(c.Messages)
	least := abs(c.tokens[0] - (t.overhead + own)) // if these were all
	var best *span
	for _, p := range t.calls[max(0, len(t.calls)-maxEarlier):] {
		sum := p.call.tokens[0] + p.call.tokens[1]
		if p.call.tokens[0] == 0 || c.tokens[0] < sum || s.conversation != p.conversation || c.Model != p.call.Model {
			continue
		}
		if x.shares(s, p) {
			return nil
		}
		if more := abs(c.tokens[0] - (sum + own)); more < least && x.samePrompt(s, p) {
			best, least = p, more
		}
	}
	return best
}

// maxEarlier limits how many earlier calls of a conversation are examined for one.
const maxEarlier = 8

func abs(n int) int { return max(n, -n) }

// samePrompt reports whether a call has the system prompt of another one.
func (x *export) samePrompt(s, p *span) bool {
	isPrompt := func(s series.Setting) bool { return s.Kind == series.Instructions }
	i, j := slices.IndexFunc(s.call.Settings, isPrompt), slices.IndexFunc(p.call.Settings, isPrompt)
	if i < 0 || j < 0 {
		return i == j
	}
	return s.call.Settings[i].Value == p.call.Settings[j].Value &&
		!slices.ContainsFunc(s.call.Messages, func(m *series.Message) bool { return m.Role == series.System && !x.repeats(m, p) })
}

// firstSpoken returns the first message that is not a system prompt.
func firstSpoken(list []*series.Message) *series.Message {
	for _, m := range list {
		if m.Role != series.System {
			return m
		}
	}
	return nil
}

// roughTokens estimates the tokens of messages.
func roughTokens(list []*series.Message) int {
	n := 0
	for _, m := range list {
		n += len(m.Value)
	}
	return n / 5 // a token is about four bytes of text
}

// compact drops from a call what the compaction in its messages stands for: the provider does not
// show that to the model. The source must say that there was a compaction: in this call or an
// earlier one, or by an answer with it; in the Messages API, a compaction since the first call says
// it. compact states the cause where that is new.
func (x *export) compact(t *otelThread, s *span) {
	c := s.call
	t.isCompact = t.isCompact || c.compacted || c.isAnthropic && t.last != nil || slices.ContainsFunc(c.Reply, isCompaction)
	isNew := c.compacted
	for at, m := range slices.Backward(c.Messages) {
		if !t.isCompact || !isCompaction(m) {
			continue
		}
		key := x.key(m, c.Format)
		isNew = isNew || !t.compacted[key]
		t.compacted[key] = true
		isOther := func(m *series.Message) bool { return m.Role != series.System }
		kept := slices.DeleteFunc(slices.Clone(c.Messages[:at]), isOther)
		if n := compactionIn(value{raw: m.Value}); n > 0 {
			m = x.spoken(withoutParts(value{raw: m.Value}, n), m.Path, m.Line)
		}
		c.Messages = slices.Concat(kept, []*series.Message{m}, c.Messages[at+1:])
		break
	}
	if isNew && t.last != nil {
		c.Why = append(c.Why, series.Reason{Cause: series.Compacted, Line: c.Origin.Line, Path: c.Origin.Path})
	}
}

// isCompaction reports whether a message has a part that stands for everything before it.
func isCompaction(m *series.Message) bool {
	return m.Role == series.Assistant && strings.Contains(m.Value, `"compaction"`) && compactionIn(value{raw: m.Value}) >= 0
}

// withoutParts returns a message without its first n parts.
func withoutParts(v value, n int) value {
	out := written{}
	for name, w := range v.members() {
		if name == "parts" || name == "content" {
			var parts []value
			for i, part := range w.elements() {
				if i >= n {
					parts = append(parts, part)
				}
			}
			w = listOfValues(parts)
		}
		out[name] = w
	}
	return out.value()
}
