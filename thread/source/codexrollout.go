package source

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// rollout is the state of reading a rollout of Codex CLI. A rollout has the items of the history,
// not requests: the request of an answer is the history at the time. The many fields are what the
// next line may depend on.
type rollout struct {
	*reader
	all          *rollouts
	history      codexHistory
	steps        []codexStep // changes of the history, for the rollouts that continue this one
	inherited    int         // number of items that other rollouts began with
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
	stated          int   // the size of the context in the latest token count
	context         int64 // tokens of the latest call, as Codex counts them
	window          int64 // that the model can take, as the rollout says
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
	forked   bool     // the rollout begins another thread
}

// codexStep is a change of a history: an item is added, or the history is replaced by a list.
type codexStep struct {
	ordinal int
	item    *item
	list    []*item
}

func (r *rollout) line(v value) error {
	var got [6]value
	v.pickTo(got[:], "type", "payload", "timestamp", "record_type", "ordinal", "metadata")
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
	case payload.raw == "" && got[0].is('"') && codexRecords[kind] == unknownKind:
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
		if codexRecords[kind] == unknownKind {
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
func (r *rollout) apply(s codexStep) {
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

// newItem returns an item and what it is used for: bookkeeping if it is in no request.
func (r *rollout) newItem(payload value, path string) (i *item, kind fate) {
	i = newItem(payload, path)
	kind = codexItems[i.kind]
	if i.kind == "message" && i.Role == series.Assistant {
		kind = fromModel
	}
	if kind != unknownKind {
		return i, kind
	}
	as := ""
	switch {
	case i.isOutput():
		kind, as = fromClient, "as results of calls"
	case strings.HasSuffix(i.kind, "_call"):
		kind, as = fromModel, "as calls by the model"
	case payload.get("type").text() == "":
		r.malformed(payload, "the item has no type; it is kept unchanged")
		return i, bookkeeping
	default:
		kind, i.Role, as = fromClient, series.User, "as sent, and not as written by the model"
	}
	r.noteOnce(thread.Kept, "", payload, "items of the unknown type "+strconv.Quote(i.kind)+" are taken "+as)
	return i, kind
}

// answer begins a call if an item of the model is the first one of an answer.
func (r *rollout) answer(i *item, sequenced bool, through int, at value) error {
	switch {
	case !sequenced:
		if !r.reading {
			if err := r.begin(all, at, i.Line, i.Path); err != nil {
				return err
			}
			r.through = -1
		}
	case r.reading && r.through == through:
	case through >= r.lastInput || i.kind != "message":
		if err := r.begin(through, at, i.Line, i.Path); err != nil {
			return err
		}
		r.through = through
	default:
		r.reading = false // written by Codex itself
	}
	return nil
}

// item reads an item of the history.
func (r *rollout) item(payload, metadata, at value, path string) error {
	i, kind := r.newItem(payload, path)
	if kind == bookkeeping {
		return nil
	}
	var md [4]value
	metadata.pickTo(md[:], "history_sequence", "sampled_through_sequence", "compaction_output", "inherited_user_message")
	sequence, ok := md[0].integer()
	if !ok {
		sequence = r.last + 1
	}
	i.sequence = sequence
	through, sequenced := md[1].integer()
	if r.before != nil {
		if len(r.again) > 0 && r.again[0].Value == i.Value {
			i, r.again = r.again[0], r.again[1:]
			r.apply(codexStep{r.ordinal, i, nil})
			return nil
		}
		if err := r.own(); err != nil {
			return err
		}
	}
	if r.copied || md[3].raw == "true" {
		r.apply(codexStep{r.ordinal, i, nil})
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
	if kind == fromModel {
		if err := r.answer(i, sequenced, through, at); err != nil {
			return err
		}
	}
	r.steps = append(r.steps, codexStep{r.ordinal, i, nil})
	r.history.add(i)
	r.last = max(r.last, sequence)
	if kind == fromModel && r.reading {
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
	if kind == fromModel {
		r.early, r.earlyThrough, r.earlyAt = i, through, at.instant()
	}
	if r.open != nil && !(isAborted && r.aborted) && !r.history.isRepaired(i) {
		r.open.After = append(r.open.After, i.Message)
	}
	if isAborted && r.aborted && r.open != nil { // the event was before its item
		r.open.Messages = append(slices.Clone(r.open.Messages), i.Message)
	}
	r.aborted = isAborted && r.aborted
	return nil
}
