package cli

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// packForms are the endings of compressed files.
var packForms = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // the options are sound
		return z
	},
}

// pack compresses data as the ending of a name asks for.
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

// historyBytes writes a history in the form that a name asks for: a document, or one snapshot a line.
func historyBytes(name string, t *engine.Timeline) ([]byte, error) {
	var data []byte
	if isLines(name) {
		if t.Working() != nil {
			return nil, errors.New("a .jsonl file has no place for the working state; name the file .json")
		}
		data = t.AppendJSONL(nil)
	} else {
		data = append(t.AppendJSON(nil), '\n')
	}
	return pack(name, data)
}

// packEnding returns the ending of a compressed file, or "".
func packEnding(name string) string {
	if ext := filepath.Ext(name); packForms[ext] != nil {
		return ext
	}
	return ""
}

// putHistory writes a history to a file, or to standard output when no file is named. It proves by reading the
// bytes back, with a limit of maxHistorySize or a larger one, that nothing is lost. What goes wrong is reported.
func (s *session) putHistory(out string, t *engine.Timeline, limit int64) bool {
	limit = max(limit, maxHistorySize)
	name := out
	if out == "" || out == stdinName {
		name = "history.json"
	}
	done := s.working(func() string { return "writing " + visible(name) })
	defer done()
	err := checkSize(t, limit)
	var data []byte
	if err == nil {
		data, err = historyBytes(name, t)
	}
	if err == nil {
		err = checkReread(name, data, t, limit)
	}
	done()
	if err != nil {
		s.fail("%s: %s", visible(name), sanitize(reason(err)))
		return false
	}
	return s.put(out, data)
}

// checkSize refuses a history that is too large to be read again, before memory is spent on all of it.
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
	return fmt.Errorf("the history has more than %d bytes, so it could not be read again; --max-bytes raises the limit [%s]", limit, engine.ErrFileLimit)
}

// checkReread proves that written bytes hold all of a history.
func checkReread(name string, data []byte, t *engine.Timeline, limit int64) error {
	again, err := engine.Read(name, bytes.NewReader(data), engine.ReadOptions{MaxBytes: limit})
	if errors.Is(err, engine.ErrFileLimit) {
		return tooLargeToRead(limit)
	}
	if err != nil {
		return internalError(err)
	}
	if bytes.Equal(again.AppendJSON(nil), t.AppendJSON(nil)) {
		return nil
	}
	if isLines(name) {
		return errors.New("a .jsonl file holds snapshots only, and this history has other members; name the file .json")
	}
	return internalError(errors.New("the history reads back as another"))
}

// put writes bytes to a file as a whole or not at all, or to standard output when no file is named.
func (s *session) put(out string, data []byte) bool {
	if out == "" || out == stdinName {
		_, _ = s.out.Write(data) // the last flush reports what goes wrong
		return true
	}
	if err := atomicfile.Write(s.abs(out), data); err != nil {
		s.fail("%s: cannot write: %s", visible(out), sanitize(reason(err)))
		return false
	}
	return true
}
