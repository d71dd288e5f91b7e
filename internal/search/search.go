package search

import (
	"context"
	"iter"
	"runtime"
	"sync"
	"sync/atomic"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// Search runs one query on many sessions.
type Search struct {
	Query    *Query
	Sessions sessions.Options // how files are read; Note may be called from several goroutines
	// CountOnly omits the matches and reports only their number.
	CountOnly bool
	// Most is how many matches of a file are wanted; 0 means all.
	Most int
	// Done, if set, is called with the bytes that were read of files, from several goroutines.
	Done func(bytes int)
}

// Outcome is the result of one session, or the error about a file.
type Outcome struct {
	Path    string // of the file, as the caller named it or as it was found below a folder
	Name    string // of the session in it; empty for the only one
	Matches []Match
	Count   int // of matches
	Err     error
	IsEnd   bool // the file has no more outcomes, and the other fields are empty
}

// Run yields the outcomes in the order of the arguments and, in a file, of its sessions, and works
// on several at a time. Memory is bounded by the largest session, or 256 KB of a log, times the
// number of processors, and 8 MB of matches in session files of Claude Code, which are searched by
// the pass that finds out which of them belong together. When the sequence ends, all work has
// ended; that is soon after the context is done.
func (s *Search) Run(ctx context.Context, args []string) iter.Seq[Outcome] {
	return func(yield func(Outcome) bool) {
		ctx, cancel := context.WithCancel(ctx)
		workers := budget.Workers(runtime.GOMAXPROCS(0))
		r := &run{Search: s, slots: make(chan struct{}, workers)}
		defer r.running.Wait()
		defer cancel()
		queue := make(chan *task, workers-1)
		r.running.Go(func() {
			defer close(queue)
			for found, err := range r.files(ctx, args) {
				t := &task{run: r, file: found, out: make(chan Outcome, 16)}
				select {
				case <-ctx.Done():
					return
				case queue <- t:
				}
				r.running.Go(func() { t.do(ctx, err) })
			}
		})
		for t := range queue {
			for o := range t.out {
				if t.isEnough(&o) {
					t.stop.Store(true)
				}
				if !yield(o) {
					return
				}
			}
			if !yield(Outcome{Path: t.file.Path, IsEnd: true}) {
				return
			}
		}
	}
}

// run is one call of Run.
type run struct {
	*Search
	running sync.WaitGroup
	slots   chan struct{} // one for each processor
	answers sessionAnswers
}

// files yields the files that arguments name. Those of Claude Code are searched while they are
// listed, if they must be read for that.
func (r *run) files(ctx context.Context, args []string) iter.Seq2[sessions.File, error] {
	if !r.sessionsHaveTapes() || r.Sessions.Progress != nil {
		return sessions.Files(ctx, args, r.Sessions)
	}
	return sessions.FilesWithLinks(ctx, args, r.Sessions, func(path string, links *source.Links) bool { return r.link(ctx, path, links) })
}

// task is the work on one file. What it finds goes to out, which it closes.
type task struct {
	*run
	file   sessions.File
	format thread.Format // of the messages of a log that is read on the fast path
	out    chan Outcome
	stop   atomic.Bool // no more is wanted
	found  int         // by the reader of out
}

// isEnough limits the matches of an outcome to the number wanted from the file, and reports whether
// that number is reached.
func (t *task) isEnough(o *Outcome) bool {
	if t.Most <= 0 {
		return false
	}
	left := max(t.Most-t.found, 0)
	o.Count = min(o.Count, left)
	o.Matches = o.Matches[:min(len(o.Matches), left)]
	t.found += o.Count
	return t.found >= t.Most
}

// acquire waits for a free processor. It returns false if the work is over.
func (t *task) acquire(ctx context.Context) bool {
	select {
	case <-ctx.Done():
		return false
	case t.slots <- struct{}{}:
		return true
	}
}

func (t *task) release() { <-t.slots }

// send hands over an outcome of a task that holds a slot, which it gives up while it waits: those
// before it may need it.
func (t *task) send(ctx context.Context, o Outcome) bool {
	select {
	case t.out <- o:
		return true
	default:
	}
	t.release()
	sent := t.put(ctx, o)
	t.slots <- struct{}{} // the slots of tasks that wait are free
	return sent
}

// put hands over an outcome of a task that holds no slot.
func (t *task) put(ctx context.Context, o Outcome) bool {
	select {
	case <-ctx.Done():
		return false
	case t.out <- o:
		return !t.stop.Load()
	}
}

// do searches the file.
func (t *task) do(ctx context.Context, err error) {
	defer close(t.out)
	if err != nil {
		t.put(ctx, Outcome{Path: t.file.Path, Err: err})
		return
	}
	kind, ok := t.kind(ctx)
	if !ok || t.Query.tape != nil && t.file.IsFile() && t.fast(ctx, kind) || !t.acquire(ctx) {
		return
	}
	defer t.release()
	t.slow(ctx, kind)
}

// kind returns what wrote the file. It returns false for a file of unknown kind that was found in a
// folder.
func (t *task) kind(ctx context.Context) (kind sessions.Kind, ok bool) {
	if !t.file.IsFile() {
		return "", true
	}
	if !t.acquire(ctx) {
		return "", false
	}
	defer t.release()
	kind, err := t.file.Kind(ctx)
	if err != nil && !t.file.IsNamed() && sessions.IsUnknown(err) {
		return "", false
	}
	return kind, true // package sessions reports what is wrong
}

// slow searches the histories that package sessions builds.
func (t *task) slow(ctx context.Context, kind sessions.Kind) {
	for s, err := range t.file.Sessions(ctx, kind) {
		o := Outcome{Path: s.Path, Name: s.Name, Err: err}
		if err == nil {
			o.Matches, o.Err = t.Query.Timeline(ctx, s.Timeline)
			o.Count = len(o.Matches)
		}
		if ctx.Err() != nil || t.stop.Load() || !t.send(ctx, o) {
			return
		}
	}
	if t.Done != nil {
		t.Done(int(t.file.Size()))
	}
}

// fast searches the file by tapes if it is a log that has them. It returns false, and hands over
// nothing, for any other file.
func (t *task) fast(ctx context.Context, kind sessions.Kind) bool {
	if kind == sessions.Kind(thread.ClaudeCode.String()) && !t.file.IsJoined() {
		return t.sessionFiles(ctx)
	}
	format, ok := formats[kind]
	if !ok {
		return false
	}
	t.format = format
	f, err := atomicfile.Open(t.file.Abs())
	if err != nil {
		return false // package sessions reports what is wrong
	}
	defer f.Close()
	switch t.layoutOf(f) {
	case layoutLines:
		t.lines(ctx, f)
		return true
	case layoutWhole:
		return t.whole(ctx, f)
	}
	return false
}

// formats are the formats of logs of messages that have tapes, by kind of file.
var formats = map[sessions.Kind]thread.Format{
	sessions.Kind(thread.OpenAI.String()):    thread.OpenAI,
	sessions.Kind(thread.Anthropic.String()): thread.Anthropic,
}
