package search

import (
	"bytes"
	"context"
	"errors"
	"io"
	"math"
	"sync"
	"unsafe"

	"github.com/pactkit/pactkit/internal/names"
)

// blockSize is how much of a file of lines is read at once. A block that was read is still in the
// cache of the processor when it is searched.
const blockSize = 256 << 10

// lineReader splits a file into blocks of whole lines.
type lineReader struct {
	r     io.Reader
	limit int64
	rest  []byte // of a line whose end is not yet read
	ended bool
}

func newLines(r io.Reader, limit int64) *lineReader { return &lineReader{r: r, limit: limit} }

// errLong is returned for a line that is longer than the limit.
var errLong = errors.New("line")

// next returns the next block in the memory of buf, and io.EOF after the last one.
func (l *lineReader) next(buf []byte) ([]byte, error) {
	buf = append(buf[:0], l.rest...)
	l.rest = l.rest[:0]
	for !l.ended {
		from := len(buf)
		if cap(buf)-from < blockSize {
			room := max(2*int64(from), blockSize/4) // for the beginning of a line
			buf = append(make([]byte, 0, min(room, l.limit+blockSize)+blockSize), buf...)
		}
		n, err := io.ReadFull(l.r, buf[from:from+blockSize])
		buf = buf[:from+n]
		switch {
		case err == io.EOF || err == io.ErrUnexpectedEOF:
			l.ended = true
			continue
		case err != nil:
			return nil, err
		}
		if end := bytes.LastIndexByte(buf[from:], '\n'); end >= 0 {
			l.rest = append(l.rest, buf[from+end+1:]...)
			return buf[:from+end+1], nil
		}
		if int64(len(buf)) > l.limit {
			return nil, errLong
		}
	}
	if len(buf) == 0 {
		return nil, io.EOF
	}
	return buf, nil
}

// first returns the first line that is not empty.
func (l *lineReader) first() (string, error) {
	for {
		block, err := l.next(nil)
		if err != nil {
			return "", err
		}
		for line := range bytes.Lines(block) {
			if line = bytes.TrimSpace(line); len(line) > 0 {
				return string(line), nil
			}
		}
	}
}

// workers keeps the memory of tapes for the next block.
var workers = sync.Pool{New: func() any { return new(worker) }}

// worker searches blocks.
type worker struct {
	chat    chatTape
	session sessionTape
	run     runner
	buf     []byte
}

// text returns a block as a string in the same memory, which is not overwritten until the block has
// been searched. Matches are copied.
func (w *worker) text(block []byte) string { return unsafe.String(unsafe.SliceData(block), len(block)) }

// free makes the worker available for another block.
func (w *worker) free() {
	w.chat.forget()
	w.session.forget()
	if cap(w.buf) > maxKept {
		w.buf = nil
	}
	workers.Put(w)
}

// maxKept is the largest block whose memory is reused.
const maxKept = 16 * blockSize

// block is a part of a file of lines.
type block struct {
	at     int64 // in the file
	worker *worker
	text   string
	done   chan []Outcome
}

// searchBlocks searches a block and those after it. A goroutine per block would have to grow its
// stack every time.
func (t *task) searchBlocks(ctx context.Context, b *block, more <-chan *block) {
	for ok := true; ok; b, ok = <-more {
		b.done <- t.block(ctx, b.worker, b.text)
		t.release()
		b.worker.free()
	}
}

// lines searches a file with a record on each line. The blocks are searched in parallel.
func (t *task) lines(ctx context.Context, f io.ReaderAt) {
	order, blocks := make(chan *block, cap(t.slots)), make(chan *block)
	t.running.Go(func() {
		defer close(order)
		defer close(blocks)
		in := newLines(io.NewSectionReader(f, 0, math.MaxInt64), t.limit())
		for at := int64(0); !t.stop.Load() && t.acquire(ctx); {
			w := workers.Get().(*worker)
			data, err := in.next(w.buf)
			b := &block{at: at, worker: w, done: make(chan []Outcome, 1)}
			if err != nil {
				t.release()
				w.free()
				if err != io.EOF {
					b.done <- []Outcome{{Path: t.file.Path, Err: t.readError(err, 1)}}
					order <- b
				}
				return
			}
			w.buf, b.text = data, w.text(data)
			at += int64(len(data))
			select {
			case blocks <- b:
			default:
				t.running.Go(func() { t.searchBlocks(ctx, b, blocks) })
			}
			order <- b
		}
	})
	names := &logNames{used: names.Set{}}
	over := false
	for b := range order {
		outcomes := <-b.done
		for i := 0; i < len(outcomes) && !over; i++ {
			o := &outcomes[i]
			if o.Err != nil {
				o.Err = t.placed(f, o.Err, b.at)
				over = true
			} else {
				o.Name = names.next(o.Name)
			}
			over = !t.put(ctx, *o) || over
		}
		if over {
			t.stop.Store(true)
		}
	}
}
