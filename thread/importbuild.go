package thread

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// The tags and user types that importers write.
const (
	tagSide    = "sidechain" // a block of a side conversation
	typeLog    = "log"       // a container in ^sys for what is outside the messages
	typeRecord = "record"    // a container for a record that is not a message
)

// message is one message of a log before it becomes nodes.
type message struct {
	at     *value
	role   string // of the specification, or an unknown one of the log
	parts  []*part
	from   origin // of the whole message
	extra  []extra
	time   time.Time // zero if the log has no time
	starts bool      // begins a turn
	side   bool
	inert  bool // a record that is not a message; parts[0] is its container
}

// part is one block of a message.
type part struct {
	role    string // empty for the role of the message
	kind    string
	content engine.Value
	name    string
	call    string
	calls   []string // ids of calls, if a result lists several
	id      string   // for the node, if it is not used yet
	from    origin
	extra   []extra
}

// extra is a member of the log that becomes a custom member of a node. level says what it is a
// member of.
type extra struct {
	level level
	as    string // its name
	*value
}

type level uint8

const (
	ofRecord level = iota
	ofMessage
	ofPart
	ofCall
)

var levelPrefix = [...]string{"record_", "message_", "part_", "function_"}

// builder makes one history. Its many fields are what the next message may depend on, and memory
// that is reused for each message.
type builder struct {
	rd        *reader
	ctx       *engine.Context
	notes     []Note
	ids       map[string]bool
	keys      map[string]bool
	noHistory bool // only nodes are wanted: no turn is sealed, and nothing is noted
	number    int  // number of messages so far
	spoken    bool // there was a message other than a system message
	turn      []engine.Draft
	times     []time.Time // of the nodes in turn
	head      string      // id of the core with the earlier nodes of the turn; "" if there is none
	calls     stepper
	last      time.Time
	sys       []engine.Draft
	sysAt     []time.Time
	queue     []time.Time // of the nodes being inserted
	around    []extra     // the members outside the messages
	waiting   calls[*part]
	args      document // for the arguments of a call

	// Memory that is reused for each message.
	from      origin
	message   message
	scratch   []byte
	generated int // number of generated ids of calls
	parts     []*part
	usedParts int // parts that the current message uses
	members   []map[string]engine.Value
}

func (b *builder) note(kind NoteKind, code engine.Code, v *value, msg string) {
	if b.noHistory {
		return
	}
	b.notes = append(b.notes, b.rd.noteAt(kind, code, v, msg))
}

func (rd *reader) noteAt(kind NoteKind, code engine.Code, v *value, msg string) Note {
	return Note{Kind: kind, Code: code, File: rd.src.name, Line: v.line(), Path: v.path(), Msg: msg}
}

// fail returns an error at a value.
func (rd *reader) fail(v *value, code engine.Code, format string, args ...any) error {
	return &engine.Error{Code: code, File: rd.src.name, Path: v.path(), Line: v.line(), Msg: fmt.Sprintf(format, args...)}
}

// now returns the time of a message: its own, or a second after the previous one.
func (b *builder) now(m *message) time.Time {
	if !m.time.IsZero() && m.time.Year() >= 1970 && m.time.Year() < 2262 {
		return m.time.UTC()
	}
	if !b.last.IsZero() {
		return b.last.Add(time.Second)
	}
	if !b.rd.opts.Start.IsZero() {
		return b.rd.opts.Start.UTC()
	}
	return time.Unix(1, 0).UTC()
}

