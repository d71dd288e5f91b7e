package source

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// codexTypes are the types of the lines of a rollout.
var codexTypes = []string{"session_meta", "response_item", "compacted", "turn_context", "event_msg"}

// isCodex recognizes lines of a rollout. Rollouts from before September 2025 have a line about the
// session, followed by bare items.
func isCodex(first []value) bool {
	return isBareMeta(first[0]) || slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("type", "payload", "record_type")
		return got[1].is('{') && slices.Contains(codexTypes, got[0].text()) || got[2].text() == "state"
	})
}

// isBareMeta reports whether a line is the first line of an old rollout.
func isBareMeta(v value) bool {
	got := v.pick("id", "timestamp", "type", "instructions", "git", "originator")
	return got[0].is('"') && got[1].is('"') && got[2].raw == "" && listOf(v).raw == "" && (got[3].raw != "" || got[4].is('{') || got[5].is('"'))
}

// rollout is the state of reading a rollout of Codex CLI. A rollout has the items of the
// conversation, not requests: a request is the history before the items of an answer. The many
// fields are what the next line may depend on.
type rollout struct {
	*reader
	history      []*series.Message
	kept         int // number of messages of the previous request that are still at the beginning of history
	settings     map[string]series.Setting
	model        string
	session      string
	conversation string   // the session in which the conversation began
	resumed      *rollout // the previous file of the same session
	why          []series.Reason
	open         *series.Request // its answer is being read
	answered     bool            // the answer to open is complete
	items        []*series.Message
	again        []*series.Message // remaining items of the rollout that this one continues and may repeat
	waiting      []*series.Message // items of the history that no call was sent so far
	dropped      []*series.Message // items that left the history while they were waiting
	after        int               // number of waiting items that are in After of the latest call
	spawns       map[string]bool   // ids of calls that start agents
	all          *rollouts
}

// rollouts reads the rollouts of a conversation. A session that was resumed or forked has a file of
// its own, which may begin with the lines of the previous file. These count once.
type rollouts struct {
	list      []*rollout
	bySession map[string]*rollout
	unsent    map[*series.Message]string // by item that no call was sent so far, its file
}

func openRollouts(*group) parser {
	return &rollouts{bySession: map[string]*rollout{}, unsent: map[*series.Message]string{}}
}

// end keeps the items that were never sent, such as those of a turn that was undone before it was
// answered. Items after the last answer are part of its call, unless the history was replaced in
// between.
func (rs *rollouts) end(context.Context) error {
	for _, r := range rs.list {
		if len(r.why) > 0 {
			r.dropped = append(r.dropped, r.waiting[r.after:]...)
		}
		for _, m := range r.dropped {
			if file, ok := rs.unsent[m]; ok {
				delete(rs.unsent, m) // it is kept once, even if several files have it
				r.keepUnsent(file, m)
			}
		}
	}
	return nil
}

func (rs *rollouts) file(ctx context.Context, rd *reader) error {
	r := &rollout{reader: rd, settings: map[string]series.Setting{}, spawns: map[string]bool{}, all: rs}
	rs.list = append(rs.list, r)
	if err := rd.lines(ctx, func(d *document) error { return r.line(d.root()) }); err != nil {
		return err
	}
	return r.flush()
}

func (r *rollout) line(v value) error {
	got := v.pick("type", "payload", "timestamp", "record_type")
	payload := got[1]
	switch {
	case got[3].raw != "":
		return nil // Codex's own state
	case payload.raw == "" && isBareMeta(v):
		r.meta(v)
		return nil
	case payload.raw == "" && got[0].is('"') && !slices.Contains(codexTypes, got[0].text()):
		return r.item(v, got[2], "$")
	case !payload.is('{'):
		r.malformed(v, "the line has no payload; it is kept unchanged")
		return nil
	}
	switch got[0].text() {
	case "session_meta":
		r.meta(payload)
	case "turn_context":
		r.model = strings.Clone(payload.get("model").text())
		for _, name := range [...]string{"effort", "model"} {
			r.set(name, series.Parameter, payload.get(name))
		}
	case "response_item":
		return r.item(payload, got[2], "$.payload")
	case "compacted":
		r.compacted(v, payload)
	case "event_msg":
		r.event(v, payload)
	}
	return nil
}

