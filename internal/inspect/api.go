package inspect

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/prepare"
	"github.com/pactkit/pactkit/thread"
)

func (h *handler) sessions(w http.ResponseWriter, _ *http.Request) error {
	return answerJSON(w, h.source.list)
}

// flushEvery is how many steps are sent at once: a page shows the first while the rest is counted.
const flushEvery = 50

// kept says that the page goes on after so many steps: the file has changed, and what comes next replaces the others.
type kept struct {
	Keep int `json:"keep"`
}

// steps streams the steps of a session, a JSON object a line, and goes on while its file grows.
func (h *handler) steps(w http.ResponseWriter, r *http.Request) error {
	session, err := h.session(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	for from := 0; ; {
		if !send(r.Context(), w, session, from) {
			return nil // the page has left
		}
		next, err := h.source.next(r.Context(), session)
		if err != nil {
			return nil
		}
		from = common(session, next)
		session = next
		if json.NewEncoder(w).Encode(kept{from}) != nil {
			return nil
		}
	}
}

// send writes the steps of a session from a number on, and reports whether the page takes them.
func send(ctx context.Context, w http.ResponseWriter, session *history, from int) bool {
	out := json.NewEncoder(w)
	flush := http.NewResponseController(w).Flush
	n := 0
	for s, err := range steps(ctx, session.timeline, calls.Options{}) {
		if err != nil {
			return false
		}
		if n++; n <= from {
			continue
		}
		if out.Encode(s) != nil {
			return false
		}
		if n%flushEvery == 1 && flush() != nil {
			return false
		}
	}
	return flush() == nil
}

// detail is the whole of a node.
type detail struct {
	Headers map[string]json.RawMessage `json:"headers"`
	Content json.RawMessage            `json:"content,omitempty"`
}

func (h *handler) node(w http.ResponseWriter, r *http.Request) error {
	_, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	n, ok := s.Find(r.FormValue("id"))
	if !ok {
		return fmt.Errorf("there is no node %q at this call", r.FormValue("id"))
	}
	return answerJSON(w, detailOf(n))
}

func detailOf(n engine.Node) detail {
	out := detail{Headers: map[string]json.RawMessage{}}
	for _, name := range n.Headers() {
		if name != "content" {
			out.Headers[name] = json.RawMessage(n.Header(name).String())
		}
	}
	if c := n.Content(); !c.IsZero() {
		out.Content = json.RawMessage(c.String())
	}
	return out
}

// found is what a selector finds.
type found struct {
	IDs   []string    `json:"ids"`   // at the call
	Calls []int       `json:"calls"` // in which it finds something
	Steps []foundStep `json:"steps"` // what each of its steps leaves at the call
}

type foundStep struct {
	Text  string `json:"text"`
	Count int    `json:"count"`
}

// problem is what is wrong with a selector.
type problem struct {
	Message string `json:"message"`
	Hint    string `json:"hint,omitempty"`
}

func (h *handler) selected(w http.ResponseWriter, r *http.Request) error {
	session, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	text := r.FormValue("selector")
	q, findings := prepare.Select(text, session.timeline.Edition())
	if q == nil {
		problems := []problem{}
		for _, d := range findings {
			if d.Severity == diag.Error {
				problems = append(problems, problem{d.Message, d.Hint})
			}
		}
		return answerJSON(w, problems)
	}
	out := found{IDs: []string{}, Calls: []int{}, Steps: []foundStep{}}
	nodes, err := q.Plan.Nodes(r.Context(), s)
	if err != nil {
		return err
	}
	for _, n := range nodes {
		out.IDs = append(out.IDs, n.ID())
	}
	trace, err := q.Plan.Trace(r.Context(), s.Timeline())
	if err != nil {
		return err
	}
	for _, step := range trace {
		out.Steps = append(out.Steps, foundStep{step.Span.Text(text), step.Count})
	}
	if out.Calls, err = callsWith(r.Context(), q, session.states); err != nil {
		return err
	}
	return answerJSON(w, out)
}

// callsWith returns the numbers of the calls at which a selector finds something.
func callsWith(ctx context.Context, q *prepare.Query, states []*engine.Snapshot) ([]int, error) {
	out := []int{}
	var nodes []engine.Node
	for i, s := range states {
		var err error
		if nodes, err = q.Plan.AppendNodes(ctx, nodes[:0], s); err != nil {
			return nil, err
		}
		if len(nodes) > 0 {
			out = append(out, i)
		}
	}
	return out, nil
}

func (h *handler) thread(w http.ResponseWriter, r *http.Request) error {
	_, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	f, err := thread.ParseFormat(r.FormValue("format"))
	if err != nil {
		return err
	}
	out, err := thread.Render(s, f, thread.RenderOptions{})
	if err != nil {
		return err
	}
	return answerJSON(w, json.RawMessage(out.JSON))
}

// session returns the history that a request names.
func (h *handler) session(r *http.Request) (*history, error) {
	n, err := strconv.Atoi(r.FormValue("session"))
	if err != nil {
		return nil, fmt.Errorf("session=%q is not a number", r.FormValue("session"))
	}
	return h.source.history(r.Context(), n)
}

// snapshot returns the history that a request names, and its state at the call that the request names.
func (h *handler) snapshot(r *http.Request) (*history, *engine.Snapshot, error) {
	session, err := h.session(r)
	if err != nil {
		return nil, nil, err
	}
	at, err := strconv.Atoi(r.FormValue("at"))
	if err != nil || at < 0 || at >= len(session.states) {
		return nil, nil, fmt.Errorf("at=%q is not a call of the session", r.FormValue("at"))
	}
	return session, session.states[at], nil
}

func answerJSON(w http.ResponseWriter, v any) error {
	data, err := json.Marshal(v)
	if err != nil {
		return errors.Join(errors.New("the answer cannot be written"), err)
	}
	w.Header().Set("Content-Type", "application/json; charset=utf-8")
	_, _ = w.Write(data) // an error means that the page has left
	return nil
}
