package canonjson

import (
	"cmp"
	"slices"
	"strings"

	"github.com/pactkit/pactkit/internal/budget"
)

// name is a member name of an object that is being read.
type name struct {
	text string
	at   int // index of its quote; -1 for a name that was known
}

// manyNames is the number of names up to which the names of an object are compared with each other.
// Those of a larger object are put into a map at its end.
const manyNames = 32

// addName adds a member name to an object. It fails if the object already has the name.
func (s *Scanner) addName(o *object, text string, at int) bool {
	if s.repeats {
		return true
	}
	bit := uint64(1)
	if n := len(text); n > 0 {
		bit <<= (31*n + 7*int(text[0]) + int(text[n-1])) & 63
	}
	if names := s.names[o.first:]; o.seen&bit != 0 && len(names) <= manyNames {
		for i := range names {
			if names[i].text == text {
				s.twice(name{text, at})
				return false
			}
		}
	}
	if s.names == nil {
		s.names = make([]name, 0, 10)
	}
	s.names = append(s.names, name{text, at})
	o.seen |= bit
	return len(s.names)%noteNames != 0 || s.note(at)
}

// endNames ends an object and returns end, which is -1 after an error. For a large object, it fails
// and returns -1 if there is a duplicate name.
func (s *Scanner) endNames(o *object, end int) int {
	names := s.names[o.first:]
	s.names = s.names[:o.first]
	switch {
	case len(names) <= manyNames:
		return end
	case len(names) > noteNames: // a map would need several times their memory
		return s.sortNames(names, end)
	}
	seen := make(map[string]bool, len(names))
	for _, n := range names {
		if seen[n.text] {
			return s.twice(n)
		}
		seen[n.text] = true
	}
	return end
}

// sortNames returns end, or -1 after an error if there is a duplicate name.
func (s *Scanner) sortNames(names []name, end int) int {
	slices.SortFunc(names, func(a, b name) int { return cmp.Or(strings.Compare(a.text, b.text), cmp.Compare(a.at, b.at)) })
	again := -1 // the first name that was there before
	for i := 1; i < len(names); i++ {
		if names[i].text == names[i-1].text && (again < 0 || names[i].at < names[again].at) {
			again = i
		}
	}
	if again >= 0 {
		return s.twice(names[again])
	}
	return end
}

// noteNames is the number of names between two notes to the budget: their memory is a multiple of
// their text.
const noteNames = 4096

func (s *Scanner) note(at int) bool {
	budget.Note(noteStep)
	return s.affords(at)
}

func (s *Scanner) twice(n name) int {
	return s.fail(Syntax, n.at, "duplicate member %q", n.text)
}
