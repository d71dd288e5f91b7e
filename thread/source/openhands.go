package source

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// openHandsActions has the fates of the actions of OpenHands. An action with the answer of the
// model in tool_call_metadata is always the model's.
var openHandsActions = map[string]fate{
	"message": fromClient, "system": fromClient, "condensation": stated,
	"run": fromModel, "run_ipython": fromModel, "read": fromModel, "write": fromModel, "edit": fromModel, "browse": fromModel, "browse_interactive": fromModel,
	"finish": fromModel, "think": fromModel, "reject": fromModel, "delegate": fromModel, "call_tool_mcp": fromModel, "task_tracking": fromModel,
	"change_agent_state": bookkeeping, "null": bookkeeping, "recall": bookkeeping, "condensation_request": bookkeeping, "loop_recovery": bookkeeping,
	"start": bookkeeping, "initialize": bookkeeping, "pause": bookkeeping, "resume": bookkeeping, "stop": bookkeeping, "push": bookkeeping, "send_pr": bookkeeping,
}

// openHandsObservations has the fates of observations.
var openHandsObservations = map[string]fate{
	"agent_state_changed": bookkeeping, "null": bookkeeping, "recall": bookkeeping, "server_ready": bookkeeping,
	"run": fromClient, "run_ipython": fromClient, "read": fromClient, "write": fromClient, "edit": fromClient, "browse": fromClient, "delegate": fromClient,
	"error": fromClient, "success": fromClient, "think": fromClient, "mcp": fromClient, "user_rejected": fromClient, "condense": fromClient,
	"task_tracking": fromClient, "download": fromClient, "loop_detection": fromClient,
}

var openHandsSources = set("user", "agent", "environment")

// isOpenHands recognizes streams of events.
func isOpenHands(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool { return len(eventsOf(v)) > 0 })
}

// eventList is a list of events, and the value that it is in.
type eventList struct{ list, in value }

// eventsOf returns the lists of events in a document: one, or those of the runs in a list, of which
// others than the first may have none.
func eventsOf(v value) (out []eventList) {
	if list := eventsIn(v); list.raw != "" {
		return []eventList{{list, v}}
	}
	for _, w := range v.elements() {
		list := eventsIn(w)
		if list.raw == "" && len(out) == 0 {
			break
		}
		out = append(out, eventList{list, w})
	}
	return out
}

// eventsIn returns the list of events in a value, or a missing value. The value may be the list, or
// an event that is alone.
func eventsIn(v value) value {
	if isEvent(v) {
		return only(v)
	}
	for _, list := range append([]value{v}, v.pick("trajectory", "history", "events")...) {
		for _, e := range list.elements() {
			if isEvent(e) {
				return list
			}
			break
		}
	}
	return value{}
}

func isEvent(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("action", "observation", "source", "id", "args", "content", "kind")
	_, isAction := openHandsActions[got[0].text()]
	_, isObservation := openHandsObservations[got[1].text()]
	_, isTyped := openHandsEvents[got[6].text()]
	return (isAction && got[4].is('{') || isObservation && got[5].raw != "" || isTyped) && openHandsSources[got[2].text()] && got[3].raw != ""
}

// eachEvent calls each with the events in a document.
func eachEvent(doc value, each func(value)) {
	for _, l := range eventsOf(doc) {
		eachOf(l.list, each)
	}
}

// stream is the state of reading events.
type stream struct {
	transcript
	response string                      // the id of the latest answer
	count    int                         // of the events so far
	events   map[*series.Message]eventID // the events that made the messages
	recalls  []eventID                   // events that take places among the messages, but are none that is recorded
	// The actions that record the latest answer, so far, and the path of the first.
	actions   []value
	actionsAt string
}

// eventID is the id of an event: JSON, and the number that it usually is.
type eventID struct {
	raw      string
	number   int
	isNumber bool
	order    int      // of the event in the stream
	calls    []string // the ids of the calls in its message
	result   string   // the id of the call whose result its message is
}

// id returns the id of an event.
func (s *stream) id(v value) eventID {
	id := v.get("id")
	n, ok := id.integer()
	return eventID{raw: id.raw, number: n, isNumber: ok, order: s.count}
}

// openHands is the state of reading files. Events that are alone, on lines or in files of their
// own, are one stream.
type openHands struct{ alone *stream }

func openOpenHands(*group) parser { return &openHands{} }

func (x *openHands) end(context.Context) error {
	if x.alone == nil {
		return nil
	}
	return x.alone.end()
}

