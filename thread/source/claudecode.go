package source

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isClaudeCode recognizes records of Claude Code.
func isClaudeCode(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("type", "uuid", "leafUuid", "sessionId")
		return got[0].is('"') && (got[1].is('"') || got[2].is('"') || got[3].is('"'))
	})
}

// record is a record of a session file. Records are chained by their parents, and a request is a
// chain.
type record struct {
	parent        *record
	conversation  *conversation
	idScope       *idScope
	message       *series.Message // nil if it is not sent
	api           string          // for the assistant: the id of its API message
	stop          series.Cause    // not empty if chains end here: Compacted at a boundary, SessionCleared at a /clear
	orphan        bool            // its parent is not in the file
	startsSegment bool            // follows a segment that a compaction kept
	number        int             // among the records of all files, in order
	call          int             // number of the call, for the first record of an answer
	follows       int             // number, from 1, of the call of the conversation whose answer it follows, or 0
	sent          bool            // some call was sent it
	line          int
	file          string
}

// conversation is the conversation of a session or of an agent.
type conversation struct {
	key    string
	path   []*record       // records that the latest call was sent, from the first one after a stop
	at     map[*record]int // indexes of records in path, some of which are outdated
	stop   *record         // the stop before path; nil if there is none
	calls  int
	latest *series.Request // the latest call
	answer string          // the API id of its answer
	last   *record
	// relinked says that records of path got new parents.
	relinked bool
	list     []*series.Message // of the latest call
	from     []int             // for each message in list, the index in path of its record or group
	stale    int               // index in path from which list may be outdated
}

// idScope has the records of files in which ids are unique. All files of sessions share one scope.
// Each file of an agent has its own, because it may repeat records of the session.
type idScope struct {
	agent   string // the agent of the file; empty for sessions
	records map[string]*record
	apis    map[string][]*record // by id of the API message
	callers map[string]*record   // by call
	results map[string][]*record // by call, the records with its result
	splices map[string]splice    // by the id of the record that a segment follows
}

func newIDScope(agent string) *idScope {
	return &idScope{agent, map[string]*record{}, map[string][]*record{}, map[string]*record{}, map[string][]*record{}, map[string]splice{}}
}

// session is the state of reading session files.
type session struct {
	*reader
	*idScope
	main          *idScope
	conversations map[string]*conversation
	agents        map[string]string // conversations of agents with files of their own, by prompt
	prompts       map[string]string // ids of the calls that started agents, by prompt
	linked        bool              // records have parents in the file; if not, they are chained in the order of the file
	number        int               // of records
	open          *series.Request
	openAPI       string
	opened        *record   // first record of the answer to open
	users         []*record // records of the user
}

func openSession(g *group) parser {
	s := &session{main: newIDScope(""), conversations: map[string]*conversation{}, prompts: map[string]string{}}
	return s
}

// end keeps the messages that were never sent, such as those of abandoned branches. Messages after
// the last answer of a conversation are part of its history.
func (s *session) end(context.Context) error {
	for _, r := range s.users {
		if r.sent || r.follows > 0 { // a call or a state has it
			continue
		}
		s.keepUnsent(r.file, r.message)
	}
	return nil
}

// file reads a session file. Each API message of the assistant is the answer to a call, and may be
// recorded in several records. The call was sent the chain of parents of the first one.
func (s *session) file(ctx context.Context, rd *reader) error {
	s.reader, s.idScope = rd, s.main
	if s.agents == nil {
		if err := s.findAgents(ctx); err != nil {
			return err
		}
	}
	first, err := rd.firstRecord(ctx)
	if err != nil {
		return err
	}
	if first.agent {
		s.idScope = newIDScope(first.name(rd.name))
	}
	if s.linked, err = rd.isLinked(ctx); err != nil {
		return err
	}
	if err := rd.lines(ctx, func(d *document) error { return s.record(d.root()) }); err != nil {
		return err
	}
	return s.flush()
}

