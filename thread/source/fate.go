package source

import (
	"cmp"
	"maps"
	"slices"
)

// fate is what becomes of a kind of record. Each source with many kinds has tables of them (C8).
type fate uint8

const (
	unknownKind     fate = iota // kept and noted if it has content
	fromClient                  // sent, and not written by the model
	fromModel                   // begins a call, or belongs to one that an earlier record began
	attachedTexts               // its texts are sent, with the role in renderedRole
	stated                      // an event between calls
	ofCall                      // says something about the latest call
	ofSettings                  // says something about the calls that follow
	recordedCall                // what a call was sent
	recordedMessage             // one of its messages
	recordedShape               // its system prompt and tools
	forkedFrom                  // where the chain of an agent branches off
	byType                      // the table of the types inside says it
	bookkeeping                 // of the client, never sent
)

// fateTexts has what becomes of a kind of record in words. They are the cells of a table.
var fateTexts = map[fate]string{
	unknownKind:     "kept outside the conversation, with a note",
	fromClient:      "sent; written by the user, the client or a tool",
	fromModel:       "an answer of the model: the first record of it begins a call",
	attachedTexts:   "what the client adds to a turn: sent as below",
	stated:          "an event, with a state",
	ofCall:          "about a call: its tokens, or how it ended",
	ofSettings:      "settings of the calls that follow",
	recordedCall:    "what a call was sent: the call is recorded, not inferred",
	recordedMessage: "a message of such a call",
	recordedShape:   "its system prompt and tools",
	forkedFrom:      "the record of the session that the chain of a forked agent goes on from",
	byType:          "see the table of the types inside",
	bookkeeping:     "not sent: the client's own",
}

// Fate is what becomes of some kinds of records of a source.
type Fate struct {
	Kinds []string // sorted
	What  string   // becomes of them, as Markdown
}

// Records says what becomes of the records of the sources that have many kinds of them, by the name
// of the source and that of the member which tells the kinds apart. The tables are those by which
// the files are read.
func Records() map[string][]Fate {
	silent := map[string]fate{}
	for kind := range silentAttachments {
		silent[kind] = attachedTexts
	}
	spans := map[string]spanKind{}
	for attribute, kinds := range map[string]map[string]spanKind{
		"gen_ai.operation.name": genAIOperations, "openinference.span.kind": openInferenceKinds, "llm.request.type": traceloopTypes,
		"traceloop.span.kind": traceloopKinds, "ai.operationId": vercelKinds,
	} {
		for kind, is := range kinds {
			spans[attribute+"="+kind] = is
		}
	}
	return map[string][]Fate{
		"claude-code type": fates(claudeKinds, fateTexts), "claude-code subtype": fates(claudeSubtypes, fateTexts),
		"claude-code attachment": fates(silent, map[fate]string{attachedTexts: "not sent, except for texts that the record has"}),
		"codex type":             fates(codexRecords, fateTexts), "codex response_item": fates(codexItems, fateTexts), "codex event_msg": fates(codexEvents, fateTexts),
		"otel span": fates(spans, spanTexts),
	}
}

// spanTexts has what becomes of a kind of span in words.
var spanTexts = map[spanKind]string{
	callSpan:  "a call, if it has messages",
	agentSpan: "not a call; the calls in it are of an agent, if a call of another one started it",
	toolSpan:  "not a call; it says which tool call started an agent",
	otherSpan: "not a call",
}

func fates[F cmp.Ordered](table map[string]F, texts map[F]string) (out []Fate) {
	kinds := map[F][]string{}
	for _, kind := range slices.Sorted(maps.Keys(table)) {
		kinds[table[kind]] = append(kinds[table[kind]], kind)
	}
	for _, f := range slices.Sorted(maps.Keys(kinds)) {
		out = append(out, Fate{kinds[f], texts[f]})
	}
	return out
}
