package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// TestVersions checks that journals of each version are read, and that every append to them can be
// reproduced byte by byte from what precedes it.
func TestVersions(t *testing.T) {
	for version, least := range map[string]int{"v2": 30, "v3": 28, "v4": 7} {
		paths, err := filepath.Glob("../../testdata/journal/" + version + "/*.jsonl")
		if err != nil || len(paths) == 0 {
			t.Fatal(version, err)
		}
		appends := 0
		for _, path := range paths {
			t.Run(version+"/"+filepath.Base(path), func(t *testing.T) {
				data, err := os.ReadFile(path)
				if err != nil {
					t.Fatal(err)
				}
				if want := []byte(`,"version":` + version[1:] + `,`); !bytes.Contains(data[:bytes.IndexByte(data, '\n')], want) {
					t.Fatalf("the header has no %s", want)
				}
				roundTrip(t, read(t, data))
				if _, _, err := journal.Verify(path, bytes.NewReader(data), engine.ReadOptions{}); err != nil {
					t.Fatal(err)
				}
				appends += writtenAgain(t, data)
			})
		}
		if appends < least {
			t.Errorf("%s: %d appends, want %d", version, appends, least)
		}
	}
}

// writtenAgain reproduces every append of a journal except the first from what precedes it, and
// returns their number.
func writtenAgain(t *testing.T, data []byte) (appends int) {
	d := journal.NewDecoder("a.journal", engine.ReadOptions{})
	var before journal.Head
	var lines []byte // of this append
	begun := false
	for line := range bytes.Lines(data) {
		lines = append(lines, line...)
		text := bytes.TrimSuffix(line, []byte("\n"))
		if err := d.AddLine(string(text)); err != nil {
			t.Fatal(err)
		}
		if f, err := journal.ParseLine(text); err != nil || !f.End {
			continue
		}
		if begun {
			tl, err := d.Timeline()
			if err != nil {
				t.Fatal(err)
			}
			frames, _, err := before.Append(tl)
			if err != nil {
				t.Fatal(err)
			}
			var again []byte
			for _, f := range frames {
				again = f.AppendLine(again)
			}
			if !bytes.Equal(again, lines) {
				t.Fatalf("append %d, %s", appends, part(again, lines))
			}
			appends++
		}
		before, begun, lines = d.Head(), true, lines[:0]
	}
	return appends
}
