package source

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// runs reads files in which each document is one run of an agent.
type runs struct {
	used map[string]int // the names of the conversations so far, and the latest number of each
	read func(context.Context, *reader, value, *runs) error
}

func openRuns(read func(context.Context, *reader, value, *runs) error) func(*group) parser {
	return func(*group) parser { return &runs{map[string]int{}, read} }
}

func (x *runs) file(ctx context.Context, rd *reader) error {
	return rd.documents(ctx, func(d *document) error { return x.read(ctx, rd, d.root(), x) })
}

func (x *runs) end(context.Context) error { return nil }

// name returns the name for a conversation, with a number if it is taken.
func (x *runs) name(name string) string {
	name = strings.Clone(name)
	out := name
	for x.used[out] > 0 {
		x.used[name]++
		out = name + " " + strconv.Itoa(x.used[name])
	}
	x.used[out] = 1
	return out
}

// isMini recognizes a trajectory of mini-swe-agent: it names its format, or the version of the
// program.
func isMini(first []value) bool {
	got := first[0].pick("trajectory_format", "info", "messages")
	return got[2].is('[') && (strings.HasPrefix(got[0].text(), "mini-swe-agent") || !got[1].get("mini_version").missing())
}

// miniAbout are members of a message of mini-swe-agent and of its answer that are kept although
// they were not sent, in addition to those of extra.
var miniAbout = map[string]string{"id": "response_id", "model": "model", "usage": "usage"}

// miniRun is the state of reading a trajectory of mini-swe-agent.
type miniRun struct {
	transcript
	model string
}

