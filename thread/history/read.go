package history

import (
	"context"
	"errors"
	"iter"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// History is the history of one conversation.
type History struct {
	Sample       string // if the file contains several
	Conversation int    // in the sample, from 0
	Of           int    // number of conversations in the sample
	Name         string // of the conversation in the source; may be empty
	Timeline     *engine.Timeline
}

// Files yields the histories in files that belong together, in the order in which [source.Group]
// returns them. The histories of a sample are yielded at its end, in the order of their first
// calls; one sample is in memory at a time. An error is yielded last, after the histories read
// before it. Errors are those of [source.ReadFiles].
func Files(ctx context.Context, files []source.File, o source.Options) iter.Seq2[History, error] {
	return func(yield func(History, error) bool) {
		s := &sample{yield: yield, byNumber: map[int]*conversation{}}
		err := source.TrackFiles(ctx, files, o, func(c *series.Step) error { return s.add(ctx, c) })
		if bad := s.end(); err == nil || bad == errStop {
			err = bad
		}
		if err != nil && err != errStop {
			yield(History{}, err)
		}
	}
}

// errStop stops reading when the caller ends the iteration.
var errStop = errors.New("stop")

// sample makes the histories of one sample.
type sample struct {
	yield    func(History, error) bool
	list     []*conversation // in the order of their first calls
	byNumber map[int]*conversation
	stop     bool
}

type conversation struct {
	History
	writer   Writer
	replayer *engine.Replayer
	entries  int
}

// add takes the next step of the file.
func (s *sample) add(ctx context.Context, call *series.Step) error {
	if len(s.list) > 0 && s.list[0].Sample != call.Origin.Sample {
		if err := s.end(); err != nil {
			return err
		}
	}
	c := s.byNumber[call.Conversation]
	if c == nil {
		c = &conversation{
			History:  History{Sample: call.Origin.Sample, Conversation: call.Conversation, Name: call.Request.ConversationID},
			replayer: engine.NewReplayer(call.Origin.File, engine.ReadOptions{}),
		}
		s.list = append(s.list, c)
		s.byNumber[call.Conversation] = c
	}
	entries, err := c.writer.Add(ctx, call)
	if err != nil {
		return err
	}
	return c.take(entries)
}

func (c *conversation) take(entries []engine.Entry) error {
	for _, e := range entries {
		c.entries++
		if err := c.replayer.Add(e, c.entries, "$"); err != nil {
			return err
		}
	}
	return nil
}

// end yields the histories of the sample and prepares for the next sample.
func (s *sample) end() error {
	if s.stop {
		return errStop
	}
	list := s.list
	s.list = nil
	clear(s.byNumber)
	for _, c := range list {
		var err error
		if c.Timeline, err = c.replayer.Timeline(); err != nil {
			return err
		}
		c.Of = len(list)
		c.writer, c.replayer = Writer{}, nil // the caller may need the memory
		if !s.yield(c.History, nil) {
			s.stop = true
			return errStop
		}
	}
	return nil
}
