package source

import (
	"maps"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread"
)

// paired returns messages in which each result has the id of its call. Some instrumentations record
// different ids for the two. If there are as many results as calls before them, they are in the
// same order.
func (x *export) paired(list []value) []value {
	var calls, results []string // the ids of the calls since a prompt or results, and of the results after them
	var at []int                // the messages with these results
	settle := func() {
		if len(calls) == len(results) && !slices.Equal(slices.Sorted(slices.Values(calls)), slices.Sorted(slices.Values(results))) {
			for _, i := range at {
				calls, list[i] = renamed(list[i], calls)
			}
			x.noteOnce(thread.Kept, "", list[at[0]], "results have other ids than the calls before them; they are taken to be in the order of the calls")
		}
		calls, results, at = nil, nil, nil
	}
	for i, m := range list {
		made, answered := pairIDs(m)
		switch {
		case len(answered) > 0:
			results, at = append(results, answered...), append(at, i)
			continue
		case len(results) > 0 || len(made) == 0 && m.get("role").text() != "assistant":
			settle()
		}
		calls = append(calls, made...)
	}
	settle()
	return list
}

// pairIDs returns the ids of the calls and of the results in the parts of a message.
func pairIDs(m value) (calls, results []string) {
	if !strings.Contains(m.raw, "tool_call") {
		return nil, nil
	}
	for _, part := range m.get("parts").elements() {
		switch part.get("type").text() {
		case "tool_call":
			calls = append(calls, part.get("id").text())
		case "tool_call_response":
			results = append(results, part.get("id").text())
		}
	}
	return calls, results
}

// renamed returns a message whose results have the first of the ids, and the ids that are left.
func renamed(m value, ids []string) ([]string, value) {
	var parts []value
	for _, part := range m.get("parts").elements() {
		if part.get("type").text() == "tool_call_response" {
			part, ids = with(part, "id", quoted(ids[0])), ids[1:]
		}
		parts = append(parts, part)
	}
	return ids, with(m, "parts", listOfValues(parts))
}

// fromTexts returns an answer without the content blocks that Traceloop writes as texts: thinking,
// and calls that are also parts of the answer.
func fromTexts(m value) value {
	if m.get("role").text() != "assistant" || !strings.Contains(m.raw, `\"type\"`) {
		return m
	}
	var parts []value
	calls, _ := pairIDs(m)
	for _, part := range m.get("parts").elements() {
		if text := part.get("content").text(); part.get("type").text() == "text" && strings.HasPrefix(text, "{") {
			if d, bad := parse("", text, 0); bad == nil {
				block := d.root()
				kind := block.get("type").text()
				if kind == "tool_use" && slices.Contains(calls, block.get("id").text()) {
					continue
				}
				if thinking := block.get("thinking"); kind == "thinking" && thinking.is('"') && block.get("signature").is('"') {
					part = written{"type": quoted("reasoning"), "content": thinking}.value()
				}
			}
		}
		parts = append(parts, part)
	}
	return with(m, "parts", listOfValues(parts))
}

// with returns an object with another value of a member.
func with(v value, name string, w value) value {
	out := written{}
	maps.Insert(out, v.members())
	out[name] = w
	return value{raw: out.value().raw, doc: v.doc, off: v.off}
}
