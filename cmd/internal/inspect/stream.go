package inspect

import (
	"context"
	"encoding/json"
	"net/http"
	"time"

	"github.com/pactkit/pactkit/cmd/internal/steps"
)

// A stream sends a page one session, one JSON object per line, in the order in which it can be
// shown: first the steps, then their tokens, which take longer, and then whatever is added while
// the session grows. Besides a [steps.Step], the objects are:

// kept says how many steps of the page remain valid: what comes next replaces the others.
type kept struct {
	Keep int `json:"keep"`
}

// counted are the tokens of versions, the first of which has the number From.
type counted struct {
	From   int   `json:"from"`
	Counts []int `json:"counts"`
}

// wrong says what is wrong with the file from here on.
type wrong struct {
	Problem string `json:"problem"`
}

// flushEvery is how many steps are sent at a time: a page shows the first while the others are
// made.
const flushEvery = 100

// countFor is how long tokens are counted before they are sent.
const countFor = 100 * time.Millisecond

// stream is the state of the stream to one page.
type stream struct {
	out     *json.Encoder
	flush   func() error
	reading *reading
	maker   *steps.Maker
	counted int // versions
}

func (h *handler) steps(w http.ResponseWriter, r *http.Request) error {
	reading, err := h.reading(r)
	if err != nil {
		return err
	}
	w.Header().Set("Content-Type", "application/jsonl; charset=utf-8")
	s := &stream{json.NewEncoder(w), http.NewResponseController(w).Flush, reading, steps.NewMaker(), 0}
	_ = s.run(r.Context()) // an error means that the page has left
	return nil
}

// run sends until the page disconnects.
func (s *stream) run(ctx context.Context) error {
	now := s.reading.latest()
	if err := s.send(ctx, now, 0); err != nil {
		return err
	}
	for {
		wait := s.reading.next
		if s.counted < len(s.maker.Texts) {
			wait = s.reading.look
		}
		newer, err := wait(ctx, now)
		if err != nil {
			return err
		}
		if newer == now {
			err = s.count(ctx)
		} else {
			err = s.change(ctx, now, newer)
			now = newer
		}
		if err != nil {
			return err
		}
	}
}

// change updates a page from one history to a newer one.
func (s *stream) change(ctx context.Context, older, newer *history) error {
	from := common(older, newer)
	calls := len(older.States)
	if older.End {
		calls--
	}
	switch {
	case from < calls:
		from, s.maker = 0, steps.NewMaker()
	case older.End:
		s.maker = s.maker.BeforeEnd()
	}
	s.counted = min(s.counted, s.maker.Versions())
	if err := s.out.Encode(kept{from}); err != nil {
		return err
	}
	return s.send(ctx, newer, from)
}

// send sends the steps of a history after those already sent, and what is wrong with it.
func (s *stream) send(ctx context.Context, h *history, from int) error {
	n := 0
	for step := range s.maker.Steps(h.History, from) {
		if err := ctx.Err(); err != nil {
			return err
		}
		if err := s.out.Encode(step); err != nil {
			return err
		}
		if n++; n%flushEvery == 1 {
			if err := s.flush(); err != nil {
				return err
			}
		}
	}
	if h.problem != "" {
		if err := s.out.Encode(wrong{h.problem}); err != nil {
			return err
		}
	}
	return s.flush()
}

// count counts for a while, and sends the result.
func (s *stream) count(ctx context.Context) error {
	out := counted{From: s.counted}
	for begin := time.Now(); s.counted < len(s.maker.Texts) && time.Since(begin) < countFor && ctx.Err() == nil; s.counted++ {
		out.Counts = append(out.Counts, s.maker.Texts[s.counted].Count(&s.reading.counts))
	}
	if err := s.out.Encode(out); err != nil {
		return err
	}
	return s.flush()
}
