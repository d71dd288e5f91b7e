package open

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// LeavesOut says what a format cannot express.
const LeavesOut = "%s: the form %s cannot hold the records of model calls or why nodes left; a journal can"

// HistoryForm is a form in which histories are written.
type HistoryForm string

const (
	FormJournal  HistoryForm = "journal"
	FormDocument HistoryForm = "json"  // one document, the interchange form of the specification
	FormLines    HistoryForm = "jsonl" // one snapshot per line
)

// FormOf returns the format for the name of a file: a journal, unless the name ends in .json.
func FormOf(name string) HistoryForm {
	if strings.HasSuffix(strings.TrimSuffix(name, verb.PackEnding(name)), ".json") {
		return FormDocument
	}
	return FormJournal
}

// Written is a history to be written, and how.
type Written struct {
	History *engine.Timeline
	Form    HistoryForm
	About   journal.About // of a journal
	Store   store.Store   // to write to under the id of about; nil to open that of the address
	Limit   int64         // over which a document is refused
	// Snapshots: the history has neither a working state nor cadences.
	Snapshots bool
}

// PutHistory writes a history to a file, to a store, or to standard output if nothing is named: as
// a whole, or not at all. It reports errors.
func PutHistory(ctx context.Context, r *verb.Run, out string, o Written) bool {
	name := out
	if out == "" || out == verb.StdinName {
		name = "-"
	}
	done := r.Working(func() string { return "writing " + verb.Shown(name) })
	defer done()
	var err error
	switch {
	case store.IsAddress(out):
		err = putStored(ctx, r, out, o)
	case name == "-":
		err = o.write(r.Out, "") // the last flush reports errors
	default:
		err = atomicfile.WriteFrom(r.Abs(out), func(w io.Writer) error { return o.write(w, verb.PackEnding(out)) })
		if err != nil && !errors.As(err, new(refused)) {
			err = fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
		}
	}
	done()
	if err != nil {
		r.FailOutput(name, err)
	}
	return err == nil
}

// refused is the reason for which a history is not written in a form.
type refused struct{ error }

// write writes the history, compressed as an ending says. It proves that nothing is lost before it
// writes a document.
func (o Written) write(w io.Writer, ending string) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	var packer io.WriteCloser
	into := io.Writer(buffered)
	if pack := verb.PackForms[ending]; pack != nil {
		packer = pack(buffered)
		into = packer
	}
	err := o.writeForm(into)
	if err == nil && packer != nil {
		err = packer.Close()
	}
	if err == nil {
		err = buffered.Flush()
	}
	return err
}

func (o Written) writeForm(w io.Writer) error {
	if o.Form == FormJournal {
		return o.writeJournal(w)
	}
	limit := max(o.Limit, MaxHistorySize)
	if err := checkSize(o.History, limit); err != nil {
		return refused{err}
	}
	data, err := o.Form.bytes(o.History)
	if err == nil {
		err = checkReread(o.Form, data, o.History, limit)
	}
	if err != nil {
		return refused{err}
	}
	_, err = w.Write(data)
	return err
}

// writeJournal writes a journal. If a history consists only of snapshots, only one of them is in
// memory at a time.
func (o Written) writeJournal(w io.Writer) error {
	if !o.Snapshots {
		data, _, err := journal.Append(nil, o.History, o.About)
		if err != nil {
			return refused{err}
		}
		_, err = w.Write(data)
		return err
	}
	about := o.About
	for s := range o.History.Sealed() {
		about = about.With(s.Info())
	}
	jw := journal.NewWriter(w, about)
	for s := range o.History.Sealed() {
		if err := jw.Snapshot(s); err != nil {
			return err
		}
	}
	return nil
}

// HasInfo reports whether a history records model calls, or why nodes left, which only journals can
// hold.
func HasInfo(t *engine.Timeline) bool {
	for s := range t.Sealed() {
		if s.Info() != nil {
			return true
		}
	}
	return false
}

// bytes writes a history as a document, or as lines.
func (f HistoryForm) bytes(t *engine.Timeline) ([]byte, error) {
	if f == FormDocument {
		return append(t.AppendJSON(nil), '\n'), nil
	}
	if t.Working() != nil {
		return nil, errors.New("the form jsonl cannot hold the working state; use json")
	}
	return t.AppendJSONL(nil), nil
}

// checkSize refuses a history that is too large to be read again, before memory is spent on all of
// it.
func checkSize(t *engine.Timeline, limit int64) error {
	if t.Len() == 0 {
		return nil
	}
	newest := t.At(0).AppendJSON(nil)
	if int64(len(newest))*int64(t.Len()) <= limit {
		return nil
	}
	total := int64(0)
	for s := range t.Sealed() {
		newest = s.AppendJSON(newest[:0])
		if total += int64(len(newest)); total > limit {
			return tooLargeToRead(limit)
		}
	}
	return nil
}

func tooLargeToRead(limit int64) error {
	return fmt.Errorf("with every snapshot whole the history has more than %d bytes, so it could not be read again: write a journal, or raise the limit with --max-bytes [%s]", limit, engine.ErrFileLimit)
}

// checkReread proves that written bytes hold all of a history.
func checkReread(form HistoryForm, data []byte, t *engine.Timeline, limit int64) error {
	again, err := engine.Read("history."+string(form), bytes.NewReader(data), engine.ReadOptions{MaxBytes: limit})
	if errors.Is(err, engine.ErrFileLimit) {
		return tooLargeToRead(limit)
	}
	if err != nil {
		return verb.InternalError(err)
	}
	if bytes.Equal(again.AppendJSON(nil), t.AppendJSON(nil)) {
		return nil
	}
	if form == FormLines {
		return errors.New("a .jsonl file holds snapshots only, and this history has other members; name the file .json")
	}
	return verb.InternalError(errors.New("the history differs when it is read back"))
}
