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

// listNames are the members of a request that may contain its messages.
var listNames = [...]string{"messages", "contents", "input"}

// bodyOf returns the body of a request: the member request or body of a record, otherwise the
// record.
func bodyOf(v value) value {
	for _, w := range v.pick("request", "body") {
		if w.is('{') && listOf(w).raw != "" {
			return w
		}
	}
	return v
}

// listOf returns the messages of a body, or a missing value.
func listOf(body value) value {
	for i, w := range body.pick(listNames[:]...) {
		if w.is('[') || listNames[i] == "input" && w.is('"') {
			return w
		}
	}
	return value{}
}

// isRequests recognizes request bodies, on separate lines or in a list.
func isRequests(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool {
		for _, w := range v.elements() {
			return isRequest(w)
		}
		return isRequest(v)
	})
}

// isRequest reports whether a value has a list of messages. Other files, such as translation
// catalogs, may have a list named messages, too, so one of its elements must look like a message.
// An empty list counts, and so does a text if there is a model.
func isRequest(v value) bool {
	body := bodyOf(v)
	list := listOf(body)
	if !list.is('[') {
		return list.raw != "" && body.get("model").is('"')
	}
	isEmpty := true
	for _, m := range list.elements() {
		if isEmpty = false; slices.ContainsFunc(m.pick("role", "type", "parts"), func(w value) bool { return !w.missing() }) {
			return true
		}
	}
	return isEmpty
}

// bodies is the state of reading requests.
type bodies struct {
	*reader
	latest   map[string]*latest // by conversation
	settings map[string]string
	format   string
	time     time.Time
}

// latest describes the latest request of a conversation.
type latest struct {
	list   string // the JSON of its messages
	ends   []int  // offsets in list at which messages end
	format string
}

func openRequests(*group) parser { return &bodies{settings: map[string]string{}} }

func (b *bodies) end(context.Context) error { return nil }

