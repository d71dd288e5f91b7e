package source

import (
	"cmp"
	"maps"
	"strconv"
	"strings"
	"time"
)

// plainSpans returns the spans in an export with plain attributes: a span of the console exporter
// of Python, a list of spans, also as the SDK of JavaScript has them, or a page or trace of
// Phoenix.
func plainSpans(v value) value {
	if isPlainSpan(v) {
		return value{raw: "[" + v.raw + "]", off: v.off - 1, doc: v.doc}
	}
	for _, list := range append([]value{v}, v.pick("data", "spans")...) {
		for _, w := range list.elements() {
			for _, s := range w.get("spans").elements() {
				w = s
				break
			}
			if isPlainSpan(w) {
				return list
			}
			break
		}
	}
	return value{}
}

// isPlainSpan recognizes a span by its ids, which are in context, in columns such as
// context.span_id, or in a spanContext.
func isPlainSpan(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("context", "context.span_id", "name", "start_time", "startTime")
	hasID := got[0].get("span_id").is('"') && got[0].get("trace_id").is('"') || got[1].is('"') || spanContext(v)[0].is('"')
	return hasID && got[2].is('"') && (!got[3].missing() || !got[4].missing())
}

// spanContext returns the ids of a span and of its trace, as the SDK of JavaScript keeps them.
func spanContext(v value) []value {
	for _, w := range v.pick("spanContext", "_spanContext") {
		if ids := w.pick("spanId", "traceId"); ids[0].is('"') && ids[1].is('"') {
			return ids
		}
	}
	return make([]value, 2)
}

// plain reads a span with plain attributes, or the spans of a trace.
func (x *export) plain(v value) {
	if list := v.get("spans"); list.is('[') {
		for _, s := range list.elements() {
			x.plain(s)
		}
		return
	}
	if !isPlainSpan(v) {
		x.malformed(v, "not a span; it is kept unchanged")
		return
	}
	got := v.pick("context", "name", "parent_id", "start_time", "status", "status_code", "status_message", "attributes", "events", "span_kind")
	js := v.pick("startTime", "parentSpanId", "parentSpanContext")
	attrs := map[string]value{}
	flatten(attrs, "", got[7], 0)
	context := spanContext(v)
	if !context[0].is('"') {
		context = got[0].pick("span_id", "trace_id")
	}
	for name, w := range v.members() {
		if name, ok := strings.CutPrefix(name, "attributes."); ok { // a column
			flatten(attrs, name, w, 0)
		}
		switch name {
		case "context.span_id":
			context[0] = w
		case "context.trace_id":
			context[1] = w
		}
	}
	const kind = "openinference.span.kind"
	if attrs[kind].raw == "" && openInferenceKinds[got[9].text()] != anySpan {
		attrs[kind] = got[9]
	}
	s := x.known(context[0].text(), context[1].text())
	parent := cmp.Or(got[2].text(), js[1].text(), js[2].get("spanId").text())
	s.name, s.parent, s.start = strings.Clone(got[1].text()), strings.Clone(parent), got[3].instant()
	if s.start.IsZero() {
		s.start = secondsAndNanoseconds(js[0])
	}
	for _, e := range got[8].elements() {
		fields := maps.Collect(e.get("attributes").members())
		x.event(s, attrs, e.get("name").text(), fields, e.line())
	}
	status := got[4].pick("status_code", "code", "description", "message")
	if strings.HasSuffix(status[0].text(), "ERROR") || got[5].text() == "ERROR" || status[1].raw == "2" {
		s.isFailed, s.failed = true, strings.Clone(status[2].text()+status[3].text()+got[6].text())
	}
	x.read(s, v, attrs)
}

// secondsAndNanoseconds returns a time that is a list of both, else the time that it is.
func secondsAndNanoseconds(v value) time.Time {
	var parts []int64
	for _, w := range v.elements() {
		if part, ok := w.integer(); ok {
			parts = append(parts, int64(part))
		}
	}
	if len(parts) != 2 || parts[0] <= 0 || parts[0] >= 1e11 {
		return v.instant()
	}
	return time.Unix(parts[0], parts[1]).UTC()
}

// maxFlattened limits how deep attributes are in each other.
const maxFlattened = 32

// flatten adds the attributes in nested objects and lists under their full names, such as
// llm.input_messages.0.message.role. A list of the GenAI conventions stays one attribute.
func flatten(attrs map[string]value, name string, v value, depth int) {
	isList := v.is('[') && v.raw[len("["):] != "]" && !strings.HasPrefix(name, "gen_ai.")
	if isList {
		for _, w := range v.elements() {
			isList = w.is('{')
			break
		}
	}
	if depth >= maxFlattened || !isList && !v.is('{') {
		if name != "" {
			attrs[name] = v
		}
		return
	}
	prefix := ""
	if name != "" {
		prefix = name + "."
	}
	for i, w := range v.elements() {
		flatten(attrs, prefix+strconv.Itoa(i), w, depth+1)
	}
	for inner, w := range v.members() {
		flatten(attrs, prefix+inner, w, depth+1)
	}
}
