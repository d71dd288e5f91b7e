package store

import (
	"slices"
	"strings"
	"testing"

	"github.com/pactkit/pactkit/engine"
)

// shownTexts lists the texts of a state with what its attachments refer to.
func shownTexts(t *testing.T, l *Live, back int) (list []string) {
	t.Helper()
	shown, err := l.Shown(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for n := range shown.At(back).All() {
		if text, ok := n.Content().Text(); ok {
			list = append(list, text)
		}
	}
	return list
}

func commit(t *testing.T, l *Live) {
	t.Helper()
	if _, err := l.Commit(t.Context()); err != nil {
		t.Fatal(err)
	}
}

// testAttachments attaches subtrees of a history to another one of the store. They are shown there,
// stay references, follow their history, and lose what is erased in it.
func testAttachments(t *testing.T, s Store) {
	ctx := t.Context()
	source := attach(t, s, "source")
	for _, text := range []string{"one", "the password is tulip"} {
		if _, err := source.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: text[:3], Content: engine.Text(text)}); err != nil {
			t.Fatal(err)
		}
		commit(t, source)
	}
	o := still
	o.System = true
	host, err := Attach(ctx, s, "host", o)
	if err != nil {
		t.Fatal(err)
	}
	put := func(at engine.Position, id string, a engine.Attachment) {
		t.Helper()
		d := a.Draft(engine.Edition10)
		d.ID = id
		if _, err := host.Context().Insert(at, d); err != nil {
			t.Fatal(err)
		}
	}
	say(t, host.Context(), "own")
	the, _ := source.Context().Timeline().Recorded().At(0).Find("the")
	put(engine.InCore(1), "pinned", the.Attach("source", false))
	put(engine.AtDepth(-1, 0), "live", engine.Attachment{History: "source", Node: "^seq", Cycle: 2, Live: true})
	want := func(what string, back int, texts ...string) {
		t.Helper()
		if got := shownTexts(t, host, back); !slices.Equal(got, texts) {
			t.Errorf("%s: got %q, want %q", what, got, texts)
		}
	}
	const secret = "the password is tulip"
	want("before the commit", 0, "one", secret, "own", secret)
	commit(t, host)
	say(t, source.Context(), "new")
	commit(t, source)
	want("before Refresh", 0, "one", secret, "own", secret)
	if err := host.Context().Refresh(ctx, host.Source()); err != nil {
		t.Fatal(err)
	}
	want("after Refresh", 0, "one", secret, "new", "own", secret)
	commit(t, host)
	for f, err := range s.Read(ctx, "host", 0, 1<<40) {
		if err != nil || strings.Contains(f.Body, "tulip") {
			t.Errorf("the %v of cycle %d has a copy: %v", f.Kind, f.Cycle, err)
		}
	}
	if host, err = Attach(ctx, s, "host", o); err != nil {
		t.Fatal(err)
	}
	want("attached again", 0, "one", secret, "new", "own", secret)
	want("an older snapshot", 2, "one", secret, "own", secret)
	if _, err := s.Fork(ctx, "host", Newest, "fork"); err != nil {
		t.Fatal(err)
	}
	fork := attach(t, s, "fork")
	if got := shownTexts(t, fork, 0); !slices.Equal(got, []string{"one", secret, "new", "own", secret}) {
		t.Errorf("the fork shows %q", got)
	}

	if _, err := Erase(ctx, s, "source", "the"); err != nil {
		t.Fatal(err)
	}
	if err := host.Context().Refresh(ctx, host.Source()); err != nil { // which reads what is new
		t.Fatal(err)
	}
	for _, l := range []*Live{host, fork} {
		for back := range 3 {
			if got := shownTexts(t, l, back); slices.Contains(got, secret) || !slices.Contains(got, "one") {
				t.Errorf("after the erasure, %d back: %q", back, got)
			}
		}
	}
	if err := s.Delete(ctx, "source"); err != nil {
		t.Fatal(err)
	}
	want("after the deletion", 0, "own")
	shown, err := host.Shown(ctx)
	if err != nil || len(shown.Warnings()) != 1 || shown.Warnings()[0].Code != engine.ErrNotFound {
		t.Errorf("%v, %v", shown.Warnings(), err)
	}
	commit(t, host)

	// A history of the same name is another one.
	source = attach(t, s, "source")
	if _, err := source.Context().Insert(engine.AtDepth(0, 0), engine.Draft{ID: "the", Content: engine.Text("of somebody else")}); err != nil {
		t.Fatal(err)
	}
	commit(t, source)
	commit(t, source)
	want("after another beginning", 0, "own")

	// A name that no history can have is that of no history.
	if source, err := host.Source()(ctx, ""); source != nil || err != nil {
		t.Errorf("%v, %v", source, err)
	}
	want("after a name without a history", 0, "own")
}
