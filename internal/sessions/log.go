package sessions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
	"github.com/pactkit/pactkit/thread"
	"github.com/pactkit/pactkit/thread/history"
	"github.com/pactkit/pactkit/thread/source"
)

// file yields the sessions of an open file; kind is "" to recognize it.
func (o *opener) file(ctx context.Context, f *file, kind Kind) {
	var refused error
	if kind == "" {
		var err error
		if kind, err = o.recognize(ctx, f); err != nil {
			if ctx.Err() != nil {
				o.fail(f.path, err)
				return
			}
			kind = Document // reading it as one reports what is wrong
			text := f.beginning()
			u, ok := errors.AsType[*unknown](err)
			switch {
			case ok && (u.err.Code == engine.ErrFileShape || strings.HasSuffix(u.err.Msg, Readable)) && !triesDocument(text):
				refused = u.err
			case strings.HasPrefix(text, source.SQLiteMagic):
				refused = err
			}
		}
	}
	o.giveAll(f.path, func(each func(Session) bool) error {
		err := o.sessions(ctx, f, kind, each)
		if e, ok := errors.AsType[*engine.Error](err); ok && f.found && e.Msg == NoCallRecorded {
			o.note(thread.Note{Kind: thread.LeftOut, File: f.path, Msg: NoCallRecorded + "; it is skipped"})
			o.unrecorded = append(o.unrecorded, f.path)
			return nil // the log of the program may have the calls
		}
		if e, ok := errors.AsType[*engine.Error](err); ok && refused != nil && (e.Code == engine.ErrFileShape || e.Code == engine.ErrFileSyntax) {
			return refused // what it looks like says more than what a document would have
		}
		return err
	})
}

// group yields the sessions of files that belong together.
func (o *opener) group(ctx context.Context, f File) {
	o.giveAll(f.Path, func(each func(Session) bool) error {
		return o.calls(ctx, f.Path, o.sources(f, ""), source.Kind(f.kind), func(s Session) bool {
			s.Files = f.group
			return each(s)
		})
	})
}

// giveAll yields the requested sessions of a file, and its error.
func (o *opener) giveAll(path string, read func(each func(Session) bool) error) {
	var names []string
	err := read(func(s Session) bool {
		if s.Name != "" && len(names) <= mostNames {
			names = append(names, store.JoinAddress("", s.Name))
		}
		return o.give(s)
	})
	switch {
	case err != nil && !o.stopped:
		o.fail(path, err)
	case o.named && o.count == 0:
		o.fail(path, unknownName(path, o.want, names))
	}
}

// sessions calls each with the sessions of a file until it returns false.
func (o *opener) sessions(ctx context.Context, f *file, kind Kind, each func(Session) bool) error {
	switch {
	case kind == Journal || kind == Document:
		return o.history(ctx, f, each)
	case o.isSource(kind):
		return o.calls(ctx, f.path, []source.File{o.opened(f)}, source.Kind(kind), each)
	}
	in, err := f.text()
	if err != nil {
		return err
	}
	defer in.Close()
	return o.messages(ctx, in, f.path, kind, each)
}

// isSource reports whether a kind of log records model calls.
func (o *opener) isSource(kind Kind) bool {
	return slices.Contains(source.Kinds(), source.Kind(kind)) && !(o.ByTurn && kind == Kind(thread.ClaudeCode.String()))
}

// history reads a journal or a document.
func (o *opener) history(ctx context.Context, f *file, each func(Session) bool) error {
	read := journal.Read
	if o.Verify {
		read = journal.Verify
	}
	t, info, err := read(f.path, f.stream(), o.readOptions(ctx))
	s := Session{Path: f.path, Kind: Document, Timeline: t}
	if info != nil && info.Journal {
		s.Kind, s.Journal = Journal, info
	}
	if errors.Is(err, journal.ErrPrefix) && o.Root == nil && strings.HasSuffix(f.path, ".jsonl") { // its beginning is in another file of the folder
		st := store.OpenFile(o.abs(f.path))
		defer st.Close()
		err = o.frames(ctx, st, string(Journal), &s)
	}
	if err != nil {
		return &Damaged{s, err}
	}
	each(s)
	return nil
}

