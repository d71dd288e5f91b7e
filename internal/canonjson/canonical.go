package canonjson

import (
	"cmp"
	"slices"
	"sort"
	"strings"
	"sync"
)

// member is a member of an object that is being rewritten.
type member struct {
	name       string
	start, end int // in the output; end is after the comma or the closing bracket
}

// unsorted is a rewritten object whose members are not in order yet.
type unsorted struct {
	start, end  int // in the output
	first, last int // its members in sorted
}

// Canonical reads the next value and returns its canonical text. If the source is canonical, the
// text is a part of it. The cost is linear in the size of the value, except that members are
// sorted.
func (s *Scanner) Canonical() (string, error) {
	s.Peek()
	start := s.i
	s.canonical = true
	if err := s.take(s.value(start, 1)); err != nil || s.canonical {
		return s.src[start:s.i], err
	}
	s.unsorted, s.sorted = s.unsorted[:0], s.sorted[:0]
	s.buf, _ = s.rewrite(s.buf[:0], start)
	n := len(s.buf)
	if len(s.unsorted) == 0 {
		return string(s.buf), nil
	}
	slices.SortFunc(s.unsorted, func(a, b unsorted) int { return cmp.Compare(a.start, b.start) })
	s.buf = s.arrange(s.buf, s.buf, 0, n)
	return string(s.buf[n:]), nil
}

// Borrow returns a scanner of src with DefaultDepth, which may know names of earlier texts. For a
// short text it is faster than a new scanner. The caller must Return it and not use it after that.
func Borrow(src string) *Scanner {
	s := scanners.Get().(*Scanner)
	s.SetSource(src)
	return s
}

// Return returns a borrowed scanner.
func (s *Scanner) Return() {
	s.SetSource("")
	if cap(s.buf) <= maxKept && cap(s.names) <= maxKept {
		scanners.Put(s)
	}
}

// Canonical returns the canonical text of a JSON text that nests at most DefaultDepth levels.
// Errors are of type [*Error].
func Canonical(src string) (string, error) {
	s := Borrow(src)
	defer s.Return()
	text, err := s.Canonical()
	if err == nil {
		err = s.End()
	}
	return text, err
}

// CanonicalCopy is Canonical in new memory.
func CanonicalCopy(src string) (string, error) {
	s := Borrow(src)
	defer s.Return()
	text, err := s.Canonical()
	if s.canonical {
		text = strings.Clone(text)
	}
	if err == nil {
		err = s.End()
	}
	return text, err
}

// scanners holds unused scanners, to reuse their memory.
var scanners = sync.Pool{New: func() any { return NewScanner("", DefaultDepth) }}

// maxKept is the largest capacity, in bytes or names, of a scanner that is kept.
const maxKept = 1 << 12

// maxBuffer is the largest capacity of a buffer that a scanner keeps for the next text.
const maxBuffer = 1 << 20

// rewrite appends the canonical text of the value at src[i], and returns the end of the value. The
// value must have been checked. The members of objects in unsorted are not in order yet.
func (s *Scanner) rewrite(dst []byte, i int) ([]byte, int) {
	switch s.src[i] {
	case '{':
		return s.rewriteList(dst, i, '}')
	case '[':
		return s.rewriteList(dst, i, ']')
	case '"':
		end, found := s.text(i + 1)
		if raw := s.src[i+1 : end-1]; !isCanonical(raw, found) {
			return AppendString(dst, inside(raw, found)), end
		}
		return append(dst, s.src[i:end]...), end
	}
	end := s.value(i, 1)
	return append(dst, s.src[i:end]...), end
}

// rewriteList is rewrite for an object or an array. It adds an object whose members are not in
// order to unsorted.
func (s *Scanner) rewriteList(dst []byte, i int, closing byte) ([]byte, int) {
	begin, first, sorted := len(dst), len(s.members), true
	dst = append(dst, s.src[i])
	i = space(s.src, i+1)
	for s.src[i] != closing {
		if closing == '}' {
			end, found := s.text(i + 1)
			name := inside(s.src[i+1:end-1], found)
			sorted = sorted && (len(s.members) == first || s.members[len(s.members)-1].name < name)
			s.members = append(s.members, member{name: name, start: len(dst)})
			dst = append(AppendString(dst, name), ':')
			i = space(s.src, space(s.src, end)+1)
		}
		dst, i = s.rewrite(dst, i)
		if dst = append(dst, ','); closing == '}' {
			s.members[len(s.members)-1].end = len(dst)
		}
		if i = space(s.src, i); s.src[i] == ',' {
			i = space(s.src, i+1)
		}
	}
	if len(dst) > begin+1 {
		dst = dst[:len(dst)-1] // the last comma
	}
	dst = append(dst, closing)
	if !sorted {
		members := s.members[first:]
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		s.unsorted = append(s.unsorted, unsorted{begin, len(dst), len(s.sorted), len(s.sorted) + len(members)})
		s.sorted = append(s.sorted, members...)
	}
	s.members = s.members[:first]
	return dst, i + 1
}

// arrange appends text[from:to] with the members of each unsorted object in order. It copies each
// byte only once, whatever the depth.
func (s *Scanner) arrange(dst, text []byte, from, to int) []byte {
	for {
		k := sort.Search(len(s.unsorted), func(k int) bool { return s.unsorted[k].start >= from })
		if k == len(s.unsorted) || s.unsorted[k].start >= to {
			return append(dst, text[from:to]...)
		}
		o := s.unsorted[k]
		dst = append(dst, text[from:o.start+1]...)
		for _, m := range s.sorted[o.first:o.last] {
			dst = append(s.arrange(dst, text, m.start, m.end-1), ',')
		}
		dst[len(dst)-1] = '}'
		from = o.end
	}
}
