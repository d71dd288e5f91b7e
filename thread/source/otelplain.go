package source

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"
)

// plainSpans returns the spans in an export with plain attributes: a span of the console exporter
// of Python, a list of spans, also as the SDK of JavaScript has them, a page or trace of Phoenix,
// or an object with spans or lists of them by name.
func plainSpans(v value) value {
	if isPlainSpan(v) {
		return only(v)
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
	if hasNamedSpans(v) {
		return only(v)
	}
	return value{}
}

// only returns a list of one value.
func only(v value) value { return value{raw: "[" + v.raw + "]", off: v.off - 1, doc: v.doc} }

// isPlainSpan recognizes a span by its ids, which are in context, in columns such as
// context.span_id, or in a spanContext; without ids, by an attribute that says what it is.
func isPlainSpan(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("context", "context.span_id", "name", "start_time", "startTime")
	hasID := got[0].get("span_id").is('"') && got[0].get("trace_id").is('"') || got[1].is('"') || spanContext(v)[0].is('"')
	return hasID && got[2].is('"') && (!got[3].missing() || !got[4].missing()) || loneAttributes(v).is('{')
}

// loneAttributes returns the attributes of a span without ids, or of one that has nothing else.
func loneAttributes(v value) value {
	for _, w := range [...]value{v.get("attributes"), v} {
		if w.is('{') && slices.ContainsFunc(w.pick(spanNames...), func(kind value) bool { return kind.is('"') }) {
			return w
		}
	}
	return value{}
}

// spanNames has the names of the attributes that say what a span is.
var spanNames = func() (out []string) {
	for _, a := range spanAttributes {
		out = append(out, a.name)
	}
	return out
}()

// hasNamedSpans reports whether an object has spans, or lists of them, by name.
func hasNamedSpans(v value) bool {
	for _, w := range v.members() {
		for _, s := range w.elements() {
			w = s
			break
		}
		return isPlainSpan(w)
	}
	return false
}

// eachPlainSpan calls each with the spans in an element of the list of an export: the element,
// those of a trace, or those by name. Whatever else it finds, it gives to each, too.
func eachPlainSpan(v value, each func(value)) {
	switch list := v.get("spans"); {
	case list.is('['):
		for _, s := range list.elements() {
			eachPlainSpan(s, each)
		}
	case !isPlainSpan(v) && hasNamedSpans(v):
		for _, w := range v.members() {
			if !w.is('[') {
				each(w)
			}
			eachOf(w, each)
		}
	default:
		each(v)
	}
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

// plain reads spans with plain attributes.
func (x *export) plain(v value) { eachPlainSpan(v, x.plainSpan) }

func (x *export) plainSpan(v value) {
	if !isPlainSpan(v) {
		x.malformed(v, "not a span; it is kept unchanged")
		return
	}
	got := v.pick("context", "name", "parent_id", "start_time", "status", "status_code", "status_message", "events")
	js := v.pick("startTime", "parentSpanId", "parentSpanContext")
	attrs := plainAttributes(v)
	context := spanContext(v)
	if !context[0].is('"') {
		context = got[0].pick("span_id", "trace_id")
	}
	for i, id := range v.pick("context.span_id", "context.trace_id") {
		context[i] = firstOf(id, context[i])
	}
	s := x.known(context[0].text(), context[1].text())
	parent := cmp.Or(got[2].text(), js[1].text(), js[2].get("spanId").text())
	s.name, s.parent, s.start = strings.Clone(got[1].text()), strings.Clone(parent), got[3].instant()
	if s.start.IsZero() {
		s.start = secondsAndNanoseconds(js[0])
	}
	for _, e := range got[7].elements() {
		fields := maps.Collect(e.get("attributes").members())
		x.event(s, attrs, e.get("name").text(), fields, e.line())
	}
	status := got[4].pick("status_code", "code", "description", "message")
	if strings.HasSuffix(status[0].text(), "ERROR") || got[5].text() == "ERROR" || status[1].raw == "2" {
		s.isFailed, s.failed = true, strings.Clone(status[2].text()+status[3].text()+got[6].text())
	}
	x.read(s, v, attrs)
}

// plainAttributes returns the attributes of a span by their full names.
func plainAttributes(v value) map[string]value {
	attrs := map[string]value{}
	of := v.get("attributes")
	if of.missing() {
		of = loneAttributes(v)
	}
	flatten(attrs, "", of, 0)
	for name, w := range v.members() {
		if name, ok := strings.CutPrefix(name, "attributes."); ok { // a column
			flatten(attrs, name, w, 0)
		}
	}
	const kind = "openinference.span.kind"
	if w := v.get("span_kind"); attrs[kind].raw == "" && openInferenceKinds[w.text()] != anySpan {
		attrs[kind] = w
	}
	return attrs
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
	for _, w := range v.get("values").elements() {
		if w.is('{') && plain(w) != "null" { // a list of OTLP
			v = value{raw: plain(value{raw: `{"arrayValue":` + v.raw + `}`}), off: v.off, doc: v.doc}
		}
		break
	}
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
