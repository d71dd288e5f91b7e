package search

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/thread/source"
)

// sessionTape makes tapes of session files of Claude Code in which the conversation continues from
// record to record, or restarts at a boundary. The tree is that of package thread/history: a
// snapshot for each message of the API, which shows what its first record follows, and one more
// with the answer and what follows it before each boundary and at the end. errIrregular is returned
// for anything else, such as a conversation that was rewound, or records of an agent among others.
// Its many fields are what a record needs from the records before it.
type sessionTape struct {
	chatTape
	file    string        // its name
	links   *source.Links // what links the file with others, if that must be found
	line    recordLine
	records []record
	at      map[string]int32    // by uuid, where records are
	apis    map[string]struct{} // messages of the API that were seen
	side    bool                // the records are of an agent
	session string              // of the first record
	agent   string              // of the first record
	linked  bool                // a record names its parent
	loose   bool                // a record other than the first names no parent

	api     string // the message of the API that answers the latest call
	anchor  int32  // its first record; -1 before the first call
	model   bool   // calls have the setting model
	made    [baseBlock + 1]int32
	turn    int32
	segment int32   // where the segment of the last turn is; -1 if there is no turn
	shown   []int32 // records that enter with the next snapshot
}

// record is a record of a session file that has an id.
type record struct {
	parent   int32 // -1 for none
	what     what
	isOnPath bool
	follows  bool // the last answer, or what follows it
	summary  bool
	results  bool
	calls    bool
	api      string
	uuid     string
	from, to int32 // its blocks, in flat
}

// what is the kind of a record.
type what uint8

const (
	isBeside what = iota // not a message
	isStop               // earlier records are no longer sent
	isUser
	isAnswer
	isSynthetic // an answer not from a model
)

// recordLine is the line being read: the values of its members, and of those of its message.
type recordLine struct {
	of         [recordMessage]text
	message    [messageContent]text
	hasMessage bool
}

// The members of a record that are read. Those before isSidechain are strings that are not decoded.
var recordNames = canonjson.Names{
	"type", "uuid", "parentUuid", "sessionId", "agentId", "subtype",
	"isSidechain", "logicalParentUuid", "timestamp", "isCompactSummary", "compactMetadata", "message",
}

const (
	recordType = iota
	recordUUID
	recordParent
	recordSession
	recordAgent
	recordSubtype
	recordSide
	recordLogicalParent
	recordTime
	recordSummary
	recordMetadata
	recordMessage
)

// The members of its message. Those after content make it irregular.
var messageNames = canonjson.Names{"id", "type", "model", "role", "content", "call_id", "tool_call_id", "tool_calls", "parts"}

const (
	messageID = iota
	messageType
	messageModel
	messageRole
	messageContent
)

// readFile makes the tape of a session file.
func (s *sessionTape) readFile(file, text string) error {
	s.file = file
	s.start()
	s.scanner.Lines = true
	s.set(text)
	for s.scanner.Line() {
		if s.record() != nil {
			return errIrregular
		}
	}
	if s.linked && s.loose || s.anchor < 0 {
		return errIrregular
	}
	return s.finish()
}

func (s *sessionTape) start() {
	s.chatTape.begin()
	s.first, s.anchor, s.segment, s.turn = 1, -1, -1, 0
	s.records, s.shown = s.records[:0], s.shown[:0]
	s.side, s.linked, s.loose, s.session, s.agent, s.api = false, false, false, "", "", ""
	s.made = [baseBlock + 1]int32{}
	if s.at == nil {
		s.at, s.apis = map[string]int32{}, map[string]struct{}{}
	}
	clear(s.at)
	clear(s.apis)
}

// forget releases the texts that were read.
func (s *sessionTape) forget() {
	clear(s.records[:cap(s.records)])
	clear(s.at)
	clear(s.apis)
	s.line, s.session, s.agent, s.api, s.links = recordLine{}, "", "", "", nil
	s.chatTape.forget()
}

