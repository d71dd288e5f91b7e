package source

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// geminiTypes has the types of the messages of Gemini CLI.
var geminiTypes = map[string]fate{"user": fromClient, "gemini": fromModel, "info": bookkeeping, "warning": bookkeeping, "error": bookkeeping}

// These are the members of a message and of a call. Some are kept although they are not sent: the
// last ones of each, from geminiAbout and geminiCallAbout on, under these names.
var (
	geminiMembers    = [...]string{"type", "id", "content", "toolCalls", "tokens", "model", "timestamp", "thoughts", "displayContent"}
	geminiAboutNames = [...]string{"timestamp", "thoughts", "display_content"}

	geminiCallMembers    = [...]string{"result", "args", "id", "name", "status", "timestamp", "description", "resultDisplay"}
	geminiCallAboutNames = [...]string{"status", "timestamp", "description", "result_display"}
)

const (
	geminiAbout     = len(geminiMembers) - len(geminiAboutNames)
	geminiCallAbout = len(geminiCallMembers) - len(geminiCallAboutNames)
)

// keepPicked keeps the values that are not missing, each under its name.
func keepPicked(into map[string]value, names []string, got []value) {
	for i, w := range got {
		if !w.missing() {
			into[names[i]] = value{raw: w.canonical()}
		}
	}
}

// isGeminiCLI recognizes a session by its header, which old ones have around all messages.
func isGeminiCLI(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool { return hasAll(v, "sessionId projectHash") })
}

// geminiSession is the state of reading a session of Gemini CLI.
type geminiSession struct {
	transcript
	records  []*geminiRecord
	ids      map[string]int  // the positions of the records with an id
	called   map[string]bool // the ids of records that began a call
	starts   []int           // the records at which the messages of the transcript begin
	built    int             // the number of records in these messages
	last     int             // the number of messages of the latest call or state
	answer   *geminiRecord   // the answer to the latest call
	replaced []*geminiRecord // the records before set, until the next line shows why they changed
	set      value           // the list that replaced the records, or the line of a rewind
	rewound  bool            // set is the line of a rewind
	resumed  bool            // a header followed the records
}

// geminiRecord is a message of a session.
type geminiRecord struct {
	id, role  string
	parts     []*series.Part
	results   []*series.Part // of its calls, which recent sessions repeat as a message
	thoughts  value          // of an answer that has nothing else
	counted   bool           // its tokens are recorded
	isImplied bool           // it has the results of the message before it
}

type geminiSessions struct{}

func openGeminiSessions(*group) parser { return geminiSessions{} }

func (geminiSessions) end(context.Context) error { return nil }

// file reads a session.
func (geminiSessions) file(ctx context.Context, rd *reader) error {
	s := &geminiSession{
		transcript: transcript{reader: rd, format: thread.Gemini.String(), list: "contents", missing: []string{systemPrompt, toolList}},
		ids:        map[string]int{}, called: map[string]bool{},
	}
	if err := rd.documents(ctx, func(d *document) error { return s.line(ctx, d.root()) }); err != nil {
		return err
	}
	if err := s.settle(); err != nil {
		return err
	}
	s.sync()
	return s.finish()
}

// line reads a line, or an old session, which is a header with all messages.
func (s *geminiSession) line(ctx context.Context, v value) error {
	got := v.pick("$rewindTo", "type", "$set", "sessionId", "messages")
	switch {
	case got[0].is('"'):
		return s.rewind(v, got[0].text())
	case got[1].is('"'):
		return s.message(v, "$")
	case got[2].is('{'):
		if list := got[2].get("messages"); list.is('[') {
			s.replace(list)
		}
	case got[3].is('"'):
		if s.conversation == "" && !s.begun {
			s.conversation = "session " + strings.Clone(got[3].text())
		}
		s.resumed = len(s.records) > 0
		for i, m := range got[4].elements() {
			if err := ctx.Err(); err != nil {
				return err
			}
			if err := s.message(m, "$.messages["+strconv.Itoa(i)+"]"); err != nil {
				return err
			}
		}
	default:
		s.malformed(v, "a line of an unknown kind; it is kept unchanged")
	}
	return nil
}

