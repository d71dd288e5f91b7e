package engine

import (
	"fmt"
	"slices"
	"time"
)

// Attempt is a call of a provider within a cycle (PACT 0.1, 03 §6.2). It is telemetry, and not part
// of any snapshot or saved state.
type Attempt struct {
	ID        string        `json:"attempt_id"`
	Cycle     int64         `json:"cycle_id"`
	Status    AttemptStatus `json:"status"`
	StartedAt time.Time     `json:"started_at"`
	EndedAt   time.Time     `json:"ended_at,omitzero"`
	Provider  string        `json:"provider"`
	Model     string        `json:"model"`
	Params    string        `json:"params"` // a hash of the parameters
	TokensIn  int64         `json:"token_in"`
	TokensOut int64         `json:"token_out"`
	Error     string        `json:"error,omitempty"`
}

// AttemptStatus is the state of an attempt.
type AttemptStatus string

// The states of an attempt.
const (
	AttemptRunning   AttemptStatus = "running"
	AttemptCompleted AttemptStatus = "completed"
	AttemptCanceled  AttemptStatus = "canceled"
	AttemptError     AttemptStatus = "error"
)

// BeginAttempt records that a call began in the working cycle. It returns the id of the record,
// such as attempt:1.
func (c *Context) BeginAttempt(provider, model, paramsHash string) string {
	c.mu.Lock()
	defer c.mu.Unlock()
	id := fmt.Sprintf("attempt:%d", len(c.attempts)+1)
	c.attempts = append(c.attempts, Attempt{
		ID: id, Cycle: c.Working().Cycle(), Status: AttemptRunning, StartedAt: c.opts.Clock(),
		Provider: provider, Model: model, Params: paramsHash,
	})
	return id
}

// AttemptResult is how a call ended.
type AttemptResult struct {
	Status              AttemptStatus // not AttemptRunning
	TokensIn, TokensOut int64
	Error               string
}

// EndAttempt records how an attempt ended. If the attempt is not running, the error has the code
// [ErrNotFound]; if the status is not one that ends an attempt, [ErrPlacement].
func (c *Context) EndAttempt(id string, res AttemptResult) error {
	c.mu.Lock()
	defer c.mu.Unlock()
	i := len(c.attempts) - 1 // it is usually one of the newest
	for i >= 0 && (c.attempts[i].ID != id || c.attempts[i].Status != AttemptRunning) {
		i--
	}
	if i < 0 {
		return fail(ErrNotFound, "no running attempt has the id %q", id)
	}
	if !slices.Contains([]AttemptStatus{AttemptCompleted, AttemptCanceled, AttemptError}, res.Status) {
		return fail(ErrPlacement, "%q is not a status that ends an attempt", res.Status)
	}
	a := &c.attempts[i]
	a.Status, a.EndedAt, a.TokensIn, a.TokensOut, a.Error = res.Status, c.opts.Clock(), res.TokensIn, res.TokensOut, res.Error
	return nil
}

// Attempts returns all records, oldest first.
func (c *Context) Attempts() []Attempt {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.attempts)
}
