package store

import (
	"bytes"
	"context"
	"errors"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/store/journal"
)

func TestDir(t *testing.T) {
	testStore(t, func(t *testing.T) Store {
		return open(t, "file:"+filepath.Join(t.TempDir(), "in", "a", "folder"))
	})
}

// journalOf returns the path of the journal of an id in a folder.
func journalOf(s Store, id string) string {
	return filepath.Join(s.(*dirStore).dir, fileName(id))
}

// TestTornAppend cuts a journal at every byte of its last append, which has three frames, and at
// every byte of one that begins a history. Readers see what was complete, and the next append
// continues there, from this store and from another.
func TestTornAppend(t *testing.T) {
	address := "file:" + t.TempDir()
	s := open(t, address)
	all := firstAppend("a")
	head, err := s.Append(t.Context(), "a", Version{}, all...)
	if err != nil {
		t.Fatal(err)
	}
	last := []Frame{frame(head, journal.Delta, 2, false, "x")}
	last = append(last, frame(last[0].Version(), journal.Delta, 3, false, "y"))
	last = append(last, frame(last[1].Version(), journal.Working, 4, true, "z"))
	if _, err := s.Append(t.Context(), "a", head, last...); err != nil {
		t.Fatal(err)
	}
	path := journalOf(s, "a")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	whole := 0
	for _, f := range all {
		whole += len(f.AppendLine(nil))
	}
	for cut := range len(data) {
		if err := os.WriteFile(path, data[:cut], 0o600); err != nil {
			t.Fatal(err)
		}
		if cut%2 == 0 {
			s = open(t, address) // a store that knows nothing about the file
		}
		if cut < whole {
			_, err := s.Head(t.Context(), "a")
			wantCode(t, ErrNotFound, err)
			again := firstAppend("a") // perhaps longer than the present data
			if _, err := s.Append(t.Context(), "a", Version{}, again...); err != nil {
				t.Fatal(cut, err)
			}
			wantFrames(t, again, s.Read(t.Context(), "a", 0, math.MaxInt64))
			continue
		}
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
		next := delta(head, "next")
		if _, err := s.Append(t.Context(), "a", head, next); err != nil {
			t.Fatal(cut, err)
		}
		wantFrames(t, append(all[:2:2], next), s.Read(t.Context(), "a", 0, math.MaxInt64))
	}
}

// TestDamagedJournal changes a byte of the last append. It was acknowledged, so nothing is
// truncated or written.
func TestDamagedJournal(t *testing.T) {
	address := "file:" + t.TempDir()
	s := open(t, address)
	all := grow(t, s, "a", 2)
	path := journalOf(s, "a")
	data, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	data[len(data)-100] ^= 1
	if err := os.WriteFile(path, data, 0o600); err != nil {
		t.Fatal(err)
	}
	s = open(t, address)
	head := all[3].Version()
	if _, err := s.Append(t.Context(), "a", head, delta(head, "x")); !errors.Is(err, journal.ErrDigest) {
		t.Errorf("appended with %v", err)
	}
	if _, err := s.Head(t.Context(), "a"); !errors.Is(err, journal.ErrDigest) {
		t.Errorf("read with %v", err)
	}
	if now, err := os.ReadFile(path); err != nil || !bytes.Equal(now, data) {
		t.Error("the file has changed", err)
	}
}

// countdown is a context that is canceled after a number of calls of Err.
type countdown struct {
	context.Context
	left int
}

func (c *countdown) Err() error {
	if c.left == 0 {
		return context.Canceled
	}
	c.left--
	return nil
}

// TestCanceledReplace cancels a replacement at every step that can be canceled.
func TestCanceledReplace(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	all := grow(t, s, "a", 3)
	for range 3 {
		head := all[len(all)-1].Version()
		all = append(all, delta(head, strings.Repeat("x", 1<<20)))
		if _, err := s.Append(t.Context(), "a", head, all[len(all)-1]); err != nil {
			t.Fatal(err)
		}
	}
	steps := 0
	for ; ; steps++ {
		_, err := s.Replace(&countdown{t.Context(), steps}, "a", all[2].Version(), compacted(all[2])...)
		if err == nil {
			break
		}
		if !errors.Is(err, context.Canceled) {
			t.Fatal(err)
		}
		wantFrames(t, all, s.Read(t.Context(), "a", 0, math.MaxInt64))
	}
	if want := len(all) + 3; steps < want {
		t.Errorf("can be canceled in %d steps, not in %d", steps, want)
	}
	if entries, err := os.ReadDir(filepath.Dir(journalOf(s, "a"))); err != nil || len(entries) != 1 {
		t.Errorf("%d files are left, %v", len(entries), err)
	}
	wantFrames(t, append(compacted(all[2]), all[3:]...), s.Read(t.Context(), "a", 0, math.MaxInt64))
}

// TestForeignFiles lists a folder that also contains other files.
func TestForeignFiles(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	grow(t, s, "a", 1)
	dir := s.(*dirStore).dir
	for name, data := range map[string]string{
		"README.md": "x", "X.jsonl": "x", ".hidden.jsonl": "x", "empty.jsonl": "", "damaged.jsonl": "{}\n", "torn.jsonl": `{"format":`, strings.Repeat("a", 96) + "~" + strings.Repeat("0", 64) + ".jsonl": "{}\n",
	} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(data), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Mkdir(filepath.Join(dir, "folder.jsonl"), 0o700); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for i, err := range s.List(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		if ids = append(ids, i.ID); (i.Err == nil) != (i.ID == "a") {
			t.Errorf("%s: %v", i.ID, i.Err)
		}
	}
	if diff := cmp.Diff([]string{"a", "damaged"}, ids); diff != "" {
		t.Error(diff)
	}
	_, err := s.Append(t.Context(), "folder", Version{}, firstAppend("folder")...)
	wantCode(t, ErrAddress, err)
	for _, id := range []string{"empty", "torn"} {
		_, err := s.Head(t.Context(), id)
		wantCode(t, ErrNotFound, err)
		wantCode(t, ErrNotFound, s.Delete(t.Context(), id))
		grow(t, s, id, 1)
	}
}
