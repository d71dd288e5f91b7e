package inspect

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strconv"
	"time"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/compiled"
	"github.com/pactkit/pactkit/thread"
)

// sessions sends the page the sessions, one JSON object per line, as they are found.
func (h *handler) sessions(w http.ResponseWriter, r *http.Request) error {
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	out := json.NewEncoder(w)
	flush := http.NewResponseController(w).Flush
	for n := 0; ; {
		list, more := h.source.after(n)
		for _, s := range list {
			if out.Encode(s) != nil {
				return nil // the page has left
			}
		}
		if flush() != nil || more == nil {
			return nil
		}
		n += len(list)
		select {
		case <-more:
		case <-r.Context().Done():
			return nil
		}
	}
}

// nodes answers with the nodes of a call that the request names, by id. It leaves out those that
// are not there.
func (h *handler) nodes(w http.ResponseWriter, r *http.Request) error {
	_, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	return answerJSON(w, steps.Details(s, r.Form["id"]))
}

// found is what a selector finds at a call.
type found struct {
	IDs   []string    `json:"ids"`
	Steps []foundStep `json:"steps"` // the number of nodes left after each step
	// Warnings are about words that neither the language nor the history has, among others.
	Warnings []problem `json:"warnings,omitempty"`
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
	q, findings := compiled.Select(text, session.Timeline.Edition())
	if q == nil {
		problems := []problem{}
		for _, d := range findings {
			if d.Severity == diag.Error {
				problems = append(problems, problem{d.Message, d.Hint})
			}
		}
		return answerJSON(w, problems)
	}
	out := found{IDs: []string{}, Steps: []foundStep{}}
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
	for _, d := range append(findings, session.words().Unknown(r.Context(), text, session.Timeline.Edition())...) {
		out.Warnings = append(out.Warnings, problem{d.Message, d.Hint})
	}
	return answerJSON(w, out)
}

// searchFor is how long calls are searched before the matches so far are sent to the page.
const searchFor = 50 * time.Millisecond

// calls sends the page the numbers of the calls at which a selector finds something, some per line
// in an array.
func (h *handler) calls(w http.ResponseWriter, r *http.Request) error {
	reading, err := h.reading(r)
	if err != nil {
		return err
	}
	session := reading.latest()
	q, _ := compiled.Select(r.FormValue("selector"), session.Timeline.Edition())
	if q == nil {
		return errors.New("the selector has an error")
	}
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	out := json.NewEncoder(w)
	flush := http.NewResponseController(w).Flush
	list := []int{}
	var nodes []engine.Node
	begin := time.Now()
	for i, s := range session.States {
		if nodes, err = q.Plan.AppendNodes(r.Context(), nodes[:0], s); err != nil {
			return nil // the page has gone, or selected has reported it
		}
		if len(nodes) > 0 {
			list = append(list, i)
		}
		if len(list) == 0 || time.Since(begin) < searchFor && i < len(session.States)-1 {
			continue
		}
		if out.Encode(list) != nil || flush() != nil {
			return nil // the page has left
		}
		list, begin = list[:0], time.Now()
	}
	return nil
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

// reading returns the session that a request names.
func (h *handler) reading(r *http.Request) (*reading, error) {
	n, err := strconv.Atoi(r.FormValue("session"))
	if err != nil {
		return nil, fmt.Errorf("session=%q is not a number", r.FormValue("session"))
	}
	return h.source.reading(r.Context(), n)
}

// snapshot returns the history that a request names, and its state at the call that the request
// names.
func (h *handler) snapshot(r *http.Request) (*history, *engine.Snapshot, error) {
	reading, err := h.reading(r)
	if err != nil {
		return nil, nil, err
	}
	session := reading.latest()
	at, err := strconv.Atoi(r.FormValue("at"))
	if err != nil || at < 0 || at >= len(session.States) {
		return nil, nil, fmt.Errorf("at=%q is not a call of the session", r.FormValue("at"))
	}
	return session, session.States[at], nil
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
