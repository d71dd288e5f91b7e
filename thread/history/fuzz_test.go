package history_test

import (
	"bytes"
	"errors"
	"os"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/test/testkit"
	"github.com/pactkit/pactkit/thread/series"
	"github.com/pactkit/pactkit/thread/source"
)

// FuzzRead makes histories of anything that package source can read. The entries must form a
// timeline, and every snapshot must satisfy all invariants.
func FuzzRead(f *testing.F) {
	for c := range testkit.Load(f, "../../testdata/source/*.txtar") {
		f.Add(c.In.Data)
	}
	data, err := os.ReadFile("../source/testdata/inspect/edit.eval")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(data)
	f.Fuzz(func(t *testing.T, data []byte) {
		o := source.Options{MaxBytes: 1 << 20}
		if _, err := source.Recognize(t.Context(), "a", bytes.NewReader(data), int64(len(data)), o); err != nil {
			return
		}
		var read *engine.Error
		err := source.TrackFiles(t.Context(), []source.File{source.Bytes("a", data)}, o, func(*series.Step) error { return nil })
		if err != nil && !errors.As(err, &read) {
			t.Fatal(err)
		}
		histories, err := readAll(t, source.Bytes("a", data), o)
		if err != nil && read == nil {
			t.Fatalf("the source can be read, and its history cannot: %v", err)
		}
		for _, h := range histories {
			for s := range h.Timeline.Sealed() {
				for _, err := range s.Validate() {
					t.Errorf("cycle %d: %v", s.Cycle(), err)
				}
			}
		}
	})
}
