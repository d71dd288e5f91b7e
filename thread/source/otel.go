package source

import (
	"cmp"
	"context"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isOTel recognizes OTLP JSON exports of OpenTelemetry.
func isOTel(first []value) bool {
	return slices.ContainsFunc(first, func(v value) bool {
		got := v.pick("resourceSpans", "resourceLogs")
		return got[0].is('[') || got[0].missing() && got[1].is('[')
	})
}

// span is a span, which may be known only from events.
type span struct {
	at         value // zero if it is known only from events
	trace      string
	start      time.Time
	attributes map[string]value
	events     []event
	request    *series.Request
	partial    *series.Request // made from the attributes; its messages are events
	isCall     bool            // marked as a model call
}

type spanID struct{ trace, id string }

// event is a message that was recorded as an event of a span or as a log record, and not as an
// attribute.
type event struct {
	name string // such as gen_ai.user.message
	text string // the message, in JSON
	line int
}

// export is the state of reading an export. Spans are written when they end, so they are sorted by
// start before their requests are sent.
type export struct {
	*bodies
	spans         []*span
	byID          map[spanID]*span
	conversations map[string]string // the conversation of each trace
	empty         []*span           // model calls without messages
}

func openExport(*group) parser {
	return &export{bodies: &bodies{settings: map[string]string{}}, byID: map[spanID]*span{}, conversations: map[string]string{}}
}

// file reads an export. A call is a span with messages. The calls of a conversation, or else of a
// trace, are a sample.
func (x *export) file(ctx context.Context, rd *reader) error {
	x.reader = rd
	each := func(d *document) error {
		for _, resource := range d.root().get("resourceSpans").elements() {
			for _, scope := range resource.first("scopeSpans", "instrumentationLibrarySpans").elements() {
				for _, v := range scope.get("spans").elements() {
					x.span(v)
				}
			}
		}
		for _, resource := range d.root().get("resourceLogs").elements() {
			for _, scope := range resource.get("scopeLogs").elements() {
				for _, v := range scope.get("logRecords").elements() {
					x.record(v)
				}
			}
		}
		return nil
	}
	return rd.documents(ctx, each)
}

// span reads a span. It reads the attributes immediately, so that the line need not stay in memory.
func (x *export) span(v value) {
	got := v.pick("spanId", "traceId", "startTimeUnixNano", "attributes", "events")
	s := x.known(strings.Clone(got[0].text()), strings.Clone(got[1].text()))
	s.at, s.start, s.attributes = v, got[2].instant(), attributes(got[3])
	for _, e := range got[4].elements() {
		if name := e.get("name").text(); strings.HasPrefix(name, "gen_ai.") {
			s.events = append(s.events, event{strings.Clone(name), object(attributes(e.get("attributes"))), e.line()})
		}
	}
	if id := s.attributes["gen_ai.conversation.id"].text(); id != "" {
		x.conversations[s.trace] = strings.Clone(id)
	} else if id := s.attributes["session.id"].text(); id != "" && x.conversations[s.trace] == "" {
		x.conversations[s.trace] = strings.Clone(id)
	}
	x.fromSpan(s)
	s.attributes, s.at = nil, value{doc: &document{file: v.doc.file, line: v.line()}}
}

// record reads a log record, which may be a message of a span.
func (x *export) record(v value) {
	got := v.pick("spanId", "traceId", "timeUnixNano", "attributes", "eventName", "body", "observedTimeUnixNano")
	attrs := attributes(got[3])
	name := cmp.Or(got[4].text(), attrs["event.name"].text())
	if !strings.HasPrefix(name, "gen_ai.") || got[0].text() == "" {
		return
	}
	s := x.known(strings.Clone(got[0].text()), strings.Clone(got[1].text()))
	if s.start.IsZero() {
		s.start = cmp.Or(got[2], got[6]).instant()
	}
	s.events = append(s.events, event{strings.Clone(name), plain(got[5]), v.line()})
}

// known returns the span with an id, which is unique within a trace.
func (x *export) known(id, trace string) *span {
	s := x.byID[spanID{trace, id}]
	if s == nil || id == "" {
		s = &span{trace: trace}
		x.byID[spanID{trace, id}] = s
		x.spans = append(x.spans, s)
	}
	return s
}

// fromSpan makes the request of a span from its attributes: from the recorded body, otherwise from
// a list of messages, otherwise from separate attributes for each message.
func (x *export) fromSpan(s *span) {
	attrs := s.attributes
	s.isCall = slices.Contains([]string{"chat", "text_completion", "generate_content"}, attrs["gen_ai.operation.name"].text()) || attrs["openinference.span.kind"].text() == "LLM"
	r := &series.Request{
		Time: s.start, Origin: series.Origin{File: x.reader.name, Line: s.at.line(), Path: "$"},
		Model: strings.Clone(cmp.Or(attrs["gen_ai.request.model"].text(), attrs["llm.model_name"].text(), attrs["gen_ai.response.model"].text())),
		Usage: usage(attrs), Failed: strings.Clone(attrs["error.type"].text()),
	}
	if attrs["openinference.span.kind"].text() == "LLM" {
		if body, ok := x.inside(attrs["input.value"]); ok {
			if list := listOf(body); list.raw != "" {
				// Spans are not in order, so there is no previous request.
				x.fill(r, body, list, "input.value", &latest{})
				if answer, ok := x.inside(attrs["output.value"]); ok {
					x.response(r, answer)
				}
				s.request = r
				return
			}
		}
	}
	input := cmp.Or(attrs["gen_ai.input.messages"].raw, attrs["gen_ai.prompt"].raw)
	list, ok := x.inside(value{raw: input, doc: s.at.doc, off: s.at.off})
	name := "gen_ai.input.messages"
	if !ok {
		list, name = x.numbered(attrs, s.at.line(), "llm.input_messages.", "gen_ai.prompt.")
	}
	if !list.is('[') {
		x.parameters(r, attrs)
		s.partial = r
		return
	}
	r.List, r.Format = "input", string(OTel)
	for i, v := range list.elements() {
		r.Messages = append(r.Messages, x.message(v, name+"["+strconv.Itoa(i)+"]"))
	}
	if len(r.Messages) > 0 && len(r.Messages[0].Answers) > 0 {
		x.noteOnce(thread.Kept, "", s.at, "the request begins with the result of a call; the provider prepended the messages of an earlier response")
	}
	if out, ok := x.inside(attrs["gen_ai.output.messages"]); ok {
		list = out
	} else {
		list, _ = x.numbered(attrs, s.at.line(), "llm.output_messages.", "gen_ai.completion.")
	}
	for _, v := range list.elements() {
		r.Reply = append(r.Reply, newMessage(v, "gen_ai.output.messages"))
		break
	}
	x.parameters(r, attrs)
	s.request = r
}

// parameters reads the members of a request other than its messages.
func (x *export) parameters(r *series.Request, attrs map[string]value) {
	add := func(name string, kind series.SettingKind, text string) {
		if text != "" {
			r.Settings = append(r.Settings, series.Setting{Name: name, Kind: kind, Value: text})
		}
	}
	for name, v := range attrs {
		if name, ok := strings.CutPrefix(name, "gen_ai.request."); ok {
			add(name, series.Parameter, v.canonical())
		}
	}
	if v, ok := x.inside(attrs["gen_ai.system_instructions"]); ok {
		add("system_instructions", series.Instructions, v.canonical())
	}
	if v, ok := x.inside(attrs["gen_ai.tool.definitions"]); ok {
		add("tools", series.Tools, v.canonical())
	} else if v, _ := x.numbered(attrs, 0, "llm.tools.", "llm.request.functions."); v.raw != "" {
		add("tools", series.Tools, v.canonical())
	}
	slices.SortStableFunc(r.Settings, func(a, b series.Setting) int { return cmp.Compare(a.Name, b.Name) })
}

// inside returns the JSON value inside a string. Other values are returned unchanged. The result
// reports whether it is valid and, unless it was a string, whether it is a list or an object.
func (x *export) inside(v value) (value, bool) {
	if !v.is('"') {
		return v, v.is('[') || v.is('{')
	}
	d, bad := parse(x.reader.name, v.text(), v.line())
	if bad != nil {
		return value{}, false
	}
	return d.root(), true
}

// end sends the requests of all spans, conversation by conversation, each by the start of its
// spans.
func (x *export) end(ctx context.Context) error {
	bySample := map[string][]*series.Request{}
	var order []string
	slices.SortStableFunc(x.spans, func(a, b *span) int { return a.start.Compare(b.start) })
	for _, s := range x.spans {
		if s.request == nil {
			x.fromEvents(s)
		}
		if s.request == nil {
			if s.isCall {
				x.empty = append(x.empty, s)
			}
			continue
		}
		sample := cmp.Or(x.conversations[s.trace], s.trace)
		if bySample[sample] == nil {
			order = append(order, sample)
		}
		bySample[sample] = append(bySample[sample], s.request)
	}
	if n := len(x.empty); n > 0 {
		x.note(thread.Kept, "", cmp.Or(x.empty[0].at, value{doc: &document{file: x.reader.name}}), "spans of model calls without messages are left out: %d", n)
	}
	for _, sample := range order {
		for i, r := range bySample[sample] {
			if err := ctx.Err(); err != nil {
				return err
			}
			r.Origin.Sample, r.Origin.Call = sample, i
			if err := x.send(r); err != nil {
				return err
			}
		}
	}
	if len(order) == 0 {
		return x.fail(value{}, engine.ErrFileShape, "no span has the messages of a model call")
	}
	return nil
}

// fromEvents makes the request of a span from the events with its messages.
func (x *export) fromEvents(s *span) {
	r := s.partial
	if r == nil {
		r = &series.Request{Time: s.start, Origin: series.Origin{File: x.reader.name, Line: s.at.line(), Path: "$"}}
	}
	r.List, r.Format = "input", string(OTel)
	for i, e := range s.events {
		role, _, _ := strings.Cut(strings.TrimPrefix(e.name, "gen_ai."), ".")
		d, bad := parse(x.reader.name, e.text, e.line)
		if bad != nil {
			continue
		}
		v := d.root()
		if v.is('{') && roles[role] != series.Other {
			d.text = eventMessage(v, role)
			v = d.root()
		}
		at := "events[" + strconv.Itoa(i) + "]"
		switch {
		case role == "choice":
			if m := v.get("message"); m.is('{') {
				v = m
			}
			m := newMessage(v, at)
			m.Role = series.Assistant
			r.Reply = append(r.Reply, m)
		case roles[role] != series.Other:
			r.Messages = append(r.Messages, x.message(v, at))
			if r.Origin.Line == 0 {
				r.Origin.Line = e.line
			}
		}
	}
	if len(r.Messages) > 0 {
		s.request = r
	}
}

// eventMessage returns the message of an event in the format of chat APIs. The role is in the name
// of the event, and the id of a result is that of its call.
func eventMessage(v value, role string) string {
	members := maps.Collect(v.members())
	if members["role"].raw == "" {
		members["role"] = value{raw: string(canonjson.AppendString(nil, role))}
	}
	if id, ok := members["id"]; ok && role == "tool" && members["tool_call_id"].raw == "" {
		members["tool_call_id"] = id
		delete(members, "id")
	}
	return object(members)
}

// usage returns the token counts of a span as an object, or "".
func usage(attrs map[string]value) string {
	found := map[string]value{}
	for _, prefix := range [...]string{"llm.token_count.", "gen_ai.usage."} { // the last one wins
		for name, v := range attrs {
			if name, ok := strings.CutPrefix(name, prefix); ok {
				found[name] = v
			}
		}
	}
	if len(found) == 0 {
		return ""
	}
	return object(found)
}

// attributes returns the attributes of a span by name, as plain JSON values.
func attributes(list value) map[string]value {
	out := map[string]value{}
	for _, a := range list.elements() {
		got := a.pick("key", "value")
		out[got[0].text()] = value{raw: plain(got[1]), doc: list.doc, off: a.off}
	}
	return out
}

// plain returns the JSON text of an OTLP value, which names its type.
func plain(v value) string {
	for kind, w := range v.members() {
		switch kind {
		case "stringValue", "doubleValue", "boolValue", "bytesValue":
			return w.raw
		case "intValue": // a string, because it may have 64 bits
			if text := w.text(); canonjson.IsNumber(text) {
				return text
			}
			return w.raw
		case "arrayValue":
			var out strings.Builder
			out.WriteString("[")
			for i, e := range w.get("values").elements() {
				if i > 0 {
					out.WriteString(",")
				}
				out.WriteString(plain(e))
			}
			return out.String() + "]"
		case "kvlistValue":
			return object(attributes(w.get("values")))
		}
	}
	return "null"
}

// object returns an object with the given members, sorted by name.
func object(members map[string]value) string {
	return string(canonjson.AppendObject(nil, members, func(dst []byte, v value) []byte { return append(dst, v.raw...) }))
}
