package budget

import (
	"errors"
	"runtime"
	"testing"
)

func TestParseSize(t *testing.T) {
	for text, want := range map[string]int64{"256MiB": 256 << 20, "1.5G": 3 << 29, "2GB": 2e9, "10 MiB": 10 << 20, "0": 0, "123": 123} {
		if got, err := ParseSize(text); got != want || err != nil {
			t.Errorf("%s: %d, %v; want %d", text, got, err, want)
		}
	}
	for _, text := range []string{"", "MiB", "-1", "1TBx", "1e300G", "NaN"} {
		if got, err := ParseSize(text); err == nil {
			t.Errorf("%q is %d", text, got)
		}
	}
}

// TestOver keeps memory until the budget is used up, and then lets it go.
func TestOver(t *testing.T) {
	defer Set(0)
	Set(128 << 20)
	if n := Buffer(1 << 40); n > 128<<20/2 {
		t.Errorf("a buffer may have %d bytes", n)
	}
	var kept [][]byte
	for range 200 {
		if Note(step); Over() {
			break
		}
		kept = append(kept, make([]byte, 1<<20))
	}
	if err := Err(); !errors.Is(err, ErrOver) || len(kept) < 40 || len(kept) > 110 {
		t.Errorf("%d MiB were kept, %v", len(kept), err)
	}
	runtime.KeepAlive(kept)
	kept = nil
	Reset()
	if Note(step); Over() {
		t.Error("the memory is free again")
	}
}
