package inspect

import (
	"context"
	"net/http"
	"sync"

	"github.com/pactkit/pactkit/cmd/internal/calls"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/tokens"
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
func (k Known) figuresOf(ctx context.Context, h *history, counts *tokens.Cache) (*figures, error) {
	return h.figures.get(func() (*figures, error) {
		return k.measure(ctx, h, calls.Options{Counts: counts}, func(*calls.Call) error { return nil })
	})
}

// measure counts a session, and calls each for each model call. Its error is that of each, or of
// the context.
func (k Known) measure(ctx context.Context, h *history, o calls.Options, each func(*calls.Call) error) (*figures, error) {
	out := &figures{Calls: []figure{}, Compactions: []*calls.Compaction{}}
	o.Cache, o.States, o.Prices, o.Windows = true, true, k.Prices, k.Windows
	compactions := calls.Compactions{Prices: k.Prices, Counts: o.Counts}
	for c, err := range calls.Of(ctx, h.Timeline, o) {
		if err != nil {
			return nil, err
		}
		compactions.Add(c)
		if c.Event != nil {
			continue
		}
		_, again := c.Rewritten()
		if err := each(c); err != nil {
			return nil, err
		}
		sizes := c.Tokens
		sizes.Shares, sizes.Counted = nil, nil
		out.Calls = append(out.Calls, figure{c.Window, sizes, c.Cache, again})
	}
	out.Compactions = append(out.Compactions, compactions.List()...)
	return out, nil
}

// sharesOf returns the shares of a call. The state after the last call has no shares. The only
// error is that of the context.
func (k Known) sharesOf(ctx context.Context, h *history, at *engine.Snapshot, counts *tokens.Cache) ([]share, error) {
	o := calls.Options{Shares: true, SharesOf: at, Files: pageFiles, Cache: true, Counts: counts, Prices: k.Prices, Windows: k.Windows}
	for c, err := range calls.Of(ctx, h.Timeline, o) {
		if err != nil {
			return nil, err
		}
		if c.Snapshot == at {
			return titled(c.Tokens.Shares), nil
		}
	}
	return []share{}, nil
}

// pageFiles is the number of files of a tool that the page shows.
const pageFiles = 20

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
	out, err := h.source.known.figuresOf(r.Context(), reading.latest(), &reading.counts)
	if err != nil {
		return err
	}
	return answerJSON(w, out)
}

func (h *handler) shares(w http.ResponseWriter, r *http.Request) error {
	reading, err := h.reading(r)
	if err != nil {
		return err
	}
	session, s, err := h.snapshot(r)
	if err != nil {
		return err
	}
	out, err := h.source.known.sharesOf(r.Context(), session, s, &reading.counts)
	if err != nil {
		return err
	}
	return answerJSON(w, out)
}
