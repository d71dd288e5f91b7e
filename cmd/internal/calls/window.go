package calls

import (
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/prices"
)

// Window is the window of the model of a call.
type Window struct {
	Tokens int64  `json:"tokens"`
	From   string `json:"from"` // configuration, log, request, or the table and its date
}

// window returns the window of the model of a call, or nil if it is unknown. It asks the
// configuration, the log, the request and the table, in this order. A call that was sent more than
// the window in the table had another one.
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

// full returns how many tokens of the window were in use before an event: the number that the
// source states, else the size of the latest call and its answer. It returns 0 if that is unknown.
func (w *walk) full(e *engine.Event) int64 {
	if e.Before > 0 || w.before == nil || w.before.Tokens.Label == Unknown {
		return e.Before
	}
	return w.before.Tokens.In + valueOf(w.before.Tokens.Out)
}