// The messages of the errors of a log that is recognized and has no model call, and of a recording
// of 'pactkit record' without one.
const (
	NoCalls        = "the log records no model call"
	NoCallRecorded = "no call was recorded"
)

// IsNoCalls reports whether the message of an error is one of these.
func IsNoCalls(message string) bool { return message == NoCalls || message == NoCallRecorded }

// Damaged is the error of a journal that can be read up to a line. It unwraps to the error at that
// line.
type Damaged struct {
	Session // without a timeline
	Err     error
}

func (d *Damaged) Error() string { return d.Err.Error() }

// Unwrap returns the error at the damaged line.
func (d *Damaged) Unwrap() error { return d.Err }

// calls reads the files of a log that records model calls; path is their name.
func (o *opener) calls(ctx context.Context, path string, files []source.File, kind source.Kind, each func(Session) bool) error {
	if o.ByTurn {
		return fmt.Errorf("%s records model calls; only logs of messages can give a snapshot for each turn", kind)
	}
	if o.Edition == engine.Edition01 {
		return fmt.Errorf("histories of model calls have edition %s", engine.Edition10)
	}
	opts := source.Options{Kind: kind, MaxBytes: o.MaxBytes, Note: o.Note}
	names := names.Set{}
	whole := 0 // conversations that may be logs of messages
	for h, err := range history.Files(ctx, files, opts) {
		if err != nil {
			return err
		}
		if isWhole(h.Timeline) {
			whole++
		}
		s := Session{
			Path: path, Name: names.Add(nameOf(h)), Kind: Kind(kind), Timeline: h.Timeline,
			Sample: h.Sample, Conversation: h.Conversation, Title: h.Name,
		}
		if !each(s) {
			return nil
		}
	}
	if isAuto := o.From == "" || o.From == Auto; isAuto && kind == source.Requests && whole > 1 && whole == len(names) {
		o.note(thread.Note{Kind: thread.Kept, File: path, Msg: fmt.Sprintf(
			"taken for the bodies of %d requests, each the only one of its conversation; if they are whole conversations, "+
				"--from with the format of their messages, such as openai, makes a call of each answer in them", whole)})
	}
	if len(names) == 0 {
		none := &engine.Error{Code: engine.ErrFileShape, File: path, Msg: NoCalls}
		if kind == source.Recording {
			none.Msg = NoCallRecorded
		}
		return none
	}
	return nil
}

// isWhole reports whether a history has one call, which was sent answers of the model.
func isWhole(t *engine.Timeline) bool {
	var only *engine.Snapshot
	for s := range t.Sealed() {
		if info := s.Info(); info == nil || info.Call == nil {
			continue
		}
		if only != nil {
			return false
		}
		only = s
	}
	if only == nil {
		return false
	}
	for n := range only.All() {
		if role, _ := n.Role(); role == "assistant" {
			return true
		}
	}
	return false
}

// nameOf returns the name of a conversation: the first one of a sample has the name of the sample;
// the others add their own name or their number.
func nameOf(h history.History) string {
	own := h.Name
	if own == "" {
		own = strconv.Itoa(h.Conversation + 1)
	}
	switch {
	case h.Of == 1 || h.Sample != "" && h.Conversation == 0:
		return h.Sample
	case h.Sample == "":
		return own
	}
	return h.Sample + "/" + own
}

// messages reads a log of messages.
func (o *opener) messages(ctx context.Context, in *stream, path string, kind Kind, each func(Session) bool) error {
	format, err := thread.ParseFormat(string(kind))
	if err != nil {
		return err
	}
	opts := thread.ImportOptions{Edition: o.Edition, Messages: o.Messages, ByCall: !o.ByTurn, Start: o.Start, MaxBytes: o.MaxBytes}
	n := 0
	for l, err := range thread.ImportSeq(ctx, in.name, in, format, opts) {
		if err != nil {
			return err
		}
		for _, note := range l.Notes {
			o.note(note)
		}
		if !each(Session{Path: path, Name: l.Name, Kind: kind, Conversation: n, Timeline: l.Timeline()}) {
			return nil
		}
		n++
	}
	return nil
}
