package verb

import (
	"bytes"
	"compress/gzip"
	"errors"
	"io"
	"path/filepath"

	"github.com/klauspost/compress/zstd"
	"github.com/spf13/cobra"

	"github.com/pactkit/pactkit/internal/atomicfile"
	"github.com/pactkit/pactkit/store"
)

// PackForms are the endings of compressed files.
var PackForms = map[string]func(io.Writer) io.WriteCloser{
	".gz": func(w io.Writer) io.WriteCloser { return gzip.NewWriter(w) },
	".zst": func(w io.Writer) io.WriteCloser {
		z, _ := zstd.NewWriter(w, zstd.WithEncoderConcurrency(1)) // the options are sound
		return z
	},
}

// PackTo returns a writer to w that compresses according to the ending of a name. Closing it does
// not close w.
func PackTo(name string, w io.Writer) io.WriteCloser {
	if form := PackForms[filepath.Ext(name)]; form != nil {
		return form(w)
	}
	return unpacked{w}
}

// unpacked writes without compression.
type unpacked struct{ io.Writer }

func (unpacked) Close() error { return nil }

// Pack compresses data according to the ending of a name.
func Pack(name string, data []byte) ([]byte, error) {
	if PackEnding(name) == "" {
		return data, nil
	}
	var b bytes.Buffer
	w := PackTo(name, &b)
	if _, err := w.Write(data); err != nil {
		return nil, err
	}
	err := w.Close()
	return b.Bytes(), err
}

// FailOutput reports that a file, or a history of a store, cannot be written.
func (r *Run) FailOutput(name string, err error) {
	if errors.As(err, new(*store.Error)) {
		r.FailAbout(name, err, nil)
		return
	}
	r.Fail("%s: %s", Shown(name), Sanitize(err.Error()))
}

// Put writes bytes to a file as a whole or not at all, or to standard output when no file is named.
func (r *Run) Put(out string, data []byte) bool {
	if out == "" || out == StdinName {
		_, _ = r.Out.Write(data) // the last flush reports errors
		return true
	}
	if err := atomicfile.Write(r.Abs(out), data); err != nil {
		r.Fail("%s: cannot write: %s", Visible(out), Sanitize(atomicfile.Reason(err)))
		return false
	}
	return true
}

// AddOut adds the flag that names the file to write.
func AddOut(cmd *cobra.Command, out *string, usage string) {
	cmd.Flags().StringVarP(out, "output", "o", "", usage)
	_ = cmd.MarkFlagFilename("output", "json", "jsonl", "gz", "zst")
}
