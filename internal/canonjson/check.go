package canonjson

import "strings"

// space returns the index of the first byte at or after i that is not white space.
func space(src string, i int) int {
	for i < len(src) && src[i] <= ' ' {
		if c := src[i]; c != ' ' && c != '\n' && c != '\r' && c != '\t' {
			break
		}
		i++
	}
	return i
}

// value checks the value at src[i] and returns its end, or -1 if it is invalid.
func (s *Scanner) value(i, depth int) int {
	if i >= len(s.src) {
		return s.unexpected(i, "a JSON value")
	}
	switch c := s.src[i]; {
	case c == '"':
		end, _ := s.string(i)
		return end
	case c == '-' || c-'0' <= 9:
		if end := numberEnd(s.src, i); end >= 0 {
			return end
		}
		return s.fail(Syntax, i, "not a JSON number")
	case c != '{' && c != '[':
		return s.literal(i)
	case depth > s.MaxDepth:
		return s.fail(Depth, i, "nested deeper than %d levels", s.MaxDepth)
	case c == '{':
		return s.object(i, depth)
	}
	return s.array(i, depth)
}

func (s *Scanner) object(i, depth int) int {
	i, more := s.enter(i, '}')
	if !more {
		return i
	}
	o, begin, last := s.begin(), i, ""
	for more {
		name, value := s.name(&o, i)
		if value < 0 {
			return -1
		}
		if s.canonical {
			s.canonical = last < name || i == begin
			last = name
		}
		if i = s.value(value, depth+1); i < 0 {
			return -1
		}
		i, more = s.next(i, '}')
	}
	return s.endNames(&o, i)
}

// name checks the member name at src[i]. It returns the name and the index of the value.
func (s *Scanner) name(o *object, i int) (name string, value int) {
	if o.at == 0 {
		return s.newName(o, i)
	}
	for at := s.known[o.at].next; at != 0; at = s.known[at].other {
		k := &s.known[at]
		last := i + int(k.size) - 8
		if k.size < 8 {
			last = i
		}
		if last+8 > len(s.src) || ((load(s.src, i)^k.ends[0])|(load(s.src, last)^k.ends[1]))&k.mask != 0 ||
			k.size > 16 && s.src[i+8:last] != k.text[7:k.size-9] {
			continue
		}
		colon := s.gap(i + int(k.size))
		if colon >= len(s.src) || s.src[colon] != ':' {
			return "", s.unexpected(colon, "a colon")
		}
		o.at, s.place = at, at
		return k.text, s.gap(colon + 1)
	}
	return s.newName(o, i)
}

// newName is name for a name that is not known.
func (s *Scanner) newName(o *object, i int) (name string, value int) {
	if i >= len(s.src) || s.src[i] != '"' {
		return "", s.unexpected(i, "a member name")
	}
	end, found := s.text(i + 1)
	if end < 0 {
		return "", -1
	}
	name = inside(s.src[i+1:end-1], found)
	isPlain := (s.canonical || o.at > 0) && found == 0 && isCanonical(name, 0)
	s.canonical = s.canonical && isPlain // an escape counts as not canonical
	colon := s.gap(end)
	if colon >= len(s.src) || s.src[colon] != ':' {
		return "", s.unexpected(colon, "a colon")
	}
	if o.at > 0 && !(isPlain && name != "" && s.learn(o, name)) {
		s.unlearn(o)
	}
	if o.at == 0 && !s.addName(o, name, i) {
		return "", -1
	}
	s.place = o.at
	return name, s.gap(colon + 1)
}

func (s *Scanner) array(i, depth int) int {
	place := s.place
	i, more := s.enter(i, ']')
	for more {
		s.place = place
		if i = s.value(i, depth+1); i < 0 {
			return -1
		}
		i, more = s.next(i, ']')
	}
	return i
}

// enter skips the opening bracket of the object or array at src[i], and returns the index of the
// first member or element. If the object or array is empty, it returns false and the index after
// the closing bracket.
func (s *Scanner) enter(i int, closing byte) (at int, more bool) {
	if at = s.gap(i + 1); at < len(s.src) && s.src[at] == closing {
		return at + 1, false
	}
	return at, true
}

// next skips the comma or the closing bracket after a member or element. After a comma, it returns
// the index of the next member or element. After a closing bracket, it returns false and the index
// after the bracket; for an error, false and -1.
func (s *Scanner) next(i int, closing byte) (next int, more bool) {
	if i = s.gap(i); i < len(s.src) {
		switch s.src[i] {
		case ',':
			return s.gap(i + 1), true
		case closing:
			return i + 1, false
		}
	}
	return s.unexpected(i, "a comma or "+string(closing)), false
}

// gap skips white space. If there is some, the value being checked is not canonical.
func (s *Scanner) gap(i int) int {
	if i < len(s.src) && s.src[i] > ' ' {
		return i
	}
	return s.space(i)
}

// space is gap for a byte that may be white space.
func (s *Scanner) space(i int) int {
	end := space(s.src, i)
	if s.Lines {
		if n := strings.IndexByte(s.src[i:end], '\n'); n >= 0 {
			end = i + n
		}
	}
	s.canonical = s.canonical && end == i
	return end
}

// string checks the string at src[i].
func (s *Scanner) string(i int) (end int, found traits) {
	end, found = s.text(i + 1)
	if s.canonical && end >= 0 {
		s.canonical = isCanonical(s.src[i+1:end-1], found)
	}
	return end, found
}

func (s *Scanner) literal(i int) int {
	for _, word := range [...]string{"null", "true", "false"} {
		if strings.HasPrefix(s.src[i:], word) {
			return i + len(word)
		}
	}
	return s.unexpected(i, "a JSON value")
}
