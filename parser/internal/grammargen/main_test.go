package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

const root = "../../.."

// TestGenerated fails if a committed file is stale. It needs no Java, because the hashes in gen
// show which grammar gen was made from. It also shows that generating the tables is deterministic.
func TestGenerated(t *testing.T) {
	if err := run(root, false, true); err != nil {
		t.Error(err)
	}
}

func TestStale(t *testing.T) {
	dir := t.TempDir()
	for _, from := range []string{grammarDir, genDir, filepath.Dir(tablesFile), filepath.Dir(lexiconFile)} {
		copyFiles(t, filepath.Join(root, from), filepath.Join(dir, from))
	}
	for _, test := range []struct{ change, want string }{
		{"grammar/PactLexer.g4", "parser/internal/gen/grammar.sha256 is stale: run make generate"},
		{"grammar/PactParser.g4", "parser/internal/gen/grammar.sha256 is stale: run make generate"},
		{"parser/internal/gen/grammar.sha256", "parser/internal/gen/grammar.sha256 is stale: run make generate"},
		{"parser/internal/ll1/tables.go", "parser/internal/ll1/tables.go is stale: run make generate"},
		{lexiconFile, lexiconFile + " is stale: run make generate"},
	} {
		name := filepath.Join(dir, test.change)
		before, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		write := func(text []byte) {
			if err := os.WriteFile(name, text, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		write(append(slices.Clip(before), '\n'))
		if err := run(dir, false, true); err == nil || err.Error() != test.want {
			t.Errorf("after a change of %s: %v, want %s", test.change, err, test.want)
		}
		write(before)
	}
	if err := run(dir, false, true); err != nil {
		t.Errorf("with nothing changed: %v", err)
	}
}

// copyFiles copies the files of a folder, without its subfolders.
func copyFiles(t *testing.T, from, to string) {
	t.Helper()
	if err := os.MkdirAll(to, 0o755); err != nil {
		t.Fatal(err)
	}
	entries, err := os.ReadDir(from)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		if entry.IsDir() {
			continue
		}
		data, err := os.ReadFile(filepath.Join(from, entry.Name()))
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(filepath.Join(to, entry.Name()), data, 0o644); err != nil {
			t.Fatal(err)
		}
	}
}

// TestReadNetwork truncates the text of a network at many points.
func TestReadNetwork(t *testing.T) {
	text, err := os.ReadFile(filepath.Join(root, genDir, "PactParser.interp"))
	if err != nil {
		t.Fatal(err)
	}
	head, numbers, ok := strings.Cut(string(text), "atn:\n[")
	if !ok {
		t.Fatal("no network")
	}
	fields := strings.Split(strings.Trim(numbers, "[]\n"), ", ")
	for n := 0; n < len(fields); n += 23 {
		cut := head + "atn:\n[" + strings.Join(fields[:n], ", ") + "]\n"
		if _, err := readNetwork(cut); err == nil {
			t.Fatalf("the first %d of %d numbers are a network", n, len(fields))
		}
	}
	if _, err := readNetwork(string(text)); err != nil {
		t.Error(err)
	}
	for _, bad := range []string{"", "atn:\n[3, 1, 1]\n", "atn:\n[four]\n"} {
		if _, err := readNetwork(bad); err == nil {
			t.Errorf("%q is a network", bad)
		}
	}
}
