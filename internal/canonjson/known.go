package canonjson

import (
	"math"
	"slices"
	"strings"
)

// known is a member name that an object had after certain other names, at one place of the texts: most objects there have the
// same names in the same order. All names on the way to it from the beginning of the object are different, which is not
// checked again. The beginning of the objects at a place is a known with an empty text.
//
// What is known only says what to compare the text with first, so it may be of another text or place.
type known struct {
	text     string    // canonical without quotes; "" for the beginning
	ends     [2]uint64 // of the name in quotes, its first and its last eight bytes
	mask     uint64    // of the bytes in ends that belong to it
	size     int32     // of the name in quotes
	prev     int32     // the name before it; 0 for the beginning
	next     int32     // a name that came after it
	other    int32     // another name that came after prev
	inner    int32     // the beginning of the objects in its value
	which    int32     // its index in names
	names    *Names
	same     []byte // the last member, with the byte after it; empty if it was not the same for a while
	from, to uint8  // where the value is in it, as in [Value.Raw]
	form     Form   // of this value
	changes  uint8  // grows by two if the member is not the same, and shrinks by one if it is
}

const (
	maxKnown   = 512 // known names of a scanner
	maxOthers  = 8   // known names after the same ones
	maxSame    = 128 // the size of what is kept of a member
	maxChanges = 16  // changes from which on members are not compared

	// fewMisses is how many objects are read before names become known: most texts that are read by one scanner have fewer.
	fewMisses = 16
	// manyMisses is how many objects and names are not known, and do not fit in, before what is known is forgotten.
	manyMisses = 8 * maxKnown
)

// object is an object that is being read.
type object struct {
	at    int32  // the known name that was read last, or the beginning; 0 if a name is not known
	first int    // where its names begin in those of the scanner, which has them if at is 0
	seen  uint64 // has a bit for each of these names; most names have a bit of their own
}

// begin begins an object.
func (s *Scanner) begin() object {
	o := object{first: len(s.names)}
	if int(s.place) < len(s.known) {
		o.at = s.known[s.place].inner
	}
	if o.at == 0 {
		o.at = s.beginning()
	}
	return o
}

// beginning returns the beginning of the objects at a new place, or 0 if nothing is learned there.
func (s *Scanner) beginning() int32 {
	switch {
	case s.repeats:
		return 0
	case len(s.known) == 0:
		if s.misses++; s.misses < fewMisses {
			return 0
		}
		s.place, s.misses = 0, 0
		s.known = append(s.known, known{})
	case len(s.known) == maxKnown:
		s.misses++
		return 0
	}
	at := int32(len(s.known))
	s.known = append(s.known, known{})
	s.known[s.place].inner = at
	return at
}

// learn makes a name known as one that follows the names of an object so far. It returns false if the object already has
// the name, or if a limit is reached.
func (s *Scanner) learn(o *object, name string) bool {
	n := 0
	for at := o.at; at != 0; at = s.known[at].prev {
		if n++; s.known[at].text == name || n > manyNames {
			return false
		}
	}
	if len(name) > maxSame {
		return false
	}
	if len(s.known) == maxKnown {
		s.misses++
		return false
	}
	link := &s.known[o.at].next
	for n = 0; *link != 0; n++ {
		link = &s.known[*link].other
	}
	if n >= maxOthers {
		return false
	}
	size := len(name) + 2
	quoted, mask := `"`+name+`"`, uint64(math.MaxUint64)
	if size < 8 {
		quoted, mask = quoted+"     ", 1<<(8*size)-1
	}
	k := known{text: strings.Clone(name), ends: [2]uint64{load(quoted, 0), load(quoted, max(size-8, 0))}, mask: mask, size: int32(size), prev: o.at}
	at := int32(len(s.known))
	*link = at
	s.known = append(s.known, k)
	o.at = at
	return true
}

// unlearn turns the known names of an object into names that are compared with each other, because the next one is not known.
func (s *Scanner) unlearn(o *object) {
	at := o.at
	for o.at = 0; s.known[at].text != ""; at = s.known[at].prev {
		s.addName(o, s.known[at].text, -1)
	}
}

// forget makes room for names of other texts than those that were read so far.
func (s *Scanner) forget() {
	if s.misses > manyMisses {
		s.known, s.misses = s.known[:0], 0
	}
}

// again returns what is known of the member at src[i], if the member is the same as in an object before. Otherwise it returns nil.
func (s *Scanner) again(o *object, i int) *known {
	if o.at == 0 {
		return nil
	}
	k := &s.known[s.known[o.at].next]
	if len(k.same) == 0 || len(k.same) > len(s.src)-i || s.src[i:i+len(k.same)] != string(k.same) {
		return nil
	}
	return k
}

// keep keeps the member at src[i], whose value from value to end was checked, to compare the next one with it.
func (s *Scanner) keep(o *object, i, value, end int, form Form) {
	if o.at == 0 || s.known[o.at].changes >= maxChanges {
		return
	}
	k := &s.known[o.at]
	k.changes += 2
	k.same = k.same[:0]
	if k.changes < maxChanges && end-i < maxSame && end < len(s.src) && (s.src[end] == ',' || s.src[end] == '}') && s.src[value] != '{' && s.src[value] != '[' {
		k.same = append(k.same, s.src[i:end+1]...)
		k.form, k.from, k.to = form, uint8(value-i), uint8(end-i)
		if form.IsString() {
			k.from, k.to = k.from+1, k.to-1
		}
	}
}

// Names are names of members to look for.
type Names []string

// of returns the index of the name that was read last, or -1 if n does not have it.
func (n *Names) of(s *Scanner, o *object, name string) int {
	if o.at == 0 {
		return slices.Index(*n, name)
	}
	return s.known[o.at].in(n)
}

// in returns the index of the name in names, or -1.
func (k *known) in(names *Names) int {
	if k.names != names {
		k.names, k.which = names, int32(slices.Index(*names, k.text))
	}
	return int(k.which)
}
