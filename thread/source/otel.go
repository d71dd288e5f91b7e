package source

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// isExport returns a function that recognizes exports of spans and log records of a kind.
func isExport(kind Kind) func(first []value) bool {
	return func(first []value) bool {
		return slices.ContainsFunc(first, func(v value) bool {
			return slices.ContainsFunc(exportShapes, func(shape exportShape) bool { return shape.Kind == kind && shape.list(v).raw != "" })
		})
	}
}

// exportShape is a shape of exports: where the list of an export is, and how its elements are read.
type exportShape struct {
	Kind
	list func(value) value
	read func(*export, value)
}

var exportShapes = []exportShape{
	{OTel, member("resourceSpans"), (*export).resource}, // OTLP
	{OTel, member("batches"), (*export).resource},       // Tempo
	{OTel, member("trace", "resourceSpans"), (*export).resource},
	{OTel, member("trace", "batches"), (*export).resource},
	{OTel, member("resourceLogs"), (*export).logs},
	{OTel, loneResource, (*export).resource},
	{OTel, loneSpans, (*export).span},
	{OTel, jaegerTraces, (*export).jaeger},
	{OTel, plainSpans, (*export).plain}, // the console exporter, Phoenix
	{Langfuse, langfuseTraces, (*export).langfuse},
	{LangSmith, langsmithRuns, (*export).run},
	{LangSmith, langsmithPatches, (*export).run},
}

// fromSpans are the sources that are read as spans.
var fromSpans = map[Kind]bool{OTel: true, Langfuse: true, LangSmith: true}

// member returns a function that returns a list inside an export.
func member(names ...string) func(value) value {
	return func(v value) value {
		if w := v.get(names...); w.is('[') {
			return w
		}
		return value{}
	}
}

// loneResource returns the spans of a resource that are alone, as a list of one.
func loneResource(v value) value {
	if v.get("scopeSpans").is('[') {
		return only(v)
	}
	return value{}
}

// loneSpans returns spans of OTLP that are alone, in a list, or in spans.
func loneSpans(v value) value {
	if isSpan(v) {
		return only(v)
	}
	for _, list := range [...]value{v, v.get("spans")} {
		for _, w := range list.elements() {
			if isSpan(w) {
				return list
			}
			break
		}
	}
	return value{}
}

// isSpan recognizes a span of OTLP.
func isSpan(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("traceId", "spanId", "name", "startTimeUnixNano", "attributes")
	return got[0].is('"') && got[1].is('"') && got[2].is('"') && !got[3].missing() && (got[4].is('[') || got[4].missing())
}

// jaegerTraces returns the traces in an answer of Jaeger's API, which its page also saves.
func jaegerTraces(v value) value {
	list := v.get("data")
	for _, trace := range list.elements() {
		if trace.get("traceID").is('"') && trace.get("spans").is('[') {
			return list
		}
		break
	}
	return value{}
}

// eachSpan calls each with the spans of an export.
func eachSpan(v value, each func(value)) {
	for _, shape := range exportShapes {
		if shape.Kind != OTel {
			continue
		}
		for _, w := range shape.list(v).elements() {
			scopes := w.first("scopeSpans", "instrumentationLibrarySpans")
			for _, scope := range scopes.elements() {
				eachOf(scope.get("spans"), each)
			}
			if scopes.raw == "" && w.first("scopeLogs", "instrumentationLibraryLogs").raw == "" {
				eachPlainSpan(w, each)
			}
		}
	}
}

// export is the state of reading an export. Spans are written when they end, so they are sorted by
// start before their requests are sent.
type export struct {
	*bodies
	spans []*span
	byID  map[spanID]*span
	keys  map[*series.Message]string // see key
}

func openExport(*group) parser {
	return &export{bodies: &bodies{settings: map[string]string{}}, byID: map[spanID]*span{}, keys: map[*series.Message]string{}}
}

