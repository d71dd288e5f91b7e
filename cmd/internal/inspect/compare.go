package inspect

import (
	"fmt"
	"net/http"
	"strconv"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/cmd/internal/steps"
	"github.com/pactkit/pactkit/engine"
)

// compared is two runs side by side.
type compared struct {
	Same   int           `json:"same"`   // the number of leading calls that were sent the same
	Parted string        `json:"parted"` // what they differ in first; empty if they are the same
	Rows   []comparedRow `json:"rows"`   // nodes in the order in which they entered
}

// comparedRow is a node of one run, or of both.
type comparedRow struct {
	A     string `json:"a,omitempty"` // the id in each
	B     string `json:"b,omitempty"`
	State string `json:"state"` // same, changed (it left in one of them, or for another reason), only-a or only-b
	Text  string `json:"text"`
}

// compare aligns the session with another one.
func (h *handler) compare(w http.ResponseWriter, r *http.Request) error {
	session, err := strconv.Atoi(r.FormValue("session"))
	if err != nil {
		return fmt.Errorf("session=%q is not a number", r.FormValue("session"))
	}
	other, err := strconv.Atoi(r.FormValue("other"))
	if err != nil {
		return fmt.Errorf("other=%q is not a number", r.FormValue("other"))
	}
	var timelines [2]*engine.Timeline
	var names [2]string
	for i, n := range []int{session, other} {
		e, err := h.source.entry(n)
		if err != nil {
			return err
		}
		whole, err := h.source.whole(r.Context(), n)
		if err != nil {
			return err
		}
		timelines[i], names[i] = whole.Timeline, e.address
	}
	runs, err := calls.CompareRuns(r.Context(), timelines[0], timelines[1], names[0], names[1])
	if err != nil {
		return err
	}
	out := compared{Same: runs.SameCalls, Rows: []comparedRow{}}
	if runs.Parted != nil {
		out.Parted = runs.Parted.What
	}
	for _, s := range runs.Nodes {
		row := comparedRow{State: "same"}
		stay := s.B
		if s.A != nil {
			row.A, stay = s.A.ID, s.A
		}
		if s.B != nil {
			row.B = s.B.ID
		}
		switch {
		case s.B == nil:
			row.State = "only-a"
		case s.A == nil:
			row.State = "only-b"
		case s.Differs():
			row.State = "changed"
		}
		row.Text = steps.Preview(steps.TextOf(stay.Node.Content()))
		out.Rows = append(out.Rows, row)
	}
	return answerJSON(w, out)
}
