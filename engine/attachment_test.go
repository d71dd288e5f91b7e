package engine_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/pactkit/pactkit/engine"
)

// hostOf returns an empty context.
func hostOf(t *testing.T) *engine.Context {
	t.Helper()
	c, err := engine.New(engine.Options{Clock: func() time.Time { return time.Unix(1, 0) }, System: true})
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func put(t *testing.T, c *engine.Context, at engine.Position, d engine.Draft) {
	t.Helper()
	if _, err := c.Insert(at, d); err != nil {
		t.Fatal(err)
	}
}

func seal(t *testing.T, c *engine.Context) {
	t.Helper()
	if _, err := c.Commit(); err != nil {
		t.Fatal(err)
	}
}

// attachedIDs lists the blocks of a snapshot, each with its content.
func attachedIDs(s *engine.Snapshot) (list []string) {
	for n := range s.All() {
		if n.Base() == engine.BaseBlock {
			text, _ := n.Content().Text()
			list = append(list, n.ID()+"="+text)
		}
	}
	return list
}

func wantList(t *testing.T, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s: got %q, want %q", what, got, want)
	}
}

// attachedPair returns a context with a sealed turn, another one that has an attachment to it in
// ^sys and one in the head, and what shows them.
func attachedPair(t *testing.T) (source, host *engine.Context, a *engine.Attacher) {
	t.Helper()
	source, host = hostOf(t), hostOf(t)
	put(t, source, engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text("plan A"), TTL: new(int64(9))})
	put(t, source, engine.AtDepth(0, 0), engine.Draft{Role: "assistant", Content: engine.Text("done")})
	seal(t, source)
	put(t, host, engine.AtDepth(0, 0), engine.Draft{Role: "user", Content: engine.Text("own")})
	d := engine.Attachment{History: "s", Node: "seg:4", Cycle: 1}.Draft(engine.Edition10)
	d.ID = "pinned"
	put(t, host, engine.InCore(1), d)
	d = engine.Attachment{History: "s", Node: "^seq", Cycle: 1, Live: true}.Draft(engine.Edition10)
	d.ID = "live"
	put(t, host, engine.AtDepth(-1, 0), d)
	return source, host, engine.NewAttacher(func(_ context.Context, history string) (*engine.Timeline, error) {
		if history != "s" {
			return nil, nil
		}
		return source.Timeline(), nil
	})
}

// TestAttachment shows attachments to one turn and to all turns, and lets the second one follow.
func TestAttachment(t *testing.T) {
	source, host, a := attachedPair(t)
	show := func() *engine.Timeline {
		t.Helper()
		v, err := a.Show(t.Context(), host.Timeline())
		if err != nil {
			t.Fatal(err)
		}
		return v
	}
	one := []string{"block:2=plan A", "block:3=done"}
	in := func(id string, list []string) (out []string) {
		for _, x := range list {
			out = append(out, id+"/"+x)
		}
		return out
	}
	v := show()
	want := slices.Concat(in("live", one), []string{"block:2=own"}, in("pinned", one))
	wantList(t, "working", attachedIDs(v.Working()), want...)
	n, ok := v.Working().Find("live/block:2")
	if ttl, has := n.TTL(); !ok || has || n.Header(engine.AttachedID).String() != `"block:2"` {
		t.Errorf("found %v, ttl %v, %s", ok, ttl, n.Header(engine.AttachedID))
	}
	if n.Header("parent_id").String() == `"live"` {
		t.Error("the container of the turn is missing")
	}
	if _, ok := host.Working().Find("live/block:2"); ok {
		t.Error("the history itself has the node")
	}
	// The host seals what it shows, and the other history goes on.
	seal(t, host)
	put(t, source, engine.AtDepth(0, 0), engine.Draft{Content: engine.Text("plan B")})
	seal(t, source)
	refresh := func() {
		t.Helper()
		if err := host.Refresh(t.Context(), func(context.Context, string) (*engine.Timeline, error) { return source.Timeline(), nil }); err != nil {
			t.Fatal(err)
		}
	}
	wantList(t, "before Refresh", attachedIDs(show().Working()), want...)
	refresh()
	v = show()
	two := in("live", append(slices.Clone(one), "block:6=plan B"))
	wantList(t, "after Refresh", attachedIDs(v.Working()), slices.Concat(two, want[2:])...)
	wantList(t, "sealed", attachedIDs(v.Recorded().At(0)), want...)
	// A sealed attachment stays at its cycle.
	d := engine.Attachment{History: "s", Node: "block:6", Cycle: 2, Live: true}.Draft(engine.Edition10)
	d.ID = "late"
	put(t, host, engine.AtDepth(0, 0), d)
	seal(t, host)
	if _, err := source.Replace(engine.ByID("block:6"), engine.Draft{Content: engine.Text("plan C")}); err != nil {
		t.Fatal(err)
	}
	seal(t, source)
	refresh()
	n, _ = host.Working().Find("late")
	if ref, ok := n.Attachment(); !ok || ref.Cycle != 2 || !ref.Live {
		t.Errorf("%+v, %v", ref, ok)
	}
	n, _ = host.Working().Find("live")
	if ref, _ := n.Attachment(); ref.Cycle != 3 {
		t.Errorf("%+v", ref)
	}
}

