package migrate_test

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/engine/migrate"
	"github.com/pactkit/pactkit/internal/test/gentest"
	"github.com/pactkit/pactkit/internal/test/testkit"
)

// TestCases migrates the sources of testdata/migrate/*.txtar.
func TestCases(t *testing.T) {
	for c := range testkit.Load(t, "../../testdata/migrate/*.txtar") {
		t.Run(c.Name, func(t *testing.T) {
			c.Settings(t, nil)
			in := c.In
			out, report, err := migrate.To10(in.Name, in.Data)
			if err != nil {
				t.Fatal(err)
			}
			again, nothing, err := migrate.To10(in.Name, out)
			if err != nil || nothing.Changed() || !bytes.Equal(again, out) {
				t.Errorf("a second run: %s, %v", nothing, err)
			}
			sameTimeline(t, in.Name, in.Data)
			c.Golden(t, testkit.Want("out", string(out)), testkit.Want("report", report.String()+"\n"))
		})
	}
}

// sameTimeline checks that migrating a history and migrating its text give the same result.
func sameTimeline(t *testing.T, name string, text []byte) {
	t.Helper()
	read := func(name string, text []byte) *engine.Timeline {
		tl, err := engine.Read(name, bytes.NewReader(text), engine.ReadOptions{})
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		return tl
	}
	before := read(name, text)
	whole, _, err := migrate.To10("history.json", before.AppendJSON(nil))
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	got, report, err := migrate.Timeline(before)
	if err != nil {
		t.Fatalf("%s: %v", name, err)
	}
	if a, b := read("history.json", whole).AppendJSON(nil), got.AppendJSON(nil); !bytes.Equal(a, b) {
		t.Errorf("%s: (%s) -text +timeline\n%s", name, report, cmp.Diff(string(a), string(b)))
	}
	if again, none, err := migrate.Timeline(got); err != nil || none.Changed() || again != got {
		t.Errorf("%s: a second run: %s, %v", name, none, err)
	}
}

// TestRandomTimelines checks the same for random histories with working states and cadences.
func TestRandomTimelines(t *testing.T) {
	for seed := range uint64(30) {
		sameTimeline(t, fmt.Sprint("seed ", seed, ".json"), gentest.Live(t, gentest.Rand(seed), 30).History().AppendJSON(nil))
	}
}

// TestFixtures migrates every history of the repository. Histories of edition 1.0 without roles do
// not change.
func TestFixtures(t *testing.T) {
	paths, err := filepath.Glob("../../testdata/fixtures/*.json")
	if err != nil || len(paths) == 0 {
		t.Fatal(err)
	}
	for _, path := range paths {
		if strings.HasSuffix(path, ".want.json") {
			continue
		}
		text, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := engine.Read(path, bytes.NewReader(text), engine.ReadOptions{}); err != nil {
			continue // the result of a range, not a history
		}
		out, report, err := migrate.To10(path, text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if bytes.Equal(out, text) == report.Changed() {
			t.Errorf("%s: the report says %s", path, report)
		}
		sameTimeline(t, path, text)
		if strings.HasSuffix(path, "_1.0.json") && report.Changed() && !bytes.Contains(text, []byte(`"role"`)) {
			t.Errorf("%s: %s", path, report)
		}
	}
}

func TestErrors(t *testing.T) {
	for text, want := range map[string]error{
		"":                             engine.ErrFileSyntax,
		"[]":                           engine.ErrFileShape,
		`{"root":{"id":"a"`:            engine.ErrFileSyntax,
		`{"root":{"id":"a","role":1}}`: engine.ErrHeaderType,
	} {
		if out, _, err := migrate.To10("x.json", []byte(text)); !errors.Is(err, want) || out != nil {
			t.Errorf("%s: got %v, want %v", text, err, want)
		}
	}
}

func TestTypeName(t *testing.T) {
	for old, want := range map[string]string{
		"mt": "seg", "mc": "cont", "cb": "block", "seg": "seg", "^seq": "^seq", "note": "note",
		"cb:summary": "summary", "block:summary": "summary", "cb:a:b": "a:b", "cb:": "block",
		// Without its base, each of these would mean something else.
		"mc:nav": "cont:nav", "mt:plan": "seg:plan", "cb:mt": "block:mt", "cb:mc:x": "block:mc:x", "cb:^ah": "block:^ah",
		"cb:root": "block:root",
	} {
		if got := migrate.TypeName(old); got != want {
			t.Errorf("%s: got %s, want %s", old, got, want)
		}
		if got := migrate.TypeName(want); got != want {
			t.Errorf("%s is not final: %s", want, got)
		}
	}
}

// FuzzTo10 checks that every valid history can be migrated, and that migrating it again changes
// nothing. To10 itself compares all nodes.
func FuzzTo10(f *testing.F) {
	for c := range testkit.Load(f, "../../testdata/migrate/*.txtar") {
		f.Add(c.In.Name, c.In.Data)
	}
	f.Fuzz(func(t *testing.T, name string, text []byte) {
		out, _, err := migrate.To10(name, text)
		if _, bad := engine.Read(name, bytes.NewReader(text), engine.ReadOptions{}); bad != nil {
			if err == nil {
				t.Errorf("%v is no error", bad)
			}
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		if again, report, err := migrate.To10(name, out); err != nil || report.Changed() || !bytes.Equal(again, out) {
			t.Errorf("a second run: %s, %v", report, err)
		}
	})
}
