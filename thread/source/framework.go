package source

import (
	"context"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// framework describes files with messages of an agent framework. A file may hold a list of
// messages, an object with such a list, several of these in a list or on lines, or a message on
// each line.
type framework struct {
	what   string               // the messages, in words
	format string               // that the messages are given
	list   string               // the member that holds them in a request
	paths  []string             // of the lists in a record, as names separated by dots
	ids    []string             // paths of the name of the conversation in a record
	times  []string             // paths of its time
	own    string               // the member of a message that names its conversation, or ""
	row    string               // the member of a row of a table that is a message, if there are such tables
	is     func(v value) bool   // reports whether a value is such a message and not one of another format
	may    func(v value) bool   // reports whether it may be one, in a file of which nothing is; nil if is decides
	key    func(v value) value  // identifies a message; a missing value if only its content does
	says   func(v value) string // what a message with a key says, which may change
	read   func(c *dialog, v value, at string) []mapped
}

// OfFramework reports whether a message has the format of an agent framework and not that of a
// provider. The message must be valid JSON.
func OfFramework(message string) bool {
	v := value{raw: message}
	return langChain.is(v) || pydanticAI.is(v) || aiSDK.is(v) || isAgentsItem(v)
}

// mapped is the conversion of a message of a framework.
type mapped struct {
	message  *series.Message
	call     *series.Request // the call, if the message is the answer to one
	settings []series.Setting
	removes  string // the id of the message that it removes
}

// dialog is the state of reading the messages of a conversation. They are converted to the format
// of a provider; what was recorded but not sent goes to About.
type dialog struct {
	transcript
	*framework
	held  []*held
	byKey map[string]*held   // the last one with each key
	byID  map[string][]*held // by the ids of their messages
}

// held is a message of a framework in a conversation, and the messages that it was converted to.
type held struct {
	key      string
	sent     []*series.Message
	settings []series.Setting // of the calls that follow; nil if they stay
	isGone   bool             // it was removed
}

// index adds messages to byKey and byID.
func (c *dialog) index(list []*held) {
	if c.byKey == nil {
		c.byKey, c.byID = map[string]*held{}, map[string][]*held{}
	}
	for _, h := range list {
		c.byKey[h.key] = h
		for _, m := range h.sent {
			if m.ID != "" {
				c.byID[m.ID] = append(c.byID[m.ID], h)
			}
		}
	}
}

// forget removes messages that are gone from byKey and byID.
func (c *dialog) forget(list []*held) {
	for _, h := range list {
		if !h.isGone {
			continue
		}
		if c.byKey[h.key] == h {
			delete(c.byKey, h.key)
		}
		for _, m := range h.sent {
			delete(c.byID, m.ID)
		}
	}
}

// becomes adds a converted message, and applies its settings to the calls that follow.
func (c *dialog) becomes(h *held, m mapped) {
	if m.settings != nil {
		h.settings, c.settings = m.settings, m.settings
	}
	if m.message != nil {
		h.sent = append(h.sent, m.message)
	}
}

// messageList is a list of messages in a document.
type messageList struct {
	list value
	at   string
	id   string // of the conversation, or ""
	time time.Time
}

// maxSure limits how many messages of a list are examined to recognize the framework.
const maxSure = 20

// isList reports whether a value is a list of messages of the framework.
func (f *framework) isList(v value) bool {
	for i, w := range v.elements() {
		if !w.is('{') || i == maxSure {
			return false
		}
		if f.is(w) {
			return true
		}
	}
	return false
}

// in returns the list of messages in a value: the value itself, or a member of it.
func (f *framework) in(v value, at string) (messageList, bool) {
	if v.is('[') {
		for _, w := range v.elements() {
			return messageList{list: v, at: at, id: textAt(w, []string{f.own})}, f.isList(v)
		}
		return messageList{}, false
	}
	for _, path := range f.paths {
		if w := v.get(strings.Split(path, ".")...); f.isList(w) {
			r := messageList{list: w, at: at + "." + path, id: textAt(v, f.ids), time: timeAt(v, f.times)}
			if r.id == "" && path == "messages" { // not the id of a checkpoint
				r.id = textAt(v, []string{"run_id", "id"})
			}
			return r, true
		}
	}
	return messageList{}, false
}

func textAt(v value, paths []string) string {
	for _, path := range paths {
		if w := v.get(strings.Split(path, ".")...); w.is('"') {
			return strings.Clone(w.text())
		}
	}
	return ""
}

func timeAt(v value, paths []string) time.Time {
	for _, path := range paths {
		if at := v.get(strings.Split(path, ".")...).instant(); !at.IsZero() {
			return at
		}
	}
	return time.Time{}
}

// recognizes reports whether a file with these first documents is of the framework.
func (f *framework) recognizes(first []value) bool {
	if len(f.records(first[0])) > 0 {
		return true
	}
	return slices.ContainsFunc(first, f.is)
}

// records returns the lists of messages in a document, and messages that are alone, in the order of
// their times if all have one.
func (f *framework) records(root value) (out []messageList) {
	whole, ok := f.in(root, "$")
	switch {
	case ok && !f.isRow(root):
		return []messageList{whole}
	case f.is(root):
		return []messageList{f.one(root, "$")}
	}
	for i, w := range root.elements() {
		at := "$[" + strconv.Itoa(i) + "]"
		r, isList := f.in(w, at)
		switch {
		case isList:
			out = append(out, r)
		case !ok && !timeAt(w, f.times).IsZero(): // a state without messages
		case !ok && len(out) == 0:
			return nil
		default:
			out = append(out, f.one(w, at))
		}
	}
	if !slices.ContainsFunc(out, func(r messageList) bool { return r.time.IsZero() }) {
		slices.SortStableFunc(out, func(x, y messageList) int { return x.time.Compare(y.time) })
	}
	return out
}

// isRow reports whether a value is the row of a table, or a list of them.
func (f *framework) isRow(v value) bool {
	for _, w := range v.elements() {
		v = w
		break
	}
	return f.row != "" && v.get(f.row).is('{')
}

// one returns a message that is alone, on a line or in a row.
func (f *framework) one(v value, at string) messageList {
	r := messageList{list: v, at: at, id: textAt(v, []string{f.own})}
	if f.isRow(v) {
		r.id = textAt(v, f.ids)
	}
	return r
}

// each calls each with the messages in a document.
func (f *framework) each(doc value, each func(value)) {
	for _, r := range f.records(doc) {
		eachOf(r.list, each)
	}
}

func (f *framework) open(*group) parser {
	return &dialogs{framework: f, byID: map[string]*dialog{}}
}

// dialogs is the state of reading files of a framework.
type dialogs struct {
	*framework
	byID    map[string]*dialog
	latest  *dialog
	unnamed int
}

func (x *dialogs) end(context.Context) error { return nil }

// file reads the messages of a file.
func (x *dialogs) file(ctx context.Context, rd *reader) error {
	x.byID, x.latest = map[string]*dialog{}, nil
	defer func(f *framework) { x.framework = f }(x.framework)
	var order []*dialog
	of := func(r messageList) *dialog {
		c := x.latest
		if r.id != "" {
			c = x.byID[r.id]
		}
		if c == nil || r.id == "" && r.list.is('[') && !c.continues(r.list) {
			if x.unnamed++; r.id == "" {
				r.id = "conversation " + strconv.Itoa(x.unnamed)
			}
			c = &dialog{framework: x.framework, transcript: transcript{reader: rd, conversation: r.id, format: x.format, list: x.list}}
			x.byID[r.id] = c
			order = append(order, c)
		}
		x.latest = c
		return c
	}
	found := false
	err := rd.documents(ctx, func(d *document) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		root := d.root()
		records := x.records(root)
		if !found && len(records) == 0 && x.may != nil {
			x.framework = x.anyFormat()
			records = x.records(root)
		}
		if found = found || len(records) > 0; found && len(records) == 0 {
			records = []messageList{x.one(root, "$")} // on a line
		}
		if !found {
			rd.keepValue("malformed", root)
			rd.noteOnce(thread.Malformed, engine.ErrFileShape, root, "documents before the first messages are kept unchanged")
		}
		for _, r := range records {
			c := of(r)
			take := c.take
			if !r.list.is('[') {
				take = c.add
			}
			if err := take(ctx, r); err != nil {
				return err
			}
		}
		return nil
	})
	for _, c := range order {
		if err == nil {
			err = c.finish()
		}
	}
	if !found && err == nil {
		return rd.fail(value{}, engine.ErrFileShape, "the file has no %s", x.what)
	}
	return err
}

