package search

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/canonjson"
	"github.com/pactkit/pactkit/internal/names"
	"github.com/pactkit/pactkit/thread"
)

// block searches the records of a block of lines.
func (t *task) block(ctx context.Context, w *worker, text string) []Outcome {
	var out []Outcome
	size := len(text)
	for line := 1; text != "" && ctx.Err() == nil && !t.stop.Load(); line++ {
		record, rest, _ := strings.Cut(text, "\n")
		text = rest
		if record = strings.TrimSpace(record); record == "" {
			continue
		}
		o := t.record(ctx, w, record)
		out = append(out, o)
		if o.Err != nil {
			if e, ok := errors.AsType[*engine.Error](o.Err); ok {
				placed := *e
				placed.Line = max(e.Line, 1) + line - 1
				out[len(out)-1].Err = &placed
			}
			break
		}
	}
	if t.Done != nil {
		t.Done(size)
	}
	return out
}

// record searches one record. The name of the outcome is that of the record, which need not be
// unique.
func (t *task) record(ctx context.Context, w *worker, text string) Outcome {
	t.begin(w, text)
	if err := w.chat.readLog(); err != nil || w.chat.scanner.End() != nil {
		return t.irregular(ctx, text)
	}
	return t.tape(ctx, w)
}

// begin sets the text to read.
func (t *task) begin(w *worker, text string) {
	w.chat.list, w.chat.byTurn, w.chat.anthropic = t.Sessions.Messages, t.Sessions.ByTurn, t.format == thread.Anthropic
	w.chat.set(text)
}

// tape searches the tape of the log that was read.
func (t *task) tape(ctx context.Context, w *worker) Outcome {
	found, cycle := w.run.find(t.Query.tape, &w.chat.tape)
	if len(found) > 0 && !t.Query.tape.exact {
		return t.irregular(ctx, w.chat.text)
	}
	o := t.outcome(w.chat.name, &w.chat.tape, found, cycle)
	o.Path = t.file.Path
	return o
}

// outcome makes the outcome of a session from what was found on its tape.
func (r *run) outcome(name string, on *tape, found []int32, cycle int32) Outcome {
	o := Outcome{Name: strings.Clone(name), Count: len(found)}
	if r.CountOnly {
		return o
	}
	for _, at := range found {
		o.Matches = append(o.Matches, on.match(at, cycle))
	}
	return o
}

// irregular searches the history that package thread makes of a record.
func (t *task) irregular(ctx context.Context, text string) Outcome {
	text = strings.Clone(text) // a history keeps parts of it
	o := Outcome{Path: t.file.Path, Name: nameOf(text)}
	in := thread.ImportOptions{Messages: t.Sessions.Messages, ByCall: !t.Sessions.ByTurn, Edition: t.Sessions.Edition, Start: t.Sessions.Start, MaxBytes: t.Sessions.MaxBytes}
	for l, err := range thread.ImportSeq(ctx, jsonName(t.file.Path), strings.NewReader(text), t.format, in) {
		if o.Err = err; err != nil {
			if e, ok := errors.AsType[*engine.Error](err); ok {
				named := *e
				named.File = t.file.Path
				o.Err = &named
			}
			return o
		}
		if o.Matches, o.Err = t.Query.Timeline(ctx, l.Timeline()); o.Err != nil {
			return o
		}
		o.Count = len(o.Matches)
	}
	return o
}

// jsonName returns the name of a file that is one document.
func jsonName(path string) string { return path + ".json" }

// nameOf returns the name of a record as package thread finds it.
func nameOf(text string) string {
	var c chatTape
	c.set(text)
	if c.scanner.Peek() == '{' {
		_ = c.scanner.Object(func(name string, _ int) error { return c.beside(name) }) // what is wrong with it is reported elsewhere
	}
	return c.name
}

// logNames names the logs of a file.
type logNames struct {
	used  names.Set
	count int
}

