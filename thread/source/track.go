package source

import (
	"context"

	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/series"
)

// TrackFiles is [ReadFiles] for callers that need the differences between calls: it compares the
// requests of every sample with a [series.Tracker], and calls each with the calls and states in
// order, also with those before an error. A second conversation in a sample is noted, unless the
// source identifies conversations.
func TrackFiles(ctx context.Context, files []File, o Options, each func(*series.Step) error) error {
	var tracker *series.Tracker
	sample, conversations := "", 1
	stopped := false
	emit := func(calls []*series.Step) error {
		for _, c := range calls {
			if c.Conversation >= conversations {
				conversations = c.Conversation + 1
				if o.Note != nil && c.Request.ConversationID == "" {
					o.Note(thread.Note{
						Kind: thread.Kept, File: c.Origin.File, Line: c.Origin.Line, Path: c.Origin.Path,
						Msg: "the call does not continue an earlier call; it begins another conversation",
					})
				}
			}
			if err := each(c); err != nil {
				stopped = true
				return err
			}
		}
		return nil
	}
	err := ReadFiles(ctx, files, o, func(req *series.Request) error {
		if tracker == nil || req.Origin.Sample != sample {
			if tracker != nil {
				if err := emit(tracker.Flush()); err != nil {
					return err
				}
			}
			tracker, sample, conversations = &series.Tracker{}, req.Origin.Sample, 1
		}
		calls, err := tracker.Add(req)
		if err != nil {
			return err
		}
		return emit(calls)
	})
	if tracker != nil && !stopped && ctx.Err() == nil {
		if last := emit(tracker.Flush()); err == nil {
			err = last
		}
	}
	return err
}
