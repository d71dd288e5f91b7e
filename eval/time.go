package eval

import (
	"cmp"
	"fmt"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/ast/diag"
	"github.com/pactkit/pactkit/engine"
)

// state is a snapshot of a timeline with its address.
type state struct {
	snap *engine.Snapshot
	back int // -1 for a side call
	ref  Ref
}

// newState returns the state of a snapshot, addressed by steps back or by cycle.
func newState(s *engine.Snapshot, back int, kind ast.InstantKind) state {
	ref := Ref{Kind: RefSteps, Value: -int64(back), Cycle: s.Cycle()}
	if kind == ast.Cycle {
		ref.Kind, ref.Value = RefCycle, s.Cycle()
	}
	ref.Label = fmt.Sprintf("@%s%d", ref.Kind, ref.Value)
	return state{s, back, ref}
}

// instant returns the state that an instant names, or an error if the timeline does not have it.
func instant(t *engine.Timeline, i ast.Instant) (state, error) {
	back := int(min(uint64(-i.N), uint64(t.Len()))) // t.Len() if there is no such state
	if i.Kind == ast.Oldest {
		back = t.Len() - 1
	}
	s := t.At(back)
	if i.Kind == ast.Cycle {
		s, back = t.OfCycle(i.N)
	}
	if s == nil {
		return state{}, fail(diag.Diagnostic{
			Code: diag.SnapshotUnknown, Span: i.Bounds(),
			Message: "there is no snapshot " + i.String(), Hint: extent(t, i.Kind == ast.Cycle),
		})
	}
	return newState(s, back, i.Kind), nil
}

// extent describes which snapshots exist, by cycle or by steps back.
func extent(t *engine.Timeline, cycles bool) string {
	oldest, newest, sealed := t.Cycles()
	switch {
	case t.Len() == 0:
		return "the timeline is empty"
	case !cycles:
		return fmt.Sprintf("the timeline goes from @t0 back to @t%d", 1-t.Len())
	case !sealed:
		return "no snapshot is sealed yet"
	}
	return fmt.Sprintf("the sealed snapshots have the cycles %d to %d", oldest, newest)
}

// states returns the snapshots of a time, newest first, and warnings about a range that was
// clipped.
func states(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	switch {
	case time == nil:
		time = &ast.Time{Kind: ast.TimeAt}
	case time.Kind == ast.TimeHistory: // @t0..@t-*
		time = &ast.Time{Kind: ast.TimeRange, Extent: time.Extent, To: ast.Instant{Kind: ast.Oldest}}
	case time.Kind == ast.TimeEvery && t.Len() > 0:
		time = &ast.Time{Kind: ast.TimeRange, From: ast.Instant{Kind: ast.Oldest}}
	}
	switch time.Kind {
	case ast.TimeAt:
		s, err := instant(t, time.From)
		return []state{s}, nil, err
	case ast.TimePair:
		return pair(t, time)
	case ast.TimeRange:
		return between(t, time)
	}
	return nil, nil, nil // every snapshot of an empty timeline
}

func pair(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	a, errA := instant(t, time.From)
	b, errB := instant(t, time.To)
	switch {
	case errA != nil || errB != nil:
		return nil, nil, cmp.Or(errA, errB)
	case a.snap == b.snap:
		return []state{a}, nil, nil
	case a.snap.Cycle() < b.snap.Cycle():
		a, b = b, a
	}
	return []state{a, b}, nil, nil
}

// between returns the snapshots of a range. A range of @t counts from the newest snapshot down; a
// range of @c holds the sealed snapshots of the cycles between, without side calls (decision D39).
// @t-* is the oldest snapshot, or the other end of a range of @t if that is further back (decision
// D34).
func between(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	kind := ast.Relative
	oldest, newest, any := 1-int64(t.Len()), int64(0), t.Len() > 0
	if time.From.Kind == ast.Cycle || time.To.Kind == ast.Cycle {
		kind = ast.Cycle
		oldest, newest, any = t.Cycles()
	}
	end := func(i, other ast.Instant) int64 {
		switch {
		case i.Kind != ast.Oldest:
			return i.N
		case kind == ast.Relative && other.Kind != ast.Oldest:
			return min(oldest, other.N)
		}
		return oldest
	}
	a, b := end(time.From, time.To), end(time.To, time.From)
	a, b = min(a, b), max(a, b)
	var warnings []diag.Diagnostic
	if !any || a < oldest || b > newest {
		warnings = []diag.Diagnostic{{
			Code: diag.SnapshotUnknown, Severity: diag.Warning, Span: time.Bounds(),
			Message: "the range extends beyond the timeline and was clipped", Hint: extent(t, kind == ast.Cycle),
		}}
	}
	var out []state
	for back, s := range t.All() {
		at := -int64(back)
		if kind == ast.Cycle {
			at = s.Cycle()
		}
		if a <= at && at <= b && (kind == ast.Relative || !s.Working()) {
			out = append(out, newState(s, back, kind))
		}
	}
	return out, warnings, nil
}
