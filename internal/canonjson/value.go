package canonjson

// Form is the form of a value.
type Form uint8

// The forms of values.
const (
	Absent Form = iota // no value
	Null
	Plain   // a string without escapes
	Escaped // a string with short escapes such as \n, but not \u
	Coded   // a string with escapes such as \u0041
	Other   // anything else
)

// IsString reports whether a value is a string.
func (f Form) IsString() bool { return Plain <= f && f <= Coded }

// Value is a checked value.
type Value struct {
	Raw  string // as it is written; of a string, the text between the quotes
	Form Form
}

// Text returns the value of a string. For any other value, it returns false.
func (v Value) Text() (string, bool) {
	if !v.Form.IsString() {
		return "", false
	}
	return unescape(v.Raw), true
}

// Value checks the next value and returns it.
func (s *Scanner) Value() (Value, error) {
	s.Peek()
	s.canonical = false
	v, end := s.read(s.i, 1)
	return v, s.take(end)
}

// read checks the value at src[i], and returns it and its end.
func (s *Scanner) read(i, depth int) (v Value, end int) {
	if i < len(s.src) && s.src[i] == '"' {
		end, found := s.string(i)
		if end < 0 {
			return Value{}, end
		}
		return Value{s.src[i+1 : end-1], formOf[found&(escaped|coded)]}, end
	}
	end = s.value(i, depth)
	if end < 0 {
		return Value{}, end
	}
	v = Value{s.src[i:end], Other}
	if v.Raw == "null" {
		v.Form = Null
	}
	return v, end
}

// formOf maps the traits of a string to its form.
var formOf = [...]Form{0: Plain, escaped: Escaped, escaped | coded: Coded}
