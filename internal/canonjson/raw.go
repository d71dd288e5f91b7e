package canonjson

// Escapes is the kind of escapes that a string has.
type Escapes uint8

const (
	NoEscapes    Escapes = iota
	ShortEscapes         // such as \n, but not \u
	CodedEscapes         // such as \u0041
)

// RawText checks a string and returns the text between its quotes as it is written, and the kind of escapes in it.
// [Unescape] resolves them.
func (s *Scanner) RawText() (raw string, has Escapes, err error) {
	if s.Peek() != '"' {
		return "", NoEscapes, s.take(s.unexpected(s.i, "a string"))
	}
	start := s.i + 1
	end, found := s.text(start)
	if end < 0 {
		return "", NoEscapes, s.take(end)
	}
	switch {
	case found&coded != 0:
		has = CodedEscapes
	case found&escaped != 0:
		has = ShortEscapes
	}
	s.i = end
	return s.src[start : end-1], has, nil
}

// Since returns the text from an offset to where the scanner is.
func (s *Scanner) Since(offset int) string { return s.src[offset:s.i] }
