package migrate_test

import (
	"bytes"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/engine/migrate"
	"github.com/pactkit/pactkit/internal/testkit"
)

// The sources of testdata/migrate/*.txtar become want.out and want.report.
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
			c.Golden(t, testkit.Want("out", string(out)), testkit.Want("report", report.String()+"\n"))
		})
	}
}

// Every history of the repository can be migrated; what is of edition 1.0 and has no role stays as it is.
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
			continue // the result of a range, no history
		}
		out, report, err := migrate.To10(path, text)
		if err != nil {
			t.Errorf("%s: %v", path, err)
		}
		if bytes.Equal(out, text) == report.Changed() {
			t.Errorf("%s: the report says %s", path, report)
		}
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
		// Without its base each of these would be something else.
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

// Whatever the text: a history can be migrated, and once is enough. To10 itself compares all nodes.
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
