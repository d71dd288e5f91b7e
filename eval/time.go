package eval

import (
	"fmt"
	"math"

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

// newState returns a state a number of steps back, addressed by steps or by cycle.
func newState(s *engine.Snapshot, back int, kind ast.InstantKind) state {
	ref := Ref{Kind: RefSteps, Value: -int64(back), Label: fmt.Sprintf("@t%d", -back), Cycle: s.Cycle()}
	if kind == ast.Cycle {
		ref = Ref{Kind: RefCycle, Value: s.Cycle(), Label: fmt.Sprintf("@c%d", s.Cycle()), Cycle: s.Cycle()}
	}
	return state{s, back, ref}
}

// instant returns the state a single instant names, or an error when the timeline does not have it.
func instant(t *engine.Timeline, i ast.Instant) (state, error) {
	if s, back := find(t, i); s != nil {
		return newState(s, back, i.Kind), nil
	}
	d := diag.Diagnostic{Code: diag.SnapshotUnknown, Span: i.Bounds(), Message: "there is no snapshot " + written(i)}
	switch {
	case t.Len() == 0:
		d.Hint = "the timeline is empty"
	case i.Kind == ast.Cycle:
		d.Hint = "the sealed snapshots have the cycles " + sealedSpan(t)
	default:
		d.Hint = fmt.Sprintf("the timeline goes from @t0 back to @t%d", 1-t.Len())
	}
	return state{}, fail(d)
}

// find returns the snapshot that an instant names, and how far back it lies, or nil if the timeline has none.
func find(t *engine.Timeline, i ast.Instant) (s *engine.Snapshot, back int) {
	switch i.Kind {
	case ast.Cycle:
		return t.OfCycle(i.N)
	case ast.Oldest:
		back = t.Len() - 1
	default:
		if i.N > 0 || i.N <= -int64(t.Len()) { // in this order, as the smallest number has no opposite
			return nil, 0
		}
		back = int(-i.N)
	}
	return t.At(back), back
}

// written spells an instant as a selector does.
func written(i ast.Instant) string {
	switch i.Kind {
	case ast.Cycle:
		return fmt.Sprintf("@c%d", i.N)
	case ast.Oldest:
		return "@t-*"
	}
	if i.N > 0 {
		return fmt.Sprintf("@t+%d", i.N)
	}
	return fmt.Sprintf("@t%d", i.N)
}

// sealedSpan names the cycles of the oldest and the newest sealed snapshot.
func sealedSpan(t *engine.Timeline) string {
	oldest, newest, ok := t.Cycles()
	if !ok {
		return "of none"
	}
	return fmt.Sprintf("%d to %d", oldest, newest)
}

// states returns the snapshots of a time, newest first, and warnings about a range that was clipped.
func states(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	switch {
	case time == nil:
		s, err := instant(t, ast.Instant{})
		return []state{s}, nil, err
	case time.Kind == ast.TimeAt:
		s, err := instant(t, time.From)
		return []state{s}, nil, err
	case time.Kind == ast.TimePair:
		return pair(t, time)
	case time.Kind == ast.TimeRange && (time.From.Kind == ast.Cycle || time.To.Kind == ast.Cycle):
		return cycleRange(t, time)
	case time.Kind == ast.TimeRange:
		return stepRange(t, time)
	case time.Kind == ast.TimeHistory: // @t0..@t-*
		return stepRange(t, &ast.Time{Extent: time.Extent, To: ast.Instant{Kind: ast.Oldest}})
	}
	return between(t, 0, t.Len()-1, ast.Relative), nil, nil
}

func pair(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	a, errA := instant(t, time.From)
	b, errB := instant(t, time.To)
	if errA != nil {
		return nil, nil, errA
	}
	if errB != nil {
		return nil, nil, errB
	}
	switch {
	case a.snap == b.snap:
		return []state{a}, nil, nil
	case a.snap.Cycle() < b.snap.Cycle():
		a, b = b, a
	}
	return []state{a, b}, nil, nil
}

// stepRange is a range of @t instants. @t-* is its far end: it lies at the oldest snapshot, or at the other end if that
// lies further back (decision D34).
func stepRange(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	oldest := int64(t.Len()) - 1
	steps := func(i ast.Instant) int64 {
		if i.Kind == ast.Oldest {
			return oldest
		}
		return -max(i.N, -math.MaxInt64)
	}
	from, to := steps(time.From), steps(time.To)
	switch {
	case time.From.Kind == ast.Oldest:
		from = max(from, to)
	case time.To.Kind == ast.Oldest:
		to = max(from, to)
	}
	from, to = min(from, to), max(from, to)
	var warnings []diag.Diagnostic
	if from < 0 || to > oldest {
		warnings = clipped(t, time, fmt.Sprintf("the timeline goes from @t0 back to @t%d", -oldest))
	}
	if to < 0 || from > oldest {
		return nil, warnings, nil
	}
	return between(t, int(max(from, 0)), int(min(to, oldest)), ast.Relative), warnings, nil
}

// cycleRange is a range of @c instants: the sealed snapshots of the cycles between, without side calls (decision D39).
func cycleRange(t *engine.Timeline, time *ast.Time) ([]state, []diag.Diagnostic, error) {
	oldest, newest, any := t.Cycles()
	cycle := func(i ast.Instant) int64 {
		if i.Kind == ast.Oldest {
			return oldest
		}
		return i.N
	}
	a, b := cycle(time.From), cycle(time.To)
	a, b = min(a, b), max(a, b)
	var warnings []diag.Diagnostic
	if !any || a < oldest || b > newest {
		warnings = clipped(t, time, "the sealed snapshots have the cycles "+sealedSpan(t))
	}
	var out []state
	for back, s := range t.All() {
		if !s.Working() && s.Cycle() >= a && s.Cycle() <= b {
			out = append(out, newState(s, back, ast.Cycle))
		}
	}
	return out, warnings, nil
}

func clipped(t *engine.Timeline, time *ast.Time, hint string) []diag.Diagnostic {
	if t.Len() == 0 {
		hint = "the timeline is empty"
	}
	return []diag.Diagnostic{{
		Code: diag.SnapshotUnknown, Severity: diag.Warning, Span: time.Bounds(),
		Message: "the range goes beyond what is there and was clipped", Hint: hint,
	}}
}

func between(t *engine.Timeline, from, to int, kind ast.InstantKind) []state {
	out := make([]state, 0, max(to-from+1, 0))
	for back := from; back <= to; back++ {
		out = append(out, newState(t.At(back), back, kind))
	}
	return out
}