// file reads streams of events.
func (x *openHands) file(ctx context.Context, rd *reader) error {
	n := 0
	return rd.documents(ctx, func(d *document) error {
		lists := eventsOf(d.root())
		if len(lists) == 0 && n == 0 && x.alone == nil {
			return rd.fail(d.root(), engine.ErrFileShape, "no events of OpenHands")
		}
		if len(lists) == 0 {
			lists = []eventList{{in: d.root()}}
		}
		for _, l := range lists {
			if err := ctx.Err(); err != nil {
				return err
			}
			switch {
			case isEvent(l.in):
				if x.alone == nil {
					x.alone = newStream(rd)
					x.alone.conversation = folderOfEvents(rd.name)
				}
				x.alone.reader = rd
				if err := x.alone.event(l.in, "$"); err != nil {
					return err
				}
				continue
			case l.list.raw == "":
				rd.malformed(l.in, "not events of OpenHands; it is kept unchanged")
				continue
			}
			s := newStream(rd)
			if s.conversation = strings.Clone(l.in.get("instance_id").text()); s.conversation == "" && n > 0 {
				s.conversation = "run " + strconv.Itoa(n+1)
			}
			n++
			if err := s.read(ctx, l.list); err != nil {
				return err
			}
		}
		return nil
	})
}

// folderOfEvents returns the name of the session of an event that has a file of its own, or "".
func folderOfEvents(file string) string {
	folder := filepath.Dir(file)
	if filepath.Base(folder) != "events" {
		return ""
	}
	return filepath.Base(filepath.Dir(folder))
}

// linkOpenHands finds the place of an event that has a file of its own among those of its folder:
// its number, or its time.
func linkOpenHands(ctx context.Context, rd *reader, x *Links) error {
	return rd.documents(ctx, func(d *document) error {
		if v := d.root(); isEvent(v) {
			x.join(ofFolder, filepath.Dir(rd.name))
			x.depth, _ = v.get("id").integer()
			x.time = strings.Clone(v.get("timestamp").text())
		}
		return errStop
	})
}

func newStream(rd *reader) *stream {
	return &stream{transcript: transcript{reader: rd, format: thread.OpenAI.String(), list: "messages"}, events: map[*series.Message]eventID{}}
}

