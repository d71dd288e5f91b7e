package history

import (
	"context"
	"io"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// History is the history of one conversation.
type History struct {
	Sample       string // in a file that holds several
	Conversation int    // in the sample, from 0
	Name         string // what the source calls the conversation; empty if it has no name
	Timeline     *engine.Timeline
}

// Read makes the histories of a file that records model calls, in the order of their first calls. Errors are those of
// [source.Read]; the histories of what was read before are returned with one.
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, o source.Options) ([]History, error) {
	type key struct {
		sample       string
		conversation int
	}
	type open struct {
		History
		writer   Writer
		replayer *engine.Replayer
		entries  int
	}
	byKey := map[key]*open{}
	var order []*open
	take := func(h *open, entries []engine.Entry) error {
		for _, s := range entries {
			h.entries++
			if err := h.replayer.Add(s, h.entries, "$"); err != nil {
				return err
			}
		}
		return nil
	}
	err := source.Track(ctx, name, r, size, o, func(c *series.Call) error {
		k := key{c.Origin.Sample, c.Conversation}
		h := byKey[k]
		if h == nil {
			h = &open{
				History:  History{Sample: k.sample, Conversation: k.conversation, Name: c.Request.ConversationID},
				replayer: engine.NewReplayer(name, engine.ReadOptions{}),
			}
			byKey[k] = h
			order = append(order, h)
		}
		entries, err := h.writer.Add(ctx, c)
		if err != nil {
			return err
		}
		return take(h, entries)
	})
	var out []History
	for _, h := range order {
		entries, bad := h.writer.Close(ctx)
		if bad == nil {
			bad = take(h, entries)
		}
		if bad == nil {
			h.Timeline, bad = h.replayer.Timeline()
		}
		if bad != nil {
			if err == nil {
				err = bad
			}
			break
		}
		out = append(out, h.History)
	}
	return out, err
}
