package source

import (
	"context"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

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
		if i == same && i < len(c.held) {
			isSame := c.held[i].key == key
			if !isSame && i == len(c.held)-1 {
				var err error
				if isSame, err = c.grow(c.held[i], v, elementOf(r, i)); err != nil {
					return err
				}
			}
			if isSame {
				same++
				continue
			}
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

// grow reports whether a message is the last held one with more steps or results, and reads these.
func (c *dialog) grow(h *held, v value, at string) (bool, error) {
	made, n := c.read(c, v, at), 0
	for n < len(made) && n < len(h.sent) && made[n].message != nil && made[n].message.Value == h.sent[n].Value {
		n++
	}
	if n == 0 || n < len(h.sent) || n == len(made) {
		return false, nil
	}
	delete(c.byKey, h.key)
	h.key = c.keyOf(v)
	c.byKey[h.key] = h
	return true, c.accept(h, made[n:], v, at)
}

// accept adds what a message was converted to, which is a call if it is an answer.
func (c *dialog) accept(h *held, made []mapped, v value, at string) error {
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
	return nil
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
		if err := c.accept(h, made, v, at); err != nil {
			return err
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
