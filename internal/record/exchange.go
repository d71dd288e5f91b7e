package record

import (
	"bytes"
	"compress/flate"
	"compress/gzip"
	"compress/zlib"
	"context"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/internal/budget"
)

// exchange is a request that passes through a proxy, and its answer. Once a half is queued, only
// the writer uses it.
type exchange struct {
	log     *Log
	method  string
	url     *url.URL // at the provider
	start   time.Time
	number  int // given by the writer; -1 if the call is lost
	request half
	answer  half
	status  int
	first   time.Time // of the first byte of the answer
	end     time.Time
	how     string
	err     string
	context context.Context // of the program's request
	body    io.ReadCloser   // of that request; nil if it has none

	mu      sync.Mutex
	isSent  bool
	isEnded bool
}

// half is a request or an answer.
type half struct {
	header http.Header
	data   bytes.Buffer
	size   int64
	full   string // why data is not the whole body
}

// keep appends a piece of the body.
func (h *half) keep(l *Log, p []byte) {
	h.size += int64(len(p))
	switch {
	case h.full != "":
	case h.size > bodyLimit():
		h.release(l)
		h.full = "larger than the limit"
		l.note(fmt.Sprintf("bodies of more than %d MiB were left out", bodyLimit()>>20))
	case l.held.Add(int64(len(p))) > budget.Buffer(mostHeld):
		l.held.Add(-int64(len(p)))
		h.full = "no memory for it"
		l.note("bodies were left out, because too much was waiting to be written")
	default:
		h.data.Write(p)
	}
}

// release gives back the memory of the body.
func (h *half) release(l *Log) {
	l.held.Add(-int64(h.data.Len()))
	h.data = bytes.Buffer{}
}

// describe describes a body that is not recorded.
func (h *half) describe(why string) *Body {
	kind, _, _ := strings.Cut(h.header.Get("Content-Type"), ";")
	return &Body{Type: kind, Size: h.size, Why: why}
}

// text returns the body without its content encoding, or why it has no text.
func (h *half) text() (text, why string) {
	if h.full != "" {
		return "", h.full
	}
	data := h.data.Bytes()
	encodings := strings.Split(strings.Join(h.header.Values("Content-Encoding"), ","), ",")
	for _, encoding := range slices.Backward(encodings) { // the last one was applied last
		var in io.Reader = bytes.NewReader(data)
		var err error
		switch encoding = strings.ToLower(strings.TrimSpace(encoding)); encoding {
		case "", "identity":
			continue
		case "gzip", "x-gzip":
			in, err = gzip.NewReader(in)
		case "deflate":
			if in, err = zlib.NewReader(in); err != nil { // some programs leave out the header
				in, err = flate.NewReader(bytes.NewReader(data)), nil
			}
		case "br":
			in = brotli.NewReader(in)
		case "zstd":
			var z *zstd.Decoder
			if z, err = zstd.NewReader(in, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(64<<20)); err == nil {
				defer z.Close()
				in = z
			}
		default:
			return "", "encoded as " + encoding
		}
		if err != nil {
			return "", "cannot be decompressed"
		}
		// Of an answer that broke off, what can be decompressed counts.
		most := bodyLimit()
		if data, err = io.ReadAll(io.LimitReader(in, most+1)); err != nil && len(data) == 0 || int64(len(data)) > most {
			return "", "cannot be decompressed"
		}
	}
	return string(data), ""
}

// sent queues the request, once.
func (x *exchange) sent() {
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.isSent {
		return
	}
	x.isSent = true
	if !x.log.add(func(w *writer) {
		defer x.request.release(w.log)
		w.sent(x)
	}) {
		x.lose(&x.request)
	}
}

// ended queues the answer, once.
func (x *exchange) ended(how string, err error) {
	x.sent()
	x.mu.Lock()
	defer x.mu.Unlock()
	if x.isEnded {
		return
	}
	x.isEnded = true
	x.end, x.how = time.Now(), how
	if err != nil {
		x.err = err.Error()
	}
	if !x.log.add(func(w *writer) {
		defer x.answer.release(w.log)
		w.answered(x)
	}) {
		x.lose(&x.answer)
	}
}

// lose counts a call that there was no room for.
func (x *exchange) lose(h *half) {
	h.release(x.log)
	x.log.lost.Add(1)
	x.log.note(fmt.Sprintf("calls were left out, because more than %d lines were waiting to be written", mostQueued))
}

// requestBody passes on the body of a request, and keeps a copy.
type requestBody struct {
	io.ReadCloser
	x *exchange
}

func (b requestBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.x.log.passing()
	b.x.log.guard(func() {
		b.x.mu.Lock()
		if !b.x.isSent {
			b.x.request.keep(b.x.log, p[:n])
		}
		b.x.mu.Unlock()
		if err == io.EOF {
			b.x.sent()
		}
	})
	return n, err
}

// answerBody passes on the body of an answer, and keeps a copy.
type answerBody struct {
	io.ReadCloser
	x *exchange
}

func (b answerBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.x.log.passing()
	b.x.log.guard(func() {
		x := b.x
		if n > 0 {
			x.mu.Lock()
			if x.first.IsZero() {
				x.first = time.Now()
			}
			if !x.isEnded {
				x.answer.keep(x.log, p[:n])
			}
			x.mu.Unlock()
		}
		switch {
		case err == io.EOF && x.status >= http.StatusBadRequest:
			x.ended(EndRefused, nil)
		case err == io.EOF:
			x.ended(EndComplete, nil)
		case err != nil && x.context.Err() != nil:
			x.ended(EndClient, nil)
		case err != nil:
			x.ended(EndServer, err)
		}
	})
	return n, err
}

func (b answerBody) Close() error {
	b.x.log.guard(func() { b.x.ended(EndClient, nil) }) // unless it had ended before
	return b.ReadCloser.Close()
}
