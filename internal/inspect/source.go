package inspect

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/calls"
	"github.com/pactkit/pactkit/internal/sessions"
)

// Source is what is inspected: the sessions of some arguments. Only the timelines that were asked for last are held. Any
// number of goroutines may use it.
type Source struct {
	options sessions.Options
	list    []Summary
	files   [][]string // of each
	address []string   // empty for a file that could not be read

	mu   sync.Mutex
	held []*history // the latest first
}

// maxHeld is how many timelines are held: the one that is shown, and one to compare it with.
const maxHeld = 2

// history is a session that was read.
type history struct {
	session  int
	timeline *engine.Timeline
	states   []*engine.Snapshot // of the steps
	end      bool               // the last state is not that of a call
	files    []string
	stamp    stamp // of the files when they were read
}

// Summary is a session in the list of all.
type Summary struct {
	Name   string  `json:"name"`
	Source string  `json:"source"`
	Calls  int     `json:"calls"`
	Tokens int64   `json:"tokens"` // of the largest call
	Left   int     `json:"left"`   // nodes that left
	Broken int     `json:"broken"` // calls that ended the prefix a cache could have used
	Errors int     `json:"errors"` // files that could not be read
	Error  string  `json:"error,omitempty"`
	Spark  []int64 `json:"spark"` // tokens of at most sparkLength calls
}

// sparkLength is how many calls the line of a session in the list shows.
const sparkLength = 60

// Open reads the arguments, as [sessions.All] names them, and keeps a summary of each session. A file that cannot be read is a
// session with an error. The error, if there is nothing to show, is that of the first file.
func Open(ctx context.Context, args []string, o sessions.Options) (*Source, error) {
	src := &Source{options: o}
	var first error
	for s, err := range sessions.All(ctx, args, o) {
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err != nil {
			if first == nil {
				first = err
			}
			src.summed(Summary{Name: s.Path, Errors: 1, Error: err.Error(), Spark: []int64{}}, nil, "")
			continue
		}
		sum, err := summarize(ctx, s)
		if err != nil {
			return nil, err
		}
		files := s.Files
		if files == nil {
			files = []string{s.Path}
		}
		src.summed(sum, files, s.Address())
	}
	for _, a := range src.address {
		if a != "" {
			return src, nil
		}
	}
	if first == nil {
		first = errors.New("there are no sessions here")
	}
	return nil, first
}

func (s *Source) summed(sum Summary, files []string, address string) {
	s.list = append(s.list, sum)
	s.files = append(s.files, files)
	s.address = append(s.address, address)
}

func summarize(ctx context.Context, s sessions.Session) (Summary, error) {
	out := Summary{Name: s.Address(), Source: string(s.Kind)}
	if s.Title != "" && s.Title != s.Name {
		out.Name += " " + s.Title
	}
	var sizes []int64
	for c, err := range calls.Of(ctx, s.Timeline, calls.Options{NoTokens: true}) {
		if err != nil {
			return out, err
		}
		size := c.Tokens.In
		if size == 0 {
			size = int64(c.Messages) // nothing was counted: the line shows messages
		}
		sizes = append(sizes, size)
		out.Calls++
		out.Left += len(c.Left)
		if c.Cache.Broken != nil {
			out.Broken++
		}
		out.Tokens = max(out.Tokens, c.Tokens.In)
	}
	out.Spark = []int64{}
	for i := range min(len(sizes), sparkLength) {
		out.Spark = append(out.Spark, sizes[i*len(sizes)/min(len(sizes), sparkLength)])
	}
	return out, nil
}

// history returns a session, and reads it again if it is not held.
func (s *Source) history(ctx context.Context, session int) (*history, error) {
	if session < 0 || session >= len(s.list) {
		return nil, fmt.Errorf("there is no session %d", session)
	}
	if s.address[session] == "" {
		return nil, errors.New(s.list[session].Error)
	}
	s.mu.Lock()
	defer s.mu.Unlock() // others wait, instead of reading the same file
	for _, h := range s.held {
		if h.session == session {
			return h, nil
		}
	}
	at := stampOf(s.files[session])
	one, err := sessions.One(ctx, s.address[session], s.options)
	if err != nil {
		return nil, err
	}
	return s.add(ctx, session, one, at)
}

// keep holds a session that was read again.
func (s *Source) keep(ctx context.Context, session int, one sessions.Session, at stamp) (*history, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.held = slices.DeleteFunc(s.held, func(h *history) bool { return h.session == session })
	return s.add(ctx, session, one, at)
}

func (s *Source) add(ctx context.Context, session int, one sessions.Session, at stamp) (*history, error) {
	h := &history{session: session, timeline: one.Timeline, files: s.files[session], stamp: at}
	for c, err := range calls.Of(ctx, one.Timeline, calls.Options{NoTokens: true}) {
		if err != nil {
			return nil, err
		}
		h.states = append(h.states, c.Snapshot)
	}
	if last := one.Timeline.At(0); len(h.states) == 0 || last != h.states[len(h.states)-1] {
		h.states, h.end = append(h.states, last), true
	}
	s.held = append([]*history{h}, s.held...)
	if len(s.held) > maxHeld {
		s.held = s.held[:maxHeld]
	}
	return h, nil
}