// file reads an export. A call is a span of a model call with messages. The calls of a
// conversation, or else of a trace, are a sample.
func (x *export) file(ctx context.Context, rd *reader) error {
	x.reader = rd
	return rd.documents(ctx, func(d *document) error {
		found := d.root().get("resourceMetrics").raw != ""
		for _, shape := range exportShapes {
			list := shape.list(d.root())
			for _, v := range list.elements() {
				shape.read(x, v)
			}
			found = found || list.raw != ""
		}
		if !found {
			x.malformed(d.root(), "neither spans nor log records; it is kept unchanged")
		}
		return nil
	})
}

// resource reads the spans of a resource.
func (x *export) resource(v value) {
	for _, scope := range v.first("scopeSpans", "instrumentationLibrarySpans").elements() {
		for _, v := range scope.get("spans").elements() {
			x.span(v)
		}
	}
}

// span reads a span of OTLP.
func (x *export) span(v value) {
	got := v.pick("spanId", "traceId", "parentSpanId", "startTimeUnixNano", "name", "attributes", "events", "status", "droppedAttributesCount", "droppedEventsCount")
	s := x.known(got[0].text(), got[1].text())
	s.parent, s.start, s.name = strings.Clone(got[2].text()), got[3].instant(), strings.Clone(got[4].text())
	attrs := attributes(got[5])
	for _, e := range got[6].elements() {
		x.event(s, attrs, e.get("name").text(), attributes(e.get("attributes")), e.line())
	}
	switch status := got[7].pick("code", "message"); status[0].raw {
	case "2", `"STATUS_CODE_ERROR"`:
		s.failed = strings.Clone(status[1].text())
		s.isFailed = true
	}
	for _, n := range got[8:] {
		s.dropped = s.dropped || n.raw != "" && n.raw != "0"
	}
	x.read(s, v, attrs)
}

// jaeger reads the spans of a trace of Jaeger. Its times are in microseconds.
func (x *export) jaeger(trace value) {
	for _, v := range trace.get("spans").elements() {
		got := v.pick("spanID", "traceID", "references", "startTime", "operationName", "tags", "logs", "parentSpanID")
		s := x.known(got[0].text(), got[1].text())
		s.name, s.parent = strings.Clone(got[4].text()), strings.Clone(got[7].text())
		if us, ok := got[3].integer(); ok && us > 0 {
			s.start = time.UnixMicro(int64(us)).UTC()
		}
		for _, ref := range got[2].elements() {
			if ref.get("refType").text() == "CHILD_OF" {
				s.parent = strings.Clone(ref.get("spanID").text())
			}
		}
		attrs := jaegerTags(got[5])
		for _, e := range got[6].elements() {
			fields := jaegerTags(e.get("fields"))
			x.event(s, attrs, fields["event"].text(), fields, e.line())
		}
		s.isFailed = attrs["error"].raw == "true"
		s.failed = strings.Clone(attrs["otel.status_description"].text())
		x.read(s, v, attrs)
	}
}

// jaegerTags returns a list of tags by name.
func jaegerTags(list value) map[string]value {
	out := map[string]value{}
	for _, a := range list.elements() {
		got := a.pick("key", "value")
		out[got[0].text()] = got[1]
	}
	return out
}

// logs reads the log records of a resource. A record may be a message of a span, or all that is
// known about a model call.
func (x *export) logs(v value) {
	for _, scope := range v.first("scopeLogs", "instrumentationLibraryLogs").elements() {
		for _, v := range scope.get("logRecords").elements() {
			got := v.pick("spanId", "traceId", "timeUnixNano", "attributes", "eventName", "body", "observedTimeUnixNano")
			attrs := attributes(got[3])
			name := got[4].text()
			if name == "" {
				name = attrs["event.name"].text()
			}
			if !strings.HasPrefix(name, "gen_ai.") || got[0].text() == "" && !isDetails(name) {
				continue
			}
			s := x.known(got[0].text(), got[1].text())
			if s.start.IsZero() {
				if s.start = got[2].instant(); s.start.IsZero() {
					s.start = got[6].instant()
				}
			}
			body := value{raw: plain(got[5]), doc: v.doc, off: v.off}
			if !isDetails(name) {
				s.events = append(s.events, event{strings.Clone(name), body.raw, v.line()})
				continue
			}
			for name, w := range body.members() {
				if attrs[name].raw == "" {
					attrs[name] = w
				}
			}
			s.details = x.call(attrs, v.line(), s.start)
			s.conversation = cmp.Or(s.conversation, conversationOfSpan(attrs))
			s.kind = max(s.kind, spanKindOf(attrs))
		}
	}
}

