package search

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/source"
)

// sessionTape makes tapes of session files of Claude Code in which the conversation continues from
// record to record, or restarts at a boundary. Package thread/source judges each line; the tree is
// that of package thread/history: a snapshot for each message of the API, which shows what its
// first record follows, one for each stated event, and one more with the answer and what follows
// it before the first event after a call and at the end. errIrregular is returned for anything
// else, such as a conversation that was rewound, or records of an agent among others. Its many
// fields are what a record needs from the records before it.
type sessionTape struct {
	chatTape
	file    string        // its name
	links   *source.Links // what links the file with others, if that must be found
	line    source.RowReader
	row     source.Row // of the line
	records []record
	at      map[string]int32    // by uuid, where records are
	apis    map[string]struct{} // messages of the API that were seen
	side    bool                // the records are of an agent
	session string              // of the first record
	agent   string              // of the first record
	linked  bool                // a record names its parent
	loose   bool                // a record other than the first names no parent

	request string // of the latest call

	api      string // the message of the API that answers the latest call
	anchor   int32  // its first record; -1 before the first call
	requests int32
	model    string // of the latest call
	hasModel bool   // calls have the setting model
	thinks   bool   // a model thought
	mixed    bool   // there are several models
	endState bool   // the last snapshot is that of an answer at the end

	made        [baseBlock + 1]int32
	turn        int32
	segment     int32 // where the segment of the last turn is; -1 if there is no turn
	isSealed    bool  // the last turn is finished
	hasMessage  bool  // the last turn has more than what comes before a prompt
	goesOn      int32 // the number of the core in which a compaction happens; 0 for none
	isFollowed  bool  // a call follows the events
	last        lastRow
	mayBeBeside bool    // the latest call, to which other calls may add nothing
	rows        []int32 // records that enter, in order
	path, off   []int32 // those on the path, and results beside it
}

// record is a record of a session file that has an id.
type record struct {
	uuid      string
	parent    int32 // -1 for none
	from, to  int32 // its blocks, in flat
	kind      source.RowKind
	isOnPath  bool
	isPerson  bool
	isSummary bool
	isWarning bool
	isSkipped bool
	results   bool
	calls     bool
	reminds   bool
}

// lastRow is the last record on the tape.
type lastRow struct {
	at        int32 // its last node
	from      int32 // the cycle in which that entered
	isClient  bool
	isFresh   bool // an event began the turn with this message
	isEvent   bool // it entered with an event
	isPerson  bool
	isText    bool // its last part is a text
	isSummary bool
	hasText   bool // the message that it is a part of has something other than results
	results   bool // and has results
	reminds   bool // and has a reminder
}

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
	if s.linked && s.loose || s.anchor < 0 || s.thinks && s.mixed {
		return errIrregular
	}
	return s.finish()
}

func (s *sessionTape) start() {
	s.chatTape.begin()
	s.line = source.RowReader{Scanner: &s.scanner, Content: s.anthropicContent}
	s.first, s.anchor, s.segment, s.turn, s.requests = 1, -1, -1, 0, 0
	s.records, s.rows, s.last = s.records[:0], s.rows[:0], lastRow{}
	s.side, s.linked, s.loose, s.session, s.agent, s.api = false, false, false, "", "", ""
	s.hasMessage, s.goesOn, s.isFollowed = false, 0, false
	s.model, s.hasModel, s.thinks, s.mixed, s.endState, s.isSealed, s.mayBeBeside = "", false, false, false, false, false, false
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
	s.line, s.row = source.RowReader{}, source.Row{}
	s.session, s.agent, s.api, s.request, s.model, s.links = "", "", "", "", "", nil
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
	s.msg = message{parts: s.msg.parts[:0], calls: s.msg.calls[:0]}
	if s.scanner.Peek() != '{' {
		return errIrregular
	}
	if err := s.line.Read(); err != nil {
		return err
	}
	if err := s.scanner.End(); err != nil {
		return err
	}
	m := &s.msg
	r := record{parent: -1}
	first := m.content
	if m.isList {
		first = text{}
	}
	for i := range m.parts {
		switch p := &m.parts[i]; p.kind {
		case "text":
			if first.Form == absent {
				first = p.content
			}
		case "result":
			r.results = true
		case "call":
			r.calls = true
		}
	}
	row := &s.row
	if !s.line.Row(row, m.isList || m.content.Form.IsString(), first, r.results) || m.irregular || m.oddText {
		return errIrregular
	}
	if s.links != nil {
		s.addLinks()
	}
	if row.Kind == source.RowNone {
		return nil
	}
	r.uuid, r.kind = row.UUID, row.Kind
	r.isPerson, r.isSummary, r.isWarning, r.isSkipped = row.IsPerson, row.IsSummary, row.IsWarning, row.IsSkipped
	if err := s.link(&r); err != nil {
		return err
	}
	if err := s.addParts(&r); err != nil {
		return err
	}
	return s.take(r)
}

// addLinks adds what links the line with those of other files.
func (s *sessionTape) addLinks() {
	r := &s.row
	parent := r.Parent
	if s.follows(parent) {
		parent = "" // the file has it
	}
	s.links.Record(source.RecordLinks{
		UUID: r.UUID, Parent: parent, LogicalParent: r.LogicalParent, Session: r.Session, Time: r.Time, IsSidechain: r.IsSide, Answer: r.Answer, Request: r.Request,
	})
}

