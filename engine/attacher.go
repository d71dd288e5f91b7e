package engine

import (
	"context"
	"fmt"
	"slices"
	"sync"

	"github.com/pactkit/pactkit/internal/tree"
)

// Attacher shows what the attachments of a history refer to (E91). It remembers what it has shown,
// so the cost of a further timeline of the same history depends on what is new. It is safe for
// concurrent use.
type Attacher struct {
	source Source

	mu     sync.Mutex
	chunks map[*tree.Chunk]*tree.Chunk
	tops   map[*tree.Record]*tree.Location
	head   *tree.Location
	seen   []*Snapshot // the sealed snapshots of the last timeline
	shown  Timeline    // what was shown for them
	filled bool        // some of that is not what was seen
	found  []*Error
}

// Source returns the history with a name, for attachments that refer to it, or nil if there is
// none.
type Source func(ctx context.Context, history string) (*Timeline, error)

// NewAttacher returns an attacher for one history.
func NewAttacher(source Source) *Attacher {
	return &Attacher{
		source: source, chunks: map[*tree.Chunk]*tree.Chunk{}, tops: map[*tree.Record]*tree.Location{},
		head: &tree.Location{Region: tree.RegionSeq, Head: true},
	}
}

// Forget forgets what was shown, after another history was erased or deleted.
func (a *Attacher) Forget() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.chunks = map[*tree.Chunk]*tree.Chunk{}
	a.restart()
}

// restart forgets the snapshots, and keeps the parts of them that were filled in.
func (a *Attacher) restart() { a.seen, a.shown, a.filled, a.found = nil, Timeline{}, false, nil }

// begins reports whether a timeline begins with the snapshots that were seen.
func (a *Attacher) begins(t *Timeline) bool {
	n := len(a.seen)
	return n == 0 || n <= len(t.sealed) && a.seen[n-1] == t.sealed[n-1]
}

// forgetLast forgets the newest snapshot. Timelines that were returned keep it.
func (a *Attacher) forgetLast() {
	last := len(a.seen) - 1
	a.seen = a.seen[:last]
	if m := a.shown.main; len(m) > 0 && m[len(m)-1] == a.shown.sealed[last] {
		a.shown.main = m[:len(m)-1]
	}
	a.shown.sealed = a.shown.sealed[:last]
	a.shown.clip()
}

// Show returns a timeline in which attachments have what they refer to as children. An attached
// node has the id ATTACHMENT/ID, a member [AttachedID] with its own id, and no lifetime. What the
// other history shows in place of a redacted node is shown here, too. Attachments of the other
// history stay empty, and so do those that refer to nothing; the warnings of the timeline say
// which. If nothing is attached, Show returns t itself. The result is for reading: a context cannot
// continue it. Errors are those of the source.
func (a *Attacher) Show(ctx context.Context, t *Timeline) (*Timeline, error) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if !a.begins(t) {
		a.forgetLast() // which may have been amended
	}
	if !a.begins(t) {
		a.restart()
	}
	for _, s := range t.sealed[len(a.seen):] {
		next, err := a.show(ctx, s, &a.found)
		if err != nil {
			return nil, err
		}
		a.shown.push(next)
		a.seen, a.filled = t.sealed[:len(a.seen)+1], a.filled || next != s
	}
	found := slices.Clip(a.found)
	working := t.working
	if working != nil {
		var err error
		if working, err = a.show(ctx, working, &found); err != nil {
			return nil, err
		}
	}
	if !a.filled && working == t.working && len(found) == 0 {
		return t, nil
	}
	next := *t
	next.sealed, next.main, next.working = a.shown.sealed, a.shown.main, working
	next.clip()
	next.warnings = slices.Concat(t.warnings, found)
	return &next, nil
}

// show returns a snapshot with its attachments filled in, or s itself if it has none.
func (a *Attacher) show(ctx context.Context, s *Snapshot, found *[]*Error) (*Snapshot, error) {
	var next *tree.Snapshot
	for region := range tree.NumRegions {
		for at, c := range s.tree().Chunks(region, 0, s.tree().NumChunks(region), attachmentFilter) {
			list := s.attachments(region, at, c)
			if len(list) == 0 {
				continue
			}
			full := a.chunks[c]
			if full == nil {
				var err error
				var wrong []*Error
				if full, wrong, err = a.fill(ctx, c, list); err != nil {
					return nil, err
				}
				if len(wrong) == 0 { // otherwise the other history may come back
					a.chunks[c] = full
				}
				for _, e := range wrong {
					if !slices.ContainsFunc(*found, func(o *Error) bool { return o.Msg == e.Msg }) {
						*found = append(*found, e)
					}
				}
			}
			if full == c {
				continue
			}
			if next == nil {
				same := *s.tree()
				next = &same
			}
			part := next.Part(region)
			*part = part.Set(at, full)
			for i, r := range full.Recs() {
				if _, attached := r.MemberValue(AttachedID); attached {
					s.origin().Index.Add(r, a.location(region, full), int32(i))
				}
			}
		}
	}
	if next == nil {
		return s, nil
	}
	return (*Snapshot)(next), nil
}

// fill returns a chunk with its attachments filled in, or c itself if they refer to nothing.
func (a *Attacher) fill(ctx context.Context, c *tree.Chunk, list []Node) (full *tree.Chunk, wrong []*Error, err error) {
	full = c
	for _, n := range slices.Backward(list) { // so the numbers of the others stay
		ref, _ := n.Attachment()
		t, err := a.source(ctx, ref.History)
		if err != nil {
			return nil, nil, err
		}
		from, e := ref.find(t)
		if e != nil {
			wrong = append(wrong, e)
			continue
		}
		if f := n.graft(from); len(f.Recs) > 0 {
			full = full.Insert(int(n.i()), full.InsertionIndex(int(n.i()), f.Recs[0]), f, 0)
		}
	}
	return full, wrong, nil
}

// find finds the top node of the attached subtree in a timeline. If there is none, the error says
// what is missing.
func (ref Attachment) find(t *Timeline) (Node, *Error) {
	if t == nil {
		return Node{}, &Error{Code: ErrNotFound, Msg: fmt.Sprintf("an attachment refers to the history %q, which does not exist", ref.History)}
	}
	s, _ := t.OfCycle(ref.Cycle)
	if s == nil {
		msg := fmt.Sprintf("an attachment refers to cycle %d of the history %q, which has no such snapshot", ref.Cycle, ref.History)
		return Node{}, &Error{Code: ErrSnapshotUnknown, Msg: msg}
	}
	n, ok := s.Find(ref.Node)
	if !ok || ref.Made != 0 && ref.Made != n.rec().NS {
		msg := fmt.Sprintf("an attachment refers to the node %q of the history %q, which is not there at cycle %d", ref.Node, ref.History, ref.Cycle)
		return Node{}, &Error{Code: ErrNotFound, Msg: msg}
	}
	return n, nil
}

// location returns the location of a chunk in the index. There is one for each top node, so the
// index does not grow when a chunk is shown again.
func (a *Attacher) location(r tree.Region, c *tree.Chunk) *tree.Location {
	if r == tree.RegionHead {
		return a.head
	}
	top := c.Rec(0)
	if a.tops[top] == nil {
		a.tops[top] = tree.NewLocation(r, top)
	}
	return a.tops[top]
}