// isDetails reports whether an event has all that is known about a model call.
func isDetails(name string) bool { return name == "gen_ai.client.inference.operation.details" }

// event reads an event of a span. attrs are those of the span.
func (x *export) event(s *span, attrs map[string]value, name string, of map[string]value, line int) {
	switch {
	case isDetails(name):
		for name, v := range of {
			if attrs[name].raw == "" {
				attrs[name] = v
			}
		}
	case strings.HasPrefix(name, "gen_ai.") && s.at.doc == nil: // once, if the span is exported twice
		s.events = append(s.events, event{strings.Clone(name), object(of), line})
	case name == "exception":
		s.exception = strings.Clone(cmp.Or(of["exception.message"].text(), of["exception.type"].text()))
	}
}

// read reads the attributes of a span immediately, so that its line need not stay in memory.
func (x *export) read(s *span, v value, attrs map[string]value) {
	s.at = value{doc: &document{file: v.doc.file, line: v.line()}}
	s.kind = max(s.kind, spanKindOf(attrs))
	s.conversation = cmp.Or(conversationOfSpan(attrs), s.conversation)
	s.agent = strings.Clone(cmp.Or(attrs["gen_ai.agent.name"].text(), attrs["agent.name"].text(), attrs["traceloop.entity.name"].text(), attrs["ai.telemetry.functionId"].text(), s.name))
	s.tool = strings.Clone(cmp.Or(attrs["gen_ai.tool.call.id"].text(), attrs["ai.toolCall.id"].text(), attrs["tool_call.id"].text()))
	s.toolName = strings.Clone(cmp.Or(attrs["gen_ai.tool.name"].text(), attrs["ai.toolCall.name"].text(), attrs["tool.name"].text()))
	if s.kind == callSpan || s.kind == anySpan {
		s.call = x.call(attrs, v.line(), s.start)
	}
}

// known returns the span with an id, which is unique within a trace.
func (x *export) known(id, trace string) *span {
	s := x.byID[spanID{trace, id}]
	if s == nil || id == "" {
		s = &span{id: strings.Clone(id), trace: strings.Clone(trace), file: x.reader.name}
		x.spans = append(x.spans, s)
		x.byID[spanID{s.trace, s.id}] = s
	}
	return s
}

// end sends the requests of all spans, conversation by conversation, each by the start of its
// spans.
func (x *export) end(ctx context.Context) error {
	slices.SortStableFunc(x.spans, func(a, b *span) int { return a.start.Compare(b.start) })
	var calls, empty []*span
	cut := 0
	for _, s := range x.spans {
		switch x.complete(s); {
		case s.kind == callSpan && len(s.call.Messages) > 0:
			calls = append(calls, s)
		case s.kind == callSpan && s.call.isCut:
			cut++
			empty = append(empty, s)
		case s.kind == callSpan:
			empty = append(empty, s)
		}
	}
	if n := len(empty); n > 0 {
		at := empty[0].at
		if at.doc == nil {
			at = value{doc: &document{file: x.reader.name}}
		}
		x.note(thread.Kept, "", at, "spans of model calls without messages are left out: %d", n)
		if cut > 0 {
			x.note(thread.Malformed, engine.ErrFileShape, at, "of these, the messages were cut off before the end of the first: %d", cut)
		}
	}
	x.place(calls)
	bySample := map[string][]*span{}
	var order []string
	for _, s := range calls {
		if bySample[s.sample] == nil {
			order = append(order, s.sample)
		}
		bySample[s.sample] = append(bySample[s.sample], s)
	}
	for _, sample := range order {
		x.join(bySample[sample])
		for i, s := range bySample[sample] {
			if err := ctx.Err(); err != nil {
				return err
			}
			r := s.call.Request
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