// conversation returns the name of the conversation in package thread/source.
func (s *sessionTape) conversation() string {
	if !s.side {
		return "session " + s.session
	}
	if s.agent != "" {
		return "agent " + s.agent
	}
	base, _, _ := strings.Cut(path.Base(filepath.ToSlash(s.file)), ".")
	if named, ok := strings.CutPrefix(base, "agent-"); ok && named != "" {
		return "agent " + named
	}
	return "agent " + s.records[0].uuid
}

// record reads a line.
func (s *sessionTape) record() error {
	l := &s.line
	*l = recordLine{}
	s.msg = message{parts: s.msg.parts[:0], calls: s.msg.calls[:0]}
	if s.scanner.Peek() != '{' {
		return errIrregular
	}
	if err := s.pick(&recordNames, s.line.of[:], s.readMessage); err != nil {
		return err
	}
	if err := s.scanner.End(); err != nil {
		return err
	}
	role, isString := l.message[messageRole].Text()
	s.msg.role = role
	odd := l.message[messageRole].Form != absent && !isString || l.message[messageID].Form > plain || l.message[messageType].Form > plain
	for i := range recordSide {
		odd = odd || l.of[i].Form > plain
	}
	if odd {
		return errIrregular
	}
	if s.links != nil {
		s.addLinks()
	}
	if word(l.of[recordUUID]) == "" {
		if l.hasMessage {
			return errIrregular
		}
		return nil // beside the conversation
	}
	r := record{parent: -1, uuid: l.of[recordUUID].Raw}
	if err := s.link(&r); err != nil {
		return err
	}
	if err := s.classify(&r); err != nil {
		return err
	}
	return s.take(r)
}

// addLinks adds what links the line with those of other files.
func (s *sessionTape) addLinks() {
	l := &s.line
	parent := word(l.of[recordParent])
	if s.follows(parent) {
		parent = "" // the file has it
	}
	logicalParent, _ := l.of[recordLogicalParent].Text()
	time, _ := l.of[recordTime].Text()
	s.links.Record(source.RecordLinks{
		UUID: word(l.of[recordUUID]), Parent: parent, LogicalParent: logicalParent, Session: word(l.of[recordSession]), Time: time,
		IsSidechain: l.isSide(), Answer: word(l.message[messageID]),
	})
}

// follows reports whether the record before has an id. That of most is the parent of the next.
func (s *sessionTape) follows(id string) bool {
	return len(s.records) > 0 && s.records[len(s.records)-1].uuid == id
}

// isSide reports whether the line says that it is of an agent.
func (l *recordLine) isSide() bool {
	return l.of[recordSide].Form == other && l.of[recordSide].Raw == "true"
}

// word returns a string without escapes, otherwise "".
func word(t text) string {
	if t.Form == plain {
		return t.Raw
	}
	return ""
}

// readMessage reads the message of a record.
func (s *sessionTape) readMessage(int) error {
	s.line.hasMessage = true
	if s.scanner.Peek() != '{' {
		return errIrregular
	}
	return s.pick(&messageNames, s.line.message[:], s.messageMember)
}

func (s *sessionTape) messageMember(which int) error {
	if which == messageContent {
		return s.anthropicContent()
	}
	return errIrregular
}

// link finds the parent of a record, and checks that it belongs to the same conversation.
func (s *sessionTape) link(r *record) error {
	l := &s.line
	side := l.isSide()
	if len(s.records) == 0 {
		s.side, s.session, s.agent = side, word(l.of[recordSession]), word(l.of[recordAgent])
	}
	if side != s.side {
		return errIrregular
	}
	if parent := word(l.of[recordParent]); parent != "" {
		at := int32(len(s.records)) - 1
		if !s.follows(parent) {
			var ok bool
			if at, ok = s.at[parent]; !ok {
				return errIrregular
			}
		}
		r.parent, s.linked = at, true
		return nil
	}
	if word(l.of[recordSession]) != s.session || word(l.of[recordAgent]) != s.agent {
		return errIrregular
	}
	if len(s.records) > 0 {
		r.parent = int32(len(s.records)) - 1 // in the order of the file, where no record names its parent
		isBoundary := word(l.of[recordType]) == "system" && word(l.of[recordSubtype]) == "compact_boundary"
		s.loose = s.loose || !isBoundary
	}
	return nil
}

