package series

import "time"

// Role says who speaks in a message.
type Role uint8

// The roles.
const (
	Other Role = iota
	System
	User
	Assistant
	Tool // results of calls and nothing else, whatever the provider calls the role
)

// Message is one message of a request. It must not be changed once a tracker has it, and may be part of any number of
// requests.
type Message struct {
	Value   string // as the source has it, in canonical JSON
	ID      string // of the source; empty if it has none
	Role    Role
	Calls   []string // ids of the tool calls in it
	Answers []string // ids of the calls whose results are in it
	Summary bool     // the source says that it stands for messages that left
	// About is what else the source records about it, such as its time: an object in canonical
	// JSON; empty if there is nothing. It is not sent.
	About string
	Line  int    // in the file, from 1; 0 if unknown
	Path  string // JSON path in the line or file
}

// Request is what one model call was sent, and what came back. It has a field for each thing that one source or another
// records.
type Request struct {
	// ConversationID separates conversations if the source does. Requests with an empty one are
	// separated by their messages.
	ConversationID string
	// The request has the first Base messages of the previous request with the same ConversationID,
	// followed by Messages. A source that knows what two requests share saves the comparison.
	Base     int
	Messages []*Message
	Settings []Setting // everything else in the request, sorted by name
	List     string    // the member that held the messages; empty if the request was a bare list

	Reply  []*Message // the answer of the model, as a later request repeats it; empty if unknown
	After  []*Message // what was recorded after the answer, up to the next call of the conversation; complete when the source is read
	Side   string     // the source says that this is a side call of this kind
	Starts []Start    // conversations that the answer started, such as those of agents
	By     *StartedBy // of the first request of a conversation that a call started; else nil
	Why    []Reason   // what the source says happened since the request before
	Format string     // of the messages, such as anthropic
	Origin Origin
	Number int       // counts the calls of the sample, or of all files that were read together, from 0
	Time   time.Time // zero if unknown
	Model  string
	Usage  string // canonical JSON, as the source has it; empty if unknown
	Kept   []Kept // what the source has up to the end of this call, or after the last call up to its end, that no call was sent
}

// Kept is a part of a source that cannot be read, or that no call was sent. It is kept as it is.
type Kept struct {
	Kind  string // malformed or unsent
	Value string // JSON: the value, or a string with the text of a line that is not JSON
	Raw   bool   // Value is the text of a line
	File  string
	Line  int // from 1
}

// Start says that a call began another conversation.
type Start struct {
	Call           string // the id of the tool call that did; empty if unknown
	ConversationID string
}

// StartedBy is the call that began a conversation.
type StartedBy struct {
	ConversationID string // of the call
	Number         int    // of the call, see [Request]
	Call           string // the id of the tool call in its answer; empty if unknown
}

// Origin says where a call is in its source.
type Origin struct {
	File   string
	Sample string // in a file that holds several
	Call   int    // counts the model calls of the sample, or of the file, from 0
	Line   int    // from 1; 0 if unknown
	Path   string // JSON path in the line or file
}

// SettingKind says what a setting is for.
type SettingKind uint8

// The kinds of settings.
const (
	Parameter    SettingKind = iota // such as model and temperature
	Instructions                    // a system prompt beside the messages
	Tools
)

// Setting is a member of a request beside its messages.
type Setting struct {
	Name  string
	Kind  SettingKind
	Value string // canonical JSON
}

// Reason is why messages left or changed before a request, according to the source.
type Reason struct {
	Cause Cause
	Line  int    // where the source says it, from 1; 0 if unknown
	Path  string // JSON path in the line or file
}

// hasTools reports whether the request offers the model any tools.
func hasTools(settings []Setting) bool {
	for _, s := range settings {
		if s.Kind == Tools && s.Value != "[]" && s.Value != "null" && s.Value != "{}" {
			return true
		}
	}
	return false
}
