package source

import (
	"math"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// event passes on the state after something that a record states: what the next call would have
// been sent then.
func (s *session) event(x step) error {
	r, c, until := x.record, x.of, x.until
	e := &series.Event{}
	why := series.Cause("")
	leaf := r
	switch r.mark {
	case isBoundary:
		if p := s.byUUID[r.logical].original(); p != nil && p.conversation == c && !c.follows(p) {
			if err := s.state(c, r, p, x.next, &series.Event{Kind: "rewind"}, series.Rewound); err != nil {
				return err
			}
		}
		e.Kind, e.Trigger, e.Before, e.After, why = "compaction", r.boundary.trigger, r.boundary.before, r.boundary.after, series.Compacted
		leaf = settled(r, until)
	case isMicro:
		e.Kind, why = "compaction", series.Cleared
		if r.boundary != nil {
			e.Trigger, e.Before, e.After = r.boundary.trigger, r.boundary.before, r.boundary.after
		}
	case isClearEcho:
		e.Kind, why = "clear", series.SessionCleared
		leaf = settled(r, until)
	case isInterrupt:
		if !c.follows(r) {
			at := r // the first record of the branch
			for at.up != nil && at.up.pos > c.own.records[0].pos {
				at = at.up
			}
			if err := s.state(c, at, at.up, x.next, &series.Event{Kind: "rewind"}, series.Rewound); err != nil {
				return err
			}
		}
		e.Kind = "interrupt"
		if until == math.MaxInt {
			leaf = settled(r, until)
		}
	}
	return s.state(c, r, leaf, x.next, e, why)
}

// follows reports whether the latest answer is in the chain of a record, or the chain begins after
// it.
func (c *conversation) follows(r *record) bool {
	a, v := c.own, &c.view
	for a != nil && r.answer != a {
		switch {
		case r.up == nil || r.mark == isBoundary:
			return r.pos > a.records[0].pos
		case v.has(r) && v.has(a.records[0]) && v.at[a.records[0]] < v.at[r]: // a path is a chain
			return true
		}
		r = r.up
	}
	return true
}

// settled returns the last record that follows an event, before anything that a person wrote if
// there are further steps.
func settled(r *record, until int) *record {
	leaf := r
	for x := r.next; x != nil && x.pos < until; x = x.next {
		if x.mark == isTypedInput && until < math.MaxInt || x.fate == fromModel || x.mark == isBoundary {
			break
		}
		leaf = x
	}
	return leaf
}

// state passes on the state of a conversation at a record, after an event and before the next call,
// which is at a position. A conversation without calls has none, except at the end of the source.
func (s *session) state(c *conversation, at, leaf *record, next int, e *series.Event, why series.Cause) error {
	if c.latest == nil && e.Kind != "answer" {
		return nil
	}
	req := &series.Request{
		Event: e, ConversationID: c.key, List: "messages", Format: thread.ClaudeCode.String(), Time: at.time,
		Origin: series.Origin{File: at.file.name, Line: at.line, Path: "$"},
	}
	if c.latest != nil {
		last := c.latest.request
		req.Settings, req.Format, req.Missing = last.Settings, last.Format, last.Missing
	}
	if why != "" {
		req.Why = []series.Reason{{Cause: why, Line: at.line, Path: "$"}}
	}
	until := at.pos + 1
	if leaf != nil { // else the conversation begins anew
		until = max(until, leaf.pos+1)
	}
	s.extend(c, leaf, until, "")
	base := min(c.view.low, c.length)
	if c.wasExact {
		base = 0
	}
	list, changed := c.view.list, math.MaxInt
	var last *series.Message
	if n := len(list) - 1; n >= 0 && s.isFollowed(leaf, next, &c.view) {
		if n > 0 && list[n].Role == series.System { // it stands after the text, with more in it
			n--
		}
		list, last = list[:n+1], withNewline(list[n])
		base, changed = min(base, n), n
	}
	req.Base = base
	for i, m := range list[base:] {
		if base+i == changed && last != nil {
			m = last
		}
		if t := s.recorded.twins[m]; t != nil {
			m = t
		}
		req.Messages = append(req.Messages, m)
	}
	c.wasExact, c.input = false, 0
	c.length, c.view.low, c.exact.low = len(list), changed, 0
	s.keepUntil(s.following)
	return s.send(req)
}

// isFollowed reports whether the next call is sent a text of a record directly after those of
// another one, which the path of a view ends with.
func (s *session) isFollowed(leaf *record, next int, v *view) bool {
	if leaf == nil || next >= len(s.records) {
		return false
	}
	a := &s.ascent
	if a.after == nil || a.next != next {
		*a = ascent{next: next, at: s.records[next], after: map[*record]*record{}}
	}
	for r := a.at; r != nil && a.after[leaf] == nil && (r == leaf || !v.has(r)); r = a.at {
		a.after[r], a.at = a.first, r.up
		if r.fate != fromModel && r.isUser() && (r.attachment != nil || len(r.parts) > 0) {
			a.first = r
		}
	}
	first := a.after[leaf]
	return first != nil && first.attachment == nil && kindOf(first.parts[0].Value) == textPart
}

// ascent is what was seen on the way up from the next call.
type ascent struct {
	next      int
	at, first *record             // how far it went, and the last record of the user before that
	after     map[*record]*record // the first record of the user after a record
}

// withNewline returns a message of the user as it is when another text follows its last one, or nil
// if it does not end with a text.
func withNewline(m *series.Message) *series.Message {
	n := len(m.Parts) - 1
	if n < 0 || m.Role == series.System || m.Role == series.Assistant || kindOf(m.Parts[n].Value) != textPart {
		return nil
	}
	out := *m
	out.Parts = slices.Clone(m.Parts)
	out.Parts[n] = withText(m.Parts[n], newline)
	var content []string
	for _, p := range out.Parts {
		content = append(content, p.Value)
	}
	out.Value = `{"content":[` + strings.Join(content, ",") + `],"role":"user"}`
	return &out
}

// trailing passes on the states of conversations that went back after their last call, and of those
// without calls.
func (s *session) trailing() error {
	last := map[*conversation]*record{}
	var order []*conversation
	for _, r := range s.records {
		c := r.conversation
		if r.same != nil || c == nil || c.of != nil || r.fate != fromClient || r.hidden || len(r.parts) == 0 && c.latest != nil {
			continue
		}
		if last[c] == nil {
			order = append(order, c)
		}
		last[c] = r
	}
	for _, c := range order {
		r := last[c]
		switch {
		case c.latest == nil:
			if err := s.state(c, r, r, math.MaxInt, &series.Event{Kind: "answer"}, ""); err != nil {
				return err
			}
		case !r.sent && r.pos > c.latest.records[0].pos:
			if err := s.state(c, r, r, math.MaxInt, &series.Event{Kind: "rewind"}, series.Rewound); err != nil {
				return err
			}
		}
	}
	if len(s.records) > 0 && !slices.ContainsFunc(order, func(c *conversation) bool { return c.latest != nil }) {
		s.noteAt(s.records[0], "", "the log has no model call yet")
	}
	return nil
}
