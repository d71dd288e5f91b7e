package calls

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prices"
)

// Window is how many tokens the model of a call can take.
type Window struct {
	Tokens int64  `json:"tokens"`
	From   string `json:"from"` // configuration, log, request, or the table and its date
}

// window finds the window of the model of a call, nil if it is unknown: the configuration, then
// what the log says, then the table. A call that was sent more than the table says had another
// window.
func (w *walk) window(c *Call, stated int64, settings []setting) *Window {
	if n, ok := w.opts.Windows.Of(c.Model); ok {
		return &Window{n, "configuration"}
	}
	if stated > 0 {
		return &Window{stated, "log"}
	}
	for _, s := range settings {
		if (s.name == "betas" || s.name == "anthropic_beta") && strings.Contains(s.value, `"context-1m-`) {
			return &Window{1_000_000, "request"}
		}
	}
	if n := prices.Known(c.Model).Window(c.Time, c.Tokens.In); n > 0 {
		return &Window{n, prices.Source()}
	}
	return nil
}

// full says how much of a window was in use before an event: as the source states it, else as the
// latest call was sent and answered.
func (w *walk) full(e *engine.Event) int64 {
	if e.Before > 0 || w.before == nil || w.before.Tokens.Label == Unknown {
		return e.Before
	}
	n := w.before.Tokens.In
	if w.before.Tokens.Out != nil {
		n += *w.before.Tokens.Out
	}
	return n
}