// message reads a message. It replaces the one with the same id: an answer is recorded
// again when its tokens and the results of its calls are known.
func (s *geminiSession) message(v value, at string) error {
	if err := s.settle(); err != nil {
		return err
	}
	var got [len(geminiMembers)]value // in one pass: a message may be long
	v.pickTo(got[:], geminiMembers[:]...)
	r := s.read(v, got[:], at)
	if r == nil {
		return nil
	}
	tokens, model := got[4], got[5]
	if i, ok := s.ids[r.id]; ok {
		if s.records[i] == s.answer {
			if s.answer = r; s.open.Event == nil && tokens.is('{') {
				s.open.Usage = tokens.canonical()
			}
		} else if tokens.is('{') && !s.records[i].counted {
			s.noteOnce(thread.Kept, "", v, "tokens of an answer that were recorded after the next call are not counted")
		}
		s.update(i, r)
		return nil
	}
	isAnswer := tokens.is('{') || model.is('"') || at != "$" // old sessions have nothing else of the model
	if r.role == "model" && isAnswer && !s.called[r.id] {
		s.sync()
		s.called[r.id] = r.id != ""
		if err := s.call(&series.Request{
			Time: got[6].instant(), Model: strings.Clone(model.text()), Usage: tokens.canonical(), Origin: series.Origin{Line: v.line(), Path: at},
		}); err != nil {
			return err
		}
		s.answer, s.last = r, len(s.messages)
	}
	s.append(r)
	return nil
}

// append adds a message. If it does not have the results of the calls in the one before it, these
// precede it.
func (s *geminiSession) append(r *geminiRecord) {
	isResult := slices.ContainsFunc(r.parts, func(p *series.Part) bool { return strings.HasPrefix(p.Value, `{"functionResponse":`) })
	if n := len(s.records); isResult && n > 0 && s.records[n-1].isImplied {
		s.rebuild(n - 1)
		s.records = s.records[:n-1]
	} else if !isResult {
		s.imply()
	}
	if r.id != "" {
		s.ids[r.id] = len(s.records)
	}
	s.records = append(s.records, r)
}

func (s *geminiSession) imply() {
	if n := len(s.records); n > 0 && len(s.records[n-1].results) > 0 {
		s.records = append(s.records, &geminiRecord{role: "user", parts: s.records[n-1].results, isImplied: true})
	}
}

// read returns a message that is sent, or nil. Its members are in got.
func (s *geminiSession) read(v value, got []value, at string) *geminiRecord {
	r := &geminiRecord{id: strings.Clone(got[1].text()), counted: got[4].is('{')}
	by := "model"
	switch geminiTypes[got[0].text()] {
	case fromClient:
		r.role, by = "user", ""
	case fromModel:
		r.role = "model"
	case bookkeeping:
		return nil
	default:
		s.malformed(v, "a message has the unknown type %q; it is kept unchanged", got[0].text())
		return nil
	}
	content := got[2]
	if !content.is('[') {
		content.raw = "[" + cmp.Or(content.raw, "{}") + "]"
	}
	called := map[string]bool{} // calls in the content, by their ids, or else by their names
	for _, p := range content.elements() {
		if call := p.get("functionCall"); call.is('{') {
			called[cmp.Or(call.get("id").text(), call.get("name").text())] = true
		}
		r.parts = addGeminiPart(r.parts, p, &series.Part{ID: r.id, By: by, Line: v.line(), Path: at})
	}
	for _, call := range got[3].elements() {
		var in [len(geminiCallMembers)]value
		call.pickTo(in[:], geminiCallMembers[:]...)
		if !called[in[2].text()] && !called[in[3].text()] {
			about, sent := map[string]value{}, map[string]value{}
			if len(r.parts) == 0 {
				keepPicked(about, geminiAboutNames[:], got[geminiAbout:])
			}
			keepPicked(about, geminiCallAboutNames[:], in[geminiCallAbout:])
			keepPicked(sent, geminiCallMembers[1:], in[1:geminiCallAbout])
			p := value{raw: `{"functionCall":` + object(sent) + `}`}
			r.parts = addGeminiPart(r.parts, p, &series.Part{ID: r.id, By: by, Line: call.line(), Path: at, About: object(about)})
		}
		result := in[0]
		for _, p := range result.elements() {
			r.results = addGeminiPart(r.results, p, &series.Part{Line: p.line(), Path: at})
		}
		if result.raw != "" && !result.is('[') && !result.missing() {
			s.keepValue("unsent", result)
			s.noteOnce(thread.Kept, "", call, "results that are not lists of parts are kept outside the conversation")
		}
	}
	about := map[string]value{}
	if len(r.parts) > 0 && r.parts[0].About == "" {
		if keepPicked(about, geminiAboutNames[:], got[geminiAbout:]); len(about) > 0 {
			r.parts[0].About = object(about)
		}
	}
	if thoughts := got[7]; len(r.parts) == 0 && thoughts.is('[') && thoughts.raw != "[]" {
		r.thoughts = thoughts
	}
	return r
}