// meta reads the line about the session. The file of a forked session also repeats that of the
// original session; the first one counts.
func (r *rollout) meta(payload value) {
	if r.session != "" {
		return
	}
	r.session = strings.Clone(payload.first("id", "session_id").text())
	r.conversation, r.kept = r.session, 0 // calls before this line have no session
	from := payload.get("forked_from_id").text()
	isAgent := payload.get("source", "subagent").raw != ""
	before := r.all.bySession[r.session]
	r.resumed = before // unless it repeats the previous items
	if before == nil {
		before = r.all.bySession[from]
	}
	if before != nil {
		r.again = before.items
		if !isAgent {
			r.conversation = before.conversation
		}
	} else if from != "" {
		r.note(thread.Kept, engine.ErrNotFound, payload, "the session continues %q, which is not among the files that are read", from)
	}
	r.all.bySession[r.session] = r
	instructions := payload.first("base_instructions", "instructions")
	if instructions.is('{') {
		instructions = instructions.get("text")
	}
	r.set("instructions", series.Instructions, instructions)
}

func (r *rollout) set(name string, kind series.SettingKind, v value) {
	if v.missing() {
		delete(r.settings, name)
		return
	}
	r.settings[name] = series.Setting{Name: name, Kind: kind, Value: v.canonical()}
}

// item reads an item of the conversation. An item from the model begins a call unless the item
// before it is also from the model.
func (r *rollout) item(payload, at value, path string) error {
	if payload.get("type").text() == "ghost_snapshot" {
		return nil // never sent
	}
	m := newMessage(payload, path)
	if len(r.again) > 0 && r.again[0].Value == m.Value {
		m, r.again, r.resumed = r.again[0], r.again[1:], nil
		r.history, r.items = append(r.history, m), append(r.items, m)
		r.wait(m)
		return nil
	}
	r.again = nil
	if before := r.resumed; before != nil { // it continues without repeating the previous items
		r.history, r.items, r.resumed = slices.Clone(before.history), before.items, nil
		r.waiting = slices.Clone(before.waiting)
	}
	r.items = append(r.items, m)
	r.agents(payload, m)
	r.all.unsent[m] = r.name
	r.wait(m)
	if m.Role != series.Assistant {
		r.history = append(r.history, m)
		r.answered = true
		if r.open != nil && len(r.why) == 0 {
			r.open.After = append(r.open.After, m)
			r.after++
		}
		return nil
	}
	if r.open == nil || r.answered {
		if err := r.flush(); err != nil {
			return err
		}
		r.open = &series.Request{
			ConversationID: "session " + r.conversation, Base: r.kept, Messages: slices.Clone(r.history[r.kept:]), List: "input",
			Format: thread.OpenAIResponses.String(), Why: r.why, Time: at.instant(), Model: r.model,
			Origin: series.Origin{File: r.name, Call: r.calls, Line: payload.line(), Path: path},
		}
		for _, name := range [...]string{"effort", "instructions", "model"} {
			if s, ok := r.settings[name]; ok {
				r.open.Settings = append(r.open.Settings, s)
			}
		}
		r.calls++
		r.kept, r.why, r.answered = len(r.history), nil, false
	}
	r.history = append(r.history, m)
	r.open.Reply = append(r.open.Reply, m)
	return nil
}

// wait adds an item to those that wait for a call. An item from the model shows that a call was
// sent all of them.
func (r *rollout) wait(m *series.Message) {
	r.waiting = append(r.waiting, m)
	if m.Role == series.Assistant {
		for _, m := range r.waiting {
			delete(r.all.unsent, m)
		}
		r.waiting, r.after = r.waiting[:0], 0
	}
}

// agents finds the agents that tool calls started. The result of such a call has the id of the
// agent.
func (r *rollout) agents(item value, m *series.Message) {
	got := item.pick("type", "name", "call_id", "output")
	switch {
	case got[0].text() == "function_call" && got[1].text() == "spawn_agent":
		r.spawns[strings.Clone(got[2].text())] = true
	case r.spawns[got[2].text()] && m.Role == series.Tool && r.open != nil:
		result := got[3]
		if d, bad := parse(r.name, result.text(), 1); bad == nil {
			result = d.root()
		}
		if id := result.get("agent_id").text(); id != "" {
			r.start(r.open, series.Start{Call: strings.Clone(got[2].text()), ConversationID: "session " + strings.Clone(id)})
		}
	}
}

