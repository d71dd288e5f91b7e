package source

import (
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// use is what a record of a rollout is used for.
type use uint8

const (
	unknownUse  use = iota // it is kept and noted
	bookkeeping            // Codex's own, never sent
	inInput                // sent, and not written by the model
	inAnswer               // written by the model: the first one begins a call
	ofCall                 // says something about the latest call
	stated                 // an event between calls
)

// codexRecords has the types of the lines of a rollout.
var codexRecords = map[string]use{
	"session_meta": bookkeeping, "turn_context": bookkeeping, "world_state": bookkeeping,
	"inter_agent_communication_metadata": bookkeeping, "inter_agent_communication": bookkeeping,
	"response_item": inInput, "event_msg": bookkeeping, "token_usage_record": ofCall, "compacted": stated,
}

// codexItems has the types of the items in the lines response_item. What a message is depends on
// its role.
var codexItems = map[string]use{
	"message": inInput, "agent_message": inInput, "additional_tools": inInput,
	"function_call_output": inInput, "custom_tool_call_output": inInput, "tool_search_output": inInput,
	"local_shell_call_output": inInput, "mcp_tool_call_output": inInput, "computer_call_output": inInput,
	"reasoning": inAnswer, "function_call": inAnswer, "custom_tool_call": inAnswer, "web_search_call": inAnswer,
	"tool_search_call": inAnswer, "local_shell_call": inAnswer, "image_generation_call": inAnswer,
	"computer_call": inAnswer, "compaction": inAnswer, "compaction_summary": inAnswer, "context_compaction": inAnswer,
	"ghost_snapshot": bookkeeping, "compaction_trigger": bookkeeping,
}

// codexEvents has the types of the lines event_msg. Those that show something to a person repeat
// what items say.
var codexEvents = map[string]use{
	"token_count": ofCall, "thread_rolled_back": stated, "turn_aborted": stated,
	"agent_message": bookkeeping, "agent_message_delta": bookkeeping, "agent_reasoning": bookkeeping, "agent_reasoning_raw_content": bookkeeping,
	"agent_reasoning_section_break": bookkeeping, "background_event": bookkeeping, "collab_agent_interaction_end": bookkeeping,
	"collab_agent_spawn_end": bookkeeping, "collab_close_end": bookkeeping, "collab_resume_end": bookkeeping, "collab_waiting_end": bookkeeping,
	"context_compacted": bookkeeping, "dynamic_tool_call_request": bookkeeping, "dynamic_tool_call_response": bookkeeping,
	"entered_review_mode": bookkeeping, "error": bookkeeping, "exec_command_begin": bookkeeping, "exec_command_end": bookkeeping,
	"exited_review_mode": bookkeeping, "guardian_assessment": bookkeeping, "image_generation_end": bookkeeping, "item_completed": bookkeeping,
	"item_started": bookkeeping, "mcp_tool_call_begin": bookkeeping, "mcp_tool_call_end": bookkeeping, "patch_apply_begin": bookkeeping,
	"patch_apply_end": bookkeeping, "plan_update": bookkeeping, "session_configured": bookkeeping, "stream_error": bookkeeping,
	"sub_agent_activity": bookkeeping, "task_complete": bookkeeping, "task_started": bookkeeping, "thread_goal_updated": bookkeeping,
	"thread_name_updated": bookkeeping, "thread_settings_applied": bookkeeping, "turn_complete": bookkeeping, "turn_diff": bookkeeping,
	"turn_started": bookkeeping, "undo_completed": bookkeeping, "undo_started": bookkeeping, "user_message": bookkeeping,
	"view_image_tool_call": bookkeeping, "warning": bookkeeping, "web_search_begin": bookkeeping, "web_search_end": bookkeeping,
}

// What of a request a rollout does not have, in the words of [series.Request].
const (
	noTools        = "tools"
	noInstructions = "system prompt"
	someLines      = "lines of the system prompt that Codex leaves out"
	noPrompt       = "prompt of the compaction"
	noOrigin       = "history of the thread that this one continues"
)

// isCodex recognizes lines of a rollout. Rollouts from before September 2025 have a line about the
// session, followed by bare items.
func isCodex(first []value) bool {
	return isBareMeta(first[0]) || slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("type", "payload", "record_type")
		return got[1].is('{') && codexRecords[got[0].text()] != unknownUse || got[2].text() == "state"
	})
}

