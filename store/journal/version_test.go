package journal_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
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

// TestRaisedVersion appends what needs a newer version to a journal of version 2. The first such
// line begins with the version, so programs that know only older ones refuse it by that name.
func TestRaisedVersion(t *testing.T) {
	c, err := engine.New(engine.Options{})
	if err != nil {
		t.Fatal(err)
	}
	head := journal.NewHead(journal.About{ID: "a"})
	var all []journal.Frame
	byRule := []engine.Cause{{ID: "block:2", Cause: engine.CausePruned, Rule: "drop .block"}}
	infos := []engine.CommitInfo{{}, {Event: &engine.Event{Kind: "clear"}}, {Causes: byRule}, {}, {Causes: byRule}}
	for i, version := range []string{"", "3", "4", "", ""} {
		if _, err := c.Insert(engine.InCore(0), engine.Draft{Role: "user", Content: engine.Text("x")}); err != nil {
			t.Fatal(err)
		}
		c.Describe(infos[i])
		if _, err := c.Commit(); err != nil {
			t.Fatal(err)
		}
		var frames []journal.Frame
		if frames, head, err = head.Append(c.History()); err != nil {
			t.Fatal(err)
		}
		want := `{"format":"pactkit-journal","version":` + version + `,`
		if begins := strings.HasPrefix(frames[0].Body, want); begins != (version != "") {
			t.Errorf("append %d begins with its version: %t\n%s", i, begins, frames[0].Body)
		}
		all = append(all, frames...)
	}
	var lines []byte
	for _, f := range all {
		lines = f.AppendLine(lines)
	}
	if n := writtenAgain(t, lines); n != len(infos)-1 {
		t.Errorf("%d appends are reproduced, want %d", n, len(infos)-1)
	}
	if !strings.Contains(all[0].Body, `"version":2`) {
		t.Errorf("the journal begins with %s", all[0].Body)
	}
	_, short, err := journal.Compact(listed(all), 1)
	if err != nil || !strings.Contains(short[0].Body, `"version":4`) {
		t.Errorf("compacted to %v, %v", short, err)
	}
	erased, err := journal.Erase(listed(all), "block:2")
	if err != nil || !strings.Contains(erased.Frames[0].Body, `"version":4`) {
		t.Errorf("erased to %v, %v", erased.Frames, err)
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
