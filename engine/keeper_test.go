package engine_test

import (
	"bytes"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// keeper stores the journal of a context.
type keeper struct {
	data []byte
	head journal.Head
}

func newKeeper() *keeper { return &keeper{head: journal.NewHead(journal.About{})} }

// append stores what is new in a context.
func (k *keeper) append(t *testing.T, c *engine.Context) {
	t.Helper()
	frames, head, err := k.head.Append(c.History())
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range frames {
		k.data = f.AppendLine(k.data)
	}
	k.head = head
	if again, _, err := head.Append(c.History()); err != nil || len(again) > 0 {
		t.Fatalf("%d frames of a history without anything new, %v: %s", len(again), err, again[0].Body)
	}
}

// resume returns a context that continues the journal, as a new process would.
func (k *keeper) resume(t *testing.T, old *engine.Context, opts engine.Options) (*engine.Context, *keeper) {
	t.Helper()
	k.append(t, old)
	want := old.AppendJSON(nil)
	if _, _, err := journal.Verify("a.journal", bytes.NewReader(k.data), engine.ReadOptions{Strict: true}); err != nil {
		t.Fatalf("%v\n%s", err, k.data)
	}
	d := journal.NewDecoder("a.journal", engine.ReadOptions{Strict: true})
	for line := range bytes.Lines(k.data) {
		f, err := journal.ParseLine(line[:len(line)-1])
		if err == nil {
			err = d.Add(f)
		}
		if err != nil {
			t.Fatalf("%v\n%s", err, k.data)
		}
	}
	tl, err := d.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	if got := tl.AppendJSON(nil); !bytes.Equal(got, want) {
		t.Fatalf("read from the journal%s\n%s", firstDifference(got, want), k.data)
	}
	ctx, err := engine.Resume(tl, opts)
	if err != nil {
		t.Fatal(err)
	}
	if got := ctx.AppendJSON(nil); !bytes.Equal(got, want) {
		t.Fatalf("resumed from the journal%s", firstDifference(got, want))
	}
	return ctx, &keeper{k.data, d.Head()}
}
