package source

import (
	"maps"
	"strconv"
	"strings"
)

// plainSpans returns the spans in an export with plain attributes: a span of the console exporter
// of Python, a list of spans, or a page or trace of Phoenix.
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

// isPlainSpan recognizes a span by its ids, which are in context or in columns such as
// context.span_id.
func isPlainSpan(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("context", "context.span_id", "name", "start_time")
	return (got[0].get("span_id").is('"') && got[0].get("trace_id").is('"') || got[1].is('"')) && got[2].is('"') && !got[3].missing()
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
	attrs := map[string]value{}
	flatten(attrs, "", got[7], 0)
	context := got[0].pick("span_id", "trace_id")
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
	s.name, s.parent, s.start = strings.Clone(got[1].text()), strings.Clone(got[2].text()), got[3].instant()
	for _, e := range got[8].elements() {
		fields := maps.Collect(e.get("attributes").members())
		x.event(s, attrs, e.get("name").text(), fields, e.line())
	}
	if strings.HasSuffix(got[4].get("status_code").text(), "ERROR") || got[5].text() == "ERROR" {
		s.isFailed, s.failed = true, strings.Clone(got[4].get("description").text()+got[6].text())
	}
	x.read(s, v, attrs)
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
