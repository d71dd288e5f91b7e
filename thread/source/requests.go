package source

import (
	"cmp"
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isRequests recognizes request bodies, on separate lines or in a list.
func isRequests(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool {
		if isTraced(v) {
			return true
		}
		list, _ := recordsIn(v)
		for _, w := range list.elements() {
			if isRequest(w) {
				return true
			}
			if v.is('[') {
				return false
			}
		}
		return !list.is('[') && isRequest(v)
	})
}

// isRequest reports whether a value has a list of messages. Other files, such as translation
// catalogs and exports of chats, may have a list named messages, too, so one of its elements must
// be a message to a model. An empty list counts.
func isRequest(v value) bool {
	x, ok := exchangeOf(v)
	switch {
	case !ok:
		return false
	case x.list.is('"'):
		return isPrompt(x)
	case !x.list.is('['):
		return x.body.get("model").is('"')
	}
	isEmpty := true
	for _, m := range x.list.elements() {
		if isEmpty = false; isMessage(m, x.name) {
			return true
		}
	}
	return isEmpty
}

// bodies is the state of reading requests.
type bodies struct {
	*reader
	latest    map[string]*latest // by conversation
	settings  map[string]string
	exchanges map[string]*exchanged // by what later requests name
	format    string
	time      time.Time
	url       string        // of the request that is being read
	whole     *wholeRequest // of a recording, that is being read
	answered  string        // the format of its answer
	besides
}

// latest describes the latest request of a conversation.
type latest struct {
	list    string            // the JSON of its messages
	ends    []int             // offsets in list at which messages end
	body    []*series.Message // these messages
	sent    []*series.Message // what the model was sent
	format  string
	edits   string          // what the provider said that it left out
	cleared map[string]bool // ids of what that was
}

func openRequests(*group) parser { return &bodies{settings: map[string]string{}} }

func (b *bodies) end(ctx context.Context) error { return b.resume(ctx, 0) }

// containers are members of a file that is one object with a list of records.
var containers = [...][]string{{"log", "entries"}, {"requests"}}

// recordsIn returns the list of records in a document: it is one, or has one as a member.
func recordsIn(root value) (list value, path string) {
	if root.is('[') {
		return root, "$"
	}
	for _, names := range containers {
		if w := root.get(names...); w.is('[') {
			return w, "$." + strings.Join(names, ".")
		}
	}
	return value{}, ""
}

// file reads the bodies of requests.
func (b *bodies) file(ctx context.Context, rd *reader) error {
	b.reader, b.latest = rd, map[string]*latest{}
	if !rd.peeked {
		if _, err := rd.peek(ctx); err != nil {
			return err
		}
	}
	if first := rd.first; rd.byLines {
		if rd.first = nil; isTraced(first[0]) {
			b.bundle = true
			return b.trace(ctx)
		}
		b.split = isSplit(first)
	}
	if b.bundle { // a payload, which the events name
		return nil
	}
	found := false
	each := func(d *document) error {
		root := d.root()
		if ok, err := b.keepBeside(ctx, root); ok || err != nil {
			return err
		}
		list, path := recordsIn(root)
		if list.is('[') && (!root.is('[') || !found) {
			for i, v := range list.elements() {
				if _, ok := exchangeOf(v); !ok && !root.is('[') {
					b.noteOnce(thread.Kept, "", v, "exchanges that are no requests to a model are left out")
					continue
				}
				if err := b.request(ctx, v, path+"["+strconv.Itoa(i)+"]"); err != nil {
					return err
				}
			}
		} else if b.split || len(b.files) > 1 && !isLines(b.name) {
			return b.hold(ctx, root)
		} else if err := b.request(ctx, root, "$"); err != nil {
			return err
		}
		found = true
		return nil
	}
	return rd.documents(ctx, each)
}