// isBareMeta reports whether a line is the first line of an old rollout.
func isBareMeta(v value) bool {
	got := v.pick("id", "timestamp", "type", "instructions", "git", "originator")
	return got[0].is('"') && got[1].is('"') && got[2].raw == "" && listOf(v).raw == "" && (got[3].raw != "" || got[4].is('{') || got[5].is('"'))
}

// rollouts reads the rollouts of a session: a thread, those that continue it, and its agents.
type rollouts struct {
	byFile    map[string]*rollout // by the id at the end of the name
	bySession map[string]*rollout // the latest one
	sentBy    map[string]*rollout // by conversation, the one with the latest request
}

func openRollouts(*group) parser {
	return &rollouts{byFile: map[string]*rollout{}, bySession: map[string]*rollout{}, sentBy: map[string]*rollout{}}
}

func (rs *rollouts) end(context.Context) error { return nil }

func (rs *rollouts) file(ctx context.Context, rd *reader) error {
	r := &rollout{reader: rd, all: rs, settings: map[string]series.Setting{}, spawns: map[string]bool{}}
	if id, _ := rolloutID(rd.name); id != "" {
		rs.byFile[id] = r
	}
	if err := rd.lines(ctx, func(d *document) error { return r.line(d.root()) }); err != nil {
		return err
	}
	if err := r.own(); err != nil {
		return err
	}
	if err := r.hold(); err != nil {
		return err
	}
	if r.open == nil && len(r.history.items) > r.inherited { // nothing was ever answered
		r.state("answer", value{})
	}
	return r.flush()
}

