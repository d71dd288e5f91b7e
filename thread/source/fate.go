package source

import (
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
// the files are read; other kinds are kept outside the conversation, with a note.
func Records() map[string][]Fate {
	out := map[string][]Fate{}
	for name, table := range map[string]map[string]fate{
		"claude-code type": claudeKinds, "claude-code subtype": claudeSubtypes, "codex type": codexRecords, "codex response_item": codexItems, "codex event_msg": codexEvents,
	} {
		kinds := map[fate][]string{}
		for _, kind := range slices.Sorted(maps.Keys(table)) {
			kinds[table[kind]] = append(kinds[table[kind]], kind)
		}
		for _, f := range slices.Sorted(maps.Keys(kinds)) {
			out[name] = append(out[name], Fate{kinds[f], fateTexts[f]})
		}
	}
	return out
}
