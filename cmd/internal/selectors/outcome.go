package selectors

import (
	"errors"
	"fmt"
	"path/filepath"

	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/cmd/internal/verb"
	"github.com/pactkit/pactkit/internal/atomicfile"
)

// outcome is the result of working on one file.
type outcome struct {
	verb.Target
	before, after string
	found         []diag.Diagnostic
	selectors     int    // how many the file has, of those that may be changed or checked
	skipped       string // why the file was not read, or ""
	err           error  // why the job could not be done
}

// read returns the text of the file, or false if it is not to be processed; the outcome then says
// why.
func (o *outcome) read() (string, bool) {
	data, err := atomicfile.Read(o.Path, verb.MaxFileSize)
	switch {
	case errors.Is(err, atomicfile.ErrTooLarge):
		o.skipped = verb.TooLarge
	case err != nil:
		o.err = err
	case verb.IsBinary(data):
		o.skipped = "it is a binary file"
	default:
		return string(data), true
	}
	return "", false
}

// write replaces the text of the file, if it changed and nothing went wrong.
func (o *outcome) write() {
	if o.err != nil || o.after == o.before {
		return
	}
	if err := atomicfile.Replace(o.Path, []byte(o.before), []byte(o.after)); err != nil {
		o.err = fmt.Errorf("cannot write: %s", atomicfile.Reason(err))
	}
}

// sweep removes the temporary files that a killed run may have left beside the files.
func sweep(r *verb.Run, targets []verb.Target) {
	swept := map[string]bool{}
	for _, t := range targets {
		path, err := atomicfile.Resolve(t.Path)
		if err != nil {
			continue // reading the file reports it
		}
		if folder := filepath.Dir(path); !swept[folder] {
			swept[folder] = true
			if err := atomicfile.Sweep(folder); err != nil {
				r.Note("cannot remove temporary files of an earlier run: %s", verb.Sanitize(err.Error()))
			}
		}
	}
}