// rolloutID returns the id at the end of the name of a rollout, and whether the file was begun by
// going back in a thread: then the id is that of the file, and follows that of the thread.
func rolloutID(name string) (id string, rewound bool) {
	name, _, _ = strings.Cut(path.Base(strings.ReplaceAll(name, `\`, "/")), ".jsonl")
	rest, ok := strings.CutPrefix(name, "rollout-")
	const layout = "2006-01-02T15-04-05-"
	if !ok || len(rest) <= len(layout) {
		return "", false
	}
	thread, file, rewound := strings.Cut(rest[len(layout):], "_")
	if rewound {
		return file, true
	}
	return thread, false
}

// rollout is the state of reading a rollout of Codex CLI. A rollout has the items of the history,
// not requests: the request of an answer is the history at the time. The many fields are what the
// next line may depend on.
type rollout struct {
	*reader
	all          *rollouts
	history      codexHistory
	steps        []step // changes of the history, for the rollouts that continue this one
	inherited    int    // number of items that other rollouts began with
	settings     map[string]series.Setting
	model        string
	session      string
	conversation string // the thread in which the conversation began
	isAgent      bool
	missing      []string // of all requests
	spawns       map[string]bool
	ordinal      int // of the line

	last, lastInput int             // sequences of the latest item and of the latest one that no answer contains
	open            *series.Request // the latest call or event; what follows it is in its After
	reading         bool            // items of the model belong to open
	through         int             // the last sequence that the request of the answer contains; -1 if unknown
	due             *series.Request // the latest call, until there is a record of its usage
	typed           bool            // a person typed something after the latest answer
	held            string          // the usage of a call without items
	heldAt          value           // its record
	paid            string          // the id of the latest response with a usage record
	paidFor         *series.Request
	records         bool // the rollout has records of usage
	total           [4]int
	context         int64 // tokens of the latest call, as Codex counts them
	aborted         bool  // the last thing in the rollout is an interrupt
	// early is the latest item, if it is a message of the model that was sampled before the latest
	// input. Codex wrote it itself, unless a record of usage follows.
	early        *item
	earlyThrough int
	earlyAt      time.Time

	// A rollout may begin with a copy of another one.
	copied   bool     // the line is part of the copy
	copyTime string   // when it was made
	before   *rollout // the rollout that it may continue
	again    []*item  // its items that were not repeated so far
	rewind   bool     // items of before were left out
	forked   bool     // the rollout begins another thread
}

// step is a change of a history: an item is added, or the history is replaced by a list.
type step struct {
	ordinal int
	item    *item
	list    []*item
}

func (r *rollout) line(v value) error {
	got := v.pick("type", "payload", "timestamp", "record_type", "ordinal", "metadata")
	kind, payload := got[0].text(), got[1]
	if n, ok := got[4].integer(); ok {
		r.ordinal = n
	} else {
		r.ordinal = v.line()
	}
	switch {
	case got[3].raw != "":
		return nil // Codex's own state
	case payload.raw == "" && isBareMeta(v):
		r.meta(v, got[2])
		return nil
	case payload.raw == "" && got[0].is('"') && codexRecords[kind] == unknownUse:
		return r.item(v, value{}, got[2], "$")
	case !payload.is('{'):
		r.malformed(v, "the line has no payload; it is kept unchanged")
		return nil
	}
	if r.copyTime != "" {
		r.updateCopied(kind, payload, got[2])
	}
	switch kind {
	case "session_meta":
		r.meta(payload, got[2])
	case "turn_context":
		r.model = strings.Clone(payload.get("model").text())
		for _, name := range [...]string{"effort", "model"} {
			r.set(name, series.Parameter, payload.get(name))
		}
	case "response_item":
		return r.item(payload, got[5], got[2], "$.payload")
	case "compacted":
		return r.compacted(v, payload, got[2])
	case "event_msg":
		return r.event(v, payload, got[2])
	case "token_usage_record":
		return r.usageRecord(v, payload)
	default:
		if codexRecords[kind] == unknownUse {
			r.unknown(v, "line", kind)
		}
	}
	return nil
}

// unknown keeps a record of a kind that this reader does not know.
func (r *rollout) unknown(v value, what, kind string) {
	r.keepValue("unsent", v)
	r.noteOnce(thread.Kept, "", v, what+"s of the unknown type "+strconv.Quote(kind)+" are kept outside the conversation")
}

// meta reads the line about the session. Another one begins the copy of another rollout.
func (r *rollout) meta(payload, at value) {
	if r.session != "" {
		r.copied, r.copyTime = true, strings.Clone(at.text())
		return
	}
	got := payload.pick("id", "session_id", "forked_from_id", "source", "history_base", "history_mode", "base_instructions", "parent_thread_id")
	r.session = strings.Clone(got[0].text())
	if r.session == "" {
		r.session = strings.Clone(got[1].text())
	}
	r.conversation = r.session
	r.isAgent = got[3].get("subagent").raw != ""
	r.forked = got[2].text() != ""
	instructions := got[6]
	if instructions.is('{') {
		instructions = instructions.get("text")
	}
	r.set("instructions", series.Instructions, instructions)
	before := r.all.bySession[r.session]
	if before == nil {
		before = r.all.bySession[got[2].text()]
	}
	if before != nil && !r.isAgent {
		r.conversation = before.conversation
	}
	r.all.bySession[r.session] = r
	_, rewound := rolloutID(r.name)
	switch base := got[4]; {
	case base.is('{'):
		r.continues(payload, base, rewound)
	case rewound || got[5].text() == "paginated":
		if before != nil && !r.isAgent && rewound {
			r.state("rewind", payload)
		}
	case before != nil:
		r.before = before
		for _, s := range before.steps {
			if s.item != nil {
				r.again = append(r.again, s.item)
			}
		}
		r.copied = true
	case r.forked:
		r.note(thread.Kept, engine.ErrNotFound, payload, "the session continues %q, which is not among the files that are read", got[2].text())
		r.missing = append(r.missing, noOrigin)
	}
}

// continues begins the history with that of another file.
func (r *rollout) continues(payload, base value, rewound bool) {
	got := base.pick("thread_id", "end_ordinal_exclusive")
	id := got[0].text()
	end, _ := got[1].integer()
	from := r.all.byFile[id]
	if from == nil {
		if from = r.all.bySession[id]; from == r {
			from = nil
		}
	}
	if from == nil || from == r {
		r.note(thread.Kept, engine.ErrNotFound, payload, "the session continues %q, which is not among the files that are read", id)
		r.missing = append(r.missing, noOrigin)
		return
	}
	for _, s := range from.steps {
		if s.ordinal < end {
			r.apply(s)
		}
	}
	r.inherited, r.records = len(r.history.items), from.records
	if !r.isAgent {
		r.conversation = from.conversation
		e := r.state("rewind", payload)
		if !rewound {
			e.Event.Trigger = "fork"
		}
	}
}

// apply repeats a change of the history.
func (r *rollout) apply(s step) {
	r.steps = append(r.steps, s)
	if s.item == nil {
		r.history.replace(s.list)
		r.last = 0
		for _, i := range s.list {
			r.last = max(r.last, i.sequence)
		}
		r.lastInput = r.last
		return
	}
	r.history.add(s.item)
	r.last = max(r.last, s.item.sequence)
	if s.item.Role != series.Assistant {
		r.lastInput = max(r.lastInput, s.item.sequence)
	}
}

// updateCopied finds out whether a line is part of the copy of another rollout. The turns of that
// one began before this session did. Without ids of turns, all lines of the copy have the time at
// which it was made.
func (r *rollout) updateCopied(kind string, payload, at value) {
	switch turn := payload.get("turn_id").text(); {
	case len(turn) == 36 && len(r.session) == 36 && (kind == "turn_context" || kind == "event_msg"):
		r.copied = turn < r.session
		if !r.copied {
			r.copyTime = ""
		}
	case r.before == nil:
		r.copied = at.text() == r.copyTime
	}
}

func (r *rollout) set(name string, kind series.SettingKind, v value) {
	if v.missing() {
		delete(r.settings, name)
		return
	}
	r.settings[name] = series.Setting{Name: name, Kind: kind, Value: v.canonical()}
}

// own ends the copy of another rollout: what follows is new.
func (r *rollout) own() error {
	before := r.before
	if before == nil {
		return nil
	}
	left := len(r.again) > 0
	if len(r.history.items) == 0 && len(r.steps) == 0 { // it continues without repeating anything
		for _, s := range before.steps {
			r.apply(s)
		}
		left = false
	}
	r.before, r.again, r.copied, r.inherited = nil, nil, false, len(r.history.items)
	if !r.isAgent && (left || r.forked && r.session != before.session) {
		e := r.state("rewind", value{})
		if r.forked && r.session != before.session {
			e.Event.Trigger = "fork"
		}
	}
	return nil
}

// item reads an item of the history.
func (r *rollout) item(payload, metadata, at value, path string) error {
	i := newItem(payload, path)
	kind := codexItems[i.kind]
	if i.kind == "message" && i.Role == series.Assistant {
		kind = inAnswer
	}
	switch {
	case kind == bookkeeping:
		return nil
	case kind == unknownUse && i.isOutput():
		kind = inInput
	case kind == unknownUse && strings.HasSuffix(i.kind, "_call"):
		kind = inAnswer
	case kind == unknownUse && payload.get("type").text() == "":
		r.malformed(payload, "the item has no type; it is kept unchanged")
		return nil
	case kind == unknownUse:
		r.noteOnce(thread.Kept, "", payload, "items of the unknown type "+strconv.Quote(i.kind)+" are taken as sent, and not as written by the model")
		kind, i.Role = inInput, series.User
	}
	md := metadata.pick("history_sequence", "sampled_through_sequence", "compaction_output", "inherited_user_message")
	sequence, ok := md[0].integer()
	if !ok {
		sequence = r.last + 1
	}
	i.sequence = sequence
	through, sequenced := md[1].integer()
	if r.before != nil {
		if len(r.again) > 0 && r.again[0].Value == i.Value {
			i, r.again = r.again[0], r.again[1:]
			r.apply(step{r.ordinal, i, nil})
			return nil
		}
		if err := r.own(); err != nil {
			return err
		}
	}
	if r.copied || md[3].raw == "true" {
		r.apply(step{r.ordinal, i, nil})
		r.inherited = len(r.history.items)
		return nil
	}
	if md[2].raw == "true" { // the summary; compacted has it too
		if err := r.begin(all, at, i.Line, path); err != nil {
			return err
		}
		r.open.Side, r.open.Missing = "compaction", append(r.open.Missing, noPrompt)
		r.open.Reply = []*series.Message{i.Message}
		r.last, r.reading = max(r.last, sequence), false
		return nil
	}
	if err := r.hold(); err != nil {
		return err
	}
	r.agents(payload, i.Message)
	if kind == inAnswer {
		switch {
		case !sequenced:
			if !r.reading {
				if err := r.begin(all, at, i.Line, path); err != nil {
					return err
				}
				r.through = -1
			}
		case r.reading && r.through == through:
		case through >= r.lastInput || i.kind != "message":
			if err := r.begin(through, at, i.Line, path); err != nil {
				return err
			}
			r.through = through
		default:
			r.reading = false // written by Codex itself
		}
	}
	r.steps = append(r.steps, step{r.ordinal, i, nil})
	r.history.add(i)
	r.last = max(r.last, sequence)
	if kind == inAnswer && r.reading {
		r.early = nil
		r.open.Reply = append(r.open.Reply, i.Message)
		r.typed, r.aborted = false, false
		return nil
	}
	r.lastInput = max(r.lastInput, sequence)
	if !sequenced {
		r.reading = false
	}
	r.typed = r.typed || i.isTyped()
	isAborted := len(i.Parts) > 0 && strings.Contains(i.Parts[0].Value, `"<turn_aborted>`)
	r.early = nil
	if kind == inAnswer {
		r.early, r.earlyThrough, r.earlyAt = i, through, at.instant()
	}
	if r.open != nil && !(isAborted && r.aborted) {
		r.open.After = append(r.open.After, i.Message)
	}
	if isAborted && r.aborted && r.open != nil { // the event was before its item
		r.open.Messages = append(slices.Clone(r.open.Messages), i.Message)
	}
	r.aborted = isAborted && r.aborted
	return nil
}

// begin begins a call whose request has the history up to a sequence.
func (r *rollout) begin(upTo int, at value, line int, path string) error {
	var later []*series.Message // recorded while the model was asked
	for _, i := range slices.Backward(r.history.items) {
		if i.sequence <= upTo {
			break
		}
		if i != r.early {
			later = slices.Insert(later, 0, i.Message)
		}
	}
	if e := r.open; e != nil {
		e.After = slices.DeleteFunc(e.After, func(m *series.Message) bool {
			return r.early != nil && m == r.early.Message || slices.Contains(later, m)
		})
	}
	if err := r.flush(); err != nil {
		return err
	}
	r.open = r.request(upTo)
	r.open.After = later
	r.open.Time = at.instant()
	r.open.Origin.Line, r.open.Origin.Path = line, path
	r.calls++
	r.due, r.reading, r.typed, r.aborted = r.open, true, false, false
	if r.held != "" && !r.records {
		r.open.Usage, r.held = r.held, ""
	}
	return nil
}

// request returns the request with the history up to a sequence.
func (r *rollout) request(upTo int) *series.Request {
	conversation := "session " + r.conversation
	if r.all.sentBy[conversation] != r {
		r.history.sent, r.history.at, r.history.clean = nil, nil, 0
	}
	base, messages := r.history.request(upTo)
	if before := r.all.sentBy[conversation]; before != r && before != nil {
		for len(messages) > 0 && base < len(before.history.sent) && before.history.sent[base] == messages[0] {
			base, messages = base+1, messages[1:]
		}
	}
	r.all.sentBy[conversation] = r
	req := &series.Request{
		ConversationID: conversation, Base: base, Messages: messages, List: "input", Format: thread.OpenAIResponses.String(),
		Model: r.model, Origin: series.Origin{File: r.name, Call: r.calls}, Missing: slices.Clone(r.missing),
	}
	lite := len(r.history.items) > 0 && r.history.items[0].kind == "additional_tools"
	for _, name := range [...]string{"effort", "instructions", "model"} {
		if s, ok := r.settings[name]; ok && !(lite && name == "instructions") {
			req.Settings = append(req.Settings, s)
		}
	}
	if !lite {
		if _, ok := r.settings["instructions"]; ok {
			req.Missing = append(req.Missing, someLines, noTools)
		} else {
			req.Missing = append(req.Missing, noInstructions, noTools)
		}
	}
	return req
}

// codexCauses has the cause of what leaves at an event.
var codexCauses = map[string]series.Cause{"compaction": series.Compacted, "rewind": series.Rewound, "rollback": series.Rewound}

// state makes the request of an event the open one. It must be called after flush.
func (r *rollout) state(kind string, v value) *series.Request {
	e := r.request(all)
	e.Event = &series.Event{Kind: kind}
	e.Origin.Line = v.line()
	if cause := codexCauses[kind]; cause != "" {
		e.Why = []series.Reason{{Cause: cause, Line: v.line(), Path: "$.payload"}}
	}
	r.open, r.reading, r.due, r.typed = e, false, nil, false
	return e
}

// beforeEvent makes a state of what is in the history and was never sent, if no call or event
// precedes it, and sends the open request.
func (r *rollout) beforeEvent() error {
	if r.open == nil && len(r.history.items) > r.inherited {
		r.state("answer", value{})
	}
	return r.flush()
}

// flush sends the open call or event.
func (r *rollout) flush() error {
	if r.open == nil {
		return nil
	}
	req := r.open
	r.open, r.reading, r.due = nil, false, nil
	return r.send(req)
}

// hold sends the call whose usage is recorded, but which left no item.
func (r *rollout) hold() error {
	if r.held == "" || !r.records {
		return nil
	}
	usage, v := r.held, r.heldAt
	r.held, r.heldAt = "", value{}
	if err := r.begin(all, v.get("timestamp"), v.line(), "$.payload"); err != nil {
		return err
	}
	r.open.Usage, r.due, r.reading = usage, nil, false
	return nil
}

// agents finds the agents that tool calls started. The result of such a call has the id of the
// agent.
func (r *rollout) agents(item value, m *series.Message) {
	got := item.pick("type", "name", "call_id", "output")
	switch {
	case got[0].text() == "function_call" && got[1].text() == "spawn_agent":
		r.spawns[strings.Clone(got[2].text())] = true
	case m.Role == series.Tool && r.spawns[got[2].text()]:
		result := got[3]
		if d, bad := parse(r.name, result.text(), 1); bad == nil {
			result = d.root()
		}
		r.starts(got[2].text(), result.get("agent_id").text())
	}
}

// starts records that a call of the open request started an agent.
func (r *rollout) starts(call, agent string) {
	if agent != "" && r.open != nil && r.open.Event == nil {
		r.start(r.open, series.Start{Call: strings.Clone(call), ConversationID: "session " + strings.Clone(agent)})
	}
}

// compacted reads the history after a compaction. Older rollouts have only the summary; there,
// Codex kept what the user typed.
func (r *rollout) compacted(v, payload, at value) error {
	got := payload.pick("message", "replacement_history", "replacement_history_metadata", "compaction_response_id", "latest_token_usage_record")
	text := got[0].text()
	var list []*item
	old := make(map[string]*item, len(r.history.items))
	for _, i := range r.history.items {
		old[i.Value] = i
	}
	var sequences []value
	for _, m := range got[2].elements() {
		sequences = append(sequences, m)
	}
	summary := false
	for n, w := range got[1].elements() {
		i := newItem(w, "$.payload.replacement_history["+strconv.Itoa(n)+"]")
		if known := old[i.Value]; known != nil {
			i = known
		} else {
			i.sequence = r.last
			if n < len(sequences) {
				if s, ok := sequences[n].get("history_sequence").integer(); ok {
					i.sequence = s
				}
			}
			i.Summary = strings.HasPrefix(i.kind, "compaction") || strings.HasPrefix(i.kind, "context_compaction") ||
				text != "" && i.Role == series.User && strings.Contains(i.Value, textInside(got[0]))
			summary = summary || i.Summary
		}
		list = append(list, i)
	}
	switch {
	case !got[1].is('['):
		r.note(thread.Kept, "", v, "the history after the compaction is not recorded; it is assumed to be what the user typed and the summary")
		for _, n := range r.history.typed() {
			list = append(list, r.history.items[n])
		}
		content := `{"text":` + string(canonjson.AppendString(nil, text)) + `,"type":"input_text"}`
		m := &series.Message{
			Value: `{"content":[` + content + `],"role":"user","type":"message"}`, Role: series.User, Summary: true, Line: v.line(), Path: "$.payload.message",
		}
		m.Parts = []*series.Part{{Value: content, By: "model", Summary: true, Line: m.Line, Path: m.Path}}
		list = append(list, &item{Message: m, kind: "message", sequence: r.last + 1})
	case !summary && len(list) > 0 && list[len(list)-1].Role == series.User && text != "":
		list[len(list)-1].Summary = true // Codex puts the summary last
	}
	for _, i := range list {
		if i.Summary {
			for _, p := range i.Parts {
				p.By, p.Summary = "model", true
			}
		}
	}
	if r.copied {
		r.apply(step{r.ordinal, nil, list})
		r.inherited = len(list)
		return nil
	}
	if err := r.own(); err != nil {
		return err
	}
	if err := r.compactionCall(v, got[3].text(), got[4].get("usage"), list, at); err != nil {
		return err
	}
	if err := r.beforeEvent(); err != nil {
		return err
	}
	before := r.context
	r.apply(step{r.ordinal, nil, list})
	e := r.state("compaction", v)
	e.Event.Before, e.Time = before, at.instant()
	return nil
}

// compactionCall sends the call of a compaction, if the rollout has no item of it but its usage.
func (r *rollout) compactionCall(v value, response string, usage value, list []*item, at value) error {
	if r.open != nil && r.open.Side != "" {
		if r.open.Usage == "" && usage.is('{') {
			r.open.Usage = usage.canonical()
		}
		return nil
	}
	known := r.held
	r.held, r.heldAt = "", value{}
	if response != "" && r.paid == response && r.paidFor != nil {
		known, r.paidFor.Usage = r.paidFor.Usage, "" // the record was not about the call before it
	}
	if known == "" && response != "" {
		known = usage.canonical()
	}
	if known == "" && response == "" {
		return nil
	}
	if err := r.begin(all, at, v.line(), "$.payload"); err != nil {
		return err
	}
	r.open.Side, r.open.Usage, r.reading = "compaction", known, false
	if n := len(list); n > 0 && strings.Contains(list[n-1].kind, "compaction") { // by the provider
		r.open.Reply = []*series.Message{list[n-1].Message}
		r.open.Messages = append(r.open.Messages, &series.Message{Value: `{"type":"compaction_trigger"}`, Role: series.User, Line: v.line(), Path: "$.payload"})
	} else {
		r.open.Missing = append(r.open.Missing, noPrompt)
	}
	return nil
}

// textInside returns the JSON of a string without its quotes.
func textInside(v value) string {
	text := v.canonical()
	return text[1 : len(text)-1]
}

// usageRecord reads the usage of a call, which follows the items of its answer.
func (r *rollout) usageRecord(v, payload value) error {
	if r.copied {
		return nil
	}
	got := payload.pick("response_id", "usage")
	r.records = true
	if !got[1].is('{') {
		r.malformed(v, "the line has no usage; it is kept unchanged")
		return nil
	}
	usage := got[1].canonical()
	if n, ok := got[1].get("total_tokens").integer(); ok {
		r.context = int64(n)
	}
	r.paid, r.paidFor = strings.Clone(got[0].text()), r.due
	if r.due != nil {
		r.due.Usage, r.due = usage, nil
		r.reading = false
		return nil
	}
	if err := r.hold(); err != nil {
		return err
	}
	if i := r.early; i != nil {
		if err := r.begin(r.earlyThrough, value{}, i.Line, i.Path); err != nil {
			return err
		}
		r.open.Time, r.open.Usage, r.open.Reply = r.earlyAt, usage, []*series.Message{i.Message}
		r.through, r.due, r.early = r.earlyThrough, nil, nil
		return nil
	}
	r.held = usage
	d, _ := parse(r.name, strings.Clone(v.raw), v.line())
	r.heldAt = d.root()
	return nil
}

// event reads an event that Codex shows to the user.
func (r *rollout) event(v, payload, at value) error {
	kind := payload.get("type").text()
	switch kind {
	case "token_count":
		r.tokenCount(payload)
	case "turn_aborted":
		if r.copied {
			return nil
		}
		if err := r.beforeEvent(); err != nil {
			return err
		}
		e := r.state("interrupt", v)
		e.Event.Trigger, e.Time = strings.Clone(payload.get("reason").text()), at.instant()
		r.aborted = true
	case "thread_rolled_back":
		turns, ok := payload.get("num_turns").integer()
		if !ok || turns <= 0 {
			r.malformed(v, "turns were undone, but the line does not say how many; it is kept unchanged")
			return nil
		}
		list := r.history.items
		if typed := r.history.typed(); len(typed) > 0 {
			list = list[:typed[max(0, len(typed)-turns)]]
		}
		if r.copied {
			r.apply(step{r.ordinal, nil, slices.Clone(list)})
			r.inherited = len(list)
			return nil
		}
		if err := r.own(); err != nil {
			return err
		}
		if err := r.hold(); err != nil {
			return err
		}
		if err := r.beforeEvent(); err != nil {
			return err
		}
		r.apply(step{r.ordinal, nil, slices.Clone(list)})
		e := r.state("rollback", v)
		e.Time = at.instant()
	case "item_completed":
		got := payload.get("item").pick("id", "tool", "receiver_thread_ids")
		if got[1].text() == "spawn_agent" && !r.copied {
			for _, id := range got[2].elements() {
				r.starts(got[0].text(), id.text())
			}
		}
	default:
		if codexEvents[kind] == unknownUse {
			r.unknown(v, "event", kind)
		}
	}
	return nil
}

// usageNames are the figures of a token count.
var usageNames = [4]string{"cached_input_tokens", "input_tokens", "output_tokens", "total_tokens"}

// figures returns the figures of a token count, and its JSON.
func figures(v value) (out [4]int, usage string) {
	var b []byte
	for n, w := range v.pick(usageNames[:]...) {
		out[n], _ = w.integer()
		if w.raw != "" {
			b = append(append(append(b, `,"`...), usageNames[n]+`":`...), w.raw...)
		}
	}
	if len(b) > 0 {
		usage = "{" + string(b[1:]) + "}"
	}
	return out, usage
}

// tokenCount reads the usage of the latest call in a rollout without records of usage. Counts are
// repeated, and only those whose total grew are about a call.
func (r *rollout) tokenCount(payload value) {
	info := payload
	if i := payload.get("info"); i.raw != "" {
		info = i
	}
	got := info.pick("total_token_usage", "last_token_usage")
	latest := got[1]
	if got[0].raw == "" && got[1].raw == "" {
		latest = info // before September 2025
	}
	now, usage := figures(latest)
	if latest.is('{') && latest.doc == payload.doc && got[1].raw != "" {
		usage = latest.canonical()
	}
	if total, _ := figures(got[0]); got[0].is('{') {
		before := r.total
		r.total = total
		if total[1]+total[2] <= before[1]+before[2] {
			if e := r.open; e != nil && e.Event != nil && e.Event.Kind == "compaction" && e.Event.After == 0 {
				e.Event.After = int64(now[3])
			}
			return
		}
		if !latest.is('{') {
			var b []byte
			for n := range usageNames[:3] {
				b = append(append(b, `,"`+usageNames[n]+`":`...), strconv.Itoa(total[n]-before[n])...)
			}
			usage = "{" + string(b[1:]) + "}"
			now = [4]int{3: total[1] - before[1] + total[2] - before[2]}
		}
	}
	switch {
	case usage == "" || r.copied || r.before != nil || r.records:
		return
	case r.due != nil && r.due.Usage == "" && !r.typed:
		r.due.Usage, r.due, r.reading = usage, nil, false
	default:
		r.held = usage
	}
	r.context = int64(now[3])
}
