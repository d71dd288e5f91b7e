package corpus

import (
	"path"
	"path/filepath"
	"strings"

	"github.com/pactkit/pactkit/thread/source"
)

// sessionTape makes tapes of session files of Claude Code in which the conversation continues from
// record to record, or restarts at a boundary. The tree is that of package thread/history: a
// snapshot for each message of the API, which shows what its first record follows, and one more
// with the last answer and what follows it. errIrregular is returned for anything else, such as a
// conversation that was rewound, or records of an agent among others.
type sessionTape struct {
	chatTape
	file    string        // its name
	links   *source.Links // what links the file with others, if that must be found
	line    recordLine
	records []record
	at      map[string]int32 // by uuid, where records are
	apis    map[string]bool  // messages of the API that were seen
	side    bool             // the records are of an agent
	session string           // of the first record
	agent   string           // of the first record
	linked  bool             // a record names its parent
	loose   bool             // a record other than the first names no parent

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

// recordLine is the line being read.
type recordLine struct {
	kind, uuid, parent, session, agent, subtype text
	logicalParent, time                         text
	side, summary                               text
	metadata                                    text
	hasMessage                                  bool
	id, model, kindOfMessage                    text
}

// readFile makes the tape of a session file.
func (s *sessionTape) readFile(file, text string) error {
	s.file = file
	s.start()
	for text != "" {
		line, rest, _ := strings.Cut(text, "\n")
		text = rest
		if strings.TrimSpace(line) == "" {
			continue
		}
		if s.record(line) != nil {
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
		s.at, s.apis = map[string]int32{}, map[string]bool{}
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

// record takes a line.
func (s *sessionTape) record(line string) error {
	l := &s.line
	*l = recordLine{}
	s.msg = message{parts: s.msg.parts[:0], calls: s.msg.calls[:0]}
	s.set(line)
	if s.scanner.Peek() != '{' {
		return errIrregular
	}
	if err := s.object(s.member); err != nil {
		return err
	}
	if err := s.scanner.End(); err != nil {
		return err
	}
	for _, v := range [...]text{l.kind, l.uuid, l.parent, l.session, l.agent, l.subtype, l.id, l.kindOfMessage} {
		if v.form == escaped || v.form == coded || v.form == other {
			return errIrregular
		}
	}
	if s.links != nil {
		s.addLinks()
	}
	if l.uuid.word() == "" {
		if l.hasMessage {
			return errIrregular
		}
		return nil // beside the conversation
	}
	r := record{parent: -1, uuid: l.uuid.raw}
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
	logicalParent, _ := l.logicalParent.string()
	time, _ := l.time.string()
	s.links.Record(source.RecordLinks{
		UUID: l.uuid.word(), Parent: l.parent.word(), LogicalParent: logicalParent, Session: l.session.word(), Time: time,
		IsSidechain: l.isSide(),
	})
}

// isSide reports whether the line says that it is of an agent.
func (l *recordLine) isSide() bool { return l.side.form == other && l.side.raw == "true" }

// word returns a string without escapes, otherwise "".
func (t text) word() string {
	if t.form == plain {
		return t.raw
	}
	return ""
}

func (s *sessionTape) member(name string, _ int) (err error) {
	l := &s.line
	switch name {
	case "type":
		l.kind, err = s.value()
	case "uuid":
		l.uuid, err = s.value()
	case "parentUuid":
		l.parent, err = s.value()
	case "logicalParentUuid":
		l.logicalParent, err = s.value()
	case "timestamp":
		l.time, err = s.value()
	case "sessionId":
		l.session, err = s.value()
	case "agentId":
		l.agent, err = s.value()
	case "subtype":
		l.subtype, err = s.value()
	case "isSidechain":
		l.side, err = s.value()
	case "isCompactSummary":
		l.summary, err = s.value()
	case "compactMetadata":
		l.metadata, err = s.value()
	case "message":
		l.hasMessage = true
		if s.scanner.Peek() != '{' {
			return errIrregular
		}
		return s.object(s.messageMember)
	default:
		err = s.scanner.Skip()
	}
	return err
}

func (s *sessionTape) messageMember(name string, _ int) (err error) {
	l := &s.line
	switch name {
	case "role":
		s.msg.role, err = s.scanner.Text()
	case "content":
		err = s.anthropicContent()
	case "id":
		l.id, err = s.value()
	case "model":
		l.model, err = s.value()
	case "type":
		l.kindOfMessage, err = s.value()
	case "call_id", "tool_call_id", "tool_calls", "parts":
		return errIrregular
	default:
		err = s.scanner.Skip()
	}
	return err
}

// link finds the parent of a record, and checks that it belongs to the same conversation.
func (s *sessionTape) link(r *record) error {
	l := &s.line
	if _, twice := s.at[r.uuid]; twice {
		return errIrregular
	}
	if _, taken := s.ids[r.uuid]; taken {
		return errIrregular
	}
	side := l.isSide()
	if len(s.records) == 0 {
		s.side, s.session, s.agent = side, l.session.word(), l.agent.word()
	}
	if side != s.side {
		return errIrregular
	}
	if parent := l.parent.word(); parent != "" {
		at, ok := s.at[parent]
		if !ok {
			return errIrregular
		}
		r.parent, s.linked = at, true
		return nil
	}
	if l.session.word() != s.session || l.agent.word() != s.agent {
		return errIrregular
	}
	if len(s.records) > 0 {
		r.parent = int32(len(s.records)) - 1 // in the order of the file, where no record names its parent
		isBoundary := l.kind.word() == "system" && l.subtype.word() == "compact_boundary"
		s.loose = s.loose || !isBoundary
	}
	return nil
}

// classify determines the kind of a record.
func (s *sessionTape) classify(r *record) error {
	l, m := &s.line, &s.msg
	kind := l.kind.word()
	switch kind {
	case "system":
		if l.subtype.word() == "compact_boundary" {
			r.what = isStop
			if strings.Contains(l.metadata.raw, "preservedSegment") {
				return errIrregular
			}
		}
		return nil
	case "user", "assistant":
	default:
		return nil
	}
	role, ofMessage := m.role, l.kindOfMessage.word()
	if m.irregular || !m.isList && !m.content.form.isString() || role != "" && role != kind || ofMessage != "" && ofMessage != "message" || !isPlainID(r.uuid) {
		return errIrregular
	}
	for i := range m.parts {
		r.results = r.results || m.parts[i].kind == "result"
		r.calls = r.calls || m.parts[i].kind == "call"
	}
	r.summary = l.summary.form == other && l.summary.raw == "true"
	if kind == "user" {
		if r.what = isUser; s.isClear() {
			r.what, r.results, r.calls = isStop, false, false
			return nil
		}
		if r.calls {
			return errIrregular
		}
	} else {
		if r.api = l.id.word(); r.api == "" {
			r.api = r.uuid
		}
		r.what = isAnswer
		if l.model.form == escaped || l.model.form == coded || r.results {
			return errIrregular
		}
		if l.model.word() == "<synthetic>" {
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
			n.content.form = absent
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
	if !v.form.isString() || !strings.Contains(v.raw, "clear") && v.form != coded {
		return false
	}
	text, _ := v.string()
	return strings.HasPrefix(strings.TrimSpace(text), "<command-name>/clear</command-name>")
}

// take adds a record. The first one of a message of the API makes a call.
func (s *sessionTape) take(r record) error {
	at := int32(len(s.records))
	isNew := r.what >= isAnswer && !s.apis[r.api]
	switch {
	case r.what == isSynthetic && !isNew, r.what == isAnswer && !isNew && r.api != s.api:
		return errIrregular
	case r.what == isAnswer && isNew:
		hasModel := s.line.model.form != absent && s.line.model.form != null
		if s.anchor >= 0 && hasModel != s.model {
			return errIrregular
		}
		s.model = hasModel
		if err := s.call(r.parent); err != nil {
			return err
		}
		s.api, s.anchor = r.api, at
	}
	if r.what >= isAnswer {
		s.apis[r.api] = true
	}
	s.records = append(s.records, r)
	s.at[r.uuid] = at
	return nil
}
