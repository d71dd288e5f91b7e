package search

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/sessions"
	"github.com/pactkit/pactkit/thread"
)

// eachResult is what a test keeps of a session.
type eachResult struct {
	Name, Kind   string
	Conversation int
	Last         string
	Calls        []engine.Call
}

func gatherEach(t *testing.T, o sessions.Options, args ...string) (out []Item[eachResult], errs []string) {
	work := func(_ context.Context, s sessions.Session) eachResult {
		r := eachResult{Name: s.Name, Kind: string(s.Kind), Conversation: s.Conversation}
		for _, snapshot := range s.Timeline.All() {
			if info := snapshot.Info(); info != nil && info.Call != nil {
				r.Calls = append(r.Calls, *info.Call)
			}
			for n := range snapshot.All() {
				r.Last = n.Content().String()
			}
		}
		return r
	}
	for item := range Each(t.Context(), args, o, work) {
		if item.Err != nil {
			errs = append(errs, item.Path+": "+item.Err.Error())
			item.Err = nil
		}
		out = append(out, item)
	}
	return out, errs
}

// TestEach checks that a file of many blocks gives the same as when it is read sequentially, in
// order: names, numbers and lines; and that an error ends it where it is.
func TestEach(t *testing.T) {
	dir := t.TempDir()
	good, bad := filepath.Join(dir, "good.jsonl"), filepath.Join(dir, "bad.jsonl")
	if err := os.WriteFile(good, []byte("\n"+manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bad, []byte(manyLines()+`{"messages":[}`+"\n"+manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{bad, good, "../../testdata/logs"}
	inOrder := sessions.Options{Note: func(thread.Note) {}}
	want, wantErrs := gatherEach(t, inOrder, args...)
	got, errs := gatherEach(t, sessions.Options{}, args...)
	if d := cmp.Diff(want, got); d != "" {
		t.Error(d)
	}
	if d := cmp.Diff(wantErrs, errs); d != "" {
		t.Error(d)
	}
	if len(got) < 801 || len(errs) != 1 {
		t.Errorf("%d items and %d errors", len(got), len(errs))
	}
}

// TestEachLongLine checks that the error about a line over the limit names the line.
func TestEachLongLine(t *testing.T) {
	path := filepath.Join(t.TempDir(), "long.jsonl")
	record := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", 100) + `"},{"role":"assistant","content":"y"}]}` + "\n"
	long := `{"messages":[{"role":"user","content":"` + strings.Repeat("x", 3*blockSize) + `"}]}` + "\n"
	if err := os.WriteFile(path, []byte(strings.Repeat(record, 10)+long), 0o600); err != nil {
		t.Fatal(err)
	}
	items, errs := gatherEach(t, sessions.Options{MaxBytes: 10_000}, path)
	want := []string{path + ": " + path + ":11: a line of more than 10000 bytes, the limit MaxBytes [E_FILE_LIMIT]"}
	if d := cmp.Diff(want, errs); d != "" || len(items) != 11 {
		t.Errorf("%d items; %s", len(items), d)
	}
}

// TestEachEnds checks that the work ends when the caller stops.
func TestEachEnds(t *testing.T) {
	path := filepath.Join(t.TempDir(), "many.jsonl")
	if err := os.WriteFile(path, []byte(manyLines()), 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	for range Each(t.Context(), []string{path, path}, sessions.Options{}, func(context.Context, sessions.Session) int { return 0 }) {
		if n++; n == 3 {
			break
		}
	}
	if n != 3 {
		t.Errorf("%d items", n)
	}
}
