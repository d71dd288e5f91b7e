package thread_test

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/thread"
)

// budget is a context that is done after a number of checks.
type budget struct {
	context.Context
	left, asked int
}

func (b *budget) Err() error {
	b.asked++
	if b.left--; b.left < 0 {
		return context.Canceled
	}
	return nil
}

// TestCancel cancels the context of an import at every point where it is checked, and checks that
// the import stops there, without checking again, and returns only complete logs.
func TestCancel(t *testing.T) {
	for _, f := range thread.Formats() {
		if !f.Imports() {
			continue
		}
		for seed := range uint64(10) {
			g := &generator{r: rand.New(rand.NewPCG(seed, uint64(f)))}
			log, name := g.log(f)
			all := &budget{Context: t.Context(), left: 1 << 30}
			logs, err := thread.Import(all, name, []byte(log), f, thread.ImportOptions{})
			if err != nil {
				t.Fatal(err)
			}
			for left := range all.asked {
				ctx := &budget{Context: t.Context(), left: left}
				some, err := thread.Import(ctx, name, []byte(log), f, thread.ImportOptions{})
				if !errors.Is(err, context.Canceled) || ctx.asked != left+1 || len(some) >= len(logs) {
					t.Fatalf("%s, seed %d: canceled at %d: asked %d times, %d logs of %d, %v", f, seed, left, ctx.asked, len(some), len(logs), err)
				}
			}
		}
	}
}

// TestCancelLarge checks how much is done after an import is canceled: of a stream of 100 MB, at
// most one more read and no more messages.
func TestCancelLarge(t *testing.T) {
	const message = `{"role":"user","content":"a message of some length, as people write them to agents"}` + "\n"
	const size = 100 << 20
	ctx, cancel := context.WithCancel(t.Context())
	stream := &repeated{text: message, left: size, cancel: cancel, at: size - 5<<20}
	if _, err := importFrom(ctx, "log.jsonl", stream, thread.OpenAI, thread.ImportOptions{}); !errors.Is(err, context.Canceled) {
		t.Fatal(err)
	}
	if stream.left < stream.at-1<<20 {
		t.Errorf("%d bytes were read after the end of the context", stream.at-stream.left)
	}

	const count = size / len(message)
	log := []byte(strings.Repeat(message, count))
	ctx, cancel = context.WithCancel(t.Context())
	steps := 0
	_, err := thread.Import(ctx, "log.jsonl", log, thread.OpenAI, thread.ImportOptions{Progress: func(done int64) {
		if done != int64(steps*len(message)) {
			t.Fatalf("%d bytes are done at message %d", done, steps)
		}
		if steps++; steps == 100 {
			cancel()
		}
	}})
	if !errors.Is(err, context.Canceled) || steps != 100 {
		t.Errorf("%d messages of %d, %v", steps, count, err)
	}
}

// repeated is a reader that repeats a text, and cancels a context at an offset.
type repeated struct {
	text     string
	next     int // in text
	left, at int
	cancel   func()
}

func (e *repeated) Read(p []byte) (int, error) {
	if e.left <= e.at && e.cancel != nil {
		e.cancel()
	}
	if e.left <= 0 {
		return 0, io.EOF
	}
	n := 0
	for n < len(p) {
		more := copy(p[n:], e.text[e.next:])
		e.next = (e.next + more) % len(e.text)
		n += more
	}
	e.left -= n
	return n, nil
}
