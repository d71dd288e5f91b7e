// Package seriestest makes random series of requests for tests, and records what really happened
// between them.
package seriestest

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/thread/series"
)

// Writer makes the requests of a conversation in which messages are edited, cleared, trimmed,
// reordered, compacted, rewound and removed. It records what happened.
type Writer struct {
	*rand.Rand
	IDs      bool // messages have ids
	Replies  bool // requests have the answer of the model
	Says     bool // requests say why messages left or changed
	Events   bool // with Says: compactions and rewinds are stated as events
	Form     Form // of the messages
	made     int
	speeches map[*series.Message]speech
	list     []*series.Message
	tools    int
	out      []Truth
	why      []series.Reason
	state    []*series.Message // after an event that has not been sent yet
	calls    int
}

// Truth is what the Writer knows about one request: of a call, or of a state after an event.
type Truth struct {
	*series.Request
	List    []*series.Message
	Left    map[*series.Message]series.Cause // of the messages of the request before
	By      *series.Message                  // the summary of the nodes that left
	Changed map[*series.Message]series.Cause // by the message as it is now
	Moved   bool
	Side    bool
	What    string // what happened, in one word
}

var words = strings.Fields("flight seat refund cabin gate invoice error timeout alpha beta gamma delta naïve 東京 <b> {json} path/to/file grüße")

func (w *Writer) text(n int) string {
	out := make([]string, n)
	for i := range out {
		out[i] = words[w.IntN(len(words))]
	}
	return strings.Join(out, " ")
}

// speech is the content of a message, whatever its form.
type speech struct {
	role, text string
	number     int
}

func (w *Writer) message(role, text string) *series.Message {
	w.made++
	x := speech{role, text, w.made}
	m := &series.Message{Role: roles[role], Value: w.Form.message(x)}
	if role == "tool" {
		m.Answers = []string{fmt.Sprintf("call_%d", w.made)}
	}
	if w.IDs {
		m.ID = fmt.Sprintf("id-%d", w.made)
	}
	w.know(m, x)
	return m
}

func (w *Writer) know(m *series.Message, x speech) {
	if w.speeches == nil {
		w.speeches = map[*series.Message]speech{}
	}
	w.speeches[m] = x
}

var roles = map[string]series.Role{"system": series.System, "user": series.User, "assistant": series.Assistant, "tool": series.Tool}

// with returns a message with the same id and another text.
func (w *Writer) with(m *series.Message, change func(string) string) *series.Message {
	next, x := *m, w.speeches[m]
	x.text = change(x.text)
	next.Value = w.Form.message(x)
	w.know(&next, x)
	return &next
}

// turn returns the messages after a call: the answer, and a result or the next prompt.
func (w *Writer) turn() []*series.Message {
	reply := w.message("assistant", w.text(4+w.IntN(20)))
	if w.IntN(3) == 0 {
		return []*series.Message{reply, w.message("user", w.text(3+w.IntN(9)))}
	}
	return []*series.Message{reply, w.message("tool", w.text(8+w.IntN(60)))}
}

func (w *Writer) send(t Truth) {
	settings := []series.Setting{{Name: "model", Value: `"m"`}}
	if !t.Side {
		settings = append(settings, series.Setting{Name: "tools", Kind: series.Tools, Value: fmt.Sprintf(`[{"name":"tool%d"}]`, w.tools)})
	}
	t.Request = &series.Request{
		ConversationID: "c", Settings: settings, Why: w.why,
		Origin: series.Origin{File: "made.jsonl", Call: w.calls, Line: w.calls + 1}, Number: w.calls,
	}
	w.why = nil
	switch {
	case w.state != nil:
		t.Event = &series.Event{Kind: map[string]string{"compacted": "compaction", "rewound": "rewind"}[t.What], Before: int64(len(w.list))}
		t.Settings, t.Why, t.List = nil, nil, slices.Clone(w.state)
		w.state = nil
	case !t.Side:
		t.List = slices.Clone(w.list)
	}
	if t.Event == nil {
		w.calls++
	}
	t.Base, t.Messages = 0, t.List
	if len(w.out) > 0 && w.IntN(2) == 0 { // the source knows what two requests share
		before := w.out[len(w.out)-1].List
		for t.Base < min(len(before), len(t.List)) && before[t.Base] == t.List[t.Base] {
			t.Base++
		}
		t.Messages = t.List[t.Base:]
	}
	w.out = append(w.out, t)
}

