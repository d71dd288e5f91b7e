package source

import (
	"slices"

	"github.com/pactkit/pactkit/thread/series"
)

// transcript makes requests from a conversation whose messages are recorded, but not its requests.
// Each call was sent all messages before its answer.
type transcript struct {
	*reader
	conversation string // its id
	format       string // of its messages
	list         string // the member that holds them
	settings     []series.Setting
	missing      []string // what the source does not record
	messages     []*series.Message
	kept         int // number of messages of the latest request that are still the first ones
	why          []series.Reason
	open         *series.Request // the latest call or state
	begun        bool            // there was one
}

// call begins a call that was sent all messages so far. The request has what is known of the call,
// at least its origin.
func (t *transcript) call(r *series.Request) error {
	if err := t.begin(r); err != nil {
		return err
	}
	t.calls++
	return nil
}

// state begins a state after an event that replaced the messages. Messages that stay must be the
// same pointers. It takes the pending reasons.
func (t *transcript) state(r *series.Request, messages []*series.Message) error {
	if err := t.show(); err != nil {
		return err
	}
	n := min(t.kept, len(messages), len(t.messages))
	if t.kept = 0; n > 0 && &messages[0] == &t.messages[0] {
		t.kept = n // one list, which the source has compared
	}
	for t.kept < n && messages[t.kept] == t.messages[t.kept] {
		t.kept++
	}
	t.messages = messages
	return t.begin(r)
}

func (t *transcript) begin(r *series.Request) error {
	if err := t.flush(); err != nil {
		return err
	}
	r.ConversationID, r.Format, r.List, r.Settings, r.Missing = t.conversation, t.format, t.list, t.settings, t.missing
	r.Base, r.Messages = t.kept, slices.Clone(t.messages[t.kept:])
	r.Why, t.why = append(t.why, r.Why...), nil
	r.Origin.File, r.Origin.Call = t.name, t.calls
	t.open, t.kept, t.begun = r, len(t.messages), true
	return nil
}

// add adds a message that is sent in the calls that follow.
func (t *transcript) add(m *series.Message) {
	t.messages = append(t.messages, m)
	if t.open != nil && len(t.why) == 0 {
		t.open.After = append(t.open.After, m)
	}
}

// answer adds messages of the model. If the latest call has no answer yet, they are its answer.
func (t *transcript) answer(list ...*series.Message) {
	if t.open == nil || t.open.Event != nil || len(t.open.Reply) > 0 {
		for _, m := range list {
			t.add(m)
		}
		return
	}
	t.open.Reply = list
	t.messages = append(t.messages, list...)
}

// finish passes on the latest call or state. For a conversation without any, it passes on a state
// with what the first call would be sent.
func (t *transcript) finish() error {
	if err := t.show(); err != nil {
		return err
	}
	return t.flush()
}

// show passes on a state with what the first call would be sent, if there are messages before any
// call or state.
func (t *transcript) show() error {
	if t.begun || len(t.messages) == 0 {
		return nil
	}
	return t.begin(&series.Request{Event: &series.Event{Kind: "answer"}})
}

// flush passes on the latest call or state.
func (t *transcript) flush() error {
	r := t.open
	if t.open = nil; r == nil {
		return nil
	}
	return t.send(r)
}