// add adds the next message.
func (b *builder) add(m *message) (err error) {
	system := m.role == "system" && !b.spoken && !m.inert
	if !system && !m.inert {
		b.spoken = true
	}
	if m.starts && !b.noHistory && b.hasMessage() {
		if err := b.seal(); err != nil {
			return err
		}
	}
	b.last = b.now(m)
	if err := b.step(m); err != nil {
		return err
	}
	b.matchResults(m)
	for i, p := range m.parts {
		from := &b.from
		if *from = p.from; i == 0 {
			*from = m.from
			from.Type, from.Raw, from.NoID, from.Implied = p.from.Type, p.from.Raw, p.from.NoID, p.from.Implied
		}
		from.From, from.Message = b.rd.format.String(), b.number
		d := b.draft(m, p, from, i == 0)
		if d.Provenance, err = b.provenance(from); err != nil {
			return err
		}
		if system {
			b.sys, b.sysAt = append(b.sys, d), append(b.sysAt, b.last)
		} else {
			b.turn, b.times = append(b.turn, d), append(b.times, b.last)
		}
	}
	b.number++
	b.usedParts = 0
	return nil
}

func (b *builder) draft(m *message, p *part, from *origin, first bool) engine.Draft {
	d := engine.Draft{Kind: p.kind, Content: p.content, Role: p.role}
	if last := len(b.members) - 1; last >= 0 {
		d.Members, b.members = b.members[last], b.members[:last]
	}
	if m.inert {
		d.Type = b.container(typeRecord)
	} else {
		if d.Role == "" {
			d.Role = m.role
		}
		if m.side || b.rd.opts.Edition == engine.Edition01 { // in edition 1.0 the role is a tag anyway
			d.Tags = []string{d.Role}
		}
		if m.side {
			d.Tags = append(d.Tags, tagSide)
		}
	}
	if p.name != "" {
		setMember(&d, "name", engine.Text(p.name))
	}
	if p.call != "" {
		setMember(&d, "call_id", engine.Text(p.call))
	}
	if p.kind == "call" && !from.NoID && p.call != "" && !b.keys[p.call] {
		b.keys[p.call] = true
		d.Key = p.call
	}
	if p.id != "" && !b.ids[p.id] {
		b.ids[p.id] = true
		d.ID = p.id
	}
	all := p.extra
	if first {
		all = append(slices.Clone(m.extra), p.extra...)
	}
	keepIn(&d, from, all)
	arguments(&d, p, b.rd.format, &b.args)
	return d
}

// setMember sets a custom member.
func setMember(d *engine.Draft, name string, v engine.Value) {
	if d.Members == nil {
		d.Members = map[string]engine.Value{}
	}
	d.Members[name] = v
}

// keepIn makes members of a log custom members of a node. A name that is taken or reserved, or is
// that of the tool in this node, gets the prefix of its level.
func keepIn(d *engine.Draft, from *origin, all []extra) {
	for _, x := range all {
		member := x.as
		tool := member == "name" && (d.Kind == "call" || d.Kind == "result")
		if _, taken := d.Members[member]; taken || IsReserved(member) || tool {
			member = levelPrefix[x.level] + x.as
		}
		for d.Members[member].String() != "" {
			member += "_"
		}
		setMember(d, member, x.json())
		k := kept{x.as, member}
		switch x.level {
		case ofRecord:
			from.Record = append(from.Record, k)
		case ofMessage:
			from.Msg = append(from.Msg, k)
		case ofPart:
			from.Part = append(from.Part, k)
		default:
			from.Call = append(from.Call, k)
		}
	}
}

// reserved has names that selectors derive or importers write, in addition to the headers.
var reserved = map[string]bool{
	"": true, "children": true, "depth": true, "age": true, "born_turn": true, "phase": true, "ephemeral": true, "sticky": true,
	"call_id": true, "entered": true, "left": true, "cause": true, "rule": true, "saved": true, "provenance": true, engine.AttachedID: true,
}

// IsReserved reports whether a member of a log cannot keep its name in a node, because it is the
// name of a header, or one that selectors derive or importers write. Such a member gets a prefix,
// see T22 in the reference.
func IsReserved(name string) bool { return reserved[name] || engine.IsHeader(name) }

// maxArgument is the maximum length, in bytes of JSON, of an argument that becomes a member.
const maxArgument = 256

