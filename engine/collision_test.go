package engine_test

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// TestCollisions: nodes with one stored hash and different contents are neither moved nor
// unchanged; they are reported as a collision (decision E70).
func TestCollisions(t *testing.T) {
	read := func(nodes string) *engine.Snapshot {
		t.Helper()
		tl, err := engine.ReadText("a.json", `{"root":{"children":[{"nodeType":"^ah","children":[`+nodes+`]}]}}`, engine.ReadOptions{})
		if err != nil {
			t.Fatal(err)
		}
		return tl.At(0)
	}
	const hash = `"content_hash":"same"`
	older := read(`{"id":"stays","content":"a",` + hash + `},{"id":"went","content":"b",` + hash + `},{"id":"moved","content":"c",` + hash + `},{"id":"fine","content":"x"}`)
	newer := read(`{"id":"stays","content":"A",` + hash + `},{"id":"came","content":"B",` + hash + `},{"id":"new","content":"c",` + hash + `},{"id":"fine2","content":"x"}`)
	d := engine.Diff(older, newer).Details()
	pairs := func(list []engine.Change) string {
		var out []string
		for _, c := range list {
			out = append(out, c.Old.ID()+"-"+c.New.ID())
		}
		return strings.Join(out, " ")
	}
	if got, want := pairs(d.Collisions), "stays-stays moved-came"; got != want {
		t.Errorf("collisions %q, want %q", got, want)
	}
	if got, want := pairs(d.Moved), "fine-fine2 moved-new"; got != want {
		t.Errorf("moved %q, want %q", got, want)
	}
}

// shortWriter fails after a number of bytes.
type shortWriter struct{ left int }

func (w *shortWriter) Write(p []byte) (int, error) {
	n := min(len(p), w.left)
	w.left -= n
	if n < len(p) {
		return n, errors.New("full")
	}
	return n, nil
}

// TestWriteTo: a snapshot is written in pieces, and they are the bytes of AppendJSON.
func TestWriteTo(t *testing.T) {
	var nodes []string
	for i := range 2000 {
		nodes = append(nodes, fmt.Sprintf(`{"id":"n%d","content":"%s"}`, i, strings.Repeat("x", i%100)))
	}
	tl, err := engine.ReadText("a.json", `{"zz":1,"aa":2,"root":{"children":[{"nodeType":"^ah","children":[`+strings.Join(nodes, ",")+`]}]}}`, engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := tl.At(0)
	want := s.AppendJSON(nil)
	var got bytes.Buffer
	pieces := 0
	n, err := s.WriteTo(writerFunc(func(p []byte) (int, error) {
		if len(p) > 1<<17 {
			t.Errorf("a piece of %d bytes", len(p))
		}
		pieces++
		return got.Write(p)
	}))
	if err != nil || n != int64(len(want)) || !bytes.Equal(got.Bytes(), want) || pieces < 4 {
		t.Errorf("%d bytes in %d pieces, %v; want %d bytes", n, pieces, err, len(want))
	}
	for _, left := range []int{0, 100, 40_000, len(want) - 1} {
		if n, err := s.WriteTo(&shortWriter{left}); err == nil || n != int64(left) {
			t.Errorf("with room for %d bytes: %d, %v", left, n, err)
		}
	}
}

type writerFunc func(p []byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