// file reads the bodies of requests.
func (b *bodies) file(ctx context.Context, rd *reader) error {
	b.reader, b.latest = rd, map[string]*latest{}
	found := false
	each := func(d *document) error {
		root := d.root()
		if root.is('[') && !found {
			for i, v := range root.elements() {
				if err := b.request(ctx, v, "$["+strconv.Itoa(i)+"]"); err != nil {
					return err
				}
			}
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
	body := bodyOf(v)
	list := listOf(body)
	if list.raw == "" {
		b.malformed(v, "not the body of a request: it has none of the lists %s; it is kept unchanged", strings.Join(listNames[:], ", "))
		return nil
	}
	if body.off != v.off || body.raw != v.raw {
		at += ".request"
	}
	r := &series.Request{Origin: series.Origin{File: b.reader.name, Call: b.calls, Line: v.line(), Path: at}}
	b.calls++
	beside := body.raw != v.raw
	if beside {
		r.ConversationID = strings.Clone(v.first("conversation_id", "session_id", "thread_id", "conversation").text())
	}
	last := b.latest[r.ConversationID]
	if last == nil {
		last = &latest{}
		b.latest[r.ConversationID] = last
	}
	b.fill(r, body, list, at, last)
	if beside {
		b.around(r, v)
	}
	return b.send(r)
}

// fill reads a body into a request. last describes the previous request of the conversation and is
// updated.
func (b *bodies) fill(r *series.Request, body, list value, at string, last *latest) {
	for name, w := range body.members() {
		if w.off == list.off {
			r.List = name
			continue
		}
		r.Settings = append(r.Settings, b.setting(name, w))
		switch {
		case name == "model":
			r.Model = strings.Clone(w.text())
		case name == "previous_response_id" && !w.missing():
			b.noteOnce(thread.Kept, "", w, "the provider prepended the messages of an earlier response; they are not in the request")
		}
	}
	slices.SortFunc(r.Settings, func(x, y series.Setting) int { return cmp.Compare(x.Name, y.Name) })
	b.messagesOf(r, list, at+"."+r.List, last)
	r.Format = cmp.Or(formatOf(r), last.format, b.format, thread.OpenAI.String())
	b.format, last.format = r.Format, r.Format
}

// messagesOf makes the messages of a request, except the first ones if their JSON is the same as in
// the previous list.
func (b *bodies) messagesOf(r *series.Request, list value, at string, last *latest) {
	if list.is('"') {
		r.Messages = []*series.Message{{Value: list.canonical(), Role: series.User, Line: list.line(), Path: at}}
		last.list, last.ends = "", nil
		return
	}
	same := commonPrefix(list.raw, last.list)
	for r.Base < len(last.ends) && last.ends[r.Base] < same { // also the byte after the message
		r.Base++
	}
	ends := last.ends[:r.Base:r.Base]
	for i, w := range list.elements() {
		if i < r.Base {
			continue
		}
		ends = append(ends, w.off-list.off+len(w.raw))
		r.Messages = append(r.Messages, b.message(w, at+"["+strconv.Itoa(i)+"]"))
	}
	last.list, last.ends = list.raw, ends
	if r.ConversationID != "" {
		last.list = strings.Clone(list.raw) // do not retain the lines of many conversations
	}
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
	case "system", "instructions", "systemInstruction", "system_instruction":
		s.Kind = series.Instructions
	}
	return s
}

// around reads the members of a record other than the body: the response and the time.
func (b *bodies) around(r *series.Request, v value) {
	r.Time = v.first("time", "timestamp", "created_at", "start_time").instant()
	if !r.Time.IsZero() {
		if r.Time.Before(b.time) {
			b.noteOnce(thread.Kept, "", v, "the requests are not in chronological order; they are read in the order of the file")
		}
		b.time = r.Time
	}
	response := v.first("response", "output")
	if response.is('{') {
		b.response(r, response)
	}
	refused := cmp.Or(failureOf(response.get("error")), failureOf(v.get("error")))
	if status, ok := v.first("status", "status_code").integer(); ok && status >= 400 {
		refused = strings.TrimSpace(strconv.Itoa(status) + " " + refused)
	}
	r.Failed = refused
}

// response reads the answer of the model.
func (b *bodies) response(r *series.Request, v value) {
	got := v.pick("choices", "content", "output", "candidates", "usage", "usageMetadata", "model", "role", "modelVersion", "body")
	if got[9].is('{') {
		b.response(r, got[9])
		return
	}
	at := v.path()
	for _, choice := range got[0].elements() {
		if m := choice.get("message"); m.is('{') {
			r.Reply = append(r.Reply, newMessage(m, at+".choices[0].message"))
		}
		break
	}
	if got[1].is('[') {
		r.Reply = append(r.Reply, &series.Message{
			Value: `{"content":` + got[1].canonical() + `,"role":"assistant"}`, Role: series.Assistant, Line: v.line(), Path: at,
		})
	}
	for i, item := range got[2].elements() {
		r.Reply = append(r.Reply, newMessage(item, at+".output["+strconv.Itoa(i)+"]"))
	}
	for _, candidate := range got[3].elements() {
		if m := candidate.get("content"); m.is('{') {
			r.Reply = append(r.Reply, newMessage(m, at+".candidates[0].content"))
		}
		break
	}
	r.Usage = cmp.Or(got[4].canonical(), got[5].canonical())
	if r.Model == "" {
		r.Model = strings.Clone(cmp.Or(got[6].text(), got[8].text()))
	}
}

// formatOf returns the format of the messages of a request, or "" if it cannot tell. Anthropic and
// OpenAI's chat API have the same list name, so other members and the messages must distinguish
// them.
func formatOf(r *series.Request) string {
	switch r.List {
	case "contents":
		return thread.Gemini.String()
	case "input":
		return thread.OpenAIResponses.String()
	}
	for _, s := range r.Settings {
		switch {
		case s.Name == "system", s.Name == "anthropic_version", s.Name == "tools" && strings.Contains(s.Value, `"input_schema":`):
			return thread.Anthropic.String()
		case s.Name == "tools" && strings.Contains(s.Value, `"function":`):
			return thread.OpenAI.String()
		}
	}
	for _, m := range r.Messages {
		switch {
		case m.Role == series.System, strings.Contains(m.Value, `"tool_call`):
			return thread.OpenAI.String()
		case strings.Contains(m.Value, `"type":"tool_`):
			return thread.Anthropic.String()
		}
	}
	return ""
}
