package calls

import (
	"iter"
	"slices"

	"github.com/pactkit/pactkit/engine"
)

// HasID reports whether a history ever had a node with an id, or an answer with it that no call was
// sent.
func HasID(t *engine.Timeline, id string) bool {
	for have := range IDs(t) {
		if have == id {
			return true
		}
	}
	return false
}

// IDs yields the ids that nodes of a history had, some of them more than once.
func IDs(t *engine.Timeline) iter.Seq[string] {
	return func(yield func(string) bool) {
		for n := range t.Distinct() {
			if !yield(n.ID()) {
				return
			}
		}
		for s := range t.Sealed() {
			info := s.Info()
			if info != nil && slices.ContainsFunc(info.Causes, func(c engine.Cause) bool { return !yield(c.ID) }) {
				return
			}
		}
	}
}