// addGeminiPart adds the part of a value, unless it is a thought or an empty text. The ids of calls
// are recorded with the name of the tool before them, and sent without it.
func addGeminiPart(list []*series.Part, v value, p *series.Part) []*series.Part {
	if v.is('"') && v.raw != `""` {
		v.raw = `{"text":` + v.raw + `}`
	}
	got := v.pick("thought", "functionCall", "functionResponse", "text")
	if !v.is('{') || v.raw == "{}" || got[0].is('t') {
		return list
	}
	p.Value = v.canonical()
	for i, name := range [...]string{"functionCall", "functionResponse"} {
		if !got[i+1].is('{') {
			continue
		}
		in := got[i+1].pick("id", "name")
		if id, ok := strings.CutPrefix(in[0].text(), in[1].text()+"__"); ok && in[1].is('"') {
			members := map[string]value{}
			for n, w := range got[i+1].members() {
				members[n] = value{raw: w.canonical()}
			}
			members["id"] = value{raw: string(canonjson.AppendString(nil, id))}
			p.Value = `{"` + name + `":` + object(members) + `}`
		}
	}
	if p.By == "" { // a text of the model may be long
		if text := got[3].text(); text != "" {
			p.By = "person"
			if p.Summary = strings.HasPrefix(text, snapshotTag); p.Summary || strings.HasPrefix(text, "<session_context>") {
				p.By = "client"
			}
		}
	}
	return append(list, p)
}

// snapshotTag begins the summary of a compaction.
const snapshotTag = "<state_snapshot>"

// update replaces a record. If the message that has it keeps its place, only that is made again.
func (s *geminiSession) update(i int, r *geminiRecord) {
	old := s.records[i]
	s.records[i] = r
	if i >= s.built || old.role != r.role || len(old.parts) == 0 || len(r.parts) == 0 {
		s.rebuild(i)
		return
	}
	k, _ := slices.BinarySearch(s.starts, i+1)
	end := s.built
	if k < len(s.starts) {
		end = s.starts[k]
	}
	s.messages[k-1] = s.merged(nil, s.starts[k-1], end)
	s.kept = min(s.kept, k-1)
}

// merged returns the message of adjacent records, or nil if they are empty. It returns old if that
// is the same message.
func (s *geminiSession) merged(old *series.Message, from, to int) *series.Message {
	var parts []*series.Part
	for _, r := range s.records[from:to] {
		parts = append(parts, r.parts...)
	}
	role := s.records[from].role
	switch {
	case len(parts) == 0:
		return nil
	case old != nil && slices.Equal(old.Parts, parts) && strings.HasSuffix(old.Value, `"role":"`+role+`"}`):
		return old
	}
	return geminiMessage(role, parts)
}

// rebuild discards the messages made from a record and those after it.
func (s *geminiSession) rebuild(record int) {
	n := len(s.starts)
	for n > 0 && s.built > record {
		n--
		s.built = s.starts[n]
	}
	s.starts = s.starts[:n]
}

// maxMerged limits the number of parts of a message that was sent and may still grow. It bounds the
// cost.
const maxMerged = 64

// build makes messages of the records that have no message yet. Adjacent records with the same role
// become one message. A message that is equal to the previous one at its position is reused. The
// list is changed in place: copying it for each call would make long sessions quadratic.
func (s *geminiSession) build() {
	old, n := s.messages, len(s.starts)
	if n > 0 && s.built < len(s.records) && (n > s.last || len(old[n-1].Parts) < maxMerged) {
		n-- // what follows may belong to it
		s.built, s.starts = s.starts[n], s.starts[:n]
	}
	list, same := old[:n], n
	for s.built < len(s.records) {
		first := s.built
		role := s.records[first].role
		for s.built < len(s.records) && (s.records[s.built].role == role || len(s.records[s.built].parts) == 0) {
			s.built++
		}
		var before *series.Message
		if k := len(list); k < len(old) {
			before = old[k]
		}
		if m := s.merged(before, first, s.built); m != nil {
			if m == before && same == len(list) {
				same++
			}
			list, s.starts = append(list, m), append(s.starts, first)
		}
	}
	s.messages, s.kept = list, min(s.kept, same)
}

