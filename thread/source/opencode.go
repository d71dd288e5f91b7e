package source

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// opencodeParts has the types of the parts of messages of opencode.
var opencodeParts = map[string]fate{
	"text": bySender, "reasoning": fromModel, "tool": fromModel, "file": fromClient, "compaction": stated, "subtask": fromClient,
	"step-start": bookkeeping, "step-finish": ofCall, "snapshot": bookkeeping, "patch": bookkeeping, "agent": bookkeeping, "retry": bookkeeping,
}

// Texts that opencode sends instead of parts.
const (
	opencodeQuestion = "What did we do so far?"
	opencodeSubtask  = "The following tool was executed by the user"
	opencodeCleared  = "[Old tool result content cleared]"
	opencodeCut      = "[Tool execution was interrupted]"
)

// opencodeGreeting begins a line that opencode prints to standard error before an export.
// Redirecting both streams puts it into the file.
const opencodeGreeting = "Exporting session: "

// These tables have the members of a message and of the state of a call that are kept although they
// are not sent.
var (
	opencodeAbout       = map[string]string{"agent": "agent", "mode": "mode", "finish": "finish", "cost": "cost"}
	opencodeResultAbout = map[string]string{"status": "status", "title": "title", "metadata": "metadata"}
)

// isOpencode recognizes the export of a session.
func isOpencode(first []value) bool {
	got := first[0].pick("info", "messages")
	if !got[0].is('{') || !got[1].is('[') {
		return false
	}
	for _, m := range got[1].elements() {
		return hasAll(m, "info parts")
	}
	return strings.HasPrefix(got[0].get("id").text(), "ses_")
}

func eachOpencodePart(doc value, each func(value)) {
	eachOf(doc.get("messages"), func(m value) { eachOf(m.get("parts"), each) })
}

// opencodeSession is the state of reading a session of opencode.
type opencodeSession struct {
	transcript
	history []*opencodeMessage // what the next call is sent
	starts  []int              // where each of them begins in messages
	same    int                // how many of the first ones are as in messages
	asked   *opencodeMessage   // the request for a compaction, until it is answered
	model   string             // of the latest call, after its provider
	pruned  []*opencodeMessage // messages with results that are cleared later
	failed  bool               // the latest call failed, and no state followed it
}

// opencodeMessage is a message and the messages that are sent for it.
type opencodeMessage struct {
	opencodeRow
	id, model string
	number    int               // in the history
	own       []*series.Message // sent to the model that wrote it
	other     []*series.Message // sent to others: reasoning is text
	isRequest bool              // for a compaction
	tail      string            // the first message that the compaction keeps; may be empty
	prunedAt  []time.Time       // when its results are cleared
	starts    []series.Start    // the sessions of agents that its calls started
}

// opencodeRow is a message as it is stored.
type opencodeRow struct {
	info  value
	parts []value
	at    string
}

// readOpencode reads the export of a session.
func readOpencode(ctx context.Context, rd *reader, v value, x *runs) error {
	got := v.pick("info", "messages")
	if !got[0].is('{') || !got[1].is('[') {
		return rd.fail(v, engine.ErrFileShape, "the session has no info or no messages")
	}
	var list []opencodeRow
	for i, m := range got[1].elements() {
		row := opencodeRow{info: m.get("info"), at: "$.messages[" + strconv.Itoa(i) + "]"}
		for _, p := range m.get("parts").elements() {
			row.parts = append(row.parts, p)
		}
		list = append(list, row)
	}
	return readOpencodeSession(ctx, rd, got[0], list, x)
}

func readOpencodeSession(ctx context.Context, rd *reader, info value, list []opencodeRow, x *runs) error {
	s := &opencodeSession{transcript: transcript{
		reader: rd, conversation: x.name("session " + cmp.Or(info.get("id").text(), "1")), format: thread.OpenAI.String(), list: "messages",
		missing: []string{systemPrompt, toolList},
	}}
	for _, row := range list {
		if provider := row.info.get("providerID").text(); provider != "" {
			if strings.HasPrefix(provider, "anthropic") {
				s.format = thread.Anthropic.String()
			}
			break
		}
	}
	for _, row := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.message(&opencodeMessage{opencodeRow: row, id: strings.Clone(row.info.get("id").text())}); err != nil {
			return err
		}
	}
	s.append(s.asked)
	if revert := info.get("revert"); revert.is('{') {
		if err := s.revert(revert); err != nil {
			return err
		}
	}
	if s.failed {
		if err := s.event("answer", "", series.Deleted, value{}); err != nil {
			return err
		}
	}
	return s.finish()
}

