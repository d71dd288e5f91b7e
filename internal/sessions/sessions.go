// Package sessions opens whatever an argument names, and yields the histories in it: journals,
// documents and lines of snapshots, logs of any source, folders of all these, and stores. Every
// part of pactkit that reads histories from files or stores opens them here.
package sessions

import (
	"context"
	"io"
	"iter"
	"path/filepath"
	"slices"
	"time"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/internal/ignore"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/source"
)

// Session is a history, and where it was found.
type Session struct {
	// Path is the file as the caller named it, or as it was found below a folder that was named; or
	// the address of a store, without a password. Of several files that belong together it is that
	// of the first, with a + after it.
	Path string
	// Files are the files that belong together, in the order in which they were read; nil unless
	// there are several.
	Files []string
	// Name distinguishes the histories of a file or store. It is empty for the only one in a file.
	Name string
	Kind Kind

	Sample       string // in a log with several
	Conversation int    // in the sample or log, from 0
	Title        string // what the log calls the conversation; empty if it has no name

	Timeline *engine.Timeline
	Journal  *journal.Info // nil unless a journal was read; a history in a store is one
}

// Address returns the argument that names just this session: PATH, or PATH#NAME.
func (s Session) Address() string {
	if s.Name == "" {
		return s.Path
	}
	return store.JoinAddress(s.Path, s.Name)
}

// Kind is the kind of a file: one of the constants, a [source.Kind], or the name of a
// [thread.Format].
type Kind string

// The kinds of files that are not logs.
const (
	Journal  Kind = "journal"
	Document Kind = "history" // snapshots, in a document, in lines, or in a folder
)

// Auto asks for the kind to be recognized from the content.
const Auto Kind = "auto"

// Kinds returns the kinds of logs that [Options].From can ask for, sorted, after Auto.
func Kinds() []Kind {
	var out []Kind
	for _, k := range source.Kinds() {
		out = append(out, Kind(k))
	}
	for _, f := range thread.Formats() {
		if k := Kind(f.String()); f.Imports() && !slices.Contains(out, k) {
			out = append(out, k)
		}
	}
	slices.Sort(out)
	return append([]Kind{Auto}, out...)
}

// Options says how arguments are read. The zero value recognizes what they are. It has a field for
// each option of the verbs that read.
type Options struct {
	From     Kind   // of logs; "" is Auto
	Messages string // the member of a log that holds the messages, as in [thread.ImportOptions]
	ByTurn   bool   // a snapshot for each turn and not for each call, for logs of messages
	Start    time.Time
	Edition  engine.Edition // of the histories that are made from logs

	// Stored says that attachments of histories in stores stay empty, as they are stored.
	Stored bool

	Strict   bool  // refuse histories that break an invariant
	Verify   bool  // verify the checkpoints of journals
	MaxBytes int64 // of a history, or of the part of a log in memory at a time; 0 means their defaults
	MaxDepth int   // of nodes and content; 0 means the default of package engine

	Folder string // that relative names are relative to; "" is the working folder
	// Root, if set, is the open Folder: names are relative to it, and nothing leads out of it.
	Root      *atomicfile.Root
	Stdin     io.Reader // the input that - stands for; if nil, - is the name of a file
	StdinName string    // the name of the input; its ending says how it is compressed
	NoIgnore  bool      // search ignored files, too

	// Redact, if set, replaces the history and the title of each session.
	Redact Redactor
	// Lookup, if set, returns the files of the session with a name, such as last, or nil if it does
	// not know the name. It is called with arguments that are not paths of files.
	Lookup func(ctx context.Context, name string) ([]string, error)

	// Note, if set, is called for anything that is left out or odd.
	Note func(thread.Note)
	// Progress, if set, is called with how much of a file was read, and its size, 0 if it is not
	// known. It may be called from several goroutines.
	Progress func(path string, done, size int64)
}

// Redactor replaces secrets, in a history and in a text.
type Redactor interface {
	History(t *engine.Timeline) (*engine.Timeline, error)
	Text(text string) string
}

// The default size limits.
const (
	maxHistory = 512 << 20
	maxLog     = 256 << 20
)

func (o *Options) note(n thread.Note) {
	if o.Note != nil {
		o.Note(n)
	}
}

