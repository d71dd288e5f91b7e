package canonjson

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
)

// name is a member name of an object that is being read.
type name struct {
	hash uint64
	at   int // of its quote; the complement of an index in those known
}

// manyNames is how many names of one object are compared with each other.
// Those of a larger object are sorted when it ends.
const manyNames = 32

// addName adds a member name with its hash to an object. It fails if the object has the name already.
func (s *Scanner) addName(o *object, text string, h uint64, at int) bool {
	if s.repeats {
		return true
	}
	bit := uint64(1) << (h * 0x9e3779b97f4a7c15 >> 58)
	if names := s.names[o.first:]; o.seen&bit != 0 && len(names) <= manyNames {
		for _, n := range names {
			if n.hash == h && s.nameAt(n.at) == text {
				return s.twice(text, at)
			}
		}
	}
	if s.names == nil {
		s.names = make([]name, 0, 16)
	}
	s.names = append(s.names, name{h, at})
	o.seen |= bit
	return true
}

// endNames ends an object. It returns end, which is -1 after an error, or fails if one of many names occurs twice.
func (s *Scanner) endNames(o *object, end int) int {
	names := s.names[o.first:]
	s.names = s.names[:o.first]
	if len(names) > manyNames && !s.areUnique(names) {
		return -1
	}
	return end
}

// areUnique sorts many names. It fails at the first one that occurs again.
func (s *Scanner) areUnique(names []name) bool {
	slices.SortFunc(names, func(a, b name) int {
		if a.hash != b.hash {
			return cmp.Compare(a.hash, b.hash)
		}
		return cmp.Or(strings.Compare(s.nameAt(a.at), s.nameAt(b.at)), cmp.Compare(a.at, b.at))
	})
	second := -1
	for i, n := range names[1:] {
		if n.hash == names[i].hash && (second < 0 || n.at < second) && s.nameAt(n.at) == s.nameAt(names[i].at) {
			second = n.at
		}
	}
	return second < 0 || s.twice(s.nameAt(second), second)
}

func (s *Scanner) twice(name string, at int) bool {
	s.fail(Syntax, at, "the member %q stands twice in one object", name)
	return false
}

// nameAt returns the name at an offset where one was read, or a known one.
func (s *Scanner) nameAt(at int) string {
	if at < 0 {
		return s.known[^at].text
	}
	again := Scanner{src: s.src}
	end, found := again.text(at + 1)
	return inside(s.src[at+1:end-1], found)
}

// hashName gives equal names equal hashes. It looks at both ends of a long one.
func hashName(text string) uint64 {
	n := len(text)
	switch {
	case n >= 16:
		return (load(text, 0)*hashFactor^load(text, n-8))*hashFactor ^ uint64(n)
	case n >= 8:
		return hashWords(load(text, 0), tail(text[8:]))
	}
	return tail(text)
}

const hashFactor = 0x9e3779b97f4a7c15

// hashWords is the hash of a name of 8 to 15 bytes, of which rest has those after the eighth.
func hashWords(first, rest uint64) uint64 { return first*hashFactor ^ rest }

// tail returns up to seven bytes of a name, the first in the lowest bits.
func tail(text string) (w uint64) {
	for i := len(text) - 1; i >= 0; i-- {
		w = w<<8 | uint64(text[i])
	}
	return w
}

// shortName reads a member name of 1 to 15 bytes, without escapes and in ASCII, that begins at src[i], and returns its hash.
// It returns "" for any other name, and near the end of the text.
func shortName(src string, i int) (name string, hash uint64) {
	if i+16 > len(src) {
		return "", 0
	}
	w := load(src, i)
	m := special(w)
	if m != 0 {
		bit := bits.TrailingZeros64(m) &^ 7
		w &= 1<<(bit&63) - 1
		if end := i + bit>>3; src[end] == '"' && w&high == 0 {
			return src[i:end], w
		}
		return "", 0
	}
	rest := load(src, i+8)
	if m = special(rest); m == 0 {
		return "", 0
	}
	bit := bits.TrailingZeros64(m) &^ 7
	rest &= 1<<(bit&63) - 1
	if end := i + 8 + bit>>3; src[end] == '"' && (w|rest)&high == 0 {
		return src[i:end], hashWords(w, rest)
	}
	return "", 0
}
