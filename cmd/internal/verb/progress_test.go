package verb

import (
	"bytes"
	"testing"
	"testing/synctest"
	"time"

	"github.com/google/go-cmp/cmp"
)

func TestProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		p := NewProgress(&Run{Err: &b, ErrTerm: true}, 9, "file")
		p.Show(1)
		if b.Len() > 0 {
			t.Errorf("shown at once: %q", b.String())
		}
		time.Sleep(2 * progressDelay)
		p.Show(2)
		p.Show(3)
		time.Sleep(progressEvery * 2)
		p.Show(4)
		p.Clear()
		if diff := cmp.Diff(EraseLine+"2 of 9 files"+EraseLine+"4 of 9 files"+EraseLine, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		b.Reset()
		p = NewProgress(&Run{Err: &b}, 9, "file")
		time.Sleep(2 * progressDelay)
		p.Show(1)
		if b.Len() > 0 {
			t.Errorf("shown without a terminal: %q", b.String())
		}
	})
}

// Work that is a single call is shown after a while, on a terminal only.
func TestWorking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var b bytes.Buffer
		r := &Run{Err: &b, ErrTerm: true}
		r.Working(func() string { return "reading a.json" })()
		if b.Len() > 0 {
			t.Errorf("shown at once: %q", b.String())
		}
		done := r.Working(func() string { return "reading a.json" })
		time.Sleep(2*progressDelay + progressDelay/2)
		done()
		done()
		if diff := cmp.Diff(EraseLine+"reading a.json, 1 s"+EraseLine+"reading a.json, 2 s"+EraseLine, b.String()); diff != "" {
			t.Errorf("-want +got:\n%s", diff)
		}
		b.Reset()
		r.ErrTerm = false
		done = r.Working(func() string { return "reading a.json" })
		time.Sleep(2 * progressDelay)
		done()
		if b.Len() > 0 {
			t.Errorf("shown without a terminal: %q", b.String())
		}
	})
}