// readMini reads a trajectory of mini-swe-agent. It has the messages as they were sent, and the
// response of the provider with each answer.
func readMini(ctx context.Context, rd *reader, v value, x *runs) error {
	got := v.pick("info", "messages", "instance_id")
	if !got[0].is('{') || !got[1].is('[') {
		return rd.fail(v, engine.ErrFileShape, "the trajectory has no info or no messages")
	}
	config := got[0].get("config", "model").pick("model_name", "model_kwargs")
	t := &miniRun{transcript: transcript{
		reader: rd, conversation: x.name(cmp.Or(got[2].text(), "trajectory")), format: thread.OpenAI.String(), list: "messages", missing: []string{},
	}, model: strings.Clone(config[0].text())}
	if t.model != "" {
		t.settings = append(t.settings, series.Setting{Name: "model", Value: config[0].canonical()})
	}
	for name, w := range config[1].members() {
		if name != "drop_params" { // of the client
			t.settings = append(t.settings, series.Setting{Name: name, Value: w.canonical()})
		}
	}
	slices.SortFunc(t.settings, func(a, b series.Setting) int { return cmp.Compare(a.Name, b.Name) })
	for i, m := range got[1].elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := t.message(m, "$.messages["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	return t.finish()
}

// message reads a message. What the program added to it is not sent.
func (t *miniRun) message(v value, at string) error {
	got := v.pick("role", "object", "type", "extra", "output", "tool_calls")
	isResponse := got[1].text() == "response"
	if isResponse || got[2].is('"') && !got[0].is('"') {
		t.format, t.list, t.missing = thread.OpenAIResponses.String(), "input", []string{toolList}
	}
	role, known := roles[got[0].text()]
	switch {
	case got[0].text() == "exit":
		t.keepValue("unsent", v)
	case !known && !isResponse && !got[2].is('"'):
		t.malformed(v, "a message has the unknown role %q; it is kept unchanged", got[0].text())
		return nil
	}
	about := map[string]value{}
	for name, w := range got[3].members() {
		if name != "response" && !w.missing() {
			about[name] = value{raw: w.canonical()}
		}
	}
	response := got[3].get("response")
	if isResponse {
		response = v
	}
	if role == series.Assistant || !response.missing() {
		keep(about, response, miniAbout)
		if err := t.answered(v, response, at); err != nil {
			return err
		}
	}
	switch {
	case got[0].text() == "exit":
	case isResponse:
		var items []*series.Message
		for i, item := range got[4].elements() {
			items = append(items, newMessage(item.without("extra"), at+".output["+strconv.Itoa(i)+"]"))
		}
		if len(items) > 0 {
			setAbout(items[0], about)
		}
		t.answer(items...)
	default:
		m := newMessage(v.without("extra"), at)
		setAbout(m, about)
		if len(m.Calls) > 0 && len(t.missing) == 0 {
			t.missing = []string{toolList} // other answers have the command in their text
			t.open.Missing = t.missing
		}
		if role == series.Assistant {
			t.answer(m)
			break
		}
		if t.add(m); !response.missing() {
			t.why = append(t.why, series.Reason{Cause: series.Deleted, Line: m.Line, Path: at}) // the answer, which it is about
		}
	}
	return nil
}

// answered begins the call that returned a response. An answer without a tool call is not among the
// messages; the message about the error has its response.
func (t *miniRun) answered(v, response value, at string) error {
	got := response.pick("model", "usage", "choices", "created")
	err := t.call(&series.Request{
		Time: cmp.Or(got[3].instant(), v.get("extra").get("timestamp").instant()), Model: strings.Clone(cmp.Or(got[0].text(), t.model)),
		Usage: got[1].canonical(), Origin: series.Origin{Line: v.line(), Path: at},
	})
	if roles[v.get("role").text()] == series.Assistant || err != nil {
		return err
	}
	for _, choice := range got[2].elements() {
		if m := choice.get("message"); m.is('{') {
			t.open.Reply = append(t.open.Reply, newMessage(m.without(), at+".extra.response.choices[0].message"))
			break
		}
	}
	return nil
}

// without returns an object without the members with these names, and those that are null.
func (v value) without(names ...string) value {
	kept := map[string]value{}
	for name, w := range v.members() {
		if !w.missing() && !slices.Contains(names, name) {
			kept[name] = w
		}
	}
	return value{raw: object(kept), doc: v.doc, off: v.off}
}

// isSWEAgent recognizes a trajectory of SWE-agent: steps with the answer and what it caused, a
// history of messages that name their agent, or several attempts at these.
func isSWEAgent(first []value) bool {
	got := first[0].pick("trajectory", "history", "attempts")
	for _, list := range []struct {
		in  value
		has string
	}{{got[0], "response observation"}, {got[1], "role content agent"}, {got[2], "trajectory history"}} {
		for _, w := range list.in.elements() {
			if hasAll(w, list.has) {
				return true
			}
			break
		}
	}
	return false
}

// sweAbout are members of a message of SWE-agent that are kept although they were not sent.
var sweAbout = map[string]string{"agent": "agent", "message_type": "message_type", "is_demo": "is_demo", "tags": "tags", "thought": "thought", "action": "action"}

// readSWEAgent reads a trajectory of SWE-agent, or the attempts in it.
func readSWEAgent(ctx context.Context, rd *reader, v value, x *runs) error {
	got := v.pick("attempts", "instance_id", "environment")
	name := cmp.Or(got[1].text(), got[2].text(), "trajectory")
	if !got[0].is('[') {
		return readAttempt(ctx, rd, v, "$", x.name(name), x)
	}
	for i, w := range got[0].elements() {
		if err := readAttempt(ctx, rd, w, "$.attempts["+strconv.Itoa(i)+"]", x.name(name), x); err != nil {
			return err
		}
	}
	return nil
}

// readAttempt reads one attempt of SWE-agent. Its steps have the messages that were sent. If they
// do not, as in older versions, it reads the history, which has them before processors shortened
// them.
func readAttempt(ctx context.Context, rd *reader, v value, at, name string, x *runs) error {
	got := v.pick("trajectory", "history", "info")
	s := &sweRun{reader: rd, conversation: name}
	steps, calls := 0, rd.calls
	for i, step := range got[0].elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		steps++
		query := step.get("query")
		if !query.is('[') {
			break
		}
		if s.answers == nil {
			s.answers = modelMessages(got[1], at)
		}
		if err := s.step(step, query, at+".trajectory["+strconv.Itoa(i)+"]"); err != nil {
			return err
		}
	}
	if s.answers == nil {
		if err := readSWEHistory(ctx, rd, got[1], at, name, x); err != nil {
			return err
		}
	}
	s.observe(nil)
	if steps > 0 && rd.calls == calls {
		rd.keepValue("unsent", got[0])
		rd.note(thread.Kept, "", got[0], "steps without queries and without a history are not calls; they are kept outside the conversation")
	}
	stats := got[2].get("model_stats").pick("api_calls", "tokens_sent", "tokens_received")
	if n, ok := stats[0].integer(); ok && n > rd.calls-calls {
		rd.note(thread.Kept, "", stats[0], "the program counts %d calls; %d of them are recorded", n, rd.calls-calls)
	}
	if n, _ := stats[1].integer(); n > 0 && rd.calls > calls {
		out, _ := stats[2].integer()
		rd.note(thread.Kept, "", stats[1], "the tokens of each call are not recorded; the program counts %d in and %d out for all of them", n, out)
	}
	return nil
}

// sweRun is the state of reading steps that have what was sent.
type sweRun struct {
	*reader
	conversation string
	answers      []*series.Message // answers in the history that no step has repeated
	sent         []*series.Message // messages of the latest request
	observed     value             // the observation of the latest step, until a query has it
}

