package look

import (
	"errors"
	"slices"

	"github.com/pactkit/pactkit/cmd/internal/open"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/thread"
)

// threadFormats are the names of the formats that can be written, or read.
func threadFormats(able func(thread.Format) bool) []string {
	var names []string
	for _, f := range thread.Formats() {
		if able(f) {
			names = append(names, f.String())
		}
	}
	return names
}

// writeThread prints a snapshot as a thread, and reports what does not fit the format.
func writeThread(run *verb.Run, name string, snap *engine.Snapshot, f thread.Format, o thread.RenderOptions) error {
	r, err := thread.Render(snap, f, o)
	if e, ok := errors.AsType[*engine.Error](err); ok {
		e.File = verb.Shown(name)
		open.FailHistory(run, name, e, &open.HistoryFlags{})
		return nil
	}
	if err != nil {
		return err
	}
	open.ReportNotes(run, name, r.Notes)
	if slices.ContainsFunc(r.Notes, func(n thread.Note) bool { return n.Kind == thread.Lost }) {
		run.Find("%s: content is missing in the thread", name)
	}
	_, _ = run.Out.Write(r.JSON) // the last flush reports errors
	return nil
}
