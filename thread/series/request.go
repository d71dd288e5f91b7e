package series

import (
	"time"

	"github.com/pactkit/pactkit/internal/normal"
)

// Role is the role of the author of a message.
type Role uint8

// The roles.
const (
	Other Role = iota
	System
	User
	Assistant
	Tool // only results of tool calls, whatever role the provider gives them
)

// Message is one message of a request. It may be part of any number of requests, and must not be
// changed after the first one is passed to a tracker.
type Message struct {
	Value   string // as in the source, in canonical JSON
	ID      string // in the source; empty if it has none
	Role    Role
	Calls   []string // ids of the tool calls in it
	Answers []string // ids of the calls whose results are in it
	Summary bool     // the source says that it replaces messages that left
	// About is what the source records about the message but was not sent, such as its time: an
	// object in canonical JSON, or empty.
	About string
	// Parts has the parts of the message, if the source knows more about each than the message
	// says: a message that was sent may consist of several records. If it is nil, the parts are the
	// elements of the content.
	Parts []*Part
	Line  int    // in the file, from 1; 0 if unknown
	Path  string // JSON path in the line or file
	parts parts
}

// Part is one part of a message: a text, a call, a result, an image. It may be part of any number
// of messages, and must not be changed after the first one is passed to a tracker.
type Part struct {
	Value   string // an element of the content of the message, in canonical JSON
	ID      string // of its record in the source; empty if it has none. Several parts may have the same
	By      string // who wrote it: person, client, hook, command or model; empty if unknown
	Summary bool   // the source says that it replaces parts that left
	About   string // as in [Message]
	Line    int    // in the file, from 1; 0 if unknown
	Path    string // JSON path in the line or file
	// A tracker finds the rest in the message; a reader leaves it empty.
	Role    Role   // Tool for a result, whatever the message is
	Call    string // the id of the tool call that it is
	Answer  string // the id of the call whose result it is
	message *Message
	index   int // in the message
	format  string
	form    normal.Part
	normal  partKey
	keyed   bool // normal is known
	alone   bool // the only part of its message
}

// Event is something that the source states and that is no model call: a compaction, a clear, a
// rewind, a rollback, an edit, an interrupt.
type Event struct {
	Kind    string // compaction, clear, rewind, rollback, edit or interrupt; answer for what came back
	Trigger string // as in the source, such as auto or manual; empty if unknown
	Before  int64  // tokens before the event; 0 if unknown
	After   int64  // tokens after it; 0 if unknown
}

// Request is what one model call was sent and what came back. Its many fields are the union of what
// the sources record.
type Request struct {
	// Event is set if the request is no call but a state: what the next call would have been sent
	// after a stated event; After has what is recorded after that. A state has no answer and no
	// usage, and is not numbered as a call. A reader sends one for each event, in the order of the
	// source, even if nothing moves.
	Event *Event
	// ConversationID identifies the conversation if the source does. Requests without one are
	// assigned to conversations by their messages.
	ConversationID string
	// The request consists of the first Base messages of the previous request with the same
	// ConversationID, followed by Messages. A Base above 0 saves comparing the shared messages.
	Base     int
	Messages []*Message
	Settings []Setting // everything else in the request, sorted by name
	List     string    // the member that contained the messages; empty if the request was a bare list

	Reply []*Message // the answer of the model, as later requests contain it; empty if unknown
	// Choices are other answers to the same request. Reply is the one with which the conversation
	// goes on, as far as the source says.
	Choices [][]*Message
	// AnswerID is the id that the provider gave to the answer; empty if unknown.
	AnswerID string
	After    []*Message // recorded after the answer and before the next call; complete at the end of the source
	Side     string     // the kind of side call, if the source says that it is one
	Starts   []Start    // conversations that the answer started, such as those of agents
	By       *StartedBy // the call that started the conversation; nil except in the first request of one
	Why      []Reason   // what happened since the previous request, according to the source
	Format   string     // of the messages, such as anthropic
	Origin   Origin
	Number   int       // counts the calls of the sample, or else of all files that were read together, from 0
	Time     time.Time // zero if unknown
	Model    string
	Usage    string // canonical JSON, as in the source; empty if unknown
	// Recorded says that the source has the request as it was sent. Otherwise the messages follow
	// from what else the source records.
	Recorded bool
	// Missing names what of the request the source does not record, such as "system prompt".
	Missing []string
	Failed  string // why the provider did not answer, as in the source; empty if it did
	// FromCache says that the answer is that to an earlier call, from a cache of the client or a
	// proxy: the provider was not asked.
	FromCache bool
	Window    int64  // tokens that the window of the model holds, as the source says; 0 if unknown
	Kept      []Kept // never sent, up to the end of this call; the last call also has what follows it
}

// Kept is a part of a source that cannot be read or was never sent. It is kept unchanged.
type Kept struct {
	Kind  string // "malformed" or "unsent"
	Value string // JSON: the value, or a string with the text of a line that is not JSON
	Raw   bool   // Value is the text of a line
	File  string
	Line  int // from 1
}

// Start is a conversation that the answer to a call started, such as that of an agent.
type Start struct {
	Call           string // the id of the tool call that started it; empty if unknown
	ConversationID string
}

// StartedBy is the call whose answer started a conversation.
type StartedBy struct {
	ConversationID string // of the call
	Number         int    // of the call, see [Request]
	Call           string // the id of the tool call in its answer; empty if unknown
}

// Origin is the location of a call in its source.
type Origin struct {
	File   string
	Sample string // if the file contains several
	Call   int    // number of the call in the sample, or else in the file, from 0
	Line   int    // from 1; 0 if unknown
	Path   string // JSON path in the line or file
}

// SettingKind classifies settings.
type SettingKind uint8

// The kinds of settings.
const (
	Parameter    SettingKind = iota // such as model and temperature
	Instructions                    // a system prompt outside the messages
	Tools
)

// Setting is a member of a request other than its messages.
type Setting struct {
	Name  string
	Kind  SettingKind
	Value string // canonical JSON
}

// normal returns a setting as it is to the provider, or "" if it says nothing.
func (s Setting) normal() string {
	return normal.Setting(s.Name, s.Value)
}

// Reason is a cause, stated by the source, for which messages left or changed before a request.
type Reason struct {
	Cause Cause
	Line  int    // of the statement in the file, from 1; 0 if unknown
	Path  string // JSON path in the line or file
}

// hasTools reports whether the request offers the model any tools.
func hasTools(settings []Setting) bool {
	for _, s := range settings {
		if s.Kind == Tools && s.normal() != "" {
			return true
		}
	}
	return false
}
