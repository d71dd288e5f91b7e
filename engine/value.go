package engine

import "strings"

// Value is one immutable JSON value, held as canonical text: keys sorted by
// code point, no white space, ASCII only, numbers as they were written. The
// zero Value is no value at all.
type Value struct{ text string }

// Text returns the JSON string s. Invalid UTF-8 becomes U+FFFD.
func Text(s string) Value {
	return Value{string(appendQuoted(nil, strings.ToValidUTF8(s, "\uFFFD")))}
}

// JSON reads one JSON value. Duplicate members, invalid UTF-8, unpaired
// surrogates and nesting beyond 1,000 levels are errors.
func JSON(data []byte) (Value, error) {
	s := newScanner("", string(data), defaultDepth)
	text, err := s.document()
	if err != nil {
		return Value{}, err
	}
	return Value{text}, nil
}

// IsZero tells whether there is no value.
func (v Value) IsZero() bool { return v.text == "" }

// IsNull tells whether the value is the JSON null.
func (v Value) IsNull() bool { return v.text == "null" }

// String returns the canonical text.
func (v Value) String() string { return v.text }

// Text returns the string a JSON string stands for. It costs nothing unless
// the string holds an escape.
func (v Value) Text() (string, bool) {
	if len(v.text) < 2 || v.text[0] != '"' {
		return "", false
	}
	return unquoteValid(v.text[1 : len(v.text)-1]), true
}

// Number returns the number a JSON number stands for.
func (v Value) Number() (Number, bool) {
	if v.text == "" || v.text[0] != '-' && v.text[0]-'0' > 9 {
		return Number{}, false
	}
	return parseNumber(v.text), true
}

// appendPythonValue appends canonical text with its numbers in Python's form.
func appendPythonValue(dst []byte, text string) []byte {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '"':
			end := i + 1
			for text[end] != '"' {
				if text[end] == '\\' {
					end++
				}
				end++
			}
			dst = append(dst, text[i:end+1]...)
			i = end + 1
		case c == '-' || c-'0' <= 9:
			end := numberEnd(text, i)
			dst = appendPython(dst, text[i:end])
			i = end
		default:
			dst = append(dst, c)
			i++
		}
	}
	return dst
}
