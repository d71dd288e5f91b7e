package source

import (
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
)

// RowKind is what a line of a session file of Claude Code is.
type RowKind uint8

// The kinds of rows.
const (
	RowNone      RowKind = iota // not a record of the conversation
	RowBeside                   // nothing of it is sent
	RowUser                     // the client sends it
	RowAnswer                   // of the model
	RowSynthetic                // sent like an answer, and written by the client
	RowError                    // what the client shows instead of an answer; it is not sent
	RowBoundary                 // a compaction
	RowClear                    // the echo of the command that restarts the conversation
	RowInterrupt                // the user interrupted the model
)

// Row is what one line of a session file says, judged as [ReadFiles] judges it. Its strings are
// part of the text that was read.
type Row struct {
	Kind                                        RowKind
	UUID, Parent, LogicalParent, Session, Agent string
	Time, Model                                 string
	Answer, Request                             string // the ids of the message and the request of the API
	HasModel                                    bool
	IsSide                                      bool // it is of an agent
	IsPerson                                    bool // a person wrote what is sent of it, apart from results
	IsSummary                                   bool
	IsWarning                                   bool // it warns of the echo of a command that follows
	IsSkipped                                   bool // what follows it counts as following its parent
	IsText                                      bool // Text is what is sent
	Text                                        canonjson.Value
}

// RowReader reads the lines of session files one by one, for callers that need less than
// [ReadFiles] does, and faster. It judges each line by itself, with the tables of the reader; a
// line that only the reader can judge is odd.
type RowReader struct {
	Scanner *canonjson.Scanner
	Content func() error // reads the value of the member content of a message

	of         [rowMessage]canonjson.Value
	rare       [rareCount]canonjson.Value
	message    [messageContent]canonjson.Value
	hasRare    bool
	hasMessage bool
	isOdd      bool
}

// The members of a line that are read. Those before isSidechain are strings without escapes, and
// those after message are in few lines.
var rowNames = canonjson.Names{
	"type", "uuid", "parentUuid", "sessionId", "agentId", "subtype", "requestId",
	"isSidechain", "logicalParentUuid", "timestamp", "isCompactSummary", "isMeta", "isApiErrorMessage",
	"message",
	"isVirtual", "isDisplayOnly", "hookText", "ownNote", "origin", "compactMetadata", "attachment", "rendered", "content",
}

const (
	rowType = iota
	rowUUID
	rowParent
	rowSession
	rowAgent
	rowSubtype
	rowRequest
	rowSide
	rowLogicalParent
	rowTime
	rowSummary
	rowMeta
	rowAPIError
	rowMessage
)

const (
	rareVirtual = iota
	rareDisplayOnly
	rareHook
	rareNote
	rareOrigin
	rareBoundary
	rareAttachment
	rareRendered
	rareContent
	rareCount
)

// The members of a message. Those after content make it odd.
var messageNames = canonjson.Names{"id", "type", "model", "role", "usage", "content", "call_id", "tool_call_id", "tool_calls", "parts"}

const (
	messageID = iota
	messageType
	messageModel
	messageRole
	messageUsage
	messageContent
)

// Read reads the next value, which must be a record. The values of objects are one level deeper.
func (x *RowReader) Read() error {
	clear(x.of[:])
	clear(x.message[:])
	if x.hasRare {
		clear(x.rare[:])
	}
	x.hasRare, x.hasMessage, x.isOdd = false, false, false
	return x.pick(&rowNames, x.of[:], x.member)
}

func (x *RowReader) pick(names *canonjson.Names, got []canonjson.Value, member func(int) error) error {
	x.Scanner.MaxDepth--
	err := x.Scanner.Pick(names, got, member)
	x.Scanner.MaxDepth++
	return err
}

func (x *RowReader) member(which int) (err error) {
	if which != rowMessage {
		x.hasRare = true
		x.rare[which-rowMessage-1], err = x.Scanner.Value()
		return err
	}
	x.hasMessage = true
	if x.Scanner.Peek() != '{' {
		x.isOdd = true
		return x.Scanner.Skip()
	}
	return x.pick(&messageNames, x.message[:], x.messageMember)
}

func (x *RowReader) messageMember(which int) error {
	if which == messageContent {
		return x.Content()
	}
	x.isOdd = true
	return x.Scanner.Skip()
}

// Most lines are of these kinds.
var userFate, assistantFate = claudeKinds["user"], claudeKinds["assistant"]

// Row judges the line that was read. first is the first text in its content, and hasContent says
// that it is a string or a list. It returns false for an odd line.
func (x *RowReader) Row(r *Row, hasContent bool, first canonjson.Value, hasResult bool) bool {
	of, m := &x.of, &x.message
	for i := range rowSide {
		if of[i].Form > canonjson.Plain {
			return false
		}
	}
	if x.isOdd || m[messageID].Form > canonjson.Plain || m[messageType].Form > canonjson.Plain || m[messageRole].Form > canonjson.Plain {
		return false
	}
	kind := plainOf(of[rowType])
	*r = Row{
		UUID: plainOf(of[rowUUID]), Parent: plainOf(of[rowParent]), Session: plainOf(of[rowSession]), Agent: plainOf(of[rowAgent]),
		IsSide: isTrue(of[rowSide]), Answer: plainOf(m[messageID]), Request: plainOf(of[rowRequest]),
	}
	r.LogicalParent, _ = of[rowLogicalParent].Text()
	r.Time, _ = of[rowTime].Text()
	fate := userFate
	if kind != "user" {
		if fate = assistantFate; kind != "assistant" {
			fate = claudeKinds[kind]
		}
	}
	switch fate {
	case recordedCall, recordedMessage, recordedShape, forkedFrom:
		return false
	case bookkeeping, attachedTexts, byType:
		if r.UUID == "" {
			return !x.hasMessage
		}
	}
	switch fate {
	case fromClient, fromModel:
		role, typ := plainOf(m[messageRole]), plainOf(m[messageType])
		if r.UUID == "" || !hasContent || role != "" && role != kind || typ != "" && typ != "message" || isTrue(x.rare[rareVirtual]) || isTrue(x.rare[rareDisplayOnly]) {
			return false
		}
		if fate == fromModel {
			return x.answer(r) && !hasResult
		}
		return x.user(r, first, hasResult)
	case bookkeeping:
		r.Kind, r.IsSkipped = RowBeside, true
	case attachedTexts:
		r.Kind = RowBeside
		return x.isNotSent()
	case byType:
		return x.system(r)
	case unknownKind:
		r.Kind = RowBeside
		if r.UUID == "" {
			r.Kind = RowNone
		}
		return !x.hasMessage && x.rare[rareAttachment].Form == canonjson.Absent && x.rare[rareContent].Form == canonjson.Absent
	}
	return !x.hasMessage
}

