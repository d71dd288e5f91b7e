package sessions

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
	"github.com/pactkit/pactkit/store/journal"
)

// TestMemory reads files that take many times their size, and then a small one.
func TestMemory(t *testing.T) {
	defer budget.Set(0)
	budget.Set(128 << 20)
	const turn = `{"role":"user","content":"a"},{"role":"assistant","content":"b"}`
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	// Its packed form needs more than is left while this test keeps the text.
	long := `{"role":"user","content":"` + strings.Repeat("a", 20<<20) + `"}`
	var nodes strings.Builder
	for i := range 500000 {
		fmt.Fprintf(&nodes, `{"id":"%d","content":"x"},`, i)
	}
	for _, c := range []struct {
		name, text string
		want       engine.Code
	}{
		{"tiny.json", "[" + strings.Repeat(turn+",", 60000) + turn + "]", engine.ErrMemory},
		{"wide.json", `{"root":{"children":[{"id":"^sys"},{"id":"^seq"},{"id":"^ah","children":[` + nodes.String() + `{"id":"a"}]}]}}`, engine.ErrMemory},
		{"long.jsonl", long, engine.ErrFileLimit},
		{"long.jsonl.zst", string(packer.EncodeAll([]byte(long), nil)), engine.ErrMemory},
		{"small.json", "[" + turn + "]", ""},
	} {
		budget.Reset()
		var got error
		for _, err := range Read(t.Context(), c.name, strings.NewReader(c.text), int64(len(c.text)), Options{}) {
			got = errors.Join(got, err)
		}
		if c.want == "" && got != nil || c.want != "" && !errors.Is(got, c.want) {
			t.Errorf("%s: %v, want %s", c.name, got, c.want)
		}
	}
}

// TestStops: reading a journal or a document ends with its context.
func TestStops(t *testing.T) {
	document := `{"root":{"children":[{"id":"^sys"},{"id":"^seq"},{"id":"^ah","children":[{"id":"a","content":"x"}]}]}}`
	tl, err := engine.Read("a.json", strings.NewReader(document), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	log, _, err := journal.Append(nil, tl, journal.About{})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	for name, text := range map[string]string{"a.json": document, "a.jsonl": string(log)} {
		if _, err := ReadOne(ctx, name, strings.NewReader(text), int64(len(text)), Options{From: Document}); !errors.Is(err, context.Canceled) {
			t.Errorf("%s: %v", name, err)
		}
	}
}
