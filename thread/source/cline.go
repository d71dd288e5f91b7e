package source

import (
	"context"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isCline recognizes the two files of a task of Cline or Roo Code: the conversation, whose first
// message has the task and the state of the editor, and the list of what the client displays.
func isCline(first []value) bool { return isTask(first[0]) || isShown(first[0]) }

func isTask(list value) bool {
	for _, m := range list.elements() {
		if m.get("role").text() != "user" || !strings.Contains(m.raw, "<environment_details>") {
			return false
		}
		for _, part := range m.get("content").elements() {
			text := strings.TrimSpace(part.get("text").text())
			if strings.HasPrefix(text, "<environment_details>") || strings.HasSuffix(text, "</environment_details>") {
				return true
			}
		}
		return false
	}
	return false
}

func isShown(list value) bool {
	for _, row := range list.elements() {
		got := row.pick("type", "ts", "say", "ask")
		return (got[0].text() == "say" && got[2].is('"') || got[0].text() == "ask" && got[3].is('"')) && got[1].raw != ""
	}
	return false
}

// linkCline puts the files of a task, which are in one folder, into one group.
func linkCline(_ context.Context, rd *reader, x *Links) error {
	x.join(ofTask, filepath.Dir(rd.name))
	return nil
}

// task is the state of reading the files of a task.
type task struct {
	*group
	transcript
	doc      *document // api_conversation_history.json
	of       *reader
	requests []shownRequest   // from ui_messages.json
	shown    map[string]value // what ui_messages.json says of compactions, by their ids
	all      []*series.Message
	trims    []trim
	parents  map[*series.Message]string // the ids of the truncations that hide messages
	deleted  [2]int
	tasks    int // the number of tasks that were read before
}

// shownRequest is a request as the client shows it.
type shownRequest struct {
	row     value
	at      time.Time
	index   int // of the last message before the request was made; -2 if unknown
	model   string
	info    value
	deleted [2]int // the first and the last of the messages that were not sent
}

// trim is a truncation by Roo Code. From then on, messages that name its id are not sent.
type trim struct {
	id string
	at time.Time
	v  value
}

func openCline(g *group) parser {
	return &task{group: g, shown: map[string]value{}, parents: map[*series.Message]string{}}
}

// file keeps the conversation, or reads what the client displays.
func (t *task) file(ctx context.Context, rd *reader) error {
	d, err := rd.whole(ctx)
	if err != nil {
		return err
	}
	switch list := d.root(); {
	case isShown(list):
		t.ui(list)
	case !list.is('['):
		return rd.fail(list, engine.ErrFileShape, "the conversation is not a list")
	default:
		if t.doc != nil { // the conversation of another task in the same folder
			if err := t.end(ctx); err != nil {
				return err
			}
			*t = task{group: t.group, tasks: t.tasks + 1, shown: map[string]value{}, parents: map[*series.Message]string{}}
		}
		t.doc, t.of = d, rd
	}
	return nil
}

// ui reads what the client displays.
func (t *task) ui(list value) {
	for _, row := range list.elements() {
		got := row.pick("say", "ts", "text", "conversationHistoryIndex", "modelInfo", "conversationHistoryDeletedRange", "contextCondense", "contextTruncation")
		if got[0].text() == "api_req_started" {
			r := shownRequest{row: row, at: got[1].instant(), index: -2, model: strings.Clone(got[4].get("modelId").text()), info: inside(got[2])}
			if n, ok := got[3].integer(); ok {
				r.index = n
			}
			t.requests = append(t.requests, r)
		}
		if n := len(t.requests); n > 0 && got[5].is('[') { // the rows that follow say what was deleted before the request
			for i, v := range got[5].elements() {
				if at, ok := v.integer(); ok && i < 2 {
					t.requests[n-1].deleted[i] = at
				}
			}
		}
		if id := got[6].get("condenseId").text(); id != "" {
			t.shown[id] = got[6]
		}
		if id := got[7].get("truncationId").text(); id != "" {
			t.shown[id] = row
		}
	}
}

// end sends the requests. Each answer of the model is a call that was sent all earlier messages,
// except hidden ones.
func (t *task) end(ctx context.Context) error {
	if t.doc == nil {
		return &engine.Error{Code: engine.ErrFileShape, File: t.files[0].Name, Msg: "what Cline shows of a task, without the conversation, api_conversation_history.json"}
	}
	t.transcript = transcript{reader: t.of, format: thread.Anthropic.String(), list: "messages"}
	if t.tasks > 0 {
		t.conversation = "task " + strconv.Itoa(t.tasks+1)
	}
	var before value
	continues := false
	for i, v := range t.doc.root().elements() {
		if err := ctx.Err(); err != nil {
			return err
		}
		got := v.pick("role", "isSummary", "isTruncationMarker", "truncationId", "truncationParent", "condenseId", "type", "encrypted_content")
		isItem := got[6].text() == "reasoning"
		m := t.made(v, "$["+strconv.Itoa(i)+"]")
		if m == nil {
			t.malformed(v, "not a message; it is kept unchanged")
			continue
		}
		t.parents[m] = strings.Clone(got[4].text())
		switch {
		case got[2].is('t'):
			t.trims = append(t.trims, trim{got[3].text(), t.shown[got[3].text()].get("ts").instant(), v})
			continue
		case got[1].is('t') && m.Role == series.User:
			if err := t.condensed(v, m, t.shown[got[5].text()]); err != nil {
				return err
			}
		case m.Role != series.Assistant:
			t.add(m)
		case isItem && got[7].missing():
			t.keepValue("unsent", v)
			continue
		default:
			if !continues && !got[1].is('t') {
				if err := t.call(v, before, i); err != nil {
					return err
				}
			}
			m.Summary = got[1].is('t')
			t.answer(m)
		}
		t.all, before, continues = append(t.all, m), v, isItem
	}
	if n := len(t.requests); n > 0 {
		t.noteOnce(thread.Kept, "", t.requests[0].row, "requests that have no answer in the conversation are left out")
	}
	return t.finish()
}

// clineSent and reasoningSent are the members that are sent of a message and of a reasoning item.
var (
	clineSent     = map[string]bool{"role": true, "content": true}
	reasoningSent = map[string]bool{"type": true, "id": true, "summary": true, "encrypted_content": true}
)

// made returns the message in a value. Members that are not sent go to About. It returns nil if the
// value is not a message.
func (t *task) made(v value, path string) *series.Message {
	sent, item, kept := written{}, written{}, map[string]value{}
	isItem := v.get("type").text() == "reasoning"
	for name, w := range v.members() {
		switch {
		case isItem && reasoningSent[name]:
			item[name] = w
		case clineSent[name]:
			sent[name] = w
		case !w.missing():
			kept[name] = value{raw: w.canonical()}
		}
	}
	if sent["role"].text() == "" && !isItem {
		return nil
	}
	var parts, thoughts []value
	for _, part := range sent["content"].elements() {
		if part.get("type").text() == "reasoning" && part.get("encrypted_content").missing() { // not sent again
			if text := part.get("text"); text.is('"') {
				part = text
			}
			thoughts = append(thoughts, value{raw: part.canonical()})
			continue
		}
		parts = append(parts, part)
	}
	switch len(thoughts) {
	case 0:
	case 1:
		kept["reasoning"] = thoughts[0]
	default:
		kept["reasoning"] = listOfValues(thoughts)
	}
	if isItem {
		sent["role"], parts = quoted("assistant"), []value{item.value()}
	}
	if sent["content"].is('[') || isItem {
		sent["content"] = listOfValues(parts)
	}
	m := newMessage(value{raw: sent.value().raw, doc: v.doc, off: v.off}, path)
	setAbout(m, kept)
	return m
}

// call begins the call that returned v. before is the previous message.
func (t *task) call(v, before value, i int) error {
	r := &series.Request{Time: before.get("ts").instant(), Origin: series.Origin{Line: v.line(), Path: "$[" + strconv.Itoa(i) + "]"}}
	got := v.pick("modelInfo", "metrics", "ts")
	if got[1].get("tokens").is('{') {
		r.Usage = got[1].canonical()
	}
	if s := t.shownOf(i, got[2].instant()); s != nil {
		if !s.at.IsZero() {
			r.Time = s.at
		}
		r.Model = s.model
		info := map[string]value{}
		for name, w := range s.info.members() {
			if name != "request" {
				info[name] = value{raw: w.canonical()}
			}
		}
		if info["tokensIn"].raw != "" {
			r.Usage = object(info)
		}
		r.Failed = strings.Clone(info["streamingFailedMessage"].text())
		if s.deleted != t.deleted && s.deleted[0] <= s.deleted[1] {
			t.deleted = s.deleted
			if err := t.truncated(r.Time); err != nil {
				return err
			}
		}
	}
	if model := got[0].get("modelId").text(); model != "" {
		r.Model = strings.Clone(model)
	}
	if err := t.trim(r.Time); err != nil {
		return err
	}
	return t.transcript.call(r)
}

// shownOf returns the displayed request whose answer is message i, or nil.
func (t *task) shownOf(i int, answered time.Time) *shownRequest {
	n := 0
	for n < len(t.requests) {
		if s := t.requests[n]; s.index >= i || s.index == -2 && (answered.IsZero() && n > 0 || !answered.IsZero() && s.at.After(answered)) {
			break
		}
		n++
	}
	if n == 0 {
		return nil
	}
	if n > 1 {
		t.noteOnce(thread.Kept, "", t.requests[0].row, "requests that have no answer in the conversation are left out")
	}
	s := &t.requests[n-1]
	t.requests = t.requests[n:]
	return s
}

// condensed sends the state after a compaction: the summary, which is the next message.
func (t *task) condensed(v value, summary *series.Message, shown value) error {
	summary.Summary = true
	e := &series.Event{Kind: "compaction"}
	if n, ok := shown.get("prevContextTokens").integer(); ok {
		e.Before = int64(n)
	}
	if n, ok := shown.get("newContextTokens").integer(); ok {
		e.After = int64(n)
	}
	return t.state(&series.Request{
		Event: e, Time: v.get("ts").instant(), Why: []series.Reason{{Cause: series.Compacted, Line: v.line(), Path: summary.Path}},
		Origin: series.Origin{Line: v.line(), Path: summary.Path},
	}, []*series.Message{summary})
}

// clineContinued begins the summary that Cline sends for what it deletes.
const clineContinued = "This session is being continued from a previous conversation that ran out of context."

// truncated sends the state after Cline deleted a range of messages.
func (t *task) truncated(at time.Time) error {
	from, to := min(max(t.deleted[0], 0), len(t.all)), min(max(t.deleted[1]+1, 0), len(t.all))
	rest, why := t.all[max(from, to):], series.Reason{Cause: series.Trimmed}
	if len(rest) > 0 {
		why.Line, why.Path = rest[0].Line, rest[0].Path
		if strings.Contains(rest[0].Value, clineContinued) {
			why.Cause, rest[0].Summary = series.Compacted, true
		}
	}
	return t.state(&series.Request{
		Event: &series.Event{Kind: "compaction"}, Time: at, Why: []series.Reason{why}, Origin: series.Origin{Line: why.Line, Path: why.Path},
	}, slices.Concat(t.all[:from:from], rest))
}

// trim sends the states after the truncations of Roo Code before a call.
func (t *task) trim(at time.Time) error {
	for len(t.trims) > 0 && !t.trims[0].at.After(at) {
		cut := t.trims[0]
		t.trims = t.trims[1:]
		if cut.at.IsZero() {
			t.note(thread.Kept, "", cut.v, "when messages were truncated is not in this file; they are taken to leave here")
		}
		list := slices.DeleteFunc(slices.Clone(t.messages), func(m *series.Message) bool { return cut.id != "" && t.parents[m] == cut.id })
		err := t.state(&series.Request{
			Event: &series.Event{Kind: "compaction"}, Time: cut.at, Why: []series.Reason{{Cause: series.Trimmed, Line: cut.v.line()}},
			Origin: series.Origin{Line: cut.v.line()},
		}, list)
		if err != nil {
			return err
		}
	}
	return nil
}
