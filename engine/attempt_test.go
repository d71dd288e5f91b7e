package engine_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// TestAttempts checks every field of the schema (PACT 0.1, 03 §6.2). No snapshot holds attempts.
func TestAttempts(t *testing.T) {
	now := time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC)
	c, err := engine.New(engine.Options{Clock: func() time.Time { now = now.Add(time.Second); return now }})
	if err != nil {
		t.Fatal(err)
	}
	before := string(c.AppendJSON(nil))
	first := c.BeginAttempt("provider", "model", "sha256:0")
	second := c.BeginAttempt("provider", "other", "sha256:1")
	steps := []struct {
		id   string
		res  engine.AttemptResult
		want error
	}{
		{"attempt:9", engine.AttemptResult{Status: engine.AttemptCompleted}, engine.ErrNotFound},
		{first, engine.AttemptResult{Status: engine.AttemptRunning}, engine.ErrPlacement},
		{first, engine.AttemptResult{Status: "done"}, engine.ErrPlacement},
		{first, engine.AttemptResult{Status: engine.AttemptError, TokensIn: 12, Error: "overloaded"}, nil},
		{first, engine.AttemptResult{Status: engine.AttemptCompleted}, engine.ErrNotFound},
	}
	for _, s := range steps {
		if err := c.EndAttempt(s.id, s.res); !errors.Is(err, s.want) || (err == nil) != (s.want == nil) {
			t.Errorf("end %s %v: %v, want %v", s.id, s.res, err, s.want)
		}
	}
	if string(c.AppendJSON(nil)) != before {
		t.Error("an attempt is in the saved state")
	}
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
	if err := c.EndAttempt(second, engine.AttemptResult{Status: engine.AttemptCompleted, TokensIn: 3, TokensOut: 4}); err != nil {
		t.Errorf("an attempt may end after its cycle: %v", err)
	}
	third := c.BeginAttempt("provider", "model", "sha256:0")
	got, err := json.Marshal(c.Attempts())
	if err != nil {
		t.Fatal(err)
	}
	// The root and the three regions took the first four seconds, and the empty commit took none.
	want := `[{"attempt_id":"attempt:1","cycle_id":1,"status":"error","started_at":"2026-01-01T00:00:05Z","ended_at":"2026-01-01T00:00:07Z",` +
		`"provider":"provider","model":"model","params":"sha256:0","token_in":12,"token_out":0,"error":"overloaded"},` +
		`{"attempt_id":"attempt:2","cycle_id":1,"status":"completed","started_at":"2026-01-01T00:00:06Z","ended_at":"2026-01-01T00:00:08Z",` +
		`"provider":"provider","model":"other","params":"sha256:1","token_in":3,"token_out":4},` +
		`{"attempt_id":"` + third + `","cycle_id":2,"status":"running","started_at":"2026-01-01T00:00:09Z",` +
		`"provider":"provider","model":"model","params":"sha256:0","token_in":0,"token_out":0}]`
	if string(got) != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}
