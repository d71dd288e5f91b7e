package source

import (
	"cmp"
	"strings"
	"time"
)

// langsmithTypes has the kinds of spans by the types of runs of LangSmith.
var langsmithTypes = map[string]spanKind{
	"llm": callSpan, "tool": toolSpan, "chain": otherSpan, "retriever": otherSpan, "embedding": otherSpan, "prompt": otherSpan, "parser": otherSpan,
}

// langsmithRuns returns the runs in an export of LangSmith: a run, a list of them, in runs, or what
// its clients post.
func langsmithRuns(v value) value {
	if isRun(v) {
		return value{raw: "[" + v.raw + "]", off: v.off - 1, doc: v.doc}
	}
	for _, list := range append([]value{v}, v.pick("runs", "post")...) {
		for _, w := range list.elements() {
			if isRun(w) {
				return list
			}
			break
		}
	}
	return value{}
}

// langsmithPatches returns what clients post when runs end.
func langsmithPatches(v value) value {
	list := v.get("patch")
	for _, w := range list.elements() {
		if w.get("dotted_order").is('"') {
			return list
		}
		break
	}
	return value{}
}

// eachRun calls each with the runs in an export, and those inside them.
func eachRun(doc value, each func(value)) {
	for _, v := range langsmithRuns(doc).elements() {
		each(v)
		for _, child := range v.get("child_runs").elements() {
			eachRun(child, each)
		}
	}
	eachOf(langsmithPatches(doc), each)
}

func isRun(v value) bool {
	if !v.is('{') {
		return false
	}
	got := v.pick("run_type", "trace_id", "dotted_order", "inputs", "id", "run_id")
	return langsmithTypes[got[0].text()] != anySpan && (got[1].is('"') || got[2].is('"')) && got[3].raw != "" && (got[4].is('"') || got[5].is('"'))
}

// run reads a run and those inside it. A run may be written twice: when it begins and when it ends.
func (x *export) run(v value) {
	got := v.pick("id", "run_id", "trace_id", "parent_run_id", "dotted_order", "run_type", "name", "start_time", "error", "inputs", "outputs", "extra", "child_runs")
	id, begun := cmp.Or(got[0].text(), got[1].text()), time.Time{}
	order := got[4].text()
	if last := order[strings.LastIndexByte(order, '.')+1:]; last != "" { // its time and its id
		at, own, _ := strings.Cut(last, "Z")
		id = cmp.Or(id, own)
		begun, _ = time.Parse("20060102T150405.000000", at[:max(len(at)-6, 0)]+"."+at[max(len(at)-6, 0):])
	}
	kind := langsmithTypes[got[5].text()]
	if id == "" || !v.is('{') || kind == anySpan && got[5].raw != "" {
		x.malformed(v, "not a run of a known type; it is kept unchanged")
		return
	}
	s := x.known(id, got[2].text())
	s.kind = max(s.kind, kind)
	s.parent, s.name = cmp.Or(strings.Clone(got[3].text()), s.parent), cmp.Or(strings.Clone(got[6].text()), s.name)
	if at := got[7].instant(); !at.IsZero() {
		s.start = at
	} else if s.start.IsZero() {
		s.start = begun
	}
	if failed := failureOf(got[8]); failed != "" {
		s.isFailed, s.failed = true, failed
	}
	attrs := map[string]value{}
	extra := got[11].pick("metadata", "invocation_params")
	meta := extra[0].pick("ls_model_name", "session_id", "thread_id", "conversation_id")
	for _, w := range meta[1:] {
		if w.is('"') && attrs["gen_ai.conversation.id"].raw == "" {
			attrs["gen_ai.conversation.id"] = w
		}
	}
	for name, w := range extra[1].members() {
		if !w.missing() && name[:min(1, len(name))] != "_" {
			attrs["gen_ai.request."+name] = w
		}
	}
	for _, w := range []value{meta[0], extra[1].get("model_name"), got[9].get("model")} {
		if w.is('"') && attrs["gen_ai.request.model"].raw == "" {
			attrs["gen_ai.request.model"] = w
		}
	}
	for name, w := range usageOfRun(v, got[10]).members() {
		if !w.missing() {
			attrs["gen_ai.usage."+name] = w
		}
	}
	x.observe(s, v, attrs, got[9], got[10])
	for _, child := range got[12].elements() {
		x.run(child)
	}
}

// usageOfRun returns the token counts of a run: those of its answer, which have more detail, or
// else its own.
func usageOfRun(v, outputs value) value {
	if w := outputs.first("usage_metadata", "usage"); w.is('{') {
		return w
	}
	for _, batch := range outputs.get("generations").elements() {
		for _, g := range batch.elements() {
			batch = g
			break
		}
		m := batch.get("message")
		if w := m.get("kwargs"); w.is('{') {
			m = w
		}
		if w := m.get("usage_metadata"); w.is('{') {
			return w
		}
		break
	}
	if w := outputs.get("llm_output").first("token_usage", "usage"); w.is('{') {
		return w
	}
	return value{raw: v.canonicalOf(counts)}
}
