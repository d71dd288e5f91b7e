package suite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/ast"
	"github.com/pactkit/pactkit/engine"
)

// events counts what the source states between calls. The history has it, also after the last call.
func (q *question) events(e *Expectation) measured {
	m := measured{what: func(n int64) string {
		text := count(n, "event")
		if len(e.Kinds) > 0 {
			text += " (" + strings.Join(e.Kinds, ", ") + ")"
		}
		return text
	}}
	for s := range q.history.Sealed() {
		info := s.Info()
		if info == nil || info.Event == nil || info.Event.Kind == "answer" || len(e.Kinds) > 0 && !slices.Contains(e.Kinds, info.Event.Kind) {
			continue
		}
		m.evidence = append(m.evidence, Evidence{Cycle: s.Cycle(), Event: "stated", Cause: info.Event.Kind})
	}
	m.low = int64(len(m.evidence))
	m.high = m.low
	return m
}

// moved says which cycle a call has that a suite may name by the number it had when cycles counted
// only calls. It returns "" if the number has not changed, or if that is not certain.
func moved(t *engine.Timeline, cycle int64) string {
	var call *engine.Snapshot
	states := false
	for s := range t.Sealed() {
		info := s.Info()
		if info == nil {
			continue
		}
		states = states || info.Event != nil
		if info.Call == nil || int64(info.Call.Number) != cycle-1 {
			continue
		}
		if call != nil {
			return ""
		}
		call = s
	}
	if call == nil || !states || call.Cycle() == cycle {
		return ""
	}
	return fmt.Sprintf("cycles count states, too: call %d, which was @c%d when only calls counted, is @c%d", cycle-1, cycle, call.Cycle())
}

// movedIn returns the hints of [moved] for the addresses in a time.
func movedIn(t *engine.Timeline, time *ast.Time) []string {
	var out []string
	if time == nil {
		return nil
	}
	for _, i := range [...]ast.Instant{time.From, time.To} {
		if i.Kind != ast.Cycle {
			continue
		}
		if hint := moved(t, i.N); hint != "" && !slices.Contains(out, hint) {
			out = append(out, hint)
		}
	}
	return out
}