// step reads a step. One without a message was made by the program, such as a submission after an
// error.
func (s *sweRun) step(v, query value, at string) error {
	var list []*series.Message
	for i, m := range query.elements() {
		if m.get("role").is('"') {
			list = append(list, s.sweMessage(m, at+".query["+strconv.Itoa(i)+"]"))
		}
	}
	if len(list) == 0 {
		s.noteOnce(thread.Kept, "", v, "steps that no model answered are left out")
		return nil
	}
	r := &series.Request{
		ConversationID: s.conversation, Format: thread.OpenAI.String(), List: "messages", Recorded: true, Missing: []string{},
		Origin: series.Origin{File: s.name, Call: s.reader.calls, Line: v.line(), Path: at},
	}
	s.reader.calls++
	last := latest{sent: s.sent}
	last.place(r, list)
	s.sent = last.sent
	s.observe(r.Messages)
	s.observed = v.get("observation")
	response := v.get("response")
	reply := newMessage(textMessage(value{raw: cmp.Or(response.canonical(), `""`)}, r.Format), at+".response")
	for n, m := range s.answers {
		if m.Value == reply.Value || len(m.Calls) > 0 && strings.HasPrefix(m.Value, `{"content":`+cmp.Or(response.canonical(), `""`)+`,`) {
			reply, s.answers = m, s.answers[n+1:]
			break
		}
	}
	if reply.Line = v.line(); len(reply.Calls) > 0 {
		r.Missing = []string{toolList}
	}
	r.Reply = []*series.Message{reply}
	return s.send(r)
}

// observe looks for the latest observation in messages. If they do not have it, it is kept.
func (s *sweRun) observe(messages []*series.Message) {
	v := s.observed
	s.observed = value{}
	text := strings.Trim(quoted(strings.TrimSpace(v.text())).raw, `"`)
	if text == "" || slices.ContainsFunc(messages, func(m *series.Message) bool { return strings.Contains(m.Value, text) }) {
		return
	}
	s.keepValue("unsent", v)
	s.noteOnce(thread.Kept, "", v, "observations that no recorded query has are kept outside the conversation")
}

// modelMessages returns the answers in a history.
func modelMessages(history value, at string) []*series.Message {
	out := []*series.Message{}
	for i, m := range history.elements() {
		if isSWEAnswer(m) {
			out = append(out, newSWEMessage(m, at+".history["+strconv.Itoa(i)+"]"))
		}
	}
	return out
}

func isSWEAnswer(v value) bool {
	got := v.pick("role", "is_demo")
	return got[0].text() == "assistant" && !got[1].is('t')
}

// sweMessage returns the message of a query. Queries repeat the messages of the ones before them.
func (s *sweRun) sweMessage(v value, at string) *series.Message {
	if m := s.messages[v.raw]; m != nil {
		return m
	}
	if s.messages == nil {
		s.messages = map[string]*series.Message{}
	}
	m := newSWEMessage(v, at)
	s.messages[strings.Clone(v.raw)] = m
	return m
}

// newSWEMessage returns a message as the program sends it.
func newSWEMessage(v value, at string) *series.Message {
	got := v.pick("role", "content", "tool_calls", "tool_call_ids", "thinking_blocks", "cache_control")
	sent := map[string]value{"role": got[0], "content": got[1]}
	if got[1].raw == "" {
		sent["content"] = value{raw: "null"}
	}
	if got[2].is('[') {
		sent["tool_calls"] = got[2]
		if got[4].is('[') {
			sent["thinking_blocks"] = got[4]
		}
	}
	for _, id := range got[3].elements() {
		if got[0].text() == "tool" {
			sent["tool_call_id"] = id
		}
		break // each result is of one call
	}
	if !got[5].missing() {
		sent["cache_control"] = got[5]
	}
	m := newMessage(value{raw: object(sent), doc: v.doc, off: v.off}, at)
	about := map[string]value{}
	keep(about, v, sweAbout)
	setAbout(m, about)
	return m
}

// readSWEHistory reads the history of a run, with a conversation for each agent.
func readSWEHistory(ctx context.Context, rd *reader, history value, at, name string, x *runs) error {
	agents := map[string]*transcript{}
	var all []*transcript
	for i, v := range history.elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		path := at + ".history[" + strconv.Itoa(i) + "]"
		got := v.pick("role", "agent")
		if _, ok := roles[got[0].text()]; !ok {
			rd.malformed(v, "a message has the unknown role %q; it is kept unchanged", got[0].text())
			continue
		}
		t := agents[got[1].text()]
		if t == nil {
			t = &transcript{reader: rd, conversation: name, format: thread.OpenAI.String(), list: "messages", missing: []string{"what was left out of long histories"}}
			if len(all) > 0 {
				t.conversation = x.name(name + " " + got[1].text())
			}
			agents[strings.Clone(got[1].text())] = t
			all = append(all, t)
		}
		m := newSWEMessage(v, path)
		if !isSWEAnswer(v) {
			t.add(m)
			continue
		}
		if err := t.call(&series.Request{Origin: series.Origin{Line: v.line(), Path: path}}); err != nil {
			return err
		}
		t.answer(m)
	}
	for _, t := range all {
		if err := t.finish(); err != nil {
			return err
		}
	}
	return nil
}