// isLinked reports whether any record of the file has its parent in the file. Usually a few lines
// are enough to know.
func (rd *reader) isLinked(ctx context.Context) (bool, error) {
	ids := map[string]bool{}
	err := rd.quiet().lines(ctx, func(d *document) error {
		got := d.root().pick("uuid", "parentUuid")
		if ids[got[1].text()] {
			return errStop
		}
		if id := got[0].text(); id != "" {
			ids[strings.Clone(id)] = true
		}
		return nil
	})
	if err == errStop {
		return true, nil
	}
	return false, err
}

// record reads one line.
func (s *session) record(v value) error {
	if !v.is('{') {
		s.malformed(v, "the line is not a record; it is kept unchanged")
		return nil
	}
	got := v.pick("type", "uuid", "parentUuid", "message", "isSidechain", "timestamp", "isCompactSummary", "subtype", "logicalParentUuid", "agentId", "sessionId", "compactMetadata", "toolUseResult")
	uuid := strings.Clone(got[1].text())
	if uuid == "" && got[3].raw == "" {
		return nil // not part of the conversation, such as the title of the session
	}
	if old := s.records[uuid]; old != nil && (old.message != nil || old.stop != "") {
		s.noteOnce(thread.Kept, engine.ErrNodeIDDuplicate, v, "the record occurs twice; it counts once")
		return nil
	}
	r := &record{line: v.line(), file: s.name, number: s.number, idScope: s.idScope}
	s.number++
	s.link(r, v, got[2], got[8])
	r.conversation = s.conversationOf(r, uuid, got[4].is('t'), got[9].text(), got[10].text())
	if uuid != "" {
		s.records[uuid] = r
		s.splice(r, uuid)
	}
	if !s.linked && r.parent == nil && !r.orphan {
		r.parent = r.conversation.last
	}
	r.conversation.last = r
	if p := r.parent; p != nil && (p.follows == r.conversation.calls || p.api != "" && p.api == r.conversation.answer) {
		r.follows = r.conversation.calls
	}
	kind := got[0].text()
	switch {
	case kind == "system" && got[7].text() == "compact_boundary":
		r.stop, r.follows = series.Compacted, 0
		s.preserve(r, uuid, got[11])
		return nil
	case kind == "system" && got[7].text() == "microcompact_boundary":
		s.noteOnce(thread.Kept, "", v, "results were cleared from the context here; the file does not say what replaced them, so they count as sent")
		return nil
	case kind != "user" && kind != "assistant":
		return nil
	}
	if err := s.addMessage(r, v, kind, uuid, got[3], got[5].instant(), got[6].is('t')); err != nil {
		return err
	}
	s.agentResult(r, got[12])
	return nil
}

// find returns the record with an id, from the scope of the file or that of the sessions.
func (s *session) find(id string) *record {
	if r := s.records[id]; r != nil {
		return r
	}
	return s.main.records[id]
}

// link finds the parent of a record.
func (s *session) link(r *record, v, parent, logical value) {
	id := parent.text()
	if id == "" {
		if p := s.find(logical.text()); p != nil {
			r.conversation = p.conversation // a boundary ends the chain
		}
		return
	}
	if p, ok := s.splices[id]; ok {
		r.parent, r.startsSegment = p.tail, true
		return
	}
	if r.parent = s.find(id); r.parent == nil {
		r.orphan = true
		s.noteOnce(thread.Kept, engine.ErrNotFound, v, "the parent of the record is not in the file; its chain begins here")
	}
}

// conversationOf returns the conversation of a record: that of its parent, otherwise that of its
// session or agent.
func (s *session) conversationOf(r *record, uuid string, side bool, agent, session string) *conversation {
	key := "session " + session
	if side {
		key = "agent " + cmp.Or(agent, s.agent, uuid)
	}
	if p := r.parent; p != nil && (!side || strings.HasPrefix(p.conversation.key, "agent ")) {
		return p.conversation
	}
	if r.conversation != nil {
		return r.conversation
	}
	if s.conversations[key] == nil {
		s.conversations[key] = &conversation{key: strings.Clone(key), at: map[*record]int{}}
	}
	return s.conversations[key]
}

