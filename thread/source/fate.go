package source

// fate is what becomes of a kind of record. Each source with many kinds has tables of them.
type fate uint8

const (
	unknownKind     fate = iota // kept and noted if it has content
	bookkeeping                 // of the client, never sent
	fromClient                  // sent, and not written by the model
	fromModel                   // begins a call, or belongs to one that an earlier record began
	ofCall                      // says something about the latest call
	stated                      // an event between calls
	attachedTexts               // its texts are sent, with the role in renderedRole
	bySubtype                   // see claudeSubtypes
	recordedCall                // what a call was sent
	recordedMessage             // one of its messages
	recordedShape               // its system prompt and tools
	forkedFrom                  // where the chain of an agent branches off
)
