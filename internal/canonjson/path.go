package canonjson

import (
	"errors"
	"math"
	"strconv"
)

// Path returns the JSON path of an offset in src, such as $.a[2]: the path of the innermost value
// or member name that begins at or contains the offset. It reads src up to the offset; that part
// must be valid.
func Path(src string, offset int) string {
	l := locator{Scanner: Scanner{src: src, MaxDepth: math.MaxInt, repeats: true}, offset: offset, path: []byte{'$'}}
	_ = l.value() // it returns an error at the offset
	return string(l.path)
}

// locator walks through a text until it reaches an offset.
type locator struct {
	Scanner
	offset int
	path   []byte // of the value that is being walked through
}

// errReached ends the walk.
var errReached = errors.New("the offset is reached")

// value walks through the next value.
func (l *locator) value() error {
	c, parent := l.Peek(), len(l.path)
	if l.i >= l.offset || l.i >= len(l.src) {
		return errReached
	}
	var err error
	switch c {
	case '{':
		err = l.Object(func(name string, at int) error {
			if l.offset < at {
				return errReached
			}
			l.path = AppendStep(l.path, name)
			err := l.value()
			l.leave(parent, err)
			return err
		})
	case '[':
		end := l.i
		err = l.Array(func(n int) error {
			if n > 0 && l.offset <= space(l.src, end) { // at or before the comma
				return errReached
			}
			l.path = append(strconv.AppendInt(append(l.path, '['), int64(n), 10), ']')
			err := l.value()
			end = l.i
			l.leave(parent, err)
			return err
		})
	default:
		err = l.Skip()
	}
	if err == nil && l.i > l.offset {
		return errReached
	}
	return err
}

// leave restores the path of the enclosing value, unless the walk is over.
func (l *locator) leave(parent int, err error) {
	if err == nil {
		l.path = l.path[:parent]
	}
}

// AppendStep appends a member name to a JSON path: .name or ["name"].
func AppendStep(path []byte, name string) []byte {
	if isPlainName(name) {
		return append(append(path, '.'), name...)
	}
	return append(AppendString(append(path, '['), name), ']')
}

// isPlainName reports whether a name needs no quotes in a path.
func isPlainName(s string) bool {
	for i := range len(s) {
		c := s[i]
		if c != '_' && (c|0x20 < 'a' || c|0x20 > 'z') && (i == 0 || c < '0' || c > '9') {
			return false
		}
	}
	return s != ""
}