// next returns the name of the next log: its own, or its number, made unique.
func (n *logNames) next(name string) string {
	n.count++
	return n.used.Add(cmp.Or(name, strconv.Itoa(n.count)))
}

// placed sets the line in the file of an error in a block that begins at an offset. The file is
// still being read.
func (t *task) placed(f io.ReaderAt, err error, at int64) error {
	e, ok := errors.AsType[*engine.Error](err)
	if !ok || at == 0 {
		return err
	}
	before, buf := 0, make([]byte, 1<<16)
	for in := io.NewSectionReader(f, 0, at); ; {
		n, bad := in.Read(buf)
		before += bytes.Count(buf[:n], []byte{'\n'})
		if bad != nil {
			break
		}
	}
	placed := *e
	placed.Line += before
	return &placed
}

// readError returns what is wrong with a line of a file, or with the file.
func (t *task) readError(err error, line int) error {
	if err == errLong {
		return &engine.Error{Code: engine.ErrFileLimit, File: t.file.Path, Line: line, Msg: fmt.Sprintf("a line of more than %d bytes, the limit MaxBytes", t.limit())}
	}
	return err
}

// whole searches a file that is one log or a list of records. It returns false, and hands over
// nothing, if the file is too large for memory or has an error.
func (t *task) whole(ctx context.Context, f io.Reader) bool {
	size := t.file.Size()
	if size > t.limit() || !t.acquire(ctx) {
		return false
	}
	defer t.release()
	var b strings.Builder
	b.Grow(int(size) + 512)
	if _, err := io.Copy(&b, io.LimitReader(f, t.limit()+1)); err != nil || int64(b.Len()) > t.limit() {
		return false
	}
	w := workers.Get().(*worker)
	defer w.free()
	t.begin(w, b.String())
	outcomes, ok := t.document(ctx, w)
	if !ok {
		return false
	}
	if t.Done != nil {
		t.Done(b.Len())
	}
	for _, o := range outcomes {
		if !t.send(ctx, o) {
			break
		}
	}
	return true
}

// document searches the text of a file that is one document.
func (t *task) document(ctx context.Context, w *worker) ([]Outcome, bool) {
	c := &w.chat
	s := &c.scanner
	isList := s.Peek() == '['
	if !isList || t.isBareList(c.text) {
		if isList { // package thread reads each message by itself
			s.MaxDepth++
		}
		if c.readLog() != nil || s.End() != nil || !t.Query.tape.exact {
			return nil, false
		}
		o := t.tape(ctx, w)
		o.Name = ""
		return []Outcome{o}, o.Err == nil
	}
	var out []Outcome
	names := &logNames{used: names.Set{}}
	err := s.Array(func(int) error {
		if err := ctx.Err(); err != nil {
			return err
		}
		s.Peek()
		start := s.Offset()
		var o Outcome
		if c.readLog() == nil {
			c.text = s.Since(start)
			o = t.tape(ctx, w)
		} else {
			s.Reset(start)
			text, err := s.Raw()
			if err != nil {
				return err
			}
			o = t.irregular(ctx, text)
		}
		if o.Err != nil {
			return o.Err
		}
		o.Name = names.next(o.Name)
		out = append(out, o)
		return nil
	})
	return out, err == nil && s.End() == nil
}

// isBareList reports whether a list contains messages rather than records.
func (t *task) isBareList(text string) bool {
	if t.Sessions.Messages != "" {
		return false
	}
	s := canonjson.NewScanner(text, canonjson.DefaultDepth)
	bare := true
	_ = s.Array(func(int) error { // the first element tells
		if s.Peek() == '[' {
			bare = false
		}
		if s.Peek() == '{' {
			has := map[string]bool{}
			if err := s.Object(func(name string, _ int) error { has[name] = true; return s.Skip() }); err != nil {
				return err
			}
			bare = !has["messages"] || has["role"]
		}
		return io.EOF
	})
	return bare
}
