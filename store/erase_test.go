package store

import (
	"errors"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
	"github.com/pactkit/pactkit/store/journal"
)

// testErase erases a node of a sealed turn from every snapshot. An attached context loses the race
// of its next commit, and goes on after a reload.
func testErase(t *testing.T, s Store) {
	ctx := t.Context()
	l := attach(t, s, "secret")
	for _, text := range []string{"the password is tulip", "thanks"} {
		if _, err := l.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: text[:4], Content: engine.Text(text)}); err != nil {
			t.Fatal(err)
		}
		if _, err := l.Commit(ctx); err != nil {
			t.Fatal(err)
		}
	}
	done, err := Erase(ctx, s, "secret", "the ", "the ")
	if err != nil {
		t.Fatal(err)
	}
	wantHead(t, s, "secret", done.Head)
	if len(done.Nodes) != 1 || len(done.Others) != 0 || done.Before != l.Version() {
		t.Errorf("it says that it erased %+v", done)
	}
	cycles := 0
	for f, err := range s.Read(ctx, "secret", 0, 1<<40) {
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(f.Body, "tulip") {
			t.Errorf("the %v of cycle %d still has it", f.Kind, f.Cycle)
		}
		if f.Kind == journal.Header && !strings.Contains(f.Body, `"the "`) {
			t.Errorf("the header does not tell what was erased: %s", f.Body)
		}
		cycles = int(f.Cycle)
	}
	if cycles < 2 {
		t.Errorf("the history ends with cycle %d", cycles)
	}
	if _, err := l.Commit(ctx); !errors.Is(err, ErrConflict) {
		t.Errorf("a commit after the erasure: %v, want %s", err, ErrConflict)
	}
	if err := l.Reload(ctx); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Commit(ctx); err != nil {
		t.Fatal(err)
	}
	if n, ok := l.Context().Working().Find("than"); !ok || n.Content().String() != `"thanks"` {
		t.Errorf("the other node is %v", n.Content())
	}
	if _, err := Erase(ctx, s, "nobody", "x"); !errors.Is(err, ErrNotFound) {
		t.Errorf("erasing in a history that is not there: %v, want %s", err, ErrNotFound)
	}
}