// request reads one body and the rest of its record.
func (b *bodies) request(ctx context.Context, v value, at string) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	x, ok := exchangeOf(v)
	if !ok {
		b.malformed(v, "not the body of a request: it has none of the lists %s; it is kept unchanged", strings.Join(listNames[:], ", "))
		return nil
	}
	b.attach(&x, v)
	if b.whole != nil {
		x.status = b.whole.status
	}
	at += x.path
	if what := x.notCall(); what != "" {
		b.noteOnce(thread.Kept, "", v, what+" are not model calls; they are left out")
		if name := x.answer.get("name").text(); name != "" && x.name == "contents" { // a cache of Gemini
			b.remember(&exchanged{sent: b.messagesOf(x.list, at+"."+x.name, &latest{})}, name)
		}
		return nil
	}
	r := &series.Request{Origin: series.Origin{File: b.reader.name, Call: b.calls, Line: v.line(), Path: at}, Recorded: true}
	b.calls++
	conversation := conversationOfBody(x.body.get("conversation"))
	r.ConversationID = b.conversationOf(&x, conversation)
	last := b.latest[r.ConversationID]
	if last == nil {
		last = &latest{}
		b.latest[r.ConversationID] = last
	}
	b.url, b.answered = x.url, formatOfAnswer(x.answer)
	b.members(r, &x, at, last)
	b.url, b.answered = "", ""
	a := b.around(r, &x)
	for i, m := range r.Reply {
		r.Reply[i] = b.thinking(m)
	}
	b.indexed(ctx, r)
	for _, id := range []string{x.body.get("previous_response_id").text(), conversation} {
		if err := b.state(b.exchanges[id], last); err != nil {
			return err
		}
	}
	sent, grown := b.provided(r, x.body, last.body)
	if r.Format == thread.Anthropic.String() {
		cleared := false
		if sent, cleared = b.edited(x.body, sent, a.edits, r.Reply != nil, last); cleared {
			r.Why = append(r.Why, series.Reason{Cause: series.Cleared, Line: r.Origin.Line, Path: x.answer.path()})
		}
	}
	last.place(r, sent)
	isCompact := strings.HasSuffix(strings.TrimSuffix(x.url, "/"), "/responses/compact")
	if isCompact {
		r.Side = "compaction"
	}
	choose(b.last, r)
	if err := b.send(r); err != nil {
		return err
	}
	e := &exchanged{sent: last.sent, reply: r.Reply, grown: grown, missing: r.Missing}
	list, ok := b.afterCompaction(r)
	switch {
	case isCompact:
		if a.before == 0 {
			a.before = sentTokens(r.Usage)
		}
		e.compacted = compacted(r, a, r.Reply)
	case ok:
		e.compacted = compacted(r, a, list)
	}
	if r.Format == thread.OpenAIResponses.String() && r.Failed == "" {
		b.remember(e, r.AnswerID, conversation)
		if !isCompact { // the input of the next request may still have what was compacted
			return nil
		}
	}
	return b.state(e, last)
}

// conversationOf returns the id of the conversation of a request; conversation is that in its body.
func (b *bodies) conversationOf(x *exchange, conversation string) string {
	if b.traced != nil {
		return b.traced.thread
	}
	id := places.session.text(x.beside)
	if x.path != "" && id == "" {
		id = x.beside.get("conversation").text()
	}
	return strings.Clone(cmp.Or(id, conversation, ofClient(x.body, "thread_id")))
}

// state sends the state after an exchange with a compaction, once.
func (b *bodies) state(e *exchanged, last *latest) error {
	if e == nil || e.compacted == nil || len(e.compacted.Messages) == 0 {
		return nil
	}
	r := e.compacted
	e.sent, e.reply, e.grown, e.compacted = nil, r.Messages, false, nil
	last.sent = r.Messages
	return b.send(r)
}

// fill reads a body into a request. last describes the previous request of the conversation and is
// updated.
func (b *bodies) fill(r *series.Request, body, list value, at string, last *latest) {
	name, _, _ := listIn(body)
	b.members(r, &exchange{body: body, list: list, name: name}, at, last)
	last.place(r, last.body)
}

// members reads the members of a body. The messages become those of last.body.
func (b *bodies) members(r *series.Request, x *exchange, at string, last *latest) {
	r.List = x.name
	for name, w := range x.body.members() {
		if name == x.name {
			continue
		}
		if _, ok := bodyMembers[name]; x.flat && !ok {
			continue
		}
		s, ok := b.whole.setting(name)
		if !ok {
			s = b.setting(name, w)
		}
		r.Settings = append(r.Settings, s)
		if name == "model" || name == "modelId" {
			r.Model = strings.Clone(w.text())
		}
	}
	slices.SortFunc(r.Settings, func(x, y series.Setting) int { return cmp.Compare(x.Name, y.Name) })
	r.Messages = b.messagesOf(x.list, at+"."+r.List, last)
	r.Format = b.formatOf(r, last)
	b.format, last.format = r.Format, r.Format
}