func geminiMessage(role string, parts []*series.Part) *series.Message {
	const begin, end = `{"parts":[`, `],"role":"`
	n := len(begin) + len(end) + len(role) + len(`"}`)
	for _, p := range parts {
		n += len(p.Value) + len(",")
	}
	var b strings.Builder
	b.Grow(n)
	b.WriteString(begin)
	for i, p := range parts {
		if i > 0 {
			b.WriteByte(',')
		}
		b.WriteString(p.Value)
	}
	for _, text := range [...]string{end, role, `"}`} {
		b.WriteString(text)
	}
	return readMessage(&series.Message{Value: b.String(), Parts: parts, Line: parts[0].Line, Path: parts[0].Path})
}

// sync makes the messages, and sets the reply and the messages after it of the latest call or
// state.
func (s *geminiSession) sync() {
	s.imply()
	s.build()
	r, rest := s.open, s.messages[s.kept:]
	if r == nil {
		return
	}
	if a := s.answer; r.Event == nil && a != nil && len(a.parts) > 0 && len(rest) > 0 {
		m := s.messages[min(s.last, len(s.messages)-1)]
		if r.Reply = []*series.Message{m}; !slices.Equal(m.Parts, a.parts) {
			r.Reply = []*series.Message{geminiMessage("model", a.parts)}
		}
		rest = rest[1:]
	} else if a != nil && a.thoughts.raw != "" {
		s.keepValue("unsent", a.thoughts)
		a.thoughts = value{}
	}
	if r.After = nil; s.kept == s.last {
		r.After = slices.Clone(rest)
	}
}

// replace reads a list of messages that replaces all others.
func (s *geminiSession) replace(list value) {
	if s.set.raw == "" {
		s.sync()
		s.replaced = s.records
	}
	s.set, s.records, s.ids = list, nil, map[string]int{}
	for _, m := range list.elements() {
		if r := s.read(m, m.pick(geminiMembers[:]...), "$.$set.messages"); r != nil {
			s.append(r)
		}
	}
}

// settle interprets a list that replaced all messages. It is a rewind, a compaction, an interrupt
// or an edit. At the beginning of a session, and when it is resumed, it is not an event.
func (s *geminiSession) settle() error {
	if s.set.raw == "" {
		return nil
	}
	s.imply()
	before, at, rewound, resumed := s.replaced, s.set, s.rewound, s.resumed
	s.replaced, s.set, s.rewound, s.resumed = nil, value{}, false, false
	same := 0
	for same < min(len(before), len(s.records)) && s.records[same] == before[same] {
		same++
	}
	old := map[string]*geminiRecord{}
	if same < len(s.records) {
		for _, r := range before {
			old[r.id] = r
		}
	}
	for i := same; i < len(s.records); i++ {
		r := s.records[i]
		if x := old[r.id]; x != nil && x.equals(r) { // the copy may have another time
			s.records[i] = x
		}
		if same == i && i < len(before) && s.records[i] == before[i] {
			same++
		}
	}
	s.rebuild(same)
	switch rest := before[same:]; {
	case rewound:
		return s.event("rewind", series.Rewound, at)
	case slices.ContainsFunc(s.records[same:], (*geminiRecord).isSummary):
		return s.event("compaction", series.Compacted, at)
	case len(rest) == 0 || resumed:
		return nil
	case same < len(s.records):
		return s.event("edit", series.Edited, at)
	case slices.ContainsFunc(rest, func(r *geminiRecord) bool { return r.role == "model" }):
		return s.event("rewind", series.Rewound, at)
	}
	return s.event("interrupt", series.Rewound, at)
}

func (r *geminiRecord) isSummary() bool {
	return slices.ContainsFunc(r.parts, func(p *series.Part) bool { return p.Summary })
}

func (r *geminiRecord) equals(x *geminiRecord) bool {
	return r.id == x.id && r.role == x.role && slices.EqualFunc(r.parts, x.parts, func(a, b *series.Part) bool { return a.Value == b.Value })
}

// rewind drops a message and all that follow it. If no message has the id, it drops all. A list of
// the messages that stay may follow.
func (s *geminiSession) rewind(v value, id string) error {
	if err := s.settle(); err != nil {
		return err
	}
	s.sync()
	to := s.ids[id]
	for _, r := range s.records[to:] {
		delete(s.ids, r.id)
	}
	s.replaced, s.set, s.rewound = s.records, v, true
	s.records = slices.Clone(s.records[:to])
	return nil
}

// event begins the state after an event.
func (s *geminiSession) event(kind string, cause series.Cause, v value) error {
	s.build()
	err := s.state(&series.Request{
		Event: &series.Event{Kind: kind}, Why: []series.Reason{{Cause: cause, Line: v.line(), Path: "$"}}, Origin: series.Origin{Line: v.line(), Path: "$"},
	}, s.messages)
	s.answer, s.last = nil, len(s.messages)
	return err
}