// flush sends the open call.
func (r *rollout) flush() error {
	if r.open == nil {
		return nil
	}
	req := r.open
	r.open = nil
	return r.send(req)
}

// replace replaces the history. Waiting items that are not in the new history are dropped.
func (r *rollout) replace(list []*series.Message, why series.Cause, v value) {
	stays := make(map[*series.Message]bool, len(r.waiting))
	for _, m := range r.waiting {
		stays[m] = false
	}
	for _, m := range list {
		if _, ok := stays[m]; ok {
			stays[m] = true
		}
	}
	drop := func(m *series.Message) bool { return !stays[m] }
	for _, m := range r.waiting {
		if drop(m) {
			r.dropped = append(r.dropped, m)
		}
	}
	r.waiting = slices.DeleteFunc(r.waiting, drop)
	if r.open != nil {
		r.open.After = slices.DeleteFunc(r.open.After, drop)
		r.after = len(r.open.After)
	}
	same := 0
	for same < min(r.kept, len(list)) && list[same] == r.history[same] {
		same++
	}
	r.history, r.kept, r.answered = list, same, true
	r.why = append(r.why, series.Reason{Cause: why, Line: v.line(), Path: "$.payload"})
}

// compacted reads the history after a compaction. Older rollouts have only the summary; there,
// Codex kept the messages of the user.
func (r *rollout) compacted(v, payload value) {
	got := payload.pick("message", "replacement_history")
	text := got[0].text()
	var list []*series.Message
	if !got[1].is('[') {
		r.note(thread.Kept, "", v, "the history after the compaction is not recorded; it is assumed to be the messages of the user and the summary")
		for _, m := range r.history {
			if m.Role == series.User {
				list = append(list, m)
			}
		}
		list = append(list, &series.Message{
			Value: `{"content":[{"text":` + string(canonjson.AppendString(nil, text)) + `,"type":"input_text"}],"role":"user","type":"message"}`,
			Role:  series.User, Summary: true, Line: v.line(), Path: "$.payload.message",
		})
		r.replace(list, series.Compacted, v)
		return
	}
	old := make(map[string]*series.Message, len(r.history))
	for _, m := range r.history {
		old[m.Value] = m
	}
	summary := false
	for i, item := range got[1].elements() {
		m := newMessage(item, "$.payload.replacement_history["+strconv.Itoa(i)+"]")
		if known := old[m.Value]; known != nil {
			m = known
		} else {
			kind := item.get("type").text()
			m.Summary = strings.HasPrefix(kind, "compaction") || text != "" && strings.Contains(item.raw, textInside(got[0]))
			summary = summary || m.Summary
		}
		list = append(list, m)
	}
	if !summary && len(list) > 0 && old[list[len(list)-1].Value] == nil {
		list[len(list)-1].Summary = true // Codex puts the summary last
	}
	r.replace(list, series.Compacted, v)
}

// textInside returns the JSON of a string without its quotes.
func textInside(v value) string { return v.raw[1 : len(v.raw)-1] }

// event reads an event: token counts, which end an answer, or turns that were undone.
func (r *rollout) event(v, payload value) {
	switch payload.get("type").text() {
	case "token_count":
		if usage := payload.get("info", "last_token_usage"); usage.is('{') && r.open != nil && r.open.Usage == "" {
			r.open.Usage = usage.canonical()
			r.answered = true
		}
	case "thread_rolled_back":
		turns, ok := payload.get("num_turns").integer()
		if !ok || turns <= 0 {
			r.malformed(v, "turns were undone, but the line does not say how many; it is kept unchanged")
			return
		}
		end := len(r.history)
		for i := end - 1; i >= 0 && turns > 0; i-- {
			if m := r.history[i]; m.Role == series.User && !isContext(m) {
				end = i
				turns--
			}
		}
		r.replace(slices.Clone(r.history[:end]), series.Rewound, v)
	}
}

// isContext reports whether a message with the role user was inserted by Codex itself.
func isContext(m *series.Message) bool {
	for _, begin := range [...]string{`"text":"<environment_context>`, `"text":"<user_instructions>`, `"text":"# AGENTS.md`} {
		if strings.Contains(m.Value, begin) {
			return true
		}
	}
	return false
}