// messagesOf returns the messages of a request that its JSON does not share with the previous list,
// and puts all of them into last.body.
func (b *bodies) messagesOf(list value, at string, last *latest) []*series.Message {
	if b.whole != nil && b.whole.messages != nil {
		last.list, last.ends, last.body = "", nil, b.whole.messages
		return last.body
	}
	if !list.is('[') {
		last.list, last.ends, last.body = "", nil, nil
		if list.is('"') {
			last.body = []*series.Message{{Value: list.canonical(), Role: series.User, Line: list.line(), Path: at}}
		}
		return last.body
	}
	same := commonPrefix(list.raw, last.list)
	base := 0
	for base < len(last.ends) && last.ends[base] < same { // also the byte after the message
		base++
	}
	ends, body := last.ends[:base:base], last.body[:base]
	if base < len(last.body) {
		body = slices.Clip(body) // others have the rest
	}
	for i, w := range list.elements() {
		if i < base {
			continue
		}
		ends = append(ends, w.off-list.off+len(w.raw))
		body = append(body, b.thinking(b.message(w, at+"["+strconv.Itoa(i)+"]")))
	}
	last.list, last.ends, last.body = strings.Clone(list.raw), ends, body // do not retain the line
	return body[base:]
}

// place sets the messages of a request: those that the previous one does not begin with.
func (last *latest) place(r *series.Request, list []*series.Message) {
	r.Base = 0
	for r.Base < min(len(list), len(last.sent)) && list[r.Base] == last.sent[r.Base] {
		r.Base++
	}
	r.Messages = list[r.Base:len(list):len(list)]
	last.sent = list
}

// commonPrefix returns the length of the common prefix of two strings.
func commonPrefix(a, b string) int {
	const block = 4096
	n := min(len(a), len(b))
	same := 0
	for same+block <= n && a[same:same+block] == b[same:same+block] {
		same += block
	}
	for same < n && a[same] == b[same] {
		same++
	}
	return same
}

// setting returns a member other than the messages. The string of an unchanged value is shared with
// the previous request.
func (b *bodies) setting(name string, v value) series.Setting {
	text, ok := b.settings[name]
	if !ok || text != v.raw {
		text = v.canonical()
		b.settings[name] = text
	}
	s := series.Setting{Name: name, Value: text}
	switch name {
	case "tools", "functions":
		s.Kind = series.Tools
	case "toolConfig": // of Bedrock; that of Gemini has no tools
		if v.get("tools").raw != "" {
			s.Kind = series.Tools
		}
	case "system", "instructions", "systemInstruction", "system_instruction":
		s.Kind = series.Instructions
	}
	return s
}

// around reads the members of a record other than the body: the answer, the time, what failed.
func (b *bodies) around(r *series.Request, x *exchange) (a statement) {
	v := x.beside
	for _, w := range places.time.in(v) {
		if r.Time = w.instant(); !r.Time.IsZero() {
			break
		}
	}
	if !r.Time.IsZero() {
		if r.Time.Before(b.time) {
			b.noteOnce(thread.Kept, "", v, "the requests are not in chronological order; they are read in the order of the file")
		}
		b.time = r.Time
	}
	if !x.answer.missing() {
		a = b.response(r, x.answer)
	}
	if r.Usage == "" {
		r.Usage = usageBeside(v)
	}
	if r.Model == "" {
		r.Model = strings.Clone(v.first("model", "modelId").text())
	}
	r.FromCache = isFromCache(v) || x.path == ".kwargs" && isFromCache(x.body)
	r.Failed = cmp.Or(r.Failed, failureOf(v.get("error")))
	if x.status >= 400 {
		r.Failed = strings.TrimSpace(strconv.Itoa(x.status) + " " + r.Failed)
	}
	return a
}

// isFromCache reports whether a record says that the cache of a gateway has answered: cache_hit of
// LiteLLM, which is a text in the rows of its database, or cached of Cloudflare.
func isFromCache(v value) bool {
	return slices.ContainsFunc(v.pick("cache_hit", "cached"), func(w value) bool { return w.is('t') || strings.EqualFold(w.text(), "true") })
}
