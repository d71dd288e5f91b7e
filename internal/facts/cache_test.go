package facts_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/internal/facts"
	"github.com/pactkit/pactkit/lint"
	"github.com/pactkit/pactkit/parser"
)

// TestCache checks that each fixture is read once, even for several lists of fixtures, and again
// only when its file has changed.
func TestCache(t *testing.T) {
	good, bad := filepath.Join(t.TempDir(), "good.json"), filepath.Join(t.TempDir(), "bad.json")
	write := func(key string) {
		text := `{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah","children":[{"id":"a","key":"` + key + `"}]}]}}`
		if err := os.WriteFile(good, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	write("one")
	var opened []string
	c := facts.NewCache(func(_ context.Context, path string) (facts.Fixture, error) {
		opened = append(opened, filepath.Base(path))
		tl, err := engine.Load(path, engine.ReadOptions{})
		return facts.Fixture{Path: path, Timeline: tl}, err
	})
	knows := func(f *facts.Facts, key string) bool {
		known, _ := f.Known(lint.KeyWord, key)
		return known
	}
	if c.Of(t.Context(), nil, map[lint.WordKind][]string{lint.TagWord: nil}) != nil {
		t.Error("there are facts without fixtures and words")
	}
	first := c.Of(t.Context(), []string{good, bad}, nil)
	if !knows(first, "one") || c.Of(t.Context(), []string{good, bad}, nil) != first {
		t.Error("the same fixtures are collected twice, or not at all")
	}
	if f := c.Of(t.Context(), []string{good}, map[lint.WordKind][]string{lint.KeyWord: {"two"}}); !knows(f, "one") || !knows(f, "two") {
		t.Error("a list of words is lost")
	}
	if _, err := c.Fixture(t.Context(), bad); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("a missing fixture: %v", err)
	}
	if got := c.Fixtures(t.Context(), []string{bad, good}); len(got) != 1 || got[0].Path != good {
		t.Errorf("fixtures that can be read: %v", got)
	}
	if paths := c.Paths(); len(paths) != 2 || !slices.Contains(paths, good) || !slices.Contains(paths, bad) {
		t.Errorf("requested fixtures: %v", paths)
	}
	if d := cmp.Diff([]string{"good.json", "bad.json"}, opened); d != "" {
		t.Errorf("opened files (-want +got):\n%s", d)
	}

	c = c.Renew().Renew() // the cache between the two is not used
	if c.Of(t.Context(), []string{good}, nil); len(opened) != 2 {
		t.Errorf("opened %v again, although they have not changed", opened[2:])
	}
	if c.Of(t.Context(), []string{good, bad}, nil) != first {
		t.Error("facts that were collected are lost")
	}
	write("three")
	if err := os.Chtimes(good, time.Time{}, time.Unix(1, 0)); err != nil {
		t.Fatal(err)
	}
	if c = c.Renew(); !knows(c.Of(t.Context(), []string{good}, nil), "three") {
		t.Error("a fixture that changed is not read again")
	}
}

// TestMatchCanceled checks that the result of a canceled evaluation is not kept.
func TestMatchCanceled(t *testing.T) {
	tl, err := engine.Read("a.json", strings.NewReader(`{"root":{"children":[{"nodeType":"^sys"},{"nodeType":"^seq"},{"nodeType":"^ah"}]}}`), engine.ReadOptions{})
	if err != nil {
		t.Fatal(err)
	}
	f := facts.New([]facts.Fixture{{Path: "a.json", Timeline: tl}}, nil)
	q, _ := parser.ParseSelector("^ah", parser.Options{})
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if m, ok := f.Match(ctx, q, "^ah"); ok {
		t.Errorf("an answer from a canceled evaluation: %+v", m)
	}
	if m, ok := f.Match(t.Context(), q, "^ah"); !ok || m.Nodes != 1 || m.Fixtures != 1 {
		t.Errorf("got %+v, %t; want one node in one fixture", m, ok)
	}
}

// TestReadInBackground checks that nothing waits for a large fixture, and that it is there once it
// has been read in the background.
func TestReadInBackground(t *testing.T) {
	path := filepath.Join(t.TempDir(), "large.json")
	if err := os.WriteFile(path, []byte("0123456789"), 0o644); err != nil {
		t.Fatal(err)
	}
	var work []func(context.Context)
	opened := 0
	c := facts.NewCache(func(_ context.Context, path string) (facts.Fixture, error) {
		opened++
		return facts.Fixture{Path: path, Timeline: &engine.Timeline{}}, nil
	})
	c.ReadInBackground(10, func(read func(context.Context)) { work = append(work, read) })
	for range 2 {
		if _, err := c.Fixture(t.Context(), path); !errors.Is(err, facts.ErrReading) {
			t.Fatalf("a fixture that is being read gives %v", err)
		}
		if f := c.Of(t.Context(), []string{path}, map[lint.WordKind][]string{lint.TagWord: {"x"}}); f != nil {
			t.Error("something is known while a fixture is being read")
		}
		c = c.Renew()
	}
	if len(work) != 1 || opened != 0 {
		t.Fatalf("began to read %d times, want 1", len(work))
	}
	work[0](t.Context())
	for range 3 {
		if x, err := c.Fixture(t.Context(), path); err != nil || x.Path != path {
			t.Fatal(x, err)
		}
		c = c.Renew()
	}
	if len(work) != 1 || opened != 1 {
		t.Errorf("began to read %d times, opened %d files; want 1 and 1", len(work), opened)
	}
}