// Answered returns the list after the answer to request i and what follows it, and the messages
// that were added to it. It returns nil if the next request, side calls aside, contains all of
// them.
func Answered(list []Truth, i int) (state, lost []*series.Message) {
	t := list[i]
	answer := slices.Concat(t.Reply, t.After)
	if t.Side || len(answer) == 0 {
		return nil, nil
	}
	next := i + 1
	for next < len(list) && list[next].Side {
		next++
	}
	if next == len(list) || list[next].Event != nil || slices.ContainsFunc(answer, func(m *series.Message) bool {
		return !slices.ContainsFunc(list[next].List, func(x *series.Message) bool { return x.Value == m.Value })
	}) {
		return slices.Concat(t.List, answer), answer
	}
	return nil, nil
}

// Series makes n requests, or a few more.
func (w *Writer) Series(n int) []Truth {
	w.list = []*series.Message{w.message("system", w.text(12)), w.message("user", w.text(12))}
	w.send(Truth{What: "first"})
	for len(w.out) < n {
		reply := w.turn()
		if last := &w.out[len(w.out)-1]; w.Replies && !last.Side {
			last.Reply, last.After = reply[:1], reply[1:]
		}
		t := Truth{Left: map[*series.Message]series.Cause{}, Changed: map[*series.Message]series.Cause{}}
		w.event(&t, reply)
		if w.state != nil {
			w.send(t)
			t = Truth{What: "after an event"}
		}
		w.send(t)
	}
	return w.out
}

// because records the cause of a change, if the requests state causes.
func (w *Writer) because(c series.Cause) {
	if w.Says {
		w.why = []series.Reason{{Cause: c}}
	}
}

func (w *Writer) event(t *Truth, reply []*series.Message) {
	longEnough := len(w.list) > 8
	events := []func(*Truth, []*series.Message) bool{
		w.edit, w.clear, w.trim, w.reorder, w.compact, w.rewind, w.remove, w.doubled, w.aside, w.editPrompt, w.otherTools,
	}
	if longEnough && w.IntN(3) == 0 {
		if events[w.IntN(len(events))](t, reply) {
			return
		}
	}
	w.list = append(w.list, reply...)
	t.What = "appended"
}

func (w *Writer) otherTools(t *Truth, reply []*series.Message) bool {
	w.tools++
	t.What = "tools"
	w.list = append(w.list, reply...)
	return true
}

func (w *Writer) edit(t *Truth, reply []*series.Message) bool {
	i := 1 + w.IntN(len(w.list)-1)
	m := w.with(w.list[i], func(s string) string { return s + " edited " + w.text(1) })
	w.list[i] = m
	t.Changed[m], t.What = series.Edited, "edited"
	w.because(series.Edited)
	w.list = append(w.list, reply...)
	return true
}

func (w *Writer) clear(t *Truth, reply []*series.Message) bool {
	with := []string{"(Tool result removed)", "[Old tool result content cleared]", "", "[output omitted to save space]"}[w.IntN(4)]
	many := 1 + w.IntN(5)
	for i, m := range w.list {
		if m.Role == series.Tool && many > 0 && len(m.Value) > 120 {
			w.list[i] = w.with(m, func(string) string { return with })
			t.Changed[w.list[i]] = series.Cleared
			many--
		}
	}
	w.because(series.Cleared)
	w.list = append(w.list, reply...)
	t.What = "cleared"
	return true
}

func (w *Writer) trim(t *Truth, reply []*series.Message) bool {
	first := 1
	if w.list[1].Role == series.User { // the first prompt may be kept
		first += w.IntN(2)
	}
	n := 1 + w.IntN(len(w.list)-first-2)
	for _, m := range w.list[first : first+n] {
		t.Left[m] = series.Trimmed
	}
	w.list = append(slices.Delete(w.list, first, first+n), reply...)
	w.because(series.Trimmed)
	t.What = "trimmed"
	return true
}

func (w *Writer) reorder(t *Truth, reply []*series.Message) bool {
	i := 2 + w.IntN(len(w.list)-4)
	m := w.list[i]
	to := 2 + w.IntN(len(w.list)-4)
	w.list = slices.Insert(slices.Delete(w.list, i, i+1), to, m)
	w.list = append(w.list, reply...)
	t.Moved, t.What = i != to, "reordered"
	return true
}