// from returns the requested kind, or "" for any.
func (o *Options) from() Kind {
	if o.From == Auto {
		return ""
	}
	return o.From
}

// opener is the state of reading arguments.
type opener struct {
	Options
	ignored *ignore.Tree
	yield   func(Session, error) bool
	want    string // the name of the one session that is wanted; "" for all
	named   bool   // want is set
	stopped bool
	count   int // of what was yielded from one argument, errors included
	// unrecorded are the recordings without a call.
	unrecorded []string
}

// give yields a session, unless another one was requested. It returns false if no more of the file
// is needed.
func (o *opener) give(s Session) bool {
	if o.named && s.Name != o.want {
		return true
	}
	if budget.Over() { // the reader may have left out what it could not read
		return o.fail(s.Path, budget.ErrOver)
	}
	if o.Redact != nil {
		var err error
		if s.Timeline, err = o.Redact.History(s.Timeline); err != nil {
			return o.fail(s.Address(), err)
		}
		s.Title = o.Redact.Text(s.Title)
	}
	o.count++
	o.stopped = o.stopped || !o.yield(s, nil)
	return !o.stopped && !o.named
}

// fail yields an error of a file.
func (o *opener) fail(path string, err error) bool {
	o.count++
	if budget.Over() {
		err = &engine.Error{Code: engine.ErrMemory, File: path, Msg: budget.Refusal()}
	}
	o.stopped = o.stopped || !o.yield(Session{Path: store.Redacted(path)}, err)
	return !o.stopped
}

// All yields the sessions of arguments, in the order of these, and holds one of them at a time; of
// a log that holds several samples, one sample. An argument is a file, a folder of them, FILE#NAME
// for one session of a file, the address of a store or of a history in one, or - for Options.Stdin.
// A folder is walked in the order of names, without what ignore files name and without links; a
// file of one snapshot or more in every .json file is one history.
//
// Files that belong together, such as those of a session and of its agents, are read as one log, at
// the position of the first of them. Its name is that of the file to begin with and a +; as an
// argument, FILE+ is a file with all that belongs together with it in its folder and below, and
// FILE+#NAME is one session of that.
//
// An error is about one file; the session yielded with it has the path. A caller that continues
// gets the sessions that follow. What was read of a file before an error is yielded before it.
// Errors are of type [*engine.Error] with file, line and JSON path, [*store.Error], or of the
// operating system. After the error of a context, nothing follows.
func All(ctx context.Context, args []string, opts Options) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		o := newOpener(opts, yield)
		counts := make([]int, len(args))
		checked := 0
		check := func(until int) {
			for ; checked < until && !o.stopped; checked++ {
				if counts[checked] == 0 {
					o.empty(args[checked])
				}
			}
		}
		for f, err := range Files(ctx, args, opts) {
			if check(f.args[0]); o.stopped {
				return
			}
			if o.count = 0; err != nil {
				o.fail(f.Path, err)
				o.stopped = o.stopped || ctx.Err() != nil
			} else {
				o.read(ctx, f)
			}
			for _, i := range f.args {
				counts[i] += o.count
			}
		}
		check(len(args))
	}
}

// empty yields the error of a folder in which nothing was found.
func (o *opener) empty(name string) {
	if info, err := o.stat(name); err == nil && info.IsDir() {
		why := "the folder holds no history and no log of a known kind"
		if slices.ContainsFunc(o.unrecorded, func(path string) bool {
			rel, err := filepath.Rel(name, path)
			return err == nil && filepath.IsLocal(rel)
		}) {
			why = NoCallRecorded
		}
		o.fail(name, &engine.Error{Code: engine.ErrFileShape, File: name, Msg: why})
	}
}

func newOpener(opts Options, yield func(Session, error) bool) *opener {
	o := &opener{Options: opts}
	o.yield = yield
	if !opts.NoIgnore {
		o.ignored = ignore.NewTree()
	}
	return o
}

// Read yields the sessions of a file that is not on disk; name is its name in errors, whose ending
// says how it is compressed. Otherwise Read is like [All].
func Read(ctx context.Context, name string, r io.ReaderAt, size int64, opts Options) iter.Seq2[Session, error] {
	return func(yield func(Session, error) bool) {
		o := newOpener(opts, yield)
		o.file(ctx, &file{ReaderAt: r, path: name, size: size}, o.from())
	}
}