// keyOf identifies a message in its conversation, as long as it says the same.
func (c *dialog) keyOf(v value) string {
	if id := c.key(v); !id.missing() {
		return id.raw + c.says(v)
	}
	return strings.Clone(v.raw)
}

// knows reports whether a held message has the id of a message.
func (c *dialog) knows(v value) bool { return len(c.byID[c.key(v).text()]) > 0 }

// continues reports whether a list begins with the held messages, or shares a message with an id
// with them.
func (c *dialog) continues(list value) bool {
	same := 0
	for i, v := range list.elements() {
		key := c.keyOf(v)
		if c.knows(v) {
			return true
		}
		if i == same && i < len(c.held) && c.held[i].key == key {
			same++
		}
	}
	return same == len(c.held)
}

// take reads a list with all messages that the conversation had at some time.
func (c *dialog) take(ctx context.Context, r messageList) error {
	var values []value
	same, replaced := 0, false
	for i, v := range r.list.elements() {
		key := c.keyOf(v)
		if i == same && i < len(c.held) && c.held[i].key == key {
			same++
			continue
		}
		replaced = replaced || c.byKey[key] != nil || c.knows(v)
		values = append(values, v)
	}
	if len(values) == 0 && same == len(c.held) && same > 0 && r.time.IsZero() {
		c.noteOnce(thread.Kept, "", r.list, "lists that repeat the one before them count once")
	}
	if same == len(c.held) || same == 0 && !replaced { // appended messages, or only new ones
		return c.addAt(ctx, values, r, same)
	}
	return c.rebuild(ctx, slices.Clone(c.held[:same]), c.held[same:], values, r, same, nil)
}

