package cli

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"strings"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
	"github.com/pactkit/pactkit/store/journal"
)

// packForms are the endings of compressed files.
var packForms = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // the options are sound
		return z
	},
}

// pack compresses data according to the ending of a name.
func pack(name string, data []byte) ([]byte, error) {
	form := packForms[filepath.Ext(name)]
	if form == nil {
		return data, nil
	}
	var b bytes.Buffer
	w := form(&b)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// historyForm is a form in which histories are written.
type historyForm string

const (
	formJournal  historyForm = "journal"
	formDocument historyForm = "json"  // one document, the interchange form of the specification
	formLines    historyForm = "jsonl" // one snapshot per line
)

// formOf returns the format for the name of a file: a journal, unless the name ends in .json.
func formOf(name string) historyForm {
	if strings.HasSuffix(strings.TrimSuffix(name, packEnding(name)), ".json") {
		return formDocument
	}
	return formJournal
}

// written is a history to be written, and how.
type written struct {
	history *engine.Timeline
	form    historyForm
	about   journal.About // of a journal
	store   store.Store   // to write to under the id of about; nil to open that of the address
	limit   int64         // over which a document is refused
	// snapshots: the history has neither a working state nor cadences.
	snapshots bool
}

// putHistory writes a history to a file, to a store, or to standard output if nothing is named: as
// a whole, or not at all. It reports errors.
func (s *session) putHistory(ctx context.Context, out string, o written) bool {
	name := out
	if out == "" || out == stdinName {
		name = "-"
	}
	done := s.working(func() string { return "writing " + shown(name) })
	defer done()
	var err error
	switch {
	case store.IsAddress(out):
		err = s.putStored(ctx, out, o)
	case name == "-":
		err = o.write(s.out, "") // the last flush reports errors
	default:
		err = atomicfile.WriteFrom(s.abs(out), func(w io.Writer) error { return o.write(w, packEnding(out)) })
		if err != nil && !errors.As(err, new(refused)) {
			err = fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
		}
	}
	done()
	if err != nil {
		s.failOutput(name, err)
	}
	return err == nil
}

func (s *session) failOutput(name string, err error) {
	if e, ok := errors.AsType[*store.Error](err); ok {
		s.failStore(name, e)
		return
	}
	s.fail("%s: %s", shown(name), sanitize(err.Error()))
}

// refused is the reason for which a history is not written in a form.
type refused struct{ error }

// write writes the history, compressed as an ending says. It proves that nothing is lost before it
// writes a document.
func (o written) write(w io.Writer, ending string) error {
	buffered := bufio.NewWriterSize(w, 1<<16)
	var packer io.WriteCloser
	into := io.Writer(buffered)
	if pack := packForms[ending]; pack != nil {
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

func (o written) writeForm(w io.Writer) error {
	if o.form == formJournal {
		return o.writeJournal(w)
	}
	limit := max(o.limit, maxHistorySize)
	if err := checkSize(o.history, limit); err != nil {
		return refused{err}
	}
	data, err := o.form.bytes(o.history)
	if err == nil {
		err = checkReread(o.form, data, o.history, limit)
	}
	if err != nil {
		return refused{err}
	}
	_, err = w.Write(data)
	return err
}

// writeJournal writes a journal. If a history consists only of snapshots, only one of them is in
// memory at a time.
func (o written) writeJournal(w io.Writer) error {
	if !o.snapshots {
		data, _, err := journal.Append(nil, o.history, o.about)
		if err != nil {
			return refused{err}
		}
		_, err = w.Write(data)
		return err
	}
	jw := journal.NewWriter(w, o.about)
	for s := range o.history.Sealed() {
		if err := jw.Snapshot(s); err != nil {
			return err
		}
	}
	return nil
}

// hasInfo reports whether a history records model calls, or why nodes left, which only journals can
// hold.
func hasInfo(t *engine.Timeline) bool {
	for s := range t.Sealed() {
		if s.Info() != nil {
			return true
		}
	}
	return false
}

// bytes writes a history as a document, or as lines.
func (f historyForm) bytes(t *engine.Timeline) ([]byte, error) {
	if f == formDocument {
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
func checkReread(form historyForm, data []byte, t *engine.Timeline, limit int64) error {
	again, err := engine.Read("history."+string(form), bytes.NewReader(data), engine.ReadOptions{MaxBytes: limit})
	if errors.Is(err, engine.ErrFileLimit) {
		return tooLargeToRead(limit)
	}
	if err != nil {
		return internalError(err)
	}
	if bytes.Equal(again.AppendJSON(nil), t.AppendJSON(nil)) {
		return nil
	}
	if form == formLines {
		return errors.New("a .jsonl file holds snapshots only, and this history has other members; name the file .json")
	}
	return internalError(errors.New("the history differs when it is read back"))
}

// put writes bytes to a file as a whole or not at all, or to standard output when no file is named.
func (s *session) put(out string, data []byte) bool {
	if out == "" || out == stdinName {
		_, _ = s.out.Write(data) // the last flush reports errors
		return true
	}
	if err := atomicfile.Write(s.abs(out), data); err != nil {
		s.fail("%s: cannot write: %s", visible(out), sanitize(atomicfile.Reason(err)))
		return false
	}
	return true
}
