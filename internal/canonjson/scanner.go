package canonjson

import (
	"fmt"
	"unicode/utf8"

	"github.com/pactkit/pactkit/internal/budget"
)

// noteStep is how much of a text is read between two notes to the budget.
const noteStep = 64 << 10

// DefaultDepth is the default limit on the nesting of values.
const DefaultDepth = 1000

// Scanner reads a JSON text. Errors are of type [*Error]. After an error, only Reset and SetSource
// may be called.
type Scanner struct {
	// MaxDepth limits the nesting of the values that Skip, Raw and Canonical read. Object and Array
	// leave it to their callers to limit nesting.
	MaxDepth int
	// Lines makes each line a text, which ends before the line break. It must be set before
	// anything is read.
	Lines bool

	src       string
	i         int
	noted     int    // where the memory was measured last
	untold    int    // bytes of short texts of which the budget does not know yet
	canonical bool   // the value being checked is canonical so far
	repeats   bool   // Object does not check that names are unique
	names     []name // of the objects around i that have an unknown name, innermost last
	known     []known
	place     int32      // the known name whose value is read next; 0 if it is unknown
	misses    int        // the number of unknown objects and names
	members   []member   // of the objects being rewritten, innermost last
	unsorted  []unsorted // rewritten objects whose members are not in order
	sorted    []member   // the members of these objects
	buf       []byte     // for a value that is being rewritten
	err       *Error     // the first failure of a check
}

// NewScanner returns a scanner of src with a MaxDepth.
func NewScanner(src string, maxDepth int) *Scanner {
	budget.Note(min(len(src), noteStep))
	return &Scanner{src: src, MaxDepth: maxDepth}
}

// Kind is a kind of error in a text.
type Kind uint8

// The kinds of errors.
const (
	Syntax   Kind = iota // not JSON, or a duplicate member
	Encoding             // invalid UTF-8, or an unpaired surrogate
	Depth                // nested too deep
	Memory               // the budget of the process is used up
)

// Error is an error in a text.
type Error struct {
	Kind   Kind
	Offset int    // in bytes
	Msg    string // one plain sentence
}

// Error returns the offset and the message.
func (e *Error) Error() string { return fmt.Sprintf("offset %d: %s", e.Offset, e.Msg) }

// fail records the first error and returns -1 as the end of the value.
func (s *Scanner) fail(kind Kind, at int, format string, args ...any) int {
	if s.err == nil {
		s.err = &Error{kind, min(at, len(s.src)), fmt.Sprintf(format, args...)}
	}
	return -1
}

// unexpected fails at i, where want is expected.
func (s *Scanner) unexpected(i int, want string) int {
	if i >= len(s.src) {
		return s.fail(Syntax, i, "the text ends where %s should follow", want)
	}
	r, size := utf8.DecodeRuneInString(s.src[i:])
	if r == utf8.RuneError && size == 1 {
		return s.fail(Encoding, i, "the byte 0x%02x is not UTF-8", s.src[i])
	}
	return s.fail(Syntax, i, "%q where %s should follow", r, want)
}

// take moves to the end that a check returned. If the check failed, it returns the error.
func (s *Scanner) take(end int) error {
	if end < 0 {
		err := s.err
		s.err = nil
		return err
	}
	s.i = end
	return nil
}

// Offset returns the position of the scanner in bytes.
func (s *Scanner) Offset() int { return s.i }

// Reset moves the scanner to an offset, such as that of a value to read again.
func (s *Scanner) Reset(offset int) { s.i, s.names, s.place = offset, s.names[:0], 0 }

// SetSource makes src the text to read, from its beginning.
func (s *Scanner) SetSource(src string) {
	if s.untold += min(len(src), noteStep); s.untold >= noteStep/16 {
		budget.Note(s.untold)
		s.untold = 0
	}
	s.src, s.err, s.noted = src, nil, 0
	if cap(s.buf) > maxBuffer {
		s.buf, s.members, s.unsorted, s.sorted = nil, nil, nil, nil
	}
	s.forget()
	s.Reset(0)
}

// Peek skips white space and returns the next byte, or 0 at the end of the text.
func (s *Scanner) Peek() byte {
	s.i = s.gap(s.i)
	if s.i < len(s.src) {
		return s.src[s.i]
	}
	return 0
}