// rebuild begins a state that has the messages in list, which are held, and those of values, up to
// the first answer of a call, and reads the others. An answer that is known, but says something
// else now, was edited. Those in gone leave, unless they are among values. i is the index of the
// first of values in the record. why is empty if the framework does not say why the messages
// changed.
func (c *dialog) rebuild(ctx context.Context, list, gone []*held, values []value, r messageList, i int, why []series.Reason) error {
	for _, h := range gone {
		h.isGone = true
	}
	n := 0
	var fresh []*held
	for ; n < len(values); n++ {
		key := c.keyOf(values[n])
		h := c.byKey[key]
		if h == nil {
			made := c.read(c, values[n], elementOf(r, i+n))
			isKnown := c.knows(values[n])
			if slices.ContainsFunc(made, func(m mapped) bool { return m.call != nil && !isKnown || m.removes != "" }) {
				break
			}
			h = &held{key: key}
			for _, m := range made {
				c.becomes(h, m)
			}
			fresh = append(fresh, h)
		} else {
			if h.settings != nil {
				c.settings = h.settings
			}
			if !h.isGone { // it is in list
				copied := *h
				h = &copied
				c.index([]*held{h})
			}
		}
		h.isGone = false
		list = append(list, h)
	}
	c.forget(gone)
	c.held = list
	c.index(fresh)
	if err := c.replace(fresh, r, why); err != nil {
		return err
	}
	return c.addAt(ctx, values[n:], r, i+n)
}

// elementOf returns the path of an element of the list of a record.
func elementOf(r messageList, i int) string { return r.at + "[" + strconv.Itoa(i) + "]" }

// replace begins a state with the held messages. Those in fresh are new.
func (c *dialog) replace(fresh []*held, r messageList, why []series.Reason) error {
	var messages []*series.Message
	event := &series.Event{Kind: "edit"}
	origin := series.Origin{Line: r.list.line(), Path: r.at}
	for _, h := range c.held {
		messages = append(messages, h.sent...)
	}
	if len(why) > 0 {
		origin = series.Origin{Line: why[0].Line, Path: why[0].Path}
	}
	for _, h := range fresh {
		if i := slices.IndexFunc(h.sent, func(m *series.Message) bool { return m.Summary }); i >= 0 {
			event.Kind, why = "compaction", []series.Reason{{Cause: series.Compacted, Line: h.sent[i].Line, Path: h.sent[i].Path}}
			break
		}
	}
	return c.state(&series.Request{Event: event, Why: why, Time: r.time, Origin: origin}, messages)
}

// add reads a message that follows the held ones.
func (c *dialog) add(ctx context.Context, r messageList) error {
	return c.addAt(ctx, []value{r.list}, r, -1)
}

// addAt reads messages that follow: the elements of a list from the i-th on, or, if i is below 0,
// the record itself.
func (c *dialog) addAt(ctx context.Context, list []value, r messageList, i int) error {
	removed := map[string]bool{}
	var last messageList
	for n, v := range list {
		if err := ctx.Err(); err != nil {
			return err
		}
		at := r.at
		if i >= 0 {
			at = elementOf(r, i+n)
		}
		h := &held{key: c.keyOf(v)}
		made := c.read(c, v, at)
		if len(made) == 1 && made[0].removes != "" {
			removed[made[0].removes], last = true, messageList{list: v, at: at}
			continue
		}
		if len(removed) > 0 {
			return c.remove(ctx, removed, last, list[n:], r, i+n)
		}
		for _, m := range made {
			c.becomes(h, m)
			switch {
			case m.message == nil:
				continue
			case m.call == nil:
				c.transcript.add(m.message)
				continue
			}
			m.call.Origin = series.Origin{Line: v.line(), Path: at}
			if err := c.call(m.call); err != nil {
				return err
			}
			c.answer(m.message)
		}
		if len(made) > 0 {
			c.held = append(c.held, h)
			c.index(c.held[len(c.held)-1:])
		}
	}
	if len(removed) > 0 {
		return c.remove(ctx, removed, last, nil, r, i+len(list))
	}
	return nil
}

// allMessages is the id with which LangGraph removes all messages.
const allMessages = "__remove_all__"

// remove removes the messages with these ids. last is the record that removes the last of them. The
// messages in rest follow.
func (c *dialog) remove(ctx context.Context, ids map[string]bool, last messageList, rest []value, r messageList, i int) error {
	var gone []*held
	if ids[allMessages] {
		gone = slices.Clip(c.held)
	}
	for id := range ids {
		gone = append(gone, c.byID[id]...)
	}
	if len(gone) == 0 {
		c.note(thread.Kept, engine.ErrNotFound, last.list, "a message that is removed is not there")
		return c.addAt(ctx, rest, r, i)
	}
	for _, h := range gone {
		h.isGone = true
	}
	list := slices.DeleteFunc(slices.Clone(c.held), func(h *held) bool { return h.isGone })
	return c.rebuild(ctx, list, gone, rest, r, i, []series.Reason{{Cause: series.Deleted, Line: last.list.line(), Path: last.at}})
}