// TestAttachmentRedacted shows no node that its history does not show, and the text that stands for
// one if there is one.
func TestAttachmentRedacted(t *testing.T) {
	source, host, a := attachedPair(t)
	if _, err := source.Delete(engine.ByID("block:2")); err != nil {
		t.Fatal(err)
	}
	seal(t, source)
	for _, node := range []string{"block:2", "cont:1"} {
		d := engine.Attachment{History: "s", Node: node, Cycle: 2}.Draft(engine.Edition10)
		d.ID = "to " + node
		put(t, host, engine.InCore(9), d)
	}
	v, err := a.Show(t.Context(), host.Timeline())
	if err != nil {
		t.Fatal(err)
	}
	found := 0
	for n := range v.Working().All() {
		if n.UserType() != "redaction" || !strings.HasPrefix(n.ID(), "to ") {
			continue
		}
		found++
		if _, ok := v.Working().Find(n.Refs()[0]); !ok {
			t.Errorf("%s redacts %s, which is not there", n.ID(), n.Refs()[0])
		}
	}
	if found != 2 {
		t.Errorf("%d markers, want one in each attachment", found)
	}
}

// TestAttachmentGone shows attachments without their history, their snapshot or their node, and
// those of an attached history.
func TestAttachmentGone(t *testing.T) {
	_, host, a := attachedPair(t)
	for i, ref := range []engine.Attachment{{History: "t", Node: "x"}, {History: "s", Node: "x", Cycle: 1}, {History: "s", Node: "^seq", Cycle: 9}} {
		d := ref.Draft(engine.Edition10)
		d.ID = string(rune('a' + i))
		put(t, host, engine.InCore(9), d)
	}
	for range 2 { // what was not found is looked for again
		v, err := a.Show(t.Context(), host.Timeline())
		if err != nil {
			t.Fatal(err)
		}
		var codes []string
		for _, w := range v.Warnings() {
			codes = append(codes, string(w.Code))
		}
		slices.Sort(codes)
		wantList(t, "warnings", codes, string(engine.ErrNotFound), string(engine.ErrNotFound), string(engine.ErrSnapshotUnknown))
	}
	broken := errors.New("the disk is gone")
	b := engine.NewAttacher(func(context.Context, string) (*engine.Timeline, error) { return nil, broken })
	if _, err := b.Show(t.Context(), host.Timeline()); !errors.Is(err, broken) {
		t.Error(err)
	}
	plain := hostOf(t)
	if v, err := b.Show(t.Context(), plain.Timeline()); err != nil || v != plain.Timeline() {
		t.Error("a history without attachments is not shown as it is", err)
	}
	c := engine.NewAttacher(func(context.Context, string) (*engine.Timeline, error) { return host.Timeline(), nil })
	outer := hostOf(t)
	seal(t, host)
	put(t, outer, engine.AtDepth(0, 0), engine.Attachment{History: "host", Node: "^sys", Cycle: 1}.Draft(engine.Edition10))
	v, err := c.Show(t.Context(), outer.Timeline())
	if err != nil {
		t.Fatal(err)
	}
	wantList(t, "attachments of an attached history", attachedIDs(v.Working()))
}

// TestAttachmentAmended shows a history whose newest snapshot is amended: what was shown before
// stays as it was, and the older snapshots are not shown anew.
func TestAttachmentAmended(t *testing.T) {
	_, host, a := attachedPair(t)
	seal(t, host)
	seal(t, host)
	before, err := a.Show(t.Context(), host.Timeline())
	if err != nil {
		t.Fatal(err)
	}
	if err := host.Amend(engine.Call{Model: "m"}); err != nil {
		t.Fatal(err)
	}
	after, err := a.Show(t.Context(), host.Timeline())
	if err != nil {
		t.Fatal(err)
	}
	was, now := before.Recorded(), after.Recorded()
	if info := now.At(0).Info(); was.At(0).Info() != nil || info == nil || info.Call.Model != "m" {
		t.Errorf("was %v, is %v", was.At(0).Info(), info)
	}
	if was.Len() != 2 || now.Len() != 2 || was.At(1) != now.At(1) {
		t.Errorf("%d and %d snapshots; the older one is the same: %t", was.Len(), now.Len(), was.At(1) == now.At(1))
	}
}

// TestAttachmentMessages shows two attachments one after the other. No message of one of them is
// taken for a message of the other.
func TestAttachmentMessages(t *testing.T) {
	source, host := hostOf(t), hostOf(t)
	for i := range 3 {
		from, err := engine.JSON(fmt.Sprintf(`{"from":"openai","message":%d}`, i))
		if err != nil {
			t.Fatal(err)
		}
		put(t, source, engine.AtDepth(0, 0), engine.Draft{Provenance: from})
	}
	seal(t, source)
	for range 3 {
		put(t, host, engine.AtDepth(0, 1), engine.Attachment{History: "s", Node: "^seq", Cycle: 1}.Draft(engine.Edition10))
	}
	a := engine.NewAttacher(func(context.Context, string) (*engine.Timeline, error) { return source.Timeline(), nil })
	v, err := a.Show(t.Context(), host.Timeline())
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	for n := range v.Working().All() {
		if p := n.Header("provenance").String(); p != "" {
			seen[p] = true
		}
	}
	if len(seen) != 9 {
		t.Errorf("9 messages are %d", len(seen))
	}
}
