package canonjson

import (
	"math"
	"strconv"
)

// Path returns the JSON path of an offset in src, such as $.a[2]: of the
// innermost value that begins there or holds it, or of the member whose name
// does. It reads src up to there, which may go wrong there and not before.
func Path(src string, offset int) string {
	l := locator{Scanner: Scanner{src: src, MaxDepth: math.MaxInt}, offset: offset, path: []byte{'$'}}
	l.value(space(src, 0))
	return string(l.path)
}

// locator walks through a text until it reaches an offset.
type locator struct {
	Scanner
	offset int
	path   []byte // of the value that is being walked through
}

// value walks through the value at src[i] and returns its end, -1 if the
// offset is in it, or if something goes wrong.
func (l *locator) value(i int) int {
	if i >= l.offset || i >= len(l.src) {
		return -1
	}
	end := 0
	switch l.src[i] {
	case '{':
		end = l.object(i + 1)
	case '[':
		end = l.array(i + 1)
	default:
		end = l.Scanner.value(i, 1)
	}
	if end <= l.offset {
		return end
	}
	return -1
}

func (l *locator) object(i int) int {
	parent := len(l.path)
	if i = space(l.src, i); i < len(l.src) && l.src[i] == '}' {
		return i + 1
	}
	for {
		if i >= len(l.src) || l.src[i] != '"' || l.offset < i {
			return -1
		}
		end, found := l.text(i + 1)
		if end < 0 {
			return -1
		}
		colon := space(l.src, end)
		if colon >= len(l.src) || l.src[colon] != ':' {
			return -1
		}
		l.path = AppendStep(l.path, inside(l.src[i+1:end-1], found))
		if l.offset < end {
			return -1
		}
		if i = l.value(space(l.src, colon+1)); i < 0 {
			return -1
		}
		l.path = l.path[:parent]
		if i = l.next(i, '}'); i < 0 || l.src[i-1] == '}' {
			return i
		}
	}
}

func (l *locator) array(i int) int {
	parent := len(l.path)
	if i = space(l.src, i); i < len(l.src) && l.src[i] == ']' {
		return i + 1
	}
	for n := int64(0); ; n++ {
		l.path = append(strconv.AppendInt(append(l.path, '['), n, 10), ']')
		if i = l.value(i); i < 0 {
			return -1
		}
		l.path = l.path[:parent]
		if i = l.next(i, ']'); i < 0 || l.src[i-1] == ']' {
			return i
		}
	}
}

// next returns where the next member or element begins, the end of the value
// if closing ends it.
func (l *locator) next(i int, closing byte) int {
	i = space(l.src, i)
	switch {
	case i >= len(l.src) || l.offset <= i && l.src[i] != closing:
		return -1
	case l.src[i] == closing:
		return i + 1
	case l.src[i] != ',':
		return -1
	}
	return space(l.src, i+1)
}

// AppendStep appends a member name to a JSON path: .name or ["name"].
func AppendStep(path []byte, name string) []byte {
	if isPlainName(name) {
		return append(append(path, '.'), name...)
	}
	return append(AppendString(append(path, '['), name), ']')
}

func isPlainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
