//go:build unix

package store

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// TestSalvageForks damages each file of a store with forks of forks and a rewind, cuts it, or
// removes it. What is salvaged of each history was in it, and is all of it if its files are whole.
// With PACTKIT_TORTURE, every byte is damaged.
func TestSalvageForks(t *testing.T) {
	s := open(t, "file:"+t.TempDir())
	secrets(t, s, "a", 10)
	fork(t, s, "a", 4, "f")
	turns(t, s, "f", 2)
	fork(t, s, "f", Newest, "g")
	turns(t, s, "g", 1)
	if _, err := s.Rewind(t.Context(), "f", 3, "k"); err != nil {
		t.Fatal(err)
	}
	turns(t, s, "f", 1)
	ids := []string{"a", "f", "g", "k"}
	whole := map[string]map[int64]string{}
	for _, id := range ids {
		whole[id] = snapshotsOf(t, framesOf(t, s, id))
	}
	const limit = 1 << 20
	step := 97
	if os.Getenv(tortureVariable) != "" {
		step = 1
	}
	lost := 0
	check := func(file, what string) {
		t.Helper()
		for _, id := range ids {
			out, err := Salvage(journalOf(s, id), limit)
			own := id+fileSuffix == filepath.Base(file)
			if errors.Is(err, journal.ErrLost) || own && (errors.Is(err, os.ErrNotExist) || isJournalError(err)) {
				lost++
				continue
			}
			if err != nil {
				t.Fatalf("%s of %s: %s: %v", what, file, id, err)
			}
			got := snapshotsOf(t, out.Frames)
			for cycle, text := range got {
				if whole[id][cycle] != text {
					t.Fatalf("%s of %s: cycle %d of %s was invented: %v %+v %+v", what, file, cycle, id, out.Cycles, out.Lost, out.Repaired)
				}
			}
			if !slices.Contains(out.Files, file) && !slices.Contains(out.Gone, file) && len(got) != len(whole[id]) {
				t.Fatalf("%s of %s: %s has %d snapshots of %d: %+v", what, file, id, len(got), len(whole[id]), out)
			}
		}
	}
	for _, id := range ids {
		file := journalOf(s, id)
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		write := func(data []byte) {
			t.Helper()
			if err := os.WriteFile(file, data, 0o600); err != nil {
				t.Fatal(err)
			}
		}
		for at := range data {
			if at%step == 0 {
				bad := slices.Clone(data)
				bad[at] ^= 1 << (at % 8)
				write(bad)
				check(file, fmt.Sprint("bit at ", at))
				write(data[:at])
				check(file, fmt.Sprint("cut at ", at))
			}
		}
		if err := os.Remove(file); err != nil {
			t.Fatal(err)
		}
		check(file, "nothing")
		write(data)
	}
	if lost == 0 {
		t.Error("nothing was lost")
	}
}

// snapshotsOf returns the sealed snapshots of a history by cycle.
func snapshotsOf(t *testing.T, frames []Frame) map[int64]string {
	t.Helper()
	d := journal.NewDecoder("x", engine.ReadOptions{})
	for _, f := range frames {
		if err := d.Add(f); err != nil {
			t.Fatal(err)
		}
	}
	tl, err := d.Timeline()
	if err != nil {
		t.Fatal(err)
	}
	list := map[int64]string{}
	for back := 1; back < tl.Len(); back++ {
		list[tl.At(back).Cycle()] = string(tl.At(back).AppendJSON(nil))
	}
	return list
}