// append adds a message that is sent.
func (s *opencodeSession) append(m *opencodeMessage) {
	if s.asked = nil; m == nil || len(m.own) == 0 {
		return
	}
	s.push(m)
	for _, x := range m.own {
		s.add(x)
	}
}

// push adds a message to the history. Its messages are added after that.
func (s *opencodeSession) push(m *opencodeMessage) {
	m.number = len(s.history)
	if s.same == m.number {
		s.same++
		s.starts = append(s.starts[:m.number], len(s.messages))
	}
	s.history = append(s.history, m)
}

// message reads a message. That of the assistant is a call.
func (s *opencodeSession) message(m *opencodeMessage) error {
	got := m.info.pick("role", "providerID", "modelID", "summary", "error", "finish", "tokens", "time")
	switch got[0].text() {
	case "user":
		s.append(s.asked)
		if s.user(m); m.isRequest {
			s.asked = m
		} else {
			s.append(m)
		}
		return nil
	case "assistant":
	default:
		s.malformed(m.info, "a message has the unknown role %q; it is kept unchanged", got[0].text())
		return nil
	}
	isSummary := got[3].is('t') && s.asked != nil
	if !isSummary {
		s.append(s.asked)
	}
	m.model = strings.Clone(got[1].text() + "/" + got[2].text())
	created := got[7].get("created").instant()
	s.assistant(m, created)
	isAborted := got[4].get("name").text() == "MessageAbortedError"
	failed := cmp.Or(failureOf(got[4].get("data")), failureOf(got[4].get("name")))
	if failed == "" && got[5].missing() && got[7].get("completed").missing() && len(m.own) == 0 {
		return nil // the answer had not come
	}
	if err := s.prune(created); err != nil {
		return err
	}
	s.sendTo(m)
	r := &series.Request{Time: created, Model: strings.Clone(got[2].text()), Origin: series.Origin{Line: m.info.line(), Path: m.at}}
	if got[6].is('{') && got[6].canonical() != noTokens {
		r.Usage = got[6].canonical()
	}
	if r.Failed = failed; isAborted && slices.ContainsFunc(m.parts, isSentAfterAbort) {
		r.Failed = ""
	}
	if isSummary {
		return s.compaction(r, m, got[5].is('"') && failed == "")
	}
	if err := s.call(r); err != nil {
		return err
	}
	if s.failed = r.Failed != ""; s.failed && len(m.own) > 0 { // its answer and results are not sent
		r.Reply, r.After, s.why = m.own[:1], m.own[1:], []series.Reason{{Cause: series.Deleted, Line: m.info.line(), Path: m.at}}
	}
	if s.failed || len(m.own) == 0 {
		return nil
	}
	for _, start := range m.starts {
		s.start(r, start)
	}
	s.push(m)
	s.answer(m.own[0])
	for _, x := range m.own[1:] {
		s.add(x)
	}
	if len(m.prunedAt) > 0 {
		s.pruned = append(s.pruned, m)
	}
	if isAborted {
		return s.event("interrupt", "", "", m.info)
	}
	return nil
}

// isSentAfterAbort reports whether an answer with the part is sent again after it was cut off.
func isSentAfterAbort(p value) bool {
	kind := p.get("type").text()
	return kind != "step-start" && kind != "reasoning"
}

// noTokens are the tokens of a call that was not answered.
const noTokens = `{"cache":{"read":0,"write":0},"input":0,"output":0,"reasoning":0}`

// sendTo arranges the messages that are sent to the model of m. Reasoning of other models is sent
// as text.
func (s *opencodeSession) sendTo(m *opencodeMessage) {
	if s.model == m.model {
		return
	}
	before := s.kept
	s.model, s.same = m.model, 0
	if s.arrange(); s.kept < before {
		s.why = append(s.why, series.Reason{Cause: series.Edited, Line: m.info.line(), Path: m.at})
	}
}