// arguments makes the scalar arguments of a call custom members that selectors can test, such as
// arg_user_id for user_id. It parses them into args.
func arguments(d *engine.Draft, p *part, from Format, args *document) {
	if p.kind != "call" || p.from.Raw {
		return
	}
	v := p.content
	if from == ShareGPT {
		if _, in, ok := shareGPTCall(v); ok {
			v = in
		}
	}
	text, ok := v.Text()
	if !ok {
		text = v.String()
	}
	list, err := args.parse(text, noElement, 1)
	if err != nil {
		return
	}
	for f := range list.fields() {
		name := "arg_" + f.name
		if _, taken := d.Members[name]; taken || f.is('{') || f.is('[') {
			continue
		}
		if arg := f.json(); len(arg.String()) <= maxArgument {
			setMember(d, name, arg)
		}
	}
}

func (b *builder) container(user string) string {
	if b.rd.opts.Edition == engine.Edition01 {
		return "mc:" + user
	}
	return "cont:" + user
}

// hasMessage reports whether the turn has a message. Records are not messages.
func (b *builder) hasMessage() bool {
	return b.calls.spoke || slices.ContainsFunc(b.turn, func(d engine.Draft) bool { return d.Role != "" })
}

// seal ends a turn. A log without messages has one empty turn.
func (b *builder) seal() error {
	if err := b.insert(); err != nil {
		return err
	}
	b.head, b.calls.spoke = "", false
	if b.rd.opts.ByCall {
		return b.ctx.Seal()
	}
	_, err := b.ctx.Commit()
	return err
}

// insert inserts everything read since its last call into the tree.
func (b *builder) insert() error {
	if b.ctx == nil {
		if err := b.begin(); err != nil {
			return err
		}
	}
	for i, d := range b.sys {
		b.queue = append(b.queue[:0], b.sysAt[i])
		if _, err := b.ctx.Insert(engine.AtDepth(-1, 0), d); err != nil {
			return err
		}
	}
	switch {
	case len(b.turn) == 0:
	case b.head != "":
		for i, d := range b.turn {
			b.queue = append(b.queue[:0], b.times[i])
			if _, err := b.ctx.Insert(engine.Under(b.head, 0), d); err != nil {
				return err
			}
		}
	default:
		core := engine.Draft{Type: "cont", Children: b.turn}
		if b.rd.opts.Edition == engine.Edition01 {
			core.Type = "mc"
		}
		b.queue = append(append(b.queue[:0], b.times[0].Add(-time.Nanosecond)), b.times...)
		n, err := b.ctx.Insert(engine.AtDepth(0, 0), core)
		if err != nil {
			return err
		}
		b.head = n.ID()
	}
	b.release(b.sys)
	b.release(b.turn)
	b.sys, b.sysAt, b.turn, b.times = b.sys[:0], b.sysAt[:0], b.turn[:0], b.times[:0]
	return nil
}

// release clears drafts that were inserted, and keeps the maps of their members.
func (b *builder) release(list []engine.Draft) {
	for i := range list {
		if m := list[i].Members; m != nil && len(m) <= maxReused {
			clear(m)
			b.members = append(b.members, m)
		}
	}
	clear(list)
}

// begin makes the context. Its clock returns the times of the queued nodes in order, and does not
// advance otherwise.
func (b *builder) begin() error {
	now := b.now(&message{})
	switch {
	case len(b.sysAt) > 0:
		now = b.sysAt[0]
	case len(b.times) > 0:
		now = b.times[0]
	case !b.last.IsZero():
		now = b.last
	}
	now = now.Add(-time.Microsecond) // before the times in the queue
	count := 0
	ctx, err := engine.New(engine.Options{
		Edition: b.rd.opts.Edition,
		System:  true,
		Clock: func() time.Time {
			if len(b.queue) > 0 {
				now, b.queue = b.queue[0], b.queue[1:]
			}
			return now
		},
		NewID: func(nodeType string) string { // an id that is not in the log
			base, _, _ := strings.Cut(nodeType, ":")
			for {
				count++
				if id := base + ":" + strconv.Itoa(count); !b.ids[id] {
					b.ids[id] = true
					return id
				}
			}
		},
	})
	b.ctx = ctx
	return err
}

