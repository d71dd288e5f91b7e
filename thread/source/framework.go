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
