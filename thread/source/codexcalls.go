package source

import (
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

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
		Model: r.model, Origin: series.Origin{File: r.name, Call: r.calls}, Missing: slices.Clone(r.missing), Window: r.window,
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
	r.open.Usage, r.open.AnswerID, r.due, r.reading = usage, strings.Clone(v.get("payload", "response_id").text()), nil, false
	return nil
}

// agents finds the agents that tool calls started. The result of such a call has the id of the
// agent.
func (r *rollout) agents(item value, m *series.Message) {
	if len(r.spawns) == 0 && m.Role == series.Tool {
		return // most sessions have no agents
	}
	var got [4]value
	item.pickTo(got[:], "type", "name", "call_id", "output")
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
		r.apply(codexStep{r.ordinal, nil, list})
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
	r.apply(codexStep{r.ordinal, nil, list})
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
		r.due.Usage, r.due.AnswerID, r.due = usage, r.paid, nil
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
		r.open.Time, r.open.Usage, r.open.AnswerID, r.open.Reply = r.earlyAt, usage, r.paid, []*series.Message{i.Message}
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
	case "task_started", "turn_started":
		r.setWindow(payload)
	case "token_count":
		r.setWindow(payload.get("info"))
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
			r.apply(codexStep{r.ordinal, nil, slices.Clone(list)})
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
		r.apply(codexStep{r.ordinal, nil, slices.Clone(list)})
		e := r.state("rollback", v)
		e.Time = at.instant()
	case "task_complete", "turn_complete", "error":
		return r.failure(kind, payload, at, v.line())
	case "item_completed":
		got := payload.get("item").pick("id", "tool", "receiver_thread_ids")
		if got[1].text() == "spawn_agent" && !r.copied {
			for _, id := range got[2].elements() {
				r.starts(got[0].text(), id.text())
			}
		}
	default:
		if codexEvents[kind] == unknownKind {
			r.unknown(v, "event", kind)
		}
	}
	return nil
}

// failure reads the error with which a turn ended. If the model was not asked about anything else
// since its latest answer, the request was refused.
func (r *rollout) failure(kind string, payload, at value, line int) error {
	e := payload
	if kind != "error" {
		e = payload.get("error")
	}
	got, n := e.pick("message", "codex_error_info"), len(r.history.items)
	if message := got[0].text(); message == "" || r.copied || r.before != nil || n <= r.inherited || r.history.items[n-1].Role == series.Assistant ||
		r.open != nil && r.open.Failed != "" && len(r.open.After) == 0 || noRequest[got[1].text()] {
		return nil
	}
	if err := r.begin(all, at, line, "$.payload"); err != nil {
		return err
	}
	r.open.Failed, r.due, r.reading = strings.Clone(got[0].text()), nil, false
	return nil
}

// noRequest has the errors that are not about a request to the model.
var noRequest = map[string]bool{"sandbox_error": true, "thread_rollback_failed": true}

// usageNames are the figures of a token count.
var usageNames = [4]string{"cached_input_tokens", "input_tokens", "output_tokens", "total_tokens"}

// figures returns the figures of a token count.
func figures(v value) (out [len(usageNames)]int, got [len(usageNames)]value) {
	v.pickTo(got[:], usageNames[:]...)
	for n, w := range got {
		out[n], _ = w.integer()
	}
	return out, got
}

// setWindow reads how many tokens the model can take. A rollout may state it only after a call.
func (r *rollout) setWindow(v value) {
	n, ok := v.get("model_context_window").integer()
	if !ok || n <= 0 {
		return
	}
	r.window = int64(n)
	if r.open != nil && r.open.Event == nil && r.open.Window == 0 {
		r.open.Window = r.window
	}
}

// tokenCount reads the usage of the latest call in a rollout without records of usage. Counts are
// repeated, and only those whose total grew are about a call.
func (r *rollout) tokenCount(payload value) {
	info := payload
	if i := payload.get("info"); i.raw != "" {
		info = i
	}
	var got [2]value
	info.pickTo(got[:], "total_token_usage", "last_token_usage")
	latest := got[1]
	if got[0].raw == "" && got[1].raw == "" {
		latest = info // before September 2025
	}
	now, members := figures(latest)
	usage := ""
	if latest.is('{') && latest.doc == payload.doc && got[1].raw != "" {
		usage = latest.canonical()
	} else {
		known := map[string]value{}
		for n, w := range members {
			if w.raw != "" {
				known[usageNames[n]] = w
			}
		}
		if len(known) > 0 {
			usage = object(known)
		}
	}
	if total, _ := figures(got[0]); got[0].is('{') {
		before, stated := r.total, r.stated
		r.total, r.stated = total, now[3]
		if total[1]+total[2] <= before[1]+before[2] {
			if e := r.open; e != nil && e.Event != nil && e.Event.Kind == "compaction" && e.Event.After == 0 && now[3] != stated {
				e.Event.After = int64(now[3]) // not that of before the compaction, which some versions repeat
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
