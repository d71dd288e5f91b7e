package source

import "strings"

// langfuseTypes has the kinds of spans by the types of observations of Langfuse.
var langfuseTypes = map[string]spanKind{
	"GENERATION": callSpan, "AGENT": agentSpan, "TOOL": toolSpan,
	"SPAN": otherSpan, "EVENT": otherSpan, "CHAIN": otherSpan, "RETRIEVER": otherSpan, "EVALUATOR": otherSpan, "EMBEDDING": otherSpan, "GUARDRAIL": otherSpan,
}

// langfuseTraces returns the traces or observations in an export of Langfuse: a trace with its
// observations, or a page, a list or lines of observations.
func langfuseTraces(v value) value {
	if isObservation(v) || observationsOf(v).raw != "" {
		return value{raw: "[" + v.raw + "]", off: v.off - 1, doc: v.doc}
	}
	for _, list := range [...]value{v, v.get("data")} {
		for _, w := range list.elements() {
			if isObservation(w) || observationsOf(w).raw != "" {
				return list
			}
			break
		}
	}
	return value{}
}

// observationsOf returns the observations of a trace.
func observationsOf(trace value) value {
	list := trace.get("observations")
	for _, w := range list.elements() {
		if isObservation(w) {
			return list
		}
		break
	}
	return value{}
}

// eachObservation calls each with the observations in an export.
func eachObservation(doc value, each func(value)) {
	for _, v := range langfuseTraces(doc).elements() {
		if list := observationsOf(v); list.raw != "" {
			eachOf(list, each)
			continue
		}
		each(v)
	}
}

func isObservation(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("type", "traceId", "trace_id", "startTime", "start_time")
	return langfuseTypes[got[0].text()] != anySpan && (got[1].is('"') || got[2].is('"')) && (got[3].is('"') || got[4].is('"'))
}

// langfuse reads an observation, or the observations of a trace.
func (x *export) langfuse(v value) {
	if list := observationsOf(v); list.raw != "" {
		session := v.first("sessionId", "session_id")
		if session.missing() {
			session = v.get("trace").first("sessionId", "session_id")
		}
		for _, w := range list.elements() {
			x.observation(w, session)
		}
		return
	}
	x.observation(v, v.first("sessionId", "session_id"))
}

func (x *export) observation(v, session value) {
	if !isObservation(v) {
		x.malformed(v, "not an observation; it is kept unchanged")
		return
	}
	s := x.known(v.get("id").text(), v.first("traceId", "trace_id").text())
	s.parent = strings.Clone(v.first("parentObservationId", "parent_observation_id").text())
	s.name, s.start = strings.Clone(v.get("name").text()), v.first("startTime", "start_time").instant()
	s.kind = max(s.kind, langfuseTypes[v.get("type").text()])
	if v.get("level").text() == "ERROR" {
		s.isFailed, s.failed = true, strings.Clone(v.first("statusMessage", "status_message").text())
	}
	attrs := map[string]value{"langfuse.session.id": session}
	if model := v.first("model", "providedModelName", "provided_model_name", "internalModel"); model.is('"') {
		attrs["gen_ai.request.model"] = model
	}
	for name, w := range inside(v.first("modelParameters", "model_parameters")).members() {
		if !w.missing() && w.text() != "null" {
			attrs["gen_ai.request."+name] = w
		}
	}
	usage := inside(v.first("usageDetails", "usage_details", "usage"))
	for name, w := range usage.members() {
		if w.is('"') { // in an export of the table of observations
			w = derived(w, w.text())
		}
		if _, ok := w.integer(); ok {
			attrs["gen_ai.usage."+name] = w
		}
	}
	for old, name := range map[string]string{"promptTokens": "input", "completionTokens": "output", "totalTokens": "total"} {
		if w := v.get(old); !w.missing() && attrs["gen_ai.usage."+name].raw == "" {
			attrs["gen_ai.usage."+name] = w
		}
	}
	x.observe(s, v, attrs, v.get("input"), v.get("output"))
}
