package canonjson

import (
	"slices"
	"strings"
	"sync"
)

// member is a member of an object that is being rewritten.
type member struct {
	name       string
	start, end int // in the output
}

// Canonical reads the next value and returns its canonical text, which is a
// part of the source where that is canonical.
func (s *Scanner) Canonical() (string, error) {
	s.Peek()
	start := s.i
	s.canonical = true
	if err := s.take(s.value(start, 1)); err != nil || s.canonical {
		return s.src[start:s.i], err
	}
	s.buf, _ = s.rewrite(s.buf[:0], start)
	return string(s.buf), nil
}

// Canonical returns the canonical text of a JSON text that nests at most
// DefaultDepth levels. An error is of type [*Error].
func Canonical(src string) (string, error) {
	s := scanners.Get().(*Scanner)
	s.SetSource(src)
	text, err := s.Canonical()
	if err == nil {
		err = s.End()
	}
	s.SetSource("")
	if cap(s.buf) <= maxKept && cap(s.names) <= maxKept {
		scanners.Put(s)
	}
	return text, err
}

// scanners are scanners that are not in use, for the memory they have.
var scanners = sync.Pool{New: func() any { return NewScanner("", DefaultDepth) }}

// maxKept is how many bytes or names a scanner may have memory for to be kept.
const maxKept = 1 << 12

// rewrite appends the canonical text of the value at src[i], which was
// checked, and returns its end.
func (s *Scanner) rewrite(dst []byte, i int) ([]byte, int) {
	switch s.src[i] {
	case '{':
		return s.rewriteObject(dst, i)
	case '[':
		return s.rewriteArray(dst, i)
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

func (s *Scanner) rewriteArray(dst []byte, i int) ([]byte, int) {
	dst = append(dst, '[')
	if i = space(s.src, i+1); s.src[i] == ']' {
		return append(dst, ']'), i + 1
	}
	for {
		dst, i = s.rewrite(dst, i)
		i = space(s.src, i)
		dst = append(dst, s.src[i])
		if s.src[i] == ']' {
			return dst, i + 1
		}
		i = space(s.src, i+1)
	}
}

func (s *Scanner) rewriteObject(dst []byte, i int) ([]byte, int) {
	begin, first := len(dst), len(s.members)
	dst = append(dst, '{')
	if i = space(s.src, i+1); s.src[i] == '}' {
		return append(dst, '}'), i + 1
	}
	sorted := true
	for {
		end, found := s.text(i + 1)
		name := inside(s.src[i+1:end-1], found)
		if n := len(s.members); n > first && s.members[n-1].name > name {
			sorted = false
		}
		start := len(dst)
		dst = append(AppendString(dst, name), ':')
		colon := space(s.src, end)
		dst, i = s.rewrite(dst, space(s.src, colon+1))
		dst = append(dst, ',')
		s.members = append(s.members, member{name, start, len(dst)})
		if i = space(s.src, i); s.src[i] == '}' {
			break
		}
		i = space(s.src, i+1)
	}
	members := s.members[first:]
	if !sorted {
		slices.SortFunc(members, func(a, b member) int { return strings.Compare(a.name, b.name) })
		old := slices.Clone(dst[begin:])
		dst = dst[:begin+1]
		for _, m := range members {
			dst = append(dst, old[m.start-begin:m.end-begin]...)
		}
	}
	s.members = s.members[:first]
	dst[len(dst)-1] = '}'
	return dst, i + 1
}
