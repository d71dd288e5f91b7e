package journal

import (
	"io"

	"github.com/pactkit/pactkit/engine"
)

// Writer writes a journal while its history is being built. It does not sync to disk: see package
// store for histories that must survive a crash.
type Writer struct {
	w    io.Writer
	head Head
	buf  []byte
	room []byte // for the texts of what is being written
}

// NewWriter returns a writer of a new journal. Each append is one call of w.Write.
func NewWriter(w io.Writer, a About) *Writer { return &Writer{w: w, head: NewHead(a)} }

// Append writes what is new in t, see [Head.Append].
func (w *Writer) Append(t *engine.Timeline) error {
	frames, head, err := w.begin().Append(t)
	return w.write(frames, head, err)
}

// Snapshot writes the next snapshot, see [Head.Snapshot].
func (w *Writer) Snapshot(s *engine.Snapshot) error {
	frames, head, err := w.begin().Snapshot(s)
	return w.write(frames, head, err)
}

// begin returns the head that makes the next frames, which are valid until the next call.
func (w *Writer) begin() Head {
	const mostKept = 1 << 20
	if w.room = w.room[:0]; cap(w.room) > mostKept {
		w.room = nil
	}
	head := w.head
	head.room = &w.room
	return head
}

func (w *Writer) write(frames []Frame, head Head, err error) error {
	if err != nil || len(frames) == 0 {
		return err
	}
	w.buf = w.buf[:0]
	for _, f := range frames {
		w.buf = f.AppendLine(w.buf)
	}
	w.head = head
	_, err = w.w.Write(w.buf)
	return err
}

// Head returns the end of the journal.
func (w *Writer) Head() Head {
	head := w.head
	head.room = nil
	return head
}

// Append appends a timeline as a whole journal. Each commit is a separate append, so a truncated
// file loses as little as possible.
func Append(dst []byte, t *engine.Timeline, a About) ([]byte, Version, error) {
	h := NewHead(a)
	entries, h, err := h.record(t)
	if err != nil {
		return dst, Version{}, err
	}
	frames, h := h.frames(entries, true)
	for _, f := range frames {
		dst = f.AppendLine(dst)
	}
	return dst, h.version, nil
}
