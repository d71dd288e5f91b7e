package suite

import (
	"slices"
	"strings"

	"github.com/pactkit/pactkit/cmd/internal/calls"
)

// grades checks the grades of the figures of calls. The evidence is the calls with others.
func (q *question) grades(e, now *Expectation) *Failure {
	if e.Grades == nil {
		return nil
	}
	found := map[calls.Label]bool{}
	var evidence []Evidence
	for _, c := range q.calls {
		if !e.counts(c) {
			continue
		}
		list := []calls.Label{c.Tokens.Label}
		if c.Tokens.Out != nil {
			list = append(list, c.Tokens.OutLabel)
		}
		isOther := false
		for _, g := range list {
			found[g] = true
			isOther = isOther || !slices.Contains(e.Grades, string(g))
		}
		if isOther {
			evidence = append(evidence, sent(c))
		}
	}
	if len(evidence) == 0 {
		return nil
	}
	now.Grades = slices.DeleteFunc(gradeNames(), func(g string) bool { return !found[calls.Label(g)] })
	return e.failure("the figures are "+strings.Join(now.Grades, ", ")+"; expected "+strings.Join(e.Grades, ", "), evidence)
}

// missing checks what the log does not record of the calls. The evidence is the last call of which
// something is missing.
func (q *question) missing(e, now *Expectation) *Failure {
	if e.Missing == nil {
		return nil
	}
	list := []string{}
	var evidence []Evidence
	for _, c := range q.calls {
		list = append(list, c.Missing...)
		if len(c.Missing) > 0 {
			evidence = []Evidence{{Cycle: c.Cycle, Source: c.Source, Event: "called"}}
		}
	}
	slices.Sort(list)
	list = slices.Compact(list)
	if want := slices.Compact(slices.Sorted(slices.Values(e.Missing))); slices.Equal(list, want) {
		return nil
	}
	now.Missing = list
	say := func(list []string) string {
		if len(list) == 0 {
			return "nothing"
		}
		return strings.Join(list, ", ")
	}
	return e.failure(say(list)+" is not in the log; expected "+say(e.Missing), evidence)
}
