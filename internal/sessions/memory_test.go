package sessions

import (
	"errors"
	"strings"
	"testing"

	"github.com/klauspost/compress/zstd"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/budget"
)

// TestMemory reads files that take many times their size, and then a small one.
func TestMemory(t *testing.T) {
	defer budget.Set(0)
	budget.Set(96 << 20)
	const turn = `{"role":"user","content":"a"},{"role":"assistant","content":"b"}`
	packer, err := zstd.NewWriter(nil)
	if err != nil {
		t.Fatal(err)
	}
	// Its packed form needs more than is left while this test keeps the text.
	long := `{"role":"user","content":"` + strings.Repeat("a", 20<<20) + `"}`
	for _, c := range []struct {
		name, text string
		want       engine.Code
	}{
		{"tiny.json", "[" + strings.Repeat(turn+",", 60000) + turn + "]", engine.ErrMemory},
		{"wide.json", `{"root":{"children":[` + strings.Repeat(`{"id":"","content":"x"},`, 600000) + `{}]}}`, engine.ErrMemory},
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