// arrange rebuilds the messages from the first message of the history on that changed, and counts
// how many of the first ones the latest call was sent.
func (s *opencodeSession) arrange() {
	from := min(s.same, len(s.history), len(s.starts))
	at := len(s.messages)
	if from < len(s.starts) {
		at = s.starts[from]
	}
	old := slices.Clone(s.messages[at:])
	s.messages, s.starts, s.same = s.messages[:at], s.starts[:from], len(s.history)
	for _, m := range s.history[from:] {
		s.starts = append(s.starts, len(s.messages))
		if m.model == "" || m.model == s.model {
			s.messages = append(s.messages, m.own...)
		} else {
			s.messages = append(s.messages, m.other...)
		}
	}
	n := min(s.kept, len(s.messages))
	for s.kept = min(n, at); s.kept < n && s.messages[s.kept] == old[s.kept-at]; {
		s.kept++
	}
}

// event begins the state after an event.
func (s *opencodeSession) event(kind, trigger string, cause series.Cause, v value) error {
	r := &series.Request{Event: &series.Event{Kind: kind, Trigger: trigger}, Origin: series.Origin{Line: v.line()}}
	if cause != "" {
		r.Why = []series.Reason{{Cause: cause, Line: v.line(), Path: v.path()}}
	}
	s.arrange()
	s.why, s.failed = nil, false
	return s.state(r, s.messages)
}

// compaction reads the call that makes a summary, which is sent the messages as one text, and then
// puts the summary in their place.
func (s *opencodeSession) compaction(r *series.Request, m *opencodeMessage, isDone bool) error {
	asked, part := s.asked, value{}
	s.asked = nil
	r.Side = "compaction"
	if err := s.call(r); err != nil {
		return err
	}
	r.Missing = []string{systemPrompt, noPrompt}
	r.Reply = m.own
	if !isDone {
		s.append(asked)
		s.failed = true
		return nil
	}
	kept := s.history[len(s.history):]
	for i, x := range s.history {
		if x.id == asked.tail {
			kept = slices.Clone(s.history[i:])
			break
		}
	}
	for _, p := range asked.parts {
		if p.get("type").text() == "compaction" {
			part = p
		}
	}
	for _, x := range slices.Concat(m.own, m.other) {
		x.Summary = true
	}
	trigger := "manual"
	if part.get("auto").is('t') {
		trigger = "auto"
	}
	s.history, s.same = append([]*opencodeMessage{asked, m}, kept...), 0
	for n, x := range s.history {
		x.number = n
	}
	return s.event("compaction", trigger, series.Compacted, part)
}

// prune clears results that were cleared before a call.
func (s *opencodeSession) prune(now time.Time) error {
	due := value{}
	for _, m := range s.pruned {
		if n := len(m.prunedAt); n > 0 && !m.prunedAt[0].After(now) {
			own, other := m.own, m.other
			s.assistant(m, now)
			keepSame(m.own, own)
			keepSame(m.other, other)
			due, s.same = m.info, min(s.same, m.number)
		}
	}
	if due.raw == "" {
		return nil
	}
	s.pruned = slices.DeleteFunc(s.pruned, func(m *opencodeMessage) bool { return len(m.prunedAt) == 0 })
	return s.event("compaction", "prune", series.Cleared, due)
}

// keepSame replaces new messages by old ones with the same value.
func keepSame(list, old []*series.Message) {
	for i := range list {
		if i < len(old) && list[i].Value == old[i].Value {
			list[i] = old[i]
		}
	}
}

// revert drops the messages that were undone, which the program removes with the next prompt.
func (s *opencodeSession) revert(v value) error {
	id := v.get("messageID").text()
	for i, m := range s.history {
		if m.id == id && v.get("partID").missing() {
			s.history, s.same = s.history[:i:i], min(s.same, i)
			return s.event("rewind", "undo", series.Rewound, v)
		}
	}
	s.note(thread.Kept, engine.ErrNotFound, v, "the message %q that was undone is not among those that are sent, or was undone in part; it stays", id)
	return nil
}
