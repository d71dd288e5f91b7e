package inspect

import (
	"context"
	"net/http"
	"sync"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// figures are the numbers of a session that require counting its texts.
type figures struct {
	Calls       []figure            `json:"calls"` // of the steps, except the state after the last call
	Compactions []*calls.Compaction `json:"compactions"`
}

// figure has the numbers of a call.
type figure struct {
	Window *calls.Window `json:"window,omitempty"`
	Tokens calls.Tokens  `json:"tokens"`
	Cache  calls.Cache   `json:"cache"`
	// Rewritten are the tokens written to the cache that had been written before.
	Rewritten int64 `json:"rewritten,omitempty"`
}

// share is a part of a call with its name in words.
type share struct {
	Title string `json:"title"`
	*calls.Share
	Shares []share `json:"shares,omitempty"`
}

// later is a value that is made when it is first needed. Any number of goroutines may use it.
type later[T any] struct {
	mu    sync.Mutex
	made  bool
	value T
}

// get returns the value. It keeps one that was made without an error.
func (l *later[T]) get(make func() (T, error)) (T, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.made {
		return l.value, nil
	}
	value, err := make()
	if err == nil {
		l.value, l.made = value, true
	}
	return value, err
}

// figuresOf counts a session. The only error is that of the context.
func (o *Options) figuresOf(ctx context.Context, h *history) (*figures, error) {
	return h.figures.get(func() (*figures, error) {
		out := &figures{Calls: []figure{}, Compactions: []*calls.Compaction{}}
		compactions := calls.Compactions{Prices: o.Prices}
		for c, err := range calls.Of(ctx, h.timeline, calls.Options{Cache: true, States: true, Prices: o.Prices, Windows: o.Windows}) {
			if err != nil {
				return nil, err
			}
			compactions.Add(c)
			if c.Event != nil {
				continue
			}
			_, again := c.Rewritten()
			out.Calls = append(out.Calls, figure{c.Window, c.Tokens, c.Cache, again})
		}
		out.Compactions = append(out.Compactions, compactions.List()...)
		return out, nil
	})
}

// sharesOf returns the shares of each call. The only error is that of the context.
func (o *Options) sharesOf(ctx context.Context, h *history) ([][]share, error) {
	return h.shares.get(func() ([][]share, error) {
		var out [][]share
		for c, err := range calls.Of(ctx, h.timeline, calls.Options{Shares: true, Cache: true, Prices: o.Prices, Windows: o.Windows}) {
			if err != nil {
				return nil, err
			}
			out = append(out, titled(c.Tokens.Shares))
		}
		return out, nil
	})
}

func titled(list []calls.Share) []share {
	out := make([]share, 0, len(list))
	for i := range list {
		out = append(out, share{list[i].Title(), &list[i], titled(list[i].Shares)})
	}
	return out
}

func (h *handler) figures(w http.ResponseWriter, r *http.Request) error {
	reading, err := h.reading(r)
	if err != nil {
		return err
	}
	out, err := h.options.figuresOf(r.Context(), reading.latest())
	if err != nil {
		return err
	}
	return answerJSON(w, out)
}

// shares answers with the shares of a call; with none for the state after the last call.
func (h *handler) shares(w http.ResponseWriter, r *http.Request) error {
	session, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	all, err := h.options.sharesOf(r.Context(), session)
	if err != nil {
		return err
	}
	for i, list := range all {
		if session.states[i] == s {
			return answerJSON(w, list)
		}
	}
	return answerJSON(w, []share{})
}