// addMessage reads a record of the user or the assistant.
func (s *session) addMessage(r *record, v value, kind, uuid string, message value, at time.Time, summary bool) error {
	got := message.pick("role", "content", "id", "model", "usage")
	if !got[1].is('"') && !got[1].is('[') {
		s.malformed(v, "the record has no message; it is kept unchanged")
		return nil
	}
	if kind == "user" && isClear(got[1]) {
		r.stop, r.follows = series.SessionCleared, 0
		return nil
	}
	m := newMessage(message, "$.message")
	m.ID, m.Summary = uuid, summary
	kept := map[string]value{}
	keep(kept, v, claudeRecord)
	keep(kept, message, claudeMessage)
	setAbout(m, kept)
	m.Value = `{"content":` + got[1].canonical() + `,"role":"` + kind + `"}`
	if m.Role != series.Tool {
		m.Role = roles[kind]
	}
	if summary && !r.startsSegment && (r.parent == nil || r.parent.stop != series.Compacted) {
		s.note(thread.Kept, "", v, "there is no compact boundary before the summary; the messages before it count as sent")
	}
	for _, id := range m.Answers {
		if slices.ContainsFunc(s.results[id], func(x *record) bool { return x.conversation == r.conversation }) {
			s.note(thread.Kept, engine.ErrNodeIDDuplicate, v, "a second result for the call %q", id)
		}
		s.results[id] = append(s.results[id], r)
		if caller := s.callers[id]; caller != nil && caller.conversation == r.conversation && r.conversation.has(caller) {
			r.conversation.stale = min(r.conversation.stale, r.conversation.at[caller])
		}
	}
	if kind == "user" {
		r.message = m
		s.users = append(s.users, r)
		if r.follows > 0 {
			r.conversation.latest.After = append(r.conversation.latest.After, m)
		}
		s.agentPrompt(r)
		return nil
	}
	r.api = cmp.Or(strings.Clone(got[2].text()), uuid)
	if s.apis[r.api] == nil && got[3].text() != "<synthetic>" {
		if err := s.call(r, v, at, got[3]); err != nil {
			return err
		}
	}
	r.message = m
	s.apis[r.api] = append(s.apis[r.api], r)
	for _, id := range m.Calls {
		s.callers[id] = r
	}
	s.agentCalls(r, got[1])
	if s.open != nil && s.openAPI == r.api {
		s.open.Reply = append(s.open.Reply, m)
		if !got[4].missing() {
			s.open.Usage = got[4].canonical()
		}
	}
	return nil
}

// isClear reports whether a message is the command that restarts the conversation.
func isClear(content value) bool {
	const command = "<command-name>/clear</command-name>"
	if strings.HasPrefix(strings.TrimSpace(content.text()), command) {
		return true
	}
	for _, part := range content.elements() {
		return strings.HasPrefix(strings.TrimSpace(part.get("text").text()), command)
	}
	return false
}

// call begins a call, given the first record of its answer.
func (s *session) call(r *record, v value, at time.Time, model value) error {
	if err := s.flush(); err != nil {
		return err
	}
	c := r.conversation
	req := &series.Request{
		ConversationID: c.key, List: "messages", Format: thread.ClaudeCode.String(), Time: at, Model: strings.Clone(model.text()),
		Origin: series.Origin{File: s.name, Call: s.calls, Line: r.line, Path: "$"},
	}
	s.calls++
	if !model.missing() {
		req.Settings = []series.Setting{{Name: "model", Value: model.canonical()}}
	}
	c.follow(r, req)
	s.render(c, req)
	c.calls++
	c.latest, c.answer = req, r.api
	r.call = s.group.calls
	s.open, s.openAPI, s.opened = req, r.api, r
	return nil
}