func (w *Writer) compact(t *Truth, reply []*series.Message) bool {
	text := "In short: " + w.text(40)
	if w.IntN(2) == 0 { // a summarizer was sent the whole context
		s := Truth{Side: true, What: "summarizer", Left: t.Left, Changed: t.Changed}
		s.List = append(slices.Clone(w.list), reply...)
		s.List = append(s.List, w.message("user", w.text(20)))
		w.send(s)
		if answer := w.text(40); w.Replies {
			w.out[len(w.out)-1].Reply = []*series.Message{w.message("assistant", answer)}
			text = "This is where we are: " + answer
		}
	} else {
		text = "Summary of the conversation so far: " + text
	}
	first := 1 + w.IntN(2)
	end := len(w.list) - w.IntN(3)
	summary := w.message("user", text)
	summary.Summary = w.Says
	t.Left = map[*series.Message]series.Cause{}
	for _, m := range w.list[first:end] {
		t.Left[m] = series.Compacted
	}
	t.By, t.What = summary, "compacted"
	tail := slices.Clone(w.list[end:])
	w.list = append(append(w.list[:first:first], summary), tail...)
	if w.Says && w.Events {
		w.state = slices.Clone(w.list)
	}
	if len(tail) > 0 {
		w.list = append(w.list, reply...)
	}
	w.because(series.Compacted)
	return true
}

func (w *Writer) rewind(t *Truth, _ []*series.Message) bool {
	var prompts []int
	for i, m := range w.list {
		if m.Role == series.User && i > 2 && slices.ContainsFunc(w.list[i:], func(m *series.Message) bool { return m.Role == series.Assistant }) {
			prompts = append(prompts, i)
		}
	}
	if len(prompts) == 0 {
		return false
	}
	i := prompts[w.IntN(len(prompts))]
	for _, m := range w.list[i:] {
		t.Left[m] = series.Rewound
	}
	if w.Says && w.Events {
		w.state = slices.Clone(w.list[:i])
	}
	w.list = append(w.list[:i:i], w.message("user", w.text(7)))
	w.because(series.Rewound)
	t.What = "rewound"
	return true
}

// remove removes a message from the middle. That may have several causes, so none is inferred.
func (w *Writer) remove(t *Truth, reply []*series.Message) bool {
	i := 4 + w.IntN(len(w.list)-6)
	cause := series.Unknown
	if w.Says {
		cause = []series.Cause{series.Deleted, series.Pruned, series.Expired}[w.IntN(3)]
		w.because(cause)
	}
	if w.list[i-1].Role == series.User && w.list[i-2].Role == series.User { // may read as trimmed
		return false
	}
	t.Left[w.list[i]] = cause
	w.list = append(slices.Delete(w.list, i, i+1), reply...)
	t.What = "removed"
	return true
}

func (w *Writer) doubled(t *Truth, reply []*series.Message) bool {
	again := w.list[1+w.IntN(len(w.list)-1)]
	m := *again
	m.ID = ""
	if w.IDs {
		m.ID = fmt.Sprintf("id-%d-again", w.made)
	}
	w.know(&m, w.speeches[again])
	w.list = append(append(w.list, reply...), &m)
	t.What = "doubled"
	return true
}

// aside is a side call that changes nothing.
func (w *Writer) aside(t *Truth, reply []*series.Message) bool {
	t.List = append(append(slices.Clone(w.list), reply...), w.message("user", "Give this conversation a title."))
	t.Side, t.What = true, "title"
	w.send(*t)
	*t = Truth{What: "after a title"}
	w.list = append(w.list, reply...)
	return true
}

// editPrompt changes the last prompt, which was not answered. It may be an edit or a rewind.
func (w *Writer) editPrompt(t *Truth, reply []*series.Message) bool {
	last := w.list[len(w.list)-1]
	if last.Role != series.User || w.Says || w.out[len(w.out)-1].Side {
		return false
	}
	t.Left[last] = series.Unknown
	if w.Replies { // an answer left with it
		t.Left[last] = series.Rewound
	}
	w.list = append(w.list[:len(w.list)-1:len(w.list)-1], w.message("user", w.text(9)))
	t.What = "prompt changed"
	return true
}