// keepAround keeps the members outside the messages in a container in ^sys that no thread shows. It
// must be called before the first message is added.
func (b *builder) keepAround(from origin, all []extra) error {
	for _, x := range b.around {
		all = append(all, x)
		b.note(Outside, "", x.value, "is outside the messages; a thread does not show it")
	}
	if len(all) == 0 && from.Shape == "" && from.Type == "" && from.Role == "" {
		return nil
	}
	d := engine.Draft{Type: b.container(typeLog)}
	from.From = b.rd.format.String()
	keepIn(&d, &from, all)
	var err error
	d.Provenance, err = b.provenance(&from)
	b.sys, b.sysAt = append(b.sys, d), append(b.sysAt, b.now(&message{}))
	return err
}

func (b *builder) provenance(o *origin) (engine.Value, error) {
	b.scratch = o.append(b.scratch[:0])
	return engine.JSON(b.scratch)
}

// matchResults matches results to calls, and notes what a provider would refuse. A call without an
// id gets a generated one; a result without an id gets that of its call.
func (b *builder) matchResults(m *message) {
	if m.inert { // a record of type result is not the result of a call
		return
	}
	for _, p := range m.parts {
		switch {
		case p.from.Raw:
		case p.kind == "call":
			if p.from.NoID = p.call == ""; p.from.NoID {
				b.generated++
				p.call = "call_" + strconv.Itoa(b.generated)
				b.waiting.add(p, "", p.name, true)
				continue
			}
			if _, seen := b.waiting[callKey{id: p.call}]; seen {
				b.note(Kept, engine.ErrNodeIDDuplicate, m.at, "a second call has the id "+strconv.Quote(p.call))
			}
			b.waiting.add(p, p.call, p.name, false)
		case p.kind == "result" && p.call == "" && len(p.calls) == 0:
			c, ok := b.waiting.next(p.name)
			if !ok {
				p.from.NoID = true
				b.note(Kept, engine.ErrNotFound, m.at, "a result, but no open call precedes it")
				continue
			}
			p.call, p.from.NoID, p.from.Implied = c.call, c.from.NoID, !c.from.NoID
		case p.kind == "result":
			b.answer(m, p)
		}
	}
}

// answer finds the call of a result with ids: that of the first id with an open call.
func (b *builder) answer(m *message, p *part) {
	if len(p.calls) > 0 {
		p.call, p.from.Implied = p.calls[0], true
	} else {
		p.calls = []string{p.call}
	}
	for _, id := range p.calls {
		if _, ok := b.waiting.answer(callKey{id: id}); ok {
			p.call = id
			return
		}
	}
	b.note(Kept, engine.ErrNotFound, m.at, "a result for "+strconv.Quote(p.call)+", but no open call has this id")
}

// seconds returns the time that is a number of seconds after 1970, or the zero time.
func seconds(v engine.Value) time.Time {
	n, ok := v.Number()
	if !ok {
		return time.Time{}
	}
	f, err := strconv.ParseFloat(n.String(), 64)
	if err != nil || f < 0 || f > math.MaxInt32*4 {
		return time.Time{}
	}
	whole := int64(f)
	return time.Unix(whole, int64((f-float64(whole))*1e9)).UTC()
}

// instant parses the time of a message: RFC 3339, or seconds since 1970. It returns the zero time
// for anything else.
func instant(v *value) time.Time {
	if s, ok := v.text(); ok {
		t, err := time.Parse(time.RFC3339, strings.TrimSpace(s))
		if err != nil {
			return time.Time{}
		}
		return t
	}
	return seconds(v.json())
}