// flush sends the open call. Its answer must be complete.
func (s *session) flush() error {
	if s.open == nil {
		return nil
	}
	r := s.open
	s.open = nil
	return s.send(r)
}

// has reports whether a record is in path.
func (c *conversation) has(r *record) bool {
	at, ok := c.at[r]
	return ok && !c.relinked && at < len(c.path) && c.path[at] == r
}

// follow sets path to the parents of the first record of an answer, and records in the request why
// records of the previous path are not in it.
func (c *conversation) follow(r *record, req *series.Request) {
	var tail []*record
	keep := 0
	stop := (*record)(nil)
	orphan := r.orphan
	for r = r.parent; r != nil && r.conversation == c; r = r.parent {
		if r.stop != "" {
			stop = r
			break
		}
		if c.has(r) {
			keep, stop = c.at[r]+1, c.stop
			break
		}
		tail = append(tail, r)
		orphan = orphan || r.orphan
	}
	slices.Reverse(tail)
	switch {
	case c.calls == 0, orphan:
	case stop != c.stop && stop != nil:
		req.Why = []series.Reason{{Cause: stop.stop, Line: stop.line, Path: "$"}}
	case keep < len(c.path) && slices.ContainsFunc(c.path[keep:], func(r *record) bool { return r.message != nil }):
		line := 0
		if len(tail) > 0 {
			line = tail[0].line
		}
		req.Why = []series.Reason{{Cause: series.Rewound, Line: line, Path: "$.parentUuid"}}
	}
	c.stop, c.relinked = stop, false
	c.stale = min(c.stale, keep)
	c.path = append(c.path[:keep], tail...)
	for i, r := range tail {
		c.at[r] = keep + i
	}
}

// render sets the messages of a request to those of path. API messages are completed with records
// that are not in path, and so are the results of their calls, which follow them. Everything before
// the first group that may have changed is reused.
func (s *session) render(c *conversation, req *series.Request) {
	start := s.startOf(c)
	keep, _ := slices.BinarySearch(c.from, start)
	list, from := c.list[:keep], c.from[:keep]
	done := map[*record]bool{}
	put := func(r *record, at int) {
		if r.message != nil && !done[r] {
			done[r], r.sent = true, true
			list, from = append(list, r.message), append(from, at)
		}
	}
	var waiting []*record // results that are not in path
	for at, r := range c.path[start:] {
		at += start
		if r.api != "" && done[r] {
			continue
		}
		isResult := r.message != nil && len(r.message.Answers) > 0
		for len(waiting) > 0 && (!isResult || waiting[0].number < r.number) {
			put(waiting[0], at-1)
			waiting = waiting[1:]
		}
		if r.api == "" {
			put(r, at)
			continue
		}
		for _, x := range r.idScope.apis[r.api] {
			put(x, at)
			for _, id := range x.message.Calls {
				for _, answer := range r.idScope.results[id] {
					if answer.conversation == c && !c.has(answer) {
						waiting = append(waiting, answer)
					}
				}
			}
		}
		slices.SortFunc(waiting, func(a, b *record) int { return cmp.Compare(a.number, b.number) })
	}
	for _, r := range waiting {
		put(r, len(c.path)-1)
	}
	req.Base, req.Messages = keep, slices.Clone(list[keep:])
	c.list, c.from, c.stale = list, from, len(c.path)
}

// startOf returns the index in path from which the messages may differ from those of the previous
// call. It is that of an answer of the assistant, because its results may be new.
func (s *session) startOf(c *conversation) int {
	start := c.stale
	for start > 0 && (start >= len(c.path) || c.path[start].api == "") {
		start--
	}
	if start < len(c.path) && c.path[start].api != "" {
		for _, r := range c.path[start].idScope.apis[c.path[start].api] {
			if c.has(r) {
				start = min(start, c.at[r])
			}
		}
	}
	return start
}
