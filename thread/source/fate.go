package source

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
	bySender                    // sent, by whoever the message is of
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
	bySender:        "sent; of the user or the model, as the message is",
	byType:          "see the table of the types inside",
	bookkeeping:     "not sent: the client's own",
}

// spanTexts has what becomes of a kind of span in words.
var spanTexts = map[spanKind]string{
	callSpan:  "a call, if it has messages",
	agentSpan: "not a call; the calls in it are of an agent, if a call of another one started it",
	toolSpan:  "not a call; it says which tool call started an agent",
	otherSpan: "not a call",
}
