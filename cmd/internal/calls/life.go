package calls

import (
	"context"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// Life is what happened to one node. Its JSON is described by docs/schemas/trace.json.
type Life struct {
	History  string   `json:"history"`
	ID       string   `json:"id"`
	Type     string   `json:"type,omitempty"` // of the node; empty if it was never sent, and so for what follows
	Role     string   `json:"role,omitempty"`
	Kind     string   `json:"kind,omitempty"`
	Name     string   `json:"name,omitempty"`  // of the tool
	Content  string   `json:"content"`         // the content of its latest state: text, or JSON
	AnswerTo int64    `json:"answer_to"`       // the cycle of the call that the model answered with it; 0 for none
	State    int64    `json:"state,omitempty"` // the cycle of the first state with it, if no call was sent it after that
	Events   []Event  `json:"events"`
	Seen     []Span   `json:"seen"` // the calls that were sent it
	Now      Presence `json:"now"`
	// Stand are the nodes that replace it: its replacement, the replacement of that, and so on.
	Stand    []string    `json:"stand"`
	StandFor []string    `json:"stand_for"`          // nodes that it replaces
	Refer    []Reference `json:"refer"`              // nodes of the newest state that refer to it
	Recorded *Record     `json:"recorded,omitempty"` // nil unless the log has it beside what was sent
}

// Presence says where a node is.
type Presence string

// Where a node is.
const (
	Present Presence = "present"    // in the newest state
	Gone    Presence = "gone"       // it left
	Unsent  Presence = "never sent" // an answer that no call has shown, or what is only recorded
)

// Event is something that happened to a node.
type Event struct {
	Cycle    int64   `json:"cycle"`
	Source   *Source `json:"source"` // of the call; nil if the history does not record calls
	What     string  `json:"what"`   // entered, changed, left, returned, answered, or recorded, if no call was sent it
	Cause    string  `json:"cause,omitempty"`
	By       string  `json:"by,omitempty"`
	Inferred bool    `json:"inferred,omitempty"`
	ByPolicy
}

// Span is a run of calls that follow each other.
type Span struct {
	From  int64 `json:"from"` // cycles
	To    int64 `json:"to"`
	Calls int   `json:"calls"`
}

// Reference is a node that refers to another one.
type Reference struct {
	ID  string `json:"id"`
	How string `json:"how"` // refs, result or call; not sent for what was recorded before it
}

// Trace returns the life of a node. The second result is false if no state ever had it. The cost
// depends on the differences between the calls of the history, and on the newest state.
func Trace(ctx context.Context, t *engine.Timeline, id string, o Options) (*Life, bool, error) {
	tr := &tracer{life: Life{
		History: o.History, ID: id, Events: []Event{}, Seen: []Span{}, Stand: []string{}, StandFor: []string{}, Refer: []Reference{},
	}, standing: map[string]string{}}
	o.NoTokens, o.Shares, o.States = true, false, true
	for c, err := range Of(ctx, t, o) {
		if err != nil {
			return nil, false, err
		}
		tr.call(c)
	}
	if newest := t.At(0); newest != nil {
		tr.newest(newest)
	}
	if len(tr.life.Events) == 0 && !tr.recorded() {
		return nil, false, nil
	}
	for next, ok := tr.standing[id]; ok && !slices.Contains(tr.life.Stand, next); next, ok = tr.standing[next] {
		tr.life.Stand = append(tr.life.Stand, next)
	}
	return &tr.life, true, nil
}

// tracer follows one node through the calls.
type tracer struct {
	life     Life
	node     engine.Node
	present  bool
	entered  bool
	sent     bool // in a call
	main     *Call
	standing map[string]string // the replacement of a node, by its id
	run      bool              // the latest call was sent it
}

func (tr *tracer) call(c *Call) {
	id, present := tr.life.ID, tr.present
	event := func(what string, d Departure) {
		tr.life.Events = append(tr.life.Events, Event{c.Cycle, c.Source, what, d.Cause, d.By, d.Inferred, d.ByPolicy})
	}
	if slices.Contains(c.Added, id) {
		present = true
		if c.Event != nil && !tr.entered {
			tr.state(c)
		} else if c.Side == nil || !tr.entered {
			event(map[bool]string{false: "entered", true: "returned"}[tr.entered], Departure{})
			if tr.node, _ = c.Snapshot.Find(id); !tr.entered && tr.main != nil && c.Side == nil {
				if role, _ := tr.node.Role(); role == "assistant" {
					tr.life.AnswerTo = tr.main.Cycle
				}
			}
			tr.entered = true
		}
	}
	for _, d := range slices.Concat(c.Left, c.Unsent) {
		if d.By != "" && c.Side == nil {
			tr.standing[d.ID] = d.By
			if d.By == id {
				tr.life.StandFor = append(tr.life.StandFor, d.ID)
			}
		}
		if d.ID != id {
			continue
		}
		present = false
		switch {
		case c.Side != nil:
		case tr.present:
			event("left", d)
		default:
			if tr.life.AnswerTo == 0 && tr.main != nil {
				tr.life.AnswerTo = tr.main.Cycle
				tr.life.Events = append(tr.life.Events, Event{Cycle: tr.main.Cycle, Source: tr.main.Source, What: "answered"})
			}
			event("left", d)
		}
	}
	for _, x := range c.Changed {
		if x.ID == id && c.Side == nil {
			event("changed", x.Departure())
			tr.node, _ = c.Snapshot.Find(id)
		}
	}
	if c.Event != nil {
		tr.present = present
		return
	}
	if present && tr.entered && !tr.sent && !slices.Contains(c.Added, id) {
		event("entered", Departure{}) // until now, only a state had it
	}
	if present {
		tr.sent, tr.life.State = true, 0
	}
	tr.seen(c.Cycle, present)
	if c.Side == nil {
		tr.present, tr.main = present, c
	}
}

// state records that the node enters with a state between calls.
func (tr *tracer) state(c *Call) {
	tr.entered, tr.life.State = true, c.Cycle
	tr.node, _ = c.Snapshot.Find(tr.life.ID)
	e := Event{Cycle: c.Cycle, What: "entered"}
	if role, _ := tr.node.Role(); role == "assistant" && tr.main != nil {
		e = Event{Cycle: tr.main.Cycle, Source: tr.main.Source, What: "answered"}
		tr.life.AnswerTo = tr.main.Cycle
	}
	tr.life.Events = append(tr.life.Events, e)
}

// seen counts a call that was sent the node, or not.
func (tr *tracer) seen(cycle int64, present bool) {
	switch n := len(tr.life.Seen); {
	case !present:
	case tr.run:
		tr.life.Seen[n-1].To = cycle
		tr.life.Seen[n-1].Calls++
	default:
		tr.life.Seen = append(tr.life.Seen, Span{cycle, cycle, 1})
	}
	tr.run = present
}

// newest examines the newest state, which may have an answer that no call was sent.
func (tr *tracer) newest(s *engine.Snapshot) {
	l := &tr.life
	n, there := s.Find(l.ID)
	switch {
	case there && shown(n):
		l.Now = Present
		if tr.node = n; !tr.entered && len(l.Events) == 0 {
			e := Event{Cycle: s.Cycle(), What: "entered"}
			if role, _ := n.Role(); tr.main != nil && role == "assistant" {
				e = Event{Cycle: tr.main.Cycle, Source: tr.main.Source, What: "answered"}
				l.AnswerTo = tr.main.Cycle
			}
			l.Events = append(l.Events, e)
		}
	case tr.sent:
		l.Now = Gone
	case there:
		tr.node, l.Now = n, Unsent
	default:
		l.Now = Unsent
	}
	if tr.node.IsZero() {
		return
	}
	n = tr.node
	l.Type, l.Name = n.Type(), ToolOf(n)
	l.Role, _ = n.Role()
	l.Kind, _ = n.Kind()
	if text, ok := n.Content().Text(); ok {
		l.Content = text
	} else {
		l.Content = n.Content().String()
	}
	call := callID(n)
	for m := range s.All() {
		if m.ID() == l.ID {
			continue
		}
		if r, ok := RecordOf(m); ok && r.Before == l.ID {
			l.Refer = append(l.Refer, Reference{m.ID(), "not sent"})
		} else if slices.Contains(m.Refs(), l.ID) {
			l.Refer = append(l.Refer, Reference{m.ID(), "refs"})
		} else if kind, _ := m.Kind(); call != "" && callID(m) == call && kind != l.Kind {
			l.Refer = append(l.Refer, Reference{m.ID(), kind})
		}
	}
}

// recorded makes the life of a node that no call was sent.
func (tr *tracer) recorded() bool {
	if tr.node.IsZero() {
		return false
	}
	r, ok := RecordOf(tr.node)
	if ok {
		cycle, _ := tr.node.Cycle().Int64()
		tr.life.Recorded, tr.life.Events = &r, append(tr.life.Events, Event{Cycle: cycle, What: "recorded"})
	}
	return ok
}

// callID returns the id that a call and its result have in common, "" for other nodes.
func callID(n engine.Node) string {
	for _, name := range [...]string{"call_id", "tool_call_id", "tool_use_id"} {
		if id, ok := n.Header(name).Text(); ok {
			return id
		}
	}
	return ""
}
