package source

import (
	"cmp"
	"context"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// recordings are the kinds of files with the requests of sessions that have a log of their own.
var recordings = map[Kind]bool{Requests: true, Recording: true}

// Records reports whether files of a kind have the requests of sessions as they were sent, and may
// be read together with the logs of these.
func (k Kind) Records() bool { return recordings[k] }

// apart splits the files into logs and recordings, each grouped by kind. It relies on the kinds
// that [Group] set.
func (g *group) apart() (logs, recorded [][]File) {
	for _, kind := range Kinds() {
		of := slices.DeleteFunc(slices.Clone(g.files), func(f File) bool { return f.Kind != kind })
		switch {
		case len(of) == 0:
		case kind.Records():
			recorded = append(recorded, of)
		default:
			logs = append(logs, of)
		}
	}
	return logs, recorded
}

// readBoth reads logs of a session and recordings of it. A call that both have is passed on once:
// with the request of the recording, and what the log says about it. It keeps all calls in memory.
func (g *group) readBoth(ctx context.Context, logs, recorded [][]File) error {
	both, err := ReadBoth(ctx, logs, recorded, g.opts)
	if err != nil {
		return err
	}
	j := &joiner{group: g, Both: both, hasher: newHasher(), numbers: map[int]int{}, states: map[string]*joined{}, names: map[string]string{}}
	return j.join()
}

// Both has the calls of logs, and those of recordings of the same sessions.
type Both struct {
	Log, Recorded []Call
	Pairs         []int // the result of [Pair]: for each recorded call, its index in Log, or -1
}

// ReadBoth reads groups of files with logs, and groups with recordings of the sessions of the logs.
// It takes thinking that a recording lacks from the logs. Calls of several recordings whose answers
// have the same id count once. All calls stay in memory. Errors are those of [ReadFiles].
func ReadBoth(ctx context.Context, logs, recorded [][]File, o Options) (*Both, error) {
	var of [2]collector
	o.Kind = Auto
	thoughts := map[string]string{}
	for i, groups := range [...][][]File{logs, recorded} {
		for _, files := range groups {
			of[i].latest = nil // another file may give its conversations the same names
			one := &group{opts: o, files: files, each: of[i].add, prompted: map[string]bool{}, thoughts: thoughts}
			err := one.read(ctx)
			if err == nil {
				err = one.release()
			}
			if err != nil {
				return nil, err
			}
		}
		addThoughts(thoughts, of[i].calls)
	}
	known := map[string]bool{} // answers
	once := slices.DeleteFunc(of[1].calls, func(c Call) bool {
		isKnown := known[c.AnswerID]
		known[c.AnswerID] = c.AnswerID != ""
		return isKnown
	})
	return &Both{of[0].calls, once, Pair(of[0].calls, once)}, nil
}

// addThoughts collects the thinking in Claude's answers, by signature. The bodies that Claude Code
// writes lack it.
func addThoughts(out map[string]string, list []Call) {
	for _, c := range list {
		for _, m := range c.Reply {
			if !strings.Contains(m.Value, `"signature"`) {
				continue
			}
			for _, part := range (value{raw: m.Value}).get("content").elements() {
				got := part.pick("type", "thinking", "signature")
				if signature := got[2].text(); got[0].text() == "thinking" && signature != "" && got[1].text() != redacted {
					out[strings.Clone(signature)] = strings.Clone(got[1].text())
				}
			}
		}
	}
}

// joiner merges the calls of a log and of a recording into one sequence.
type joiner struct {
	*group
	*Both
	hasher
	numbers map[int]int        // the new numbers of calls of the log
	states  map[string]*joined // by conversation
	names   map[string]string  // conversations of the recording, by their names there, as the log names them
}

// joined is the state of a conversation.
type joined struct {
	recorded []*series.Message // messages of the latest recorded request
	dressed  []*series.Message // the same messages, with what the log says about them
	known    []*series.Message // messages of the latest call in the log, and what follows it
	passed   []*series.Message // messages of the latest request that was passed on
	latest   *series.Request   // the latest request that both have
}

// join passes on the calls. Those of the log stay in order.
func (j *joiner) join() error {
	ofLog := make([]int, len(j.Log)) // the call of the recording, or -1
	for i := range ofLog {
		ofLog[i] = -1
	}
	for i, at := range j.Pairs {
		if at < 0 {
			continue
		}
		ofLog[at] = i
		if id := j.Recorded[i].ConversationID; !j.isKnown(id) {
			j.names[id] = j.Log[at].ConversationID
		}
	}
	alone := map[int][]int{} // calls that only the recording has, by the call of the log before them
	for i, at := range j.Pairs {
		if at < 0 && (j.Recorded[i].Event == nil || !j.isKnown(j.Recorded[i].ConversationID)) {
			before := j.before(i, ofLog)
			alone[before] = append(alone[before], i)
		}
	}
	for at := -1; at < len(j.Log); at++ {
		if at >= 0 {
			if err := j.ofLog(at, ofLog[at]); err != nil {
				return err
			}
		}
		for _, i := range alone[at] {
			if err := j.onlyRecorded(i); err != nil {
				return err
			}
		}
	}
	return nil
}

// before returns the index of the call or event of the log that precedes a call that only the
// recording has. It is the previous call of the conversation that both have, or a later call or
// event of the log that has an earlier time than the given call.
func (j *joiner) before(i int, ofLog []int) int {
	conversation := j.conversationOf(i)
	isTimed := slices.ContainsFunc(j.Recorded, func(c Call) bool { return !c.Time.IsZero() })
	before, last := -1, -1
	for k, at := range j.Pairs {
		if at < 0 || isTimed && j.Recorded[k].Time.IsZero() { // a call without a time may be anywhere
			continue
		}
		isIts := j.Log[at].ConversationID == conversation
		switch {
		case k < i && isIts:
			before = at
		case k < i:
			last = at
		case isIts && before < 0:
			return at - 1
		}
	}
	if before < 0 {
		return last
	}
	for at := before + 1; at < len(j.Log); at++ {
		c := j.Log[at]
		if c.ConversationID != conversation {
			continue
		}
		if ofLog[at] >= 0 || c.Time.IsZero() || !c.Time.Before(j.Recorded[i].Time) {
			break
		}
		before = at
	}
	return before
}

// isKnown reports whether the log has a call of a conversation of the recording.
func (j *joiner) isKnown(id string) bool {
	_, ok := j.names[id]
	return ok
}

func (j *joiner) state(id string) *joined {
	if j.states[id] == nil {
		j.states[id] = &joined{}
	}
	return j.states[id]
}

// ofLog passes on a call or an event of the log; i is the same call in the recording, or -1.
func (j *joiner) ofLog(at, i int) error {
	c := j.Log[at]
	s := j.state(c.ConversationID)
	s.known = c.Sent
	r, sent := *c.Request, c.Sent
	if i >= 0 {
		sent = j.dress(s, j.Recorded[i])
		j.take(&r, j.Recorded[i].Request, s)
		s.latest = &r
	}
	if e := s.latest; r.Event != nil && e != nil && formOf(r.Format) == formOf(e.Format) { // the next call would have them, too
		r.Settings, r.Format, r.Missing = e.Settings, e.Format, e.Missing
	}
	s.known = slices.Concat(s.known, r.Reply, r.After)
	number := r.Number
	if by := r.By; by != nil {
		moved := *by
		moved.Number = j.numbers[by.Number]
		r.By = &moved
	}
	err := j.passOn(s, &r, sent)
	j.numbers[number] = r.Number
	return err
}

// onlyRecorded passes on a call that the log does not have.
func (j *joiner) onlyRecorded(i int) error {
	c := j.Recorded[i]
	r := *c.Request
	r.ConversationID = j.conversationOf(i)
	s := j.state(r.ConversationID)
	if s.known == nil { // an attempt of its first call
		if at := slices.IndexFunc(j.Log, func(c Call) bool { return c.ConversationID == r.ConversationID }); at >= 0 {
			s.known = j.Log[at].Sent
		}
	}
	return j.passOn(s, &r, j.dress(s, c))
}

// conversationOf returns the conversation in the log of a call that only the recording has. It is
// that of the other calls of its recorded conversation or, if the recording does not name one, of
// the call that shares the most leading messages. A side call belongs to the conversation before
// it.
func (j *joiner) conversationOf(i int) string {
	c := j.Recorded[i]
	if c.ConversationID != "" {
		if j.isKnown(c.ConversationID) {
			return j.names[c.ConversationID]
		}
		return c.ConversationID
	}
	best, most := "", 0
	for k, at := range j.Pairs {
		if at < 0 {
			continue
		}
		e := j.Recorded[k]
		n := 0
		for n < min(len(c.Sent), len(e.Sent)) && c.Sent[n] == e.Sent[n] {
			n++
		}
		if n > most || n == most && (n > 0 || c.Side != "") && k < i {
			best, most = j.Log[at].ConversationID, n
		}
	}
	return best
}

// passOn numbers a request, and passes it on without the messages that it shares with the previous
// one.
func (j *joiner) passOn(s *joined, r *series.Request, sent []*series.Message) error {
	r.Number = j.calls
	if r.Event == nil {
		j.calls++
	}
	r.Base = 0
	for r.Base < min(len(sent), len(s.passed)) && sent[r.Base] == s.passed[r.Base] {
		r.Base++
	}
	r.Messages, s.passed = sent[r.Base:], sent
	err := j.each(r)
	j.stopped = err != nil
	return err
}

// take replaces the request of a call of the log with the recorded one, which is as it was sent.
// What came before and after the call stays as the log has it.
func (j *joiner) take(r, e *series.Request, s *joined) {
	isAlike := formOf(r.Format) == formOf(e.Format)
	r.Settings, r.Format, r.List, r.Recorded, r.Missing = e.Settings, e.Format, e.List, true, e.Missing
	r.Usage, r.Model, r.AnswerID, r.FromCache = cmp.Or(e.Usage, r.Usage), cmp.Or(e.Model, r.Model), cmp.Or(e.AnswerID, r.AnswerID), e.FromCache
	r.Kept = slices.Concat(r.Kept, e.Kept)
	if r.Time.IsZero() {
		r.Time = e.Time
	}
	switch {
	case !isAlike:
		r.Reply, r.Choices, r.After = e.Reply, e.Choices, nil
	case len(e.Reply) > 0:
		known := r.Reply
		r.Reply = slices.Clone(e.Reply)
		for i := range r.Reply {
			r.Reply[i], _ = j.dressed(e.Format, r.Reply[i], known, len(known))
		}
	}
}

// formOf returns the format in which a format writes messages. Claude Code uses Anthropic's.
func formOf(format string) string {
	if format == thread.ClaudeCode.String() {
		return thread.Anthropic.String()
	}
	return format
}

// dress returns the messages of a call of the recording with what the log says about them, such as
// their ids. It reuses those of the latest recorded request of the conversation.
func (j *joiner) dress(s *joined, c Call) []*series.Message {
	n := 0
	for n < min(len(c.Sent), len(s.recorded)) && c.Sent[n] == s.recorded[n] {
		n++
	}
	out := append(s.dressed[:n:n], c.Sent[n:]...)
	end := len(s.known)
	for i := len(out) - 1; i >= n; i-- {
		out[i], end = j.dressed(c.Format, out[i], s.known, end)
	}
	s.recorded, s.dressed = c.Sent, out
	return out
}

// window is the number of messages of a log that are compared with a recorded one. The client may
// leave some out.
const window = 16

// dressed returns a message with what the log says about it, and where the search for the message
// before it ends. It searches list backward from end. If a message of the log is written in the
// same way, it returns that message.
func (j *joiner) dressed(format string, m *series.Message, list []*series.Message, end int) (*series.Message, int) {
	first := max(end-window, 0)
	for at := end - 1; at >= first; at-- {
		if list[at].Value == m.Value && list[at].Role == m.Role {
			return list[at], at
		}
	}
	if made, like := inParts(m, list[first:end]); like != nil {
		return made, first + slices.Index(list[first:end], like)
	}
	h := j.hash(format, m)
	for at := end - 1; at >= first && h != 0; at-- {
		if like := list[at]; j.hash(format, like) == h {
			made := *m
			made.ID, made.Line, made.About, made.Summary = like.ID, like.Line, like.About, like.Summary
			return &made, at
		}
	}
	return m, end
}

// inParts returns a message with the parts of the log that are written in the same way,
// and the message of the log that has the first of them, or nil.
func inParts(m *series.Message, list []*series.Message) (*series.Message, *series.Message) {
	made := *m
	made.Parts = nil
	var like *series.Message
	for p := range partsOf((value{raw: m.Value}).first("content", "parts")) {
		part := &series.Part{Value: p, Path: m.Path}
		for _, from := range slices.Backward(list) {
			if from.Role != m.Role && m.Role == series.Assistant {
				continue
			}
			if i := slices.IndexFunc(from.Parts, func(y *series.Part) bool { return y.Value == p }); i >= 0 {
				y := from.Parts[i]
				*part = *y
				if like == nil {
					like = from
				}
				break
			}
		}
		made.Parts = append(made.Parts, part)
	}
	if like != nil {
		made.ID, made.Line, made.About, made.Summary = like.ID, like.Line, like.About, like.Summary
		if m.Role == series.User || m.Role == series.Tool {
			made.Role = like.Role
		}
	}
	return &made, like
}
