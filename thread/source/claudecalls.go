package source

import (
	"cmp"
	"context"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// step is a call or an event, with its place in the order of the source.
type step struct {
	pos, sub int
	of       *conversation
	answer   *answer // of a call
	record   *record // that states an event
	until    int     // the position of the next step of the conversation
	next     int     // and that of its next call
}

// end passes on the calls of all files, in order.
func (s *session) end(ctx context.Context) error {
	s.link()
	steps := s.steps()
	next := map[*conversation]*step{}
	for i := range slices.Backward(steps) {
		x := &steps[i]
		x.until, x.next = math.MaxInt, math.MaxInt
		if n := next[x.of]; n != nil {
			if x.until, x.next = n.pos, n.next; n.answer != nil {
				x.next = n.record.pos
			}
		}
		next[x.of] = x
	}
	s.findStarts()
	for i, x := range steps {
		if err := ctx.Err(); err != nil {
			return err
		}
		if s.following = math.MaxInt; i+1 < len(steps) {
			s.following = steps[i+1].record.pos
		}
		if x.answer != nil {
			if err := s.call(x); err != nil {
				return err
			}
		} else {
			if err := s.event(x); err != nil {
				return err
			}
		}
	}
	return s.finish(len(steps))
}

// steps returns the calls and events in order. A side call from a file of its own comes directly
// after what it was asked about.
func (s *session) steps() (steps []step) {
	seen := map[*answer]bool{}
	for _, r := range s.records {
		if r.same != nil {
			continue
		}
		x := step{pos: r.pos, of: r.conversation, record: r}
		switch {
		case r.fate == fromModel && r.model != "<synthetic>" && r.mark != isApiError && !seen[r.answer]:
			seen[r.answer] = true
			x.answer = r.answer
			if c := r.conversation; c.of != nil {
				x.of = c.of
				if c.fork.file != r.file {
					x.pos, x.sub = c.fork.pos, r.pos+1
				}
			}
			if r.restored != nil {
				x.pos, x.sub = r.restored.pos, -1
			}
		case r.mark == isApiError:
			said := textOf(r.parts)
			if n := strings.IndexAny(said, "{\n"); n >= 0 { // what follows differs each time
				said = said[:n]
			}
			s.noteAt(r, "", "a request failed, and is not a call: "+strings.TrimSpace(said))
			continue
		case r.mark == isBoundary, r.mark == isMicro, r.mark == isClearEcho && r.up != nil && !(r.up.isCaveat() && r.up.up == nil), r.mark == isInterrupt:
		default:
			continue
		}
		steps = append(steps, x)
	}
	slices.SortStableFunc(steps, func(a, b step) int { return cmp.Or(cmp.Compare(a.pos, b.pos), cmp.Compare(a.sub, b.sub)) })
	return steps
}

// call passes on a call.
func (s *session) call(x step) error {
	a := x.answer
	first := a.records[0]
	own := first.conversation // that of the chain
	c := x.of
	req := &series.Request{
		ConversationID: c.key, List: "messages", Format: thread.ClaudeCode.String(), Time: first.time, Model: first.model, AnswerID: first.api,
		Origin: series.Origin{File: first.file.name, Call: first.file.calls, Line: first.line, Path: "$"},
	}
	first.file.calls++
	if own != c {
		req.Side = own.kind
	}
	isEvent := false
	before, stop, was := c.latest, c.view.stop, c.view.path
	leaf := first.up
	keep, tail, newStop := c.view.chain(leaf, len(s.records))
	if before != nil && own == c {
		req.Why = c.why(before, was, keep, tail, stop, newStop)
		if len(req.Why) > 0 && req.Why[0].Cause == series.Rewound && slices.ContainsFunc(tail, func(r *record) bool { return r.up != nil && r.up.mark == isProgress }) {
			s.noteAt(first, "", "the session was resumed at a record of progress; what followed that was not sent")
		}
		if len(req.Why) > 0 {
			if req.Why[0].Cause == series.Rewound {
				at := rewoundAt(before, tail)
				if err := s.state(c, at, at.up, first.pos, &series.Event{Kind: "rewind"}, series.Rewound); err != nil {
					return err
				}
			}
			req.Why, isEvent = nil, true // the event has it
		}
	}
	s.extend(c, leaf, first.pos, first.model)
	list, base := c.view.list, min(c.view.low, c.length)
	var last []*series.Message // the rest of the list, which only this request has
	changed := math.MaxInt     // the next request has other messages from here on
	if !s.exact(c, a, req, &list, &base) {
		s.inferred(c, first, req)
		if c.wasExact {
			base = 0
		}
		if at, turn := s.lastTurn(c); turn != nil {
			list, last, base, changed = list[:at], turn, min(base, at), at
		}
	}
	c.wasExact = req.Recorded
	req.Base, req.Messages = base, slices.Concat(list[base:], last)
	c.length, c.view.low, c.exact.low = len(list)+len(last), changed, math.MaxInt
	s.answerOf(c, a, req, x.until)
	if own == c {
		s.checkInput(c, before, first, req, isEvent)
		c.own = a
	}
	c.latest, c.calls = a, c.calls+1
	a.request, a.number = req, s.group.calls
	for _, t := range a.starts {
		s.start(req, t)
	}
	s.keepUntil(s.following)
	return s.send(req)
}

// checkInput notes that the input of a call shrank without anything that the log says.
func (s *session) checkInput(c *conversation, before *answer, first *record, req *series.Request, isEvent bool) {
	in := 0
	for _, n := range inputOf(req.Usage) {
		in += n
	}
	if in > 0 && c.input-in > 1000 && 10*in < 9*c.input && first.model == before.records[0].model && len(req.Why) == 0 && !isEvent {
		s.noteAt(first, "", "the call has fewer input tokens than the one before it, and the log does not say what left")
	}
	c.input = in
}

// exact sets what the log records of the request of a call, and its messages. It returns false if
// the log has no request, or lacks some message.
func (s *session) exact(c *conversation, a *answer, req *series.Request, list *[]*series.Message, base *int) bool {
	ref := ""
	for _, r := range a.records {
		ref = cmp.Or(ref, r.ref)
	}
	if ref == "" || !s.resolve(c, ref) {
		return false
	}
	req.Recorded = true
	*list, *base = c.exact.list, min(c.exact.low, c.length)
	if !c.wasExact {
		*base = 0
	}
	settings := s.recorded.settings(ref)
	if req.Settings = settings.list; settings.hasShape {
		req.Format = thread.Anthropic.String()
	} else {
		req.Missing = []string{"system prompt", "tools"}
	}
	return true
}

// inferred sets what is known of a request that the log does not record.
func (s *session) inferred(c *conversation, first *record, req *series.Request) {
	if first.model != "" {
		req.Settings = []series.Setting{{Name: "model", Value: string(jsonText(first.model).raw)}}
	}
	req.Missing = []string{"system prompt", "tools"}
	if p := first.up.content(); p != nil && p.begins() {
		req.Missing = append(req.Missing, "what followed the answer before")
	}
	if !c.view.isRendered() {
		req.Missing = append(req.Missing, "what the client adds to the first message")
		for _, kind := range slices.Sorted(maps.Keys(c.view.lacks)) {
			if c.view.lacks[kind] > 0 {
				req.Missing = append(req.Missing, "text of the attachment "+kind)
			}
		}
	}
}

// answerOf sets the answer of a request, and what follows it before a position.
func (s *session) answerOf(c *conversation, a *answer, req *series.Request, until int) {
	for _, r := range a.records {
		if moreUsage(r.usage, req.Usage) {
			req.Usage = r.usage
		}
	}
	leaf := a.records[len(a.records)-1]
	for _, r := range a.followers {
		if r.pos < until {
			leaf = r
		}
	}
	s.extend(c, leaf, until, a.records[0].model)
	var units []unit
	for _, r := range a.records {
		for _, p := range r.parts {
			units = append(units, unit{Part: p, kind: kindOf(p.Value), of: r})
		}
	}
	if len(units) == 0 {
		return
	}
	for at, m := range slices.Backward(c.view.list) {
		if m.Role != series.Assistant || !slices.Contains(m.Parts, units[0].Part) {
			continue
		}
		if req.After = slices.Clone(c.view.list[at+1:]); m.Parts[0] == units[0].Part {
			req.Reply = []*series.Message{m}
			return
		}
		break // it continues another answer
	}
	req.Reply = []*series.Message{messageOf(series.Assistant, units)}
}

// why returns why records of the previous path are not in the next one.
func (c *conversation) why(before *answer, was []*record, keep int, tail []*record, stop, next *record) []series.Reason {
	if next != stop && next != nil && (stop == nil || next.pos > stop.pos) {
		cause := series.Compacted
		if next.mark == isClearEcho {
			cause = series.SessionCleared
		}
		return []series.Reason{{Cause: cause, Line: next.line, Path: "$"}}
	}
	var kept []*record // which are not on the chain, but sent
	if stop != nil && stop.boundary != nil {
		kept = stop.boundary.kept
	}
	if keep >= len(was) {
		return nil
	}
	isIts := func(r *record) bool { return r.answer == c.own }
	isLeft := slices.ContainsFunc(tail, (*record).isUser) && !slices.ContainsFunc(was[:keep], isIts) && !slices.ContainsFunc(tail, isIts)
	if !slices.ContainsFunc(was[keep:], func(r *record) bool {
		return r.conversation == c && (isLeft || r.answer != before && r.after != before) && (r.isUser() || r.begins()) && !slices.Contains(kept, r)
	}) {
		return nil
	}
	if len(tail) == 0 { // the same prompt again
		return nil
	}
	return []series.Reason{{Cause: series.Rewound, Line: tail[0].line, Path: "$.parentUuid"}}
}

// rewoundAt returns the first record of the branch that went back.
func rewoundAt(before *answer, tail []*record) *record {
	for _, r := range tail {
		if r.pos > before.records[0].pos {
			return r
		}
	}
	return tail[len(tail)-1]
}

// isRendered reports whether the log has the texts that the client added.
func (v *view) isRendered() bool {
	return slices.ContainsFunc(v.path[:min(len(v.path), 64)], func(r *record) bool { return r.attachment != nil && r.attachment.rendered })
}

// keepUntil passes on what is kept before the next step.
func (s *session) keepUntil(pos int) {
	for len(s.kept) > 0 && s.kept[0].pos < pos {
		s.group.kept = append(s.group.kept, s.kept[0].Kept)
		s.kept = s.kept[1:]
	}
}

// finish keeps what was never sent, such as the messages of abandoned branches.
func (s *session) finish(steps int) error {
	if err := s.trailing(); err != nil {
		return err
	}
	s.keepUntil(math.MaxInt)
	for _, r := range s.records {
		if r.fate == fromClient && !r.sent && !r.hidden && r.same == nil && r.mark == isTypedInput {
			var units []unit
			for _, p := range r.parts {
				units = append(units, unit{Part: p, kind: kindOf(p.Value), of: r})
			}
			if len(units) > 0 {
				s.keepNever(r, messageOf(series.User, units))
			}
		}
	}
	return nil
}

// keepNever keeps a message that was never sent, and reports it.
func (s *session) keepNever(r *record, m *series.Message) {
	s.group.kept = append(s.group.kept, series.Kept{Kind: "unsent", Value: m.Value, File: r.file.name, Line: r.line})
	if s.opts.Note != nil {
		s.opts.Note(thread.Note{Kind: thread.Kept, File: r.file.name, Line: r.line, Path: "$.message", Msg: "the message was never sent; it is kept outside the conversation"})
	}
}