// End checks that only white space follows.
func (s *Scanner) End() error {
	if next := s.Peek(); s.i < len(s.src) && !(s.Lines && next == '\n') {
		return s.take(s.unexpected(s.i, "the end"))
	}
	return nil
}

// Line moves to the next line that is not blank, if each line is a text. It reports whether there
// is one.
func (s *Scanner) Line() bool {
	s.i, s.place = space(s.src, s.i), 0
	return s.i < len(s.src)
}

// Skip checks the next value and skips it.
func (s *Scanner) Skip() error {
	s.canonical = false
	return s.take(s.value(s.gap(s.i), 1))
}

// Raw checks the next value and returns its text as it is written.
func (s *Scanner) Raw() (string, error) {
	s.Peek()
	start := s.i
	err := s.Skip()
	return s.src[start:s.i], err
}

// Text reads a string and returns its value.
func (s *Scanner) Text() (string, error) {
	if s.Peek() != '"' {
		return "", s.take(s.unexpected(s.i, "a string"))
	}
	start := s.i + 1
	end, found := s.text(start)
	if end < 0 {
		return "", s.take(end)
	}
	s.i = end
	return inside(s.src[start:end-1], found), nil
}

// Object reads an object. It calls member with each name and its offset. Then the scanner is before
// the value, which member must read.
func (s *Scanner) Object(member func(name string, at int) error) error {
	at, more := s.open("an object", '{', '}')
	if !more {
		return s.take(at)
	}
	for o := s.begin(); ; {
		s.canonical = false // the value before may have set it
		name, value := s.name(&o, at)
		if err := s.take(value); err != nil {
			return err
		}
		if err := member(name, at); err != nil {
			return err
		}
		if at, more = s.next(s.i, '}'); !more {
			return s.take(s.endNames(&o, at))
		}
	}
}

// Pick reads an object with known member names. It stores the values of the first len(got) names in
// got. For each member with one of the other names, it calls member with the index of the name;
// then the scanner is before the value, which member must read. Pick checks and skips all other
// members.
func (s *Scanner) Pick(names *Names, got []Value, member func(which int) error) error {
	at, more := s.open("an object", '{', '}')
	if !more {
		return s.take(at)
	}
	for o := s.begin(); ; {
		s.canonical = false
		start := at
		if k := s.again(&o, at); k != nil && k.in(names) < len(got) {
			if k.which >= 0 {
				got[k.which] = Value{s.src[at+int(k.from) : at+int(k.to)], k.form}
			}
			o.at = s.known[o.at].next
			k.changes = max(k.changes, 1) - 1
			at += len(k.same) - 1
		} else {
			name, value := s.name(&o, at)
			if err := s.take(value); err != nil {
				return err
			}
			if which := names.of(s, &o, name); which >= len(got) {
				if err := member(which); err != nil {
					return err
				}
				at = s.i
			} else {
				var v Value
				if v, at = s.read(value, 1); at < 0 {
					return s.take(at)
				}
				s.keep(&o, start, value, at, v.Form)
				if which >= 0 {
					got[which] = v
				}
			}
		}
		if at, more = s.next(at, '}'); !more {
			return s.take(s.endNames(&o, at))
		}
	}
}

// open calls enter for the next value. It does not check the depth. If the value does not begin
// with opening, it fails, because want is expected.
func (s *Scanner) open(want string, opening, closing byte) (at int, more bool) {
	if s.Peek() != opening {
		return s.unexpected(s.i, want), false
	}
	if s.i > s.noted+noteStep {
		s.noted = s.i
		budget.Note(noteStep)
	}
	if !s.affords(s.i) {
		return -1, false
	}
	return s.enter(s.i, closing)
}

// affords fails at i if the budget of the process is used up.
func (s *Scanner) affords(i int) bool {
	if budget.Over() {
		s.fail(Memory, i, "%v", budget.ErrOver)
		return false
	}
	return true
}

// Array reads an array. It calls element with each index. Then the scanner is before the value,
// which element must read.
func (s *Scanner) Array(element func(i int) error) error {
	place := s.place
	i, more := s.open("an array", '[', ']')
	for n := 0; more; n++ {
		s.i, s.place = i, place
		if err := element(n); err != nil {
			return err
		}
		i, more = s.next(s.i, ']')
	}
	return s.take(i)
}

// Since returns the text from an offset to the position of the scanner.
func (s *Scanner) Since(offset int) string { return s.src[offset:s.i] }
