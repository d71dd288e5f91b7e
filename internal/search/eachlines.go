package search

import (
	"context"
	"errors"
	"io"
	"math"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// lines works on a file with a record on each line, several of whose blocks are read at a time. It
// returns false, and hands over nothing, for any other file, and if the caller wants the notes.
func (e *each[R]) lines(ctx context.Context, f sessions.File, kind sessions.Kind, out results[R]) bool {
	format, isChat := formats[kind]
	if !isChat || e.opts.Note != nil || e.opts.Progress != nil {
		return false
	}
	t := &task{run: &run{Search: &Search{Sessions: e.opts}}, file: f, format: format}
	in, err := atomicfile.Open(f.Abs())
	if err != nil {
		return false // package sessions reports what is wrong
	}
	defer in.Close()
	if t.layoutOf(in) != layoutLines {
		return false
	}
	blocks := newLines(io.NewSectionReader(in, 0, math.MaxInt64), t.limit())
	names := &logNames{used: names.Set{}}
	for line := 0; !t.stop.Load(); {
		data, err := blocks.next(nil)
		if err != nil {
			if err != io.EOF {
				e.put(ctx, out, Item[R]{Path: f.Path, Err: t.readError(err, line+1)})
			}
			return true
		}
		text := string(data)
		b := &eachBlock[R]{each: e, task: t, kind: kind, records: recordsOf(text, line, names)}
		line += strings.Count(text, "\n")
		if !e.start(ctx, out, func() partOf[R] { return b.sessions(ctx) }) {
			return true
		}
	}
	return true
}

// eachBlock is a part of a file of lines.
type eachBlock[R any] struct {
	*each[R]
	task    *task
	kind    sessions.Kind
	records []numbered
}

// numbered is a record of a file of lines.
type numbered struct {
	text   string
	line   int // before it
	number int // of the log, from 0
	name   string
}

// recordsOf splits a block into records and names them.
func recordsOf(text string, line int, names *logNames) (out []numbered) {
	for ; text != ""; line++ {
		record, rest, _ := strings.Cut(text, "\n")
		text = rest
		if strings.TrimSpace(record) != "" {
			number := names.count
			out = append(out, numbered{record, line, number, names.next(nameOf(record))})
		}
	}
	return out
}

// sessions works on the sessions of the block until the first error, which ends the file.
func (b *eachBlock[R]) sessions(ctx context.Context) (out partOf[R]) {
	t := b.task
	o := &t.Sessions
	opts := thread.ImportOptions{Messages: o.Messages, ByCall: !o.ByTurn, Edition: o.Edition, Start: o.Start, MaxBytes: o.MaxBytes}
	for _, r := range b.records {
		for l, err := range thread.ImportSeq(ctx, jsonName(t.file.Path), strings.NewReader(r.text), t.format, opts) {
			if err != nil {
				t.stop.Store(true)
				if e, ok := errors.AsType[*engine.Error](err); ok {
					moved := *e
					moved.File, moved.Line = t.file.Path, max(e.Line, 1)+r.line
					err = &moved
				}
				out.items, out.isLast = append(out.items, Item[R]{Path: t.file.Path, Err: err}), true
				return out
			}
			timeline := l.Timeline()
			for _, s := range timeline.All() {
				if info := s.Info(); info != nil && info.Call != nil { // as if the file were read from its beginning
					info.Call.File, info.Call.Sample = t.file.Path, r.name
					info.Call.Line += r.line
				}
			}
			s := sessions.Session{Path: t.file.Path, Name: r.name, Kind: b.kind, Conversation: r.number, Timeline: timeline}
			out.items = append(out.items, Item[R]{Path: s.Path, Name: s.Name, Value: b.work(ctx, s)})
		}
	}
	return out
}
