package verb

import (
	"context"
	"errors"
	"io"
	"path/filepath"
)

// interruptible reads a stream that may block forever, such as a terminal, until a context is done.
type interruptible struct {
	done  <-chan struct{} // of the context
	texts chan []byte     // from the goroutine that reads; closed after err is set
	free  chan []byte     // memory for it
	err   error
	text  []byte // received and not yet read
	whole []byte // the memory of text
}

func NewInterruptible(ctx context.Context, r io.Reader) *interruptible {
	in := &interruptible{done: ctx.Done(), texts: make(chan []byte), free: make(chan []byte, 2)}
	in.free <- make([]byte, 64<<10)
	in.free <- make([]byte, 64<<10)
	go func() {
		defer close(in.texts)
		for buf := range in.free {
			n, err := r.Read(buf[:cap(buf)])
			if n > 0 {
				select {
				case in.texts <- buf[:n]:
				case <-ctx.Done():
					return
				}
			}
			if in.err = err; err != nil {
				return
			}
		}
	}()
	return in
}

func (in *interruptible) Read(p []byte) (int, error) {
	select {
	case <-in.done:
		return 0, errInterrupted
	default:
	}
	if len(in.text) == 0 {
		if in.whole != nil {
			in.free <- in.whole
			in.whole = nil
		}
		select {
		case text, ok := <-in.texts:
			if !ok {
				return 0, in.err
			}
			in.text, in.whole = text, text
		case <-in.done:
			return 0, errInterrupted
		}
	}
	n := copy(p, in.text)
	in.text = in.text[n:]
	return n, nil
}

var errInterrupted = errors.New("interrupted")

// ReadStdin reads standard input until it ends or the program is interrupted. It reads nothing
// beyond the limit.
func (r *Run) ReadStdin(ctx context.Context, limit int64) ([]byte, error) {
	type input struct {
		data []byte
		err  error
	}
	got := make(chan input, 1)
	go func() {
		data, err := readAll(r.In, limit)
		got <- input{data, err}
	}()
	select {
	case i := <-got:
		return i.data, i.err
	case <-ctx.Done():
		return nil, errInterrupted
	}
}

// PackEnding returns the ending of a compressed file, or "".
func PackEnding(name string) string {
	if ext := filepath.Ext(name); PackForms[ext] != nil {
		return ext
	}
	return ""
}