// answer judges a record of the assistant. One without the id of a message or request may belong to
// the record before it.
func (x *RowReader) answer(r *Row) bool {
	model := x.message[messageModel]
	if model.Form == canonjson.Escaped || model.Form == canonjson.Coded {
		return false
	}
	r.HasModel, r.Model = plainOf(model) != "", plainOf(model)
	switch {
	case isTrue(x.of[rowAPIError]):
		r.Kind = RowError
	case r.Model == "<synthetic>":
		r.Kind = RowSynthetic
	default:
		r.Kind = RowAnswer
	}
	return r.Answer != "" || r.Request == "" && x.message[messageUsage].Form <= canonjson.Null
}

// user judges a record of the user.
func (x *RowReader) user(r *Row, first canonjson.Value, hasResult bool) bool {
	of := &x.of
	if isSet(x.rare[rareHook]) || isSet(x.rare[rareNote]) || isSet(x.rare[rareOrigin]) && !isFromPerson(x.rare[rareOrigin]) {
		return false // its text is sent in another form
	}
	r.Kind, r.IsSummary = RowUser, isTrue(of[rowSummary])
	text := ""
	if first.Form.IsString() && first.Raw != "" && !isWord(first.Raw[0]) { // those that matter begin so
		text, _ = first.Text()
	}
	switch markOf(text, plainOf(of[rowSubtype]), hasResult, r.IsSummary || isTrue(of[rowMeta])) {
	case isClearEcho:
		r.Kind = RowClear
	case isInterrupt:
		r.Kind = RowInterrupt
	case isTypedInput:
		r.IsPerson = true
	}
	r.IsWarning = warns(text)
	return true
}

// isWord reports whether no text that marks a record begins with the letter or digit.
func isWord(c byte) bool { return c != 'C' && (c|0x20 >= 'a' && c|0x20 <= 'z' || c >= '0' && c <= '9') }

// isFromPerson reports whether an origin is a person.
func isFromPerson(origin canonjson.Value) bool {
	kind := value{raw: origin.Raw}.get("kind").text()
	return kind == "" || kind == "human"
}

// system judges a record of the system.
func (x *RowReader) system(r *Row) bool {
	of := &x.of
	r.Kind, r.IsSkipped = RowBeside, true
	subtype := plainOf(of[rowSubtype])
	switch claudeSubtypes[subtype] {
	case stated:
		if subtype == "microcompact_boundary" {
			return false
		}
		r.Kind, r.IsSkipped = RowBoundary, false
		if x.rare[rareBoundary].Form <= canonjson.Null {
			return !x.hasMessage
		}
		b := boundaryOf(value{raw: x.rare[rareBoundary].Raw})
		return x.rare[rareBoundary].Form == canonjson.Other && len(b.ids) == 0 && b.tail == "" && !x.hasMessage
	case fromClient:
		if x.rare[rareContent].Form.IsString() {
			r.Kind, r.IsSkipped, r.IsText, r.Text = RowUser, false, true, x.rare[rareContent]
		} else if x.rare[rareContent].Form > canonjson.Null {
			return false
		}
	}
	return !x.hasMessage
}

// isNotSent reports whether nothing of an attachment is sent, and it changes nothing that is.
func (x *RowReader) isNotSent() bool {
	if x.rare[rareAttachment].Form == canonjson.Absent {
		return !x.hasMessage
	}
	if x.rare[rareAttachment].Form != canonjson.Other || x.rare[rareRendered].Form > canonjson.Null || x.hasMessage {
		return false
	}
	a := (&session{}).attachmentOf(&recordLine{attached: x.rare[rareAttachment].Raw})
	return len(a.texts)+len(a.surfaced) == 0 && a.kind != "thinking_stripped"
}

func plainOf(v canonjson.Value) string {
	if v.Form == canonjson.Plain {
		return v.Raw
	}
	return ""
}

func isTrue(v canonjson.Value) bool { return v.Form == canonjson.Other && v.Raw == "true" }

func isSet(v canonjson.Value) bool { return v.Form > canonjson.Null && v.Raw != "false" }

// IsReminder reports whether a text beside a result may be sent as a part of the result.
func IsReminder(text canonjson.Value) bool {
	if !text.Form.IsString() || text.Raw == "" || text.Raw[0] != '<' && text.Raw[0] != '\\' {
		return false
	}
	s, _ := text.Text()
	return strings.HasPrefix(s, "<system-reminder>")
}