// read reads a list of events.
func (s *stream) read(ctx context.Context, list value) error {
	for i, e := range list.elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.event(e, "$["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return s.end()
}

func (s *stream) end() error {
	if err := s.acted(); err != nil {
		return err
	}
	return s.finish()
}

// event reads an event.
func (s *stream) event(v value, at string) error {
	s.count++
	got := v.pick("action", "observation", "source", "args", "content", "tool_call_metadata", "kind")
	if _, isTyped := openHandsEvents[got[6].text()]; isTyped {
		return s.typedEvent(v, got[6].text(), at)
	}
	action, isAction := openHandsActions[got[0].text()]
	observation, isObservation := openHandsObservations[got[1].text()]
	switch answer := got[5].get("model_response"); {
	case got[0].raw != "" && answer.is('{'):
		return s.answered(v, answer, at)
	case isAction && action == stated:
		return s.condensed(v, got[3], at)
	case got[0].text() == "system":
		if tools := got[3].get("tools"); tools.is('[') {
			s.settings = []series.Setting{{Name: "tools", Kind: series.Tools, Value: tools.canonical()}}
		}
		s.message(v, "system", got[3].get("content"), at)
	case isAction && action != bookkeeping && got[2].text() == "agent":
		return s.said(v, got[0].text(), got[3], at)
	case got[0].text() == "message":
		s.message(v, "user", got[3].get("content"), at)
	case got[0].text() == "recall":
		s.recalls = append(s.recalls, s.id(v))
	case got[1].text() == "recall":
		s.recalls = append(s.recalls, s.id(v))
		s.noteOnce(thread.Kept, "", v, "what the client recalls is made into a prompt that is not recorded; it is left out")
	case isObservation && observation == fromClient:
		s.result(v, got[4], got[5].get("tool_call_id"), at)
	case isAction && action == fromModel: // by the user: its result is sent
		s.keepValue("unsent", v)
	case !isAction && !isObservation:
		s.malformed(v, "an event of an unknown kind; it is kept unchanged")
	}
	return nil
}

// made returns the message of an event.
func (s *stream) made(v value, members written, at string) *series.Message {
	m := newMessage(value{raw: members.value().canonical(), doc: v.doc, off: v.off}, at)
	kept := map[string]value{}
	keep(kept, v, map[string]string{"timestamp": "timestamp", "llm_metrics": "llm_metrics"})
	setAbout(m, kept)
	e := s.id(v)
	for _, call := range members["tool_calls"].elements() {
		e.calls = append(e.calls, call.get("id").text())
	}
	e.result = members["tool_call_id"].text()
	s.events[m] = e
	return m
}

func (s *stream) message(v value, role string, content value, at string) {
	var parts []value
	for _, url := range v.get("args", "image_urls").elements() {
		parts = append(parts, written{"type": quoted("image_url"), "image_url": written{"url": url}.value()}.value())
	}
	if parts != nil {
		content = listOfValues(append([]value{written{"type": quoted("text"), "text": content}.value()}, parts...))
	}
	s.add(s.made(v, written{"role": quoted(role), "content": content}, at))
}

// result adds the result of a call or of an action of the user.
func (s *stream) result(v, content, call value, at string) {
	if call.is('"') {
		s.add(s.made(v, written{"role": quoted("tool"), "tool_call_id": call, "content": content}, at))
		return
	}
	s.add(s.made(v, written{"role": quoted("user"), "content": content}, at))
}

// answered begins the call whose answer an action records. Several actions may record the same
// answer.
func (s *stream) answered(v, answer value, at string) error {
	id := answer.get("id").text()
	if id != "" && id == s.response {
		return nil
	}
	s.response = strings.Clone(id)
	r := &series.Request{Model: strings.Clone(answer.get("model").text()), Usage: answer.get("usage").canonical()}
	if err := s.begin(r, v, at); err != nil {
		return err
	}
	for _, choice := range answer.get("choices").elements() {
		sent := written{"role": quoted("assistant")}
		for name, w := range choice.get("message").members() {
			if name == "content" || name == "tool_calls" && w.is('[') || name == "function_call" && w.is('{') {
				sent[name] = w
			}
		}
		m := s.made(v, sent, at)
		if thought := choice.get("message", "reasoning_content"); !thought.missing() {
			m.About = withAbout(m.About, written{"reasoning_content": {raw: thought.canonical()}})
		}
		s.answer(m)
		break
	}
	return nil
}

// said begins a call for an event without the answer of the model: a message, or an action. How the
// model asked for an action is not recorded, so the action goes to About, and its thought is the
// text.
func (s *stream) said(v value, action string, args value, at string) error {
	s.response = ""
	if err := s.begin(&series.Request{}, v, at); err != nil {
		return err
	}
	text := args.get("content")
	if action != "message" {
		if text = args.first("thought", "final_thought"); text.missing() {
			text = quoted("")
		}
	}
	m := s.made(v, written{"role": quoted("assistant"), "content": text}, at)
	if action != "message" {
		m.About = withAbout(m.About, written{"action": quoted(action), "args": {raw: args.canonical()}})
		s.noteOnce(thread.Kept, "", v, "how the model asked for an action is not recorded; the action is kept beside the message")
	}
	s.answer(m)
	return nil
}

func (s *stream) begin(r *series.Request, v value, at string) error {
	r.Time, r.Origin = v.get("timestamp").instant(), series.Origin{Line: v.line(), Path: at}
	return s.call(r)
}

// condensed sends the state after a condensation. It drops the events with the listed ids or in a
// range of ids, and inserts the summary, if there is one. A summary replaces the one before it. The
// results of calls that were dropped are not sent.
func (s *stream) condensed(v, args value, at string) error {
	ids := map[string]bool{}
	for _, id := range args.get("forgotten_event_ids").elements() {
		ids[id.raw] = true
	}
	from, ok := args.get("forgotten_events_start_id").integer()
	to, _ := args.get("forgotten_events_end_id").integer()
	forgotten := func(e eventID) bool { return ids[e.raw] || ok && e.isNumber && from <= e.number && e.number <= to }
	text := args.get("summary")
	list := slices.DeleteFunc(slices.Clone(s.messages), func(m *series.Message) bool {
		return forgotten(s.events[m]) || m.Summary && text.is('"')
	})
	s.recalls = slices.DeleteFunc(s.recalls, forgotten)
	n, _ := args.get("summary_offset").integer()
	n = s.place(list, n)
	calls := map[string]bool{}
	for _, m := range list {
		for _, id := range s.events[m].calls {
			calls[id] = true
		}
	}
	why := series.Reason{Cause: series.Trimmed, Line: v.line(), Path: at}
	if text.is('"') {
		m := s.made(v, written{"role": quoted("user"), "content": text}, at)
		m.Summary, why.Cause = true, series.Compacted
		list = slices.Insert(list, n, m)
	}
	list = slices.DeleteFunc(list, func(m *series.Message) bool { return s.events[m].result != "" && !calls[s.events[m].result] })
	return s.state(&series.Request{
		Event: &series.Event{Kind: "compaction"}, Time: v.get("timestamp").instant(), Why: []series.Reason{why}, Origin: series.Origin{Line: v.line(), Path: at},
	}, list)
}

// place returns the index in a list of messages of the n-th place, where recalls take places, too.
func (s *stream) place(list []*series.Message, n int) int {
	recalls := s.recalls
	for i, m := range list {
		for len(recalls) > 0 && recalls[0].order < s.events[m].order {
			recalls = recalls[1:]
			n--
		}
		if i >= n {
			return i
		}
	}
	return len(list)
}