// classify determines the kind of a record.
func (s *sessionTape) classify(r *record) error {
	l, m := &s.line, &s.msg
	kind := word(l.of[recordType])
	switch kind {
	case "system":
		if word(l.of[recordSubtype]) == "compact_boundary" {
			r.what = isStop
			if strings.Contains(l.of[recordMetadata].Raw, "preservedSegment") {
				return errIrregular
			}
		}
		return nil
	case "user", "assistant":
	default:
		return nil
	}
	role, ofMessage := m.role, word(l.message[messageType])
	if m.irregular || !m.isList && !m.content.Form.IsString() || role != "" && role != kind || ofMessage != "" && ofMessage != "message" || !isPlainID(r.uuid) {
		return errIrregular
	}
	for i := range m.parts {
		r.results = r.results || m.parts[i].kind == "result"
		r.calls = r.calls || m.parts[i].kind == "call"
	}
	r.summary = l.of[recordSummary].Form == other && l.of[recordSummary].Raw == "true"
	if kind == "user" {
		if r.what = isUser; s.isClear() {
			r.what, r.results, r.calls = isStop, false, false
			return nil
		}
		if r.calls {
			return errIrregular
		}
	} else {
		if r.api = word(l.message[messageID]); r.api == "" {
			r.api = r.uuid
		}
		r.what = isAnswer
		if l.message[messageModel].Form == escaped || l.message[messageModel].Form == coded || r.results {
			return errIrregular
		}
		if word(l.message[messageModel]) == "<synthetic>" {
			r.what = isSynthetic
		}
	}
	known, _ := roleOf(kind) // not a part of the text
	s.addParts(r, known)
	return nil
}

// addParts keeps the blocks of a message.
func (s *sessionTape) addParts(r *record, role string) {
	m := &s.msg
	r.from = int32(len(s.flat))
	if len(m.parts) == 0 {
		n := node{base: baseBlock, role: role, kind: "text", content: m.content}
		if m.isList {
			n.content.Form = absent
		}
		s.flat = append(s.flat, n)
	}
	for i := range m.parts {
		p := &m.parts[i]
		n := node{base: baseBlock, role: role, kind: p.kind, name: p.name, call: p.call, content: p.content}
		if p.role != "" {
			n.role = p.role
		}
		s.flat = append(s.flat, n)
	}
	r.to = int32(len(s.flat))
}

// isClear reports whether the message is the command that restarts the conversation.
func (s *sessionTape) isClear() bool {
	v := s.msg.content
	if s.msg.isList {
		v = s.msg.first
	}
	if !v.Form.IsString() || v.Raw != "" && isPlain[v.Raw[0]] || !strings.Contains(v.Raw, "clear") && v.Form != coded {
		return false // most begin with a letter
	}
	text, _ := v.Text()
	return strings.HasPrefix(strings.TrimSpace(text), "<command-name>/clear</command-name>")
}

// take adds a record. The first one of a message of the API makes a call.
func (s *sessionTape) take(r record) error {
	at := int32(len(s.records))
	isNew := false
	if r.what >= isAnswer {
		seen := len(s.apis)
		s.apis[r.api] = struct{}{}
		isNew = len(s.apis) > seen
	}
	switch {
	case r.what == isSynthetic && !isNew, r.what == isAnswer && !isNew && r.api != s.api:
		return errIrregular
	case r.what == isAnswer && isNew:
		hasModel := s.line.message[messageModel].Form != absent && s.line.message[messageModel].Form != null
		if s.anchor >= 0 && hasModel != s.model {
			return errIrregular
		}
		s.model = hasModel
		if err := s.call(r.parent); err != nil {
			return err
		}
		s.api, s.anchor = r.api, at
	}
	s.records = append(s.records, r)
	s.at[r.uuid] = at
	if len(s.at) < len(s.records) { // another one has the id
		return errIrregular
	}
	return nil
}