// follows reports whether the record before has an id. That of most is the parent of the next.
func (s *sessionTape) follows(id string) bool {
	return len(s.records) > 0 && s.records[len(s.records)-1].uuid == id
}

// link finds the parent of a record, and checks that it belongs to the same conversation.
func (s *sessionTape) link(r *record) error {
	row := &s.row
	if len(s.records) == 0 {
		s.side, s.session, s.agent = row.IsSide, row.Session, row.Agent
	}
	isBoundary := row.Kind == source.RowBoundary
	if row.IsSide != s.side || s.side && row.Agent != s.agent || isBoundary && row.Session != s.session {
		return errIrregular
	}
	if isBoundary && row.LogicalParent != "" && s.side {
		if _, ok := s.at[row.LogicalParent]; !ok {
			return errIrregular
		}
	}
	if isBoundary && s.anchor >= 0 {
		if at, ok := s.at[row.LogicalParent]; ok && !s.goesOnFrom(at) {
			return errIrregular // the conversation was rewound
		}
	}
	if row.Parent != "" {
		at := int32(len(s.records)) - 1
		if !s.follows(row.Parent) {
			var ok bool
			if at, ok = s.at[row.Parent]; !ok {
				return errIrregular
			}
		}
		r.parent, s.linked = at, true
		return nil
	}
	if row.Session != s.session || row.Agent != s.agent {
		return errIrregular
	}
	if len(s.records) > 0 {
		r.parent = int32(len(s.records)) - 1 // in the order of the file, where no record names its parent
		s.loose = s.loose || !isBoundary
	}
	return nil
}

// goesOnFrom reports whether the latest answer is in the chain of a record, or the chain begins
// after it.
func (s *sessionTape) goesOnFrom(at int32) bool {
	for {
		r := &s.records[at]
		if at >= s.anchor && r.kind == source.RowAnswer || r.parent < 0 || r.kind == source.RowBoundary {
			return at >= s.anchor
		}
		at = r.parent
	}
}

// addParts keeps the blocks of a message.
func (s *sessionTape) addParts(r *record) error {
	m := &s.msg
	r.from = int32(len(s.flat))
	r.to = r.from
	role := "user"
	switch r.kind {
	case source.RowAnswer, source.RowSynthetic:
		role = "assistant"
	case source.RowUser, source.RowClear, source.RowInterrupt:
		if r.calls {
			return errIrregular
		}
	default:
		return nil
	}
	if !isPlainID(r.uuid) {
		return errIrregular
	}
	if s.row.IsText {
		m.content, m.isList = s.row.Text, false
	}
	if !m.isList {
		s.flat = append(s.flat, node{base: baseBlock, role: role, kind: "text", content: m.content})
		r.reminds = source.IsReminder(m.content)
	}
	hasText := false
	for i := range m.parts {
		p := &m.parts[i]
		n := node{base: baseBlock, role: role, kind: p.kind, name: p.name, call: p.call, content: p.content}
		if p.role != "" {
			n.role = p.role
		}
		switch p.kind {
		case "result":
			if hasText || p.content.Form == other && strings.Contains(p.content.Raw, `"tool_reference"`) {
				return errIrregular
			}
		case "text":
			r.reminds = r.reminds || source.IsReminder(p.content)
		case "thinking", "redacted_thinking":
			s.thinks = s.thinks || role == "assistant"
			s.mixed = s.mixed || r.kind == source.RowSynthetic
		}
		hasText = hasText || p.kind != "result"
		s.flat = append(s.flat, n)
	}
	r.to = int32(len(s.flat))
	return nil
}

// take adds a record. The first one of a message of the API makes a call.
func (s *sessionTape) take(r record) error {
	at := int32(len(s.records))
	switch r.kind {
	case source.RowAnswer, source.RowSynthetic, source.RowError:
		if err := s.answer(&r, at); err != nil {
			return err
		}
	}
	s.records = append(s.records, r)
	s.at[r.uuid] = at
	if len(s.at) < len(s.records) { // another one has the id
		return errIrregular
	}
	return nil
}

// answer makes the call that a record of the assistant answers, if it is the first one.
func (s *sessionTape) answer(r *record, at int32) error {
	row := &s.row
	api := cmp.Or(row.Answer, r.uuid)
	seen := len(s.apis)
	s.apis[api] = struct{}{}
	isNew := len(s.apis) > seen
	switch {
	case r.kind != source.RowAnswer:
		if !isNew {
			return errIrregular
		}
		return nil
	case !isNew:
		if api != s.api || row.Request != s.request || s.isRepeated(r) {
			return errIrregular
		}
		return nil
	case s.anchor >= 0 && row.HasModel != s.hasModel:
		return errIrregular
	}
	s.hasModel = row.HasModel
	s.mixed = s.mixed || s.model != row.Model && s.model != ""
	s.model = row.Model
	if err := s.advance(r.parent, at, true); err != nil {
		return err
	}
	s.api, s.request, s.anchor = api, row.Request, at
	s.requests++
	return nil
}

// isRepeated reports whether the latest answer has a record like r, of which r may be a copy.
func (s *sessionTape) isRepeated(r *record) bool {
	same := func(a, b node) bool {
		return a.kind == b.kind && a.call == b.call && canonical(a.content) == canonical(b.content)
	}
	for i := s.anchor; i < int32(len(s.records)); i++ {
		if x := &s.records[i]; x.kind == source.RowAnswer && slices.EqualFunc(s.flat[x.from:x.to], s.flat[r.from:r.to], same) {
			return true
		}
	}
	return false
}
